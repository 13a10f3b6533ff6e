"""Human rankings and what metrics make of them: GJG15, Table 1 of the MAEGE paper, SEEDA.

The MAEGE paper's p-values fit 14 systems: NSPT15's refmix1, a mixture of NUCLE's two references, was one of them. No
output of it is published, so NUCLE's first reference stands in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gecval.corpus import Corpus, System
from gecval.formats.judgments import Judgments
from gecval.progress import Progress, silent
from gecval.stats.correlation import Correlation, correlate
from gecval.studies.human.ranking import Ranker, Ranking, count, rank
from gecval.studies.human.system_scores import Aggregation, Evaluations, judged_sentences, judged_systems
from gecval.studies.reproduce.base import Figure, Reproduction
from gecval.studies.reproduce.conll14 import evaluate, judgment_sets, systems, ten_references, two_references
from gecval.studies.reproduce.human_published import (
    GJG15_COUNTS,
    GJG15_EXPECTED_WINS,
    GJG15_TRUESKILL,
    MAEGE_TABLE_1,
    NSPT15_TRUESKILL,
)
from gecval.studies.reproduce.human_seeda import seeda_tables


def run(progress: Progress = silent) -> list[Reproduction]:
    gjg15, _, _ = sets = judgment_sets()
    ranker = Ranker.preset("tools")  # as the papers rank
    rankings = {one.name: rank(one, "trueskill", ranker, progress=progress) for one in sets}
    table_1 = _maege(sets, rankings)
    return [
        _counts(gjg15),
        _standings(
            "GJG15, Table 3",
            {
                "Expected Wins": (GJG15_EXPECTED_WINS, rank(gjg15, "expected-wins", ranker)),
                "TrueSkill": (GJG15_TRUESKILL, rankings["GJG15"]),
            },
        ),
        _standings("NSPT15: a run of the MAEGE paper's authors", {"TrueSkill": (NSPT15_TRUESKILL, rankings["NSPT15"])}),
        table_1,
        _exchanged(table_1),
        *seeda_tables(ranker, progress),
    ]


def _counts(judgments: Judgments) -> Reproduction:
    found = count(judgments)
    ours = (
        found.rankings,
        found.output_pairs,
        found.output_ties,
        found.pairs,
        found.ties,
        found.between_judges.kappa,
        found.within_judges.kappa,
    )
    rows = {
        label: {"GJG15": Figure(value, one)} for (label, value), one in zip(GJG15_COUNTS.items(), ours, strict=True)
    }
    note = "κ over pairs of outputs that two rankings share; the paper does not say over which pairs it is taken"
    return Reproduction("GJG15, Tables 1 and 2: judgments", ("GJG15",), rows, (note,), row_name="what")


def _standings(title: str, columns: Mapping[str, tuple[Mapping[str, float], Ranking]]) -> Reproduction:
    """Human scores; the interval of Expected Wins is a bootstrap's, that of TrueSkill spans its runs."""
    _, first = next(iter(columns.values()))
    rows = {
        one.system: {
            column: Figure(published.get(one.system), mine.score, mine.interval)
            for column, (published, ranking) in columns.items()
            for mine in ranking.systems
            if mine.system == one.system
        }
        for one in first.systems
    }
    notes = tuple(ranking.signature for _, ranking in columns.values())
    return Reproduction(title, tuple(columns), rows, notes, row_name="system")


def _maege(sets: Sequence[Judgments], rankings: Mapping[str, Ranking]) -> Reproduction:
    corpus = ten_references()
    first_reference = two_references()
    stand_in = corpus.system("refmix1", [first_reference.texts_of(i)[0] for i in range(len(corpus))])
    outputs = [*systems(corpus, repaired=True), stand_in]
    found, left_out = evaluate({label: name for label, (name, _, _) in MAEGE_TABLE_1.items()}, corpus, outputs)
    rows: dict[str, dict[str, Figure]] = {}
    for label, (_, way, published) in MAEGE_TABLE_1.items():
        combined, p, gjg15, nspt15 = published
        cells = {"Combined": Figure(combined), "p": Figure(p), "GJG15": Figure(gjg15), "NSPT15": Figure(nspt15)}
        if evaluations := found.get(label):
            for judgments, column in zip(sets, ("GJG15", "NSPT15", "Combined"), strict=True):
                rho = _spearman(judgments, rankings[judgments.name], evaluations, way, corpus, outputs)
                cells[column] = Figure(cells[column].published, rho.value, rho.interval)
                if column == "Combined":
                    cells["p"] = Figure(p, rho.p)
        rows[label] = cells
    return Reproduction(
        "MAEGE paper, Table 1: Spearman's ρ with TrueSkill rankings",
        ("Combined", "p", "GJG15", "NSPT15"),
        rows,
        (
            "ten references of Bryant & Ng; NTHU, RAC and IITB repaired; NUCLE's first reference stands in for refmix1",
            "Combined on the judged sentences, GJG15 and NSPT15 on all; M2 and GLEU of the corpus, others as means",
            *left_out,
        ),
    )


def _spearman(
    judgments: Judgments,
    ranking: Ranking,
    evaluations: Evaluations,
    way: Aggregation,
    corpus: Corpus,
    outputs: Sequence[System],
) -> Correlation:
    placed, judged = judged_systems(judgments, corpus, outputs)
    sentences = np.arange(len(corpus), dtype=np.int64)
    if judgments.name == "combined":
        sentences = judged_sentences(placed)
    known = set(evaluations.systems)
    names = [system.name if system.name in known else "INPUT" for system in judged]
    scores = evaluations.only(names).scores(sentences, way)
    return correlate(np.array([ranking.scores[system.name] for system in judged]), scores, "spearman")


def _exchanged(table: Reproduction) -> Reproduction:
    """The same with the published columns of the two sets exchanged."""
    other = {"GJG15": "NSPT15", "NSPT15": "GJG15"}
    rows = {
        label: {
            column: Figure(cells[other[column]].published, cells[column].ours, cells[column].interval)
            for column in other
        }
        for label, cells in table.rows.items()
    }
    apart = [_mean_difference(some, tuple(other)) for some in (table.rows, rows)]
    return Reproduction(
        "MAEGE paper, Table 1, with its columns GJG15 and NSPT15 exchanged",
        tuple(other),
        rows,
        (
            f"mean difference to the paper {apart[0]:.3f} as printed, {apart[1]:.3f} exchanged: its two headings seem "
            "to have changed places (GJG15's own Table 5 has BLEU at -0.35 and M2 at 0.69)",
        ),
    )


def _mean_difference(rows: Mapping[str, Mapping[str, Figure]], columns: tuple[str, ...]) -> float:
    figures = [cells[column] for cells in rows.values() for column in columns]
    return float(
        np.mean([abs(f.published - f.ours) for f in figures if f.published is not None and f.ours is not None])
    )
