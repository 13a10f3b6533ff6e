"""``import gecval`` as a product: what is public, typed, documented, and quick to import."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gecval
from gecval import Corpus, InputError, Resampling, compare, evaluate, metric, score

SOURCES = ["He go home .", "She like apple ."]
REFERENCES = [["He goes home .", "He went home ."], ["She likes apples ."]]
OUTPUT = ["He goes home .", "She like apples ."]


def test_every_public_name_is_there() -> None:
    assert gecval.__all__ == sorted(gecval.__all__)
    for name in gecval.__all__:
        assert getattr(gecval, name) is not None
    assert dir(gecval) == sorted([*gecval.__all__, "__version__"])  # and no import
    assert len(gecval.__all__) <= 60
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
    heavier = "{'altair', 'pandas', 'pyarrow', 'spacy', 'sqlalchemy', 'torch', 'transformers'}"
    for imported, unwanted in (
        ("gecval", heavy),
        ("gecval.cli.program, gecval.cli.options, gecval.cli.output", heavier),
    ):
        code = f"import sys, {imported}; print(sorted({unwanted} & set(sys.modules)))"
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
    [at_level] = evaluate(SOURCES, OUTPUT, REFERENCES, metrics=["ld"], confidence=0.5)
    assert at_level.level == 0.5
    for wrong in (95, "yes", 0.0):
        with pytest.raises(InputError, match=r"confidence is True, a level such as 0\.95, or a Resampling, not"):
            evaluate(SOURCES, OUTPUT, REFERENCES, metrics=["ld"], confidence=wrong)  # type: ignore[arg-type]


def test_metrics_and_systems_of_a_wrong_kind() -> None:
    with pytest.raises(InputError, match="3 is neither a metric, nor the name of one, nor a function"):
        evaluate(SOURCES, OUTPUT, REFERENCES, metrics=[3])  # type: ignore[list-item]
    with pytest.raises(InputError, match="a system is given as dict"):
        score(Corpus.from_texts(SOURCES, REFERENCES), [{}], ["gleu"])  # type: ignore[list-item]
    with pytest.raises(InputError, match="hypothesis has 1 sentences, the source 2"):
        evaluate(SOURCES, OUTPUT[:1], REFERENCES, metrics=["gleu"])


# What a notebook has: columns of any library, one metric, a function, no metric at all.


def of(library: str, build: Callable[[Any, list[str]], Any]) -> Callable[[list[str]], Any]:
    """A column of a library; the test is left out where this is not installed."""
    return lambda texts: build(pytest.importorskip(library), texts)


COLUMNS: dict[str, Callable[[list[str]], Any]] = {
    "tuple": tuple,
    "iterator": iter,
    "numpy": np.array,
    "pandas": of("pandas", lambda pandas, texts: pandas.Series(texts)),
    "pandas with strings": of("pandas", lambda pandas, texts: pandas.Series(texts, dtype="string", index=[7, 5])),
    "polars": of("polars", lambda polars, texts: polars.Series(texts)),
    "arrow": of("pyarrow", lambda pyarrow, texts: pyarrow.array(texts)),
    "arrow in chunks": of("pyarrow", lambda pyarrow, texts: pyarrow.chunked_array([texts[:1], texts[1:]])),
    "hugging face": of("datasets", lambda datasets, texts: datasets.Dataset.from_dict({"text": texts})["text"]),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_texts_in_columns_of_any_library(kind: str) -> None:
    column = COLUMNS[kind]
    first = [texts[0] for texts in REFERENCES]
    expected = evaluate(SOURCES, OUTPUT, [[text] for text in first], metrics=["gleu", "ld"])
    assert evaluate(column(SOURCES), column(OUTPUT), column(first), metrics=["gleu", "ld"]) == expected
    corpus = Corpus.from_texts(column(SOURCES), column(first))
    assert score(corpus, {"hypothesis": column(OUTPUT)}, "gleu, ld") == expected
    compared = compare(column(SOURCES), column(SOURCES), column(OUTPUT), "ld", references=column(first))
    assert compared == compare(corpus, corpus.system("baseline", SOURCES), {"system": OUTPUT}, ["ld"])


def test_columns_of_lists_are_several_references() -> None:
    needed = ("pandas", "polars", "pyarrow", "datasets")
    pandas, polars, pyarrow, datasets = map(pytest.importorskip, needed)
    expected = evaluate(SOURCES, OUTPUT, REFERENCES, metrics="gleu")
    for column in (pandas.Series, polars.Series, pyarrow.array):
        assert evaluate(SOURCES, OUTPUT, column(REFERENCES), metrics="gleu") == expected
    frame = pandas.DataFrame({"copy": SOURCES, "mine": OUTPUT})
    tables = (frame, polars.from_pandas(frame), pyarrow.Table.from_pandas(frame), datasets.Dataset.from_pandas(frame))
    for table in tables:
        assert evaluate(SOURCES, table, REFERENCES, metrics="gleu").systems == ("copy", "mine")


def test_columns_that_hold_no_texts() -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(InputError, match="sentence 2 of the output of mine is nan, not text"):
        evaluate(SOURCES, {"mine": pandas.Series(["a", float("nan")])}, REFERENCES)
    with pytest.raises(InputError, match="sources must be one column of texts, not a whole table"):
        evaluate(pandas.DataFrame({"source": SOURCES}), OUTPUT, REFERENCES)
    with pytest.raises(InputError, match="sources must be a list of texts, not 3"):
        evaluate(3, OUTPUT, REFERENCES)  # type: ignore[arg-type]


def test_a_function_is_a_metric() -> None:
    def shorter(source: str, hypothesis: str, references: Sequence[str]) -> float:
        return len(hypothesis) / len(source)

    plain = evaluate(SOURCES, OUTPUT, REFERENCES, metrics=shorter)["shorter"]
    assert plain.score == pytest.approx((14 / 12 + 17 / 16) / 2)
    assert plain.higher_is_better
    named = metric(shorter, name="length", higher_is_better=False)
    [result, gleu] = evaluate(SOURCES, OUTPUT, REFERENCES, metrics=[named, "gleu"])
    assert (result.metric, result.higher_is_better, gleu.metric) == ("length", False, "gleu")
    assert result.signature.startswith("function|function:length|higher_is_better:False|")
    with pytest.raises(InputError, match="a function without a name needs one; take letters"):
        evaluate(SOURCES, OUTPUT, REFERENCES, metrics=lambda source, hypothesis, references: 1.0)
    with pytest.raises(InputError, match="'my length' is no name for a metric; take letters"):
        metric(shorter, name="my length")
    with pytest.raises(InputError, match="there is a metric gleu already"):
        metric(shorter, name="gleu")
    with pytest.raises(InputError, match="only a function is given them"):
        metric("gleu", higher_is_better=False)


def test_the_usual_metrics_where_none_is_named() -> None:
    corpus, systems = gecval.load_sample()
    assert score(corpus, systems[:1]).metrics == ("errant", "m2", "gleu")
    assert evaluate(corpus.sources, systems[0].hypotheses, corpus.sources).metrics == ("errant", "gleu")
    [errant, gleu] = compare(SOURCES, SOURCES, OUTPUT, references=REFERENCES)
    assert (errant.metric, gleu.metric) == ("errant", "gleu")


def test_scores_by_one_name_where_it_is_enough() -> None:
    scores = evaluate(SOURCES, {"copy": SOURCES, "mine": OUTPUT}, REFERENCES, metrics="accuracy")
    assert scores["mine"] is scores["mine", "accuracy"]
    with pytest.raises(KeyError, match=r"2 scores of accuracy: write scores\['copy', 'accuracy'\]"):
        scores["accuracy"]
    with pytest.raises(KeyError, match="no score of gleu; systems: copy, mine; metrics: accuracy"):
        scores["gleu"]


def test_sentence_scores_are_a_matrix_and_a_frame() -> None:
    scores = evaluate(SOURCES, {"copy": SOURCES, "mine": OUTPUT}, REFERENCES, metrics=["accuracy", "ld"])
    assert np.asarray(scores.sentences).tolist() == [[0.0, 1.0, 1.0, 10 / 12], [0.0, 1.0, 0.0, 15 / 16]]
    assert scores.sentences["mine", "accuracy"].tolist() == [1.0, 0.0]
    frame = scores.sentences.to_frame()
    assert frame["mine", "ld"].tolist() == [10 / 12, 15 / 16]
    assert frame.columns.tolist() == [(s, m) for s in ("copy", "mine") for m in ("accuracy", "ld")]
    joined = scores.with_more(evaluate(SOURCES, {"b": SOURCES}, REFERENCES, metrics=["ld"]))
    with pytest.raises(InputError, match="the sentence scores of copy are gone: score again with sentences=True"):
        joined.sentences  # noqa: B018


def test_numbers_by_name_for_loggers() -> None:
    scores = evaluate(SOURCES, OUTPUT, REFERENCES, metrics=["m2(beta=1.0)", "ld"], edits="plain", confidence=True)
    flat = scores.to_flat_dict()
    assert flat["m2_beta_1.0"] == scores["m2(beta=1.0)"].score
    assert flat["m2_beta_1.0_precision"] == 1.0
    assert flat["ld_low"] <= flat["ld"] <= flat["ld_high"]
    several = evaluate(SOURCES, {"my system": OUTPUT, "copy": SOURCES}, REFERENCES, metrics="accuracy")
    assert several.to_flat_dict() == {"my_system/accuracy": 0.5, "copy/accuracy": 0.0}
    alike = evaluate(SOURCES, {"a b": OUTPUT, "a_b": SOURCES}, REFERENCES, metrics="accuracy")
    with pytest.raises(InputError, match="two scores would both be called a_b/accuracy"):
        alike.to_flat_dict()


def test_the_baseline_by_its_name() -> None:
    outputs = {"old": SOURCES, "new": OUTPUT, "other": OUTPUT}
    found = compare(SOURCES, "old", outputs, "accuracy", references=REFERENCES)
    assert [(row.baseline, row.system) for row in found] == [("old", "new"), ("old", "other")]
    with pytest.raises(InputError, match="the baseline 'odl' is none of the systems: old, new, other"):
        compare(SOURCES, "odl", outputs, "accuracy", references=REFERENCES)
    with pytest.raises(InputError, match="old is the only system"):
        compare(SOURCES, "old", {"old": SOURCES}, "accuracy", references=REFERENCES)
    with pytest.raises(InputError, match="the corpus has references"):
        compare(Corpus.from_texts(SOURCES, REFERENCES), SOURCES, OUTPUT, "accuracy", references=REFERENCES)


@pytest.mark.parametrize("chosen", [slice(30), slice(60, None, 3), [5, 1, 7], np.arange(72) % 4 == 0])
def test_a_slice_scores_like_a_file_of_its_sentences(chosen: Any, tmp_path: Path) -> None:
    """By places and by conditions, with references as columns (M2) and as objects."""
    corpus, systems = gecval.load_sample()
    places = np.arange(72)[chosen]
    part = corpus[chosen]
    assert list(part.sources) == [corpus.sources[i] for i in places]
    gecval.write_corpus(part, tmp_path / "part.m2")
    loaded = gecval.load_corpus(tmp_path / "part.m2")
    of_part = score(part, [system[chosen] for system in systems], ["m2", "gleu", "errant", "sari"])
    texts = {system.name: [system.hypotheses[i] for i in places] for system in systems}
    assert of_part == score(loaded, texts, ["m2", "gleu", "errant", "sari"])
    objects = Corpus(corpus.sources, [list(listed) for listed in corpus.references])
    assert score(objects[chosen], texts, ["m2", "gleu"]) == score(part, texts, ["m2", "gleu"])


def test_wrong_slices() -> None:
    corpus, _ = gecval.load_sample()
    with pytest.raises(TypeError, match="a slice, a list of places or a mask chooses sentences, not 3"):
        corpus[3]
    with pytest.raises(InputError, match="True or False is given for 2 sentences, and there are 72"):
        corpus[[True, False]]
    with pytest.raises(InputError, match="there are 72 sentences, and number 72 is chosen, counted from 0"):
        corpus[[72]]
    with pytest.raises(InputError, match="the source has no sentences"):
        corpus[[]]


def test_results_of_several_calls_can_be_joined() -> None:
    first = evaluate(SOURCES, {"a": OUTPUT}, REFERENCES, metrics=["gleu"])
    second = evaluate(SOURCES, {"b": SOURCES}, REFERENCES, metrics=["gleu"])
    assert first.with_more(second).systems == ("a", "b")
    with pytest.raises(InputError, match="the same system under the same metric"):
        first.with_more(first)
