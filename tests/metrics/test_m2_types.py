"""M²'s recall by type of error: against the Estonian scorer's figures, a plain oracle, and by hand."""

from __future__ import annotations

import json
from dataclasses import astuple
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Edit, InputError, Reference, load_corpus, load_systems, metric, score_by_type
from gecval.metrics.evaluation import Evaluation
from oracles import m2_types as oracle
from strategies import sentences

OFFICIAL = 'm2(nested="estgec", max_unchanged=15, version="3.2")'


def test_the_estonian_scorers_recall_by_type(data: Path, golden: Path) -> None:
    """All 30 rows: how many, and the three shares as printed, with edits within word-order edits."""
    corpus = load_corpus(None, [data / "multi/et/estgec-l2/source_gold_test.txt"])
    systems = load_systems([data / "multi/et/systems/nelb.tok"], corpus)
    rows = score_by_type(corpus, systems, [OFFICIAL], detail="full").types
    expected = json.loads((golden / "multi/m2/estonian_by_type.json").read_text())["rows"]
    assert len(expected) == 30
    shares = {row.type: [row.recall, row.span_recall, row.overlap_recall] for row in rows}
    assert {
        row.type: [row.gold + row.within, *(round(share, 2) for share in shares[row.type])] for row in rows
    } == expected


TYPED = st.builds(
    lambda start, length, word, kind: (start, start + length, (word,) if start or length else ("a",), kind),
    st.integers(0, 3),
    st.integers(0, 2),
    st.sampled_from(["", "a", "b", "a b", "A a"]),
    st.sampled_from(["R:WO", "R:WO", "R:LEX", "M:PUNCT"]),
)


@st.composite
def annotated(draw: st.DrawFn) -> tuple[list[str], list[str], list[list[oracle.Typed]]]:
    source = draw(sentences(4))
    edits = TYPED.filter(lambda edit: edit[1] <= len(source) and (edit[1] > edit[0] or edit[2] != ("",)))
    return source, draw(sentences(4)), draw(st.lists(st.lists(edits, max_size=4), min_size=1, max_size=2))


@given(st.lists(annotated(), min_size=1, max_size=3), st.booleans(), st.sampled_from([0, 2]), st.booleans())
def test_counts_are_the_oracles(
    drawn: list[tuple[list[str], list[str], list[list[oracle.Typed]]]], estgec: bool, max_unchanged: int, old: bool
) -> None:
    nested, version = "estgec" if estgec else "kept", "3.2" if old else "head"
    form = metric(f'm2(nested="{nested}", max_unchanged={max_unchanged}, version="{version}")')
    references = [[Reference(edits=tuple(Edit(*edit) for edit in edits)) for edits in real] for *_, real in drawn]
    corpus = Corpus([" ".join(source) for source, *_ in drawn], references)
    system = corpus.system("h", [" ".join(output) for _, output, _ in drawn])
    statistics = Evaluation.of(form, corpus, system).statistics
    counted = form.recall_by_type(corpus, system, statistics)
    expected = oracle.recall_by_type(drawn, estgec=estgec, max_unchanged=max_unchanged, version=version)
    assert {kind: list(astuple(counts)) for kind, counts in counted.items()} == expected


ORDER, LEX, NEAR = Edit(1, 3, ("c b",), "R:WO"), Edit(2, 3, ("C",), "R:LEX"), Edit(3, 4, ("D",), "R:SPELL")


def test_strengths_and_edits_within_by_hand() -> None:
    """Right word order, so the edit within counts as made; another correction at a span; a mere overlap."""
    corpus = Corpus(["a b c d e"], [[Reference(edits=(ORDER, LEX, NEAR, Edit(5, 5, (".",), "M:PUNCT")))]])
    result = score_by_type(corpus, {"h": ["a c b X e"]}, ['m2(nested="estgec", max_unchanged=0)'], detail="full")
    rows = {row.type: (row.gold, row.within, row.correct, row.span, row.overlap) for row in result.types}
    assert rows == {
        "M:PUNCT": (1, 0, 0, 0, 0),
        "R:LEX": (0, 1, 0, 0, 0),
        "R:SPELL": (1, 0, 0, 1, 1),
        "R:WO": (1, 0, 1, 1, 1),
    }
    assert [row.recall for row in result.types] == [0.0, 1.0, 0.0, 1.0]
    assert [row.span_recall for row in result.types] == [0.0, 1.0, 1.0, 1.0]
    kept = score_by_type(corpus, {"h": ["a c b X e"]}, ["m2(max_unchanged=0)"], detail="operation")
    assert [(row.type, row.gold, row.within, row.correct) for row in kept.types] == [("M", 1, 0, 0), ("R", 3, 0, 1)]
    assert any("word-order edit" in note for note in kept.notes)
    joined = score_by_type(corpus, {"h": ["a X e"]}, ["m2"], detail="category")
    assert {row.type: (row.correct, row.span, row.overlap) for row in joined.types} == {
        "LEX": (0, 0, 1), "PUNCT": (0, 0, 0), "SPELL": (0, 0, 1), "WO": (0, 0, 1)
    }  # fmt: skip


@pytest.mark.parametrize("form", ['m2(level="detection")', "m2(bonus=True)"])
def test_strengths_of_its_own(form: str) -> None:
    corpus = Corpus(["a b c d"], [[Reference(edits=(ORDER,))]])
    with pytest.raises(
        InputError, match="recall by type has strengths of its own; it takes m2 without level and bonus"
    ):
        score_by_type(corpus, {"h": ["a b c d"]}, [form])


def test_a_detail_that_there_is_not() -> None:
    corpus, form = Corpus(["a b c d"], [[Reference(edits=(ORDER,))]]), metric("m2")
    system = corpus.system("h", ["a b c d"])
    statistics = Evaluation.of(form, corpus, system).statistics
    with pytest.raises(InputError, match="m2: detail must be one of operation, category, full, not 'word'"):
        form.recall_by_type(corpus, system, statistics, "word")  # type: ignore[arg-type]
