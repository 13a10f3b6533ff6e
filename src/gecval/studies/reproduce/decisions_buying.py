"""Do chosen references close the bias faster than random ones? Bryant & Ng's ten annotators, with eight hidden.

Two annotators at random are at hand, and the outputs of the twelve systems of CoNLL-2014. A share of the sentences gets
one more reference, by a hidden annotator at random. How much does this close of the distance between the mean score
with two references and that with all ten? Once the sentences are those of ``buy-references``, once others.
"""

from __future__ import annotations

import numpy as np

from gecval.cores import cores
from gecval.metrics import metric
from gecval.metrics.evaluation import Evaluation
from gecval.progress import Progress, announce, silent
from gecval.stats.next_reference import Array, expected_gains, valued
from gecval.stats.resampling import percentile_interval
from gecval.studies.coverage.buying import by_reference
from gecval.studies.reproduce.conll14 import systems, ten_references
from gecval.studies.reproduce.results import LEVEL, Figure, PaperTable

METRICS = ("m2", "accuracy")
SHARES = (0.1, 0.25, 0.5)
SEEDS, KNOWN = 20, 2
RULES = ("chosen", "random", "longest", "disagreement")


def tables(progress: Progress = silent) -> list[PaperTable]:
    corpus = ten_references()
    outputs = [system for system in systems(corpus) if system.name != "INPUT"]
    lengths = np.array([len(source.split()) for source in corpus.sources], dtype=np.float64)
    rows: dict[str, dict[str, Figure]] = {}
    for name in METRICS:
        announce(progress, f"references to buy: {name}")
        scored = metric(name)
        statistics = [Evaluation.of(scored, corpus, system, jobs=cores()).statistics for system in outputs]
        of_all, _ = by_reference(statistics, corpus, scored)
        u, v = scored.as_ratio() or ((), ())
        ratio = np.array(u, dtype=np.float64), np.array(v, dtype=np.float64)
        closed: dict[tuple[str, float], list[float]] = {}
        predicted: list[float] = []
        for seed in range(SEEDS):
            progress(seed, SEEDS)
            made, expected = one_seed(of_all, ratio, lengths, seed)
            for key, share in made.items():
                closed.setdefault(key, []).append(share)
            predicted.append(expected)
        for rule in RULES:
            rows[f"{name}, {rule}"] = {f"{share:.0%}": _figure(closed[rule, share]) for share in SHARES}
        rows[f"{name}, chosen − random"] = {
            f"{share:.0%}": _figure(list(np.subtract(closed["chosen", share], closed["random", share])))
            for share in SHARES
        }
        rows[f"{name}, all sentences"] = {
            "100%": _figure(closed["chosen", 1.0]),
            "expected/real": _figure(predicted),
        }
    return [
        PaperTable(
            title="How much of the bias one more reference closes, for a share of the sentences",
            columns=(*(f"{share:.0%}" for share in SHARES), "100%", "expected/real"),
            rows=rows,
            row_name="metric, rule",
            notes=(
                "bias: the mean score of the systems with ten references, minus that with two; intervals over "
                f"{SEEDS} choices of the two annotators and of who corrects; all rules see the same corrections",
                "chosen: by expected gain; longest: by tokens; disagreement: by how differently two references score",
                "expected/real: the expected gain of a reference for every sentence, by what it was",
            ),
        )
    ]


def one_seed(
    rows: Array, ratio: tuple[Array, Array], lengths: Array, seed: int
) -> tuple[dict[tuple[str, float], float], float]:
    """The share of the bias that each rule closes with each share of the sentences, and expected by real gain."""
    rng = np.random.default_rng(seed)
    size, annotators = rows.shape[1:3]
    order = rng.permutation(annotators)
    known, hidden = rows[:, :, order[:KNOWN]], order[KNOWN:]
    there = np.ones((size, KNOWN), dtype=np.bool_)
    now = valued(known, there, ratio)
    gains, _ = expected_gains(now, there)
    by = hidden[rng.integers(len(hidden), size=size)]
    bought = rows[:, np.arange(size), by][:, :, None]
    ties = np.asarray(rng.random(size), dtype=np.float64)
    keys: dict[str, tuple[Array, Array]] = {
        "chosen": (now.best_wrong, gains),
        "random": (ties, ties),
        "longest": (ties, lengths),
        "disagreement": (ties, np.abs(known[:, :, 0] - known[:, :, 1]).sum(axis=2).mean(axis=0)),
    }
    least = float(now.scores.mean())
    most = float(valued(rows, np.ones((size, annotators), dtype=np.bool_), ratio).scores.mean())
    closed: dict[tuple[str, float], float] = {}
    together = np.concatenate([known, bought], axis=2)
    for rule, (second, first) in keys.items():
        ranked = np.lexsort((-second, -first))
        for share in (*SHARES, 1.0):
            chosen = np.zeros(size, dtype=np.bool_)
            chosen[ranked[: int(share * size)]] = True
            with_more = valued(together, np.column_stack([there, chosen]), ratio).scores.mean()
            closed[rule, share] = float((with_more - least) / (most - least))
    return closed, float(gains.sum() / (closed["chosen", 1.0] * (most - least)))


def _figure(values: list[float]) -> Figure:
    return Figure(ours=float(np.mean(values)), interval=percentile_interval(np.array(values), LEVEL))
