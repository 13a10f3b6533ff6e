"""What a report shows: each part is that of the study which makes it, and edits are judged as they look."""

from __future__ import annotations

from dataclasses import replace
from math import isnan
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gecval
from gecval import Corpus, Edit, Reference, Resampling, compare_all, metric, score_by_type, undercorrection
from gecval.edits.matching import Status, distinct_outputs, judge_edits
from gecval.metrics.base import Statistics
from gecval.metrics.errant import _touches
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.m2 import M2
from gecval.sample import load_sample
from gecval.studies.report import study as overview_study
from gecval.studies.report.result import Overview
from gecval.studies.report.study import _pairs, commands, decisions, default_metrics, default_pairs, overview
from gecval.studies.report.verdicts import verdicts

QUICK = Resampling(50)
METRICS = ["m2", 'errant(model="plain")', "sari"]


@pytest.fixture(scope="module")
def seen() -> Overview:
    corpus, systems = load_sample()
    return overview(corpus, systems, METRICS, confidence=QUICK, deciding=2)


def test_scores_and_tests_are_those_of_compare_all(seen: Overview) -> None:
    corpus, systems = load_sample()
    pairs = compare_all(corpus, systems, METRICS, confidence=QUICK)
    assert seen.scores == pairs.scores
    assert seen.comparisons == pairs.comparisons
    assert seen.systems[0] == "thorough"
    assert list(seen.systems) == [score.system for score in pairs.scores if score.metric == "m2"]


