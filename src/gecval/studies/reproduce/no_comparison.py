"""There's No Comparison (Napoles, Sakaguchi & Tetreault 2016): all tables, Figure 1, the examples and two footnotes.

Twelve systems and INPUT against the TrueSkill ranking of GJG15, with twenty references, metrics as means of sentence
scores. The paper's sentence scores of M² and I-measure (footnote 4: means 0.21 and 0.10) come out only if a sentence
that the system left alone counts 0: ``unchanged="zero"``. By default both metrics say 1 if it needed no change. Both
ways are shown.

The twenty references are eighteen different ones: A3 of Bryant & Ng is official annotator 1 in all sentences, and A7 is
annotator 0 in 1,306 of 1,312.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import stats

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics import metric
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Evaluation, sentence_scores_against
from gecval.runtime.run import HERE, SERIAL, Run, announce
from gecval.stats.correlation import Coefficient, coefficients, correlate, fisher_test
from gecval.stats.resampling import Array, Interval, MaybeUndefined
from gecval.studies.human.correlations import sweep
from gecval.studies.human.ranking import Ranker, rank
from gecval.studies.human.system_scores import (
    AGGREGATIONS,
    Evaluations,
)
from gecval.studies.reproduce.conll14 import (
    evaluate,
    load_judgment_sets,
    load_participants,
    load_twenty_references,
)
from gecval.studies.reproduce.human import GJG15_TRUESKILL
from gecval.studies.reproduce.lfm import lfm_or_reason
from gecval.studies.reproduce.no_comparison_examples import make_examples
from gecval.studies.reproduce.result import MANY, Curve, Figure, PaperChart, PaperItem, PaperTable, Point

REFERENCE_BASED = {"GLEU": "gleu", "I-measure": "imeasure(mix=False)", "M2": "m2"}
ZEROED = "unchanged = 0"
WITH_ZERO = {"I-measure": "imeasure(mix=False, unchanged='zero')", "M2": "m2(unchanged='zero')"}
# ER is e-rater, which is not for sale, and LFM comes trained; the paper did not yet have Scribendi.
REFERENCE_LESS = {"ER": None, "LFM": None, "LT": "lt", "Scribendi": "scribendi"}

# Oracle ρ and its λ, oracle r and its λ.
TABLE_2 = {
    ("GLEU", "ER"): (0.885, 0.03, 0.867, 0.27),
    ("GLEU", "LFM"): (0.874, 0.27, 0.845, 0.84),
    ("GLEU", "LT"): (0.857, 0.04, 0.867, 0.09),
    ("I-measure", "ER"): (0.874, 0.19, 0.837, 0.02),
    ("I-measure", "LFM"): (0.863, 0.37, 0.791, 0.22),
    ("I-measure", "LT"): (0.852, 0.01, 0.828, 0.01),
    ("M2", "ER"): (0.868, 0.01, 0.829, 0.00),
    ("M2", "LFM"): (0.852, 0.05, 0.754, 0.04),
    ("M2", "LT"): (0.808, 0.00, 0.811, 0.00),
}
# Corpus ρ and r; sentence ρ and r are those of Table 1.
TABLE_4 = {"GLEU": (0.725, 0.724), "I-measure": (-0.055, 0.061), "M2": (0.692, 0.617)}
# ρ and r.
TABLE_1 = {
    "GLEU": (0.852, 0.838),
    "ER": (0.852, 0.829),
    "LT": (0.808, 0.811),
    "I-measure": (0.769, 0.753),
    "LFM": (0.780, 0.742),
    "M2": (0.648, 0.641),
}
# Means and standard deviations.
FOOTNOTE_4 = {
    "GLEU": (0.52, 0.21),
    "M2": (0.21, 0.34),
    "I-measure": (0.10, 0.30),
    "ER": (0.91, 0.10),
    "LFM": (0.50, 0.16),
    "LT": (1.00, 0.01),
}
SPREAD = ("mean, 13", "deviation, 13", "mean, 12", "deviation, 12")
SEED = 1
FIGURE_1 = {1: 0.878, 3: 0.884, 20: 0.885}  # GLEU + ER, from the text

TITLE_1 = "Table 1: correlation of metrics (20 references, means of sentence scores) with GJG15's TrueSkill ranking"
STATISTICS: tuple[tuple[str, Coefficient], ...] = (("ρ", "spearman"), ("r", "pearson"))


def metrics() -> dict[str, str]:
    """The metrics of the tables that can be computed."""
    return {label: name for label, name in (REFERENCE_BASED | REFERENCE_LESS).items() if name} | {"LFM": "lfm"}


def parts(skip: Collection[str] = ()) -> dict[str, Callable[[Run], Sequence[PaperTable]]]:
    made = {"tables": make_tables, "figure": make_figure, "examples": make_examples, "footnote 5": make_footnote_5}
    return {name: partial(make, skip=tuple(skip)) for name, make in made.items()}


SAME = "the 20 references are 18 different ones: Bryant & Ng's A3 is NUCLE's annotator 1, and A7 annotator 0 but for 6"
ITEMS = (
    PaperItem(
        "§1",
        "an output with good corrections that no reference has: its GLEU and M²",
        part="examples",
        status="open",
        why="both scores are the published ones; 64 % of the outputs have a higher GLEU and 72 % a higher M², which "
        "fits §3 (the bottom half) but not §1 (75 % for both)",
    ),
    PaperItem(
        "Table 1",
        "correlation of metrics with people",
        part="tables",
        rows=("GLEU", "ER", "LT", f"I-measure, {ZEROED}", "LFM", f"M2, {ZEROED}"),
        status="open",
        why="ρ of GLEU, I-measure and M2 is the published one, with INPUT as a 13th system; r of GLEU is .879, not "
        ".838, and not reproduced; r of I-measure is the published one without INPUT; LT and LFM are other "
        "implementations; e-rater (ER) is not for sale",
    ),
    PaperItem(
        "Table 2",
        "correlation of hybrids with people",
        part="tables",
        status="explained",
        why="other checkers take the place of the paper's; e-rater (ER) is not for sale",
    ),
    PaperItem("Table 3", "three outputs of a sentence, ranked by GLEU and by a hybrid", part="examples"),
    PaperItem(
        "Table 4",
        "scores of the corpus against means of sentence scores",
        part="tables",
        rows=(
            *(f"{label}, corpus" for label in TABLE_4),
            "GLEU, mean",
            *(f"{label}, mean, {ZEROED}" for label in WITH_ZERO),
        ),
        status="open",
        why="the means are those of Table 1; the corpus scores do not come out: GLEU's ρ is .846, not .725",
    ),
    PaperItem(
        "Footnote 4",
        "means and deviations of sentence scores",
        part="tables",
        status="explained",
        why="M2 is the published one; GLEU and I-measure differ by a hundredth; LT and LFM are other implementations",
    ),
    PaperItem(
        "Footnote 5",
        "hybrids with references in random order score 15 % less",
        part="footnote 5",
        status="open",
        why="the paper does not say over which hybrids and λ the mean is taken",
    ),
    PaperItem(
        "Figure 1",
        "correlation by number of references",
        part="figure",
        status="explained",
        why="the published curve mixes GLEU with e-rater, which is not for sale; ours with LFM or LT",
    ),
)


def make_tables(run: Run = HERE, *, skip: Collection[str] = ()) -> list[PaperTable]:
    corpus = load_twenty_references()
    outputs = load_participants(corpus)
    people = _rank_people(outputs, run)
    lfm, why_not = lfm_or_reason(run) if "LFM" not in skip else (None, [])
    labels = {**REFERENCE_BASED, **REFERENCE_LESS, "LFM": repr(lfm) if lfm else None}
    labels |= {f"{label}, {ZEROED}": name for label, name in WITH_ZERO.items() if labels[label]}
    wanted = {label: name for label, name in labels.items() if label.partition(",")[0] not in skip}
    metrics, notes = evaluate(wanted, corpus, outputs, run=run)
    notes += why_not
    means = {label: evaluations.sentence_scores().mean(axis=1) for label, evaluations in metrics.items()}
    names = [system.name for system in outputs]
    of_sentences = {label: evaluations.sentence_scores() for label, evaluations in metrics.items()}
    return [
        _table_1(people, means, notes),
        _with_and_without_input(names, means),
        _table_2(people, means),
        _table_4(people, metrics, means),
        _footnote_4(names, of_sentences),
    ]


def make_figure(run: Run = HERE, *, skip: Collection[str] = ()) -> list[PaperTable]:
    """Figure 1, with the first metric without references that is there."""
    if "GLEU" in skip:
        return []
    corpus = load_twenty_references()
    outputs = load_participants(corpus)
    lfm, _ = lfm_or_reason(run) if "LFM" not in skip else (None, [])
    labels = {**REFERENCE_LESS, "LFM": repr(lfm) if lfm else None}
    for less in ("LFM", "LT", "Scribendi"):
        if less in skip:
            continue
        metrics, _ = evaluate({less: labels.get(less)}, corpus, outputs, run=run)
        if less in metrics:
            people, without = _rank_people(outputs, run), metrics[less].metric
            curve = reference_curve(people, corpus, outputs, with_references=metric("gleu"), without=without, run=run)
            return [_figure_1(curve, less)]
    return []


def _rank_people(outputs: Sequence[System], run: Run) -> Array:
    gjg15, _, _ = load_judgment_sets()
    standing = rank(gjg15, "trueskill", Ranker.preset("tools"), run=run).scores
    return np.array([standing[system.name] for system in outputs])


def _table_1(people: Array, means: Mapping[str, Array], notes: Sequence[str]) -> PaperTable:
    rows = {}
    for label in [*TABLE_1, *(label for label in means if label not in TABLE_1)]:
        published = TABLE_1.get(label.partition(",")[0], (None, None))
        rows[label] = {
            sign: _figure(value, people, means.get(label), coefficient=coefficient)
            for (sign, coefficient), value in zip(STATISTICS, published, strict=True)
        }
    return PaperTable(
        title=TITLE_1,
        columns=("ρ", "r"),
        rows=rows,
        notes=(
            f"{len(people)} systems, INPUT among them: with 12 no row comes out as published",
            "the paper's means of sentence scores (footnote 4) are those of the rows with unchanged = 0",
            SAME,
            *notes,
        ),
    )


def _with_and_without_input(names: Sequence[str], means: Mapping[str, Array]) -> PaperTable:
    """Table 1 once more, by the TrueSkill scores that GJG15 prints. The paper counts 12 systems; its ρ are of 13."""
    printed = np.array([GJG15_TRUESKILL[name] for name in names])
    systems = np.array([name != "INPUT" for name in names])
    rows = {
        label: {
            f"{sign}, {count}": Figure(ours=correlate(printed[kept], scores[kept], coefficient).value)
            for count, kept in ((13, np.ones_like(systems)), (12, systems))
            for sign, coefficient in STATISTICS
        }
        for label, scores in means.items()
    }
    return PaperTable(
        title="Table 1, with INPUT (13 systems) and without (12), by GJG15's printed TrueSkill scores",
        columns=("ρ, 13", "r, 13", "ρ, 12", "r, 12"),
        rows=rows,
        notes=(
            "the paper says 12 systems; its ρ of GLEU (.852), I-measure (.769) and M2 (.648) are those of 13, its r of "
            "I-measure (.753) is that of 12",
        ),
    )


def _footnote_4(names: Sequence[str], of_sentences: Mapping[str, Array]) -> PaperTable:
    """Means and standard deviations over all sentences of all systems."""
    systems = [place for place, name in enumerate(names) if name != "INPUT"]
    rows: dict[str, dict[str, Figure]] = {}
    for label, published in FOOTNOTE_4.items():
        scores = of_sentences.get(f"{label}, {ZEROED}", of_sentences.get(label))
        ours = [scores.mean(), scores.std()] if scores is not None else [None, None]
        without = [scores[systems].mean(), scores[systems].std()] if scores is not None else [None, None]
        rows[label] = {
            name: Figure(published=theirs, ours=None if number is None else float(number))
            for name, theirs, number in zip(SPREAD, (*published, None, None), (*ours, *without), strict=True)
        }
    return PaperTable(
        title="Footnote 4: sentence scores of 13 systems (INPUT among them) and of 12",
        columns=SPREAD,
        rows=rows,
        notes=(f"M2 and I-measure with {ZEROED}",),
    )


def _figure(published: float | None, people: Array, scores: Array | None, *, coefficient: Coefficient) -> Figure:
    if scores is None:
        return Figure(published=published)
    correlation = correlate(people, scores, coefficient)
    return Figure(published=published, ours=correlation.value, interval=correlation.interval)


def _table_2(people: Array, means: Mapping[str, Array]) -> PaperTable:
    rows = {}
    for based in REFERENCE_BASED:
        r = means.get(f"{based}, {ZEROED}", means.get(based))
        for less in REFERENCE_LESS:
            g = means.get(less)
            published = TABLE_2.get((based, less), (None,) * 4)
            for (sign, coefficient), value, weight in zip(STATISTICS, published[::2], published[1::2], strict=True):
                swept = sweep(people, r, g, coefficient=coefficient) if r is not None and g is not None else None
                rows[f"{based} + {less}, {sign}"] = {
                    "oracle": Figure(published=value, ours=swept.oracle if swept else None),
                    "λ": Figure(published=weight, ours=swept.oracle_weight if swept else None),
                    "cross-validated": Figure(ours=swept.cross_validated if swept else None),
                    "its λ": Figure(ours=float(np.median(swept.cross_validated_weights)) if swept else None),
                }
    return PaperTable(
        title="Table 2: interpolated metrics, λ·R + (1 − λ)·G",
        columns=("oracle", "λ", "cross-validated", "its λ"),
        rows=rows,
        notes=(
            f"M2 and I-measure with {ZEROED}, as in the paper; of several best λ ours is the smallest",
            "the oracle λ is chosen on the systems it is judged by; cross-validated, on the others, system by system: "
            "its λ is the median of these",
        ),
    )


def _table_4(people: Array, metrics: Mapping[str, Evaluations], means: Mapping[str, Array]) -> PaperTable:
    rows: dict[str, dict[str, Figure]] = {}
    notes = []
    for label, corpus_values in TABLE_4.items():
        published = {"corpus": corpus_values, "mean": TABLE_1[label], f"mean, {ZEROED}": TABLE_1[label]}
        scores: dict[str, Array] = {}
        if label in metrics:
            everything = np.arange(len(metrics[label].evaluations[0]), dtype=np.int64)
            scores = {way: metrics[label].scores(everything, way, runs=20) for way in AGGREGATIONS}
            if f"{label}, {ZEROED}" in means:
                scores[f"mean, {ZEROED}"] = means[f"{label}, {ZEROED}"]
            mean = means.get(f"{label}, {ZEROED}", scores["mean"])  # the paper's
            rho, mean_rho = (float(coefficients(people, side, "spearman")) for side in (scores["corpus"], mean))
            p = fisher_test(rho, mean_rho, len(people))
            notes.append(f"{label}: corpus and mean (as in the paper) differ in ρ with p = {p:.3f}")
        for way in scores or published:
            rows[f"{label}, {way}"] = {
                sign: _figure(value, people, scores.get(way), coefficient=coefficient)
                for (sign, coefficient), value in zip(STATISTICS, published.get(way, (None, None)), strict=True)
            }
    return PaperTable(
        title="Table 4: ways to get from sentences to a system's score",
        columns=("ρ", "r"),
        rows=rows,
        notes=(*notes, "p by Fisher's z, as if the two correlations were independent (the paper's footnote 7)"),
    )


def _figure_1(curve: Sequence[ReferencePoint], less: str) -> PaperTable:
    hybrid = f"GLEU + {less}"
    rows = {
        str(point.references): {
            "GLEU": Figure(
                published=TABLE_1["GLEU"][0] if point.references == 20 else None,
                ours=point.alone,
                interval=point.alone_interval,
            ),
            "GLEU + ER": Figure(published=FIGURE_1.get(point.references)),
            hybrid: Figure(ours=point.oracle, interval=point.oracle_interval),
        }
        for point in curve
    }
    alone = (Point(x=point.references, y=point.alone, interval=point.alone_interval) for point in curve)
    oracle = (Point(x=point.references, y=point.oracle, interval=point.oracle_interval) for point in curve)
    published = (Point(x=references, y=rho) for references, rho in FIGURE_1.items())
    curves = {"GLEU": alone, hybrid: oracle, "GLEU + ER, published": published}
    return PaperTable(
        title="Figure 1: mean Spearman ρ over 10 draws of so many references, oracle λ",
        columns=("GLEU", "GLEU + ER", hybrid),
        rows=rows,
        notes=("published figures are those that the text names", "95% t intervals of the mean over draws", SAME),
        row_name="references",
        chart=PaperChart(
            x=MANY,
            y="Spearman's ρ with people",
            curves=tuple(Curve(name=name, points=tuple(points)) for name, points in curves.items()),
        ),
    )


def make_footnote_5(run: Run = HERE, *, skip: Collection[str] = ()) -> list[PaperTable]:
    """Can a hybrid be gamed? Every sentence gets the references of another one."""
    corpus = load_twenty_references()
    outputs = load_participants(corpus)
    people = _rank_people(outputs, run)
    order = np.random.default_rng(SEED).permutation(len(corpus)).tolist()
    texts = [corpus.texts_of(i) for i in range(len(corpus))]
    kinds = (texts, [texts[i] for i in order])
    right, wrong = (Corpus.from_texts(corpus.sources, kind, language="en") for kind in kinds)
    labels = {"GLEU": "gleu", "I-measure": WITH_ZERO["I-measure"]}
    labels = {label: name for label, name in labels.items() if label not in skip}
    less, notes = evaluate({} if "LT" in skip else {"LT": REFERENCE_LESS["LT"]}, corpus, outputs, run=run)
    rows: dict[str, dict[str, Figure]] = {}
    changes: list[float] = []
    for label, with_right in evaluate(labels, right, outputs, run=run)[0].items():
        with_wrong = evaluate({label: labels[label]}, wrong, outputs, run=run)[0][label]
        r, random = (scored.sentence_scores().mean(axis=1) for scored in (with_right, with_wrong))
        for name, scored in less.items():
            g = scored.sentence_scores().mean(axis=1)
            weight = sweep(people, r, g).oracle_weight
            ours, gamed = (float((weight * side + (1 - weight) * g).mean()) for side in (r, random))
            changes.append(100 * (gamed / ours - 1))
            rows[f"{label} + {name}, λ = {weight:.2f}"] = {
                "right": Figure(ours=ours),
                "random": Figure(ours=gamed),
                "change, %": Figure(ours=changes[-1]),
            }
    rows["mean"] = {"change, %": Figure(published=-15, ours=float(np.mean(changes)) if changes else None)}
    return [
        PaperTable(
            title="Footnote 5: means over all systems, with the right references and with those of random sentences",
            columns=("right", "random", "change, %"),
            rows=rows,
            notes=(
                "λ is the best one by ρ with people; that of M2 + LT is 0, so that references change nothing",
                "the paper does not say which hybrids and λ its 15 % are a mean of",
                *notes,
            ),
            row_name="hybrid",
        )
    ]


@dataclass(frozen=True, kw_only=True)
class ReferencePoint:
    """With so many references: the mean correlation of the reference-based metric alone and of the oracle hybrid."""

    references: int
    alone: MaybeUndefined
    alone_interval: Interval
    oracle: MaybeUndefined
    oracle_interval: Interval


def reference_curve(
    people: Array,
    corpus: Corpus,
    systems: Sequence[System],
    *,
    with_references: Metric,
    without: Metric,
    coefficient: Coefficient = "spearman",
    repeats: int = 10,
    run: Run = SERIAL,
) -> list[ReferencePoint]:
    """Correlations with 1, 2, … all references. Each number is drawn ``repeats`` times, for 95% t intervals."""
    counts = np.diff(corpus.reference_slots)
    if counts.min() != counts.max():
        raise InputError(f"the curve needs equally many references for every sentence, not {corpus.reference_count}")
    most = int(counts[0])
    rng = np.random.default_rng(SEED)
    drawn = [np.sort(rng.choice(most, size=size, replace=False)) for size in range(1, most + 1) for _ in range(repeats)]
    subsets = [[chosen] * len(corpus) for chosen in drawn]
    announce(run.progress, "scoring with fewer references")
    scores, fixed = np.empty((len(subsets), len(systems))), np.empty(len(systems))
    for done, system in enumerate(systems):
        drawn_scores = sentence_scores_against(with_references, corpus, system, subsets, run=run)
        scores[:, done] = [sentence_scores.mean() for sentence_scores in drawn_scores]
        fixed[done] = Evaluation.of(without, corpus, system, aggregate="mean", run=run.quiet()).score()
        run.progress(done + 1, len(systems))
    scores, fixed = with_references.direction * scores, without.direction * fixed
    sweeps = [sweep(people, system_scores, fixed, coefficient=coefficient) for system_scores in scores]
    points = []
    for size in range(1, most + 1):
        draws = sweeps[(size - 1) * repeats : size * repeats]
        alone = np.array([swept.reference_based_alone for swept in draws])
        oracle = np.array([swept.oracle for swept in draws])
        points.append(
            ReferencePoint(
                references=size,
                alone=float(alone.mean()),
                alone_interval=_t_interval(alone),
                oracle=float(oracle.mean()),
                oracle_interval=_t_interval(oracle),
            )
        )
    return points


def _t_interval(values: Array) -> Interval:
    mean, spread = float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else float("nan")
    reach = float(stats.t.ppf(0.975, max(len(values) - 1, 1))) * spread / len(values) ** 0.5
    return Interval(mean - reach, mean + reach)
