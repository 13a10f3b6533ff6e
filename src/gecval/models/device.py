"""Which device language models run on, and how many texts they read at a time. It decides the time, not the score.

A metric's own parameters come first. Then comes what ``use_device`` chose (the command line: ``--device`` and
``--batch-size``), then what suits this machine. Only the last step asks PyTorch, and it is not needed while the cache
knows every text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module

from gecval.errors import InputError, MissingExtraError

AUTO = "auto"
# PyTorch's, except for meta, which computes nothing.
KINDS = ("auto", "cpu", "cuda", "mps", "xpu", "hpu", "npu", "mtia", "xla", "ipu", "privateuseone")
KNOWN = f"{', '.join(KINDS)} are known; several are written cuda:0,cuda:1"
_DEVICE = rf"({'|'.join(KINDS)})(:\d+)?"
DEVICES = re.compile(f"{_DEVICE}(,{_DEVICE})*")
# Texts at a time. More are faster on a large GPU, but these fit into a small one: their logits over 49,152 tokens, of
# which there are three copies, take 2.4 GB. Packed texts (packed.py) fill as many windows, and take 5 GB.
CPU_BATCH = 16
GPU_BATCH = 64

# A context variable: two threads, or two requests of one server, choose without disturbing each other.
_chosen: ContextVar[tuple[str, int | None]] = ContextVar("gecval device and batch size", default=(AUTO, None))


@contextmanager
def use_device(device: str = AUTO, *, batch_size: int | None = None) -> Iterator[None]:
    """Within this block, language models run on this device, unless a metric's own parameters say otherwise.

    ``auto`` is the GPU if PyTorch sees one, else the CPU. Without a batch size, one that suits the device is taken.
    Causal language models share their texts among several devices: ``cuda:0,cuda:1``. Others take the first of them.

    >>> with use_device("cpu", batch_size=8):
    ...     pass  # gecval.score(corpus, systems, ["scribendi"])
    """
    if not DEVICES.fullmatch(device):  # before any work; whether there is one is asked when a model needs it
        raise _no_device(device, KNOWN, parameter="device")
    token = _chosen.set((device, batch_size))
    try:
        yield
    finally:
        _chosen.reset(token)


def chosen_device() -> tuple[str, int | None]:
    """The device and batch size that ``use_device`` chose.

    >>> with use_device("cpu", batch_size=8):
    ...     chosen_device()
    ('cpu', 8)
    """
    return _chosen.get()


def resolve_device(device: str = AUTO, batch_size: int | None = None) -> tuple[str, int]:
    """The device and batch size to use, given a metric's own parameters. The device is known to be there."""
    [first, *_], size = resolve_devices(device, batch_size)
    return first, size


def resolve_devices(device: str = AUTO, batch_size: int | None = None) -> tuple[list[str], int]:
    """The same, for models that can use several devices."""
    chosen_device, chosen_batch_size = _chosen.get()
    names = chosen_device if device == AUTO else device
    if not DEVICES.fullmatch(names):
        raise _no_device(names, KNOWN)
    present = [_present(name) for name in names.split(",")]
    return present, batch_size or chosen_batch_size or (CPU_BATCH if "cpu" in present else GPU_BATCH)


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
        raise _no_device(device, reason) from None
    return device


def _no_device(device: str, reason: str, *, parameter: str | tuple[str, ...] = ()) -> InputError:
    return InputError(f"no device {device!r} for language models, choose cpu or auto: {reason}", parameter=parameter)
