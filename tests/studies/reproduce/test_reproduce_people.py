"""Tables of metrics against people: over which systems and sentences figures are, and which cell they stand in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gecval import Corpus, Interval, System, load_sample, metric, score
from gecval.errors import InputError
from gecval.formats.judgments import Judgment, Judgments, Placement
from gecval.metrics.distance import LD
from gecval.runtime.run import HERE, Run
from gecval.stats.correlation import correlate, fisher_test
from gecval.stats.ranking import Standing
from gecval.stats.resampling import Array
from gecval.studies.human.correlations import sweep
from gecval.studies.human.ranking import Ranking
from gecval.studies.human.system_scores import Evaluations, measure_accuracy
from gecval.studies.reproduce import conll14, human, no_comparison, scribendi
from gecval.studies.reproduce.no_comparison import ReferencePoint
from gecval.studies.reproduce.result import Figure, PaperTable

NAMES = ("A", "B", "C", "D", "INPUT")
SIZE = 12
SOURCES = [f"s{i} a b c" for i in range(SIZE)]
CORPUS = Corpus.from_texts(SOURCES, [[f"s{i} a b d", f"s{i} a e d"] for i in range(SIZE)])
TEXTS = [[source, *(source.replace("c", word) for word in ("d", "c f", "d g"))] for source in SOURCES]


def drawn(names: Sequence[str], seed: int) -> list[System]:
    """For each name, one of the four texts of every sentence."""
    rng = np.random.default_rng(seed)
    return [CORPUS.system(name, [texts[rng.integers(4)] for texts in TEXTS]) for name in names]


OUTPUTS = [*drawn(NAMES[:-1], 3), CORPUS.system("INPUT", SOURCES)]


def judgments(name: str, systems: Sequence[str], sentences: Sequence[int]) -> Judgments:
    """One judge's ranking of all systems on each of the sentences."""
    items, rng = [], np.random.default_rng(len(sentences))
    for i in sentences:
        ranks = rng.permutation(len(systems)).tolist()
        placed = tuple(Placement((system,), rank + 1) for system, rank in zip(systems, ranks, strict=True))
        items.append(Judgment(i, "judge", placed))
    return Judgments(name, tuple(items), first=0)


def people(systems: Sequence[str], seed: int) -> SimpleNamespace:
    rng = np.random.default_rng(seed)
    return SimpleNamespace(scores={name: float(value) for name, value in zip(systems, rng.random(9), strict=False)})


def rho(human_scores: Mapping[str, float], scores: Mapping[str, float]) -> Any:
    return correlate(np.array(list(human_scores.values())), np.array([scores[n] for n in human_scores]), "spearman")


def scores_of(name: str, corpus: Corpus, outputs: Sequence[System], aggregate: Any = "corpus") -> dict[str, float]:
    return {row.system: row.score for row in score(corpus, outputs, [name], aggregate=aggregate)}


def part(outputs: Sequence[System], chosen: Sequence[int]) -> tuple[Corpus, list[System]]:
    corpus = Corpus([CORPUS.sources[i] for i in chosen], [CORPUS.references[i] for i in chosen])
    return corpus, [corpus.system(system.name, [system.hypotheses[i] for i in chosen]) for system in outputs]


# The available metrics


def test_what_keeps_a_metric_from_running_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    def of(wanted: Any, corpus: Corpus, outputs: Sequence[System], *, run: Run) -> str:
        if wanted.name == "ld":
            raise InputError("no ld today")
        return f"{wanted!r} of {len(outputs)}"

    monkeypatch.setattr(conll14, "Evaluations", SimpleNamespace(of=of))
    labels = {"GLEU": "gleu(n=3)", "ER": None, "nobody": "no-such-metric", "LD": "ld", "BLEU": "bleu"}
    evaluations, notes = conll14.evaluate(labels, CORPUS, OUTPUTS)
    assert evaluations == {"GLEU": "gleu(n=3) of 5", "BLEU": "bleu of 5"}
    assert notes == ["LD is left out: no ld today"]


