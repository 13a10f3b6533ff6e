"""SEEDA (Kobayashi, Mita & Komachi 2024): which metric agrees with people on newer systems?

15 outputs of 391 sentences, ranked by sentences (S) and by edits (E). Base is 12 systems, without INPUT and the two
fluent ones, GPT-3.5 and REF-F; "with fluent" has these two. r and ρ are correlations with people's TrueSkill scores,
accuracy is over pairs of outputs of which people prefer one. Reference-based metrics are computed twice, with the false
second references of gec-metrics and with the true ones (``conll14.py``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from gecval.errors import InputError
from gecval.formats.judgments import Judgments
from gecval.metrics import Metric, metric
from gecval.metrics.reference_rules import mean_over_references
from gecval.runtime.run import HERE, Run, announce
from gecval.stats.correlation import Coefficient, coefficients, correlate, williams_test
from gecval.stats.paired_tests import correct_p_values
from gecval.stats.ranking import passes, random_orders, skills
from gecval.stats.resampling import Array, percentile_interval
from gecval.studies.human.preferences import measure_accuracy
from gecval.studies.human.system_scores import Evaluations
from gecval.studies.reproduce.conll14 import References, ScoredMetric, SeedaCorpus, Setting
from gecval.studies.reproduce.result import LEVEL, Figure, PaperTable
from gecval.studies.validate.people import list_default_metrics

ORDERS = 100
COEFFICIENTS: tuple[tuple[str, Coefficient], ...] = (("r", "pearson"), ("ρ", "spearman"))
FALSE: dict[References, str] = {"true": "", "false": ", false references"}

Runs = dict[tuple[str, References], ScoredMetric]  # by the metric's name and by its references


def metrics() -> dict[str, str]:
    """The metrics of the tables."""
    return {name: name for name in dict.fromkeys([*METRICS, *map(repr, list_default_metrics())])}


def make_tables(run: Run = HERE, *, skip: Collection[str] = ()) -> list[PaperTable]:
    bench = SeedaCorpus.load()
    library, not_there = _evaluate(bench, [metric(spelling) for spelling in METRICS if spelling not in skip], run)
    scored, left_out = _evaluate(bench, [given for given in list_default_metrics() if repr(given) not in skip], run)
    announce(run.progress, "correlating")
    true, library_true = (
        {name: given for (name, references), given in runs.items() if references == "true"}
        for runs in (scored, library)
    )
    return [
        *(
            _library_table(setting, library | _rename_runs(scored, "scribendi"), not_there)
            for setting in bench.settings
        ),
        *(_all_table(setting, scored, left_out) for setting in bench.settings),
        *_order_tables(bench.settings, true),
        readme_scores(bench.settings),
        published_differences(bench.settings, library_true | true),
        against_the_best(bench.settings, true),
    ]


def _evaluate(bench: SeedaCorpus, metrics: Sequence[Metric], run: Run) -> tuple[Runs, list[str]]:
    """All metrics over all outputs, and why some are left out."""
    scored: Runs = {}
    left_out = []
    for number, wanted in enumerate(metrics):
        run.progress(number, len(metrics))
        announce(run.progress, f"{wanted!r}")
        references: tuple[References, ...] = ("true",) if wanted.needs is None else ("false", "true")
        try:
            for which in references:
                evaluations = bench.evaluate(wanted, which, run=run)
                scored[repr(wanted), which] = ScoredMetric.of(evaluations)
        except InputError as error:
            left_out.append(f"{wanted!r} is left out: {error}")
    return scored, left_out


def _rename_runs(scored: Runs, name: str) -> Runs:
    return {key: given for key, given in scored.items() if key[0] == name}


def _library_table(setting: Setting, scored: Runs, left_out: Sequence[str]) -> PaperTable:
    """What gec-metrics prints, by its own rules for ties and for GLEU."""
    published = GEC_METRICS[setting.name]
    rows: dict[str, dict[str, Figure]] = {}
    for (name, references), given in scored.items():
        evaluations = given.evaluations.only(setting.systems)
        without = evaluations.metric.needs is None
        known = published.get(name, {}) if without or references == "false" else {}
        cells = dict(_correlations(setting, given.on(setting), known))
        cells["accuracy"] = Figure(
            published=known.get("accuracy"), ours=library_accuracy(setting.judgments, evaluations)
        )
        rho = correlate(setting.trueskill, library_skills(evaluations), "spearman")
        cells[ONE_PASS] = Figure(published=known.get(ONE_PASS), ours=rho.value, interval=rho.interval)
        rows[name if without else f"{name}, {references} references"] = cells
    for label, known in published.items():
        if (label, "true") not in scored:
            rows[label] = {column: Figure(published=value) for column, value in known.items()}
    return PaperTable(
        title=f"{setting.name}: as gec-metrics computes it",
        columns=(*PUBLISHED_COLUMNS, ONE_PASS),
        rows=rows,
        notes=(
            "the 88 second references that are false say that nothing is to correct; 22 of them are judged",
            "accuracy: a metric's tie counts for the system that comes later in the alphabet; GLEU without smoothing",
            f"{ONE_PASS}: systems meet on every sentence, one pass in the order of the sentences",
            "published figures were read off READMEs and notes on the papers",
            *left_out,
        ),
    )


def _all_table(setting: Setting, scored: Runs, left_out: Sequence[str]) -> PaperTable:
    """Every metric, by our rules: ties count half, and the interval draws sentences."""
    published = OTHERS[setting.name]
    rows: dict[str, dict[str, Figure]] = {}
    for (name, references), given in scored.items():
        evaluations = given.evaluations.only(setting.systems)
        known = published.get(name, {}) if references == "true" else {}
        accuracy = measure_accuracy(setting.judgments, evaluations, level=LEVEL)
        rows[f"{name}{FALSE[references]}"] = {
            **dict(_correlations(setting, given.on(setting), known)),
            "accuracy": Figure(published=known.get("accuracy"), ours=accuracy.accuracy, interval=accuracy.interval),
        }
    for label, known in published.items():
        if (label, "true") not in scored:
            rows[label] = {column: Figure(published=value) for column, value in known.items()}
    return PaperTable(
        title=f"{setting.name}: all metrics",
        columns=PUBLISHED_COLUMNS,
        rows=rows,
        notes=(
            f"{len(setting.systems)} systems; correlations with people's TrueSkill scores as SEEDA has them",
            "accuracy over pairs of outputs that people tell apart; metric ties count half",
            "published: Kobayashi et al. 2024, Ye et al. 2025, READMEs of SURE and scribendi_score; read off notes",
            *left_out,
        ),
    )


def _order_tables(settings: Sequence[Setting], scored: Mapping[str, ScoredMetric]) -> Iterator[PaperTable]:
    """ρ of TrueSkill over sentence scores: one pass, and how much other orders of the sentences would change it."""
    kinds = list(dict.fromkeys(setting.kind for setting in settings))
    rows: dict[str, dict[str, dict[str, Figure]]] = {kind: {name: {} for name in scored} for kind in kinds}
    for name, given in scored.items():
        for outputs, systems in {setting.outputs: setting.systems for setting in settings}.items():
            evaluations = given.evaluations.only(systems)
            scores = evaluations.metric.direction * evaluations.sentence_scores().T
            one = passes(scores, np.arange(len(scores), dtype=np.int64)[None])[0]
            many = passes(scores, random_orders(len(scores), ORDERS), run=HERE)
            for setting in settings:
                if setting.outputs == outputs:
                    rows[setting.kind][name] |= _of_orders(setting, one, many)
    for kind in kinds:
        yield PaperTable(
            title=f"SEEDA-{kind}: ρ of TrueSkill over sentence scores, and the order of the sentences",
            columns=tuple(next(iter(rows[kind].values()), {})),
            rows=rows[kind],
            notes=(
                f"{ORDERS} orders: ρ of the mean over random orders of the sentences; the interval holds "
                f"{LEVEL:.0%} of the single orders",
            ),
        )


def _of_orders(setting: Setting, one: Array, many: Array) -> dict[str, Figure]:
    people = setting.trueskill
    single = coefficients(np.broadcast_to(people, many.shape), many, "spearman")
    return {
        f"{setting.outputs}, one pass": Figure(ours=float(coefficients(people, one, "spearman"))),
        f"{setting.outputs}, {ORDERS} orders": Figure(
            ours=float(coefficients(people, many.mean(axis=0), "spearman")),
            interval=percentile_interval(single, LEVEL),
        ),
    }


def _correlations(setting: Setting, scores: Array, published: Mapping[str, float]) -> Iterator[tuple[str, Figure]]:
    for sign, coefficient in COEFFICIENTS:
        ours = correlate(setting.trueskill, scores, coefficient, level=LEVEL)
        yield sign, Figure(published=published.get(sign), ours=ours.value, interval=ours.interval)


# SEEDA as gec-metrics 0.1.2 meta-evaluates on it: what its published figures hang on besides the metric.
#
# Over pairs p < q of systems in alphabetical order of which people prefer one,
#
#     accuracy = (pairs where the metric says p and people do, or does not say p and people say q) / pairs
#
# So a tie of the metric counts for q: it is right or wrong by the alphabet. Scores are compared to the last bit. A
# sentence's GLEU is not smoothed: it is 0 where one order of n-grams has no match. TrueSkill takes one pass over the
# sentences in their order.


METRICS = ("green", "errant", 'gleu(form="paper")', 'gotoscorer(pool="none", form="gec-metrics")')


def library_sentence_scores(evaluations: Evaluations) -> Array:
    """[system, sentence]"""
    metric = evaluations.metric
    if not metric.smooths_sentences:
        return evaluations.sentence_scores()
    statistics = [evaluation.statistics for evaluation in evaluations.evaluations]
    return np.array([mean_over_references(metric.score(part.rows), part.offsets) for part in statistics])


def library_accuracy(judgments: Judgments, evaluations: Evaluations) -> float:
    """The share of people's preferences that the metric has too; its ties go by the alphabet."""
    names = sorted(evaluations.systems)
    scores = library_sentence_scores(evaluations.only(names)).T[judgments.sentences]
    human = judgments.preferences[:, [judgments.systems.index(name) for name in names]]
    agree = pairs = 0
    with np.errstate(invalid="ignore"):  # not every system is ranked in every item
        for p in range(len(names)):
            preferred, other = human[:, p, None] > human[:, p + 1 :], human[:, p, None] < human[:, p + 1 :]
            says_p = scores[:, p, None] > scores[:, p + 1 :]
            agree += int((preferred & says_p).sum() + (other & ~says_p).sum())
            pairs += int(preferred.sum() + other.sum())
    return agree / pairs


