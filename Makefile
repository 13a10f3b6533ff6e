# `make demo` and `make test` each work alone on a fresh checkout: Python 3.10+, make and a C++ compiler are all they need.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
NATIVE := CMakeLists.txt $(wildcard native/*)
# An editable install knows the modules that were there when it was made: a folder is newer when one is added.
FOLDERS := $(shell find src -type d -not -name __pycache__)

.PHONY: demo test lint bench clean

demo: $(VENV)/installed
	$(BIN)/gecval demo

test: $(VENV)/installed
	$(BIN)/python -m pytest

lint: $(VENV)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/installed
	$(BIN)/python -m benchmarks

$(VENV)/installed: pyproject.toml $(NATIVE) $(FOLDERS)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[errant,report,test,dev]'
	touch $@

clean:
	rm -rf $(VENV) build
