"""An attacker who submits 1,000 times: how far its shown score leaves its true one, with and without the Ladder.

Hidden are the corrections of two annotators of Bryant & Ng (2015), fresh those of the other eight, two by two; the
metric is M². The attacker knows the outputs of the 13 systems of CoNLL-2014 and puts new ones together from them,
sentence by sentence. It starts with AMU's. It sees all that the board shows: the rounded score of what stands, and
whether a submission climbed; pages, ranks and intervals are computed from these. Three ways:

    climbing(m)   take m random sentences from random systems; keep the change where the shown score rises
    creeping(m)   the same, but changes are added up until they climb together; after 128 sentences it starts again
    voting        submit mixtures of all systems; in the end take, for each sentence, the system whose mixtures scored
                  highest (a boosting attack, as Blum & Hardt's)

Its gap is (shown − fresh) at the end, less the same at the start: what it has learned of these two annotators alone.
The price of a ladder is what an honest team loses: it turns AMU's output into CAMB's, a better one, in 20 submissions,
and its shown score lags behind its best one, in the mean over these submissions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from benchmarks import conll
from benchmarks.measure import Section, table
from gecval.formats import load_corpus
from gecval.metrics import metric
from gecval.metrics.base import Array, Statistics
from gecval.metrics.evaluation import Evaluation
from gecval.runtime.run import Run
from gecval.stats import Resampling
from gecval.stats.ladder import Rung, climbs
from gecval.stats.resampling import resampled_scores

SUBMISSIONS, DIGITS, SEEDS = 1000, 3, (1, 2, 3)
START, BETTER, HONEST = "AMU", "CAMB", 20
CHANGES, CREEPING, MOST_ADDED = (1, 4, 8, 16, 32, 64), (1, 4, 16), 128
METRIC = metric("m2")
Choice = NDArray[np.int64]  # the system from which each sentence is taken
Random = np.random.Generator
Shows = Callable[[float], float]


@dataclass(frozen=True)
class Judge:
    """Two annotators, and the statistics of every system's every sentence under them."""

    rows: Array  # [system, sentence, reference, statistic]
    systems: tuple[str, ...]

    @classmethod
    def of(cls, first: int, second: int) -> Judge:
        folder = conll.DATA / "bryant-ng-2015"
        corpus = load_corpus(None, [folder / f"A{number}.m2" for number in (first, second)])
        systems = conll.systems(corpus)
        rows = [METRIC.statistics(corpus, system, run=Run(jobs=1)).rows for system in systems]
        shaped = np.stack(rows).reshape(len(systems), len(corpus), 2, -1)
        return cls(shaped, tuple(system.name for system in systems))

    def evaluation(self, choice: Choice) -> Evaluation:
        rows = self.rows[choice, np.arange(len(choice))]
        offsets = np.arange(0, 2 * len(choice) + 1, 2, dtype=np.int64)
        return Evaluation(METRIC, Statistics(rows.reshape(-1, rows.shape[-1]), offsets))

    def score(self, choice: Choice) -> float:
        return self.evaluation(choice).score()


@dataclass
class Board:
    """What the attacker sees: the score it is shown after each submission. ``steps`` of 0 is no ladder."""

    judge: Judge
    steps: float = 0.0
    digits: int | None = None
    shown: Rung | None = None
    standing: Choice | None = None

    def submit(self, choice: Choice) -> float:
        evaluation = self.judge.evaluation(choice)
        score = evaluation.score()
        if not self.steps:
            return self._told(score)
        # Resamples take most of the time, and a score that looks no better does not climb whatever they say.
        if self.shown is None or round(score, DIGITS) > round(self.shown.score, DIGITS):
            rung = Rung(score, resampled_scores(evaluation, Resampling()))
            if climbs(rung, self.shown, steps=self.steps, digits=DIGITS):
                self.shown, self.standing = rung, choice.copy()
        assert self.shown is not None
        return self._told(self.shown.score)

    def _told(self, score: float) -> float:
        return score if self.digits is None else round(score, self.digits)


def climbing(board: Board, start: Choice, rng: Random, changes: int) -> tuple[Choice, float]:
    best, shown = start, board.submit(start)
    systems, size = board.judge.rows.shape[:2]
    for _ in range(SUBMISSIONS - 1):
        tried = best.copy()
        tried[rng.choice(size, changes, replace=False)] = rng.integers(systems, size=changes)
        score = board.submit(tried)
        if score > shown:
            best, shown = tried, score
    return best, shown


def creeping(board: Board, start: Choice, rng: Random, changes: int) -> tuple[Choice, float]:
    """It uses that a submission is kept back: so far its changes are too small to show, not wrong."""
    best, shown = start, board.submit(start)
    tried, added = best.copy(), 0
    systems, size = board.judge.rows.shape[:2]
    for _ in range(SUBMISSIONS - 1):
        tried[rng.choice(size, changes, replace=False)] = rng.integers(systems, size=changes)
        added += changes
        score = board.submit(tried)
        climbed = score > shown
        if climbed:
            best, shown = tried.copy(), score
        if climbed or added >= MOST_ADDED or not board.steps:
            tried, added = best.copy(), 0
    return best, shown


