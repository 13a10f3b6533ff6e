"""Every study that can be computed chunk by chunk, on inputs that take a moment."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, ClassVar

from gecval import Corpus, HumanOptions, Resampling, annotate, human, maege, metric, reference_coverage, validate
from gecval.formats.judgments import Judgment, Judgments, Placement
from gecval.metrics.accuracy import Accuracy
from gecval.metrics.base import Statistics
from gecval.results.result import Result
from gecval.runtime.run import SERIAL, Run
from gecval.studies.coverage.crowd import crowd_coverage
from gecval.studies.human.ranking import Ranker
from gecval.studies.maege.lattices import MaegeSettings

SOURCES = ["He go to home .", "She like apple .", "Fine .", "I has two cat .", "It are so ."]
FIRST = ["He goes home .", "She likes apples .", "Fine .", "I have two cats .", "It is so ."]
SECOND = ["He went home .", "She likes an apple .", "Fine .", "I have two cats .", "It is ."]
OUTPUTS = {
    "good": FIRST,
    "fair": ["He goes to home .", "She like apples .", "Fine .", "I have two cat .", "It is so ."],
    "wild": ["They went away .", "She likes apples .", "Fine !", "I has two dog .", "It was ."],
    "copy": SOURCES,
}
CROWD = {
    "he go home": [f"he {verb} home" for verb in ("goes", "goes", "went", "is going", "go")],
    "she like it": [f"she {verb} it" for verb in ("likes", "likes", "liked", "loves", "likes")],
    "fine then": ["fine then", "fine then", "fine , then", "well then", "fine then"],
}
QUICK = Resampling(30)


@dataclass(frozen=True, repr=False)
class DeadlyOnce(Accuracy):
    """Kills the worker that scores the first output, and the one that scores the next; then no more."""

    name: ClassVar[str] = "deadly-once"
    folder: str = ""
    parent: int = 0

    def statistics(self, corpus: Corpus, system: Any, *, run: Run = SERIAL) -> Statistics:
        if os.getpid() != self.parent:
            for name in ("first", "second"):
                try:
                    Path(self.folder, name).touch(exist_ok=False)
                except FileExistsError:
                    continue
                os.kill(os.getpid(), signal.SIGKILL)
        return super().statistics(corpus, system, run=run)


def corpus() -> Corpus:
    return Corpus.from_texts(SOURCES, [list(pair) for pair in zip(FIRST, SECOND, strict=True)])


def judgments(order: tuple[str, ...] = ("good", "fair", "wild", "copy")) -> Judgments:
    def ranked(shift: int) -> tuple[Placement, ...]:
        return tuple(Placement((name,), 1 + (place + shift) % 4) for place, name in enumerate(order))

    items = tuple(Judgment(i + 1, "anna", ranked(i % 2)) for i in range(len(SOURCES)))
    return Judgments("mine", items, first=1)


def small_maege(metrics: list[Any] | None = None, **where: Any) -> Result:
    settings, gold = MaegeSettings(models=(0.0, 1.0, 2.0)), annotate(corpus(), "plain")
    return maege(gold, gold, metrics or ["gleu", "ld"], settings=settings, replicates=3, **where)


def small_crowd(metrics: list[Any] | None = None, **where: Any) -> Result:
    return crowd_coverage(
        CROWD, metrics or ["gleu", "m2"], most_references=2, sentences=12, correct=2, confidence=QUICK, **where
    )


def small_references(metrics: list[Any] | None = None, **where: Any) -> Result:
    return reference_coverage(
        corpus(), OUTPUTS, metrics or ["gleu", "m2"], score_intervals=True, confidence=QUICK, edits="plain", **where
    )


def small_human(metrics: list[Any] | None = None, **where: Any) -> Result:
    options = HumanOptions(ranker=Ranker(resamples=40, runs=3), window=3, hybrids=(("gleu", "ld"),))
    return human(judgments(), corpus(), OUTPUTS, metrics or ["gleu", "accuracy", "sari"], options=options, **where)


def small_validate(metrics: list[Any] | None = None, **where: Any) -> Result:
    cards = validate(metrics or ["gleu", "ld"], annotate(corpus(), "plain"), OUTPUTS, replicates=2, **where)
    return replace(cards, cards=tuple(_timeless(card) for card in cards))


def _timeless(card: Any) -> Any:
    times = [part.name for part in fields(card.measured) if part.name.endswith("seconds")]
    return replace(card, measured=replace(card.measured, **dict.fromkeys(times, 0.0)))


STUDIES: dict[str, Callable[..., Result]] = {
    "maege": small_maege,
    "crowd coverage": small_crowd,
    "reference coverage": small_references,
    "human": small_human,
    "validate": small_validate,
}
# How many chunks there are.
CHUNKS = {
    "maege": 3,
    "crowd coverage": 3 + 2 * 2,
    "reference coverage": 2 + 4,
    "human": 2 + 4 + 5 + 2 * 2 + 2,
    "validate": 7,
}


def deadly(folder: Path) -> list[Any]:
    return [DeadlyOnce(folder=str(folder), parent=os.getpid()), metric("gleu")]
