"""Packed texts, products in pieces and sliced logits give what the plain way gives: on a CPU, with toy networks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="needs the extra: pip install 'gecval[lm]'")
transformers = pytest.importorskip("transformers", reason="needs the extra: pip install 'gecval[lm]'")

from gecval.models import packed_texts  # noqa: E402
from gecval.models.packed_texts import Packed, pack_network, pieces, times, triple  # noqa: E402

VOCABULARY = 50
TEXTS = [[0, 3, 9, 4], [0, 7], [0, 5, 5, 1, 2, 8, 49], [0, 1, 2, 3]]


def llama() -> Any:
    """Four heads ask two keys, as in SmolLM2."""
    torch.manual_seed(1)
    sizes = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "vocab_size": VOCABULARY}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2}
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(**sizes, **heads)).eval()


def gpt2() -> Any:
    torch.manual_seed(1)
    config = transformers.GPT2Config(n_embd=32, n_layer=2, n_head=4, vocab_size=VOCABULARY, n_positions=64)
    return transformers.GPT2LMHeadModel(config).eval()


def plain(network: Any, texts: list[list[int]], starts: list[int]) -> list[float]:
    """One text after the other, in float64."""
    sums = []
    for ids, start in zip(texts, starts, strict=True):
        with torch.inference_mode():
            logs = network(input_ids=torch.tensor([ids])).logits[0].double().log_softmax(-1)
        sums.append(sum(float(logs[place - 1, ids[place]]) for place in range(start, len(ids))))
    return sums


@pytest.mark.parametrize("make", [llama, gpt2])
@pytest.mark.parametrize("starts", [[1, 1, 1, 1], [2, 1, 4, 3]])
@pytest.mark.parametrize("pieces", [True, False])
def test_the_same_log_probabilities_as_one_text_at_a_time(
    make: Any, starts: list[int], pieces: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed_texts, "SLICE", 16)  # four slices, the last one shorter
    monkeypatch.setattr(packed_texts, "TOKENS", 5)
    monkeypatch.setattr(packed_texts, "FEW_TOKENS", 5)
    expected = plain(make(), TEXTS, starts)
    network = make()
    found = Packed(network, pieces=pieces).log_probabilities(TEXTS, starts).tolist()
    assert found == pytest.approx(expected, abs=1e-4 if pieces else 1e-5)
    assert not [layer for layer in network.base_model.modules() if type(layer).__name__ in ("Linear", "Conv1D")]
    assert len(set(found)) == 4


def test_a_text_does_not_see_its_neighbours() -> None:
    ours = Packed(llama())
    alone = [ours.log_probabilities([ids], [1]).item() for ids in TEXTS]
    assert ours.log_probabilities(TEXTS, [1] * 4).tolist() == pytest.approx(alone, abs=1e-5)
    assert ours.log_probabilities(TEXTS[::-1], [1] * 4).tolist() == pytest.approx(alone[::-1], abs=1e-5)


def test_texts_that_begin_alike_share_their_beginning() -> None:
    """Also one that is there twice, one that begins another, and one of which only the end is asked for."""
    texts = [[0, 3, 9, 4, 1], [0, 3, 9, 5], [0, 3, 9], [0, 3, 9, 5], [0, 8, 9, 5], [0, 3, 9, 4, 1]]
    starts = [1, 1, 2, 3, 1, 4]
    assert Packed(llama()).log_probabilities(texts, starts).tolist() == pytest.approx(
        plain(llama(), texts, starts), abs=1e-4
    )


def test_few_tokens_do_not_wait_for_weights_to_be_laid_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then all that come are read the other way, with the same answers."""
    monkeypatch.setattr(packed_texts, "FEW_NODES", 20)
    expected = plain(llama(), TEXTS, [1] * 4)
    ours = Packed(llama(), pieces=False)
    for laid_out in (False, True, True):
        assert ours.log_probabilities(TEXTS, [1] * 4).tolist() == pytest.approx(expected, abs=1e-5)
        assert {layer.laid_out for layer in ours._slices} == {laid_out}


def test_two_models_at_once() -> None:
    """Each has its own lines: a second model does not change what the first one says."""
    first = Packed(llama())
    before = first.log_probabilities(TEXTS, [1] * 4).tolist()
    second = Packed(gpt2())
    second.log_probabilities(TEXTS[::-1], [1] * 4)
    assert first.log_probabilities(TEXTS, [1] * 4).tolist() == before


def test_a_model_that_says_something_else_goes_the_plain_way() -> None:
    """Such as one that scales its logits after the last layer."""
    network = llama()
    assert pack_network(network, lambda texts, starts: plain(llama(), texts, starts), TEXTS) is not None
    network = llama()
    assert pack_network(network, lambda texts, starts: [2 * x for x in plain(llama(), texts, starts)], TEXTS) is None

    sizes = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "vocab_size": VOCABULARY}
    for reach, fits in ((100, False), (4096, True)):  # probes are too short to show how far attention reaches
        heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "sliding_window": reach}
        network = transformers.MistralForCausalLM(transformers.MistralConfig(**sizes, **heads)).eval()
        expected = plain(network, TEXTS, [1] * 4)
        assert (pack_network(network, lambda texts, starts, said=expected: said, TEXTS) is not None) == fits

    class Other(torch.nn.Module):  # type: ignore[misc, name-defined, unused-ignore]
        """Not built as models of transformers are."""

    assert pack_network(Other(), lambda texts, starts: [0.0] * len(texts), TEXTS) is None


numbers = st.floats(-1e4, 1e4, width=32, allow_subnormal=False)


@given(st.lists(numbers, min_size=1, max_size=6))
def test_pieces_add_up(given_numbers: list[float]) -> None:
    whole = torch.tensor(given_numbers, dtype=torch.float32)
    first, second = pieces(whole)
    assert torch.equal(first + second, whole)
    assert torch.equal(first.bfloat16().float(), first)  # nothing is lost
    assert torch.equal(first, whole.bfloat16().float()) or torch.allclose(first, whole, rtol=2**-8)
    assert (second.abs() <= first.abs() * 2**-8).all()


def test_products_are_near_float32() -> None:
    rng = np.random.default_rng(5)
    left, right = (torch.tensor(rng.normal(size=(20, 30)), dtype=torch.float32) for _ in range(2))
    exact = left.double() @ right.double().t()
    error = (times(left, triple(right)).double() - exact).abs().max() / exact.abs().max()
    in_bfloat16 = ((left.bfloat16() @ right.bfloat16().t()).double() - exact).abs().max() / exact.abs().max()
    assert error < 1e-5 < 1e-3 < in_bfloat16


def test_a_network_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of texts come one after the other, and each asks for it."""
    compiled: list[str] = []
    monkeypatch.setattr(torch, "compile", lambda function, **_: compiled.append("head") or [function])
    monkeypatch.setattr(torch.nn.Module, "compile", lambda self, **_: compiled.append(type(self).__name__))
    ours = Packed(llama())
    ours.compile()
    ours.compile()
    assert compiled == ["head", "LlamaDecoderLayer", "LlamaDecoderLayer"]
