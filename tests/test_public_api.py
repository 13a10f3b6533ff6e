"""``import gecval`` as a product: what is public, typed, documented, and quick to import."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

import gecval
from gecval import Corpus, InputError, Resampling, evaluate, score

SOURCES = ["He go home .", "She like apple ."]
REFERENCES = [["He goes home .", "He went home ."], ["She likes apples ."]]
OUTPUT = ["He goes home .", "She like apples ."]


def test_every_public_name_is_there() -> None:
    assert gecval.__all__ == sorted(gecval.__all__)
    for name in gecval.__all__:
        assert getattr(gecval, name) is not None
    assert set(gecval.__all__) <= set(dir(gecval))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        gecval.nothing  # noqa: B018


def test_type_checkers_see_the_same_names() -> None:
    """They read the list of public names as Python does."""
    seen = {}
    for node in ast.walk(ast.parse(Path(gecval.__file__).with_suffix(".pyi").read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            seen |= {alias.asname: node.module for alias in node.names}
    assert seen == gecval._HOMES


@pytest.mark.parametrize("name", gecval.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    assert (inspect.getdoc(getattr(gecval, name)) or "").strip()


def test_the_package_says_that_it_is_typed() -> None:
    assert (files("gecval") / "py.typed").is_file()


def test_importing_gecval_imports_nothing_heavy() -> None:
    heavy = "{'numpy', 'scipy', 'rich', 'click', 'joblib', 'rapidfuzz', 'pandas', 'torch'}"
    code = f"import sys, gecval; print(sorted({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_evaluate_gives_what_score_gives() -> None:
    corpus = Corpus.from_texts(SOURCES, REFERENCES)
    scored = score(corpus, [corpus.system("hypothesis", OUTPUT)], [gecval.metric("gleu"), gecval.metric("ld")])
    assert evaluate(SOURCES, OUTPUT, REFERENCES, metrics=["gleu", gecval.metric("ld")]) == scored
    assert [result.metric for result in scored] == ["gleu", "ld"]


def test_evaluate_takes_several_systems_by_name() -> None:
    scores = evaluate(SOURCES, {"copy": SOURCES, "mine": OUTPUT}, REFERENCES, metrics=["accuracy"])
    assert scores.systems == ("copy", "mine")
    assert (scores["copy", "accuracy"].score, scores["mine", "accuracy"].score) == (0.0, 0.5)
    with pytest.raises(KeyError, match="systems: copy, mine; metrics: accuracy"):
        scores["yours", "accuracy"]


def test_evaluate_finds_edits_where_a_metric_needs_them() -> None:
    [result] = evaluate(SOURCES, OUTPUT, REFERENCES, metrics=["m2"], edits="plain")
    assert result.parts == pytest.approx({"precision": 1.0, "recall": 2 / 3, "correct": 2, "proposed": 2, "gold": 3})
    assert "|plain|" in result.signature


def test_evaluate_gives_intervals() -> None:
    [plain] = evaluate(SOURCES, OUTPUT, REFERENCES, metrics=["ld"])
    assert (plain.interval, plain.level) == (None, None)
    [surer] = evaluate(SOURCES, OUTPUT, REFERENCES, metrics=["ld"], confidence=True)
    assert surer.level == 0.95
    assert surer.interval is not None
    resampling = Resampling(50, level=0.5)
    [asked] = evaluate(SOURCES, OUTPUT, REFERENCES, metrics=["ld"], confidence=resampling)
    assert asked.level == 0.5
    with pytest.raises(InputError, match=r"confidence is True, False or a Resampling, not 0\.95"):
        evaluate(SOURCES, OUTPUT, REFERENCES, metrics=["ld"], confidence=0.95)  # type: ignore[arg-type]


def test_metrics_and_systems_of_a_wrong_kind() -> None:
    with pytest.raises(InputError, match=r"metrics must be a list of metrics or names; write \['gleu'\]"):
        evaluate(SOURCES, OUTPUT, REFERENCES, metrics="gleu")
    with pytest.raises(InputError, match="3 is neither a metric nor the name of one"):
        evaluate(SOURCES, OUTPUT, REFERENCES, metrics=[3])  # type: ignore[list-item]
    with pytest.raises(InputError, match="a system is given as str"):
        score(Corpus.from_texts(SOURCES, REFERENCES), OUTPUT, ["gleu"])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="hypothesis has 1 sentences, the source 2"):
        evaluate(SOURCES, OUTPUT[:1], REFERENCES, metrics=["gleu"])


def test_results_of_several_calls_can_be_joined() -> None:
    first = evaluate(SOURCES, {"a": OUTPUT}, REFERENCES, metrics=["gleu"])
    second = evaluate(SOURCES, {"b": SOURCES}, REFERENCES, metrics=["gleu"])
    assert first.with_more(second).systems == ("a", "b")
    with pytest.raises(InputError, match="the same system under the same metric"):
        first.with_more(first)