def library_skills(evaluations: Evaluations) -> Array:
    """The systems' μ after one pass. Places of scores have no last bit that could be taken for rounding."""
    scores = library_sentence_scores(evaluations).T
    places = np.unique(scores, return_inverse=True)[1].reshape(scores.shape).astype(np.float64)
    return np.array([skill.mu for skill in skills(places, "trueskill-pass")])


# Which differences between metrics on SEEDA are larger than chance?
#
# Williams' test asks whether two correlations with the same people over the same systems differ. Where a metric does
# not run here, its system scores are those of SEEDA's README, over all 1312 sentences.


CHANCE = 1 - LEVEL


def readme_scores(settings: Sequence[Setting]) -> PaperTable:
    """The metrics of SEEDA's README against people, with intervals."""
    rows: dict[str, dict[str, Figure]] = {name: {} for name in README_SCORES}
    for setting in settings:
        for name, scores in _of_the_readme(setting).items():
            r = correlate(setting.trueskill, scores, level=LEVEL)
            rows[name][setting.name] = Figure(ours=r.value, interval=r.interval)
    return PaperTable(
        title="SEEDA: r of the system scores that its README publishes",
        columns=tuple(setting.name for setting in settings),
        rows=rows,
        notes=("scores over all 1312 sentences, not over the 391 judged ones; the README prints no correlations",),
    )


