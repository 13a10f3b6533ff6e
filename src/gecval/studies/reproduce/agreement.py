"""Which metric agrees with people? All metrics on all sets of judgments, next to controls and ceilings. No paper.

GJG15 and NSPT15 judge the participants of CoNLL-2014, SEEDA newer systems, by sentences (S) and by edits (E); base
leaves out the two fluent outputs. Metrics see CoNLL-2014's two official references, or Bryant & Ng's ten.

- **The confound**: accuracy over all pairs of outputs next to that over pairs with equally many edits, where a metric
  that rewards change alone is a coin.
- **Blind choices**: metrics and pairs of them, interpolated, are fitted to one set, and the best is shown on others.
- **Graded Scribendi**: its threshold and penalty chosen on one set and shown on the others; the places of attacks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations, product
from math import nan

import numpy as np

from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.metrics import Metric, metric
from gecval.metrics.base import Array
from gecval.metrics.scribendi import GradedScribendi
from gecval.results.table import decimals
from gecval.runtime.run import HERE, SERIAL, Run, announce
from gecval.studies.attack.adversaries import ADVERSARIES
from gecval.studies.attack.study import load_published_attacks
from gecval.studies.human.preferences import CONTROLS, Share
from gecval.studies.human.system_scores import Evaluations, SystemScores
from gecval.studies.human.transfer import BlindChoice, Criterion, ScoredSet, choose_and_test
from gecval.studies.reproduce.conll14 import load_ten_references, load_two_references
from gecval.studies.reproduce.result import Figure, PaperChart, PaperTable, Spot
from gecval.studies.validate.people import (
    OPTIONS,
    AgreementOnSet,
    JudgedBenchmark,
    PlacedSet,
    list_default_metrics,
    load_benchmarks,
)

REFERENCES: Mapping[str, Callable[[], Corpus]] = {"two": load_two_references, "ten": load_ten_references}
THRESHOLDS, PENALTIES = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9), (0.0, 0.5, 1.0, 2.0)
COST = 0.005  # of accuracy, that a gate may cost
ATTACKED = ("graded-scribendi", "scribendi", "perplexity", "gleu")


def metrics() -> dict[str, str]:
    """The metrics of the tables."""
    return {name: name for name in map(repr, list_default_metrics())}


def parts(*, skip: Collection[str] = ()) -> dict[str, Callable[[Run], list[PaperTable]]]:
    """The tables by the references that metrics see, the choices, and what concerns graded Scribendi alone."""
    skipped = tuple(skip)
    return {
        "two references": partial(_agreement_tables, "two", skipped),
        "ten references": partial(_agreement_tables, "ten", skipped),
        "blind choices, two references": partial(_choice_tables, "two", skipped),
        "blind choices, ten references": partial(_choice_tables, "ten", skipped),
        "graded Scribendi": _graded_tables,
    }


# Every metric on every set.


@dataclass(frozen=True, kw_only=True)
class ScoredBenchmark:
    """Judged systems under all metrics: sentence scores of the judged sentences, and what every set says."""

    benchmark: JudgedBenchmark
    scores: Mapping[str, Array]
    on_sets: Mapping[str, tuple[AgreementOnSet, ...]]
    controls: Mapping[str, tuple[AgreementOnSet, ...]]
    left_out: tuple[str, ...]


@lru_cache(maxsize=2)  # the tables and the choices look at the same
def _score_benchmarks(references: str, skip: tuple[str, ...], run: Run) -> list[ScoredBenchmark]:
    wanted = [given for given in list_default_metrics() if repr(given) not in skip]
    scored = []
    for benchmark in load_benchmarks(REFERENCES[references]):
        scores: dict[str, Array] = {}
        on_sets: dict[str, tuple[AgreementOnSet, ...]] = {}
        left_out = [lacking.why for lacking in benchmark.lacking]
        for number, given in enumerate(wanted if benchmark.sets else ()):
            run.progress(number, len(wanted))
            announce(run.progress, f"{given!r}, {references} references")
            try:
                scores[repr(given)], on_sets[repr(given)] = score_metric(benchmark, given)
            except InputError as error:
                left_out.append(f"{given!r} is left out: {error}")
        scored.append(
            ScoredBenchmark(
                benchmark=benchmark,
                scores=scores,
                on_sets=on_sets,
                controls={name: benchmark.judge_control(name, OPTIONS) for name in CONTROLS if benchmark.sets},
                left_out=tuple(left_out),
            )
        )
    return scored


def score_metric(benchmark: JudgedBenchmark, given: Metric) -> tuple[Array, tuple[AgreementOnSet, ...]]:
    """Scores [system, judged sentence] that rise with quality, and the agreement with every set."""
    part, evaluations = benchmark.evaluate(given, run=SERIAL)
    scores = given.direction * evaluations.sentence_scores()
    narrow = scores if part is not benchmark else scores[:, benchmark.judged_sentences]
    return narrow, part.judge_evaluated(evaluations, OPTIONS, accuracy=True)


def _agreement_tables(references: str, skip: tuple[str, ...], run: Run = HERE) -> list[PaperTable]:
    """r, ρ, accuracy, accuracy where outputs have equally many edits: a table each, and the picture of the confound."""
    scored = _score_benchmarks(references, skip, run)
    names = list(dict.fromkeys(name for part in scored for name in part.on_sets))
    if references != "two":  # the others are the same as with two
        names = [name for name in names if metric(name).needs is not None]
    cells: dict[str, dict[str, dict[str, Figure]]] = {title: {} for title in TITLES}
    for part in scored:
        listed = {name: part.on_sets[name] for name in names if name in part.on_sets}
        listed |= {f"control: {name}": on for name, on in part.controls.items()}
        for name, on_sets in listed.items():
            for placed, on in zip(part.benchmark.sets, on_sets, strict=True):
                for title, figure in _figures(placed, on):
                    cells[title].setdefault(name, {})[placed.name] = figure
        for placed in part.benchmark.sets:
            judge = placed.preferred.second_judge
            cells["accuracy"].setdefault("second judge", {})[placed.name] = _share(judge)
    sets = [placed for part in scored for placed in part.benchmark.sets]
    columns = tuple(placed.name for placed in sets)
    notes = tuple(dict.fromkeys(note for part in scored for note in part.left_out))
    tables = [
        PaperTable(
            title=f"{title.capitalize() if len(title) > 1 else title} with {references} references: {about}",
            columns=columns,
            rows=cells[title],
            notes=notes if title == "r" else (),
            row_name="metric",
        )
        for title, about in TITLES.items()
    ]
    return [*tables, _confound(references, cells, sets)]


TITLES = {
    "r": "Pearson's correlation with Expected Wins, over systems",
    "ρ": "Spearman's, over systems",
    "accuracy": "pairs of outputs of which people prefer one",
    "equal edits": "accuracy over the pairs whose outputs have equally many edits",
}


def _figures(placed: PlacedSet, on: AgreementOnSet) -> Iterator[tuple[str, Figure]]:
    agreement = placed.agreement(on)
    for title, correlation in (("r", agreement.pearson), ("ρ", agreement.spearman)):
        yield title, Figure(ours=correlation.value, interval=correlation.interval)
    yield "accuracy", Figure(ours=agreement.accuracy, interval=agreement.accuracy_interval)
    if agreement.equal_edits:
        yield "equal edits", _share(agreement.equal_edits)


def _share(share: Share) -> Figure:
    return Figure(ours=share.value, interval=share.interval)


def _confound(
    references: str, cells: Mapping[str, Mapping[str, Mapping[str, Figure]]], sets: Sequence[PlacedSet]
) -> PaperTable:
    """The picture: a metric that lives on the amount of change falls to .5 where outputs have equally many edits."""
    spots = [
        Spot(panel=place, name=name, x=_value(on[place]), y=_value(cells["equal edits"][name][place]))
        for name, on in cells["accuracy"].items()
        if name in cells["equal edits"]
        for place in on
    ]
    more = [
        f"{placed.name}: in {placed.preferred.more_edits.value:.0%} of {placed.preferred.more_edits.pairs:,} pairs the "
        f"preferred output has more edits, in {placed.preferred.fewer_edits.value:.0%} fewer"
        for placed in sets
    ]
    return PaperTable(
        title=f"The confound, {references} references: does a metric see more than the amount of change?",
        columns=(),
        rows={},
        notes=tuple(more),
        chart=PaperChart(x="accuracy, all pairs", y="accuracy, equally many edits", curves=(), spots=tuple(spots)),
    )


def _value(figure: Figure) -> float:
    return nan if figure.ours is None else figure.ours


# Chosen on one set, shown on the others.


def _choice_tables(references: str, skip: tuple[str, ...], run: Run = HERE) -> list[PaperTable]:
    """All metrics and all pairs of them, fitted to each set, and the best shown on sets that other people judged."""
    scored = _score_benchmarks(references, skip, run)
    # A metric that could not be computed on one of the benchmarks cannot be carried over.
    names = [name for name in scored[0].scores if all(name in part.scores for part in scored if part.benchmark.sets)]
    mixes = [(metric(name),) for name in names] + [*combinations(map(metric, names), 2)]
    sets = [(part, place) for part in scored for place in range(len(part.benchmark.sets))]
    rows: dict[Criterion, dict[str, dict[str, Figure]]] = {"accuracy": {}, "r": {}}
    notes: dict[Criterion, list[str]] = {"accuracy": [], "r": []}
    ready = {(id(part), place): _scored_set(part, place, names) for part, place in sets}
    for number, (part, place) in enumerate(sets):
        announce(run.progress, f"choosing on {part.benchmark.sets[place].name}")
        run.progress(number, len(sets))
        train = part.benchmark.sets[place]
        others = [(b, p) for b, p in sets if b.benchmark.sets[p].of.name != train.of.name]
        tests = [ready[id(b), p] for b, p in others]
        candidates, choices = choose_and_test(mixes, [ready[id(part), place]], tests, OPTIONS.ranker)
        alone = [[c.tested for c in candidates if c.parts == 1 and c.criterion == name] for name in rows]
        for criterion, singles in zip(rows, alone, strict=True):
            chosen = [choice for choice in choices if choice.criterion == criterion]
            notes[criterion].append(f"{train.name}: {chosen[0].metric}; alone: {chosen[0].alone}")
            for column, ((b, p), choice) in enumerate(zip(others, chosen, strict=True)):
                new = "" if b is not part else ", same outputs"
                label = f"{train.name} → {b.benchmark.sets[p].name}{new}"
                rows[criterion][label] = _choice_row(choice, max(values[column] for values in singles))
    return [
        PaperTable(
            title=f"Blind choice by {criterion}, {references} references: {len(mixes)} candidates",
            columns=tuple(next(iter(rows[criterion].values()), {})),
            rows=rows[criterion],
            notes=(*_sum_up(rows[criterion]), *notes[criterion]),
            row_name="chosen on → tested on",
        )
        for criterion in rows
    ]


def _scored_set(part: ScoredBenchmark, place: int, names: Sequence[str]) -> ScoredSet:
    """One set, on the judged sentences alone."""
    placed = part.benchmark.judged.sets[place]
    listed = [system.name for system in part.benchmark.systems]
    systems = tuple(system.name for system in placed.systems)
    places = [listed.index(name) for name in systems]
    return ScoredSet(
        judgments=placed.judgments,
        systems=systems,
        people=np.array([placed.ranking.scores[name] for name in systems]),
        scores={name: part.scores[name][places] for name in names},
        alone={name: part.on_sets[name][place].scores.rising for name in names},
    )


CHOSEN, ALONE, GAIN = "interpolated or alone", "alone", "gain"


def _choice_row(choice: BlindChoice, best_alone: float) -> dict[str, Figure]:
    """The best of all and the best metric alone, both chosen blind, and what would have been best alone."""
    if choice.criterion == "accuracy":
        return {
            CHOSEN: _share(choice.accuracy),
            ALONE: _share(choice.accuracy_alone),
            GAIN: Figure(ours=choice.gain.value, interval=choice.gain.interval),
            "best alone in hindsight": Figure(ours=best_alone),
            "best of all in hindsight": Figure(ours=choice.hindsight_value),
        }
    first, second = choice.pearson, choice.pearson_alone
    return {
        CHOSEN: Figure(ours=first.value, interval=first.interval),
        ALONE: Figure(ours=second.value, interval=second.interval),
        GAIN: Figure(ours=first.value - second.value),
        "p Williams": Figure(ours=choice.williams_p),
        "best alone in hindsight": Figure(ours=best_alone),
        "best of all in hindsight": Figure(ours=choice.hindsight_value),
    }


def _sum_up(rows: Mapping[str, Mapping[str, Figure]]) -> Iterator[str]:
    """Does a blind choice among interpolations beat a metric alone out of sample? The answer in words."""
    for what, listed in (
        ("outputs that nothing was chosen on", [row for name, row in rows.items() if "same outputs" not in name]),
        ("other judgments of the same outputs", [row for name, row in rows.items() if "same outputs" in name]),
    ):
        gains = [row[GAIN] for row in listed]
        known = [figure for figure in gains if figure.ours is not None and np.isfinite(figure.ours)]
        if not known:
            continue
        better, worse = (sum(sign * (figure.ours or 0) > 1e-9 for figure in known) for sign in (1, -1))
        said = f"{what}: the best of all beats the best metric alone in {better} of {len(known)} choices"
        if "p Williams" in listed[0]:
            sure = sum((row["p Williams"].ours or 0) < 1 - OPTIONS.ranker.level for row in listed)
            said += f", loses in {worse}; {sure} differences have p below {1 - OPTIONS.ranker.level:.2f}"
        else:
            above = sum(figure.interval is not None and figure.interval.low > 0 for figure in known)
            below = sum(figure.interval is not None and figure.interval.high < 0 for figure in known)
            said += f" ({above} beyond chance), and loses in {worse} ({below} beyond chance)"
        beaten = sum(_value(row[CHOSEN]) > _value(row["best alone in hindsight"]) + 1e-9 for row in listed)
        mean = decimals(float(np.mean([figure.ours for figure in known])), 3, signed=True)
        yield f"{said}; mean gain {mean}; it beats the metric that is best alone on the test set in {beaten}"


# Graded Scribendi.


def _graded_tables(run: Run = HERE) -> list[PaperTable]:
    benchmarks = [part for part in load_benchmarks() if part.sets]
    return [_settings_table(benchmarks, run), *(_attack_table(part, run) for part in benchmarks)]


def _settings_table(benchmarks: Sequence[JudgedBenchmark], run: Run) -> PaperTable:
    """The strictest threshold and penalty that cost little accuracy on one set, and their accuracy on all sets."""
    accuracy: dict[tuple[float, float], dict[str, float]] = {}
    grid = list(product(THRESHOLDS, PENALTIES))
    for number, (threshold, penalty) in enumerate(grid):
        run.progress(number, len(grid))
        announce(run.progress, f"threshold {threshold}, penalty {penalty}")
        given = GradedScribendi(threshold=threshold, penalty=penalty)
        for part in benchmarks:
            _, on_sets = score_metric(part, given)
            for placed, on in zip(part.sets, on_sets, strict=True):
                assert on.accuracy is not None
                accuracy.setdefault((threshold, penalty), {})[placed.name] = on.accuracy.accuracy
    default, sets = GradedScribendi(), list(accuracy[grid[0]])
    best = {name: max(values[name] for values in accuracy.values()) for name in sets}
    rows = {
        f"chosen on {name}": max(setting for setting in grid if accuracy[setting][name] >= best[name] - COST)
        for name in sets
    }
    rows |= {f"threshold {threshold:g}": (threshold, default.penalty) for threshold in THRESHOLDS[1:]}
    rows["no gate"] = (0.0, 0.0)
    return PaperTable(
        title="Graded Scribendi: accuracy by threshold and penalty, chosen on one set and shown on all",
        columns=("threshold", "penalty", *sets),
        rows={
            label: {"threshold": Figure(ours=setting[0]), "penalty": Figure(ours=setting[1])}
            | {name: Figure(ours=value) for name, value in accuracy[setting].items()}
            for label, setting in rows.items()
        },
        notes=(
            f"chosen: of {len(grid)} settings the strictest that costs {COST} of the accuracy there or less; accuracy "
            "alone knows of no attacks, so it never asks for a gate",
            f"the default is threshold {default.threshold:g} and penalty {default.penalty:g}",
        ),
        row_name="setting",
    )


def _attack_table(benchmark: JudgedBenchmark, run: Run) -> PaperTable:
    """The place of every attack and decoy among the real outputs of the judged sentences; 1 is the best."""
    judged = benchmark.judged
    corpus = judged.corpus
    real = [system for system in judged.systems if list(system.hypotheses) != list(corpus.sources)]
    decoys = [
        corpus.system(adversary.name, adversary.make(corpus, np.random.default_rng([1, number])))
        for number, adversary in enumerate(ADVERSARIES)
    ]
    published, _ = load_published_attacks(benchmark.corpus)
    decoys += [system[benchmark.judged_sentences] for system in published]
    rows: dict[str, dict[str, Figure]] = {system.name: {} for system in decoys}
    for number, name in enumerate(ATTACKED):
        run.progress(number, len(ATTACKED))
        announce(run.progress, f"attacks on {name}")
        given = metric(name)
        given.prepare(corpus, [*real, *decoys])
        people, attackers = (
            SystemScores.of(Evaluations.of(given, corpus, listed), np.arange(len(corpus)), OPTIONS).rising
            for listed in (real, decoys)
        )
        for system, score in zip(decoys, attackers, strict=True):
            rows[system.name][name] = Figure(ours=float((people > score).sum() + 1))
    last = len(real) + 1
    return PaperTable(
        title=f"Attacks on {benchmark.name}: places among {len(real)} real outputs",
        columns=ATTACKED,
        rows=rows,
        notes=(f"{len(corpus)} judged sentences; {last} is below every real output, 1 above every one",),
        row_name="attack",
    )