def test_a_model_is_asked_about_all_outputs_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """And says how far it is: a language model may take hours."""
    seen: list[tuple[int, int]] = []

    def prepare(self: LD, corpus: Corpus, systems: Sequence[System], *, run: Run) -> None:
        assert corpus is CORPUS
        run.progress(len(systems), 7)

    monkeypatch.setattr(LD, "prepare", prepare)
    evaluations, _ = conll14.evaluate({"LD": "ld"}, CORPUS, OUTPUTS, run=Run(progress=lambda *now: seen.append(now)))
    assert seen == [(0, 1), (5, 7)]
    assert len(evaluations["LD"].evaluations) == 5


def test_outputs_are_repaired_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        ("conll14", "systems/*"): {"AMU": "old AMU", "RAC": "old RAC"},
        ("conll14", "systems-repaired/*"): {"RAC": "new RAC"},
    }
    monkeypatch.setattr(conll14, "dataset_files", lambda *given: files[given])
    monkeypatch.setattr(conll14, "_named", lambda named, corpus: (named, corpus))
    assert conll14.load_participants(CORPUS) == (files["conll14", "systems/*"], CORPUS)
    assert conll14.load_participants(CORPUS, repaired=True) == ({"AMU": "old AMU", "RAC": "new RAC"}, CORPUS)


# GJG15, NSPT15 and the MAEGE paper


def test_table_1_of_the_maege_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Combined on the judged sentences, the others on all; src is INPUT; refmix1 is NUCLE's first reference."""
    first = Corpus.from_texts(SOURCES, [[f"s{i} a b d", "x"] for i in range(SIZE)])
    monkeypatch.setattr(human, "load_ten_references", lambda: CORPUS)
    monkeypatch.setattr(human, "load_two_references", lambda: first)
    monkeypatch.setattr(human, "load_participants", lambda corpus, *, repaired: OUTPUTS if repaired else [])
    table_1 = {
        "ACC": ("accuracy", "corpus", (0.1, 0.2, 0.3, 0.4)),
        "BLEU": ("bleu", "mean", (0.5, 0.6, 0.7, 0.8)),
        "none": ("no-such-metric", "mean", (0.15, 0.25, 0.35, 0.45)),
    }
    monkeypatch.setattr(human, "MAEGE_TABLE_1", table_1)
    gjg15 = judgments("GJG15", NAMES, [0, 1])
    nspt15 = judgments("NSPT15", ("A", "B", "C", "refmix1", "src"), [3])
    combined = judgments("combined", ("A", "B", "C", "D", "refmix1"), [2, 5, 7, 8, 11])
    sets = (gjg15, nspt15, combined)
    rankings = {judged.name: people(judged.systems, seed) for seed, judged in enumerate(sets)}
    table = human._maege(sets, rankings, HERE)
    outputs = [*OUTPUTS, CORPUS.system("refmix1", [f"s{i} a b d" for i in range(SIZE)])]
    for label, name, way in (("ACC", "accuracy", "corpus"), ("BLEU", "bleu", "mean")):
        everywhere = scores_of(name, CORPUS, outputs, way)
        everywhere["src"] = everywhere["INPUT"]
        judged_only = scores_of(name, *part(outputs, [2, 5, 7, 8, 11]), way)
        for column, ranked, seen, known in (
            ("GJG15", "GJG15", everywhere, 2),
            ("NSPT15", "NSPT15", everywhere, 3),
            ("Combined", "combined", judged_only, 0),
        ):
            expected = rho(rankings[ranked].scores, seen)
            figure = table.rows[label][column]
            assert figure.ours == pytest.approx(expected.value)
            assert (figure.published, figure.interval) == (table_1[label][2][known], expected.interval)
        assert table.rows[label]["p"].ours == pytest.approx(rho(rankings["combined"].scores, judged_only).p)
        assert table.rows[label]["p"].published == table_1[label][2][1]
    assert [figure.published for figure in table.rows["none"].values()] == [0.15, 0.25, 0.35, 0.45]
    assert all(figure.ours is None for figure in table.rows["none"].values())