def published_differences(settings: Sequence[Setting], scored: Mapping[str, ScoredMetric]) -> PaperTable:
    """Every two metrics with a published r: their difference, and whether chance may explain it."""
    rows: dict[str, dict[str, Figure]] = {}
    for setting in settings:
        known = {name: cells["r"] for name, cells in _merge_published(setting).items() if "r" in cells}
        scores = _of_the_readme(setting) | _ours(setting, scored)
        pairs = [(a, b) for a, b in combinations(known, 2) if a in scores and b in scores]
        p_values = [williams_test(setting.trueskill, scores[a], scores[b]) for a, b in pairs]
        for (a, b), p, holm in zip(pairs, p_values, correct_p_values(p_values, "holm"), strict=True):
            r_a, r_b = (float(coefficients(setting.trueskill, scores[name])) for name in (a, b))
            rows[f"{setting.name}: {a} − {b}"] = {
                "difference of r": Figure(published=known[a] - known[b], ours=r_a - r_b),
                "p": Figure(ours=p),
                "p, Holm": Figure(ours=holm),
            }
    chance, alone = (sum((cells[column].ours or 0) >= CHANCE for cells in rows.values()) for column in ("p, Holm", "p"))
    return PaperTable(
        title="SEEDA: published differences between metrics, and Williams' test",
        columns=("difference of r", "p", "p, Holm"),
        rows=rows,
        notes=(
            f"of {len(rows)} published differences, {len(rows) - chance} are larger than chance at {CHANCE:.0%} "
            f"(Holm's correction within each setting), {len(rows) - alone} if each is tested alone",
            "the two published figures of a difference may be of two papers; p is of our scores",
            f"metrics that do not run here have the scores of SEEDA's README: {', '.join(README_SCORES)}",
        ),
        row_name="difference",
    )


