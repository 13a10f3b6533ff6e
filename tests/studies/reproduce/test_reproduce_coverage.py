"""The tables of the low-coverage paper: which number of which study stands beside which published one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gecval import Corpus, Edit, Interval, Reference, load_sample, score
from gecval.errors import MissingExtraError
from gecval.runtime.run import HERE, Run
from gecval.stats import Resampling
from gecval.studies.coverage.perfect_system import Simulation
from gecval.studies.coverage.result import Coverage, PerfectScore, Threshold
from gecval.studies.reproduce import coverage
from gecval.studies.reproduce import coverage as less
from gecval.studies.reproduce.result import Figure, PaperTable
from gecval.studies.undercorrection.reranking import Reranked
from gecval.studies.undercorrection.study import Changes, FrequencyCorrelation, TypeRatio

PUBLISHED, OURS, INDEX = 1000, 2000, 3000


def named(dataset: str, file: str) -> str:
    return f"{dataset}/{file}"


def cells(table: PaperTable, column: str) -> dict[str, tuple[float | None, float | None]]:
    return {label: (row[column].published, row[column].ours) for label, row in table.rows.items()}


# Accuracy


def curve(histograms: Sequence[int], *, counts: Sequence[int] = ()) -> list[Coverage]:
    """A curve whose values say whose they are, and of how many references."""
    [base] = histograms
    assert counts == ([7] if base == OURS else ())
    return [
        Coverage(
            references=m,
            with_replacement=base + m**2,
            interval=Interval(base + m, base + 2 * m),
            without_replacement=base + m / 4,
            observed=base + m / 2,
        )
        for m in range(1, 21)
    ]


def test_accuracy_by_number_of_references(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "coverage_curve", curve)
    table = coverage._accuracy([PUBLISHED], [SimpleNamespace(histogram=OURS, counts=7)], [INDEX])
    assert {label: row["score"] for label, row in table.rows.items()} == {
        "accuracy, M = 20, published histograms": Figure(published=0.5, ours=1400, interval=Interval(1020, 1040)),
        "accuracy, M = 20": Figure(published=0.5, ours=2400, interval=Interval(2020, 2040)),
        "accuracy, M = 20, observed": Figure(published=0.5, ours=2010),
        "accuracy, M = 2": Figure(ours=2004, interval=Interval(2002, 2004)),
        "accuracy, M = 2, observed": Figure(ours=2001),
        "slope of accuracy, M = 20": Figure(published=0.004, ours=20**2 - 19**2),
        "accuracy, M = 10, different references": Figure(published=0.47, ours=2002.5),
        "exact index match, M = 10": Figure(published=0.54, ours=3100, interval=Interval(3010, 3020)),
    }
    assert table.chart is not None
    drawn = {line.name: (line.points[1].x, line.points[1].y, line.points[1].interval) for line in table.chart.curves}
    assert drawn == {
        "published histograms": (2, 1004, Interval(1002, 1004)),
        "our estimates": (2, 2004, Interval(2002, 2004)),
        "exact index match": (2, 3004, Interval(3002, 3004)),
    }


def test_estimates_from_published_histograms_and_from_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def estimate(corrections: str, unit: str = "exact", *, run: Run) -> list[SimpleNamespace]:
        return [SimpleNamespace(histogram=f"{corrections} {unit}")]

    def thresholds(histograms: list[str]) -> list[Threshold]:
        [whose] = histograms
        size = {"read a": 100.0, "ibgec/gec_corrections.tsv exact": 200.0, "ibgec/simplifications.tsv exact": 300.0}
        return [Threshold(frequency=f, variants=size[whose] + f, mass=-f) for f in (0.0, 0.001, 0.01, 0.1)]

    files = {("ibgec", "histograms/*_exact_output_hist.txt"): {"A": "a"}}
    monkeypatch.setattr(coverage, "dataset_files", lambda *given: files[given])
    monkeypatch.setattr(coverage, "dataset_file", named)
    monkeypatch.setattr(coverage, "read_corrections", lambda path: path)
    monkeypatch.setattr(coverage, "published_histogram", lambda path: f"read {path}")
    monkeypatch.setattr(coverage, "estimate", estimate)
    monkeypatch.setattr(coverage, "thresholds", thresholds)
    monkeypatch.setattr(coverage, "_accuracy", lambda *given: given)
    published, ours, simplified, accuracy = coverage.parts()["estimates"](HERE)
    table_1 = {"γ = 0": 1351.24, "γ = 0.001": 74.34, "γ = 0.01": 8.72, "γ = 0.1": 1.35}
    gamma = {"γ = 0": 0.0, "γ = 0.001": 0.001, "γ = 0.01": 0.01, "γ = 0.1": 0.1}
    assert cells(published, "variants") == {label: (table_1[label], 100 + f) for label, f in gamma.items()}
    assert cells(ours, "variants") == {label: (table_1[label], 200 + f) for label, f in gamma.items()}
    assert cells(simplified, "variants")["γ = 0.001"] == (111.19, 300.001)
    assert cells(simplified, "mass") == {
        label: (known, -f) for (label, f), known in zip(gamma.items(), (1.0, 0.42, 0.14, 0.02), strict=True)
    }
    assert [table.title for table in (published, ours, simplified)] == [
        "Table 1, from the 48 published histograms",
        "Table 1, from our estimates",
        "Table 4, from our estimates",
    ]
    histograms, estimates, index = accuracy
    assert (histograms, index) == (["read a"], ["ibgec/gec_corrections.tsv index"])
    assert [sentence.histogram for sentence in estimates] == ["ibgec/gec_corrections.tsv exact"]


# Perfect systems


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What perfect systems are scored; the n-th has n.M points with M references."""
    listed: list[tuple[Any, ...]] = []

    def perfect_scores(
        simulation: Simulation, metric: Any, references: Sequence[int], run: Run, **how: Any
    ) -> list[Any]:
        drawn = (simulation.corrections, simulation.cut, simulation.replacement, simulation.correct)
        listed.append((*drawn, metric.name, tuple(references), how))
        n = len(listed)
        return [
            PerfectScore(metric="x", references=m, score=n + m / 100, interval=Interval(n, n + m), signature="")
            for m in references
        ]

    monkeypatch.setattr(coverage, "perfect_scores", perfect_scores)
    monkeypatch.setattr(coverage, "Simulation", lambda **given: SimpleNamespace(**(SIMULATION | given)))
    monkeypatch.setattr(coverage, "dataset_file", named)
    monkeypatch.setattr(coverage, "read_corrections", lambda path: path)
    return listed


