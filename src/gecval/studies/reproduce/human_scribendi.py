"""Tables 2, 3 and 5 of the Scribendi paper (Islam & Magnani 2021), which quotes older metrics beside its own."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import numpy as np

from gecval.stats.correlation import correlate
from gecval.stats.resampling import Array
from gecval.studies.human_ranking import Ranking
from gecval.studies.human_scores import Evaluations
from gecval.studies.reproduce.base import Figure, Reproduction
from gecval.studies.reproduce.conll14 import at_hand, systems, two_references
from gecval.studies.reproduce.human_published import SCRIBENDI_TABLE_2, SCRIBENDI_TABLE_3, SCRIBENDI_TABLE_5

SETTING = "NUCLE's two references, all sentences, corpus scores; refmix1 is ranked by people but not correlated"
TABLE_2_NOTES = (
    SETTING,
    "published M2 and GLEU are those of Napoles et al. 2016 with r and ρ exchanged, GLEU in its first form of 2015; "
    "the human ranking there is NSPT15's own, of which only the order is known",
)
TABLE_3_NOTES = (SETTING, "neither references nor form of the published GLEU are named")


def scribendi_tables(rankings: Mapping[str, Ranking]) -> list[Reproduction]:
    corpus = two_references()
    outputs = systems(corpus)
    names = [system.name for system in outputs]
    everything = np.arange(len(corpus), dtype=np.int64)
    wanted = {name for name, _ in (SCRIBENDI_TABLE_2 | SCRIBENDI_TABLE_3 | SCRIBENDI_TABLE_5).values() if name}
    scores = {
        name: Evaluations.of(one, corpus, outputs, jobs=os.cpu_count() or 1).scores(everything)
        for name in sorted(wanted)
        if (one := at_hand(name))
    }
    people: dict[str, Array] = {}
    for judgments in ("NSPT15", "GJG15"):
        standing = rankings[judgments].scores
        people[judgments] = np.array([standing[name] if name in standing else standing["src"] for name in names])
    return [
        _correlations("Table 2: NSPT15", SCRIBENDI_TABLE_2, people["NSPT15"], scores, TABLE_2_NOTES),
        _correlations("Table 3: GJG15", SCRIBENDI_TABLE_3, people["GJG15"], scores, TABLE_3_NOTES),
        _table_5(names, scores | {"people": people["NSPT15"]}),
    ]


def _correlations(
    title: str,
    table: Mapping[str, tuple[str | None, tuple[float, float]]],
    people: Array,
    scores: Mapping[str, Array],
    notes: tuple[str, ...],
) -> Reproduction:
    rows = {}
    for label, (name, (pearson, spearman)) in table.items():
        mine = scores.get(name or "")
        rows[label] = {
            "r": Figure(pearson, None if mine is None else correlate(people, mine, "pearson").value),
            "ρ": Figure(spearman, None if mine is None else correlate(people, mine, "spearman").value),
        }
    return Reproduction(f"Scribendi paper, {title}", ("r", "ρ"), rows, notes)


def _table_5(names: Sequence[str], scores: Mapping[str, Array]) -> Reproduction:
    """Places from 1 to 13, by people and by each metric."""
    rows: dict[str, dict[str, Figure]] = {name: {} for name in SCRIBENDI_TABLE_5["Human"][1].split()}
    for label, (metric, order) in SCRIBENDI_TABLE_5.items():
        published = {name: place for place, name in enumerate(order.split(), start=1)}
        ours: dict[str, int] = {}
        if metric and metric in scores:
            ours = {names[i]: place for place, i in enumerate(np.argsort(-scores[metric], kind="stable"), start=1)}
        for name, cells in rows.items():
            cells[label] = Figure(published[name], ours.get(name))
    return Reproduction(
        "Scribendi paper, Table 5: places by people (NSPT15) and by metrics",
        tuple(SCRIBENDI_TABLE_5),
        rows,
        ("the published columns but Scribendi's are of Napoles et al. 2015, with the GLEU of that year",),
        row_name="system",
    )
