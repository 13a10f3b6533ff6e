"""Results of studies as tables, made by hand: every cell, heading and note that people and programs get."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gecval.report import Table, result_tables
from gecval.stats import Interval
from gecval.stats.correlation import Correlation
from gecval.stats.kappa import Kappa
from gecval.stats.ranking import Standing
from gecval.studies.agreement.results import Agreed, Agreement, AnnotatorAgreement, AnnotatorPair, TypeAgreement
from gecval.studies.attacks.results import AdversaryEntry, Attack, Attacks, PeopleMark, Price, SystemMark
from gecval.studies.batches.results import MeanScore, ScoredPairs
from gecval.studies.cached import Cached, CachedModel
from gecval.studies.coverage.buying import ReferencesToBuy, SentenceToCorrect
from gecval.studies.difference.results import DifferingField, ExplainedDifference, StatedPair, Step
from gecval.studies.doctor.results import Blamed, Contents, Diagnosis, Finding, SelfScore
from gecval.studies.explain.results import EditValue, ExplainedSentence, Explanation, TypeValue
from gecval.studies.human.interpolation import Sweep
from gecval.studies.human.ranking import JudgmentCounts, Ranking
from gecval.studies.human.results import HumanCorrelation, HumanResult, HybridSweep, MetricComparison, Window
from gecval.studies.human.sentences import SentenceAccuracy
from gecval.studies.power.results import ChancePoint, Power, PowerCurve
from gecval.studies.reproduce.results import Figure, PaperTable, Reproduction
from gecval.studies.track.results import History, TrackedScore
from gecval.studies.true_precision.results import TruePrecision, TrueScores, TypeValidity

SOME = Interval(0.25, 0.75)


def titles(tables: list[Table]) -> list[str]:
    return [table.title for table in tables]


FIGURES = {"f": 0.5, "f_interval": SOME, "kappa": 0.25, "kappa_interval": SOME}


def annotator(name: str, *, outlier: bool | None) -> AnnotatorAgreement:
    return AnnotatorAgreement(
        annotator=name, saw=9, sentences=8, edits=3, precision=0.125, recall=0.375, among_others=0.75, distance=-0.25,
        distance_interval=SOME, outlier=outlier, **FIGURES,
    )  # fmt: skip


AGREEMENT = Agreement(
    overall=Agreed(sentences=7, **FIGURES),
    annotators=(annotator("a", outlier=False), annotator("b", outlier=True), annotator("c", outlier=None)),
    pairs=(AnnotatorPair(first="a", second="b", sentences=6, first_edits=3, second_edits=4, same_edits=2, **FIGURES),),
    types=(TypeAgreement(type="VERB", edits=5, sentences=6, **FIGURES),),
    level=0.9,
    far=0.125,
    signature="the signature",
)


def test_agreement() -> None:
    tables = result_tables(AGREEMENT)
    assert titles(tables) == ["Each annotator against the rest", "Each pair", "By type of edit"]
    annotators, pairs, types = tables
    assert annotators.rows[1] == ["b", 8, 3, 0.125, 0.375, 0.5, SOME, 0.25, SOME, 0.75, -0.25, SOME, "yes"]
    assert [row[-1] for row in annotators.rows] == ["no", "yes", "–", None]
    assert annotators.rows[3] == ["all", 7, 9, None, None, 0.5, SOME, 0.25, SOME, None, None, None, None]
    assert annotators.bold == {(1, 0)}
    assert pairs.rows == [["a", "b", 6, 3, 4, 2, 0.5, SOME, 0.25, SOME]]
    assert types.rows == [["VERB", 5, 0.5, SOME, 0.25, SOME]]
    assert (annotators.footnotes, pairs.footnotes, types.footnotes[-1]) == ([], [], "the signature")
    assert types.footnotes[2].startswith("outlier: the interval of distance, F − F among others, lies below −0.125;")
    for table in tables:
        assert (table.level, table.main) == (0.9, "F")
    assert annotators.intervals == ["interval of F", "interval of κ", "interval of distance"]
    assert titles(result_tables(AGREEMENT, "tsv")) == ["annotators", "pairs", "types"]


def test_agreement_where_nobody_edits_keeps_its_notes() -> None:
    [table] = result_tables(replace(AGREEMENT, pairs=(), types=()))
    assert table.footnotes[-1] == "the signature"


BOUGHT = ReferencesToBuy(
    metric="m2", systems=2, score=0.5, gain=0.125, interval=SOME, gain_of_all=0.5, spread_of_all=0.25,
    spread_left=0.125, level=0.9, signature="the signature",
    sentences=(SentenceToCorrect(sentence=3, references=2, wrong=1.5, gain=0.0625, spread=0.25, source="x" * 71),),
)  # fmt: skip


def test_references_to_buy() -> None:
    summary, sentences = result_tables(BOUGHT)
    assert summary.title == "What one more reference of 1 sentences is expected to change"
    assert summary.rows == [["m2", 2, 0.5, 0.125, SOME, 0.5, 0.25, 0.25, 0.125]]
    assert (summary.level, summary.interval_digits, summary.main) == (0.9, 4, "gain")
    assert (sentences.digits, sentences.plain, sentences.main) == (5, ["wrong"], "gain")
    assert sentences.rows == [[3, 2, 1.5, 0.0625, 0.25, "x" * 69 + "…"]]
    assert sentences.footnotes[1:] == [
        "spread: one standard deviation of the gain; the interval is at 90%",
        "the signature",
    ]
    [alone] = result_tables(BOUGHT, "tsv")
    assert alone.rows[0][-1] == "x" * 71
    assert result_tables(BOUGHT, "markdown")[1].rows[0][-1] == "x" * 71
    assert result_tables(replace(BOUGHT, gain_of_all=0.0))[0].rows[0][6] is None


STEPS = (
    Step(system="s", metric="gleu", step=0, setting="all of A", score=0.5),
    Step(system="s", metric="gleu", step=1, setting="n", a="4", b="3", score=0.75, change=0.25, alone=0.125),
)
DIFFERENCE = ExplainedDifference(
    fields=(
        DifferingField(metric="gleu", field="n", a="4", b="3", changes=True, why="it counts n-grams"),
        DifferingField(metric="gleu", field="version", a=None, b="2", changes=False, why="the same formula"),
    ),
    pairs=(
        StatedPair(system="s", metric="gleu", a=0.5, b=0.75, a_again=0.5, b_again=0.75),
        StatedPair(system="t", metric="gleu", a=None, b=0.75),
        StatedPair(system="u", metric="gleu", a=0.5, b=None),
    ),
)


def test_explained_differences() -> None:
    fields, pairs = result_tables(DIFFERENCE)
    assert fields.rows == [
        ["gleu", "n", "4", "3", "can change it", "it counts n-grams"],
        ["gleu", "version", None, "2", "cannot", "the same formula"],
    ]
    assert pairs.title == "The scores as stated"
    assert pairs.columns == ["system", "metric", "score A", "score B", "difference"]
    assert pairs.rows == [
        ["s", "gleu", 0.5, 0.75, 0.25],
        ["t", "gleu", None, 0.75, None],
        ["u", "gleu", 0.5, None, None],
    ]
    assert titles(result_tables(replace(DIFFERENCE, pairs=()))) == ["What differs"]


def test_explained_differences_with_data() -> None:
    walked = replace(DIFFERENCE, steps=STEPS, complete=True)
    _, pairs, steps = result_tables(walked)
    assert pairs.title == "The scores as stated, and again from the data at hand"
    assert pairs.columns[-2:] == ["A again", "B again"]
    assert pairs.rows[0] == ["s", "gleu", 0.5, 0.75, 0.25, 0.5, 0.75]
    assert steps.rows == [
        ["s", "gleu", 0, "all of A", None, None, 0.5, None, None],
        ["s", "gleu", 1, "n", "4", "3", 0.75, 0.25, 0.125],
    ]
    assert (steps.title, len(steps.footnotes)) == ("From A to B, one setting at a time", 2)
    steps = result_tables(replace(walked, complete=False, interacts=("gleu", "m2")))[2]
    assert steps.title == "One setting at a time, as far as data go"
    assert steps.footnotes[2].startswith("steps interact (gleu, m2): ")
    assert titles(result_tables(walked, "tsv")) == ["fields", "scores", "steps"]


def value(amount: float, **more: float) -> EditValue:
    return EditValue(start=1, end=2, original="go", correction="goes", type="VERB", value=amount, **more)


EXPLANATION = Explanation(
    method="shapley",
    types=(TypeValue(system="s", metric="gleu", type="", edits=3, mean=0.5, helpful=2, harmful=1),),
    sentences=(
        ExplainedSentence(
            sentence=4,
            system="s",
            metric="gleu",
            source="",
            hypothesis="",
            source_score=0.0,
            score=1.0,
            edits=(value(0.125), value(-0.5), value(0.25)),
        ),
    ),
    signatures=("the signature",),
)


def test_explanations() -> None:
    edits, types = result_tables(EXPLANATION, top=2)
    assert edits.title == "The 2 edits of 3 that add or cost most"
    assert edits.rows == [["s", "gleu", 4, 1, 2, "go", "goes", "VERB", amount] for amount in (-0.5, 0.25)]
    assert types.rows == [["s", "gleu", "-", 3, 0.5, 2, 1]]
    assert types.footnotes[1:] == ["the signature"]
    assert edits.footnotes == []
    assert titles(result_tables(EXPLANATION, top=3)) == ["What each edit adds", "By type of edit"]
    [everything] = result_tables(EXPLANATION, top=None)
    assert [row[-1] for row in everything.rows] == [0.125, -0.5, 0.25]
    assert everything.footnotes[1:] == ["the signature"]
    many = replace(EXPLANATION.sentences[0], edits=tuple(value(n / 100) for n in range(21)))
    shown = result_tables(replace(EXPLANATION, sentences=(many,)))[0]
    assert shown.title == "The 20 edits of 21 that add or cost most"
    assert len(shown.rows) == 20
    assert len(result_tables(replace(EXPLANATION, sentences=(many,)), "tsv")[0].rows) == 21


def test_standard_errors_have_a_column_where_some_are_known() -> None:
    some = replace(EXPLANATION.sentences[0], edits=(value(0.5, error=0.125), value(0.25)))
    table = result_tables(replace(EXPLANATION, sentences=(some,)))[0]
    assert table.columns[-2:] == ["value", "standard error"]
    assert [row[-1] for row in table.rows] == [0.125, None]
    assert result_tables(EXPLANATION)[0].columns[-1] == "value"


def tracked(series: int, commit: str, *, changed: bool = False, level: float = 0.9) -> TrackedScore:
    return TrackedScore(
        series=series, commit=commit, time="2026-01-01", system="mine", metric=f"metric {series}", score=0.5,
        interval=SOME, level=level, since="c0", look=1, difference=-0.25, change_interval=None, change_level=None,
        changed=changed, output="", signature=f"signature {series}",
    )  # fmt: skip


def test_histories() -> None:
    scores = (tracked(1, "c1"), tracked(2, "c1"), tracked(1, "c2", changed=True), tracked(3, "c1"))
    history = History(level=0.8, scores=scores)
    tables = result_tables(history)
    assert titles(tables) == [f"Series {n}: mine, metric {n}" for n in (1, 2, 3)]
    assert tables[0].columns == ["commit", "time", "score", "interval", "since", "difference", "change"]
    assert tables[0].rows[1] == ["c2", "2026-01-01", 0.5, SOME, "c0", -0.25, "worse"]
    assert (tables[0].bold, tables[0].level) == ({(1, 6)}, 0.9)
    change = "change: beyond chance since the commit in since; all looks of a stretch keep 80% together"
    assert [table.footnotes for table in tables] == [["signature 1"], ["signature 2"], [change, "signature 3"]]
    [long] = result_tables(history, "tsv")
    assert long.columns[:4] == ["series", "system", "metric", "commit"]
    assert long.rows[2][:4] == [1, "mine", "metric 1", "c2"]
    mixed = History(level=0.8, scores=(tracked(1, "c1"), tracked(1, "c2", level=0.95)))
    assert result_tables(mixed)[0].level is None


TRUE = TruePrecision(
    systems=(
        TrueScores(
            system="s", edits=9, found=4, unmatched=5, like_judged=True, valid_share=0.5, valid_interval=SOME,
            precision=0.1, true_precision=0.2, precision_interval=SOME, recall=0.3, true_recall=0.4,
            recall_interval=SOME, score=0.5, true_score=0.6, score_interval=SOME,
        ),
    ),
    types=(
        TypeValidity(
            type="VERB", edits=9, found=4, unmatched=5, coverage=0.5, coverage_model=0.25, valid_share=0.125,
            valid_interval=SOME,
        ),
    ),
    references=2, beta=0.5, spread=0.25, calibration="some judgments", level=0.9, signature="the signature",
)  # fmt: skip


def test_true_precision() -> None:
    tables = scores, shares, types = result_tables(TRUE)
    assert scores.rows == [["s", 0.1, 0.2, SOME, 0.3, 0.4, SOME, 0.5, 0.6, SOME]]
    assert scores.columns[7:9] == ["F0.5", "true F0.5"]
    assert scores.main == "true F0.5"
    assert shares.rows == [["s", 9, 4, 5, 0.5, SOME, "yes"]]
    assert types.rows == [["VERB", 9, 4, 5, 0.5, 0.25, 0.125, SOME]]
    assert (scores.footnotes, shares.footnotes, types.footnotes[-1]) == ([], [], "the signature")
    assert types.footnotes[0].startswith("calibrated on some judgments; systems differ by 0.25 on the logit scale")
    assert [table.level for table in tables] == [0.9] * 3
    assert scores.intervals == ["interval of precision", "interval of recall", "interval of F"]
    assert (shares.intervals, types.intervals) == (["interval"], ["interval"])
    assert titles(result_tables(TRUE, "csv")) == ["scores", "edits", "types"]
    unlike = replace(TRUE, systems=(replace(TRUE.systems[0], like_judged=False),))
    assert result_tables(unlike)[1].rows[0][-1] == "no"


def attack(adversary: str, metric: str, **more: object) -> Attack:
    better = {"higher_is_better": metric != "ld"}
    return Attack(
        adversary=adversary, metric=metric, score=0.5, source=0.25, gain=0.25, signature=metric, **better, **more
    )  # type: ignore[arg-type]


ATTACKS = Attacks(
    sentences=9,
    references="1-2",
    seed=3,
    adversaries=(AdversaryEntry(name="empty", about="empty lines"),),
    attacks=(
        attack("empty", "m2", beats=("s",)),
        attack("lottery", "m2", against="seen"),
        attack("empty", "ld"),
    ),
    prices=(
        Price(metric="m2", adversary="empty", score=0.5, source=0.25, points=0.25, beats=("s",), luck=0.125),
        Price(metric="ld", adversary="empty", score=0.5, source=0.25, points=0.25),
    ),
    systems=(SystemMark(system="s", metric="m2", score=0.375), SystemMark(system="s", metric="ld", score=3.0)),
    people=(PeopleMark(metric="m2", score=0.75, source=0.125, sentences=4),),
)


def test_attacks() -> None:
    prices, adversaries, about = result_tables(ATTACKS)
    assert prices.rows[0] == ["m2", 0.25, "empty", 0.5, 0.25, "1 of 1", 0.125, 0.75, 0.125]
    assert prices.rows[1][:6] == ["ld", 0.25, "empty", 0.5, 0.25, "0 of 1"]
    assert np.isnan([float(cell) for cell in prices.rows[1][6:]]).all()  # type: ignore[arg-type]
    assert prices.footnotes[3:] == ["ld: lower is better"]
    assert adversaries.title == "Adversaries on 9 sentences with 1-2 references, seed 3"
    assert adversaries.columns == ["adversary", "m2", "m2 gain", "m2 beats", "ld", "ld gain", "ld beats"]
    assert adversaries.rows == [
        ["empty", 0.5, 0.25, "1 of 1", 0.5, 0.25, "0 of 1"],
        ["lottery (references seen)", 0.5, 0.25, "0 of 1", None, None, None],
        ["system s", 0.375, None, None, 3.0, None, None],
    ]
    assert adversaries.footnotes == ["gain: better than the source by so much", "m2", "ld"]
    assert about.rows == [["empty", "empty lines"]]
    [long] = result_tables(ATTACKS, "tsv")
    assert long.rows[0] == ["m2", "empty", "all", 0.5, 0.25, 0.25, "s", "m2"]


@pytest.mark.parametrize(
    ("where", "title"), [(None, "2,000 rows in out.tsv"), ("m2 > 0", "1,500 of 2,000 rows in out.tsv")]
)
def test_scored_pairs(where: str | None, title: str) -> None:
    means = (MeanScore(metric="m2", mean=0.5, rows=9),)
    pairs = ScoredPairs(output="out.tsv", rows=2000, kept=1500, bad=0, where=where, means=means)
    [table] = result_tables(pairs)
    assert (table.title, table.rows) == (title, [["m2", 0.5, 9]])
    assert titles(result_tables(pairs, "tsv")) == ["means"]
    [table] = result_tables(replace(pairs, means=()))
    assert (table.title, table.columns, table.rows) == (title, ["rows", "kept"], [[2000, 1500]])
    assert titles(result_tables(replace(pairs, means=()), "tsv")) == ["pairs"]


def test_caches() -> None:
    model = CachedModel(file="a.sqlite", answers=3, bytes=1_234_567, used="2026-01-01")
    cached = Cached(folder="/cache", limit=10**10, bytes=1_234_567, removed=0, models=(model,))
    [table] = result_tables(cached)
    assert table.title == "/cache: 1.2 MB kept, 10,000 MB allowed"
    assert table.rows == [["a.sqlite", 3, 1_234_567, "2026-01-01"]]
    [table] = result_tables(replace(cached, limit=None, removed=1200))
    assert table.title == "/cache: 1.2 MB kept, no limit; 1,200 answers removed"
    assert titles(result_tables(cached, "tsv")) == ["cache"]


def curve(annotators: int | None, *, observed: bool = True) -> PowerCurve:
    points = (ChancePoint(sentences=500, chance=0.25), ChancePoint(sentences=1000, chance=0.5))
    return PowerCurve(
        metric="m2", baseline="a", system="b", annotators=annotators, difference=-0.125, observed=observed,
        sentences=600, chance=0.375, needed=2000, detectable=0.25, carriers=9.0, points=points,
        signature="the signature",
    )  # fmt: skip


def test_power() -> None:
    chances, curves = result_tables(Power(wanted=0.8, curves=(curve(None),)))
    assert chances.columns[3:] == ["difference", "sentences", "chance", "needed for 80%", "more", "found with 80%"]
    assert chances.rows == [["m2", "a", "b", -0.125, 600, 0.375, 2000, 1400, 0.25]]
    assert chances.footnotes == [
        "found with 80%: the smallest difference that these sentences find with this chance",
        "the observed difference is itself a guess: ask for one that matters to you",
    ]
    assert (curves.title, curves.digits, curves.footnotes) == ("By number of sentences", 3, ["the signature"])
    assert curves.columns[-2:] == ["500", "1,000"]
    assert curves.rows == [["m2", "a", "b", -0.125, 0.25, 0.5]]
    assert len(result_tables(Power(wanted=0.8, curves=(curve(None, observed=False),)))[0].footnotes) == 1
    some = Power(wanted=0.8, curves=(curve(None), curve(2)))
    assert [row[3] for row in result_tables(some)[0].rows] == [None, 2]
    [long] = result_tables(some, "tsv")
    assert long.rows[3] == ["m2", "a", "b", 2, -0.125, 1000, 0.5, 2000, 0.8, 0.25]


def test_reproductions() -> None:
    rows = {
        "gleu": {"ρ": Figure(published=0.5, ours=0.25, interval=SOME), "size": Figure(ours=1.0)},
        "lost": {"ρ": Figure(published=0.75)},
    }
    table = PaperTable(title="Table 1", columns=("ρ", "size"), rows=rows, notes=("a note",), row_name="metric")
    ours = PaperTable(title="Table 2", columns=("n",), rows={"a": {"n": Figure(ours=2.0)}})
    both = Reproduction(paper="p", about="x", tables=(table, ours))
    first, second = result_tables(both)
    assert first.columns == ["metric", "ρ published", "ρ ours", "ρ interval", "size published", "size ours"]
    assert first.rows == [["gleu", 0.5, 0.25, SOME, None, 1.0], ["lost", 0.75, None, None, None, None]]
    assert (first.digits, first.footnotes) == (3, ["a note"])
    assert (second.columns[1:], second.rows) == (["n"], [["a", 2.0]])
    [figures] = result_tables(both, "tsv")
    assert figures.rows[0] == ["Table 1", "gleu", "ρ", 0.5, 0.25, SOME]


def finding(**more: object) -> Finding:
    return Finding(
        kind="twice", where="gold.m2", count=2, of=9, unit="edits", lines=(3, 7), example="go", effect="word " * 30,
        remedy="gecval convert", **more,
    )  # fmt: skip


def diagnosis(**more: object) -> Diagnosis:
    contents = Contents(
        origin="gold.m2", sentences=4, tokens=20, longest=8, language="en", annotators=2, references="1-2", edits=6,
        systems=0,
    )  # fmt: skip
    return Diagnosis(**{"contents": contents, "findings": (), "gold": (), "blamed": (), **more})  # type: ignore[arg-type]


def test_what_the_doctor_finds() -> None:
    [contents] = result_tables(diagnosis())
    assert contents.rows == [["gold.m2", 4, 20, 8, "English", 2, "1-2", 6, 0]]
    assert contents.footnotes == ["nothing odd"]
    contents, findings, remedies = result_tables(
        diagnosis(findings=(finding(scored="m2", score=0.5, mended=0.75), finding()))
    )
    assert contents.footnotes == []
    assert findings.rows[0] == [1, "twice", "gold.m2", 2, 9, "edits", "3, 7", "go", "m2", 0.5, 0.75]
    assert findings.rows[1][0] == 2
    assert remedies.rows[:3] == [["1", ("word " * 20).strip()], ["", ("word " * 10).strip()], ["", "$ gecval convert"]]
    assert remedies.rows[3][0] == "2"
    assert result_tables(diagnosis(findings=(finding(),)), "markdown")[2].rows == [[1, "word " * 30, "gecval convert"]]
    [long] = result_tables(diagnosis(findings=(finding(scored="m2", score=0.5, mended=0.75),)), "tsv")
    assert long.columns[-3:] == ["mended", "what it does", "what to type"]
    assert long.rows[0][-3:] == [0.75, "word " * 30, "gecval convert"]
    nobody = replace(diagnosis().contents, language=None)  # type: ignore[type-var]
    assert result_tables(diagnosis(contents=nobody))[0].rows[0][4] == "not clear"
    [empty] = result_tables(diagnosis(contents=None))
    assert (empty.title, empty.rows) == ("What is odd", [])


@pytest.mark.parametrize(("letters", "lines"), [(100, 1), (101, 2)])
def test_the_doctor_writes_a_hundred_signs_in_a_line(letters: int, lines: int) -> None:
    odd = replace(finding(), effect=f"{'w' * 50} {'w' * (letters - 51)}", remedy="")
    assert len(result_tables(diagnosis(findings=(odd,)))[2].rows) == lines


def test_gold_against_itself() -> None:
    gold = SelfScore(annotator="0", annotations=4, edits=6, precision=0.5, recall=0.25, f=0.125, imperfect=2, blamed=11)
    blamed = Blamed(
        sentence=3, annotator="0", start=1, end=2, words="go", correction="goes", type="VERB", reason="it overlaps"
    )
    _, scores, edits = result_tables(diagnosis(gold=(gold,), blamed=(blamed,) * 11))
    assert scores.rows == [["0", 4, 6, 0.5, 0.25, 0.125, 2, 11]]
    assert edits.title == "Edits to blame (the first 10 of 11)"
    assert edits.rows == [[3, "0", "1 2", "go", "goes", "VERB", "it overlaps"]] * 10
    assert edits.footnotes == ["11 in all: it overlaps"]


def correlated(metric: str, *, higher_is_better: bool = True) -> HumanCorrelation:
    r, rho, tau = (Correlation(value=v, p=0.25, interval=SOME, n=4) for v in (0.5, 0.25, 0.125))
    window = Window(first=1, systems=("a", "b"), pearson=0.5, spearman=0.25)
    return HumanCorrelation(
        judgments="mine", target="expected-wins", metric=metric, pearson=r, spearman=rho, kendall=tau, systems=(),
        windows=(window,) if metric == "gleu" else (), signature=f"signature of {metric}",
        higher_is_better=higher_is_better,
    )  # fmt: skip


def people() -> HumanResult:
    kappa = Kappa(kappa=0.5, agree=0.75, comparisons=8)
    counts = JudgmentCounts(
        judgments="mine", rankings=5, sentences=4, judges=2, output_pairs=10, output_ties=3, pairs=12, ties=4,
        between_judges=kappa, within_judges=replace(kappa, kappa=0.25),
    )  # fmt: skip
    standings = (
        Standing(system="a", score=0.75, interval=SOME, ranks=(1, 1), cluster=1),
        Standing(system="b", score=0.5, interval=SOME, ranks=(2, 3), cluster=2),
    )
    rankings = tuple(
        Ranking(judgments="mine", method=method, systems=standings, level=0.9, signature="ranked")
        for method in ("expected-wins", "trueskill")
    )
    accuracy = SentenceAccuracy(
        judgments="mine", metric="gleu", agree=6, disagree=2, ties=1, policy="half", accuracy=0.75, interval=SOME
    )
    sweep = Sweep(
        correlations=np.array([0.25, 0.5]), oracle=0.75, oracle_weight=0.5, cross_validated=0.625,
        cross_validated_weights=np.array([0.25, 0.75]),
    )  # fmt: skip
    hybrid = HybridSweep(
        judgments="mine",
        target="expected-wins",
        with_references="gleu",
        without="ld",
        coefficient="spearman",
        swept=sweep,
    )
    compared = MetricComparison(
        judgments="mine", target="expected-wins", metric="gleu", other="ld", difference=-0.25, williams_p=0.5,
        permutation_p=0.125,
    )  # fmt: skip
    return HumanResult(
        level=0.9, judgments=(counts,), rankings=rankings,
        correlations=(correlated("gleu"), correlated("ld", higher_is_better=False)), accuracies=(accuracy,),
        comparisons=(compared,), hybrids=(hybrid,),
    )  # fmt: skip


def test_metrics_against_people() -> None:
    tables = result_tables(people())
    assert titles(tables) == [
        "Judgments", "mine: expected-wins", "mine: trueskill", "Metrics against people, over systems",
        "Metrics against people, over pairs of outputs", "Metrics over neighbours in the human ranking",
        "Metric against metric", "Hybrids",
    ]  # fmt: skip
    assert [(table.digits, table.interval_digits) for table in tables] == [
        (2, 3), (4, 3), (4, 3), (3, 2), (3, 3), (3, 3), (3, 3), (3, 3),
    ]  # fmt: skip
    counts, ranking, skills, correlations, accuracies, windows, comparisons, hybrids = tables
    assert counts.rows == [["mine", 5, 4, 2, 10, 3, 12, 4, 0.5, 0.25]]
    assert counts.plain == ["κ between judges", "κ within judges"]
    assert ranking.rows == [["a", 0.75, SOME, "1", 1], ["b", 0.5, SOME, "2-3", 2]]
    assert (ranking.plain, skills.plain) == ([], ["score"])
    assert [row[2:] for row in correlations.rows] == [
        [metric, sign, 4, value, SOME, 0.25]
        for sign, value in (("r", 0.5), ("ρ", 0.25), ("τ", 0.125))
        for metric in ("gleu", "ld")
    ]
    assert correlations.footnotes[-2:] == ["signature of gleu", "signature of ld"]
    assert len(correlations.footnotes) == 3  # and that ld is negated
    assert accuracies.rows == [["mine", "gleu", 6, 2, 1, 0.75, SOME, 0.5]]
    assert accuracies.footnotes == ["metric ties: half; pairs that people left tied are not counted"]
    assert windows.rows == [["mine", "expected-wins", "gleu", 1, "a b", 0.5, 0.25]]
    assert comparisons.rows == [["mine", "expected-wins", "gleu", "ld", -0.25, 0.5, 0.125]]
    first = ["mine", "expected-wins", "interpolated(gleu, ld, λ)", "ρ", 0.5, 0.25, 0.75, 0.5, 0.625]
    assert hybrids.rows == [[*first, "0.25-0.75"]]
    programs = result_tables(people(), "tsv")
    assert titles(programs)[:2] == ["Judgments", "Rankings"]
    assert programs[1].rows[1] == ["mine", "expected-wins", "b", 0.5, SOME, 2, 3, 2, "ranked"]
    assert programs[-1].columns[-2:] == ["lowest λ", "highest λ"]
    assert programs[-1].rows == [[*first, 0.25, 0.75]]


def test_only_what_was_asked_of_people_is_shown() -> None:
    alone = replace(people(), correlations=(), accuracies=(), comparisons=(), hybrids=())
    assert titles(result_tables(alone)) == ["Judgments", "mine: expected-wins", "mine: trueskill"]
    without = replace(people(), correlations=(correlated("ld"),), comparisons=(), hybrids=())
    assert titles(result_tables(without))[3:] == [
        "Metrics against people, over systems",
        "Metrics against people, over pairs of outputs",
    ]
