"""Do our decisions hold what they promise? Simulations and checks on real outputs, seeded and bounded in time.

To add a part, write a function from a ``Run`` to tables, and name it in ``parts``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from gecval.corpus import Corpus
from gecval.edits.extractors import extractor
from gecval.errors import InputError
from gecval.formats.datasets import dataset_file
from gecval.formats.ratings import read_judged_edits
from gecval.metrics import metric
from gecval.metrics.evaluation import Evaluation
from gecval.runtime.run import HERE, Run, announce
from gecval.stats import Resampling
from gecval.stats.coverage import expected_gains, value_rows
from gecval.stats.resampling import Array, percentile_interval
from gecval.studies.agreement.study import agreement
from gecval.studies.buy_references.study import by_reference
from gecval.studies.reproduce import simulated_decisions, simulations
from gecval.studies.reproduce.conll14 import load_participants, load_ten_references
from gecval.studies.reproduce.result import LEVEL, Figure, PaperTable
from gecval.studies.true_precision.calibration import (
    MODELS,
    HeldOut,
    Trial,
    calibrate,
    predict_held_out,
    shipped_calibration,
    system_interval,
    trials,
)
from gecval.studies.true_precision.model import gold_edits
from gecval.studies.true_precision.study import judge_outputs, types_of


def parts() -> dict[str, Callable[[Run], list[PaperTable]]]:
    return {
        "agreement": agreement_tables,
        "looks": simulated_decisions.look_tables,
        "power": simulated_decisions.power_tables,
        "coverage": simulations.interval_tables,
        "errors": simulations.error_tables,
        "track": simulated_decisions.track_tables,
        "true precision": true_precision_tables,
        "buying": buying_tables,
    }


# The annotators of CoNLL-2014: Bryant & Ng's ten, and a careless one whom we plant among them.
#
# The careless annotator is each of the ten in turn, with the edits of another sentence of the same length in half of
# the sentences. Is this annotator, and nobody else who was none before, found to be an outlier?


AGREEMENT_SEED = 1
CARELESS = 0.5  # the share of sentences


def agreement_tables(run: Run = HERE) -> list[PaperTable]:
    corpus = load_ten_references()
    agreed = agreement(corpus)
    rows = {
        f"annotator {row.annotator}": {
            "F": Figure(ours=row.f, interval=row.f_interval),
            "κ": Figure(ours=row.kappa, interval=row.kappa_interval),
            "distance": Figure(ours=row.distance, interval=row.distance_interval),
            "outlier": Figure(ours=int(bool(row.outlier))),
        }
        for row in agreed
    }
    rows["all"] = {
        "F": Figure(ours=agreed.overall.f, interval=agreed.overall.f_interval),
        "κ": Figure(ours=agreed.overall.kappa, interval=agreed.overall.kappa_interval),
    }
    for a, row in enumerate(agreed):
        run.progress(a, len(agreed))
        planted = agreement(_careless(corpus, a), confidence=Resampling(200))
        rows[f"annotator {row.annotator}"]["careless"] = Figure(ours=planted[a].distance)
        rows[f"annotator {row.annotator}"]["found"] = Figure(ours=int(bool(planted[a].outlier)))
        others = set(planted.outliers) - {row.annotator} - set(agreed.outliers)
        rows[f"annotator {row.annotator}"]["others found"] = Figure(ours=len(others))
    return [
        PaperTable(
            title="Agreement of Bryant & Ng's ten annotators",
            columns=("F", "κ", "distance", "outlier", "careless", "found", "others found"),
            rows=rows,
            row_name="annotator",
            notes=(
                "careless: the distance where half of the annotator's sentences have the edits of another sentence; "
                "found: whether it makes the annotator an outlier (1); others found: new outliers among the others",
            ),
        )
    ]


def _careless(corpus: Corpus, annotator: int) -> Corpus:
    """The corpus in which half of one annotator's sentences have edits that were made for another sentence."""
    rng = np.random.default_rng(AGREEMENT_SEED)
    lengths = np.array([len(source.split()) for source in corpus.sources])
    order = np.lexsort((rng.random(len(corpus)), lengths))
    references = [list(listed) for listed in corpus.references]
    edits = [listed[annotator].edits or () for listed in references]
    for i, other in zip(order[1:].tolist(), order[:-1].tolist(), strict=True):
        if rng.random() < CARELESS:  # edits of a sentence that is not longer fit into this one
            references[i][annotator] = replace(references[i][annotator], edits=edits[other])
    return Corpus(corpus.sources, references)