def voting(board: Board, start: Choice, rng: Random) -> tuple[Choice, float]:
    systems, size = board.judge.rows.shape[:2]
    last = board.submit(start)
    tried, rises = [], []
    for _ in range(SUBMISSIONS - 2):
        mixture = rng.integers(systems, size=size)
        score = board.submit(mixture)
        tried.append(mixture)
        rises.append(score - last if board.steps else score)  # with a ladder, only a rise tells anything
        last = score
    weights = np.array(rises) - np.mean(rises)
    votes = np.zeros((systems, size))
    for mixture, weight in zip(tried, weights, strict=True):
        votes[mixture, np.arange(size)] += weight
    elected = votes.argmax(axis=0) if weights.any() else start
    return elected, board.submit(elected)


@dataclass(frozen=True)
class Measured:
    """The shown score at the end, and that of the same output on fresh references; less those at the start."""

    shown: float
    fresh: float

    @property
    def gap(self) -> float:
        return self.shown - self.fresh


@dataclass
class World:
    """The hidden annotators, the fresh ones, and where the attacker starts."""

    @cached_property
    def hidden(self) -> Judge:
        return Judge.of(1, 2)

    @cached_property
    def fresh(self) -> list[Judge]:
        return [Judge.of(first, second) for first, second in pairwise((3, 4, 5, 6, 7, 8, 9, 10)) if first % 2]

    @cached_property
    def start(self) -> Choice:
        hidden = self.hidden
        return np.full(hidden.rows.shape[1], hidden.systems.index(START), dtype=np.int64)

    def true(self, choice: Choice) -> float:
        return float(np.mean([judge.score(choice) for judge in self.fresh]))

    def attacked(self, attack: str, steps: float, digits: int | None, seed: int) -> Measured:
        board, rng = Board(self.hidden, steps, digits), np.random.default_rng(seed)
        if attack == "voting":
            choice, shown = voting(board, self.start, rng)
        elif attack.startswith("creeping"):
            choice, shown = creeping(board, self.start, rng, int(attack.strip("creping()")))
        else:
            choice, shown = climbing(board, self.start, rng, int(attack))
        # A ladder shows the score of what stands, not of what came last.
        standing = choice if board.standing is None else board.standing
        before = Board(self.hidden, digits=digits).submit(self.start)
        return Measured(shown - before, self.true(standing) - self.true(self.start))

    def price(self, steps: float, seed: int) -> float:
        """How far the shown score of an honest team lies below its best one, in the mean."""
        board, choice = Board(self.hidden, steps), self.start.copy()
        better = self.hidden.systems.index(BETTER)
        best, lost = board.submit(choice), []
        for sentences in np.array_split(np.random.default_rng(seed).permutation(len(choice)), HONEST - 1):
            choice = choice.copy()
            choice[sentences] = better
            best = max(best, self.hidden.score(choice))
            lost.append(best - board.submit(choice))
        return float(np.mean(lost))


DEFENCES = {
    "nothing": (0.0, None),
    "3 decimals": (0.0, DIGITS),
    "Ladder, k = 1": (1.0, DIGITS),
    "Ladder, k = 2": (2.0, DIGITS),
    "Ladder, k = 2.5": (2.5, DIGITS),
    "Ladder, k = 3": (3.0, DIGITS),
}


def report() -> Section:
    world, section = World(), Section("The Ladder against an attacker who submits 1,000 times")
    attacks = [*map(str, CHANGES), *(f"creeping({changes})" for changes in CREEPING), "voting"]
    gaps, rows = [], []
    for name, (steps, digits) in DEFENCES.items():
        line = {}
        for attack in attacks:
            runs = [world.attacked(attack, steps, digits, seed) for seed in SEEDS]
            shown, fresh = np.mean([(run.shown, run.fresh) for run in runs], axis=0).tolist()
            line[attack] = Measured(shown, fresh)
            print(name, attack, line[attack], file=sys.stderr, flush=True)
        price = float(np.mean([world.price(steps, seed) for seed in SEEDS])) if steps else 0.0
        gaps.append([name, *(f"{one.gap:+.3f}" for one in line.values()), f"{price:.3f}"])
        rows.append([name, *(f"{one.shown:+.3f} / {one.fresh:+.3f}" for one in line.values())])
    header = ["defence", *(f"climbing({attack})" if attack.isdigit() else attack for attack in attacks)]
    section.text += [
        (
            f"M² of {START}: {world.hidden.score(world.start):.3f} on the hidden annotators, "
            f"{world.true(world.start):.3f} on fresh ones. Means of {len(SEEDS)} runs. The gap:"
        ),
        table([*header, "price"], gaps),
        "What was gained, shown / fresh:",
        table(header, rows),
    ]
    return section


if __name__ == "__main__":
    print("\n\n".join(report().text))
