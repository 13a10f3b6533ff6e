"""Systems against some of the references: as if the corpus had no others."""

from __future__ import annotations

import numpy as np
import pytest

from gecval import Corpus, metric
from gecval.metrics.evaluation import Aggregate, Evaluation, evaluations_against

SOURCES = ["he go home", "she like it", "they are here"]
REFERENCES = [["he goes home", "he went home", "he is going home"], ["she likes it", "she liked it"], ["they are here"]]
OUTPUT = ["he went home", "she likes it now", "they were here"]
CHOICES = [[0, 2], [1], [0]], [[1], [0, 1], [0]]


@pytest.mark.parametrize("aggregate", ["corpus", "mean"])
@pytest.mark.parametrize("name", ["gleu", "accuracy", "bleu", "sari", "min-ld"])
def test_other_references_do_not_count(name: str, aggregate: Aggregate) -> None:
    corpus, wanted = Corpus.from_texts(SOURCES, REFERENCES), metric(name)
    subsets = [[np.array(some) for some in choice] for choice in CHOICES]
    against = list(evaluations_against(wanted, corpus, corpus.system("s", OUTPUT), subsets, aggregate=aggregate))
    for choice, evaluation in zip(CHOICES, against, strict=True):
        fewer = Corpus.from_texts(
            SOURCES, [[listed[r] for r in some] for listed, some in zip(REFERENCES, choice, strict=True)]
        )
        fresh = Evaluation.of(wanted, fewer, fewer.system("s", OUTPUT), aggregate=aggregate)
        assert evaluation.score() == pytest.approx(fresh.score())
        assert evaluation.sentence_scores() == pytest.approx(fresh.sentence_scores())
        assert evaluation.aggregate == aggregate
