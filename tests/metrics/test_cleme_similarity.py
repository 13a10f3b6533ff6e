"""CLEME2.0 with similarity weights, against the public tool with a toy similarity and against a plain oracle."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Edit, InputError, Reference, System, load_corpus, metric
from gecval.edits import plain_edits
from gecval.edits.annotate import annotate
from gecval.edits.plain import PlainExtractor
from gecval.metrics import Statistics
from gecval.metrics.cleme2 import CLEME2
from gecval.metrics.evaluation import Evaluation
from gecval.models.text_model import TextModel
from oracles import cleme as oracle
from oracles.weighted import word_f1
from strategies import corpora


def close(value: object) -> object:
    return pytest.approx(value, abs=1e-9, rel=0)


def first_120(path: Path, folder: Path) -> Corpus:
    named = folder / f"{path.stem}.m2"
    named.write_bytes(path.read_bytes())
    corpus = load_corpus(None, [named])
    return Corpus(corpus.sources[:120], corpus.references[:120])


def check_rows(statistics: Statistics, expected: list[list[list[float]]]) -> None:
    """The tool lists tp, fp, fn, tn, fp_ne, fp_un. It repeats the row of an annotator who is alone, and leaves out an
    empty reference, whose row repeats another's here."""
    for i, golden in enumerate(expected):
        rows = statistics.rows[statistics.offsets[i] : statistics.offsets[i + 1]]
        theirs = [[tp, ne, un, fn, tn] for tp, _, fn, tn, ne, un in golden]
        ours, expected_rows = np.broadcast_arrays(rows, np.array(theirs, dtype=np.float64))
        assert ours == close(expected_rows), i


def test_the_tool(golden: Path, data: Path, tmp_path: Path) -> None:
    results = json.loads((golden / "modern" / "cleme2_similarity_toy.json").read_text())["results"]
    corpus = first_120(data / "cleme" / "conll14.errant", tmp_path)
    checked = 0
    for name, by_mode in results.items():
        outputs = first_120(data / "cleme" / f"conll14-{name}.errant", tmp_path)
        edits = [reference.edits or () for [reference] in outputs.references]
        for mode, expected in by_mode.items():
            rows = expected.pop("sentence weighted sums, per reference")
            for label, stored in expected.items():
                factors = tuple(map(float, label.split()[-1].split("/")))
                scored = CLEME2(mode, factors, weights="similarity", by="words")
                evaluation = Evaluation(scored, scored.statistics_of_edits(corpus, edits))
                check_rows(evaluation.statistics, rows)
                whole = stored["heuo_corpus_weighted"]
                assert evaluation.score() == close(whole["com"])
                names = {"hit": "hit", "wrong": "err", "under": "und", "over": "ove"}
                assert evaluation.parts() == close({ours: whole[theirs] for ours, theirs in names.items()})
                assert evaluation.sentence_scores().mean() == close(stored["heuo_sentence_weighted"]["com"])
                checked += 1
    assert checked == 8


@given(corpora(), st.sampled_from(["dependent", "independent"]))
def test_the_oracle(drawn: tuple[Corpus, System], mode: str) -> None:
    corpus, system = drawn
    sources = [source.split() for source in corpus.sources]
    edits = [plain_edits(s, h.split()) for s, h in zip(sources, system.hypotheses, strict=True)]
    golds = [[reference.edits or () for reference in references] for references in corpus.references]
    expected = oracle.similarity_rows(sources, edits, golds, mode=mode, f=word_f1)
    statistics = CLEME2(mode, weights="similarity", by="words").statistics_of_edits(corpus, edits)
    for i, rows in enumerate(expected):
        ours = statistics.rows[statistics.offsets[i] : statistics.offsets[i + 1]].tolist()
        taking_part = oracle.counting(sources[i], golds[i], drop_unchanged=False)
        assert [ours[r] for r in taking_part] == [pytest.approx(row) for row in rows]
        assert all(row == ours[taking_part[0]] for r, row in enumerate(ours) if r not in taking_part)


def test_what_was_stays_as_it_was() -> None:
    assert repr(metric("cleme2")) == "cleme2"
    assert "by" not in metric("cleme2").parameters()
    assert metric("cleme2").parameters()["weights"] == "none"
    weighted = metric('cleme2(weights="similarity", by="words")')
    assert weighted.parameters()["by"] == "words"
    assert metric(repr(weighted)) == weighted


def test_the_model_is_asked_about_all_systems_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def numbers(self: object, texts: list[str], **options: object) -> np.ndarray:
        asked.append(len(texts))
        return np.array([[1.0, len(text)] for text in texts])

    monkeypatch.setattr(TextModel, "numbers", numbers)
    scored = metric('cleme2(weights="similarity", edits="plain")')
    edits = (Edit(1, 2, ("goes",)),)
    corpus = Corpus(["He go home ."], [[Reference("He goes home .", edits)]], language="en")
    scored.prepare(corpus, [corpus.system("a", ["He goes home ."]), corpus.system("b", ["He go home !"])])
    assert asked == [6]  # source, goes, ! with the one reference


@pytest.mark.parametrize(
    ("spelling", "said"),
    [
        ('cleme2(by="words")', 'by goes with weights="similarity" only'),
        ('cleme(weights="similarity")', "weights must be one of length, sentence, none, not 'similarity'"),
        ("cleme2(by=1)", "by must be a text in quotes"),
    ],
)
def test_what_is_refused(spelling: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        metric(spelling)


@pytest.mark.parametrize("parameters", [{}, {"weights": "length"}, {"weights": "similarity", "by": "words"}])
def test_no_model_is_asked_where_none_is_needed(parameters: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr("gecval.metrics.cleme2.weigh", lambda *given, **_: asked.append(given))
    corpus = Corpus.from_texts(["a b"], [["a c"]])
    CLEME2(edits="plain", **parameters).prepare(annotate(corpus, PlainExtractor()), [corpus.system("x", ["a d"])])  # type: ignore[arg-type]
    assert asked == []
