"""A trained feature model as tables: how well it meets people's judgments, and what each group of features brings."""

from __future__ import annotations

from gecval.report.table import Table
from gecval.studies.lfm import GRAMMATICAL, Training


def agreement_table(training: Training) -> Table:
    """A row for dev, by which the model was tuned, and for test, which it has not seen."""
    columns = ["split", "sentences", "r", "r interval", "ρ", "ρ interval", "accuracy", "majority"]
    table = Table(columns, title="Predicted and human judgments of grammaticality", digits=3)
    for split, one in training.agreement.items():
        r, rho = one.pearson, one.spearman
        table.rows.append([split, r.n, r.value, r.interval, rho.value, rho.interval, one.accuracy, one.majority])
    trained = training.weights.trained
    table.footnotes = [
        "r is Pearson's, ρ Spearman's; accuracy: grammatical (judgment of "
        f"{GRAMMATICAL} or more) or not; majority: always saying the more frequent",
        f"ridge regression on {trained['sentences']} sentences, {len(training.weights.weights)} features, "
        f"α = {trained['alpha']:g}, tuned on dev",
    ]
    return table


def ablation_table(training: Training) -> Table:
    """What each group of features does alone, and what is lost without it."""
    table = Table(["features", "alone", "without", "judge"], title="Pearson's r on dev", digits=3)
    table.rows = [
        [group, one.alone, one.without, training.weights.judges[group]] for group, one in training.ablations.items()
    ]
    return table