def against_the_best(settings: Sequence[Setting], scored: Mapping[str, ScoredMetric]) -> PaperTable:
    """In each setting, every metric against the one with the highest r: p of Williams' test."""
    rows: dict[str, dict[str, Figure]] = {name: {} for name in scored}
    notes = ["the best is chosen on the systems that it is tested on, which flatters it"]
    for setting in settings:
        scores = _ours(setting, scored)
        r = {name: float(coefficients(setting.trueskill, given)) for name, given in scores.items()}
        best = max(r, key=lambda name: r[name] if np.isfinite(r[name]) else -2.0)
        others = [name for name in scores if name != best and np.isfinite(r[name])]
        p_values = correct_p_values(
            [williams_test(setting.trueskill, scores[best], scores[name]) for name in others], "holm"
        )
        for name, p in zip(others, p_values, strict=True):
            rows[name][setting.name] = Figure(ours=p)
        equal = [name for name, p in zip(others, p_values, strict=True) if p >= CHANCE]
        notes.append(
            f"{setting.name}: {best} is best, r {r[best]:.3f}; not worse beyond chance: {', '.join(equal) or 'none'}"
        )
    return PaperTable(
        title="SEEDA: p of Williams' test against the metric with the highest r, Holm's correction",
        columns=tuple(setting.name for setting in settings),
        rows=rows,
        notes=tuple(notes),
    )


def _merge_published(setting: Setting) -> dict[str, dict[str, float]]:
    """Both lists of published figures as one; where both have a figure, that of the other papers."""
    library, others = GEC_METRICS[setting.name], OTHERS[setting.name]
    return {name: library.get(name, {}) | others.get(name, {}) for name in library | others}


