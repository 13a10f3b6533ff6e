"""Training: weights as the normal equations give them, tuned on dev, stretched; and the real judgments."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from gecval.formats.ratings import Judged, read_judged
from gecval.studies.lfm import study as lfm
from gecval.studies.lfm.study import ALPHAS, NO_LINK, LfmTraining, train_lfm

pytest.importorskip("sklearn", reason="needs the extra: pip install 'gecval[lfm]'")
GROUPS = ("spelling", "ngrams")


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> list[Judged]:
    """Sentences that are their own features: a number for each of two groups; judgments follow them with some noise."""
    random = np.random.default_rng(1)

    def features(groups: Sequence[str], sentences: Sequence[str], **options: object) -> list[dict[str, float]]:
        rows = [
            dict(zip(("spelling: x", "ngrams: y"), map(float, sentence.split()), strict=True)) for sentence in sentences
        ]
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
    rows = [(*map(float, item.sentence.split()), item.judgment) for item in judged if item.split == split]
    return np.array(rows)[:, :2], np.array(rows)[:, 2]


def test_weights_are_those_of_the_normal_equations(made_up: list[Judged]) -> None:
    training = train_lfm(made_up, GROUPS, name="made up")
    (x, y), (x_dev, y_dev), (x_test, y_test) = (table(made_up, split) for split in ("train", "dev", "test"))
    mean, scale = x.mean(axis=0), x.std(axis=0)
    z = (x - mean) / scale

    def solved(alpha: float) -> np.ndarray:
        return np.linalg.solve(z.T @ z + alpha * np.eye(2), z.T @ (y - y.mean()))

    on_dev = [np.corrcoef((x_dev - mean) / scale @ solved(alpha), y_dev)[0, 1] for alpha in ALPHAS]
    w = solved(ALPHAS[int(np.argmax(on_dev))])
    w *= y.std() / (z @ w).std()
    weights = training.model
    assert weights.trained == {"on": "made up", "sentences": 40, "alpha": ALPHAS[int(np.argmax(on_dev))]}
    assert [weights.weights["spelling: x"], weights.weights["ngrams: y"]] == pytest.approx(list(w / scale))
    predicted = y.mean() + (x_test - mean) / scale @ w
    rows = [{"spelling: x": a, "ngrams: y": b} for a, b in x_test]
    assert weights.judgments(rows) == pytest.approx(predicted)
    dev, test = training.agreement
    assert (dev.split, dev.pearson.n, test.split, test.pearson.n) == ("dev", 40, "test", 40)
    assert test.pearson.value == pytest.approx(np.corrcoef(predicted, y_test)[0, 1])
    assert test.accuracy == ((predicted >= 3.5) == (y_test >= 3.5)).mean()
    assert test.majority == max((y_test >= 3.5).mean(), (y_test < 3.5).mean())


def test_the_grid_has_eleven_powers_of_ten() -> None:
    assert pytest.approx((1e-5, 1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0, 100.0, 1e3, 1e4, 1e5)) == ALPHAS


def test_a_judgment_of_three_and_a_half_is_grammatical(made_up: list[Judged]) -> None:
    judged = [Judged(item.sentence, 3.5 if item.sentence[0] != "-" else 1.0, item.split) for item in made_up]
    shares = [np.mean([item.judgment == 3.5 for item in judged if item.split == split]) for split in ("dev", "test")]
    assert all(0.5 < share < 1 for share in shares)
    assert [held_out.majority for held_out in train_lfm(judged, GROUPS).agreement] == pytest.approx(shares)


def test_ablations_are_of_single_groups(made_up: list[Judged]) -> None:
    spelling, ngrams = train_lfm(made_up, GROUPS).ablations
    (_, _), (x_dev, y_dev) = (table(made_up, split) for split in ("train", "dev"))
    alone = [abs(np.corrcoef(x_dev[:, i], y_dev)[0, 1]) for i in (0, 1)]
    assert (spelling.features, spelling.judge) == ("spelling", "a judge")
    assert (spelling.alone, spelling.without) == pytest.approx((alone[0], alone[1]))
    assert (ngrams.alone, ngrams.without) == pytest.approx((alone[1], alone[0]))
    assert train_lfm(made_up, GROUPS[:1]).ablations == ()


def test_features_without_any_spread_have_no_correlation(
    made_up: list[Judged], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was −1 in the table; it is undefined, and null in JSON."""
    constant = [Judged("1.0 " + item.sentence.split()[1], item.judgment, item.split) for item in made_up]
    training = train_lfm(constant, GROUPS)
    assert np.isnan(training.ablations[0].alone)
    assert training.to_dict()["ablations"][0]["alone"] is None
    assert "–" in str(training)


def test_a_training_says_what_is_left_out_and_renders_itself(
    made_up: list[Judged], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lfm, "usual_groups", lambda: GROUPS)
    training = train_lfm(made_up, name="made up")
    assert isinstance(training, LfmTraining)
    assert training.notes == (NO_LINK,)
    assert train_lfm(made_up, GROUPS).notes == ()
    as_json = training.to_dict()
    assert as_json["schema"] == "gecval.lfm-training/1"
    assert as_json["model"]["trained"]["on"] == "made up"
    assert [row["split"] for row in as_json["agreement"]] == ["dev", "test"]
    assert "Predicted and human judgments of grammaticality" in str(training)
    assert "Pearson's r on dev" in str(training)


def test_trigrams_on_the_real_judgments(data: Path) -> None:
    pytest.importorskip("pocketsphinx", reason="needs the extra: pip install 'gecval[lfm]'")
    test = train_lfm(read_judged(data / "gug" / "gug_annotations.tsv"), ["ngrams"]).agreement[1]
    assert test.pearson.n == 754
    assert test.pearson.value == pytest.approx(0.5785, abs=5e-4)
    assert test.accuracy == pytest.approx(0.7639, abs=5e-4)
