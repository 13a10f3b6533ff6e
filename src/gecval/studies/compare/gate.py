"""Ship or don't ship: is the new system worse than the old one by more than a margin?"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any, ClassVar

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.formats.files import parse_json, read_bytes, write_files
from gecval.metrics import metric
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Aggregate
from gecval.results.result import ResultSequence
from gecval.runtime.run import HERE, Run
from gecval.stats import Interval, Resampling
from gecval.stats.contributions import FEW
from gecval.stats.noninferiority import Verdict, level_at, verdict
from gecval.stats.paired import FAMILIES, Family
from gecval.stats.ranking import Contest
from gecval.studies.compare.deciding import DecidingPair, check_several, deciding_pair
from gecval.studies.compare.result import Comparison
from gecval.studies.compare.study import compare_with_baseline
from gecval.studies.scores.preparation import Edits, Systems, resolve_systems
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
    aggregate: Aggregate | Contest = "corpus",
    resampling: Resampling | None = None,
    extractor: Edits = None,
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
    if family not in FAMILIES:
        raise InputError(f"the family is {' or '.join(FAMILIES)}, not {family!r}", parameter="family")
    [baseline], listed = resolve_systems([baseline], corpus), resolve_systems(systems, corpus)
    counted = None if looks is None else Looks(Path(looks), planned)
    if counted is None and planned is not None:
        raise InputError("looks are planned in a file that counts them: name one", parameter=("planned", "looks"))
    # Where looks are counted, each system is a look of its own.
    shared = (len(given) if family == "all" else 1) * (1 if counted else len(listed))
    decisions: list[Decision] = []
    notes: list[str] = []
    for rule in given:
        at_level = replace(resampling or Resampling(), level=rule.level)
        comparisons, scored_systems = compare_with_baseline(
            corpus,
            baseline,
            listed,
            [rule.metric],
            aggregate=aggregate,
            resampling=at_level,
            test="studentised",
            correction="none",
            family="all",
            extractor=extractor,
            run=run,
        )
        notes += comparisons.notes
        for comparison, both, system in zip(comparisons, scored_systems, listed, strict=True):
            pair = deciding_pair(corpus, comparison, both, (baseline, system), most=most)
            level = 1 - (1 - rule.level) / shared
            number = None
            if counted:
                number = counted.look(f"{rule}", comparison.signature, baseline, system)
                level = level_at(number, level, planned=counted.planned)
            decisions.append(_decide(rule, comparison, both, level=level, look=number, shared=shared, pair=pair))
    notes += counted.note_other_rules(names) if counted else []
    notes += [note for decision in decisions for note in _note_few(decision, len(corpus))]
    if counted:
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
    interval = Interval(*moved.interval_of_difference(level, largest=max(of_old.largest, of_new.largest)))
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
    return [
        f"{decision.metric}: {decision.system} and {decision.baseline} differ in few of {sentences:,} sentences (as if "
        f"in {decision.carriers:.0f}), so the interval counts one more win and one more loss, as large as any sentence "
        "allows"
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
    """A metric, the margin in points of its score, and the level of the interval that decides."""

    metric: Metric
    margin: float
    level: float = LEVEL

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
        """
        spelling, _, numbers = text.rpartition(":")
        margin, at, level = numbers.partition("@")
        try:
            values = float(margin), float(level) if at else LEVEL
        except ValueError:
            values = None
        if values is None or not spelling.strip():
            raise InputError(f"write a rule as 'metric: margin @ level', e.g. 'm2: 0.005 @ 0.95', not {text!r}")
        return cls(metric=metric(spelling.strip()), margin=values[0], level=values[1])

    def __str__(self) -> str:
        return f"{self.metric!r}: {self.margin:g} @ {self.level:g}"


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
