"""The frame of the decisions, and the short ways of their simulations against the long ones."""

from __future__ import annotations

import numpy as np
import pytest

from gecval import Corpus, Edit, Reference, metric
from gecval.metrics.evaluation import Evaluation
from gecval.stats.noninferiority import normal_interval
from gecval.studies.reproduce import decisions, decisions_agreement, decisions_looks

CORPUS = Corpus.from_texts([f"w{i} a b c" for i in range(30)], [[f"w{i} a b d"] for i in range(30)])
OLD = [f"w{i} a b {'d' if i % 3 else 'c'}" for i in range(30)]
NEW = [f"w{i} a b {'d' if i % 2 else 'e e'}" for i in range(30)]


def test_every_part_makes_tables() -> None:
    assert all(callable(part.tables) for part in decisions.PARTS)


@pytest.mark.parametrize("name", ["gleu", "accuracy", "bleu"])
def test_a_look_is_what_the_command_computes(name: str) -> None:
    wanted = metric(name)
    old, new = (Evaluation.of(wanted, CORPUS, CORPUS.system("s", output)) for output in (OLD, NEW))
    drawn = np.sort(np.random.default_rng(3).integers(30, size=40))
    times = np.bincount(drawn, minlength=30)[None]
    [difference], [error] = decisions_looks._differences(wanted, old.statistics.rows, new.statistics.rows, times)
    low, high = normal_interval(old.over(drawn), new.over(drawn), 0.95)
    assert difference == pytest.approx((low + high) / 2)
    assert 1.959963985 * error == pytest.approx((high - low) / 2)


def test_looks_see_as_many_sentences_as_they_say() -> None:
    rng = np.random.default_rng(1)
    assert set(decisions_looks._anew(rng, 50).sum(axis=1)) == {500}
    growing = decisions_looks._growing(rng, 50)
    assert growing.sum(axis=1).tolist() == [200 + 10 * k for k in range(100)]
    assert (np.diff(growing, axis=0) >= 0).all()


def test_a_careless_annotator_has_edits_of_sentences_that_are_not_longer() -> None:
    sources = [" ".join("t" * length) for length in range(1, 41)]
    edits = [(Edit(length - 1, length, ("x",)),) for length in range(1, 41)]
    corpus = Corpus(sources, [[Reference(edits=listed, annotator=name) for name in "ab"] for listed in edits])
    careless = decisions_agreement._careless(corpus, 1)
    moved = [i for i in range(40) if careless.references[i][1].edits != edits[i]]
    assert 10 < len(moved) < 30
    assert all(careless.references[i][1].edits == edits[i - 1] for i in moved)
    assert all(careless.references[i][0].edits == edits[i] for i in range(40))