def test_how_far_the_two_headings_are_from_ours_as_printed_and_exchanged() -> None:
    rows = {
        "a": {"GJG15": Figure(published=0.5, ours=0.25), "NSPT15": Figure(published=0.125, ours=0.5)},
        "b": {"GJG15": Figure(published=0.25), "NSPT15": Figure(published=None, ours=0.5)},
    }
    said = human._exchanged_headings(rows)
    # a: 0.25 and 0.375 as printed; exchanged 0 and 0.125; b has GJG15's 0.25 beside NSPT15's 0.5.
    assert "is 0.312 as printed, 0.125 with the two exchanged" in said


def standing(name: str, value: float) -> Standing:
    return Standing(system=name, score=value, interval=Interval(value - 1, value + 1), ranks=(1, 1), cluster=1)


def ranking(method: Any, **values: float) -> Ranking:
    placed = tuple(standing(name, value) for name, value in values.items())
    return Ranking(judgments="x", method=method, systems=placed, level=0.95, signature=f"by {method}")


def test_participants_are_ranked_in_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = tuple(SimpleNamespace(name=name) for name in ("GJG15", "NSPT15", "combined"))
    made = {
        ("GJG15", "expected-wins"): ranking("expected-wins", AMU=0.6, IPN=0.3),
        ("GJG15", "trueskill"): ranking("trueskill", IPN=-0.3, AMU=0.2),
        ("NSPT15", "trueskill"): ranking("trueskill", refmix1=1.0, mine=0.5),
        ("combined", "trueskill"): ranking("trueskill", AMU=0.1),
    }
    kappas = {"between_judges": SimpleNamespace(kappa=0.3), "within_judges": SimpleNamespace(kappa=0.4)}
    counted = SimpleNamespace(rankings=1, output_pairs=2, output_ties=3, pairs=4, ties=5, **kappas)
    monkeypatch.setattr(human, "load_judgment_sets", lambda: sets)
    monkeypatch.setattr(human, "rank", lambda judged, method, ranker, **_: made[judged.name, method])
    monkeypatch.setattr(human, "count_judgments", lambda judged: counted if judged.name == "GJG15" else None)
    monkeypatch.setattr(human, "_maege", lambda *given: given)
    counts, gjg15, nspt15, maege = human.parts()["GJG15 and NSPT15"](HERE)
    assert [(row["GJG15"].published, row["GJG15"].ours) for row in counts.rows.values()] == [
        (2319, 1), (20516, 2), (5694, 3), (109098, 4), (59117, 5), (0.29, 0.3), (0.46, 0.4),
    ]  # fmt: skip
    assert gjg15.rows == {
        "AMU": {
            "Expected Wins": Figure(published=0.628, ours=0.6, interval=Interval(-0.4, 1.6)),
            "TrueSkill": Figure(published=0.273, ours=0.2, interval=Interval(-0.8, 1.2)),
        },
        "IPN": {
            "Expected Wins": Figure(published=0.3, ours=0.3, interval=Interval(-0.7, 1.3)),
            "TrueSkill": Figure(published=-0.358, ours=-0.3, interval=Interval(-1.3, 0.7)),
        },
    }
    assert gjg15.notes == ("by expected-wins", "by trueskill")
    assert nspt15.rows["refmix1"]["TrueSkill"].published == 1.189
    assert nspt15.rows["mine"]["TrueSkill"].published is None
    assert maege == (sets, {name: made[name, "trueskill"] for name in ("GJG15", "NSPT15", "combined")}, HERE, ())


# SEEDA


def named(dataset: str, file: str) -> str:
    return f"{dataset}/{file}"