def _of_the_readme(setting: Setting) -> dict[str, Array]:
    systems = setting.judgments.systems
    return {
        name: np.array([dict(zip(systems, scores, strict=True))[system] for system in setting.systems])
        for name, scores in README_SCORES.items()
    }


def _ours(setting: Setting, scored: Mapping[str, ScoredMetric]) -> dict[str, Array]:
    return {name: given.on(setting) for name, given in scored.items()}


# What papers and READMEs print of agreement with SEEDA: r and ρ over systems (people's TrueSkill), and accuracy.
#
# All were read off a README, a paper's LaTeX or a note on the paper, not off its PDF. A metric has the name under which
# we compute it; others have the papers' names, and no figure of ours.


Published = dict[str, dict[str, float]]  # of a metric, by column
PUBLISHED_COLUMNS = ("r", "ρ", "accuracy")
ONE_PASS = "ρ, TrueSkill"

PAPER_GLEU = "gleu(form='paper')"

# gec-metrics: README, its paper, and "Rethinking Evaluation Metrics for GEC" (Goto et al. 2025). Second references of
# 88 sentences are false.
GEC_METRICS: dict[str, Published] = {
    "SEEDA-S, base": {
        "green": {"ρ": 0.881, ONE_PASS: 0.846},
        "errant": {"ρ": 0.343, "accuracy": 0.594, ONE_PASS: 0.706},
        PAPER_GLEU: {"r": 0.886, "ρ": 0.902, "accuracy": 0.6716, ONE_PASS: 0.846},
        "PT-ERRANT": {"ρ": 0.629, ONE_PASS: 0.797},
        "scribendi": {"ρ": 0.636, ONE_PASS: 0.762},
        "SOME": {"ρ": 0.867, "accuracy": 0.778, ONE_PASS: 0.881},
        "IMPARA": {"ρ": 0.902, "accuracy": 0.753, ONE_PASS: 0.923},
    },
    "SEEDA-S, with fluent": {
        "errant": {"ρ": -0.156, ONE_PASS: 0.095},
        "scribendi": {"ρ": 0.714, ONE_PASS: 0.859},
        "SOME": {"ρ": 0.916, ONE_PASS: 0.925},
        "IMPARA": {"ρ": 0.938, ONE_PASS: 0.952},
    },
    "SEEDA-E, base": {PAPER_GLEU: {"accuracy": 0.6735}},
    "SEEDA-E, with fluent": {
        "green": {"r": 0.252, "ρ": 0.618},
        "errant": {"r": -0.508, "ρ": 0.033},
        PAPER_GLEU: {"r": 0.232, "ρ": 0.569},
        "scribendi": {"r": 0.715, "ρ": 0.842},
        "SOME": {"r": 0.943, "ρ": 0.969},
        "IMPARA": {"r": 0.900, "ρ": 0.978},
        "GPT-4-S (gpt-4o-mini)": {"r": 0.390, "ρ": 0.714},
        "Qwen2.5-S": {"r": 0.790, "ρ": 0.930},
    },
}

