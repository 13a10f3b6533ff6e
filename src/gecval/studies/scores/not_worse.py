"""Ship or don't ship: is the new system worse than the old one by more than a margin?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.evaluation import Aggregate
from gecval.progress import Progress, silent
from gecval.stats import Resampling
from gecval.stats.contest import Contest
from gecval.stats.noninferiority import level_at, normal_interval, verdict
from gecval.studies.inputs import Edits, Systems, given_systems
from gecval.studies.scores.comparison import compared_to_baseline
from gecval.studies.scores.deciding import check_several, deciding_pair
from gecval.studies.scores.deciding_results import DecidingPair
from gecval.studies.scores.looks import Looks
from gecval.studies.scores.not_worse_results import Decision, NotWorse
from gecval.studies.scores.pairs import Contender
from gecval.studies.scores.results import Comparison
from gecval.studies.scores.rules import Rule


def not_worse(
    corpus: Corpus,
    baseline: System,
    systems: Systems,
    rules: Iterable[Rule | str],
    *,
    looks: str | Path | None = None,
    most: int = 3,
    aggregate: Aggregate | Contest = "corpus",
    resampling: Resampling | None = None,
    extractor: Edits = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> NotWorse:
    """Decide whether each system is worse than the baseline by more than the margin of each rule.

    Parameters
    ----------
    rules
        Such as ``"m2: 0.005 @ 0.95"``: the metric, the margin and the level of the interval that decides.
    looks
        A file that counts looks. Give it where the question is asked again and again, such as every night: all looks
        together then err as rarely as one. It is made where there is none.
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
    if looks is not None and resampling is not None and resampling.documents:
        raise InputError(
            "with looks, the interval leaves out sentences, not documents", parameter=("looks", "documents")
        )
    [baseline], listed = given_systems([baseline], corpus), given_systems(systems, corpus)
    counted = None if looks is None else Looks(Path(looks))
    decisions: list[Decision] = []
    notes: list[str] = []
    for rule in given:
        at_level = replace(resampling or Resampling(), level=rule.level)
        comparisons, contenders = compared_to_baseline(
            corpus,
            baseline,
            listed,
            [rule.metric],
            aggregate=aggregate,
            resampling=at_level,
            correction="none",
            extractor=extractor,
            jobs=jobs,
            progress=progress,
        )
        notes += comparisons.notes
        for comparison, both, system in zip(comparisons, contenders, listed, strict=True):
            pair = deciding_pair(corpus, comparison, both, (baseline, system), most=most)
            number = counted.look(f"{rule}", comparison.signature, baseline, system) if counted else None
            decisions.append(_decided(rule, comparison, both, number, method=at_level.method, pair=pair))
    if counted:
        counted.save()
    return NotWorse(decisions=tuple(decisions), notes=tuple(dict.fromkeys(notes)))


def _decided(
    rule: Rule,
    comparison: Comparison,
    both: tuple[Contender, Contender],
    look: int | None,
    *,
    method: str,
    pair: DecidingPair,
) -> Decision:
    interval, level = comparison.interval, rule.level
    if look is not None:
        level, method = level_at(look, rule.level), "normal"
        interval = normal_interval(both[0].evaluation, both[1].evaluation, level)
    return Decision(
        metric=comparison.metric,
        baseline=comparison.baseline,
        system=comparison.system,
        margin=rule.margin,
        level=rule.level,
        look=look,
        verdict=verdict(interval, rule.margin, higher_is_better=comparison.higher_is_better),
        difference=comparison.difference,
        interval=interval,
        interval_level=level,
        interval_method=method,
        comparison=comparison,
        pair=pair,
    )