def test_tables_of_seeda_are_made_of_both_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    read = {
        "seeda/judgments_edit.xml": SimpleNamespace(name="SEEDA-E"),
        "seeda/judgments_sent.xml": SimpleNamespace(name="SEEDA-S"),
    }

    def read_judgments(path: str, *, name: str) -> SimpleNamespace:
        assert read[path].name == name
        return read[path]

    outputs = {("seeda", "outputs"): "outputs"}
    labels = ["M2", "GLEU", "ERRANT", "Scribendi"]
    monkeypatch.setattr(human, "load_two_references", lambda: CORPUS)
    monkeypatch.setattr(human, "load_outputs", lambda *given: outputs[given[:2]] if given[2] is CORPUS else None)
    monkeypatch.setattr(human, "dataset_file", named)
    monkeypatch.setattr(human, "read_judgments", read_judgments)
    monkeypatch.setattr(human, "rank", lambda judged, method, ranker, **_: f"{judged.name} {method} {ranker}")
    monkeypatch.setattr(human, "evaluate", lambda names, corpus, outputs, **_: ([*names, outputs], ["a note"]))
    monkeypatch.setattr(human, "_human", lambda rankings: rankings)
    monkeypatch.setattr(human, "_scores", lambda *given: given)
    monkeypatch.setattr(human, "_correlations", lambda *given, **more: (given, more))
    of_people, scores, (given, more) = human.seeda_tables("ranker", HERE)
    rankings = {
        (kind, method): f"SEEDA-{kind[0].upper()} {method} ranker"
        for kind in ("edit", "sent")
        for method in ("expected-wins", "trueskill")
    }
    assert of_people == rankings
    assert scores == ([*labels, "outputs"], SIZE)
    sets = {"edit": read["seeda/judgments_edit.xml"], "sent": read["seeda/judgments_sent.xml"]}
    assert given == (sets, rankings, [*labels, "outputs"])
    assert more == {"corpus": CORPUS, "outputs": "outputs", "left_out": ["a note"]}


def test_human_scores_of_seeda_are_in_the_order_of_the_alphabet(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"seeda/scores/human/{m}_{k}.txt": [f"{n}.5", f"{n}.25"]
             for n, (m, k) in enumerate([("EW", "edit"), ("TS", "edit"), ("EW", "sent"), ("TS", "sent")])}  # fmt: skip
    monkeypatch.setattr(human, "dataset_file", named)
    monkeypatch.setattr(human, "read_sentences", lambda path: files[path])
    rankings = {
        (kind, method): SimpleNamespace(scores={"B": base + 2.0, "A": base + 1.0})
        for base, kind in ((10, "edit"), (20, "sent"))
        for method in ("expected-wins", "trueskill")
    }
    table = human._human(rankings)
    assert table.columns == ("EW-E", "TS-E", "EW-S", "TS-S")
    cells = {name: {c: (f.published, f.ours) for c, f in row.items()} for name, row in table.rows.items()}
    assert cells == {
        "A": {"EW-E": (0.5, 11), "TS-E": (1.5, 11), "EW-S": (2.5, 21), "TS-S": (3.5, 21)},
        "B": {"EW-E": (0.25, 12), "TS-E": (1.25, 12), "EW-S": (2.25, 22), "TS-S": (3.25, 22)},
    }


def test_scores_of_seedas_systems_in_percent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(human, "SEEDA_METRICS", {"A": (50.0, 60.0), "B": (51.0, 61.0)})
    metrics = {label: Evaluations.of(metric(name), CORPUS, OUTPUTS)
               for label, name in (("M2", "accuracy"), ("Scribendi", "ld"))}  # fmt: skip
    table = human._scores(metrics, SIZE)
    expected = scores_of("accuracy", CORPUS, OUTPUTS)
    assert table.rows["B"]["M2"].published == 51.0
    assert table.rows["B"]["M2"].ours == pytest.approx(100 * expected["B"])
    assert table.rows["B"]["GLEU"] == Figure(published=61.0)


