"""Precision, recall and F with valid edits that no reference has, in the corpus and in resamples of it.

    P = (found + Σ π) / edits        R = (found + Σ π) / (found + Σ π + missed)

All counts are tables [sentence, type], so a resample is a product of weights and tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gecval.edit import Edit
from gecval.metrics.ratios import f_score
from gecval.stats import Resampling
from gecval.stats.resampling import Array, Draws, percentile_interval
from gecval.studies.true_precision.edits import Gold, ProposedEdits, agreement_rows, missed_edits, proposed_edits
from gecval.studies.true_precision.model import Calibration, coverage_model, coverages, found_shares, valid_shares
from gecval.studies.true_precision.results import TypeValidity


@dataclass(frozen=True, eq=False)
class Corrected:
    """The numbers of every system, by field of ``TrueScores``, and the types."""

    systems: list[dict[str, Any]]
    types: tuple[TypeValidity, ...]


def corrected(
    outputs: Sequence[Sequence[Sequence[Edit]]],
    gold: Gold,
    chosen: Sequence[Sequence[int]],
    types: Sequence[str],
    calibration: Calibration,
    *,
    beta: float,
    resampling: Resampling,
) -> Corrected:
    """``chosen[system][sentence]`` is the reference whose gold edits may be missed."""
    proposed = proposed_edits(outputs, gold, types)
    rows, references, share = agreement_rows(gold, types)
    size, kinds = len(gold), len(types)
    tables = [_tables(proposed, s, size, kinds) for s in range(len(outputs))]
    missed = [_missed(outputs[s], gold, chosen[s], proposed, s, kinds) for s in range(len(outputs))]
    found, unmatched = (np.sum([table[k] for table in tables], axis=0) for k in (0, 1))
    # The first weights are those of the corpus itself.
    weights = np.vstack([np.ones(size), *(_counts(draws, size) for draws in resampling.draws(size))])
    covered = coverages(np.einsum("ni,itk->ntk", weights, rows), references, share)
    known = valid_shares(covered[:1], references, calibration, types)
    model = coverage_model(covered[0], found_shares(found.sum(axis=0), (found + unmatched).sum(axis=0)))
    rng = np.random.default_rng([resampling.seed, 2])
    draws = _draws(calibration, references, len(weights) - 1, len(outputs), resampling.seed)
    several = size > 1
    systems: list[dict[str, Any]] = []
    together = np.zeros((len(weights), kinds))
    for s, ((has, lacks), (lost, opened)) in enumerate(zip(tables, missed, strict=True)):
        valid = np.vstack([known, valid_shares(covered[1:], references, calibration, types, draws=draws[s])])
        like_judged = has.sum() >= calibration.least_at(references) * (has.sum() + lacks.sum())
        if not like_judged:
            own = coverage_model(covered, found_shares(weights @ has, weights @ (has + lacks)))
            between = np.vstack([np.zeros((1, 1)), rng.random((len(weights) - 1, 1))])
            valid = between * valid + (1 - between) * own
        together += lacks.sum(axis=0) * valid
        numbers = _numbers(weights, valid, has, lacks, lost, opened, beta)
        ends = {
            name: percentile_interval(values[1:], resampling.level) if several else None
            for name, values in numbers.items()
        }
        systems.append(
            {
                "edits": int(has.sum() + lacks.sum()),
                "found": int(has.sum()),
                "unmatched": int(lacks.sum()),
                "like_judged": bool(like_judged),
                "valid_share": float(numbers["valid"][0]),
                "valid_interval": ends["valid"] if lacks.sum() else None,
                "true_precision": float(numbers["precision"][0]),
                "precision_interval": ends["precision"],
                "true_recall": float(numbers["recall"][0]),
                "recall_interval": ends["recall"],
                "true_score": float(numbers["score"][0]),
                "score_interval": ends["score"],
            }
        )
    # Each system's share of valid edits, weighted by its edits that no reference has.
    shares = together / np.maximum(unmatched.sum(axis=0), 1)
    order = np.argsort(-unmatched.sum(axis=0), kind="stable").tolist()
    rows_of_types = tuple(
        TypeValidity(
            type=types[t],
            edits=int(found[:, t].sum() + unmatched[:, t].sum()),
            found=int(found[:, t].sum()),
            unmatched=int(unmatched[:, t].sum()),
            coverage=float(covered[0, t]),
            coverage_model=float(model[t]),
            valid_share=float(shares[0, t]),
            valid_interval=percentile_interval(shares[1:, t], resampling.level) if several else None,
        )
        for t in order
        if unmatched[:, t].sum()
    )
    return Corrected(systems, rows_of_types)


def _numbers(
    weights: Array, valid: Array, has: Array, lacks: Array, lost: Array, opened: Array, beta: float
) -> dict[str, Array]:
    """The corrected figures of a system in every resample; ``has`` and the others are [sentence, type] counts."""
    found, unmatched = (weights @ has).sum(axis=1), weights @ lacks
    right = found + (unmatched * valid).sum(axis=1)
    edits = found + unmatched.sum(axis=1)
    missed = weights @ lost + ((weights @ opened) * (1 - valid)).sum(axis=1)
    precision, recall = _ratio(right, edits), _ratio(right, right + missed)
    share = np.divide(
        (unmatched * valid).sum(axis=1),
        unmatched.sum(axis=1),
        out=np.full(len(right), np.nan),
        where=unmatched.sum(axis=1) > 0,
    )
    return {"valid": share, "precision": precision, "recall": recall, "score": f_score(precision, recall, beta)}


def _ratio(right: Array, all_of_them: Array) -> Array:
    """1 where there is nothing that could be wrong, as ERRANT has it."""
    return np.divide(right, all_of_them, out=np.ones_like(right), where=all_of_them > 0)


def _tables(proposed: ProposedEdits, system: int, sentences: int, kinds: int) -> tuple[Array, Array]:
    """How many edits of a system some reference has, and how many none has: [sentence, type]."""
    tables = []
    for chosen in (~proposed.unmatched, proposed.unmatched):
        of_system = chosen & (proposed.system == system)
        table = np.zeros((sentences, kinds))
        np.add.at(table, (proposed.sentence[of_system], proposed.kind[of_system]), 1)
        tables.append(table)
    return tables[0], tables[1]


def _missed(
    outputs: Sequence[Sequence[Edit]],
    gold: Gold,
    chosen: Sequence[int],
    proposed: ProposedEdits,
    system: int,
    kinds: int,
) -> tuple[Array, Array]:
    """Gold edits that nothing mends, by sentence, and those that an edit without a reference may mend."""
    lost, opened = np.zeros(len(gold)), np.zeros((len(gold), kinds))
    of_system = proposed.system == system
    agree, kind = iter(proposed.agree[of_system].tolist()), iter(proposed.kind[of_system].tolist())
    for i, edits in enumerate(outputs):
        agrees, kinds_here = [next(agree) for _ in edits], [next(kind) for _ in edits]
        lost[i], opened[i] = missed_edits(edits, agrees, gold[i][chosen[i]], kinds_here, kinds)
    return lost, opened


def _draws(calibration: Calibration, references: int, resamples: int, systems: int, seed: int) -> Array:
    """Coefficients and w of every system in every resample: [system, resample, coefficient]."""
    rng = np.random.default_rng([seed, 1])
    shared = rng.multivariate_normal(calibration.coefficients, calibration.covariance, size=resamples, method="eigh")
    own = calibration.shifts(references, (systems, resamples, 1), rng)
    return np.concatenate([np.broadcast_to(shared, (systems, *shared.shape)), own], axis=2)


def _counts(draws: Draws, size: int) -> Array:
    return np.array([np.bincount(draw, minlength=size)[:size] for draw in draws], dtype=np.float64)
