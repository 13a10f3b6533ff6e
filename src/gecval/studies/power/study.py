"""Is the test set large enough? The chance that `compare` finds a difference, with other numbers of sentences and
references.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, isfinite
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Aggregate, Evaluation, Subset, evaluations_against
from gecval.results import theme
from gecval.results.result import ResultSequence
from gecval.results.signature import Signature
from gecval.results.table import DELIMITED, Cell, Signed, Table, decimals, percent
from gecval.runtime.run import HERE, Run, announce
from gecval.stats.deciding_sentences import influences
from gecval.stats.noninferiority import Margin
from gecval.stats.power import MOST_SENTENCES, Spread, carriers, simulate_spread
from gecval.studies.scores.input_notes import input_notes
from gecval.studies.scores.preparation import Edits, Metrics, Systems, prepare, resolve_metrics, resolve_systems

if TYPE_CHECKING:
    from altair import LayerChart, VConcatChart


CHANCE, SIMULATIONS = 0.8, 2000
CHOICES = 8  # of the references of each sentence
SHARES = (0.125, 0.25, 0.5, 2, 4, 8)  # of the sentences of the corpus, which are shown too
LEAST_CARRIERS = 10  # with fewer, predictions on real outputs were too high

Pairs = list[tuple[Evaluation, Evaluation]]


def power(
    corpus: Corpus,
    baseline: System,
    systems: Systems,
    metrics: Metrics,
    *,
    differences: Iterable[float | str] = (),
    sentences: Iterable[int] = (),
    annotators: Iterable[int] = (),
    chance: float = CHANCE,
    simulations: int = SIMULATIONS,
    seed: int = 1,
    aggregate: Aggregate = "corpus",
    edits: Edits = None,
    run: Run = HERE,
) -> Power:
    """Estimate how likely ``compare`` is to find a difference between each system and the baseline (p < 0.05).

    Parameters
    ----------
    corpus
        Sources and references: two sentences or more.
    baseline
        The system that the others are compared with.
    systems
        The others: systems, or a mapping from a system's name to its list of outputs.
    metrics
        Metrics or their names, e.g. ``["m2", "gleu(n=3)"]``.
    differences
        Sizes of the true difference, such as 0.02 or ``"2 points"``. By default the observed one.
    sentences
        Sizes of the test set; by default from an eighth to eight times those of the corpus.
    annotators
        Numbers of references a sentence, up to those of the corpus. Any of them are taken to be as good as others: each
        sentence gets so many of its own at random. By default all count, and there is one curve.
    chance
        The chance for which the number of sentences is sought.
    simulations
        How many samples are drawn to see how far the difference varies.
    seed
        Of the random draws.
    aggregate
        ``corpus`` sums statistics over sentences, ``mean`` averages the scores of sentences.
    edits
        Finds the edits of plain-text references for metrics that need them. By default ERRANT where it is installed
        and the text is English, else plain rules; a note says which.
    run
        How it runs: threads, progress, backend.

    Returns
    -------
    Power
        A sequence of ``PowerCurve``, metric after metric. It prints as tables.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["a"] * 40, [["b"]] * 40)
    >>> old = corpus.system("old", ["a"] * 30 + ["b"] * 10)
    >>> [curve] = power(corpus, old, {"new": ["a"] * 26 + ["b"] * 10 + ["a"] * 4}, ["accuracy"], differences=[0.1])
    >>> curve.sentences, round(curve.chance, 1), curve.needed
    (40, 0.3, 161)
    """
    given = [(text, Margin.parse(text, parameter="differences")) for text in differences]
    sizes, numbers, levels = [margin.value for _, margin in given], list(sentences), list(annotators)
    _check(corpus, sizes, numbers, levels, chance=chance, simulations=simulations)
    [baseline], listed = resolve_systems([baseline], corpus), resolve_systems(systems, corpus)
    wanted = resolve_metrics(metrics)
    corpora = prepare(corpus, [baseline, *listed], wanted, extractor=edits, run=run)
    announce(run.progress, "drawing test sets")
    available = len(corpus)
    shown = sorted({*(numbers or (max(2, round(share * available)) for share in SHARES)), available})
    all_levels: list[int | None] = [*levels] if levels else [None]
    all_sizes: list[float | None] = [*sizes] if sizes else [None]
    curves: list[PowerCurve] = []
    notes: list[str] = []
    for (metric, prepared), system, level in product(zip(wanted, corpora, strict=True), listed, all_levels):
        how: dict[str, Any] = {"aggregate": aggregate, "seed": seed, "run": run.quiet()}
        pairs = _pairs(metric, prepared, (baseline, system), level, **how)
        scores = [evaluation.score() for evaluation in pairs[0]]
        for text, margin in given:
            if isinstance(text, str):
                margin.check(metric, scores, parameter="differences")
        spread = simulate_spread(pairs, shown, simulations=simulations, seed=seed)
        if not min(spread.errors) > 0:
            raise InputError(
                f"{metric!r} scores {system.name} and {baseline.name} alike on all samples, so these outputs "
                "cannot show how far a difference varies"
            )
        held = float(np.mean([carriers(influences(*pair)) for pair in pairs]))
        notes += _rough(metric, system, held, available, shown)
        named: dict[str, Any] = {
            "metric": repr(metric),
            "baseline": baseline.name,
            "system": system.name,
            "annotators": level,
            "carriers": held,
            "signature": str(Signature.of(metric, prepared, aggregate).with_study(simulations=simulations, seed=seed)),
        }
        curves += [_curve(spread, size, shown, chance, **named) for size in all_sizes]
        run.progress(len(curves), len(wanted) * len(listed) * len(all_levels) * len(all_sizes))
    notes += [*input_notes(corpus, [baseline, *listed]), *(note for prepared in corpora for note in prepared.notes)]
    return Power(wanted=chance, curves=tuple(curves), notes=tuple(dict.fromkeys(notes)))


def _curve(spread: Spread, size: float | None, shown: Sequence[int], chance: float, **named: Any) -> PowerCurve:
    """A given difference has the sign of the observed one."""
    available = spread.sizes[-1]
    true = spread.difference if size is None else float(np.copysign(size, spread.difference))
    return PowerCurve(
        **named,
        difference=true,
        observed=size is None,
        sentences=available,
        chance=spread.chance(true, available),
        needed=None if true == 0 else spread.needed(true, chance),
        detectable=spread.detectable(available, chance),
        points=tuple(ChancePoint(sentences=n, chance=spread.chance(true, n)) for n in shown),
    )


def _pairs(
    metric: Metric,
    corpus: Corpus,
    systems: tuple[System, System],
    annotators: int | None,
    *,
    aggregate: Aggregate,
    seed: int,
    run: Run,
) -> Pairs:
    """The two systems under the metric, once, or against several choices of references."""
    if annotators is None:
        first, second = (
            Evaluation.of(metric, corpus, system, aggregate=aggregate, run=run.quiet()) for system in systems
        )
        return [(first, second)]
    choices = list(_choices(corpus, annotators, seed))
    first_of, second_of = (
        evaluations_against(metric, corpus, system, choices, aggregate=aggregate, run=run) for system in systems
    )
    return list(zip(first_of, second_of, strict=True))


def _choices(corpus: Corpus, annotators: int, seed: int) -> Iterator[Subset]:
    """So many of the references of each sentence, at random; all where it has no more."""
    counts = np.diff(corpus.reference_slots).tolist()
    rng = np.random.default_rng([seed, annotators])
    for _ in range(1 if annotators >= max(counts) else CHOICES):
        yield [np.sort(rng.permutation(count)[:annotators]).astype(np.int64) for count in counts]


def _rough(metric: Metric, system: System, held: float, available: int, shown: Sequence[int]) -> list[str]:
    """A note where a few sentences carry the difference."""
    enough = ceil(LEAST_CARRIERS * available / held) if held > 0 else available
    rough = [number for number in shown if number < enough]
    if not rough:
        return []
    return [
        f"{metric!r}, {system.name}: the difference rests on the weight of about {held:.0f} of {available:,} "
        f"sentences; the chances below {enough:,} sentences are rough, and more often too high than too low"
    ]


def _check(
    corpus: Corpus,
    differences: Sequence[float],
    sentences: Sequence[int],
    annotators: Sequence[int],
    *,
    chance: float,
    simulations: int,
) -> None:
    if len(corpus) < 2:
        raise InputError("how far a difference varies takes two sentences or more to see")
    for difference in differences:
        if not (isfinite(difference) and difference > 0):
            raise InputError(f"a difference is a number above 0, not {difference}", parameter="differences")
    for number in sentences:
        if not 2 <= number <= MOST_SENTENCES:
            size = f"a test set has from 2 to {MOST_SENTENCES:,} sentences, not {number:,}"
            raise InputError(size, parameter="sentences")
    most = int(np.diff(corpus.reference_slots).max())
    for number in annotators:
        if not 1 <= number <= most:
            raise InputError(
                f"sentences here have up to {most} references, so nothing shows what {number} of them would do",
                parameter="annotators",
            )
    if not 0.05 < chance < 1:
        raise InputError(f"the chance lies between 0.05 and 1, not {chance}", parameter="chance")
    if not 2 <= simulations <= 100_000:
        raise InputError(f"a power takes from 2 to 100,000 simulations, not {simulations:,}", parameter="simulations")


# The result


@dataclass(frozen=True, kw_only=True)
class ChancePoint:
    """The chance to find the difference with so many sentences."""

    sentences: int
    chance: float


@dataclass(frozen=True, kw_only=True)
class PowerCurve:
    """A difference of a given size between two systems, and how likely `compare` is to find it.

    ``annotators`` is the number of references a sentence, None where all count. ``difference`` is the true difference
    that is assumed; ``observed`` says that it is the one over the sentences of the corpus. ``chance`` is that with
    these ``sentences``. ``needed`` sentences give the chance that was asked for, None where a billion do not.
    ``detectable`` is the smallest difference that these sentences find with that chance. ``carriers`` says how many
    sentences the difference effectively rests on.
    """

    derived: ClassVar[tuple[str, ...]] = ("more",)

    metric: str
    baseline: str
    system: str
    annotators: int | None
    difference: float
    observed: bool
    sentences: int
    chance: float
    needed: int | None
    detectable: float
    carriers: float
    points: tuple[ChancePoint, ...]
    signature: str

    @property
    def more(self) -> int | None:
        """How many sentences are missing; 0 where those of the corpus are enough."""
        return None if self.needed is None else max(0, self.needed - self.sentences)


@dataclass(frozen=True, kw_only=True, repr=False)
class Power(ResultSequence[PowerCurve]):
    """How likely differences are to be found: a sequence of ``PowerCurve``, metric after metric."""

    kind: ClassVar[str] = "power"
    view: ClassVar[str] = "power_tables"
    main: ClassVar[str] = "curves"

    wanted: float  # the chance that was asked for
    curves: tuple[PowerCurve, ...]


# The tables that show it.


def power_tables(power: Power, style: str = "text") -> list[Table]:
    """A row per difference: the chance with the sentences of the corpus, and how many it takes; then the curves."""
    subset = any(curve.annotators is not None for curve in power)
    if style in DELIMITED:
        return [_long_table(power, subset)]
    names = [*_names(subset), "sentences", "chance"]
    columns = [*names, f"needed for {percent(power.wanted)}", "more", f"found with {percent(power.wanted)}"]
    rows: list[Sequence[Cell]] = [
        [*_name_cells(curve, subset), curve.sentences, curve.chance, curve.needed, curve.more, curve.detectable]
        for curve in power
    ]
    numbers = [point.sentences for point in power[0].points]
    chances: list[Sequence[Cell]] = [
        [*_name_cells(curve, subset), *(point.chance for point in curve.points)] for curve in power
    ]
    title = "The chance to find a difference (p < 0.05)"
    notes = [
        f"found with {percent(power.wanted)}: the smallest difference that these sentences find with this chance",
        *(["the observed difference is itself a guess: ask for one that matters to you"] * power[0].observed),
    ]
    curves = Table([*_names(subset), *(f"{number:,}" for number in numbers)], chances, digits=3)
    curves.title = "By number of sentences"
    curves.footnotes = list(dict.fromkeys(curve.signature for curve in power))
    return [Table(columns, rows, title=title, footnotes=notes), curves]


def _names(subset: bool) -> list[str]:
    return ["metric", "baseline", "system", *(["references"] if subset else []), "difference"]


def _name_cells(curve: PowerCurve, subset: bool) -> list[Cell]:
    references: list[Cell] = [curve.annotators] if subset else []
    return [curve.metric, curve.baseline, curve.system, *references, Signed(curve.difference)]


def _long_table(power: Power, subset: bool) -> Table:
    """A row per point of a curve: for other programs."""
    rows: list[Sequence[Cell]] = [
        [*_name_cells(curve, subset), point.sentences, point.chance, curve.needed, power.wanted, curve.detectable]
        for curve in power
        for point in curve.points
    ]
    return Table([*_names(subset), "sentences", "chance", "needed", "wanted chance", "detectable"], rows)


# The chance to find a difference, as a chart.


def power_chart(power: Power, names: Mapping[str, str] | None = None) -> VConcatChart:
    """A panel per metric: the chance over the number of sentences, a curve per difference."""
    import altair as alt

    by_metric: dict[str, list[PowerCurve]] = {}
    for curve in power:
        by_metric.setdefault(curve.metric, []).append(curve)
    panels = [_panel(of, (names or {}).get(metric, metric), power.wanted) for metric, of in by_metric.items()]
    subtitle = f"dashed: {percent(power.wanted)}; dotted: the {power[0].sentences:,} sentences of the corpus"
    title = theme.heading("The chance to find a difference", subtitle, theme.WIDTH)
    chart: VConcatChart = alt.vconcat(*panels, title=title).resolve_scale(x="independent", color="independent")
    return chart


def _panel(curves: Sequence[PowerCurve], name: str, wanted: float) -> LayerChart:
    import altair as alt

    labels = [_label(curve) for curve in curves]
    values = [
        {"curve": label, "sentences": point.sentences, "chance": point.chance}
        for label, curve in zip(labels, curves, strict=True)
        for point in curve.points
    ]
    # The curve goes through the number of sentences that the table names, or on to it.
    values += [
        {"curve": label, "sentences": curve.needed, "chance": wanted}
        for label, curve in zip(labels, curves, strict=True)
        if curve.needed is not None
    ]
    title = alt.TitleParams(name, frame="group", fontSize=theme.AXIS_SIZE + 1)
    y = alt.Y("chance:Q", title="chance", scale=alt.Scale(domain=[0, 1]))
    x = alt.X("sentences:Q", title="sentences", scale=alt.Scale(type="log", nice=False))
    colour, tooltip = alt.Color("curve:N", title=None, sort=labels), ["curve:N", "sentences:Q", "chance:Q"]
    lines: Any = alt.Chart({"values": values}).mark_line(point=True).encode(x, y, colour, tooltip=tooltip)
    level: Any = alt.Chart({"values": [{"chance": wanted}]}).mark_rule(color=theme.REFERENCE, strokeDash=[6, 3])
    available: Any = alt.Chart({"values": [{"sentences": curves[0].sentences}]})
    available = available.mark_rule(color=theme.REFERENCE, strokeDash=[2, 2])
    chart: Any = alt.layer(level.encode(y=y), available.encode(x=x), lines)
    sized: LayerChart = chart.properties(title=title, width=theme.WIDTH, height=theme.HEIGHT)
    return sized


def _label(curve: PowerCurve) -> str:
    references = "" if curve.annotators is None else f", {curve.annotators} references"
    difference = decimals(curve.difference, 4, signed=True).replace("-", "−")
    return f"{curve.system} − {curve.baseline}: {difference}{references}"