def test_correlations_with_and_without_fluent_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("A", "B", "C", "D", "GPT-3.5", "INPUT", "REF-F")
    outputs = drawn(names, 4)
    sets = {"edit": judgments("SEEDA-E", names, [0, 2, 4, 6, 8, 10]), "sent": judgments("SEEDA-S", names, [1, 3, 5])}
    rankings = {
        (kind, method): people(names, seed)
        for seed, (kind, method) in enumerate(
            (kind, method) for kind in ("edit", "sent") for method in ("expected-wins", "trueskill")
        )
    }
    metrics = {"BLEU": Evaluations.of(metric("bleu"), CORPUS, outputs)}
    monkeypatch.setattr(human, "SEEDA_CORRELATIONS", {("BLEU", "sent"): (0.1, 0.2), ("Scr", "edit"): (0.3, 0.4)})
    table = human._correlations(sets, rankings, metrics, corpus=CORPUS, outputs=outputs, left_out=["why"])
    assert table.notes[1:] == ("why",)
    fluent = {"base": ("A", "B", "C", "D"), "+ fluent": ("A", "B", "C", "D", "GPT-3.5", "REF-F")}
    for kind, judged in sets.items():
        seen = scores_of("bleu", *part(outputs, sorted({item.sentence for item in judged.items})))
        for which, chosen in fluent.items():
            cells = table.rows[f"BLEU, {judged.name}, {which}"]
            known = kind == "sent" and which == "base"
            assert (cells["TS r"].published, cells["TS ρ"].published) == ((0.1, 0.2) if known else (None, None))
            for method, short in (("expected-wins", "EW"), ("trueskill", "TS")):
                theirs = np.array([rankings[kind, method].scores[name] for name in chosen])
                ours = np.array([seen[name] for name in chosen])
                assert cells[f"{short} r"].ours == pytest.approx(correlate(theirs, ours, "pearson").value)
                assert cells[f"{short} ρ"].ours == pytest.approx(correlate(theirs, ours, "spearman").value)
            accuracy = measure_accuracy(judged, metrics["BLEU"].only(chosen)).accuracy
            assert cells["accuracy"].ours == accuracy
    assert table.rows["Scr, SEEDA-E, base"] == {"TS r": Figure(published=0.3), "TS ρ": Figure(published=0.4)}
    assert table.rows["Scr, SEEDA-S, base"]["TS r"].published is None


# There's No Comparison


SAMPLE, SYSTEMS = load_sample()
PEOPLE = np.array([0.1, 0.9, 0.3, 0.6])
ZEROED = "unchanged = 0"


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> list[PaperTable]:
    """The tables on the sample; LD stands for LT, and there is no LFM."""
    monkeypatch.setattr(no_comparison, "load_twenty_references", lambda: SAMPLE)
    monkeypatch.setattr(no_comparison, "load_participants", lambda corpus: SYSTEMS)
    monkeypatch.setattr(no_comparison, "load_judgment_sets", lambda: ("GJG15", "NSPT15", "combined"))
    by_name = dict(zip((system.name for system in SYSTEMS), PEOPLE, strict=True))
    ranked = {("GJG15", "trueskill"): SimpleNamespace(scores=by_name)}
    monkeypatch.setattr(no_comparison, "rank", lambda judged, method, ranker, **_: ranked[judged, method])
    monkeypatch.setattr(no_comparison, "lfm_or_reason", lambda progress: (None, ["no LFM"]))
    monkeypatch.setattr(no_comparison, "REFERENCE_BASED", {"GLEU": "gleu", "M2": "m2", "I-measure": None})
    monkeypatch.setattr(no_comparison, "REFERENCE_LESS", {"ER": None, "LFM": None, "LT": "ld"})

    def reference_curve(*given: object, with_references: Any, without: Any, **_: object) -> list[ReferencePoint]:
        assert np.array_equal(given[0], PEOPLE)
        assert given[1:] == (SAMPLE, SYSTEMS)
        assert (repr(with_references), repr(without)) == ("gleu", "ld")
        return [
            ReferencePoint(
                references=m, alone=m / 100, alone_interval=Interval(0, m), oracle=m / 50,
                oracle_interval=Interval(m, 2 * m),
            )
            for m in (1, 2, 20)
        ]  # fmt: skip

    monkeypatch.setattr(no_comparison, "reference_curve", reference_curve)
    return no_comparison.make_tables(HERE)


