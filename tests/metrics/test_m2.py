"""M² as its paper works it out, as its scorer prints it, and its options."""

from __future__ import annotations

import csv
import json
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Edit, InputError, Reference, load_corpus, load_systems, metric, score, score_by_type
from gecval.metrics.evaluation import Evaluation
from oracles import m2_types as oracle
from oracles.m2_paper import max_match_of_paper
from strategies import sentences

REFERENCE_FILES = {"NUCLE": "conll14/official-2014.combined.m2", "BN": "bryant-ng-2015/BN.m2"}


def counts(source: str, hypothesis: str, gold: tuple[Edit, ...], spelling: str = "m2") -> list[int]:
    corpus = Corpus([source], [[Reference(edits=gold)]])
    parts = score(corpus, [corpus.system("h", [hypothesis])], [metric(spelling)])[0].parts
    return [int(parts[name]) for name in ("correct", "proposed", "gold")]


def test_worked_example_of_the_paper() -> None:
    """§1: inserting "a" gives the same sentence as the gold edit word → {a word, words}."""
    gold = (Edit(4, 5, ("a word", "words")),)
    source = "Our baseline system feeds word into PB-SMT pipeline ."
    assert counts(source, "Our baseline system feeds a word into PB-SMT pipeline .", gold) == [1, 1, 1]
    assert counts(source, "Our baseline system feeds words into PB-SMT pipeline .", gold) == [1, 1, 1]
    assert counts(source, "Our baseline system feeds the word into PB-SMT pipeline .", gold) == [0, 1, 1]


def test_table_2_of_the_paper() -> None:
    """Two gold edits, with → to and ε → the, though a shortest diff joins them."""
    gold = (Edit(3, 4, ("to",)), Edit(4, 4, ("the",)))
    assert counts("development set similar with test set", "development set similar to the test set", gold) == [2, 2, 2]
    gold = (Edit(0, 0, ("The",)),)
    source = "Xinhua portion of the English Gigaword3"
    assert counts(source, "The xinhua portion of the English Gigaword3", gold) == [1, 2, 1]


def test_options_of_the_scorer(data: Path) -> None:
    """Spec m2.md §1.7: other values of max_unchanged and beta, and edits of case and blanks left out."""
    corpus = load_corpus(None, [data / REFERENCE_FILES["NUCLE"]])
    systems = load_systems([data / "conll14/systems" / name for name in ("AMU", "CUUI")], corpus)
    expected = {
        "m2(max_unchanged=0)": [(509, 1272, 0.3409), (623, 1556, 0.3569)],
        "m2(max_unchanged=1)": [(509, 1244, 0.3461), (623, None, 0.3637)],
        "m2(max_unchanged=3)": [(509, 1200, 0.3546), (623, None, 0.3701)],
        "m2(ignore_whitespace_casing=True)": [(507, 1220, 0.3495), (597, 1453, 0.3606)],
        "m2(beta=1.0)": [(508, 1225, 0.2829), (623, 1495, 0.3122)],
    }
    for spelling, rows in expected.items():
        for result, (correct, proposed, f) in zip(score(corpus, systems, [metric(spelling)]), rows, strict=True):
            assert result.parts["correct"] == correct
            assert proposed is None or result.parts["proposed"] == proposed
            assert result.score == pytest.approx(f, abs=5e-5)