# Kobayashi et al. 2024 (BEA, Table 1: SEEDA-E, base), Ye et al. 2025 (CLEME2.0: base), the README of
# gotutiyan/scribendi_score, and the README of SURE.
OTHERS: dict[str, Published] = {
    "SEEDA-S, base": {
        "errant": {"r": 0.557, "ρ": 0.406},
        "cleme": {"r": 0.633, "ρ": 0.501},
        "cleme2": {"r": 0.937, "ρ": 0.865},
        "gotoscorer": {"r": 0.929, "ρ": 0.881},
        "scribendi": {"r": 0.6308, "ρ": 0.641},
        "SOME": {"r": 0.892, "ρ": 0.867},
        "CLEME2.0-sim-ind": {"r": 0.921, "ρ": 0.907},
        "SURE": {"r": 0.927, "ρ": 0.895, "accuracy": 0.809},
    },
    "SEEDA-S, with fluent": {"SURE": {"r": 0.970, "ρ": 0.934}},
    "SEEDA-E, base": {
        "m2": {"r": 0.791, "ρ": 0.764, "accuracy": 0.582},
        "errant": {"r": 0.697, "ρ": 0.671, "accuracy": 0.573},
        "gleu": {"r": 0.911, "ρ": 0.897, "accuracy": 0.695},
        "cleme": {"r": 0.755, "ρ": 0.757},
        "cleme2": {"r": 0.945, "ρ": 0.939},
        "gotoscorer": {"r": 0.901, "ρ": 0.937},
        "scribendi": {"r": 0.8324, "ρ": 0.8476},
        "SOME": {"r": 0.901, "ρ": 0.951, "accuracy": 0.747},
        "IMPARA": {"r": 0.889, "ρ": 0.944, "accuracy": 0.742},
        "CLEME2.0-sim-ind": {"r": 0.953, "ρ": 0.981},
        "SURE": {"r": 0.932, "ρ": 0.972, "accuracy": 0.797},
        "GPT-3.5-S": {"r": 0.878, "ρ": 0.916, "accuracy": 0.633},
        "GPT-4-S": {"r": 0.960, "ρ": 0.958, "accuracy": 0.798},
        "GPT-4-S + fluency": {"r": 0.974, "ρ": 0.979, "accuracy": 0.831},
        "GPT-4-E + impact": {"r": 0.905, "ρ": 0.986, "accuracy": 0.730},
    },
    "SEEDA-E, with fluent": {"m2": {"r": -0.239}, "SURE": {"r": 0.976, "ρ": 0.982}},
}

# SEEDA's README: scores over all 1312 sentences, of the 15 systems in alphabetical order.
_README = {
    "M2": "50.3 62.77 61.83 63.53 53.5 0 55.5 59.93 47.48 60.12 64.74 65.07 56.29 68.08 64.55",
    "SentM2": "51.29 63.21 61.23 60.37 53.28 31.33 58 60.7 48.99 62.3 64.22 65.2 57.59 68.33 62.68",
    "PT-M2": "50.41 62.99 60.76 59.21 53.41 31.33 57.16 60.69 46.54 62.91 64.31 66.13 57.47 68.37 62.67",
    "ERRANT": "46.66 58.99 58.05 61.43 44.12 0 52.38 55.89 33.24 54.77 61.88 60.65 51.34 64.43 61.33",
    "SentERRANT": "50.31 61.81 59.76 59.64 49.23 31.4 56.41 59.35 41.41 60.11 63.13 63.24 56.08 66.76 61.38",
    "PT-ERRANT": "48.89 61.18 59.17 58.57 48.93 31.33 55.86 58.65 39.69 60.6 62.73 63.77 55.96 66.37 61.19",
    "GoToScorer": "15.86 21.1 18.98 16.58 22.85 0 16.23 21.07 21.7 23.92 20.94 20.46 14.7 21.93 18.94",
    "GLEU": "63.46 68.5 66.56 65.08 65.93 56.6 64.39 67.83 60.34 67.27 68.37 68.81 65.07 70.2 67.41",
    "Scribendi": "527 739 640 529 835 0 683 601 711 754 678 668 448 779 666",
    "SOME": "0.7933 0.8151 0.8016 0.786 0.8379 0.7506 0.8028 0.8066 0.8463 0.8155 0.8123 0.8202 0.7972 0.82 0.808",
    "IMPARA": "5.31 5.816 5.644 5.17 6.376 4.089 5.543 5.659 6.569 5.908 5.757 6.045 5.52 6.035 5.591",
}
README_SCORES = {metric: tuple(map(float, scores.split())) for metric, scores in _README.items()}
