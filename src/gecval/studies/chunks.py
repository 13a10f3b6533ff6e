"""The chunks of a study: one pure function, mapped over items, wherever the user wants it computed.

    computed(work, items) = work(items[0]), work(items[1]), …

``work`` is sent to each worker once. What is random in a chunk comes from its item, never from the worker, so the
answers are the same on any backend. A checkpoint keeps finished chunks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from typing import Any, Generic, TypeVar

from gecval.backends import spread
from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.models.device import chosen_device, use_device
from gecval.studies.checkpoint import Kept

Item = TypeVar("Item")
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Refused:
    """An answer that says why there is none. It is not kept: the reason may be gone the next time."""

    why: str


def computed(
    work: Callable[[Item], Answer],
    items: Sequence[Item],
    *,
    backend: str | None,
    kept: Kept | None = None,
) -> Iterator[Answer]:
    """What ``work`` gives for each item, in order. What is kept is not computed again."""
    kept = _Nothing() if kept is None else kept
    todo = [item for item in items if item not in kept]
    if backend is not None:
        work = _OnDevice(work, *chosen_device())
    with closing(spread(work, todo, backend=backend)) as answers:  # an interrupt ends the workers' connection too
        for item in items:
            if item in kept:
                yield kept.get(item)
                continue
            answer = next(answers)
            if not isinstance(answer, Refused):
                kept.add(item, answer)
            yield answer


def tried(work: Callable[[], Answer]) -> Answer | Refused:
    """What ``work`` gives, or why it refuses: one chunk that fails must not end the others."""
    try:
        return work()
    except InputError as error:
        return Refused(str(error))


def study_signature(study: str, *parts: object) -> str:
    """Everything that decides a study, in one line; a checkpoint of another study is refused by it."""
    return "|".join([study, *map(str, parts), f"gecval:{version('gecval')}"])


def digest(texts: Iterable[str]) -> str:
    """A short hash of texts, for a signature.

    >>> digest(["a", "b"]) == digest(["ab"])
    False
    """
    hashed = sha256()
    for text in texts:
        encoded = text.encode("utf-8", "surrogatepass")
        hashed.update(b"%d:%b" % (len(encoded), encoded))
    return hashed.hexdigest()[:16]


def systems_digest(systems: Iterable[System]) -> str:
    """A short hash of the names and the outputs of systems, and of their edits where they bring them."""
    return digest(text for system in systems for text in (system.name, *system.hypotheses, repr(system.edits)))


def corpus_signature(corpus: Corpus) -> str:
    """Sources and references, and how they are read."""
    hashes = f"{corpus.source_hash}{corpus.reference_hash}"
    return f"corpus:{hashes}:{corpus.language}:{corpus.tokenize}:{corpus.extractor}"


class _Nothing:
    """No checkpoint."""

    def __contains__(self, item: Any) -> bool:
        return False

    def get(self, item: Any) -> Any:
        raise KeyError(item)

    def add(self, item: Any, answer: Any) -> None:
        pass


@dataclass(frozen=True)
class _OnDevice(Generic[Item, Answer]):
    """Work with the device that was chosen here, also where it is done by others."""

    work: Callable[[Item], Answer]
    device: str
    batch_size: int | None

    def __call__(self, item: Item) -> Answer:
        with use_device(self.device, batch_size=self.batch_size):
            return self.work(item)
