"""SEEDA (Kobayashi, Mita & Komachi 2024): 15 newer systems judged by edits (E) and by sentences (S).

Metrics are correlated over the base systems, that is without INPUT and the two fluent ones (GPT-3.5 and REF-F), and
with the fluent ones added.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gecval.corpus import Corpus, System
from gecval.formats.datasets import dataset_file
from gecval.formats.files import read_sentences
from gecval.formats.judgments import Judgments, read_judgments
from gecval.progress import Progress
from gecval.stats.correlation import Coefficient, correlate
from gecval.studies.human.ranking import METHODS, Method, Ranker, Ranking, rank
from gecval.studies.human.sentences import sentence_accuracy
from gecval.studies.human.system_scores import Evaluations, judged_sentences, judged_systems
from gecval.studies.reproduce.conll14 import evaluate, systems_of, two_references
from gecval.studies.reproduce.human_published import SEEDA_CORRELATIONS, SEEDA_METRICS
from gecval.studies.reproduce.results import Figure, PaperTable

KINDS = ("edit", "sent")
LEFT_OUT = {"base": ("INPUT", "GPT-3.5", "REF-F"), "+ fluent": ("INPUT",)}
SIGNS: tuple[tuple[str, Coefficient], ...] = (("r", "pearson"), ("ρ", "spearman"))
SHORT: dict[Method, str] = {"expected-wins": "EW", "trueskill": "TS"}


def seeda_tables(ranker: Ranker, progress: Progress) -> list[PaperTable]:
    corpus = two_references()
    outputs = systems_of("seeda", "outputs", corpus)
    sets = {
        kind: read_judgments(dataset_file("seeda", f"judgments_{kind}.xml"), name=f"SEEDA-{kind[0].upper()}")
        for kind in KINDS
    }
    rankings = {
        (kind, method): rank(judgments, method, ranker, progress=progress)
        for kind, judgments in sets.items()
        for method in METHODS
    }
    names = {"M2": "m2", "GLEU": "gleu", "ERRANT": "errant", "Scribendi": "scribendi"}
    metrics, left_out = evaluate(names, corpus, outputs, progress=progress)
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
                placed, judged = judged_systems(judgments, corpus, outputs, without=without)
                names = [system.name for system in judged]
                r, rho = SEEDA_CORRELATIONS.get((label, kind), (None, None)) if which == "base" else (None, None)
                cells = {"TS r": Figure(published=r), "TS ρ": Figure(published=rho)}
                if label in metrics:
                    evaluations = metrics[label].only(names)
                    scores = evaluations.scores(judged_sentences(placed))
                    for method in METHODS:
                        people = np.array([rankings[kind, method].scores[name] for name in names])
                        for sign, coefficient in SIGNS:
                            column = f"{SHORT[method]} {sign}"
                            known = cells[column].published if column in cells else None
                            cells[column] = Figure(published=known, ours=correlate(people, scores, coefficient).value)
                    cells["accuracy"] = Figure(ours=sentence_accuracy(placed, evaluations).accuracy)
                rows[f"{label}, {judgments.name}, {which}"] = cells
    return PaperTable(
        title="SEEDA: correlation of metrics on the judged sentences, and accuracy over pairs (metric ties count half)",
        columns=("TS r", "TS ρ", "EW r", "EW ρ", "accuracy"),
        rows=rows,
        notes=("published Scribendi: gotutiyan/scribendi_score", *left_out),
    )
