"""Training: weights as the normal equations give them, tuned on dev, stretched; and the real judgments."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from gecval.formats.ratings import Judged, read_judged
from gecval.studies import lfm
from gecval.studies.lfm import ALPHAS, train

pytest.importorskip("sklearn", reason="needs the extra: pip install 'gecval[lfm]'")
GROUPS = ("spelling", "ngrams")


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> list[Judged]:
    """Sentences that are their own features: a number for each of two groups; judgments follow them with some noise."""
    random = np.random.default_rng(1)

    def features(groups: Sequence[str], sentences: Sequence[str], **options: object) -> list[dict[str, float]]:
        rows = [dict(zip(("spelling: x", "ngrams: y"), map(float, one.split()), strict=True)) for one in sentences]
        return [{name: value for name, value in row.items() if name.split(":")[0] in groups} for row in rows]

    monkeypatch.setattr(lfm, "features", features)
    monkeypatch.setattr(lfm, "judges", lambda groups: dict.fromkeys(groups, "a judge"))
    judged = []
    for i in range(120):
        x, y = random.normal(size=2) * (3.0, 0.2) + (1.0, 5.0)
        judgment = float(np.clip(2.5 + 0.2 * (x - 1) + 0.5 * (y - 5) + random.normal() / 3, 1, 4))
        judged.append(Judged(f"{x:.6f} {y:.6f}", judgment, ("train", "dev", "test")[i % 3]))
    return judged


def table(judged: list[Judged], split: str) -> tuple[np.ndarray, np.ndarray]:
    rows = [(*map(float, one.sentence.split()), one.judgment) for one in judged if one.split == split]
    return np.array(rows)[:, :2], np.array(rows)[:, 2]


def test_weights_are_those_of_the_normal_equations(made_up: list[Judged]) -> None:
    training = train(made_up, GROUPS, name="made up")
    (x, y), (x_dev, y_dev), (x_test, y_test) = (table(made_up, split) for split in ("train", "dev", "test"))
    mean, scale = x.mean(axis=0), x.std(axis=0)
    z = (x - mean) / scale

    def solved(alpha: float) -> np.ndarray:
        return np.linalg.solve(z.T @ z + alpha * np.eye(2), z.T @ (y - y.mean()))

    on_dev = [np.corrcoef((x_dev - mean) / scale @ solved(alpha), y_dev)[0, 1] for alpha in ALPHAS]
    w = solved(ALPHAS[int(np.argmax(on_dev))])
    w *= y.std() / (z @ w).std()
    weights = training.weights
    assert weights.trained == {"on": "made up", "sentences": 40, "alpha": ALPHAS[int(np.argmax(on_dev))]}
    assert [weights.weights["spelling: x"], weights.weights["ngrams: y"]] == pytest.approx(list(w / scale))
    predicted = y.mean() + (x_test - mean) / scale @ w
    rows = [{"spelling: x": a, "ngrams: y": b} for a, b in x_test]
    assert weights.judgments(rows) == pytest.approx(predicted)
    test = training.agreement["test"]
    assert test.pearson.value == pytest.approx(np.corrcoef(predicted, y_test)[0, 1])
    assert test.accuracy == ((predicted >= 3.5) == (y_test >= 3.5)).mean()
    assert test.majority == max((y_test >= 3.5).mean(), (y_test < 3.5).mean())


def test_ablations_are_of_single_groups(made_up: list[Judged]) -> None:
    training = train(made_up, GROUPS)
    (_, _), (x_dev, y_dev) = (table(made_up, split) for split in ("train", "dev"))
    alone = [abs(np.corrcoef(x_dev[:, i], y_dev)[0, 1]) for i in (0, 1)]
    assert training.ablations["spelling"] == pytest.approx((alone[0], alone[1]))
    assert training.ablations["ngrams"] == pytest.approx((alone[1], alone[0]))
    assert train(made_up, GROUPS[:1]).ablations == {}


def test_trigrams_on_the_real_judgments(data: Path) -> None:
    pytest.importorskip("pocketsphinx", reason="needs the extra: pip install 'gecval[lfm]'")
    training = train(read_judged(data / "gug" / "gug_annotations.tsv"), ["ngrams"])
    test = training.agreement["test"]
    assert test.pearson.n == 754
    assert test.pearson.value == pytest.approx(0.5785, abs=5e-4)
    assert test.accuracy == pytest.approx(0.7639, abs=5e-4)
