"""The annotators of CoNLL-2014: Bryant & Ng's ten, and a careless one whom we plant among them.

The careless annotator is each of the ten in turn, with the edits of another sentence of the same length in half of the
sentences. Is this annotator, and nobody else who was none before, found to be an outlier?
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gecval.corpus import Corpus
from gecval.progress import Progress, silent
from gecval.stats import Resampling
from gecval.studies.agreement.run import agreement
from gecval.studies.reproduce.conll14 import ten_references
from gecval.studies.reproduce.results import Figure, PaperTable

SEED = 1
CARELESS = 0.5  # the share of sentences


def tables(progress: Progress = silent) -> list[PaperTable]:
    corpus = ten_references()
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
        progress(a, len(agreed))
        planted = agreement(_careless(corpus, a), resampling=Resampling(200))
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
    rng = np.random.default_rng(SEED)
    lengths = np.array([len(source.split()) for source in corpus.sources])
    order = np.lexsort((rng.random(len(corpus)), lengths))
    references = [list(listed) for listed in corpus.references]
    edits = [listed[annotator].edits or () for listed in references]
    for i, other in zip(order[1:].tolist(), order[:-1].tolist(), strict=True):
        if rng.random() < CARELESS:  # edits of a sentence that is not longer fit into this one
            references[i][annotator] = replace(references[i][annotator], edits=edits[other])
    return Corpus(corpus.sources, references)
