"""Log-probabilities of many texts: the texts as a tree, fast products in float32, the vocabulary in slices.

    packing    The tokens of all texts of a batch lie in one row, without padding, and what texts that begin alike share
               is there once (``PrefixTree``). Only attention puts each text into a line of its own.
    products   On a CPU those of oneDNN: float32, with weights laid out once for the processor's widest instructions.
               On a GPU  x = x₁ + x₂ and w = w₁ + w₂, pieces in bfloat16:  x·w ≈ x₁w₁ + x₂w₁ + x₁w₂, summed in float32.
               What is left out is about 2⁻¹⁷ of a product. Tensor cores do these three faster than one in float32.
    slices     log Σ exp of the logits goes on from slice to slice of the vocabulary: they are never there as a whole.

On a GPU a token differs from float32 by about 1e-4 nats, far less than with TensorFloat-32, on a CPU by less than 1e-5
(figures: docs/reference-less.md). What this gives is compared with the plain way once for each model; a model that does
not fit goes the plain way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gecval.models.llama import Llama

NAMES = map("gecval-packed-{}".format, count())  # of attentions: transformers knows them by name, for all models
SLICE = 8192  # of the vocabulary
TOKENS = 16384  # that go through the last layer together on a GPU
FEW_NODES = 1000  # for which it does not pay to lay the weights out
FEW_TOKENS = 512  # the same on a CPU: a slice of their logits stays in its caches
UPPER, HALF = -65536, 32768  # the bits of a float32 that are a bfloat16, and half of the lowest of them
ALIKE = 5e-3  # nats a token: more than the pieces cost, and far less than another formula

Plain = Callable[[list[list[int]], list[int]], list[float]]


def pack_network(
    network: Any, plain: Plain, probes: list[list[int]], *, window: int = 1024, pieces: bool = True
) -> Packed | None:
    """The network packed, if it says of the probes what it said the ``plain`` way; else None, and it is spoilt.

    Attention must reach over a whole ``window`` of tokens, which the probes are too short to show.
    """
    if (getattr(getattr(network, "config", None), "sliding_window", None) or window) < window:
        return None
    starts = [1] * len(probes)
    expected = plain(probes, starts)
    try:
        ours = Packed(network, pieces=pieces)
        ours.lay_out()
        found = ours.log_probabilities(probes, starts).tolist()
    except (AttributeError, TypeError, ValueError, RuntimeError, NotImplementedError):
        return None  # a model, or a version of its library, that is built in another way
    apart = [abs(a - b) / len(ids) for a, b, ids in zip(expected, found, probes, strict=True)]
    return ours if max(apart) < ALIKE else None


class Packed:
    """A network of transformers, or a ``Llama``, whose linear layers are faster ones. What is given is changed.

    ``pieces`` are for tensor cores; else products are those of oneDNN.
    """

    def __init__(self, network: Any, *, pieces: bool = True) -> None:
        self._lines = _Lines()
        self.pieces = pieces
        self._tokens = TOKENS if pieces else FEW_TOKENS
        self._head = last_layer
        self._linear: list[Any] = []  # those to be laid out once there is more to do than that takes
        self._nodes = 0
        self._network: Any = network if isinstance(network, Llama) else _OfTransformers(network)
        self._network.pack(self._make_linear, self._lines.attention)
        self._last = self._network.vocabulary
        self._slices = [self._make_linear(part, None) for part in self._last.split(SLICE)]

    def _make_linear(self, weight: Any, bias: Any) -> Any:
        if self.pieces:
            return _linear_in_pieces()(weight, bias)
        made = _linear_on_cpu()(weight, bias)
        self._linear.append(made)
        return made

    def lay_out(self) -> None:
        """Lay the weights out for the processor, which takes as long as some hundred tokens do without."""
        while self._linear:
            self._linear.pop().lay_out()

    def compile(self) -> None:
        """Join small steps into larger ones. This takes about 15 seconds, once, and then doubles the speed."""
        import torch

        if self._head is not last_layer:
            return
        self._head = torch.compile(last_layer, dynamic=True)
        for layer in next(part for part in self._network.body.modules() if isinstance(part, torch.nn.ModuleList)):
            layer.compile(dynamic=True)

    def log_probabilities(self, texts: Sequence[list[int]], starts: Sequence[int]) -> Any:
        """A tensor: the summed log-probability of the tokens of each text from ``starts`` on. It may not be there yet.

        ``tolist`` waits for it; until then the next texts can be prepared.
        """
        import torch

        tree = PrefixTree(texts, starts)
        self._nodes += len(tree.ids)
        if self._nodes > FEW_NODES:
            self.lay_out()
        ids, places = self._send(tree.ids), self._send(tree.places)
        predicted, parents = self._send(tree.predicted), self._send(tree.parents)
        self._lines.tables = [tuple(map(self._send, table)) for table in tree.lines()]
        with torch.inference_mode():
            hidden = self._network.hidden(ids, places)
            found = torch.zeros(len(ids), dtype=torch.float64, device=hidden.device)
            for node, parent in zip(predicted.split(self._tokens), parents.split(self._tokens), strict=True):
                found[node] = self._head(hidden[parent], self._last, self._slices, ids[node]).double()
            sums = torch.zeros(len(texts), dtype=torch.float64, device=hidden.device)
            return sums.index_add_(0, self._send(tree.texts), found[self._send(tree.summed)])

    def _send(self, numbers: NDArray[np.int64]) -> Any:
        """The numbers on their way to the device. From pinned memory nobody waits for them."""
        import torch

        tensor = torch.from_numpy(numbers)
        return tensor.pin_memory().to(self._last.device, non_blocking=True) if self._last.is_cuda else tensor


class _OfTransformers:
    """A network of transformers, asked as a ``Llama`` is."""

    def __init__(self, network: Any) -> None:
        self._whole, self.body = network, network.base_model
        self.vocabulary = network.get_output_embeddings().weight.detach()

    def pack(self, linear: Any, attention: Any) -> None:
        import torch
        import transformers

        apart: Any = torch.compiler.disable  # shapes change from batch to batch
        name = next(NAMES)
        transformers.AttentionInterface.register(name, apart(attention))
        transformers.AttentionMaskInterface.register(name, lambda *_args, **_options: None)
        self._whole.set_attn_implementation(name)
        replace_linear_layers(self.body, linear)

    def hidden(self, ids: Any, places: Any) -> Any:
        return self.body(input_ids=ids[None], position_ids=places[None], use_cache=False).last_hidden_state[0]


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


def triple(weight: Any) -> Any:
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
    """numbers · weightᵀ, where ``weight`` is ``triple``."""
    import torch

    joined = concatenate_pieces(numbers)
    if joined.is_cuda:
        return torch.mm(joined, weight, out_dtype=torch.float32)
    return joined.float() @ weight.float()


def last_layer(hidden: Any, weight: Any, slices: Any, target: Any) -> Any:
    """The log-probability of each target, given the hidden state before it. Each slice gives some of the logits."""
    import torch

    highest = torch.full_like(hidden[:, 0], -torch.inf)
    total = torch.zeros_like(highest)
    for logits_of in slices:
        logits = logits_of(hidden)
        higher = torch.maximum(highest, logits.amax(1))
        total = total * torch.exp(highest - higher) + torch.exp(logits - higher[:, None]).sum(1)
        highest = higher
    return (hidden * weight[target]).sum(1) - highest - total.log()


def replace_linear_layers(module: Any, linear: Any) -> None:
    """Every linear layer within a module becomes a ``linear``."""
    import torch
    from transformers.pytorch_utils import Conv1D  # GPT-2's linear layer, with its weights the other way round

    for name, child in list(module.named_children()):
        if isinstance(child, torch.nn.Linear):
            setattr(module, name, linear(child.weight, child.bias))
        elif isinstance(child, Conv1D):
            setattr(module, name, linear(child.weight.t(), child.bias))
        else:
            replace_linear_layers(child, linear)


@lru_cache(maxsize=1)
def _linear_in_pieces() -> Any:
    """The class of a linear layer in pieces. PyTorch is not imported before it is needed."""
    import torch

    class LinearInPieces(torch.nn.Module):
        def __init__(self, weight: Any, bias: Any) -> None:
            super().__init__()
            self.register_buffer("weight", triple(weight.detach()), persistent=False)
            self.bias = bias

        def forward(self, numbers: Any) -> Any:
            product = times(numbers.reshape(-1, numbers.shape[-1]), self.weight)
            product = product if self.bias is None else product + self.bias
            return product.view(*numbers.shape[:-1], -1)

    return LinearInPieces


@lru_cache(maxsize=1)
def _linear_on_cpu() -> Any:
    """The class of a linear layer of oneDNN, which on some processors is twice as fast as PyTorch's own.

    Its weights must be laid out for it; until then it is PyTorch's own. PyTorch's compiler uses the same two operators.
    A PyTorch without them has no faster way.
    """
    import torch

    lay_out, times_laid_out = torch.ops.mkldnn._reorder_linear_weight, torch.ops.mkldnn._linear_pointwise

    class LinearOnCpu(torch.nn.Module):
        def __init__(self, weight: Any, bias: Any) -> None:
            super().__init__()
            self.weight = weight.detach()
            self.bias = None if bias is None else bias.detach()
            self.laid_out = False

        def lay_out(self) -> None:
            self.weight = lay_out(self.weight.contiguous(), FEW_TOKENS)
            self.laid_out = True

        def forward(self, numbers: Any) -> Any:
            if self.laid_out:
                return times_laid_out(numbers, self.weight, self.bias, "none", [], "")
            return torch.nn.functional.linear(numbers, self.weight, self.bias)

    return LinearOnCpu


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
