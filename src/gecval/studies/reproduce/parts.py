"""The parts of a paper, each by its name, wherever it is computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from types import ModuleType

from gecval.formats.datasets.place import data_folder, locate
from gecval.formats.datasets.registry import find_dataset
from gecval.progress import Progress, silent
from gecval.studies.checkpoint import Chunk
from gecval.studies.chunks import study_signature
from gecval.studies.reproduce.papers import PAPERS
from gecval.studies.reproduce.results import PaperTable

WHERE_AT_HAND = "gug"  # LFM is trained on it


@dataclass(frozen=True, kw_only=True)
class PaperParts:
    """The module of a paper. A paper without parts is one."""

    paper: str
    progress: Progress = silent

    def __call__(self, chunk: Chunk) -> tuple[PaperTable, ...]:
        [name] = chunk
        return tuple(self._parts()[name](self.progress))

    @property
    def names(self) -> list[str]:
        return list(self._parts())

    def arranged(self, tables: Sequence[PaperTable]) -> Iterable[PaperTable]:
        """The tables of all parts, as the paper has them."""
        arrange: Callable[[Sequence[PaperTable]], list[PaperTable]] = getattr(self._module(), "arranged", list)
        return arrange(tables)

    def signature(self) -> str:
        """The paper and its data: what decides every part."""
        digest = sha256()
        for name in (*PAPERS[self.paper].datasets, WHERE_AT_HAND):
            entry = find_dataset(name)
            for file in entry.files:
                if path := locate(file, data_folder() / entry.folder):
                    digest.update(file.name.encode() + sha256(path.read_bytes()).digest())
        return study_signature("reproduce", self.paper, f"data:{digest.hexdigest()[:16]}")

    def _parts(self) -> dict[str, Callable[[Progress], Sequence[PaperTable]]]:
        module = self._module()
        return module.parts() if hasattr(module, "parts") else {"tables": module.run}

    def _module(self) -> ModuleType:
        return import_module(f"gecval.studies.reproduce.{self.paper.replace('-', '_')}")
