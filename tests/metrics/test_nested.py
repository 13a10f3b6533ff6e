"""Edits within edits: Estonian's rule, and the note where it is not asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Edit, InputError, Reference, load_corpus, load_systems, metric, score
from gecval.metrics.m2 import split_annotators, split_nested

ORDER, VERB, BEFORE = Edit(1, 3, ("c b",), "R:WO"), Edit(2, 3, ("C",), "R:VERB"), Edit(0, 1, ("A",), "R:LEX")
EDITS = st.lists(
    st.builds(
        lambda start, length, kind: Edit(start, start + length, ("x",), kind),
        st.integers(0, 4),
        st.integers(0, 3),
        st.sampled_from(["R:WO", "R:VERB", "R:LEX:WO"]),
    ),
    max_size=5,
)


@given(EDITS)
def test_two_annotations_for_each_word_order_edit_with_others_inside(edits: list[Edit]) -> None:
    expected = []
    for i, order in enumerate(edits):
        places = range(order.start, order.end + 1)
        inside = {k for k, e in enumerate(edits) if e.type != "R:WO" and e.start in places and e.end in places}
        if order.type == "R:WO" and inside:
            expected += [
                [e for k, e in enumerate(edits) if k not in inside],
                [e for k, e in enumerate(edits) if k != i],
            ]
    assert [list(made) for made in split_nested(edits)] == expected


def corpus_of(*edits: Edit) -> Corpus:
    return Corpus(["a b c d"], [[Reference(edits=edits, annotator="0"), Reference(edits=(), annotator="1")]])


def test_a_perfect_output_scores_1_under_the_rule_and_a_note_says_why_not_without_it() -> None:
    corpus = corpus_of(BEFORE, ORDER, VERB)
    made = split_annotators(corpus).references[0]
    assert [(reference.annotator, reference.edits) for reference in made[2:]] == [
        ("2", (BEFORE, ORDER)),
        ("3", (BEFORE, VERB)),
    ]
    outputs = {"order": ["A c b d"], "verb": ["A b C d"]}
    for result in score(corpus, outputs, ['m2(nested="estgec")']):
        assert (result.score, result.notes, "|nested:estgec|" in result.signature) == (1.0, (), True)
    for result in score(corpus, outputs, ["m2"]):
        assert result.parts["recall"] == 2 / 3
        assert "nested" not in result.signature
        assert result.notes[0] == (
            "1 annotations have a word-order edit (R:WO) over other edits (sentences 1): no output can make both, so a "
            'perfect one does not score 1; the official rule for Estonian is m2(nested="estgec")'
        )
    [result] = score(corpus_of(BEFORE, ORDER), outputs | {"verb": ["A c b d"]}, ["m2"]).scores[:1]
    assert (result.score, result.notes) == (1.0, ())


def test_an_insertion_beside_a_change_of_order_clashes_with_nothing() -> None:
    """The rule takes it for contained, but an output can make both, and scores 1 without the rule."""
    corpus = corpus_of(ORDER, Edit(3, 3, ("x",), "M:OTHER"))
    [result] = score(corpus, {"perfect": ["a c b x d"]}, ["m2"])
    assert (result.score, result.notes) == (1.0, ())


def test_two_word_order_edits_over_others_are_one_too_many_for_the_rule() -> None:
    """It divides one at a time. A note says so, and where; a perfect output loses an edit."""
    first, second = (Edit(0, 2, ("b a",), "R:WO"), Edit(0, 1, ("A",), "R:LEX")), (ORDER, VERB)
    moved = tuple(Edit(e.start + 2, e.end + 2, e.corrections, e.type) for e in second)
    corpus = Corpus(["a b", "a b c d e f"], [[Reference(edits=first)], [Reference(edits=(*first, *moved))]])
    [result] = score(corpus, {"order": ["b a", "b a c c b f"]}, ['m2(nested="estgec")'])
    assert (result.parts["correct"], result.parts["gold"]) == (3, 4)
    assert result.notes == (
        "1 annotations have several word-order edits (R:WO) over other edits (sentences 2): "
        'nested="estgec" divides one of them at a time, so a perfect output does not score 1',
    )


@pytest.mark.parametrize(
    ("sentences", "annotators", "named"), [(6, 1, "1, 2, 3, 4, 5, …"), (5, 1, "1, 2, 3, 4, 5"), (3, 2, "1, 2, 3")]
)
def test_six_sentences_are_more_than_a_note_names(sentences: int, annotators: int, named: str) -> None:
    corpus = Corpus(["a b c d"] * sentences, [[Reference(edits=(ORDER, VERB))] * annotators] * sentences)
    [result] = score(corpus, {"x": ["a b c d"] * sentences}, ["m2"])
    assert result.notes[0].startswith(
        f"{sentences * annotators} annotations have a word-order edit (R:WO) over other edits (sentences {named}): "
    )


def test_refusals() -> None:
    with pytest.raises(InputError, match="m2: nested must be one of kept, estgec, not 'split'"):
        metric('m2(nested="split")')
    with pytest.raises(InputError, match=r"m2: version must be one of head, 3\.2, not '3'"):
        metric('m2(version="3")')
    with pytest.raises(InputError, match=r"m2: version 3\.2 of the scorer has no level but correction"):
        metric('m2(version="3.2", level="detection")')
    with pytest.raises(InputError, match="weighted: m2 takes beta and max_unchanged, and no other parameter"):
        metric('weighted(m2(nested="estgec"), by="words")')
    with pytest.raises(InputError, match="weighted: m2 takes beta and max_unchanged, and no other parameter"):
        metric('weighted(m2(version="3.2"), by="words")')
    with pytest.raises(InputError, match="weighted: m2 takes beta and max_unchanged, and no other parameter"):
        metric('weighted(m2(unchanged="zero"), by="words")')


@pytest.mark.parametrize(
    ("version", "name"),
    [("3.2", "official Estonian scorer"), ("head", "the same with HEAD row 0")],
)
def test_the_estonian_scorer(data: Path, golden: Path, version: str, name: str) -> None:
    """The official scorer has row 0 of version 3.2 of the M2 scorer."""
    corpus = load_corpus(None, [data / "multi/et/estgec-l2/source_gold_test.txt"])
    system = load_systems([data / "multi/et/systems/nelb.tok"], corpus)
    [result] = score(corpus, system, [f'm2(nested="estgec", version="{version}")'])
    row = json.loads((golden / "multi/m2/others.json").read_text())["scores"]
    figures = {"p": result.parts["precision"], "r": result.parts["recall"], "f0.5": result.score}
    assert {part: round(figure, 4) for part, figure in figures.items()} == row[f"et-nelb {name}, max_unchanged 2"]
    assert ("|version:3.2|" in result.signature) == (version == "3.2")


def test_the_preset_is_the_estonian_scorer(data: Path) -> None:
    """Its own figures need max_unchanged=15; the published ones above are with 2."""
    corpus = load_corpus(None, [data / "multi/et/estgec-l2/source_gold_test.txt"], preset="estgec")
    system = load_systems([data / "multi/et/systems/nelb.tok"], corpus)
    [preset] = score(corpus, system, preset="estgec")
    [named] = score(corpus, system, ['m2(nested="estgec", max_unchanged=15, version="3.2")'])
    assert (preset.score, preset.signature) == (named.score, named.signature)
    assert (preset.parts["correct"], preset.parts["proposed"], preset.parts["gold"]) == (2152, 3050, 3888)
    assert "52 annotations have several word-order edits (R:WO) over other edits" in preset.notes[0]


def test_edits_of_a_file_are_looked_at_too(tmp_path: Path) -> None:
    line = "A {} {}|||{}|||{}|||REQUIRED|||-NONE-|||0\n"
    path = tmp_path / "gold.m2"
    lines = [line.format(e.start, e.end, e.type, e.correction) for e in (ORDER, VERB)]
    path.write_text("S a b c d\n" + "".join(lines) + "\n")
    [result] = score(load_corpus(None, [path]), {"x": ["a b c d"]}, ["m2"])
    assert result.notes[0].startswith("1 annotations have a word-order edit (R:WO) over other edits (sentences 1)")
