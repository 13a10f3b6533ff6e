"""Human rankings and what metrics make of them: GJG15, Table 1 of the MAEGE paper, SEEDA.

The MAEGE paper's p-values fit 14 systems: NSPT15's refmix1, a mixture of NUCLE's two references, was one of them. No
output of it is published, so NUCLE's first reference stands in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from gecval.corpus import Corpus, System
from gecval.formats.judgments import Judgments
from gecval.progress import Progress
from gecval.stats.correlation import Correlation, correlate
from gecval.studies.human.ranking import Ranker, Ranking, count, rank
from gecval.studies.human.system_scores import Aggregation, Evaluations, judged_sentences, judged_systems
from gecval.studies.reproduce.conll14 import evaluate, judgment_sets, systems, ten_references, two_references
from gecval.studies.reproduce.human_published import (
    GJG15_COUNTS,
    GJG15_EXPECTED_WINS,
    GJG15_TRUESKILL,
    MAEGE_TABLE_1,
    NSPT15_TRUESKILL,
)
from gecval.studies.reproduce.human_seeda import seeda_tables
from gecval.studies.reproduce.results import Figure, PaperTable


def parts() -> dict[str, Callable[[Progress], list[PaperTable]]]:
    return {"GJG15 and NSPT15": _participants, "SEEDA": lambda progress: seeda_tables(_ranker(), progress)}


def _ranker() -> Ranker:
    return Ranker.preset("tools")  # as the papers rank


def _participants(progress: Progress) -> list[PaperTable]:
    gjg15, _, _ = sets = judgment_sets()
    ranker = _ranker()
    rankings = {judgments.name: rank(judgments, "trueskill", ranker, progress=progress) for judgments in sets}
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
        _maege(sets, rankings, progress),
    ]


def _counts(judgments: Judgments) -> PaperTable:
    counted = count(judgments)
    ours = (
        counted.rankings,
        counted.output_pairs,
        counted.output_ties,
        counted.pairs,
        counted.ties,
        counted.between_judges.kappa,
        counted.within_judges.kappa,
    )
    return PaperTable(
        title="GJG15, Tables 1 and 2: judgments",
        columns=("GJG15",),
        rows={
            label: {"GJG15": Figure(published=published, ours=value)}
            for (label, published), value in zip(GJG15_COUNTS.items(), ours, strict=True)
        },
        notes=("κ over pairs of outputs that two rankings share; the paper does not say over which pairs it is taken",),
        row_name="what",
    )


def _standings(title: str, columns: Mapping[str, tuple[Mapping[str, float], Ranking]]) -> PaperTable:
    """Human scores. The interval of Expected Wins is a bootstrap's, that of TrueSkill spans its runs."""
    _, first = next(iter(columns.values()))
    ours = {column: {row.system: row for row in ranking.systems} for column, (_, ranking) in columns.items()}
    rows = {
        standing.system: {
            column: Figure(
                published=published.get(standing.system),
                ours=ours[column][standing.system].score,
                interval=ours[column][standing.system].interval,
            )
            for column, (published, _) in columns.items()
        }
        for standing in first.systems
    }
    return PaperTable(
        title=title,
        columns=tuple(columns),
        rows=rows,
        notes=tuple(ranking.signature for _, ranking in columns.values()),
        row_name="system",
    )


def _maege(sets: Sequence[Judgments], rankings: Mapping[str, Ranking], progress: Progress) -> PaperTable:
    corpus = ten_references()
    first_reference = two_references()
    stand_in = corpus.system("refmix1", [first_reference.texts_of(i)[0] for i in range(len(corpus))])
    outputs = [*systems(corpus, repaired=True), stand_in]
    names = {label: name for label, (name, _, _) in MAEGE_TABLE_1.items()}
    metrics, left_out = evaluate(names, corpus, outputs, progress=progress)
    rows: dict[str, dict[str, Figure]] = {}
    for label, (_, way, published) in MAEGE_TABLE_1.items():
        combined, p, gjg15, nspt15 = published
        known = {"Combined": combined, "p": p, "GJG15": gjg15, "NSPT15": nspt15}
        rows[label] = {column: Figure(published=value) for column, value in known.items()}
        if evaluations := metrics.get(label):
            for judgments, column in zip(sets, ("GJG15", "NSPT15", "Combined"), strict=True):
                rho = _spearman(
                    judgments, rankings[judgments.name], evaluations, way=way, corpus=corpus, outputs=outputs
                )
                rows[label][column] = Figure(published=known[column], ours=rho.value, interval=rho.interval)
                if column == "Combined":
                    rows[label]["p"] = Figure(published=p, ours=rho.p)
    return PaperTable(
        title="MAEGE paper, Table 1: Spearman's ρ with TrueSkill rankings",
        columns=("Combined", "p", "GJG15", "NSPT15"),
        rows=rows,
        notes=(
            "ten references of Bryant & Ng; NTHU, RAC and IITB repaired; NUCLE's first reference stands in for refmix1",
            "Combined on the judged sentences, GJG15 and NSPT15 on all; M2 and GLEU of the corpus, others as means",
            _exchanged_headings(rows),
            *left_out,
        ),
    )


def _spearman(
    judgments: Judgments,
    ranking: Ranking,
    evaluations: Evaluations,
    *,
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


def _exchanged_headings(rows: Mapping[str, Mapping[str, Figure]]) -> str:
    """What a reader of the two columns should know, with the distance to the paper either way."""
    printed, exchanged = (
        np.mean(
            [
                abs(published - ours)
                for cells in rows.values()
                for theirs, column in columns.items()
                if (published := cells[theirs].published) is not None and (ours := cells[column].ours) is not None
            ]
        )
        for columns in ({"GJG15": "GJG15", "NSPT15": "NSPT15"}, {"GJG15": "NSPT15", "NSPT15": "GJG15"})
    )
    return (
        "the paper's headings GJG15 and NSPT15 seem to have changed places: our mean difference to the paper is "
        f"{printed:.3f} as printed, {exchanged:.3f} with the two exchanged (GJG15's own Table 5 has BLEU at -0.35 and "
        "M2 at 0.69)"
    )
