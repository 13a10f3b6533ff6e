"""Which edits that no reference has are valid? Predictions beside SEEDA's judgments, held out by sentence and system.

Bryant & Ng's ten annotators are the references, for the 391 sentences of SEEDA's judged set; the edits are those of the
outputs of 12 systems that SEEDA's three annotators judged. All edits are found by ERRANT.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gecval.cores import cores
from gecval.edits.extractors import extractor
from gecval.errors import InputError
from gecval.formats.datasets import dataset_file
from gecval.formats.judged_edits import read_judged_edits
from gecval.progress import Progress, announce, silent
from gecval.studies.reproduce.conll14 import ten_references
from gecval.studies.reproduce.results import LEVEL, Figure, PaperTable
from gecval.studies.true_precision.calibration import Trial, calibrate, shipped_calibration, trials
from gecval.studies.true_precision.edits import gold_edits
from gecval.studies.true_precision.held_out import MODELS, HeldOut, held_out, system_interval
from gecval.studies.true_precision.run import judged_outputs, types_of

SHOWN = (2, 5, 10)  # numbers of references
NO_SYSTEMS = ("INPUT", "REF-F", "REF-M")  # the source, and two texts that people wrote


def tables(progress: Progress = silent) -> list[PaperTable]:
    try:
        file, finder = dataset_file("seeda-edits", "edits.jsonl"), extractor("errant")
    except InputError as error:  # nobody can fetch these judgments by a command
        return [PaperTable(title="True precision is left out", columns=(), rows={}, notes=(str(error),))]
    announce(progress, "true precision: finding edits")
    corpus = ten_references()
    corrections = read_judged_edits(file, corpus.sources)
    names = sorted({name for correction in corrections for name in correction.systems} - set(NO_SYSTEMS))
    outputs, labels, sentences = judged_outputs(corrections, corpus.sources, finder, without=NO_SYSTEMS, jobs=cores())
    gold = gold_edits(corpus, finder, jobs=cores(), progress=progress)
    references = [gold[i] for i in sentences]
    types = types_of([*outputs, *references])
    made = trials(outputs, references, labels, types)
    announce(progress, "true precision: holding out")
    by_sentence, by_system = held_out(made, types, "sentence"), held_out(made, types, "system")
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
