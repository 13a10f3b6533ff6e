"""Human rankings and what metrics make of them: GJG15, Table 1 of the MAEGE paper, SEEDA.

The MAEGE paper's p-values fit 14 systems: NSPT15's refmix1, a mixture of NUCLE's two references, was one of them. No
output of it is published, so NUCLE's first reference stands in.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

import numpy as np

from gecval.corpus import Corpus, System
from gecval.formats.datasets import dataset_file
from gecval.formats.files import read_sentences
from gecval.formats.judgments import Judgments, read_judgments
from gecval.runtime.run import Run
from gecval.stats.correlation import Coefficient, Correlation, correlate
from gecval.studies.human.preferences import measure_accuracy
from gecval.studies.human.ranking import METHODS, Method, Ranker, Ranking, count_judgments, rank
from gecval.studies.human.system_scores import (
    Aggregation,
    Evaluations,
    find_judged_sentences,
    select_judged_systems,
)
from gecval.studies.reproduce.conll14 import (
    evaluate,
    load_judgment_sets,
    load_outputs,
    load_participants,
    load_ten_references,
    load_two_references,
)
from gecval.studies.reproduce.result import Figure, PaperTable


def metrics() -> dict[str, str]:
    """The metrics of the tables."""
    return {label: name for label, (name, _, _) in MAEGE_TABLE_1.items()} | SEEDA_NAMES


def parts(skip: Collection[str] = ()) -> dict[str, Callable[[Run], list[PaperTable]]]:
    return {
        "GJG15 and NSPT15": partial(_participants, skip),
        "SEEDA": lambda run: seeda_tables(_ranker(), run, skip=skip),
    }


def _ranker() -> Ranker:
    return Ranker.preset("tools")  # as the papers rank


def _participants(skip: Collection[str], run: Run) -> list[PaperTable]:
    gjg15, _, _ = sets = load_judgment_sets()
    ranker = _ranker()
    rankings = {judgments.name: rank(judgments, "trueskill", ranker, run=run) for judgments in sets}
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
        _maege(sets, rankings, run, skip),
    ]


def _counts(judgments: Judgments) -> PaperTable:
    counted = count_judgments(judgments)
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


def _maege(
    sets: Sequence[Judgments], rankings: Mapping[str, Ranking], run: Run, skip: Collection[str] = ()
) -> PaperTable:
    corpus = load_ten_references()
    first_reference = load_two_references()
    stand_in = corpus.system("refmix1", [first_reference.texts_of(i)[0] for i in range(len(corpus))])
    outputs = [*load_participants(corpus, repaired=True), stand_in]
    names = {label: name for label, (name, _, _) in MAEGE_TABLE_1.items() if label not in skip}
    metrics, left_out = evaluate(names, corpus, outputs, run=run)
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
    placed, judged = select_judged_systems(judgments, corpus, outputs)
    sentences = np.arange(len(corpus), dtype=np.int64)
    if judgments.name == "combined":
        sentences = find_judged_sentences(placed)
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


# What the papers print on human rankings.


# Rankings; pairs of outputs and ties among them; the same after expansion to systems; κ between and within judges.
GJG15_COUNTS = {
    "rankings": 2319,
    "pairs of outputs": 20516,
    "ties of outputs": 5694,
    "pairs of systems": 109098,
    "ties of systems": 59117,
    "κ between judges": 0.29,
    "κ within judges": 0.46,
}
GJG15_EXPECTED_WINS = {
    "AMU": 0.628,
    "RAC": 0.566,
    "CAMB": 0.561,
    "CUUI": 0.550,
    "POST": 0.539,
    "UFC": 0.513,
    "PKU": 0.506,
    "UMC": 0.495,
    "IITB": 0.485,
    "SJTU": 0.463,
    "INPUT": 0.456,
    "NTHU": 0.437,
    "IPN": 0.300,
}
GJG15_TRUESKILL = {
    "AMU": 0.273,
    "CAMB": 0.182,
    "RAC": 0.114,
    "CUUI": 0.105,
    "POST": 0.080,
    "PKU": -0.001,
    "UMC": -0.022,
    "UFC": -0.041,
    "IITB": -0.055,
    "INPUT": -0.062,
    "SJTU": -0.074,
    "NTHU": -0.142,
    "IPN": -0.358,
}
NSPT15_TRUESKILL = {
    "refmix1": 1.189,
    "CAMB": 0.151,
    "AMU": 0.072,
    "RAC": 0.013,
    "UFC": -0.042,
    "src": -0.046,
    "CUUI": -0.060,
    "IITB": -0.089,
    "SJTU": -0.090,
    "POST": -0.111,
    "UMC": -0.197,
    "PKU": -0.231,
    "IPN": -0.268,
    "NTHU": -0.291,
}

# ρ on both sets combined with its p, on GJG15, on NSPT15; and how our scores are made: M2 and GLEU as their tools score
# a corpus, the others as means.
MAEGE_TABLE_1: dict[str, tuple[str, Aggregation, tuple[float, float, float, float]]] = {
    "GLEU": ("gleu", "corpus", (0.771, 0.001, 0.512, 0.758)),
    "LT": ("lt", "mean", (0.692, 0.006, 0.358, 0.615)),
    "M2": ("m2", "corpus", (0.626, 0.017, 0.398, 0.703)),
    "SARI": ("sari", "mean", (0.596, 0.025, 0.323, 0.599)),
    "MAX-SARI": ("max-sari", "mean", (0.552, 0.041, 0.292, 0.577)),
    "MinLD O→R": ("min-ld", "mean", (0.191, 0.513, 0.350, -0.187)),
    "BLEU": ("bleu", "mean", (0.143, 0.626, 0.455, -0.126)),
    "iBLEU": ("ibleu", "mean", (-0.059, 0.840, 0.226, -0.462)),
    "LD S→O": ("ld", "mean", (-0.481, 0.081, -0.178, -0.505)),
}

# M2 and GLEU of SEEDA's systems over the whole test set.
SEEDA_METRICS = {
    "BART": (50.3, 63.46),
    "BERT-fuse": (62.77, 68.5),
    "GECToR-BERT": (61.83, 66.56),
    "GECToR-ens": (63.53, 65.08),
    "GPT-3.5": (53.5, 65.93),
    "INPUT": (0.0, 56.6),
    "LM-Critic": (55.5, 64.39),
    "PIE": (59.93, 67.83),
    "REF-F": (47.48, 60.34),
    "REF-M": (60.12, 67.27),
    "Riken-Tohoku": (64.74, 68.37),
    "T5": (65.07, 68.81),
    "TemplateGEC": (56.29, 65.07),
    "TransGEC": (68.08, 70.2),
    "UEDIN-MS": (64.55, 67.41),
}
# r and ρ with TrueSkill over the base systems.
SEEDA_CORRELATIONS = {("Scribendi", "edit"): (0.8324, 0.8476), ("Scribendi", "sent"): (0.6308, 0.641)}


# SEEDA (Kobayashi, Mita & Komachi 2024): 15 newer systems judged by edits (E) and by sentences (S).
#
# Metrics are correlated over the base systems, that is without INPUT and the two fluent ones (GPT-3.5 and REF-F), and
# with the fluent ones added.


KINDS = ("edit", "sent")
LEFT_OUT = {"base": ("INPUT", "GPT-3.5", "REF-F"), "+ fluent": ("INPUT",)}
SIGNS: tuple[tuple[str, Coefficient], ...] = (("r", "pearson"), ("ρ", "spearman"))
SEEDA_NAMES = {"M2": "m2", "GLEU": "gleu", "ERRANT": "errant", "Scribendi": "scribendi"}
SHORT: dict[Method, str] = {"expected-wins": "EW", "trueskill": "TS"}


def seeda_tables(ranker: Ranker, run: Run, skip: Collection[str] = ()) -> list[PaperTable]:
    corpus = load_two_references()
    outputs = load_outputs("seeda", "outputs", corpus)
    sets = {
        kind: read_judgments(dataset_file("seeda", f"judgments_{kind}.xml"), name=f"SEEDA-{kind[0].upper()}")
        for kind in KINDS
    }
    rankings = {
        (kind, method): rank(judgments, method, ranker, run=run)
        for kind, judgments in sets.items()
        for method in METHODS
    }
    names = {label: name for label, name in SEEDA_NAMES.items() if label not in skip}
    metrics, left_out = evaluate(names, corpus, outputs, run=run)
    return [
        _human(rankings),
        _scores(metrics, len(corpus)),
        _correlations(sets, rankings, metrics, corpus=corpus, outputs=outputs, left_out=left_out),
    ]


def _human(rankings: Mapping[tuple[str, Method], Ranking]) -> PaperTable:
    rows: dict[str, dict[str, Figure]] = {}
    columns = []
    for (kind, method), ranking in rankings.items():
        published = read_sentences(dataset_file("seeda", f"scores/human/{SHORT[method]}_{kind}.txt"))
        columns.append(f"{SHORT[method]}-{kind[0].upper()}")
        for value, name in zip(published, sorted(ranking.scores), strict=True):
            rows.setdefault(name, {})[columns[-1]] = Figure(published=float(value), ours=ranking.scores[name])
    return PaperTable(title="SEEDA: human scores", columns=tuple(columns), rows=rows, row_name="system")


def _scores(metrics: Mapping[str, Evaluations], sentences: int) -> PaperTable:
    everything = np.arange(sentences, dtype=np.int64)
    ours = {
        label: dict(zip(evaluations.systems, 100 * evaluations.scores(everything), strict=True))
        for label, evaluations in metrics.items()
        if label in ("M2", "GLEU")
    }
    rows = {
        name: {
            label: Figure(published=value, ours=float(ours[label][name]) if label in ours else None)
            for label, value in zip(("M2", "GLEU"), values, strict=True)
        }
        for name, values in SEEDA_METRICS.items()
    }
    return PaperTable(
        title="SEEDA: metrics over the whole test set, in percent",
        columns=("M2", "GLEU"),
        rows=rows,
        row_name="system",
    )


def _correlations(
    sets: Mapping[str, Judgments],
    rankings: Mapping[tuple[str, Method], Ranking],
    metrics: Mapping[str, Evaluations],
    *,
    corpus: Corpus,
    outputs: Sequence[System],
    left_out: Sequence[str],
) -> PaperTable:
    rows: dict[str, dict[str, Figure]] = {}
    for label in dict.fromkeys([*metrics, *(label for label, _ in SEEDA_CORRELATIONS)]):
        for kind, judgments in sets.items():
            for which, without in LEFT_OUT.items():
                placed, judged = select_judged_systems(judgments, corpus, outputs, without=without)
                names = [system.name for system in judged]
                r, rho = SEEDA_CORRELATIONS.get((label, kind), (None, None)) if which == "base" else (None, None)
                cells = {"TS r": Figure(published=r), "TS ρ": Figure(published=rho)}
                if label in metrics:
                    evaluations = metrics[label].only(names)
                    scores = evaluations.scores(find_judged_sentences(placed))
                    for method in METHODS:
                        people = np.array([rankings[kind, method].scores[name] for name in names])
                        for sign, coefficient in SIGNS:
                            column = f"{SHORT[method]} {sign}"
                            known = cells[column].published if column in cells else None
                            cells[column] = Figure(published=known, ours=correlate(people, scores, coefficient).value)
                    cells["accuracy"] = Figure(ours=measure_accuracy(placed, evaluations).accuracy)
                rows[f"{label}, {judgments.name}, {which}"] = cells
    return PaperTable(
        title="SEEDA: correlation of metrics on the judged sentences, and accuracy over pairs (metric ties count half)",
        columns=("TS r", "TS ρ", "EW r", "EW ρ", "accuracy"),
        rows=rows,
        notes=("published Scribendi: gotutiyan/scribendi_score", *left_out),
    )