def test_what_was_scored_before_is_taken_as_it_is(seen: Overview, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus, systems = load_sample()
    given_order = [seen.systems.index(system.name) for system in systems]
    kept = [[of_metric[place] for place in given_order] for of_metric in seen.material.evaluations]
    monkeypatch.setattr(M2, "statistics", lambda *_, **__: pytest.fail("scored again"))
    again = overview(corpus, systems, METRICS, confidence=QUICK, deciding=2, evaluations=kept)
    assert again.to_dict() == seen.to_dict()


def test_evaluations_of_something_else_are_refused(seen: Overview) -> None:
    corpus, systems = load_sample()
    kept = seen.material.evaluations  # from best to worst: not the order of the systems
    short = [[Evaluation(row.metric, row.statistics.take(np.array([0])), system=row.system) for row in kept[0]]]
    by_name = [[next(row for row in kept[0] if row.system == system.name) for system in systems]]
    for metrics, evaluations in ((METRICS, kept), (["gleu"], by_name), (["m2"], []), (["m2"], short)):
        with pytest.raises(gecval.InputError, match="not those of these metrics and systems") as refused:
            overview(corpus, systems, metrics, confidence=QUICK, evaluations=evaluations)
        assert refused.value.parameters == ("evaluations",)


def test_changes_are_those_of_undercorrection(seen: Overview) -> None:
    corpus, _ = load_sample()
    assert seen.changes == undercorrection(corpus, seen.material.systems)


def test_types_split_the_false_positives_of_score_by_type(seen: Overview) -> None:
    corpus, _ = load_sample()
    by_type = score_by_type(corpus, seen.material.systems, METRICS[1:2], detail="full", confidence=QUICK)
    rows = {(row.system, row.type): row for row in by_type.types}  # type: ignore[union-attr]
    assert seen.types is not None
    assert {(row.system, row.type) for row in seen.types} == set(rows)
    for row in seen.types:
        counts = rows[row.system, row.type]
        assert (row.right, row.wrong + row.unneeded, row.missed) == (counts.tp, counts.fp, counts.fn)
        assert (row.score, row.interval) == (counts.score, counts.interval)
        assert min(row.wrong, row.unneeded) >= 0
    assert sum(row.wrong for row in seen.types) > 10
    assert sum(row.unneeded for row in seen.types) > 10


def test_the_deciding_sentences_turn_the_verdict_around(seen: Overview) -> None:
    assert len(seen.deciding) == len(seen.material.influences) == 2 * len(METRICS)
    corpus, systems = load_sample()
    by_name = {system.name: system for system in systems}
    for pair, influence in zip(seen.deciding, seen.material.influences, strict=True):
        assert pair.difference > 0
        assert len(influence) == len(corpus)
        if pair.sentences is None:
            continue
        kept = [i for i in range(len(corpus)) if i + 1 not in pair.sentences]
        fewer = Corpus([corpus.sources[i] for i in kept], [corpus.references[i] for i in kept])
        outputs = {name: [by_name[name].hypotheses[i] for i in kept] for name in (pair.system, pair.baseline)}
        scores = {score.system: score.score for score in gecval.score(fewer, outputs, [pair.metric])}
        left = scores[pair.system] - scores[pair.baseline]
        assert left <= 0
        assert pair.difference_without == pytest.approx(left, abs=1e-12)


def test_pairs_that_are_looked_at_first() -> None:
    assert _pairs([0, 1, 2]) == [(0, 1), (0, 2), (1, 2)]
    # The report's first two are not the metric's own.
    assert _pairs([3, 2, 1, 0])[:3] == [(1, 0), (3, 2), (2, 0)]
    assert len(_pairs(list(range(7)))) == 21


def test_the_json_has_no_material(seen: Overview) -> None:
    assert "material" not in seen.to_dict()
    assert seen.to_dict()["schema"] == "gecval.overview/1"
    assert "By type of error" in str(seen)


def test_equal_outputs_are_one() -> None:
    corpus, systems = load_sample()
    outputs = distinct_outputs([*systems, systems[0]])
    assert (outputs.of[:, 0] == outputs.of[:, -1]).all()
    for i in range(len(corpus)):
        texts = [system.hypotheses[i] for system in systems]
        assert [outputs.texts[u] for u in outputs.of[i, :-1]] == texts
        assert len(set(outputs.of[i].tolist())) == len(set(texts))
    assert (np.diff(outputs.sentence) >= 0).all()
    first = outputs.first_systems()
    assert [systems[first[u]].hypotheses[outputs.sentence[u]] for u in range(len(first))] == list(outputs.texts)


edits = st.builds(
    lambda start, length, word: Edit(start, start + length, (word,)),
    st.integers(0, 4), st.integers(0, 2), st.sampled_from("ab"),
)  # fmt: skip


@given(st.lists(edits, max_size=4, unique=True), st.lists(st.lists(edits, max_size=4, unique=True), max_size=3))
def test_edits_are_judged_by_what_references_have(proposed: list[Edit], golds: list[list[Edit]]) -> None:
    def places(edit: Edit) -> set[float]:
        """Gaps are whole numbers, words lie between them. An insertion is a gap, a span has the gaps within too."""
        inner = range(2 * edit.start + 1, 2 * edit.end)
        return {place / 2 for place in inner} or {edit.start}

    output = judge_edits(proposed, golds)
    for edit, seen in zip(proposed, output.edits, strict=True):
        assert seen.edit is edit
        assert seen.agree == sum(edit in gold for gold in golds)
        inside = any(places(edit) & places(other) for gold in golds for other in gold)
        expected = Status.RIGHT if seen.agree else Status.WRONG if inside else Status.UNNEEDED
        assert seen.status == expected
    if golds:
        hits = [sum(edit in gold for edit in proposed) for gold in golds]
        assert hits[output.reference] == max(hits)
        gold = golds[output.reference]
        assert [gold[number] for number in output.missed] == [edit for edit in gold if edit not in proposed]


def test_verdicts_say_who_is_better_and_who_cannot_be_told_apart() -> None:
    corpus = Corpus.from_texts([f"a{i}" for i in range(40)], [[f"b{i}"] for i in range(40)], language="en")
    good = [f"b{i}" for i in range(40)]
    half = [*good[:20], *corpus.sources[20:]]
    other = [*corpus.sources[:20], *good[20:]]

    def said(**systems: list[str]) -> list[str]:
        pairs = compare_all(corpus, systems, ["accuracy"], confidence=Resampling(200))
        return list(verdicts(pairs.scores, pairs.comparisons, len(corpus)))

    assert said(good=good, half=half) == ["good is better than half under accuracy (p < .001)."]
    assert said(half=half, other=other) == ["accuracy cannot tell half and other apart (p = 1)."]
    assert said(good=good, half=half, other=other) == ["good is better than all others under accuracy (p < .001)."]
    copy = list(corpus.sources)
    assert said(half=half, other=other, copy=copy) == ["accuracy puts half first, but cannot tell it from other."]


def test_outputs_that_bring_their_edits_are_judged_by_these() -> None:
    """Two systems with the same text have other edits. No extractor is asked, and gold keeps its own edits."""
    gold = [[Reference(edits=(Edit(0, 1, ("x",), "Odd"), Edit(1, 2, ("y",), "Odd")))]]
    corpus = Corpus(["a b c"], gold)
    apart = corpus.system("apart", ["x y c"], edits=[(Edit(0, 1, ("x",), "Odd"), Edit(1, 2, ("y",), "Odd"))])
    joined = corpus.system("joined", ["x y c"], edits=[(Edit(0, 2, ("x y",), "Odd"), Edit(2, 3, ("c",), "UNK"))])
    seen = overview(corpus, [apart, joined], ["errant"], confidence=Resampling(20))
    assert seen.systems == ("apart", "joined")
    assert seen.material.outputs.of.tolist() == [[0, 1]]
    statuses = [[edit.status.name for edit in output.edits] for output in seen.material.judged]
    assert statuses == [["RIGHT", "RIGHT"], ["WRONG"]]
    assert [output.missed for output in seen.material.judged] == [(), (0, 1)]
    assert seen.material.corpus.references == gold
    # As text, both have the same output, and edits are found.
    texts = overview(corpus, {"apart": ["x y c"], "joined": ["x y c"]}, ["m2"], edits="plain")
    assert texts.material.outputs.of.tolist() == [[0, 0]]


def test_one_system_is_not_compared() -> None:
    corpus = Corpus.from_texts(["a b", "c d", "e f"], [["a x"], ["c y"], ["e z"]])
    seen = overview(corpus, {"mine": ["a x", "c d", "e f"]}, ["accuracy"], confidence=QUICK, edits="plain")
    [score] = seen.scores
    assert (score.score, score.interval is None, score.level) == (pytest.approx(1 / 3), False, 0.95)
    assert (seen.comparisons, seen.deciding, seen.material.outputs.of.tolist()) == ((), (), [[0], [1], [2]])
    assert seen.commands[0].endswith("-m accuracy --ci --resamples 50")
    assert (seen.changes is None, seen.coverage) == (False, None)
    assert not any("left out" in note for note in seen.notes)  # where all have one, none was left out by the file
    assert seen.material.corpus.extractor == "plain"


@pytest.mark.parametrize("name", ["accuracy", "min-ld"])
def test_one_sentence_is_not_compared_but_ranked(name: str) -> None:
    corpus = Corpus.from_texts(["a b"], [["a x", "a y"]])
    outputs = {"wrong": ["q r"], "right": ["a x"], "near": ["a b"]}
    seen = overview(corpus, outputs, [name], confidence=QUICK, edits="plain")
    assert seen.systems[0] == "right"
    assert [score.interval for score in seen.scores] == [None] * 3
    assert name == "accuracy" or seen.systems == ("right", "near", "wrong")
    assert seen.comparisons == ()
    assert seen.coverage is not None


def test_two_sentences_are_compared() -> None:
    corpus = Corpus.from_texts(["a b", "c d"], [["a x", "a y"], ["c y"]])
    seen = overview(corpus, {"a": ["a x", "c d"], "b": ["a b", "c d"]}, ["accuracy"], confidence=QUICK)
    assert [(pair.system, pair.baseline) for pair in seen.comparisons] == [("a", "b")]
    assert seen.coverage is None
    assert seen.notes[-1].startswith("what the references hide is left out: 1 of 2 sentences have one reference. Where")


def test_how_many_pairs_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [default_pairs(size) for size in (300, 301, 2000, 2001)] == [10, 2, 2, 1]
    corpus, systems = load_sample()
    monkeypatch.setattr(overview_study, "default_pairs", lambda sentences: sentences // 36)
    seen = overview(corpus, systems, ["accuracy"], confidence=QUICK, edits="plain")
    assert len(seen.deciding) == 2


@pytest.mark.parametrize(("size", "pairs"), [(3000, 1), (3001, 0)])
def test_draws_of_references_take_too_long_for_many_sentences(
    size: int, pairs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    smallest = SimpleNamespace(difference=0.5, sentences=(4,), of=9, difference_without=-0.5, at_least=1)
    monkeypatch.setattr(overview_study, "deciding_set", lambda *_: smallest)
    monkeypatch.setattr(overview_study, "influences", lambda *_: np.zeros(2))
    rows = Statistics.one_per_sentence(np.zeros((size, 9)))
    for name, expected in (("gleu", pairs), ("m2", 1)):
        evaluations = [Evaluation(metric(name), rows, system=system) for system in "AB"]
        made = list(decisions(evaluations, [1, 0], 1))
        assert [(pair.system, pair.baseline, pair.sentences) for pair, _ in made] == [("B", "A", (5,))] * expected


def test_commands_that_print_the_tables_again() -> None:
    how = Resampling(50, seed=2)
    asked = {"aggregate": "mean", "judging": "--tokenize char", "references": 2}
    drawn = "--resamples 50 --seed 2"
    assert commands("", [metric("m2"), metric("errant")], how, **asked) == [
        f"gecval score {FILES} --tokenize char -m m2 -m errant --aggregate mean --clusters {drawn}",
        f"gecval compare {FILES} --tokenize char -m m2 -m errant --aggregate mean --all-pairs {drawn}",
        f"gecval score {FILES} --tokenize char -m errant --by-type --detail full --ci {drawn}",
        f"gecval coverage undercorrection {FILES}",
        f"gecval coverage {FILES}",
    ]
    assert commands("a -s s", [metric("m2")], Resampling()) == [
        "gecval score a -s s -m m2 --clusters",
        "gecval compare a -s s -m m2 --all-pairs",
        "gecval coverage undercorrection a -s s",
    ]


FILES = "SYSTEM... -s SOURCE -r REFERENCE"


def test_default_metrics_where_edits_are_given() -> None:
    """In a language that ERRANT does not know, it is among the metrics only where all edits are given."""
    edit = (Edit(0, 1, ("x",)),)
    corpus = Corpus(["a b"], [[Reference(edits=edit)]], language="uk")
    given, text = corpus.system("given", ["x b"], edits=[edit]), corpus.system("text", ["x b"])
    for systems, errant in (([given], True), ([given, text], False), ([], False)):
        assert [item.name for item in default_metrics(corpus, systems)] == [
            "m2",
            *(["errant"] if errant else []),
            "gleu",
        ]
    plain = Corpus.from_texts(["a b"], [["x b"]], language="uk")
    assert [item.name for item in default_metrics(plain, [given])] == ["m2", "gleu"]
    assert distinct_outputs([given, text]).edits is None
    with pytest.raises(gecval.InputError, match="without references, metrics must be named that need none"):
        default_metrics(Corpus.from_texts(["a b"]))


def test_statuses_are_numbers_that_the_page_knows() -> None:
    assert [(status.name, status.value) for status in Status] == [("RIGHT", 0), ("WRONG", 1), ("UNNEEDED", 2)]


def test_of_equally_close_references_the_one_with_fewest_missed() -> None:
    edits = [Edit(number, number + 1, ("x",)) for number in range(4)]
    output = judge_edits(edits[:1], [edits[:3], edits[:2], [edits[0], edits[3]]])
    assert (output.reference, output.missed) == (1, (1,))
    nothing = judge_edits(edits[:1], [])
    assert (nothing.reference, nothing.missed, nothing.edits[0].status) == (0, (), Status.UNNEEDED)


@pytest.mark.parametrize(
    ("key", "gold", "touches"),
    [
        ((1, 2, "x"), [(2, 3, "y")], False),
        ((2, 3, "x"), [(1, 2, "y")], False),
        ((1, 3, "x"), [(2, 3, "y")], True),
        ((2, 2, "x"), [(2, 2, "y")], True),
        ((2, 2, "x"), [(2, 3, "y")], False),
        ((2, 2, "x"), [(1, 3, "y")], True),
        ((1, 2, "x"), [(5, 6, "y"), (1, 2, "z")], True),
        (3, [4], False),
        (3, [2], False),
        (3, [9, 3], True),
        (3, [], False),
    ],
)
def test_false_positives_that_touch_gold(key: object, gold: list[object], touches: bool) -> None:
    assert _touches(key, dict.fromkeys(gold, ())) is touches


def test_for_a_page_all_is_the_same_but_the_p_of_swaps() -> None:
    corpus = Corpus.from_texts([f"a{i} b" for i in range(30)], [[f"a{i} c", f"a{i} d"] for i in range(30)])
    outputs = {name: [f"a{i} {'c' if i % k else 'b'}" for i in range(30)] for name, k in (("x", 2), ("y", 3), ("z", 7))}
    how: dict[str, Any] = {"edits": "plain", "confidence": QUICK}
    whole, page = (overview(corpus, outputs, ["m2", "gleu"], **how, for_page=for_page) for for_page in (False, True))
    assert all(isnan(pair.p_randomisation) for pair in page.comparisons)
    again = [
        replace(pair, p_randomisation=same.p_randomisation)
        for pair, same in zip(page.comparisons, whole.comparisons, strict=True)
    ]
    assert again == list(whole.comparisons)
    assert (page.scores, page.verdict, page.deciding, page.changes) == (
        whole.scores,
        whole.verdict,
        whole.deciding,
        whole.changes,
    )
