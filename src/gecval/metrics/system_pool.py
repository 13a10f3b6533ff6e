"""Systems that are scored together: metrics such as gotoscorer and llm-judge look at all of them.

The parameter ``pool`` of such a metric names them: ``outputs`` (the systems that are scored), a file or folder of
outputs, or ``none``. The systems that are scored are a part of the corpus (``Corpus.pool``), so that a score depends on
what a metric is given, and not on what it was asked before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gecval.corpus import Corpus, System
from gecval.formats.outputs import load_systems

OUTPUTS = "outputs"
NO_POOL = "none"


def pool_systems(corpus: Corpus, pool: str) -> tuple[System, ...] | None:
    """The systems that a pool names; None without a pool, and where nobody said which systems are scored."""
    if pool == NO_POOL:
        return None
    return corpus.pool if pool == OUTPUTS else corpus.derive(_SystemsInFiles(pool))


def pool_signature(corpus: Corpus, pool: str) -> list[str]:
    """The field of a signature for the systems that a pool names."""
    systems = pool_systems(corpus, pool)
    return [] if systems is None else [f"pool-hash:{hash_outputs(systems)}"]


def hash_outputs(systems: Sequence[System]) -> str:
    """The same for the same outputs, in whatever order and under whatever names."""
    digests = sorted(
        hashlib.sha256("\n".join(system.hypotheses).encode("utf-8", "surrogatepass")).hexdigest() for system in systems
    )
    return hashlib.sha256("".join(digests).encode()).hexdigest()[:8]


@dataclass(frozen=True)
class _SystemsInFiles:
    """The outputs in a file or folder: a key for ``Corpus.derive``."""

    path: str

    def __call__(self, corpus: Corpus) -> tuple[System, ...]:
        return tuple(load_systems(Path(self.path), corpus))
