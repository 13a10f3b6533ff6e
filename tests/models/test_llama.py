"""A stored model is asked without transformers, and says what it says with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs the extra: pip install 'gecval[lm]'")
transformers = pytest.importorskip("transformers", reason="needs the extra: pip install 'gecval[lm]'")

from gecval.models.llama import Llama  # noqa: E402
from gecval.models.packed_texts import Packed  # noqa: E402

TEXTS = [[0, 3, 9, 4], [0, 7], [0, 5, 5, 1, 2, 8, 49], [0, 1, 2, 3]]


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """Four heads ask two keys, as in SmolLM2."""
    torch.manual_seed(1)
    sizes = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "vocab_size": 50}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "tie_word_embeddings": True}
    network = transformers.LlamaForCausalLM(transformers.LlamaConfig(**sizes, **heads))
    for parameter in network.parameters():  # large ones, so that each part has a say
        torch.nn.init.normal_(parameter, std=0.3)
    network.save_pretrained(tmp_path)
    return tmp_path


def test_says_what_transformers_says(stored: Path) -> None:
    network = transformers.AutoModelForCausalLM.from_pretrained(stored)
    expected = []
    for ids in TEXTS:
        with torch.inference_mode():
            logs = network(input_ids=torch.tensor([ids])).logits[0].double().log_softmax(-1)
        expected.append(sum(float(logs[place - 1, ids[place]]) for place in range(1, len(ids))))
    ours = Packed(Llama(stored), pieces=False)
    assert ours.log_probabilities(TEXTS, [1] * 4).tolist() == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    "other",
    [
        {"model_type": "mistral"},
        {"attention_bias": True},
        {"hidden_act": "gelu"},
        {"tie_word_embeddings": False},
        {"rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 10000.0}},
    ],
)
def test_another_kind_of_model_is_none(stored: Path, other: dict[str, Any]) -> None:
    config = json.loads((stored / "config.json").read_text())
    (stored / "config.json").write_text(json.dumps(config | other))
    with pytest.raises(ValueError, match="another kind of model"):
        Llama(stored)
