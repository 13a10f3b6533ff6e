"""How language models run: on which device, how many texts at a time. It decides the time, not the score.

What a metric's own parameters say comes first, then what the command line was told (``--device``, ``--batch-size``),
then what suits this machine. Only the last asks PyTorch, and nobody asks it while the cache knows every text.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module

from gecval.errors import InputError, MissingExtraError

AUTO = "auto"
# Texts at a time. More are faster on a large GPU, but these fit into a small one: their logits over 49,152 tokens, of
# which there are three copies, take 2.4 GB.
CPU_BATCH = 16
GPU_BATCH = 64


@dataclass(frozen=True)
class Running:
    """``auto`` is the GPU if PyTorch sees one, else the CPU; without a batch size it is one that suits the device."""

    device: str = AUTO
    batch_size: int | None = None


_chosen = Running()


@contextmanager
def running(chosen: Running) -> Iterator[None]:
    """While this lasts, models whose metric does not say how to run do so as chosen."""
    global _chosen
    before, _chosen = _chosen, chosen
    try:
        yield
    finally:
        _chosen = before


def settled(own: Running) -> tuple[str, int]:
    """A device that is there, and a batch size."""
    device = _present(_chosen.device if own.device == AUTO else own.device)
    return device, own.batch_size or _chosen.batch_size or (CPU_BATCH if device == "cpu" else GPU_BATCH)


def _present(device: str) -> str:
    try:
        torch = import_module("torch")
    except ImportError:
        raise MissingExtraError("a language model (torch)", "lm") from None
    if device == AUTO:
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.empty(0, device=device)  # before a model is loaded for minutes
    except (RuntimeError, AssertionError) as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise InputError(f"no device {device!r} for language models, choose cpu or auto: {reason}") from None
    return device
