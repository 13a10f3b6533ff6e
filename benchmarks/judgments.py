"""``python -m benchmarks.judgments``: how many judgments until the clusters stand, if the next item is chosen?

A replay of GJG15's rankings (Grundkiewicz et al. 2015) in three orders:

    random       any ranking
    outputs      a sentence at random; of its rankings, the one whose systems are in most doubt (``stats/choosing.py``).
                 Campaigns of the board choose so, and may take any outputs of the sentence.
    sentences    of 40 rankings drawn at random, the one whose systems are in most doubt

After every 100 rankings the systems are ranked by Expected Wins, with the bootstrap over sentences. Two systems are
told apart where the ranges of their ranks do not overlap; wrongly, where those of all rankings overlap or say the
opposite. Clusters are those of ``gecval human``.

The pool is finite: near its end both orders have seen the same, so what is late in a replay says little.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import combinations
from statistics import median
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from benchmarks.measure import table
from gecval.formats.datasets import data_folder
from gecval.formats.judgments import Judgments, read_judgments
from gecval.stats.choosing import doubts
from gecval.studies.human.ranker import Ranker
from gecval.studies.human.ranking import Ranking, rank

STEP, DRAWN, SEEDS = 100, 40, 5
RANKER = Ranker(methods=("expected-wins",), resamples=200)
Pairs = set[tuple[str, str]]


class Checkpoint(NamedTuple):
    judgments: int
    told: float  # share of the final pairs
    wrong: int  # pairs told apart the other way round, or that all rankings do not tell apart
    spearman: float
    clusters: bool  # whether they are those of all rankings


def apart(ranking: Ranking) -> Pairs:
    """The pairs whose ranges of ranks do not overlap, the better first."""
    return {(a.system, b.system) for a, b in combinations(ranking.systems, 2) if a.ranks[1] < b.ranks[0]}


def clustered(ranking: Ranking) -> Pairs:
    """The pairs in different clusters, the better first."""
    return {(a.system, b.system) for a, b in combinations(ranking.systems, 2) if a.cluster < b.cluster}


def chosen_order(judgments: Judgments, rng: np.random.Generator, *, within: bool) -> list[int]:
    """The rankings in the order in which the choice takes them, ``within`` a sentence or not.

    Doubts are looked at anew after every tenth.
    """
    column = {name: place for place, name in enumerate(judgments.systems)}
    outputs = [
        [[column[name] for name in placement.systems] for placement in item.placements] for item in judgments.items
    ]
    left, order = list(rng.permutation(len(judgments.items))), []
    doubt = (1 - np.eye(len(column))).tolist()
    while left:
        if len(order) % 10 == 0:
            seen = np.array(order, dtype=np.int64)
            doubt = doubts(judgments.systems, judgments.preferences[seen], judgments.sentences[seen], rng).tolist()
        if within:
            sentence = judgments.sentences[left[rng.integers(len(left))]]
            drawn = [place for place, item in enumerate(left) if judgments.sentences[item] == sentence]
        else:
            drawn = rng.choice(len(left), size=min(DRAWN, len(left)), replace=False).tolist()
        best = max(drawn, key=lambda place: _value(outputs[left[place]], doubt))
        order.append(int(left.pop(best)))
    return order


def _value(outputs: Sequence[Sequence[int]], doubt: Sequence[Sequence[float]]) -> float:
    """What ``most_doubtful`` says of up to five outputs, all of which are shown: without arrays, as there are many."""
    return sum(max(doubt[i][j] for i in a for j in b) for a, b in combinations(outputs, 2))


def replay(judgments: Judgments, order: Sequence[int], final: Ranking) -> list[Checkpoint]:
    wanted = apart(final)
    checkpoints = []
    for size in [*range(STEP, len(order), STEP), len(order)]:
        part = Judgments(judgments.name, tuple(judgments.items[place] for place in order[:size]), judgments.first)
        if part.systems != judgments.systems:
            continue
        ranking = rank(part, "expected-wins", RANKER)
        told = apart(ranking)
        scores = [[of.scores[name] for name in judgments.systems] for of in (ranking, final)]
        checkpoints.append(
            Checkpoint(
                judgments=size,
                told=len(told & wanted) / len(wanted),
                wrong=len(told - wanted),
                spearman=float(spearmanr(*scores)[0]),
                clusters=clustered(ranking) == clustered(final),
            )
        )
    return checkpoints


def since(checkpoints: Sequence[Checkpoint], good: Callable[[Checkpoint], bool]) -> int:
    """The size from which on all checkpoints are good."""
    bad = [place for place, point in enumerate(checkpoints) if not good(point)]
    return checkpoints[bad[-1] + 1 if bad else 0].judgments


def measured(judgments: Judgments, seeds: int) -> dict[str, list[list[Checkpoint]]]:
    final = rank(judgments, "expected-wins", RANKER)
    runs: dict[str, list[list[Checkpoint]]] = {"random": [], "outputs": [], "sentences": []}
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        order: NDArray[np.int64] = rng.permutation(len(judgments.items))
        runs["random"].append(replay(judgments, order.tolist(), final))
        runs["outputs"].append(replay(judgments, chosen_order(judgments, rng, within=True), final))
        runs["sentences"].append(replay(judgments, chosen_order(judgments, rng, within=False), final))
        print(f"replayed {seed + 1} of {seeds}", file=sys.stderr)
    return runs


def report(seeds: int = SEEDS) -> str:
    judgments = read_judgments(data_folder() / "gjg15" / "judgments.xml")
    runs = measured(judgments, seeds)
    goals: dict[str, Callable[[Checkpoint], bool]] = {
        "half of the pairs told apart": lambda point: point.told >= 0.5,
        "three quarters of the pairs told apart": lambda point: point.told >= 0.75,
        "the clusters of all rankings": lambda point: point.clusters,
    }
    rows = []
    for goal, good in goals.items():
        needed = [sorted(since(run, good) for run in listed) for listed in runs.values()]
        rows.append([goal, *(f"{median(sizes):g} ({sizes[0]} to {sizes[-1]})" for sizes in needed)])
    sizes = (200, 400, 800, 1200, 1600)
    at = [
        [
            str(size),
            *(
                f"{np.mean([point.told for run in listed for point in run if point.judgments == size]):.2f}, "
                f"{np.mean([point.wrong for run in listed for point in run if point.judgments == size]):.1f}, "
                f"{np.mean([point.spearman for run in listed for point in run if point.judgments == size]):.3f}"
                for listed in runs.values()
            ),
        ]
        for size in sizes
    ]
    return "\n\n".join(
        [
            f"{len(judgments.items)} rankings of {len(judgments.systems)} systems, {seeds} orders each.",
            "How many rankings until this holds, and holds from then on; the median (smallest to largest):",
            table(["", *runs], rows),
            "Share of all pairs told apart, pairs told apart wrongly, Spearman with the final ranking; means:",
            table(["rankings", *runs], at),
        ]
    )


if __name__ == "__main__":
    print(report(int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS))
