"""Neural judges, with small random networks: the papers' formulas over what the networks say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gecval import Corpus, InputError, metric
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.neural import sigmoid
from gecval.models.text_model import TextModel
from gecval.models.text_similarity import cosine
from tiny_models import tiny_bert

pytestmark = pytest.mark.usefixtures("empty_cache")

SOURCES = ["he go home .", "she like it", "he not like the home !"]
OUTPUTS = ["he goes home .", "she like it", "it went very home"]
CORPUS = Corpus.from_texts(SOURCES, language="en")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The three models of SOME, as the authors' archive names them, a classifier and an encoder."""
    place = tmp_path_factory.mktemp("models")
    for seed, name in enumerate(["grammer", "fluency", "meaning"]):
        tiny_bert(place / "some" / name, labels=1, seed=seed)
    tiny_bert(place / "labels", labels=3)
    tiny_bert(place / "encoder", labels=None)
    return place


def values(spelling: str) -> list[float]:
    evaluation = Evaluation.of(metric(spelling), CORPUS, CORPUS.system("mine", OUTPUTS))
    scores = evaluation.sentence_scores()
    assert evaluation.score() == pytest.approx(scores.mean())
    return scores.tolist()


def said(model: Path, texts: list, head="classifier") -> np.ndarray:
    return TextModel(str(model), head).numbers(texts)


def test_some(folder: Path) -> None:
    g, f = (said(folder / "some" / name, OUTPUTS)[:, 0] for name in ("grammer", "fluency"))
    m = said(folder / "some" / "meaning", list(zip(SOURCES, OUTPUTS, strict=True)))[:, 0]
    expected = 0.55 * (g - 1) / 3 + 0.43 * (f - 1) / 3 + 0.02 * (m - 1) / 3
    assert values(f'some(directory="{folder}/some")') == pytest.approx(expected.tolist(), abs=1e-6)
    alone = values(f'some(directory="{folder}/some", weights=(0, 0, 3))')
    assert alone == pytest.approx((m - 1).tolist(), abs=1e-6)


def test_impara_and_its_gate(folder: Path) -> None:
    quality = sigmoid(said(folder / "some" / "grammer", OUTPUTS)[:, 0])
    vectors = said(folder / "encoder", [*SOURCES, *OUTPUTS], "mean-pooled")
    likeness = cosine(vectors[:3], vectors[3:])
    assert likeness[1] == pytest.approx(1.0)
    between = (likeness[0] + likeness[2]) / 2
    expected = np.where(likeness >= between, quality, 0.0)
    assert np.count_nonzero(expected) == 2
    models = f'qe="{folder}/some/grammer", similarity="{folder}/encoder"'
    assert values(f"impara({models}, threshold={between})") == pytest.approx(expected.tolist(), abs=1e-6)
    assert values(f"impara({models}, threshold=-1)") == pytest.approx(quality.tolist(), abs=1e-6)


def test_reward(folder: Path) -> None:
    logits = said(folder / "labels", OUTPUTS)
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    assert values(f'reward(model="{folder}/labels", label=2)') == pytest.approx(shares[:, 2].tolist(), abs=1e-6)
    single = said(folder / "some" / "fluency", OUTPUTS)[:, 0]
    assert values(f'reward(model="{folder}/some/fluency")') == pytest.approx(single.tolist(), abs=1e-6)
    squashed = values(f'reward(model="{folder}/some/fluency", squash=True)')
    assert squashed == pytest.approx((1 / (1 + np.exp(-single))).tolist(), abs=1e-6)
    pair = said(folder / "some" / "fluency", list(zip(SOURCES, OUTPUTS, strict=True)))[:, 0]
    assert values(f'reward(model="{folder}/some/fluency", reads="pair")') == pytest.approx(pair.tolist(), abs=1e-6)


def test_chinese_is_read_without_blanks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []
    ask = TextModel.numbers

    def numbers(self: TextModel, texts: list[object], **more: object) -> object:
        seen.extend(texts)
        return ask(self, texts, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(TextModel, "numbers", numbers)
    corpus = Corpus.from_texts(["我 学 生 。", "he go ."])
    system = corpus.system("mine", ["我 是 学 生 。", "he goes ."])
    Evaluation.of(metric(f'reward(model="{folder}/some/fluency", reads="pair")'), corpus, system).score()
    assert seen == [("我学生。", "我是学生。"), ("he go .", "he goes .")]


def test_signatures_name_the_models(folder: Path) -> None:
    parameters = metric(f'some(directory="{folder}/some", batch_size=3)').parameters()
    assert parameters["grammaticality"].startswith("grammer:")
    assert parameters["meaning"] != parameters["fluency"]
    assert "batch_size" not in parameters


@pytest.mark.parametrize(
    ("spelling", "said"),
    [
        ("some", "some needs the folder of its three models"),
        ('some(directory="nowhere")', "nowhere: there is no folder grammaticality with a model"),
        ("some(weights=(1, 2))", "weights must be three numbers"),
        ("reward", "reward needs a model"),
        ('reward(reads="both")', "reads must be one of output, pair"),
    ],
)
def test_what_is_refused(spelling: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        values(spelling)


def test_judges_with_several_labels_are_refused_where_one_output_counts(folder: Path) -> None:
    with pytest.raises(InputError, match="labels has 3 labels, and this metric takes a model with one output"):
        values(f'impara(qe="{folder}/labels", similarity="{folder}/encoder")')


def test_a_label_that_the_model_lacks(folder: Path) -> None:
    with pytest.raises(InputError, match="has labels 0 to 2, and no 3"):
        values(f'reward(model="{folder}/labels", label=3)')


def test_sigmoid_and_cosine_at_the_edges() -> None:
    assert sigmoid(np.array([-800.0, 0.0, 800.0])).tolist() == pytest.approx([0.0, 0.5, 1.0])
    assert cosine(np.array([[1.0, 0.0], [0.0, 0.0]]), np.array([[2.0, 0.0], [1.0, 1.0]])).tolist() == [1.0, 0.0]
