"""A trained feature model as tables: how well it agrees with people, and what each group of features brings."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.report.table import Cell, Table, percent
from gecval.studies.lfm import LfmTraining


def training_tables(training: LfmTraining, style: str = "text") -> list[Table]:
    """The agreement with people and, where there are several groups of features, what each brings."""
    return [_agreement(training), *([_ablations(training)] if training.ablations else [])]


def _agreement(training: LfmTraining) -> Table:
    """A row for dev, by which the model was tuned, and for test, which it has not seen."""
    interval = f"{percent(training.level)} interval"
    columns = ["split", "sentences", "r", f"r {interval}", "ρ", f"ρ {interval}", "accuracy", "majority"]
    rows: list[Sequence[Cell]] = [
        [
            agreement.split,
            agreement.pearson.n,
            agreement.pearson.value,
            agreement.pearson.interval,
            agreement.spearman.value,
            agreement.spearman.interval,
            agreement.accuracy,
            agreement.majority,
        ]
        for agreement in training.agreement
    ]
    trained = training.model.trained
    notes = [
        f"r is Pearson's, ρ Spearman's; accuracy: grammatical (judgment of {training.grammatical:g} or more) or not; "
        "majority: always saying the more frequent",
        f"ridge regression on {trained['sentences']} sentences, {len(training.model.weights)} features, "
        f"α = {trained['alpha']:g}, tuned on dev",
    ]
    title = "Predicted and human judgments of grammaticality"
    return Table(columns, rows, title=title, digits=3, footnotes=notes)


def _ablations(training: LfmTraining) -> Table:
    """What each group of features does alone, and what is lost without it."""
    rows: list[Sequence[Cell]] = [
        [ablation.features, ablation.alone, ablation.without, ablation.judge] for ablation in training.ablations
    ]
    return Table(["features", "alone", "without", "judge"], rows, title="Pearson's r on dev", digits=3)
