"""Which device language models run on, and how many texts they read at a time. It decides the time, not the score.

A metric's own parameters come first. Then comes what ``use_device`` chose (the command line: ``--device`` and
``--batch-size``), then what suits this machine. Only the last step asks PyTorch, and it is not needed while the cache
knows every text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import lru_cache, partial
from importlib import import_module
from itertools import chain
from threading import RLock

from gecval.errors import InputError, MissingExtraError, first_line
from gecval.runtime.processes import in_device_processes

AUTO = "auto"
# PyTorch's, except for meta, which computes nothing.
KINDS = ("auto", "cpu", "cuda", "mps", "xpu", "hpu", "npu", "mtia", "xla", "ipu", "privateuseone")
KNOWN = f"{', '.join(KINDS)} are known; several are written cuda:0,cuda:1"
_DEVICE = rf"({'|'.join(KINDS)})(:\d+)?"
DEVICES = re.compile(f"{_DEVICE}(,{_DEVICE})*")
# Texts at a time. More are faster on a large GPU, but these fit into a small one: their logits over 49,152 tokens, of
# which there are three copies, take 2.4 GB. Packed texts (packed_texts.py) fill as many windows, and take 5 GB.
CPU_BATCH = 16
GPU_BATCH = 64

# A context variable: two threads, or two requests of one server, choose without disturbing each other.
_chosen: ContextVar[tuple[str, int | None]] = ContextVar("gecval device and batch size", default=(AUTO, None))


@contextmanager
def use_device(device: str = AUTO, *, batch_size: int | None = None) -> Iterator[None]:
    """Within this block, language models run on this device, unless a metric's own parameters say otherwise.

    Parameters
    ----------
    device
        ``cpu``, ``cuda``, ``cuda:1``, … ``auto`` is the GPU if PyTorch sees one, else the CPU. Causal language models
        share their texts among several devices: ``cuda:0,cuda:1``. Others take the first of them.
    batch_size
        Texts in a batch. Default: a number that suits the device.

    Examples
    --------
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


def choose_device() -> tuple[str, int | None]:
    """The device and batch size that ``use_device`` chose.

    >>> with use_device("cpu", batch_size=8):
    ...     choose_device()
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
        reason = first_line(error)
        raise _no_device(device, reason) from None
    return device


def _no_device(device: str, reason: str, *, parameter: str | tuple[str, ...] = ()) -> InputError:
    return InputError(f"no device {device!r} for language models, choose cpu or auto: {reason}", parameter=parameter)


# Texts on several devices: each has a process of its own, as one process could not feed two fast GPUs.


Answers = dict[str, str]
Asker = Callable[[str, list[str]], Iterator[Answers]]
PARTS = 4  # for each device, at least: the fastest then waits little for the slowest


def share_among(
    devices: Sequence[str], texts: Sequence[str], ask: Asker, *, least: int, most: int
) -> Iterator[Answers]:
    """What ``ask(device, texts)`` says, part after part; a part has from ``least`` to ``most`` texts.

    Texts that begin alike are in one part, as a device reads their beginning once.
    """
    length = min(most, max(least, -(-len(texts) // (PARTS * len(devices)))))
    in_order = sorted(texts)
    parts = (in_order[start : start + length] for start in range(0, len(texts), length))
    try:
        yield from in_device_processes(partial(_answers, ask), devices, parts)
    except BrokenExecutor:
        raise InputError(
            f"a process of {', '.join(devices)} was lost, perhaps for lack of memory: choose a smaller batch size, or "
            "fewer devices; what was found before is kept",
            parameter=("batch_size", "device"),
        ) from None


def _answers(ask: Asker, device: str, texts: list[str]) -> Answers:
    _share_no_lock()
    return dict(chain.from_iterable(answers.items() for answers in ask(device, texts)))


@lru_cache(maxsize=1)
def _share_no_lock() -> None:
    """Let the bars that libraries draw (tqdm) use a lock of this process alone.

    Theirs is one that processes share. A process that is ended leaves it behind, and Python warns the user of a leak.
    """
    with suppress(ImportError):
        import_module("tqdm").tqdm.set_lock(RLock())