SIMULATION = {"cut": "plain", "replacement": True, "correct": 136}
ALL = (1, 2, 5, 10, 20)


def test_perfect_scores(asked: list[tuple[Any, ...]]) -> None:
    [table] = coverage.parts()["perfect system"](HERE)
    corrections = "ibgec/gec_corrections.tsv"
    assert asked == [
        (corrections, "matching", True, 136, "m2", ALL, {"aggregate": "corpus"}),
        (corrections, "plain", True, 136, "m2", ALL, {"aggregate": "corpus"}),
        (corrections, "matching", False, 136, "m2", ALL, {"aggregate": "corpus"}),
        (corrections, "plain", True, 136, "gleu", ALL, {"aggregate": "mean"}),
    ]
    assert len(table.rows) == 20
    names = [
        "F0.5, edits by word matching",
        "F0.5, edits by plain rules",
        "F0.5, by matching, each person once",
        "GLEU, mean over sentences",
    ]
    for n, name in enumerate(names, start=1):
        for m in ALL:
            known = (0.42, 0.4, 0.433) if m == 2 and n < 4 else (None, None, None)
            row = [(figure.published, figure.ours) for figure in table.rows[f"{name}, M = {m}"].values()]
            assert row == list(zip(known, (n + m / 100, n, n + m), strict=True))
    assert table.chart is not None
    assert [line.name for line in table.chart.curves][3] == "GLEU, mean over sentences"
    assert table.chart.curves[3].points[1].y == 4.02


