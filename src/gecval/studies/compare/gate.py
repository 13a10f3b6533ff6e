"""Ship or don't ship: is the new system worse than the old one by more than a margin?"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import inf, isfinite
from pathlib import Path
from statistics import NormalDist
from typing import Any, ClassVar

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.formats.files import parse_json, read_bytes, write_files
from gecval.metrics import metric
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Aggregate
from gecval.results.result import ResultSequence
from gecval.results.table import DELIMITED, Cell, Signed, Table, percent
from gecval.runtime.run import HERE, Run
from gecval.stats import Interval
from gecval.stats.contributions import FEW
from gecval.stats.noninferiority import (
    Margin,
    Verdict,
    few_looks_notes,
    interval_of_contributions,
    level_at,
    verdict,
)
from gecval.stats.paired_tests import FAMILIES, Family
from gecval.stats.ranking import Contest
from gecval.stats.resampling import Confidence, check_annotators, resolve_resampling
from gecval.studies.compare.deciding import (
    DecidingPair,
    Listed,
    check_several,
    deciding_pair,
    pair_table,
    sentence_table,
)
from gecval.studies.compare.result import Comparison
from gecval.studies.compare.study import compare_with_baseline
from gecval.studies.scores.preparation import Edits, Systems, resolve_systems
from gecval.studies.scores.result import directions, signatures
from gecval.studies.scores.scored_system import ScoredSystem


def not_worse(
    corpus: Corpus,
    baseline: System,
    systems: Systems,
    rules: Iterable[Rule | str],
    *,
    looks: str | Path | None = None,
    planned: int | None = None,
    family: Family = "all",
    most: int = 3,
    listed: Listed = "influential",
    aggregate: Aggregate | Contest = "corpus",
    confidence: Confidence = True,
    edits: Edits = None,
    run: Run = HERE,
) -> NotWorse:
    """Decide whether each system is worse than the baseline by more than the margin of each rule.

    Parameters
    ----------
    rules
        Such as ``"m2: 0.005 @ 0.95"``: the metric, the margin and the level of the interval that decides.
    looks
        A file that counts looks. Give it where the question is asked again and again, such as every night: all looks
        together then err as rarely as one. It is made where there is none.
    planned
        With ``looks``: how many are planned. These share what all may spend in equal parts, so that late looks see as
        much as early ones. The file keeps the number.
    family
        ``all`` rules and systems share what each level allows, so that all decisions together err as rarely as one.
        With ``metric``, only the systems of a rule share it.
    most
        How many of the sentences that move the difference most to show.
    listed
        Which sentences to show instead: those on which the system is ``worst`` or ``best``. It changes no decision.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["a"] * 40, [["b"]] * 40)
    >>> old = corpus.system("old", ["b"] * 40)
    >>> not_worse(corpus, old, {"new": ["a"] * 20 + ["b"] * 20}, ["accuracy: 0.1"]).verdict
    'worse'
    """
    given = [Rule.parse(rule) if isinstance(rule, str) else rule for rule in rules]
    if not given:
        raise InputError("no rules are given", parameter="rules")
    names = list(map(str, given))
    if len(set(names)) < len(names):
        raise InputError("a rule is given twice", parameter="rules")
    check_several(corpus)
    check_annotators(resolve_resampling(confidence), "a gate")
    if family not in FAMILIES:
        raise InputError(f"the family is {' or '.join(FAMILIES)}, not {family!r}", parameter="family")
    [baseline], tested = resolve_systems([baseline], corpus), resolve_systems(systems, corpus)
    counted = None if looks is None else Looks(Path(looks), planned)
    if counted is None and planned is not None:
        raise InputError("looks are planned in a file that counts them: name one", parameter=("planned", "looks"))
    # Where looks are counted, each system is a look of its own.
    shared = (len(given) if family == "all" else 1) * (1 if counted else len(tested))
    decisions: list[Decision] = []
    notes: list[str] = []
    for rule in given:
        at_level = replace(resolve_resampling(confidence), level=rule.level)
        comparisons, scored_systems = compare_with_baseline(
            corpus,
            baseline,
            tested,
            [rule.metric],
            aggregate=aggregate,
            resampling=at_level,
            test="studentised",
            correction="none",
            family="all",
            edits=edits,
            run=run,
        )
        notes += comparisons.notes
        if rule.with_unit is not None:
            seen = [score for row in comparisons for score in (row.baseline_score, row.score)]
            Margin(rule.margin, rule.with_unit).check(rule.metric, seen, parameter="rules")
        for comparison, both, system in zip(comparisons, scored_systems, tested, strict=True):
            pair = deciding_pair(corpus, comparison, both, (baseline, system), most=most, listed=listed)
            level = 1 - (1 - rule.level) / shared
            number = None
            if counted:
                number = counted.look(f"{rule}", comparison.signature, baseline, system)
                level = level_at(number, level, planned=counted.planned)
            decisions.append(_decide(rule, comparison, both, level=level, look=number, shared=shared, pair=pair))
    notes += counted.note_other_rules(names) if counted else []
    notes += [note for decision in decisions for note in _note_few(decision, len(corpus))]
    if counted:
        notes += few_looks_notes(resolve_resampling(confidence), len(corpus))
        counted.save()
    return NotWorse(decisions=tuple(decisions), notes=tuple(dict.fromkeys(notes)))


def _decide(
    rule: Rule,
    comparison: Comparison,
    both: tuple[ScoredSystem, ScoredSystem],
    *,
    level: float,
    look: int | None,
    shared: int,
    pair: DecidingPair,
) -> Decision:
    of_old, of_new = (scored.contributions for scored in both)
    moved = of_new - of_old
    interval = interval_of_contributions(of_old, of_new, level, both[1].evaluation.scale)
    return Decision(
        metric=comparison.metric,
        baseline=comparison.baseline,
        system=comparison.system,
        margin=rule.margin,
        level=rule.level,
        shared=shared,
        look=look,
        verdict=verdict(interval, rule.margin, higher_is_better=comparison.higher_is_better),
        difference=comparison.difference,
        interval=interval,
        interval_level=level,
        carriers=moved.carriers,
        comparison=comparison,
        pair=pair,
    )


def _note_few(decision: Decision, sentences: int) -> list[str]:
    """A note where hardly any sentence carries the difference."""
    if decision.carriers >= FEW:
        return []
    differ = f"{decision.metric}: {decision.system} and {decision.baseline} differ in"
    if decision.carriers == 0:
        return [f"{differ} none of {sentences:,} sentences, so the interval is the exact bound for what was not seen"]
    return [
        f"{differ} few of {sentences:,} sentences (as if in {decision.carriers:.0f}), so the interval counts one more "
        "win and one more loss, as large as any sentence allows"
    ]


# What the question "is the new system worse?" gives.


# The exit status of the command line. 2 is an error, as everywhere.
EXIT_STATUS: dict[Verdict, int] = {"equivalent": 0, "not worse": 0, "worse": 1, "undecided": 3}


@dataclass(frozen=True, kw_only=True)
class Decision:
    """A system against the baseline under one rule.

    ``interval`` is the one that decides. It is studentised, and of the ``interval_level`` that all ``shared`` decisions
    and all looks together need to keep the ``level`` of the rule. ``carriers`` says how many sentences carry the
    difference: so many of equal weight would vary as much. ``pair`` has the sentences that decide who is better.
    """

    metric: str
    baseline: str
    system: str
    margin: float
    level: float
    shared: int = 1
    look: int | None = None
    verdict: Verdict
    difference: float
    interval: Interval
    interval_level: float
    interval_method: str = "studentised"
    carriers: float
    comparison: Comparison
    pair: DecidingPair


@dataclass(frozen=True, kw_only=True, repr=False)
class NotWorse(ResultSequence[Decision]):
    """Whether systems are worse than the baseline by more than a margin: a sequence of ``Decision``."""

    kind: ClassVar[str] = "not-worse"
    view: ClassVar[str] = "not_worse_tables"
    main: ClassVar[str] = "decisions"
    derived: ClassVar[tuple[str, ...]] = ("verdict", "exit_status")

    decisions: tuple[Decision, ...]

    @property
    def verdict(self) -> Verdict:
        """``worse`` if any decision says so, else ``undecided``, else ``not worse``; ``equivalent`` if all say so."""
        verdicts = {decision.verdict for decision in self.decisions}
        order: tuple[Verdict, ...] = ("worse", "undecided", "not worse", "equivalent")
        return next(verdict for verdict in order if verdict in verdicts)

    @property
    def exit_status(self) -> int:
        """What the command line exits with: 0 not worse or equivalent, 1 worse, 3 undecided."""
        return EXIT_STATUS[self.verdict]


# A rule such as ``errant: 0.005 @ 0.95``: under which metric a system may be worse by how much, at which level.


LEVEL = 0.95


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A metric, the margin as a difference of its scores, and the level of the interval that decides."""

    metric: Metric
    margin: float
    level: float = LEVEL
    with_unit: bool | None = field(default=None, repr=False, compare=False)  # None where no text was read

    def __post_init__(self) -> None:
        if not (isfinite(self.margin) and self.margin >= 0):
            raise InputError(f"the margin of a rule is 0 or more, not {self.margin}", parameter="rules")
        if not 0 < self.level < 1:
            raise InputError(f"the level of a rule lies between 0 and 1, not {self.level}", parameter="rules")

    @classmethod
    def parse(cls, text: str) -> Rule:
        """The rule that people type.

        >>> Rule.parse("errant: 0.005 @ 0.99")
        Rule(metric=errant, margin=0.005, level=0.99)
        >>> str(Rule.parse("gleu(n=3):0.01"))
        'gleu(n=3): 0.01 @ 0.95'
        >>> str(Rule.parse("m2: half a point"))
        'm2: 0.005 @ 0.95'
        """
        spelling, _, numbers = text.rpartition(":")
        margin, at, level = numbers.partition("@")
        try:
            given, decides = Margin.parse(margin), float(level) if at else LEVEL
        except ValueError:
            given = None
        if given is None or not spelling.strip():
            raise InputError(
                f"write a rule as 'metric: margin @ level', e.g. 'm2: 0.005 @ 0.95' or 'm2: 0.5 points', not {text!r}"
            )
        return cls(metric=metric(spelling.strip()), margin=given.value, level=decides, with_unit=given.with_unit)

    def __str__(self) -> str:
        return f"{self.metric!r}: {Margin(self.margin, bool(self.with_unit))} @ {self.level:g}"


