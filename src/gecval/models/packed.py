"""Log-probabilities on a GPU: texts as a tree, float32 products on tensor cores, the vocabulary in slices.

    packing    The tokens of all texts of a batch lie in one row, without padding, and what texts that begin alike share
               is there once (``prefix_tree.py``). Only attention puts each text into a line of its own.
    products   x = x₁ + x₂ and w = w₁ + w₂, pieces in bfloat16:  x·w ≈ x₁w₁ + x₂w₁ + x₁w₂, summed in float32.
               What is left out is about 2⁻¹⁷ of a product. Tensor cores do these three faster than one in float32.
    slices     log Σ exp of the logits goes on from slice to slice of the vocabulary: they are never there as a whole.

A token differs from float32 by about 1e-4 nats, far less than with TensorFloat-32 (figures: docs/reference-less.md).
What this gives is compared with the plain way once for each model; a model that does not fit goes the plain way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

NAMES = map("gecval-packed-{}".format, count())  # of attentions: transformers knows them by name, for all models
SLICE = 8192  # of the vocabulary
TOKENS = 16384  # that go through the last layer together
UPPER, HALF = -65536, 32768  # the bits of a float32 that are a bfloat16, and half of the lowest of them
ALIKE = 5e-3  # nats a token: more than the pieces cost, and far less than another formula

Plain = Callable[[list[list[int]], list[int]], list[float]]


def packed(network: Any, plain: Plain, probes: list[list[int]], *, window: int = 1024) -> Packed | None:
    """The network in pieces, if it says of the probes what it said the ``plain`` way; else None, and it is spoilt.

    Attention must reach over a whole ``window`` of tokens, which the probes are too short to show.
    """
    if (getattr(getattr(network, "config", None), "sliding_window", None) or window) < window:
        return None
    starts = [1] * len(probes)
    expected = plain(probes, starts)
    try:
        ours = Packed(network)
        found = ours.log_probabilities(probes, starts).tolist()
    except (AttributeError, TypeError, ValueError, RuntimeError, NotImplementedError):
        return None  # a model, or a version of its library, that is built in another way
    apart = [abs(a - b) / len(ids) for a, b, ids in zip(expected, found, probes, strict=True)]
    return ours if max(apart) < ALIKE else None


class Packed:
    """A network of transformers whose linear layers are in pieces. The network that is given is changed."""

    def __init__(self, network: Any) -> None:
        import torch
        import transformers

        self._lines = _Lines()
        apart: Any = torch.compiler.disable  # shapes change from batch to batch
        name = next(NAMES)
        transformers.AttentionInterface.register(name, apart(self._lines.attention))
        transformers.AttentionMaskInterface.register(name, lambda *_args, **_options: None)
        network.set_attn_implementation(name)
        self._last = network.get_output_embeddings().weight.detach()
        self._slices = tripled(self._last)
        self._body = network.base_model
        self._head = last_layer
        in_pieces(self._body)

    def compile(self) -> None:
        """Join small steps into larger ones. This takes about 15 seconds, once, and then doubles the speed."""
        import torch

        if self._head is not last_layer:
            return
        self._head = torch.compile(last_layer, dynamic=True)
        for layer in next(module for module in self._body.modules() if isinstance(module, torch.nn.ModuleList)):
            layer.compile(dynamic=True)

    def log_probabilities(self, texts: Sequence[list[int]], starts: Sequence[int]) -> Any:
        """A tensor: the summed log-probability of the tokens of each text from ``starts`` on. It may not be there yet.

        ``tolist`` waits for it; until then the next texts can be prepared.
        """
        import torch

        tree = PrefixTree(texts, starts)
        ids, places = self._sent(tree.ids), self._sent(tree.places)
        predicted, parents = self._sent(tree.predicted), self._sent(tree.parents)
        self._lines.tables = [tuple(map(self._sent, table)) for table in tree.lines()]
        with torch.inference_mode():
            hidden = self._body(input_ids=ids[None], position_ids=places[None], use_cache=False).last_hidden_state[0]
            found = torch.zeros(len(ids), dtype=torch.float64, device=hidden.device)
            for node, parent in zip(predicted.split(TOKENS), parents.split(TOKENS), strict=True):
                found[node] = self._head(hidden[parent], self._last, self._slices, ids[node]).double()
            sums = torch.zeros(len(texts), dtype=torch.float64, device=hidden.device)
            return sums.index_add_(0, self._sent(tree.texts), found[self._sent(tree.summed)])

    def _sent(self, numbers: NDArray[np.int64]) -> Any:
        """The numbers on their way to the device. From pinned memory nobody waits for them."""
        import torch

        tensor = torch.from_numpy(numbers)
        return tensor.pin_memory().to(self._last.device, non_blocking=True) if self._last.is_cuda else tensor


class _Lines:
    """Attention of packed texts: each token sees those before it in its own text."""

    tables: Sequence[tuple[Any, ...]] = ()

    def attention(
        self, module: Any, query: Any, key: Any, value: Any, mask: Any, scaling: float | None = None, **_options: Any
    ) -> tuple[Any, None]:
        """From [1, heads, node, number] to [1, node, heads, number]. Heads that queries share are copied."""
        import torch

        heads = query.shape[1]
        by_node = [numbers[0].transpose(0, 1).contiguous() for numbers in (query, key, value)]
        together = torch.empty_like(by_node[0])
        for lines, own, nodes in self.tables:
            queries, keys, values = (_apart(numbers, lines, heads) for numbers in by_node)
            seen = torch.nn.functional.scaled_dot_product_attention(
                queries, keys, values, is_causal=True, scale=scaling
            )
            together[nodes] = seen.transpose(1, 2).reshape(-1, heads, seen.shape[-1])[own]
        return together[None], None


def _apart(numbers: Any, lines: Any, heads: int) -> Any:
    """From [node, heads, number] to [text, heads, place, number]."""
    apart = numbers[lines].transpose(1, 2)
    return apart if apart.shape[1] == heads else apart.repeat_interleave(heads // apart.shape[1], dim=1)


def pieces(numbers: Any) -> tuple[Any, Any]:
    """The bfloat16 nearest to each float32, and what is left. By bits: a compiler takes casts there and back away."""
    import torch

    upper = ((numbers.view(torch.int32) + HALF) & UPPER).view(torch.float32)
    return upper, numbers - upper


def tripled(weight: Any) -> Any:
    """w₁, w₁ and w₂ below each other, for ``times``."""
    import torch

    first, second = pieces(weight)
    return torch.cat([first, first, second], 1).bfloat16().t()


def concatenate_pieces(numbers: Any) -> Any:
    """x₁, x₂ and x₁, concatenated."""
    import torch

    first, second = pieces(numbers)
    return torch.cat([first.bfloat16(), second.bfloat16(), first.bfloat16()], 1)


def times(numbers: Any, weight: Any) -> Any:
    """numbers · weightᵀ, where ``weight`` is ``tripled``."""
    import torch

    joined = concatenate_pieces(numbers)
    if joined.is_cuda:
        return torch.mm(joined, weight, out_dtype=torch.float32)
    return joined.float() @ weight.float()


def last_layer(hidden: Any, weight: Any, slices: Any, target: Any) -> Any:
    """The log-probability of each target, given the hidden state before it."""
    import torch

    highest = torch.full_like(hidden[:, 0], -torch.inf)
    total = torch.zeros_like(highest)
    for start in range(0, slices.shape[1], SLICE):
        logits = times(hidden, slices[:, start : start + SLICE])
        higher = torch.maximum(highest, logits.amax(1))
        total = total * torch.exp(highest - higher) + torch.exp(logits - higher[:, None]).sum(1)
        highest = higher
    return (hidden * weight[target]).sum(1) - highest - total.log()


def in_pieces(module: Any) -> None:
    """Every linear layer within a module, in pieces."""
    import torch

    for name, child in list(module.named_children()):
        if isinstance(child, torch.nn.Linear):
            setattr(module, name, _linear()(child.weight, child.bias))
        else:
            in_pieces(child)


@lru_cache(maxsize=1)
def _linear() -> Any:
    """The class of a linear layer in pieces. PyTorch is not imported before it is needed."""
    import torch

    class Linear(torch.nn.Module):
        def __init__(self, weight: Any, bias: Any) -> None:
            super().__init__()
            self.register_buffer("weight", tripled(weight.detach()), persistent=False)
            self.bias = bias

        def forward(self, numbers: Any) -> Any:
            product = times(numbers.reshape(-1, numbers.shape[-1]), self.weight)
            product = product if self.bias is None else product + self.bias
            return product.view(*numbers.shape[:-1], -1)

    return Linear


# Texts as a tree: those that begin alike share the tokens of their beginning.
#
# A causal model sees only what stands before a token. So a source and its corrections, which mostly begin alike, need
# their common beginning once:  She likes │ apples │ .   and   She likes │ pears │ .   have six nodes, not eight tokens.
#
#     node       a token after all that stands before it
#     lines      the nodes of each text in a row, padded; texts of similar length lie in one table, for attention


Integers = NDArray[np.int64]
ALIKE_LENGTH = 0.75  # of the longest text's length in a table of lines: the rest of a shorter one is padding


class PrefixTree:
    """The nodes of texts. Each predicts the next token of its text, from the place on where its text ``starts``.

    >>> tree = PrefixTree([[7, 8, 9], [7, 5], [7, 8, 4]], [1, 1, 1])
    >>> tree.ids.tolist(), tree.places.tolist()  # the texts are in order: [7, 5], [7, 8, 4], [7, 8, 9]
    ([7, 5, 8, 4, 9], [0, 1, 1, 2, 2])
    >>> tree.predicted.tolist(), tree.parents.tolist()  # 5 after 7, 8 after 7, 4 after 8, 9 after 8
    ([1, 2, 3, 4], [0, 0, 2, 2])
    >>> tree.texts.tolist(), tree.summed.tolist()  # the second text sums 5, the third 8 and 4, the first 8 and 9
    ([1, 2, 2, 0, 0], [1, 2, 3, 2, 4])
    >>> [(lines.tolist(), own.tolist(), nodes.tolist()) for lines, own, nodes in tree.lines()]
    [([[0, 2, 3], [0, 2, 4]], [1, 2, 5], [2, 3, 4]), ([[0, 1]], [0, 1], [0, 1])]
    """

    def __init__(self, texts: Sequence[list[int]], starts: Sequence[int]) -> None:
        order = sorted(range(len(texts)), key=texts.__getitem__)
        self._lengths = np.array([len(texts[text]) for text in order])
        places = np.arange(self._lengths.max())
        there = places < self._lengths[:, None]
        tokens = np.full(there.shape, -1)
        tokens[there] = np.concatenate([np.asarray(texts[text], dtype=np.int64) for text in order])
        # What a text shares with the one before it in order has a node already: the last one made at that place.
        self._new = there.copy()
        self._new[1:] &= ~np.logical_and.accumulate(tokens[1:] == tokens[:-1], axis=1)
        nodes = np.zeros(there.shape, dtype=np.int64)
        nodes[self._new] = np.arange(self._new.sum())
        self._nodes: Integers = np.maximum.accumulate(nodes, axis=0)
        self.ids: Integers = tokens[self._new]
        self.places: Integers = np.broadcast_to(places, there.shape)[self._new]
        asked = there & (places >= np.asarray(starts)[order][:, None])
        rows, at = np.nonzero(asked)
        self.texts: Integers = np.asarray(order)[rows]
        self.summed: Integers = self._nodes[rows, at]
        self.predicted, first = np.unique(self.summed, return_index=True)
        self.parents: Integers = self._nodes[rows[first], at[first] - 1]

    def lines(self) -> Iterator[tuple[Integers, Integers, Integers]]:
        """Tables of nodes, [text, place], the longest texts first; where in the table nodes are new, and which."""
        by_length = np.argsort(-self._lengths, kind="stable")
        lengths = self._lengths[by_length]
        start = 0
        while start < len(lengths):
            longest = int(lengths[start])
            end = int(np.searchsorted(-lengths, -ALIKE_LENGTH * longest, side="right"))
            rows = by_length[start:end]
            table, new = self._nodes[rows, :longest], self._new[rows, :longest]
            yield table, np.flatnonzero(new), table[new]
            start = end
