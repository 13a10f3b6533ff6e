"""A network of the Llama kind, as the default model is, in PyTorch alone.

transformers takes longer to import than a sentence takes to be judged. So a stored model of this kind is loaded without
it, once it has said of some texts what it says with it (``language_model.py``).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

EMBEDDINGS = "model.embed_tokens.weight"
KIND = {
    "model_type": "llama",
    "attention_bias": False,
    "mlp_bias": False,
    "hidden_act": "silu",
    "tie_word_embeddings": True,
}


class Llama:
    """The weights in a folder of transformers, and how they are used. ValueError where the model is of another kind."""

    def __init__(self, folder: Path) -> None:
        from safetensors.torch import load_file

        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        rotation = config.get("rope_parameters") or {}
        if not all(config.get(name) == value for name, value in KIND.items()) or rotation.get("rope_type") != "default":
            raise ValueError("another kind of model")
        self.longest = int(config["max_position_embeddings"])
        self._theta, self._epsilon = rotation["rope_theta"], config["rms_norm_eps"]
        self._heads = int(config["head_dim"])  # numbers of a head
        weights: dict[str, Any] = load_file(folder / "model.safetensors")
        self.vocabulary: Any = weights.pop("lm_head.weight") if "lm_head.weight" in weights else weights.pop(EMBEDDINGS)
        self._norms = {name: weights.pop(name) for name in list(weights) if weights[name].dim() == 1}
        self._linear: dict[str, Callable[[Any], Any]] = weights
        self._layers = int(config["num_hidden_layers"])
        self._attention: Callable[..., tuple[Any, None]]

    def pack(self, linear: Callable[[Any, None], Any], attention: Callable[..., tuple[Any, None]]) -> None:
        """Take these linear layers, and this attention."""
        self._linear = {name: linear(weight, None) for name, weight in self._linear.items()}
        self._attention = attention

    def hidden(self, ids: Any, places: Any) -> Any:
        """The last hidden state of each node, from [node] to [node, number]."""
        import torch

        numbers = torch.nn.functional.embedding(ids, self.vocabulary)
        turns = torch.arange(0, self._heads, 2, dtype=torch.int64).float() / self._heads
        angles = places[:, None].float() / self._theta**turns
        rotate = partial(_rotate, cos=angles.cos().repeat(1, 2), sin=angles.sin().repeat(1, 2))
        for layer in range(self._layers):
            name = f"model.layers.{layer}."
            given = self._normal(f"{name}input_layernorm", numbers)
            query, key, value = (self._by_head(f"{name}self_attn.{which}_proj", given) for which in "qkv")
            seen, _ = self._attention(
                None, rotate(query)[None], rotate(key)[None], value[None], None, scaling=self._heads**-0.5
            )
            numbers = numbers + self._times(f"{name}self_attn.o_proj", seen[0].reshape(len(ids), -1))
            given = self._normal(f"{name}post_attention_layernorm", numbers)
            gate = torch.nn.functional.silu(self._times(f"{name}mlp.gate_proj", given))
            numbers = numbers + self._times(f"{name}mlp.down_proj", gate * self._times(f"{name}mlp.up_proj", given))
        return self._normal("model.norm", numbers)

    def _times(self, name: str, numbers: Any) -> Any:
        return self._linear[f"{name}.weight"](numbers)

    def _by_head(self, name: str, numbers: Any) -> Any:
        """From [node, number] to [head, node, number]."""
        return self._times(name, numbers).view(len(numbers), -1, self._heads).transpose(0, 1)

    def _normal(self, name: str, numbers: Any) -> Any:
        import torch

        return self._norms[f"{name}.weight"] * (
            numbers * torch.rsqrt(numbers.pow(2).mean(-1, keepdim=True) + self._epsilon)
        )


def _rotate(numbers: Any, cos: Any, sin: Any) -> Any:
    import torch

    first, second = numbers.chunk(2, dim=-1)
    return numbers * cos + torch.cat((-second, first), dim=-1) * sin