# Do chosen references close the bias faster than random ones? Bryant & Ng's ten annotators, with eight hidden.
#
# Two annotators at random are available, and the outputs of the twelve systems of CoNLL-2014. A share of the sentences
# gets one more reference, by a hidden annotator at random. How much does this close of the distance between the mean
# score with two references and that with all ten? Once the sentences are those of ``buy-references``, once others.


METRICS = ("m2", "accuracy")
SHARES = (0.1, 0.25, 0.5)
SEEDS, KNOWN = 20, 2
RULES = ("chosen", "random", "longest", "disagreement")


def buying_tables(run: Run = HERE) -> list[PaperTable]:
    corpus = load_ten_references()
    outputs = [system for system in load_participants(corpus) if system.name != "INPUT"]
    lengths = np.array([len(source.split()) for source in corpus.sources], dtype=np.float64)
    rows: dict[str, dict[str, Figure]] = {}
    for name in METRICS:
        announce(run.progress, f"references to buy: {name}")
        scored = metric(name)
        statistics = [Evaluation.of(scored, corpus, system, run=HERE).statistics for system in outputs]
        of_all, _ = by_reference(statistics, corpus, scored)
        u, v = scored.as_ratio() or ((), ())
        ratio = np.array(u, dtype=np.float64), np.array(v, dtype=np.float64)
        closed: dict[tuple[str, float], list[float]] = {}
        predicted: list[float] = []
        for seed in range(SEEDS):
            run.progress(seed, SEEDS)
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
    now = value_rows(known, there, ratio)
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
    most = float(value_rows(rows, np.ones((size, annotators), dtype=np.bool_), ratio).scores.mean())
    closed: dict[tuple[str, float], float] = {}
    together = np.concatenate([known, bought], axis=2)
    for rule, (second, first) in keys.items():
        ranked = np.lexsort((-second, -first))
        for share in (*SHARES, 1.0):
            chosen = np.zeros(size, dtype=np.bool_)
            chosen[ranked[: int(share * size)]] = True
            with_more = value_rows(together, np.column_stack([there, chosen]), ratio).scores.mean()
            closed[rule, share] = float((with_more - least) / (most - least))
    return closed, float(gains.sum() / (closed["chosen", 1.0] * (most - least)))


def _figure(values: list[float]) -> Figure:
    return Figure(ours=float(np.mean(values)), interval=percentile_interval(np.array(values), LEVEL))


# Which edits that no reference has are valid? Predictions against SEEDA's judgments, held out by sentence and system.
#
# Bryant & Ng's ten annotators are the references, for the 391 sentences of SEEDA's judged set; the edits are those of
# the outputs of 12 systems that SEEDA's three annotators judged. All edits are found by ERRANT.


SHOWN = (2, 5, 10)  # numbers of references
NO_SYSTEMS = ("INPUT", "REF-F", "REF-M")  # the source, and two texts that people wrote


def true_precision_tables(run: Run = HERE) -> list[PaperTable]:
    try:
        file, finder = dataset_file("seeda-edits", "edits.jsonl"), extractor("errant")
    except InputError as error:  # nobody can fetch these judgments by a command
        return [PaperTable(title="True precision is left out", columns=(), rows={}, notes=(str(error),))]
    announce(run.progress, "true precision: finding edits")
    corpus = load_ten_references()
    corrections = read_judged_edits(file, corpus.sources)
    names = sorted({name for correction in corrections for name in correction.systems} - set(NO_SYSTEMS))
    outputs, labels, sentences = judge_outputs(corrections, corpus.sources, finder, without=NO_SYSTEMS, run=HERE)
    gold = gold_edits(corpus, finder, run=run)
    references = [gold[i] for i in sentences]
    types = types_of([*outputs, *references])
    made = trials(outputs, references, labels, types)
    announce(run.progress, "true precision: holding out")
    by_sentence, by_system = predict_held_out(made, types, "sentence"), predict_held_out(made, types, "system")
    refitted, shipped = calibrate(made, types), shipped_calibration()
    away = float(np.abs(refitted.coefficients - shipped.coefficients).max())
    return [
        _models({"sentences": by_sentence, "systems": by_system}, away),
        _systems(made, names, types),
        _types(by_sentence[-1], types),
    ]