@pytest.mark.parametrize("reference_set", REFERENCE_FILES)
def test_every_output_sentence_by_sentence(reference_set: str, data: Path, golden: Path) -> None:
    """13 outputs against the scorer: the triple of every annotator, the chosen triple, and the totals."""
    corpus = load_corpus(None, [data / REFERENCE_FILES[reference_set]])
    m2 = metric("m2")
    totals = {
        row["system"]: row
        for row in csv.DictReader((golden / "m2/m2_conll14_corpus.tsv").open(), delimiter="\t")
        if row["refset"] == reference_set
    }
    sentences: dict[str, list[dict[str, str]]] = {}
    for row in csv.DictReader((golden / "m2/m2_conll14_per_sentence.tsv").open(), delimiter="\t"):
        if row["refset"] == reference_set:
            sentences.setdefault(row["system"], []).append(row)
    systems = load_systems([data / "conll14/systems"], corpus)
    assert {system.name for system in systems} == set(totals)
    assert len(systems) == 13
    for system in systems:
        evaluation = Evaluation.of(m2, corpus, system)
        rows, slots = evaluation.statistics.rows, corpus.reference_slots
        chosen = rows[m2.rule.choose_rows(evaluation.statistics)]
        for i, row in enumerate(sentences[system.name]):
            expected = dict(triple.split(":") for triple in row["per_annotator(ann:c/p/g;...)"].split(";"))
            mine = ["/".join(str(int(n)) for n in triple) for triple in rows[slots[i] : slots[i + 1]]]
            assert mine == [expected[a] for a in sorted(expected, key=int)], (system.name, i)
            assert chosen[i].tolist() == [float(row[name]) for name in ("correct", "proposed", "gold")]
        parts, total = evaluation.parts(), totals[system.name]
        assert [parts[name] for name in ("correct", "proposed", "gold")] == [
            int(total[name]) for name in ("correct", "proposed", "gold")
        ]
        assert evaluation.score() == pytest.approx(float(total["F0.5"]), abs=1e-12)


PAPER_LATTICE = {"AMU": (485, 1199, 2354, 0.3392), "CAMB": (734, 1905, 2537, 0.3613), "CUUI": (608, 1474, 2496, 0.3622)}


def test_the_lattice_of_the_paper(data: Path) -> None:
    """By its definition CUUI is the best system on CoNLL-14, by the tool's CAMB. Every tenth sentence by the oracle."""
    corpus = load_corpus(None, [data / REFERENCE_FILES["NUCLE"]])
    m2 = metric("m2(lattice='paper')")
    for system in load_systems([data / "conll14/systems" / name for name in PAPER_LATTICE], corpus):
        evaluation = Evaluation.of(m2, corpus, system)
        *triple, f = PAPER_LATTICE[system.name]
        assert [evaluation.parts()[name] for name in ("correct", "proposed", "gold")] == triple
        assert evaluation.score() == pytest.approx(f, abs=5e-5)
        rows, slots = evaluation.statistics.rows, corpus.reference_slots
        for i in range(0, len(corpus), 10):
            golds = [
                [(edit.start, edit.end, list(edit.corrections)) for edit in reference.edits or ()]
                for reference in corpus.references[i]
            ]
            expected = max_match_of_paper(corpus.sources[i].split(), system.hypotheses[i].split(), golds)
            assert rows[slots[i] : slots[i + 1]].tolist() == [[float(n) for n in counts] for counts in expected]


def test_where_the_lattices_differ() -> None:
    gold = (Edit(1, 2, ("goes",)), Edit(2, 3, ("",)))
    texts = "He go to home now .", "He goes at home now .", gold
    assert counts(*texts) == counts(*texts, "m2(lattice='tool')") == [2, 3, 2]
    assert counts(*texts, "m2(lattice='paper')") == [1, 2, 2]


def test_recall_by_type_counts_what_the_lattice_of_the_paper_counts() -> None:
    """Gold edits that are out of order or equal: as many are made as the score counts."""
    gold = (Edit(2, 3, ("c",), "X"), Edit(0, 1, ("A",), "Y"), Edit(0, 1, ("A", "B"), "Y"))
    corpus = Corpus(["a b C"], [[Reference(edits=gold)]])
    system = corpus.system("h", ["A b c"])
    for spelling, made in {"m2": {"X": 0, "Y": 2}, "m2(lattice='paper')": {"X": 1, "Y": 1}}.items():
        m2 = metric(spelling)
        statistics = Evaluation.of(m2, corpus, system).statistics
        by_type = m2.recall_by_type(corpus, system, statistics)
        assert {kind: recall.correct for kind, recall in by_type.items()} == made
        assert statistics.rows[0, 0] == sum(made.values())


def test_a_signature_names_the_lattice_of_the_paper_only() -> None:
    assert "lattice" not in metric("m2").parameters()
    assert metric("m2(lattice='paper')").parameters()["lattice"] == "paper"
    assert repr(metric("m2(lattice='tool')")) == "m2"
    with pytest.raises(InputError, match=r"^m2: version 3\.2 is of the tool; the paper's lattice has none$"):
        metric("m2(lattice='paper', version='3.2')")


