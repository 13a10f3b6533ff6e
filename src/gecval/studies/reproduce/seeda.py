"""SEEDA (Kobayashi, Mita & Komachi 2024): which metric agrees with people on newer systems?

15 outputs of 391 sentences, ranked by sentences (S) and by edits (E). Base is 12 systems, without INPUT and the two
fluent ones, GPT-3.5 and REF-F; "with fluent" has these two. r and ρ are correlations with people's TrueSkill scores,
accuracy is over pairs of outputs that people tell apart. Reference-based metrics are computed twice, with the false
second references of gec-metrics and with the true ones (``seeda_bench.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from gecval.cores import cores
from gecval.errors import InputError
from gecval.metrics import Metric, metric
from gecval.progress import Progress, announce, silent
from gecval.stats.contest import passes, random_orders
from gecval.stats.correlation import Coefficient, coefficients, correlate
from gecval.stats.resampling import Array, percentile_interval
from gecval.studies.all_metrics import all_metrics
from gecval.studies.human.sentences import sentence_accuracy
from gecval.studies.reproduce.results import LEVEL, Figure, PaperTable
from gecval.studies.reproduce.seeda_bench import Bench, References, Scored, Setting
from gecval.studies.reproduce.seeda_library import METRICS, library_accuracy, library_skills
from gecval.studies.reproduce.seeda_published import GEC_METRICS, ONE_PASS, OTHERS, PUBLISHED_COLUMNS
from gecval.studies.reproduce.seeda_tests import against_the_best, published_differences, readme_scores

ORDERS = 100
COEFFICIENTS: tuple[tuple[str, Coefficient], ...] = (("r", "pearson"), ("ρ", "spearman"))
FALSE: dict[References, str] = {"true": "", "false": ", false references"}

Runs = dict[tuple[str, References], Scored]  # by the metric's name and by its references


def run(progress: Progress = silent) -> list[PaperTable]:
    bench = Bench.load()
    library, not_there = _evaluate(bench, [metric(spelling) for spelling in METRICS], progress)
    scored, left_out = _evaluate(bench, all_metrics(), progress)
    announce(progress, "correlating")
    true, library_true = (
        {name: given for (name, references), given in runs.items() if references == "true"}
        for runs in (scored, library)
    )
    return [
        *(_library_table(setting, library | _named(scored, "scribendi"), not_there) for setting in bench.settings),
        *(_all_table(setting, scored, left_out) for setting in bench.settings),
        *_order_tables(bench.settings, true),
        readme_scores(bench.settings),
        published_differences(bench.settings, library_true | true),
        against_the_best(bench.settings, true),
    ]


def _evaluate(bench: Bench, metrics: Sequence[Metric], progress: Progress) -> tuple[Runs, list[str]]:
    """All metrics over all outputs, and why some are left out."""
    scored: Runs = {}
    left_out = []
    for number, wanted in enumerate(metrics):
        progress(number, len(metrics))
        announce(progress, f"{wanted!r}")
        references: tuple[References, ...] = ("true",) if wanted.needs is None else ("false", "true")
        try:
            for which in references:
                evaluations = bench.evaluate(wanted, which, jobs=cores(), progress=progress)
                scored[repr(wanted), which] = Scored.of(evaluations)
        except InputError as error:
            left_out.append(f"{wanted!r} is left out: {error}")
    return scored, left_out


def _named(scored: Runs, name: str) -> Runs:
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
        accuracy = sentence_accuracy(setting.judgments, evaluations, level=LEVEL)
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


def _order_tables(settings: Sequence[Setting], scored: Mapping[str, Scored]) -> Iterator[PaperTable]:
    """ρ of TrueSkill over sentence scores: one pass, and how much other orders of the sentences would change it."""
    kinds = list(dict.fromkeys(setting.kind for setting in settings))
    rows: dict[str, dict[str, dict[str, Figure]]] = {kind: {name: {} for name in scored} for kind in kinds}
    for name, given in scored.items():
        for outputs, systems in {setting.outputs: setting.systems for setting in settings}.items():
            evaluations = given.evaluations.only(systems)
            scores = evaluations.metric.direction * evaluations.sentence_scores().T
            one = passes(scores, np.arange(len(scores), dtype=np.int64)[None])[0]
            many = passes(scores, random_orders(len(scores), ORDERS), jobs=cores())
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