# A small file that counts looks, so that looking every night raises no more false alarms than looking once.
#
#     {"schema": "gecval.looks/1", "planned": 100, "looks": {"m2: 0.005 @ 0.95": ["3f2a…", "9c41…"]}}
#
# Each rule lists its looks by a hash of what was seen: the data, the settings and both outputs. The same outputs seen
# again are the same look, so a job that is run twice counts once. ``planned`` may be missing: no number is planned.


SCHEMA = "gecval.looks/1"
MOST_BYTES = 10_000_000
MOST_PLANNED = 1_000_000


class Looks:
    """The looks of a file. ``look`` counts one more; ``save`` writes them."""

    def __init__(self, path: Path, planned: int | None = None) -> None:
        self.path = path
        if planned is not None and not 1 <= planned <= MOST_PLANNED:
            raise InputError(f"from 1 to {MOST_PLANNED:,} looks can be planned, not {planned}", parameter="planned")
        self._looks, before = _read(path) if path.exists() else ({}, planned or 0)
        self.planned = before if planned is None else planned
        if self.planned != before:
            raise InputError(
                f"{path} was begun with {before or 'no'} planned looks, not {self.planned}: a plan holds from the "
                "first look on; begin another file",
                parameter="planned",
            )

    def look(self, rule: str, signature: str, baseline: System, system: System) -> int:
        """The number of this look under the rule, from 1."""
        digest = hashlib.sha256()
        for text in (signature, *baseline.hypotheses, "\n", *system.hypotheses):
            digest.update(text.encode("utf-8", "surrogatepass") + b"\n")
        seen, name = self._looks.setdefault(rule, []), digest.hexdigest()[:16]
        if name not in seen:
            seen.append(name)
        return seen.index(name) + 1

    def note_other_rules(self, rules: Sequence[str]) -> list[str]:
        """A note where the file has looks under other rules, such as with another margin."""
        others = {name: len(seen) for name, seen in self._looks.items() if name not in rules}
        if not others:
            return []
        listed = ", ".join(f"{name!r} ({count})" for name, count in others.items())
        return [
            f"{self.path} has looks under other rules: {listed}. Each rule counts its own looks, so together they "
            "err more often than the level says"
        ]

    def save(self) -> None:
        planned = {"planned": self.planned} if self.planned else {}
        content = {"schema": SCHEMA, **planned, "looks": self._looks}
        write_files({self.path: json.dumps(content, ensure_ascii=False, indent=1).split("\n")})