def _models(ways: dict[str, list[HeldOut]], away: float) -> PaperTable:
    rows: dict[str, dict[str, Figure]] = {}
    for way, trials_held_out in ways.items():
        for model in MODELS:
            cells: dict[str, Figure] = {}
            for number in SHOWN:
                listed = [held for held in trials_held_out if held.trial.references == number]
                cells[f"log loss, M={number}"] = Figure(ours=float(np.mean([held.log_loss(model) for held in listed])))
                cells[f"ranking, M={number}"] = Figure(ours=float(np.mean([held.ranking(model) for held in listed])))
            rows[f"{model}, {way} held out"] = cells
    return PaperTable(
        title="Validity of edits that no reference has: predictions for judgments held out",
        columns=tuple(name for number in SHOWN for name in (f"log loss, M={number}", f"ranking, M={number}")),
        rows=rows,
        row_name="model",
        notes=(
            "log loss: lower is better; ranking: the chance that a valid edit has a higher prediction than another, "
            "0.5 is luck; constant: one share for all; types: a share by type; coverage: without any judgment",
            f"M references are chosen of ten; the shipped calibration differs from that of today by {away:.6f} at most",
        ),
    )


def _systems(made: Sequence[Trial], names: Sequence[str], types: Sequence[str]) -> PaperTable:
    rows: dict[str, dict[str, Figure]] = {}
    inside: dict[int, list[bool]] = {number: [] for number in SHOWN}
    error: dict[int, list[float]] = {number: [] for number in SHOWN}
    last = {trial.references: trial for trial in made if trial.references in SHOWN}
    for s, name in enumerate(names):
        fitted = calibrate([trial.take(trial.system != s) for trial in made], types)
        cells: dict[str, Figure] = {}
        for number, trial in last.items():
            of_system = trial.take(trial.system == s)
            predicted, interval = system_interval(of_system, fitted, types, level=LEVEL)
            judged = float(of_system.label.mean())
            cells[f"edits, M={number}"] = Figure(ours=len(of_system.label))
            cells[f"judged, M={number}"] = Figure(ours=judged)
            cells[f"predicted, M={number}"] = Figure(ours=predicted, interval=interval)
            inside[number].append(interval.low <= judged <= interval.high)
            error[number].append(abs(predicted - judged))
        rows[name] = cells
    rows["mean error"] = {f"predicted, M={number}": Figure(ours=float(np.mean(error[number]))) for number in last}
    rows["in the interval"] = {f"predicted, M={number}": Figure(ours=float(np.mean(inside[number]))) for number in last}
    return PaperTable(
        title="Share of valid edits among those that no reference has, by system, each held out",
        columns=tuple(f"{what}, M={number}" for number in SHOWN for what in ("edits", "judged", "predicted")),
        rows=rows,
        row_name="system",
        notes=(
            "an interval has the calibration's uncertainty, what sets systems apart, and the luck of so few edits",
            "GPT-3.5's edits without a reference are valid far more often than those of other systems, and no "
            "reference tells",
        ),
    )


def _types(held: HeldOut, types: Sequence[str]) -> PaperTable:
    rows: dict[str, dict[str, Figure]] = {}
    trial = held.trial
    for t in np.argsort(-np.bincount(trial.kind, minlength=len(types)), kind="stable").tolist():
        here = trial.kind == t
        if here.sum() < 10:
            continue
        rows[types[t]] = {
            "edits": Figure(ours=int(here.sum())),
            "judged": Figure(ours=float(trial.label[here].mean())),
            "coverage alone": Figure(ours=float(held.predicted["coverage"][here].mean())),
            "calibrated": Figure(ours=float(held.predicted["calibrated"][here].mean())),
        }
    return PaperTable(
        title="Share of valid edits among those that none of ten references has, by type, sentences held out",
        columns=("edits", "judged", "coverage alone", "calibrated"),
        rows=rows,
        row_name="type",
        notes=("types with ten such edits or more",),
    )
