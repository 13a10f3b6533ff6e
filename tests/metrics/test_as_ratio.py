"""Metrics that say their score is a ratio of sums: it orders totals as the score does. And scores of some sentences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Metric, System, metric, metric_names
from gecval.metrics.evaluation import Evaluation
from strategies import corpora

SPELLINGS = [
    *sorted({*metric_names()} - {"from-file"}),
    "m2(beta=1.0)",
    "errant(beta=2.0)",
    "interpolated(gleu, ld, 0.3)",
]


def ratios() -> list[Metric]:
    listed = []
    for spelling in SPELLINGS:
        try:
            made = metric(spelling)
        except Exception:  # an extra or a model is missing
            continue
        if made.as_ratio() is not None:
            listed.append(made)
    return listed


def test_who_says_so() -> None:
    names = {made.name for made in ratios()}
    assert names >= {"accuracy", "ld", "m2", "errant", "sari", "interpolated", "levenshtein", "token-sort"}
    assert not names & {"gleu", "bleu", "i-measure", "green"}


@pytest.mark.parametrize("made", ratios(), ids=repr)
def test_the_ratio_orders_totals_as_the_score_does(made: Metric) -> None:
    weights = made.as_ratio()
    assert weights is not None
    u, v = (np.asarray(side, dtype=np.float64) for side in weights)
    rng = np.random.default_rng(1)
    totals = rng.integers(1, 20, (200, len(u))).astype(np.float64)
    if made.name == "scribendi":  # outcomes of 30 sentences
        totals = rng.multinomial(30, [0.25] * 4, 200).astype(np.float64)
    ratio, score = totals @ u / (totals @ v), made.score(totals)
    by_ratio = np.sign((ratio[:, None] - ratio[None]).round(12))
    assert (by_ratio == np.sign((score[:, None] - score[None]).round(12))).all()
    assert (v >= 0).all()


@pytest.mark.parametrize(
    ("spelling", "totals"),
    [
        *((f"m2(beta={beta})", (3, 5, 9)) for beta in (0.5, 2.0)),
        *((f"errant(beta={beta})", (3, 2, 6)) for beta in (0.5, 2.0)),
        *((f"cleme(beta={beta})", (3, 2, 1, 4, 7)) for beta in (0.5, 2.0)),
        *((f"gotoscorer(beta={beta})", (3, 2, 6, 7)) for beta in (0.5, 2.0)),
        *((f"uot(beta={beta})", (3, 2, 6)) for beta in (0.5, 2.0)),
        ("sari", (1.5, 0.75, 2.0, 4.0)),
        ("grammaticality", (3.0, 12.0)),
        ("accuracy", (3.0, 8.0)),
        ("ld", (3.0, 8.0)),
        ("levenshtein", (3.0, 8.0)),
        ("interpolated(gleu, ld, 0.3)", (1.0, 2.0, 4.0)),
    ],
)
def test_f_and_means_are_the_ratio_itself(spelling: str, totals: tuple[float, ...]) -> None:
    made = metric(spelling)
    weights = made.as_ratio()
    assert weights is not None
    score = float(made.score(np.array(totals, dtype=np.float64)))
    assert np.dot(totals, weights[0]) / np.dot(totals, weights[1]) == pytest.approx(score)


def test_perplexity_rises_with_the_mean_surprise_of_a_token() -> None:
    made, totals = metric("perplexity"), np.array([12.0, 5.0])
    weights = made.as_ratio()
    assert weights is not None
    assert np.exp(totals @ weights[0] / (totals @ weights[1])) == pytest.approx(float(made.score(totals)))


@pytest.mark.parametrize("name", ["m2", "gleu", "accuracy", "sari", "bleu", "green"])
@given(st.data())
def test_some_sentences_are_scored_as_a_corpus_of_their_own(name: str, data: st.DataObject) -> None:
    corpus, system = data.draw(corpora(min_sentences=2))
    kept = data.draw(st.lists(st.integers(0, len(corpus) - 1), min_size=1, unique=True).map(sorted))
    aggregate = data.draw(st.sampled_from(["corpus", "mean"]))
    some = Corpus([corpus.sources[i] for i in kept], [corpus.references[i] for i in kept])
    outputs = System(system.name, [system.hypotheses[i] for i in kept])
    made = metric(name)
    whole = Evaluation.of(made, corpus, system, aggregate=aggregate)
    scratch = Evaluation.of(made, some, outputs, aggregate=aggregate)
    sentences = np.array(kept, dtype=np.int64)
    assert whole.over(sentences).score() == scratch.score()
    if not whole.by_position:
        assert whole.scores_over(sentences[None])[0] == pytest.approx(scratch.score(), abs=1e-12)
    fractions = whole.fractions()
    if fractions is not None and fractions[1][kept].sum() > 0:
        assert fractions[0][kept].sum() / fractions[1][kept].sum() == pytest.approx(scratch.score(), abs=1e-12)