def test_perfect_simplification(asked: list[tuple[Any, ...]]) -> None:
    [table] = coverage.parts()["perfect simplification"](HERE)
    how = ("ibgec/simplifications.tsv", "plain", True, 0)
    assert asked == [
        (*how, "sari", ALL, {"lucky": False}),
        (*how, "max-sari", ALL, {"lucky": False}),
        (*how, "sari", ALL, {"lucky": True}),
    ]
    assert list(table.rows) == [f"M = {m}" for m in ALL]
    assert table.rows["M = 5"] == {
        "SARI": Figure(published=0.45, ours=1.05, interval=Interval(1, 6)),
        "MAX-SARI": Figure(ours=2.05, interval=Interval(2, 7)),
        "SARI, lucky": Figure(ours=3.05, interval=Interval(3, 8)),
    }


def test_systems_beside_a_perfect_one(asked: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch) -> None:
    """RoRo's output lacks capitals, and gets those of the source; from worst to best, and the perfect one last."""
    corpus, outputs = load_sample()
    best = next(output for output in outputs if output.name == "thorough")
    pairs = zip(corpus.sources, best.hypotheses, strict=True)
    lower = corpus.system("RoRo", [text.lower()[:1] + text[1:] if s[:1].isupper() else text for s, text in pairs])
    folders = {
        ("conll14", "systems"): [corpus.system("AMU", [text.lower() for text in corpus.sources])],
        ("conll14", "systems-later"): [lower, *(output for output in outputs if output.name != "thorough")],
    }
    monkeypatch.setattr(coverage, "load_two_references", lambda: corpus)
    monkeypatch.setattr(coverage, "load_outputs", lambda *given: folders[given[:2]] if given[2] is corpus else None)
    [table] = coverage.parts()["systems"](HERE)
    assert [(row[4:6]) for row in asked] == [("m2", (2,))]
    [expected] = score(corpus, [best], ["m2"], resampling=Resampling())
    assert expected.interval is not None
    assert table.rows["RoRo"] == {
        "score": Figure(ours=expected.score),
        "low": Figure(published=0.431, ours=expected.interval.low),
        "high": Figure(published=0.479, ours=expected.interval.high),
    }
    assert table.rows["AMU"]["low"].published == 0.327
    assert table.rows[outputs[-1].name]["high"].published is None
    *systems, (last, perfect) = table.rows.items()
    scores = [row["score"].ours or 0 for _, row in systems]
    assert scores == sorted(scores)
    assert len(set(scores)) > 2
    assert last == "perfect (edits by matching)"
    assert perfect["score"] == Figure(ours=1.02)
    assert (perfect["low"], perfect["high"]) == (Figure(published=0.4, ours=1), Figure(published=0.433, ours=3))


def test_capitals_at_the_start_are_those_of_the_source() -> None:
    corpus = Corpus.from_texts(["He go", "it is", "I", "Well"], [["x"]] * 4)
    made = coverage._recased(corpus, corpus.system("mine", ["he Goes", "it Was", "", "Well"]))
    assert (made.name, made.hypotheses) == ("mine", ["He Goes", "it Was", "", "Well"])


def test_parts_on_under_correction_are_those_of_their_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(less.UNDERCORRECTION_PARTS, "changes", lambda run: "a table")
    assert list(coverage.parts())[4:] == [
        "changes", "re-ranked simplifications", "re-ranked systems", "types of errors",
    ]  # fmt: skip
    assert coverage.parts()["changes"](HERE) == ["a table"]


# Under-correction


