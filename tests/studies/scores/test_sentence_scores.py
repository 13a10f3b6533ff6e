"""Sentences one by one: texts, edits, counts that add up to those of the corpus."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from gecval import Corpus, Edit, Reference, System, metric, score
from gecval.corpus.edit import apply_edits
from gecval.studies.scores.sentences import score_sentences
from strategies import corpora

GOLD = [
    [Reference(edits=(Edit(1, 2, ("goes",)), Edit(2, 3, ("",)))), Reference(edits=(Edit(1, 3, ("went",)),))],
    [Reference(edits=())],
]
CORPUS = Corpus(["He go to home .", "Fine ."], GOLD)
SYSTEMS = {"mine": ["He went home .", "Fine !"], "copy": ["He go to home .", "Fine ."]}


def test_by_hand() -> None:
    sentences = score_sentences(CORPUS, SYSTEMS, ["m2", "gleu", "accuracy"]).sentences
    assert [(row.sentence, row.system) for row in sentences] == [(1, "mine"), (2, "mine"), (1, "copy"), (2, "copy")]
    first = sentences[0]
    assert (first.source, first.hypothesis) == ("He go to home .", "He went home .")
    assert first.references == ("He goes home .", "He went home .")
    m2 = first.scores["m2"]
    assert (m2.score, m2.reference, m2.tp, m2.fp, m2.fn) == (1.0, 2, 1, 0, 0)
    assert m2.edits == (Edit(1, 3, ("went",)),)
    assert m2.reference_edits == (Edit(1, 3, ("went",)),)
    wrong = sentences[1].scores["m2"]
    assert (wrong.tp, wrong.fp, wrong.fn) == (0, 1, 0)
    assert wrong.edits == (Edit(0, 2, ("Fine !",)),)  # M² may join words that stay to those that change
    assert first.scores["gleu"].edits is None
    assert first.scores["accuracy"].score == 1


def test_scores_are_those_of_score() -> None:
    sentences = score_sentences(CORPUS, SYSTEMS, ["m2", "gleu"]).sentences
    for entry in score(CORPUS, SYSTEMS, ["m2", "gleu"], sentences=True):
        alone = [row.scores[entry.metric].score for row in sentences if row.system == entry.system]
        assert alone == entry.sentences.tolist()  # type: ignore[union-attr]


@given(corpora())
def test_counts_add_up_and_edits_lead_to_the_hypothesis(case: tuple[Corpus, System]) -> None:
    corpus, system = case
    sentences = score_sentences(corpus, [system], [metric("m2")]).sentences
    [whole] = score(corpus, [system], ["m2"])
    counted = [row.scores["m2"] for row in sentences]
    assert sum(row.tp or 0 for row in counted) == whole.parts["correct"]
    assert sum(row.parts["proposed"] for row in counted) == whole.parts["proposed"]
    assert sum(row.parts["gold"] for row in counted) == whole.parts["gold"]
    for row, of_metric in zip(sentences, counted, strict=True):
        assert apply_edits(row.source.split(), of_metric.edits or ()) == " ".join(row.hypothesis.split())


def test_errant_sees_the_edits_of_its_extractor() -> None:
    pytest.importorskip("errant", reason="needs the extra [errant]")
    corpus = Corpus.from_texts(["She like it ."], [["She likes it ."]])
    [row] = score_sentences(corpus, {"mine": ["She likes it !"]}, ["errant"]).sentences
    errant = row.scores["errant"]
    assert (errant.tp, errant.fp, errant.fn) == (1, 1, 0)
    assert [edit.type for edit in errant.edits or ()] == ["R:VERB:SVA", "R:PUNCT"]


def test_sums_of_weights_are_no_counts() -> None:
    name = "weighted(errant(model='plain'), by='words')"
    row = score_sentences(CORPUS, SYSTEMS, [name]).sentences[0].scores[name]
    assert (row.tp, row.fp, row.fn) == (None, None, None)
    assert row.parts["tp"] == pytest.approx(1 / 3)
    assert row.edits == (Edit(1, 3, ("went",), "R"),)
    assert row.reference == 2


def test_a_row_for_all_references_chooses_none() -> None:
    name = "cleme2(mode='independent', edits='plain')"
    row = score_sentences(CORPUS, SYSTEMS, [name]).sentences[0].scores[name]
    assert (row.reference, row.reference_edits, row.tp) == (None, None, None)
    assert row.parts["hit"] == 1.0


def test_lines_of_json() -> None:
    result = score_sentences(CORPUS, SYSTEMS, ["m2"])
    lines = [json.loads(line) for line in result.to_jsonl().split("\n")]
    assert lines == result.to_dict()["sentences"]
    assert lines[0]["scores"]["m2"]["edits"] == [
        {"start": 1, "end": 3, "corrections": ["went"], "type": "", "required": True}
    ]