def sentence_means(name: str, *, zeroed: bool = False) -> np.ndarray:
    rows = score(SAMPLE, SYSTEMS, [name], sentences=True)
    scores = []
    for row, system in zip(rows, SYSTEMS, strict=True):
        left_alone = [s.split() == t.split() for s, t in zip(SAMPLE.sources, system.hypotheses, strict=True)]
        of_sentences = row.sentences.tolist()
        scores.append(np.mean([0 if zeroed and same else v for same, v in zip(left_alone, of_sentences, strict=True)]))
    return np.array(scores)


def test_table_1_of_no_comparison(tables: list[PaperTable]) -> None:
    rows = tables[0].rows
    assert list(rows) == ["GLEU", "ER", "LT", "I-measure", "LFM", "M2", f"M2, {ZEROED}"]
    for label, means, published in (
        ("GLEU", sentence_means("gleu"), (0.852, 0.838)),
        ("M2", sentence_means("m2"), (0.648, 0.641)),
        (f"M2, {ZEROED}", sentence_means("m2", zeroed=True), (0.648, 0.641)),
        ("LT", sentence_means("ld"), (0.808, 0.811)),
    ):
        for sign, coefficient, known in zip(("ρ", "r"), ("spearman", "pearson"), published, strict=True):
            ours = correlate(PEOPLE, means, coefficient)
            assert rows[label][sign].published == known
            assert rows[label][sign].ours == pytest.approx(ours.value)
            assert rows[label][sign].interval == pytest.approx(ours.interval, nan_ok=True)
    assert sentence_means("m2", zeroed=True) != pytest.approx(sentence_means("m2"))
    assert rows["LFM"] == {"ρ": Figure(published=0.78), "r": Figure(published=0.742)}
    assert tables[0].notes[0].startswith("4 systems")
    assert tables[0].notes[-1] == "no LFM"


def test_table_2_of_no_comparison(tables: list[PaperTable]) -> None:
    rows = tables[1].rows
    for label, means, published in (
        ("GLEU", sentence_means("gleu"), ((0.857, 0.04), (0.867, 0.09))),
        ("M2", sentence_means("m2", zeroed=True), ((0.808, 0.00), (0.811, 0.00))),
    ):
        for sign, coefficient, known in zip(("ρ", "r"), ("spearman", "pearson"), published, strict=True):
            swept = sweep(PEOPLE, means, sentence_means("ld"), coefficient=coefficient)
            row = rows[f"{label} + LT, {sign}"]
            assert (row["oracle"].published, row["λ"].published) == known
            assert (row["oracle"].ours, row["λ"].ours) == pytest.approx((swept.oracle, swept.oracle_weight))
            assert row["cross-validated"].ours == pytest.approx(swept.cross_validated)
    assert rows["M2 + ER, r"] == {
        "oracle": Figure(published=0.829), "λ": Figure(published=0.0), "cross-validated": Figure(),
    }  # fmt: skip
    assert rows["I-measure + LT, ρ"]["oracle"] == Figure(published=0.852)


def test_table_4_of_no_comparison(tables: list[PaperTable]) -> None:
    table = tables[2]
    evaluations = Evaluations.of(metric("m2"), SAMPLE, SYSTEMS)
    everything = np.arange(len(SAMPLE))
    published = {"corpus": (0.692, 0.617), "mean": (0.648, 0.641), f"mean, {ZEROED}": (0.648, 0.641)}
    ways = ("corpus", "mean", "expected-wins", "trueskill", "trueskill-pass")
    scores = {way: evaluations.scores(everything, way, runs=20) for way in ways}
    scores[f"mean, {ZEROED}"] = sentence_means("m2", zeroed=True)
    for way, ours in scores.items():
        row = table.rows[f"M2, {way}"]
        assert (row["ρ"].published, row["r"].published) == published.get(way, (None, None))
        assert row["ρ"].ours == pytest.approx(correlate(PEOPLE, ours, "spearman").value)
        assert row["r"].ours == pytest.approx(correlate(PEOPLE, ours, "pearson").value, abs=1e-12)
    assert f"GLEU, mean, {ZEROED}" not in table.rows
    assert table.rows["I-measure, corpus"] == {"ρ": Figure(published=-0.055), "r": Figure(published=0.061)}
    rhos = [correlate(PEOPLE, scores[way], "spearman").value for way in ("corpus", f"mean, {ZEROED}")]
    said = f"M2: corpus and mean (as in the paper) differ in ρ with p = {fisher_test(*rhos, 4):.3f}"
    assert table.notes[1] == said