def test_the_first_annotator_and_sixteen_outputs(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECVAL_DATA", str(data))
    corpus, systems = less._first_annotator()
    assert (len(corpus), corpus.reference_count, len(systems)) == (1312, "1", 16)
    assert [system.name for system in systems][-3:] == ["JMGR", "RoRo", "char"]


def changed(name: str, large: int, mean: float, reordered: float, split: int, joined: int) -> Changes:
    tally = (5, 3, 2, 0, 0, 1, large, 0, 0, 0, 0)
    return Changes(
        corrector=name, word_changes=mean, sentences=tally, order=1.0, below=(0.0, reordered), split=split,
        joined=joined,
    )  # fmt: skip


def test_changes_by_people_and_the_most_of_any_system(monkeypatch: pytest.MonkeyPatch) -> None:
    people = changed("(reference)", 40, 2.5, 0.3, 20, 10)
    systems = [changed("a", 4, 1.5, 0.2, 3, 7), changed("b", 6, 1.25, 0.1, 5, 2)]
    monkeypatch.setattr(less, "_first_annotator", lambda: ("corpus", "systems"))
    compared = {("corpus", "systems"): [people, *systems]}
    monkeypatch.setattr(less, "undercorrection", lambda *given, run: compared[given])
    table = less._changes(HERE)
    assert cells(table, "value") == {
        "sentences with 6 words changed: reference": (36, 40),
        "sentences with 6 words changed: most of any system": (5, 6),
        "words changed a sentence: reference": (None, 2.5),
        "words changed a sentence: most of any system": (None, 1.5),
        "sentences reordered: reference": (None, 0.3),
        "sentences reordered: most of any system": (None, 0.2),
        "sentences split: reference": (None, 20),
        "sentences split: most of any system": (None, 5),
        "sentences joined: reference": (None, 10),
        "sentences joined: most of any system": (None, 7),
    }
    assert table.chart is not None
    assert [(line.name, line.people) for line in table.chart.curves] == [
        ("(reference)", True), ("a", False), ("b", False),
    ]  # fmt: skip
    of_a = table.chart.curves[1].points
    assert [(point.x, point.y) for point in of_a] == [
        (1, 10), (2, 7), (3, 5), (4, 5), (5, 5), (6, 4), (7, 0), (8, 0), (9, 0), (10, 0),
    ]  # fmt: skip


def choice(references: int, base: float = 0.0) -> Reranked:
    unchanged = (base + 10 * references, *[0.0] * 10)
    return Reranked(
        references=references, score=base + references / 4, word_changes=base + references, sentences=unchanged,
        gained=unchanged,
    )  # fmt: skip


def test_re_ranked_simplifications(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = SimpleNamespace(system=lambda name, texts: (name, texts))
    turkers = [f"turkcorpus/test.8turkers.tok.turk.{k}" for k in range(8)]
    names = [f"result_NTS_epoch11_10.19.t7_12_h{k}" for k in range(1, 13)]

    def load_corpus(source: str, references: list[str]) -> SimpleNamespace:
        assert (source, references) == ("turkcorpus/test.8turkers.tok.norm", turkers)
        return corpus

    def rerank(given: object, candidates: list[tuple[str, str]], metric: str, *, run: Run) -> list[Reranked]:
        assert (given, metric) == (corpus, "max-sari")
        assert candidates == [(name, f"read turkcorpus/nts-12best/{name}") for name in names]
        return [choice(1), choice(2), choice(8)]

    monkeypatch.setattr(less, "dataset_file", named)
    monkeypatch.setattr(less, "load_corpus", load_corpus)
    monkeypatch.setattr(less, "read_sentences", lambda path: f"read {path}")
    monkeypatch.setattr(less, "rerank", rerank)
    table = less._simplified_changes(HERE)
    assert cells(table, "unchanged") == {"M = 1": (50, 10), "M = 2": (None, 20), "M = 8": (29, 80)}
    assert cells(table, "words changed")["M = 8"] == (None, 8)
    assert cells(table, "MAX-SARI")["M = 8"] == (None, 2)


def test_re_ranked_systems_over_all_sentences_and_over_errors_that_all_annotators_see(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    edit, none = Reference(edits=(Edit(0, 1, ("x",)),)), Reference(edits=())
    corpus = Corpus(["a", "b", "c"], [[edit, edit], [edit, none], [none, none]])
    systems = [corpus.system("mine", ["x", "y", "z"]), corpus.system("other", ["1", "2", "3"])]
    pools = []

    def rerank(given: Corpus, pool: Sequence[Any], metric: str, **how: object) -> list[Reranked]:
        assert (metric, how) == ("m2", {"references": (1, 2, 3, 5, 8, 10), "repetitions": 3, "run": HERE})
        pools.append((list(given.sources), [(system.name, list(system.hypotheses)) for system in pool]))
        return [choice(number, base=100 * len(given)) for number in (1, 10)]

    monkeypatch.setattr(less, "load_ten_references", lambda: corpus)
    monkeypatch.setattr(less, "_first_annotator", lambda: (None, systems))
    monkeypatch.setattr(less, "rerank", rerank)
    table = less._pool(HERE)
    assert pools == [
        (["a", "b", "c"], [("mine", ["x", "y", "z"]), ("other", ["1", "2", "3"])]),
        (["a"], [("mine", ["x"]), ("other", ["1"])]),
    ]
    assert {label: [figure.ours for figure in row.values()] for label, row in table.rows.items()} == {
        "M = 1": [301, 310, 101, 110],
        "M = 10": [310, 400, 110, 200],
    }
    assert table.columns == ("words changed", "unchanged", "words changed, 1 errors", "unchanged, 1 errors")
    assert table.chart is not None
    drawn = [(line.name, [(point.x, point.y) for point in line.points]) for line in table.chart.curves]
    assert drawn == [("all sentences", [(1, 301), (10, 310)]), ("1 errors", [(1, 101), (10, 110)])]


def test_ratios_by_type(monkeypatch: pytest.MonkeyPatch) -> None:
    systems = [SimpleNamespace(name=name) for name in ("AMU", "INPUT", "CAMB", "JMGR", "RoRo", "char")]
    ratios = [
        TypeRatio(type=kind, systems=4.0 - k, references=4.0) for k, kind in enumerate(("DET", "NOUN", "VERB", "M"))
    ]
    loaded = []

    def load_corpus(source: None, references: list[str], *, missing: str) -> str:
        loaded.append((source, references, missing))
        return "corpus"

    def typed_edits(corpus: str, chosen: list[Any], finder: str, *, run: Run) -> tuple[str, str]:
        assert (corpus, finder, run.threads > 0) == ("corpus", "finds en_core_web_sm", True)
        assert [system.name for system in chosen] == ["AMU", "CAMB"]
        return "of people", "of systems"

    made = {("of people", "of systems"): ratios}
    monkeypatch.setattr(less, "dataset_file", named)
    monkeypatch.setattr(less, "load_corpus", load_corpus)
    monkeypatch.setattr(less, "_first_annotator", lambda: (None, systems))
    monkeypatch.setattr(less, "extractor", lambda name: f"finds {name}")
    monkeypatch.setattr(less, "typed_edits", typed_edits)
    monkeypatch.setattr(less, "type_ratios", lambda *given: made[given])
    monkeypatch.setattr(less, "frequency_correlation", lambda _: FrequencyCorrelation(rho=-0.35, p=0.094))
    table = less._types(HERE)
    assert loaded == [(None, ["conll14/official-2014.combined.m2"], "agreed")]
    assert cells(table, "ratio") == {
        "DET (closed)": (None, 1.0),
        "NOUN (open)": (None, 0.75),
        "VERB (open)": (None, 0.5),
        "M ()": (None, 0.25),
        "frequency against ratio, ρ": (-0.29, -0.35),
        "frequency against ratio, p": (0.16, 0.094),
    }

    def lacking(name: str) -> str:
        raise MissingExtraError(name, "errant")

    monkeypatch.setattr(less, "extractor", lacking)
    without = less._types(HERE)
    assert (without.rows, len(without.notes), "gecval[errant]" in without.notes[0]) == ({}, 1, True)