def _read(path: Path) -> tuple[dict[str, list[str]], int]:
    """The looks, and how many are planned."""
    if path.stat().st_size > MOST_BYTES:
        raise InputError(f"{path} is too large for a file of looks")
    try:
        content: Any = parse_json(read_bytes(path))
    except (ValueError, RecursionError):
        raise InputError(f"{path} is not JSON, so it counts no looks; choose another file") from None
    known = isinstance(content, dict) and content.get("schema") == SCHEMA
    looks, planned = (content.get("looks"), content.get("planned", 0)) if known else (None, 0)
    lists = list(looks.values()) if isinstance(looks, dict) else [None]
    fits = type(planned) is int and 0 <= planned <= MOST_PLANNED
    if not fits or not all(isinstance(seen, list) and all(isinstance(name, str) for name in seen) for seen in lists):
        raise InputError(f"{path} is no file of looks ({SCHEMA}); choose another file")
    assert isinstance(looks, dict)
    return looks, planned


# As tables, short enough for the log of a build.


SAYS = {
    "equivalent": "Equivalent: no system is worse, or better, by more than the margin (exit status 0)",
    "not worse": "Not worse: no system is worse by more than the margin (exit status 0)",
    "worse": "Worse: a system is worse by more than the margin (exit status 1)",
    "undecided": "Undecided: the data cannot tell whether a system is worse by more than the margin (exit status 3)",
}


