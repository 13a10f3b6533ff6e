"""Metrics by name: spellings that are hard to read, and what may go wrong with a user's own metric."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from shutil import which

import pytest

from gecval import score
from gecval.corpus import Corpus
from gecval.edits.annotate import annotate
from gecval.edits.extractors import extractor
from gecval.errors import InputError, MissingExtraError
from gecval.metrics import default_metrics, metric
from gecval.runtime import plugins

MODULE = """
from dataclasses import dataclass
from typing import ClassVar
from gecval.metrics.base import AveragedMetric
from gecval.metrics.distance import LD

def half(source, hypothesis, references): return 0.5
def huge(source, hypothesis, references): return 10**5000

@dataclass(frozen=True, repr=False)
class Weighted(LD):
    name: ClassVar[str] = "own_metrics:Weighted"
    weight: int = 1
    def __post_init__(self):
        if self.weight < 0: raise KeyError("weight")

class Plain(AveragedMetric):
    name = "plain"
    rule = statistics = None

@dataclass(frozen=True, repr=False)
class Nameless(AveragedMetric):
    rule = statistics = None

@dataclass(frozen=True, repr=False)
class Abstract(AveragedMetric):
    name: ClassVar[str] = "abstract"
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A user's module in the current folder, and an installed one, whose entry point has a hyphen in its name."""
    (tmp_path / "own_metrics.py").write_text(MODULE)
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "installed_metrics.py").write_text("def half(source, hypothesis, references): return 0.5\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "site")])
    entry = EntryPoint("half-good", "installed_metrics:half", "gecval.metrics")
    monkeypatch.setattr(plugins, "entry_points", lambda group: [entry])
    yield
    for name in ("own_metrics", "installed_metrics"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("text", ["min-counts.tsv", "max-sari", "my_module:f", "a 'b' \"min-ld\"", "\\", ""])
def test_a_text_is_taken_as_it_is(text: str) -> None:
    assert metric(f"grammaticality(checker={text!r})").checker == text  # type: ignore[attr-defined]


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("interpolated(max-sari(n=2), min-ld, 0.25)", "interpolated(max-sari(n=2), min-ld, 0.25)"),
        ("interpolated(gleu, own_metrics:half, 0.5)", "interpolated(gleu, own_metrics:half, 0.5)"),
        ("interpolated(gleu, half-good, 0.5)", "interpolated(gleu, half-good, 0.5)"),
        (
            "interpolated(gleu, without=own_metrics:Weighted(weight=2), weight=0.5)",
            "interpolated(gleu, own_metrics:Weighted(weight=2), 0.5)",
        ),
        (
            'interpolated(interpolated(gleu, own_metrics:half), lt(checker="min-ld.tsv"), 0.25)',
            "interpolated(interpolated(gleu, own_metrics:half, 0.5), lt(checker='min-ld.tsv'), 0.25)",
        ),
    ],
)
def test_metrics_as_parameters(spelling: str, expected: str) -> None:
    spelled = metric(spelling)
    assert repr(spelled) == expected
    assert metric(repr(spelled)) == spelled


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("m2(1)+f(2)", "cannot read the parameters of 'm2(1)+f(2)'"),
        ("m2(1)(2)", "cannot read the parameters of 'm2(1)(2)'"),
        ("m2(beta={[1]: 2})", "cannot read the parameters"),
        ("m2(beta=1, beta=2)", "a parameter of 'm2(beta=1, beta=2)' is given twice"),
        ("interpolated(gleu, no-such)", "there is no metric 'no-such'"),
        ("interpolated(gleu, own_metrics:none)", "cannot load the metric 'own_metrics:none': AttributeError"),
        ("own_metrics:half(n=2)", "own_metrics:half is a plain function and takes no parameters"),
        ("own_metrics:Plain", "own_metrics:Plain is no dataclass: write @dataclass(frozen=True, repr=False) above"),
        ("own_metrics:Nameless", "own_metrics:Nameless has no name: write name: ClassVar[str] = 'nameless' into the"),
        ("own_metrics:Abstract", "cannot make 'own_metrics:Abstract': Can't instantiate abstract class Abstract"),
        ("own_metrics:Weighted(weight=-1)", "cannot make 'own_metrics:Weighted(weight=-1)': 'weight'"),
        ("own_metrics:Weighted(height=1)", "own_metrics:Weighted has no parameter 'height'; it has weight"),
    ],
)
def test_refused(spelling: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        metric(spelling)
    assert str(error.value).startswith(message)


def test_packages_are_looked_at_again_when_they_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked, site = [], tmp_path / "site"
    (site / "a").mkdir(parents=True)
    monkeypatch.setattr(plugins, "entry_points", lambda group: looked.append(group) or [])
    monkeypatch.setattr(sys, "path", [str(tmp_path / "no-such"), str(site)])
    parts = [plugins.Plugins(kind="part", group=f"gecval.{group}", built_in={}) for group in ("a", "a", "b")]
    assert [part.names() for part in parts] == [[], [], []]
    assert looked == ["gecval.a", "gecval.b"]
    os.utime(site, ns=(1, 1))
    assert parts[0].names() == parts[1].names() == []
    monkeypatch.setattr(sys, "path", [str(site)])
    assert parts[0].names() == []
    assert looked == ["gecval.a", "gecval.b", "gecval.a", "gecval.a"]


def test_a_file_in_the_current_folder_hides_no_installed_package(tmp_path: Path) -> None:
    """Neither for our metrics, nor for the user's own beside it."""
    for name in ("rapidfuzz", "spacy", "joblib"):
        (tmp_path / f"{name}.py").write_text(f'raise RuntimeError("the wrong {name}")\n')
    (tmp_path / "own_metrics.py").write_text("import joblib\ndef f(source, hypothesis, references): return 0.5\n")
    (tmp_path / "src.txt").write_text("a b\n")
    gecval = which("gecval", path=str(Path(sys.executable).parent))
    assert gecval is not None
    words = [gecval, "score", "src.txt", "-s", "src.txt", "-r", "src.txt", "--format", "tsv"]
    words += ["-m", "own_metrics:f", "-m", 'errant(model="plain")', "-m", "min-ld"]
    result = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    assert [line.split("\t")[2] for line in result.stdout.splitlines()[1:]] == ["0.5", "1.0", "1.0"]


# The parameters of metrics: their defaults, and the first values that are refused.


MODEL = {"model": "smollm2", "detokenize": True, "device": "auto", "dtype": "float32", "batch_size": None}
NEURAL: dict[str, object] = {"device": "auto", "batch_size": None}
CHECKER = {"checker": "lingotweaker", "preset": "napoles-2016", "ignore": ()}
DEFAULTS = {
    "m2": {
        "beta": 0.5,
        "max_unchanged": 2,
        "ignore_whitespace_casing": False,
        "level": "correction",
        "bonus": False,
        "nested": "kept",
        "version": "head",
        "lattice": "tool",
        "unchanged": "scored",
    },
    "errant": {
        "beta": 0.5,
        "level": "correction",
        "model": "en_core_web_sm",
        "size": "any",
        "ignore": (),
        "average": "micro",
        "weights": "",
        "lang": "",
        "alignments": "pooled",
        "resources": "",
        "parses": (),
        "words": "",
    },
    "imeasure": {
        "mix": True,
        "aspect": "correction",
        "maximise": "cwacc",
        "optimise": "sentence",
        "weight": 2.0,
        "beta": 1.0,
        "unchanged": "scored",
    },
    "gleu": {"n": 4, "form": "tool", "iterations": 500, "unit": "word"},
    "bleu": {"n": 4},
    "ibleu": {"alpha": 0.8, "sign": "plus", "n": 4},
    "green": {"beta": 2.0, "n": 4, "unit": "word", "form": "gec-metrics"},
    "sari": {"n": 4, "form": "tool"},
    "max-sari": {"n": 4, "form": "tool"},
    "lt": CHECKER,
    "grammaticality": CHECKER,
    "lfm": {"model": ""},
    "scribendi": {**MODEL, "threshold": 0.8, "replacement": 2, "better": 1.0, "unchanged": 0.0, "worse": -1.0},
    "graded-scribendi": {**MODEL, "threshold": 0.8, "penalty": 1.0, "replacement": 2},
    "perplexity": MODEL,
    "levenshtein": {"replacement": 2},
    "llm-judge": {
        "model": "",
        "url": "",
        "level": "sentence",
        "criterion": "",
        "pool": "outputs",
        "targets": 5,
        "order": "shuffled",
        "seed": 1,
        "edits": "",
        "temperature": 0.0,
        "answer_tokens": 1024,
        "key": "GECVAL_LLM_KEY",
        "timeout": 60.0,
        "retries": 4,
        "concurrency": 4,
        "most_requests": 5000,
        "most_tokens": None,
    },
    "weighted": {"base": metric("errant"), "by": "minilm"},
    "uot": {
        "edits": "",
        "model": "google/electra-base-discriminator",
        "vectors": "ref-remove",
        "cost": "euclidean",
        "mass": "norm",
        "reg": 0.1,
        "reg_m": 0.1,
        "beta": 0.5,
        "form": "paper",
    },
    "cleme2": {
        "edits": "",
        "mode": "dependent",
        "weights": "none",
        "drop_unchanged": False,
        "factors": (0.45, 0.35, 0.15, 0.05),
        "by": "minilm",
    },
    "cleme": {"edits": "", "mode": "dependent", "weights": "length", "drop_unchanged": False, "beta": 0.5},
    "gotoscorer": {
        "edits": "",
        "pool": "outputs",
        "reference": 0,
        "smoothing": (1, 0, 0),
        "leave_one_out": False,
        "form": "author",
        "beta": 0.5,
    },
    "some": {**NEURAL, "directory": "", "weights": (0.55, 0.43, 0.02)},
    "impara": {**NEURAL, "qe": "gotutiyan/IMPARA-QE", "similarity": "bert-base-cased", "threshold": 0.9},
    "reward": {**NEURAL, "model": "", "reads": "output", "label": 1, "squash": False},
    "from-file": {"path": "", "label": "", "lower_is_better": False},
    "interpolated": {
        "with_references": metric("gleu"),
        "without": metric("ld"),
        "weight": 0.5,
        "more": (),
        "scales": (),
    },
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_defaults(name: str) -> None:
    made = metric(name)
    assert {field.name: getattr(made, field.name) for field in dataclasses.fields(made)} == DEFAULTS[name]  # type: ignore[arg-type]


POSITIVE = "must be a number above 0 and at most a million"
FLAG = "must be True or False"
RATIO = "must be a ratio of whole numbers up to 1000"
WORD = "must be a text in quotes"
ANY = "must be a number from -1000000 to 1000000"


def upto(most: int, least: int = 1) -> str:
    return f"must be a whole number from {least} to {most}"


@pytest.mark.parametrize(
    ("name", "parameter", "last", "wrong", "rule"),
    [
        ("m2", "beta", 1_000_000, 0, POSITIVE),
        ("m2", "beta", 0.001, 1_000_001, POSITIVE),
        ("m2", "max_unchanged", 0, -1, upto(1000, 0)),
        ("m2", "max_unchanged", 1000, 1001, upto(1000, 0)),
        ("m2", "bonus", True, 1, FLAG),
        ("m2", "ignore_whitespace_casing", True, "yes", FLAG),
        ("m2", "level", "detection", "type", "must be one of detection, recognition, correction"),
        ("m2", "lattice", "paper", "book", "must be one of tool, paper"),
        ("m2", "unchanged", "zero", "one", "must be one of scored, zero"),
        ("m2", "version", "3.2", 3.3, "must be one of head, 3.2"),
        ("m2", "version", "3.2", 3.2, "must be one of 'head', '3.2'"),
        ("errant", "beta", 1, -1, POSITIVE),
        ("errant", "level", "classification", "recognition", "must be one of "),
        ("errant", "size", "any", "all", "must be one of "),
        ("errant", "model", "plain", 1, WORD),
        ("errant", "ignore", ("R:SPELL",), "R:SPELL", 'must be a list such as ("R:SPELL",)'),
        ("imeasure", "weight", 1, 0, POSITIVE),
        ("imeasure", "weight", 1000, 1001, RATIO),
        ("imeasure", "weight", 1000 / 999, 999.5, RATIO),
        ("imeasure", "weight", 0.1, 3.14159, RATIO),
        ("imeasure", "beta", 1 / 1000, 1 / 1001, RATIO),
        ("imeasure", "beta", 1, True, POSITIVE),
        ("imeasure", "mix", False, 0, FLAG),
        ("imeasure", "aspect", "detection", "all", "must be one of correction, detection"),
        ("imeasure", "maximise", "dwacc", "wacc", "must be one of "),
        ("imeasure", "optimise", "corpus", "text", "must be one of sentence, corpus"),
        ("imeasure", "unchanged", "zero", 0, "must be one of "),
        ("gleu", "n", 1000, 0, upto(1000)),
        ("gleu", "iterations", 1_000_000, 1_000_001, upto(1_000_000)),
        ("gleu", "form", "paper", "book", "must be one of tool, paper"),
        ("bleu", "n", 1, 0, upto(1000)),
        ("ibleu", "n", 1, 1001, upto(1000)),
        ("ibleu", "alpha", 1, 1.1, "must be a number from 0 to 1"),
        ("ibleu", "alpha", 0, -0.1, "must be a number from 0 to 1"),
        ("ibleu", "sign", "minus", "-", "must be one of plus, minus"),
        ("green", "beta", 1, 0, POSITIVE),
        ("green", "n", 1, 0, upto(1000)),
        ("green", "unit", "char", "byte", "must be one of "),
        ("green", "form", "author", "paper", "must be one of "),
        ("sari", "n", 1, 2.0, upto(1000)),
        ("sari", "form", "corpus", "paper", "must be one of tool, corpus"),
        ("max-sari", "n", 1, 0, upto(1000)),
        ("grammaticality", "checker", "", None, WORD),
        ("lt", "ignore", ("TYPOS",), ("TYPOS", 1), 'must be a list such as ("TYPOS",)'),
        ("lt", "preset", "napoles-2016", "2016", "must be one of "),
        ("lfm", "model", "lfm.json", 1, WORD),
        ("scribendi", "replacement", 1, 0, upto(1000)),
        ("scribendi", "threshold", -1_000_000, -1_000_001, ANY),
        ("scribendi", "better", 1_000_000, 1_000_001, ANY),
        ("scribendi", "unchanged", 0, "0", ANY),
        ("scribendi", "worse", 0, None, ANY),
        ("graded-scribendi", "threshold", 0, "0", ANY),
        ("graded-scribendi", "penalty", 0, -1, "must be a number from 0 to 1000000"),
        ("graded-scribendi", "replacement", 1, 0, upto(1000)),
        ("perplexity", "batch_size", 100_000, 100_001, upto(100_000)),
        ("perplexity", "model", "gpt2", 2, WORD),
        ("perplexity", "device", "cpu", 0, WORD),
        ("perplexity", "dtype", "float16", 16, WORD),
        ("perplexity", "detokenize", False, 0, FLAG),
        ("levenshtein", "replacement", 1000, 1001, upto(1000)),
        ("llm-judge", "targets", 100, 101, upto(100)),
        ("llm-judge", "concurrency", 1, 0, upto(100)),
        ("llm-judge", "retries", 0, -1, upto(100, 0)),
        ("llm-judge", "seed", 0, -1, upto(1_000_000, 0)),
        ("llm-judge", "answer_tokens", 1_000_000, 0, upto(1_000_000)),
        ("llm-judge", "most_requests", 0, -1, upto(1_000_000_000, 0)),
        ("llm-judge", "most_tokens", 1_000_000_000, 1_000_000_001, upto(1_000_000_000, 0)),
        ("llm-judge", "temperature", 2, 2.1, "must be a number from 0 to 2"),
        ("llm-judge", "timeout", 0.1, 0, POSITIVE),
        ("llm-judge", "model", "m", 1, WORD),
        ("llm-judge", "order", "sorted", "random", "must be one of shuffled, sorted"),
        ("m2", "nested", "estgec", "all", "must be one of kept, estgec"),
        ("errant", "average", "macro", "mean", "must be one of "),
        ("errant", "alignments", "pooled", "all", "must be one of "),
        ("errant", "parses", (), "src.conllu", 'must be a list such as ("src.conllu",)'),
        ("gleu", "unit", "char", "byte", "must be one of word, char"),
        ("gotoscorer", "edits", "plain", 1, WORD),
        ("gotoscorer", "pool", "none", None, WORD),
        ("gotoscorer", "reference", 0, -1, upto(1000, 0)),
        ("gotoscorer", "smoothing", (0, 0, 1_000_000), (0, 0), "must be 3 numbers from 0 on in brackets"),
        ("gotoscorer", "smoothing", (1, 2, 3), (0, 0, -1), "must be 3 numbers from 0 on in brackets"),
        ("gotoscorer", "smoothing", (1, 2, 3), (0, 0, 1_000_001), "must be 3 numbers from 0 on in brackets"),
        ("gotoscorer", "leave_one_out", True, 1, FLAG),
        ("gotoscorer", "form", "gec-metrics", "paper", "must be one of author, gec-metrics"),
        ("gotoscorer", "beta", 1, 0, POSITIVE),
        ("cleme", "edits", "plain", 1, WORD),
        ("cleme", "mode", "independent", "both", "must be one of dependent, independent"),
        ("cleme", "weights", "none", "similarity", "must be one of "),
        ("cleme", "drop_unchanged", True, 0, FLAG),
        ("cleme", "beta", 1, 0, POSITIVE),
        ("cleme2", "weights", "similarity", "all", "must be one of "),
        ("cleme2", "mode", "independent", "both", "must be one of dependent, independent"),
        ("cleme2", "factors", (0, 0, 0, 1), (1, 1, 1), "must be 4 numbers from 0 on in brackets"),
        ("cleme2", "by", "minilm", 1, WORD),
        ("uot", "model", "x", 1, WORD),
        ("uot", "vectors", "src-add", "context", "must be one of ref-remove, src-add"),
        ("uot", "cost", "cosine", "manhattan", "must be one of euclidean, cosine"),
        ("uot", "mass", "uniform", "one", "must be one of norm, uniform"),
        ("uot", "form", "tool", "author", "must be one of paper, tool"),
        ("uot", "reg", 1, 0, POSITIVE),
        ("uot", "reg_m", 1, 0, POSITIVE),
        ("uot", "beta", 1, 0, POSITIVE),
        ("weighted", "by", "words", 1, WORD),
        ("some", "directory", "x", 1, WORD),
        ("some", "weights", (1, 0, 0), (1, 0), "must be three numbers"),
        ("some", "weights", (1, 0.5, 0), (1, 0, True), "must be three numbers"),
        ("some", "weights", (1, 0.5, -1), (1, 0, "0"), "must be three numbers"),
        ("some", "batch_size", 100_000, 100_001, upto(100_000)),
        ("some", "device", "cpu", 0, WORD),
        ("impara", "qe", "x", 1, WORD),
        ("impara", "similarity", "x", 1, WORD),
        ("impara", "threshold", 1_000_000, 1_000_001, ANY),
        ("impara", "batch_size", 1, 0, upto(100_000)),
        ("reward", "model", "x", 1, WORD),
        ("reward", "reads", "pair", "both", "must be one of output, pair"),
        ("reward", "label", 0, -1, upto(1000, 0)),
        ("reward", "squash", True, 1, FLAG),
        ("reward", "device", "cpu", 0, WORD),
        ("from-file", "path", "x", 1, WORD),
        ("from-file", "label", "x", 1, WORD),
        ("from-file", "lower_is_better", True, 1, FLAG),
        ("interpolated", "weight", 1, 1.1, "must lie between 0 and 1"),
        ("interpolated", "weight", 0, True, "must lie between 0 and 1"),
    ],
)
def test_the_first_value_that_is_refused(name: str, parameter: str, last: object, wrong: object, rule: str) -> None:
    make = type(metric(name))
    assert getattr(make(**{parameter: last}), parameter) == last
    with pytest.raises(InputError) as error:
        make(**{parameter: wrong})
    message = str(error.value)
    assert message.startswith(f"{name}: {parameter} {rule}")
    assert message.endswith(f", not {wrong!r}")


ENGLISH = ["He go home because it was late .", "She like the apples that are in the garden ."]
CORRECTED = [["He goes home because it was late ."], ["She likes the apples that are in the garden ."]]


@pytest.mark.usefixtures("own")
def test_a_function_that_gives_no_float() -> None:
    """An integer that no float can hold, and that Python does not even print."""
    with pytest.raises(InputError, match=r"^own_metrics:huge gave a number beyond 1e308 on sentence 1 of x$"):
        score(Corpus.from_texts(["a"], [["a"]]), {"x": ["a"]}, ["own_metrics:huge"])


def test_default_metrics_are_those_that_the_corpus_allows() -> None:
    texts = Corpus.from_texts(ENGLISH, CORRECTED)
    edits = annotate(texts, extractor("plain"))
    assert default_metrics(texts) == [metric("errant"), metric("gleu")]
    assert default_metrics(edits) == [metric("errant"), metric("m2"), metric("gleu")]
    ukrainian = Corpus.from_texts(["Він пішов до дому .", "Це дуже добре , що ти прийшов ."], [["Він ."], ["Так ."]])
    assert default_metrics(ukrainian) == [metric("gleu")]
    assert default_metrics(annotate(ukrainian, extractor("plain"))) == [metric("m2"), metric("gleu")]
    with pytest.raises(InputError, match="there are no references: give some, or name a metric that needs none"):
        default_metrics(Corpus.from_texts(ENGLISH))


def test_default_metrics_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gecval.edits.errant.installed_version", lambda name: _raise(MissingExtraError(name, "errant")))
    assert default_metrics(Corpus.from_texts(ENGLISH, CORRECTED)) == [metric("gleu")]


def _raise(error: Exception) -> None:
    raise error
