"""Similarities of texts: by words, by mean vectors, and BERTScore with a small random network."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import InputError
from gecval.models.similarities import compared, similarity
from gecval.models.text_model import TextModel
from oracles.weighted import word_f1
from tiny_models import tiny_bert

TEXTS = ["he go home .", "she likes it", "", "he goes very"]
REFERENCES = ["he goes home .", "she likes it", "", ""]
WORDS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=5).map(" ".join)


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECVAL_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny_bert(tmp_path_factory.mktemp("models") / "encoder", labels=None)


@given(WORDS, WORDS)
def test_words(text: str, reference: str) -> None:
    assert similarity("words").of([text], [reference])[0] == pytest.approx(word_f1(text, reference))


def test_cosine(encoder: str) -> None:
    vectors = TextModel(encoder, "mean-pooled").numbers([*TEXTS, *REFERENCES])
    expected = [a @ b / np.linalg.norm(a) / np.linalg.norm(b) for a, b in zip(vectors[:4], vectors[4:], strict=True)]
    assert similarity(f"cosine({encoder})").of(TEXTS, REFERENCES) == pytest.approx(np.array(expected))
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
    for text, reference in zip(TEXTS[:2], REFERENCES[:2], strict=True):
        a, b = hidden(encoder, text, layer), hidden(encoder, reference, layer)
        p = np.mean([max(x @ y for y in b) for x in a])
        r = np.mean([max(x @ y for x in a) for y in b])
        for kind, value in zip(expected, (p, r, 2 * p * r / (p + r)), strict=True):
            expected[kind].append(float(value))
    for kind, values in expected.items():
        spelled = f"bertscore{kind}({encoder}, {layer})"
        assert similarity(spelled).of(TEXTS, REFERENCES).tolist() == pytest.approx([*values, 1.0, 0.0], abs=1e-5)
    if layer == 2:
        assert similarity(encoder).of(TEXTS, REFERENCES).tolist() == pytest.approx([*expected[""], 1.0, 0.0], abs=1e-5)


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