def not_worse_tables(result: NotWorse, style: str = "text") -> list[Table]:
    """A row for each decision; then the sentences that move the differences most. Programs get these as rows too."""
    table = _decision_table(result.decisions, exact=style in DELIMITED)
    pairs = [decision.pair for decision in result.decisions]
    if style in DELIMITED:
        table.title = "decisions"
        return [table, sentence_table(pairs)]
    table.title = SAYS[result.verdict]
    return [table, *(pair_table(pair) for pair in pairs if pair.influential)]


def _decision_table(decisions: Sequence[Decision], *, exact: bool) -> Table:
    columns = ["metric", "baseline", "system", "verdict", "margin", "baseline score", "score", "difference"]
    columns += ["interval", "level", "method", "look"]
    if all(decision.look is None for decision in decisions):
        columns.pop()
    rows: list[Sequence[Cell]] = [_gate_row(decision, exact=exact)[: len(columns)] for decision in decisions]
    comparisons = [decision.comparison for decision in decisions]
    notes = dict.fromkeys([*map(_interval_note, decisions), *filter(None, map(_needed_note, decisions))])
    table = Table(columns, rows, interval_digits=4)
    table.footnotes = [*notes, MEANS, *directions(comparisons), *signatures(comparisons)]
    return table


def _gate_row(decision: Decision, *, exact: bool) -> list[Cell]:
    compared = decision.comparison
    cells: list[Cell] = [decision.metric, decision.baseline, decision.system, decision.verdict, decision.margin]
    cells += [compared.baseline_score, compared.score, Signed(decision.difference), decision.interval]
    level = decision.interval_level if exact else percent(decision.interval_level)
    return [*cells, level, decision.interval_method, decision.look]


def _interval_note(decision: Decision) -> str:
    """Which interval decides, and why its level is that of the rule or higher."""
    why = []
    if decision.shared > 1:
        why.append(f"all {decision.shared} decisions")
    if decision.look is not None:
        why.append("all looks")
    together = f", so that {' and '.join(why)} together keep {percent(decision.level)}" if why else ""
    look = "" if decision.look is None else f"look {decision.look}, "
    level = percent(decision.interval_level)
    return f"{decision.metric}: {look}the {level} interval of the difference decides (studentised){together}"


def _needed_note(decision: Decision) -> str:
    """Of an undecided pair: how many sentences, or what margin, would let two equally good systems pass."""
    normal, spread = NormalDist(), decision.interval.high - decision.interval.low
    if decision.verdict != "undecided" or not spread > 0:
        return ""
    # A half interval and as much again as the difference varies upwards in all but one of five test sets.
    quantile = normal.inv_cdf((1 + decision.interval_level) / 2)
    margin = spread / 2 * (1 + normal.inv_cdf(CHANCE) / quantile)
    needed = decision.pair.of * (margin / decision.margin) ** 2 if decision.margin else inf
    sentences = f"about {float(f'{needed:.1e}'):,.0f} sentences like these, or " if needed < MILLIONS else ""
    return (
        f"undecided: if {decision.baseline} and {decision.system} are equally good, it takes {sentences}a margin of "
        f"about {margin:.2g}{'' if sentences else ' with these sentences'} to see it ({percent(CHANCE)} chance)"
    )


CHANCE = 0.8
MILLIONS = 1e8  # sentences: more are no advice
MEANS = (
    "worse: all of the interval lies beyond the margin; not worse: none of it does; equivalent: it lies within the "
    "margin on both sides; undecided: anything else"
)
