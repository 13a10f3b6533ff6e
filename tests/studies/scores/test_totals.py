"""Parts that keep sums only: the score of the whole, and Poisson intervals close to those of the bootstrap."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from gecval import InputError, Resampling, load_sample, merge, score, verify
from gecval.corpus import Corpus
from gecval.stats.resampling import percentile_interval
from gecval.studies.scores import passport
from gecval.studies.scores.passport import poisson_totals

SAMPLE, SYSTEMS = load_sample()
SINGLE = Corpus.from_texts(list(SAMPLE.sources), [[SAMPLE.texts_of(i)[0]] for i in range(len(SAMPLE))])
EDGES = [0, 30, 31, 72]
MANY = Resampling(2000)


def save(folder: Path, corpus: Corpus, metrics: list[str], resampling: Resampling = MANY) -> list[Path]:
    paths = [folder / f"{number}.stats" for number in (1, 2, 3)]
    for number, path in enumerate(paths, start=1):
        part = slice(EDGES[number - 1], EDGES[number])
        some = Corpus(corpus.sources[part], corpus.references[part])
        outputs = {system.name: system.hypotheses[part] for system in SYSTEMS[:2]}
        score(some, outputs, metrics, edits="plain").save_part(path, shard=(number, 3), totals=resampling)
    return paths


def test_scores_are_those_of_the_whole(tmp_path: Path) -> None:
    """Sums of counts are exact: with single references, of running-best and sampled metrics too."""
    metrics = ["m2", "gleu", "accuracy", "bleu", "ld"]
    merged = merge(save(tmp_path, SINGLE, metrics), confidence=Resampling(level=0.9))
    whole = score(SINGLE, SYSTEMS[:2], metrics, edits="plain", confidence=Resampling(2000, level=0.9))
    assert (merged.shards, merged.sentences, merged.comparisons) == (3, 72, ())
    assert merged.notes == (
        "the parts keep totals, so intervals are those of the Poisson bootstrap, and there are no tests",
    )
    for ours, theirs in zip(merged.scores, whole, strict=True):
        assert (ours.system, ours.metric, ours.parts) == (theirs.system, theirs.metric, theirs.parts)
        assert ours.score == theirs.score if ours.metric != "ld" else ours.score == pytest.approx(theirs.score)
        assert ours.level == 0.9
        assert np.allclose(ours.interval, theirs.interval, atol=0.03)
        assert "|poisson:0.9|resamples:2000|seed:1|gecval:" in ours.signature
    assert merge(save(tmp_path, SINGLE, ["ld"])).scores[0].interval is None


def test_several_references(tmp_path: Path) -> None:
    """Metrics that pool references, or take the best of each sentence, need no other sentence."""
    metrics = ["bleu", "accuracy", "min-ld"]
    merged = merge(save(tmp_path, SAMPLE, metrics))
    whole = score(SAMPLE, SYSTEMS[:2], metrics)
    assert [row.score for row in merged.scores] == pytest.approx([row.score for row in whole], abs=1e-12)
    for name in ("m2", "gleu"):
        with pytest.raises(InputError, match=f"{name} with several references has no totals of a part"):
            save(tmp_path, SAMPLE, [name])


def test_poisson_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(7)
    rows = np.column_stack([rng.integers(0, 5, 400), np.ones(400)]).astype(float)
    sums = poisson_totals(rows, MANY, part=1)
    assert sums.shape == (2000, 2)
    means = sums[:, 0] / sums[:, 1]
    assert sums[:, 1].mean() == pytest.approx(400, abs=2)
    assert sums[:, 1].std() == pytest.approx(20, abs=1)  # of a Poisson variable with mean 400
    assert means.std() == pytest.approx(rows[:, 0].std() / 20, rel=0.08)
    expected = [rows[:, 0].mean() + z * rows[:, 0].std() / 20 for z in (-1.96, 1.96)]
    assert np.allclose(percentile_interval(means, 0.95), expected, atol=0.02)
    assert not np.array_equal(sums, poisson_totals(rows, MANY, part=2))
    assert not np.array_equal(sums, poisson_totals(rows, Resampling(2000, seed=2), part=1))
    assert np.array_equal(sums, poisson_totals(rows, MANY, part=1))
    monkeypatch.setattr(passport, "AT_ONCE", 2000 * 400)
    assert np.array_equal(sums, poisson_totals(rows, MANY, part=1))


def test_each_part_draws_its_own_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.array([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]])
    rng = np.random.default_rng([7, 2])
    weights = rng.poisson(1.0, size=(4, 3))
    assert np.array_equal(poisson_totals(rows, Resampling(4, seed=7), part=2), weights @ rows)
    monkeypatch.setattr(passport, "AT_ONCE", 8)  # two sentences at a time
    rng = np.random.default_rng([7, 2])
    expected = rng.poisson(1.0, size=(4, 2)) @ rows[:2] + rng.poisson(1.0, size=(4, 1)) @ rows[2:]
    assert np.array_equal(poisson_totals(rows, Resampling(4, seed=7), part=2), expected)
    monkeypatch.undo()
    paths = save(tmp_path, SINGLE, ["accuracy"], Resampling(5))
    last = json.loads(paths[2].read_text().splitlines()[1])
    counts = np.random.default_rng([1, 3]).poisson(1.0, size=(5, EDGES[3] - EDGES[2])).sum(axis=1)
    assert np.array(last["resampled"])[:, 1].tolist() == counts.tolist()


def test_systems_share_their_weights(tmp_path: Path) -> None:
    paths = save(tmp_path, SINGLE, ["accuracy"], Resampling(5))
    lines = [json.loads(line) for line in paths[0].read_text().splitlines()]
    counts = [np.array(line["resampled"])[:, 1].tolist() for line in lines[1:]]
    assert counts[0] == counts[1]
    assert lines[0]["totals"] == {"resamples": 5, "seed": 1, "sentences": 30}
    assert lines[1]["rows"][1] == 30.0


def test_refusals(tmp_path: Path) -> None:
    one, two, three = save(tmp_path, SINGLE, ["ld"], Resampling(5))
    other = tmp_path / "other"
    other.mkdir()
    for resampling in (Resampling(6), Resampling(5, seed=2)):
        with pytest.raises(InputError, match=r"3\.stats keeps other totals than"):
            merge([one, two, save(other, SINGLE, ["ld"], resampling)[2]])
    with pytest.raises(InputError, match="keeps totals of a part, and no statistics"):
        verify(one)
    with pytest.raises(InputError, match="totals are those of corpus scores"):
        score(SINGLE, SYSTEMS[:1], ["ld"], aggregate="mean").save_part(one, totals=MANY)
    text = two.read_text()
    for field, value, said in (
        ("resamples", 1, "from 2 to 100,000 "),
        ("seed", -1, "from 0 to 9,223,372,036,854,775,808 "),
        ("sentences", 0, "from 1 to 1,000,000,000,000 "),
    ):
        head, rest = text.split("\n", 1)
        totals = {**json.loads(head)["totals"], field: value}
        two.write_text(f"{json.dumps({**json.loads(head), 'totals': totals})}\n{rest}")
        with pytest.raises(InputError, match=f"a whole number {said}is missing"):
            merge([one, two, three])
    for old, new in (('"resamples": 5', '"resamples": 6'), ('"resampled": [[', '"resampled": [[[1], ')):
        two.write_text(text.replace(old, new))
        with pytest.raises(InputError, match=r"2\.stats is no passport"):
            merge([one, two, three])