def test_figure_1_of_no_comparison(tables: list[PaperTable]) -> None:
    table = tables[3]
    assert table.rows == {
        "1": {
            "GLEU": Figure(ours=0.01, interval=Interval(0, 1)),
            "GLEU + ER": Figure(published=0.878),
            "GLEU + LT": Figure(ours=0.02, interval=Interval(1, 2)),
        },
        "2": {
            "GLEU": Figure(ours=0.02, interval=Interval(0, 2)),
            "GLEU + ER": Figure(),
            "GLEU + LT": Figure(ours=0.04, interval=Interval(2, 4)),
        },
        "20": {
            "GLEU": Figure(published=0.852, ours=0.2, interval=Interval(0, 20)),
            "GLEU + ER": Figure(published=0.885),
            "GLEU + LT": Figure(ours=0.4, interval=Interval(20, 40)),
        },
    }
    assert table.chart is not None
    drawn = {line.name: [(point.x, point.y) for point in line.points] for line in table.chart.curves}
    assert drawn == {
        "GLEU": [(1, 0.01), (2, 0.02), (20, 0.2)],
        "GLEU + LT": [(1, 0.02), (2, 0.04), (20, 0.4)],
        "GLEU + ER, published": [(1, 0.878), (3, 0.884), (20, 0.885)],
    }


class SeenError(Exception):
    """The study was called, and its arguments are right."""


@pytest.mark.usefixtures("data")
def test_people_come_before_the_means_of_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    def table(people: Array, means: Mapping[str, Array], notes: Sequence[str]) -> None:
        assert people.shape == (13,)
        assert np.all(np.diff(np.sort(people)) > 0)
        assert means == {}
        assert notes == ["none available", "no model"]
        raise SeenError

    monkeypatch.setattr(no_comparison, "evaluate", lambda labels, corpus, outputs, **_: ({}, ["none available"]))
    quick = partial(no_comparison.rank, method="expected-wins")
    monkeypatch.setattr(no_comparison, "rank", lambda judged, method, ranker, **options: quick(judged, ranker=ranker))
    monkeypatch.setattr(no_comparison, "lfm_or_reason", lambda progress: (None, ["no model"]))
    monkeypatch.setattr(no_comparison, "_table_1", table)
    with pytest.raises(SeenError):
        no_comparison.make_tables(HERE)


# Scribendi


def test_every_metric_that_a_table_names_is_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    """LT as the mean of sentences, the others as scores of the corpus; a lower perplexity is better."""
    monkeypatch.setattr(scribendi, "TABLE_2", {"ACC": ("accuracy", (0, 0)), "SOME": (None, (0, 0))})
    monkeypatch.setattr(scribendi, "TABLE_3", {"LT": ("lt", (0, 0))})
    monkeypatch.setattr(scribendi, "TABLE_5", {"Human": ("people", "A B")})
    ours = {"lt": metric("bleu"), "perplexity": metric("bleu")}
    scores = scribendi._scores(CORPUS, OUTPUTS, ours, run=HERE)
    assert list(scores) == ["accuracy", "lt", "perplexity"]
    accuracy, whole, mean = (
        list(scores_of(name, CORPUS, OUTPUTS, way).values())
        for name, way in (("accuracy", "corpus"), ("bleu", "corpus"), ("bleu", "mean"))
    )
    assert scores["accuracy"] == pytest.approx(accuracy)
    assert scores["lt"] == pytest.approx(mean)
    assert scores["perplexity"] == pytest.approx(-np.array(whole))
    assert mean != pytest.approx(whole)
