"""What is wrong with a file: refused at the first fault, or, where the user is lenient, dropped and counted by kind."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from gecval.errors import InputError

NAMED = 10  # lines that a note names


@dataclass
class Faults:
    """The faults of one file.

    >>> faults = Faults(Path("gold.m2"), lenient=True)
    >>> faults.add(7, "edit 0 11 is out of range", kind="edits out of range")
    >>> faults.notes()
    ['gold.m2: dropped 1: edits out of range (line 7)']
    """

    path: Path
    lenient: bool = False
    dropped: dict[str, list[int]] = field(default_factory=dict)

    def add(self, number: int, what: str, *, kind: str) -> None:
        """A fault in this line. Whoever goes on has dropped it."""
        if not self.lenient:
            raise InputError(f"{self.path}: line {number}: {what}", parameter="lenient")
        self.dropped.setdefault(kind, []).append(number)

    def notes(self) -> list[str]:
        """One for each kind."""
        return [
            f"{self.path}: dropped {len(numbers)}: {kind} (line{'s' * (len(numbers) > 1)} {_listed(numbers)})"
            for kind, numbers in self.dropped.items()
        ]


def is_fault(note: str) -> bool:
    """Whether a note says that something was dropped."""
    return ": dropped " in note


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers[:NAMED])) + (", …" if len(numbers) > NAMED else "")