def test_a_sentence_left_alone_may_score_zero() -> None:
    """unchanged="zero" changes nothing else: not the counts, and not the score of a corpus with gold edits."""
    right, wrong = Reference(edits=()), Reference(edits=(Edit(1, 2, ("goes",)),))
    corpus = Corpus(["a b", "He go .", "He go ."], [[right], [wrong], [wrong]])
    system = corpus.system("h", ["a b", "He go .", "He goes ."])
    scored, zero = (Evaluation.of(metric(m), corpus, system) for m in ("m2", "m2(unchanged='zero')"))
    assert scored.sentence_scores().tolist() == [1, 0, 1]
    assert zero.sentence_scores().tolist() == [0, 0, 1]
    assert scored.score() == zero.score()
    assert scored.parts() == zero.parts()
    nothing = metric("m2(unchanged='zero')").parts(np.array([0.0, 0.0, 0.0]))
    assert nothing == {"precision": 0.0, "recall": 1.0, "correct": 0, "proposed": 0, "gold": 0}
    assert "unchanged" not in metric("m2").parameters()
    assert metric("m2(unchanged='zero')").parameters()["unchanged"] == "zero"
    with pytest.raises(InputError, match="m2: with bonus, a missed edit counts as proposed; leave out unchanged"):
        metric("m2(unchanged='zero', bonus=True)")


def test_no_proposals_and_no_gold() -> None:
    """P = 1 without proposals, R = 1 without gold edits."""
    m2 = metric("m2")
    assert m2.score(np.array([0.0, 0.0, 5.0])) == 0.0
    assert m2.parts(np.array([0.0, 0.0, 5.0]))["precision"] == 1.0
    assert m2.score(np.array([0.0, 0.0, 0.0])) == 1.0
    nothing = {"precision": 1.0, "recall": 1.0, "correct": 0, "proposed": 0, "gold": 0}
    assert m2.parts(np.array([0.0, 0.0, 0.0])) == nothing


def test_a_sentence_beyond_any_alignment_is_refused() -> None:
    long = [" ".join(f"{letter}{i}" for i in range(2100)) for letter in "sh"]
    with pytest.raises(InputError, match="m2 cannot score h: a sentence of 2100 words and its output of 2100 have too"):
        counts(*long, (), "m2(max_unchanged=1000)")


def test_a_gold_edit_that_stands_twice_counts_twice_and_is_noted() -> None:
    """As in the released scorer: one edit counts for every gold edit that it equals, so that P and F pass 1."""
    twice = (Edit(1, 2, ("goes", "went")), Edit(1, 2, ("goes",)))
    corpus = Corpus(["He go home ."], [[Reference(edits=twice)]])
    evaluation = Evaluation.of(metric("m2"), corpus, corpus.system("mine", ["He goes home ."]))
    assert evaluation.score() == pytest.approx(5 / 3)
    assert evaluation.parts() == {"precision": 2, "recall": 1, "correct": 2, "proposed": 1, "gold": 2}
    [note] = evaluation.statistics.notes
    assert note == "mine: 1 annotations repeat a gold edit, and count it more than once; see docs/metrics/m2.md"
    once = Corpus(["He go home ."], [[Reference(edits=twice[:1])]])
    assert Evaluation.of(metric("m2"), once, once.system("mine", ["He goes home ."])).statistics.notes == ()


@pytest.mark.parametrize(("words", "noted"), [((31, 63), False), ((2, 682), True)])
def test_a_lattice_of_more_than_2048_vertices_is_noted(words: tuple[int, int], noted: bool) -> None:
    """Without a common word there is a vertex for each pair of places: 32 · 64 = 2048, and 3 · 683 = 2049."""
    source, output = (" ".join(f"{count}-{i}" for i in range(count)) for count in words)
    corpus = Corpus([source], [[Reference(edits=(Edit(0, 1, ("x",)),))]])
    notes = Evaluation.of(metric("m2"), corpus, corpus.system("mine", [output])).statistics.notes
    expected = "mine: 1 sentences have over 2048 lattice vertices; see docs/metrics/m2.md"
    assert notes == ((expected,) if noted else ())


# M²'s recall by type of error: against the Estonian scorer's figures, a plain oracle, and by hand.


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
