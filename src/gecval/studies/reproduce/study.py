"""The papers' tables with our figures: one module per paper, computed part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import ModuleType

from gecval.errors import InputError
from gecval.formats.datasets.catalog import find_dataset
from gecval.formats.datasets.folder import data_folder, locate, need_datasets
from gecval.results.checkpoint import Checkpoint, Chunk, Chunks, compute_chunks, study_signature
from gecval.runtime.backends import check_backend
from gecval.runtime.run import HERE, SERIAL, Run, announce
from gecval.studies.reproduce.result import Figure, Paper, Papers, PaperTable, PlacedFigure, Reproduction

__all__ = [
    "PAPERS",
    "Figure",
    "Paper",
    "PaperTable",
    "Papers",
    "PlacedFigure",
    "Reproduction",
    "papers",
    "reproduce",
]


def papers() -> Papers:
    """The papers whose tables ``reproduce`` makes.

    Returns
    -------
    Papers
        It prints as a table: the name of each paper, what it is about, and the data sets that it needs.

    Examples
    --------
    >>> [paper.name for paper in papers().papers]
    ['coverage', 'decisions', 'human', 'lfm', 'maege', 'no-comparison', 'scribendi', 'seeda']
    """
    return Papers(papers=tuple(PAPERS.values()))


def reproduce(paper: str, *, checkpoint: Path | str | None = None, run: Run = HERE) -> Reproduction:
    """The tables of one paper, published figures next to ours.

    Parameters
    ----------
    paper
        Its name; ``gecval.papers()`` lists them.
    checkpoint
        A file for finished parts. A reproduction that was interrupted goes on from there.
    run
        How it runs: threads, progress, backend. The result is the same on any backend, bit for bit.

    Returns
    -------
    Reproduction
        It prints as the paper's tables.

    Raises
    ------
    InputError
        Where a data set is missing. The message says how to get all that are.

    Examples
    --------
    >>> reproduce("my-own")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    gecval.errors.InputError: there is no paper 'my-own'; there is coverage, decisions, ..., scribendi, seeda
    """
    if paper not in PAPERS:
        raise InputError(f"there is no paper {paper!r}; there is {', '.join(PAPERS)}", parameter="paper")
    if run.backend is not None:
        check_backend(run.backend)
    need_datasets(PAPERS[paper].datasets)
    work = PaperParts(paper=paper, run=run.for_parts())
    form = Chunks(dict.fromkeys(work.names, tuple[PaperTable, ...]), what="part")
    kept = Checkpoint(checkpoint, signature=work.signature() if checkpoint else "", form=form)
    tables: list[PaperTable] = []
    answers = compute_chunks(work, [(name,) for name in work.names], run=run, kept=kept)
    for number, name in enumerate(work.names):
        run.progress(number, len(work.names))
        announce(run.progress, name)
        tables += next(answers)
    return Reproduction(paper=paper, about=PAPERS[paper].about, tables=tuple(work.arrange(tables)))


# The papers whose tables we reproduce: one module each, named like the paper.
#
# A module has a function ``make_tables(run)``, or ``parts()``: such functions by name, which run on any backend.
# Where the tables of all parts do not come in the right order, ``arrange(tables)`` gives it.


_JUDGED = ("conll14", "gjg15", "nspt15")

# LFM needs gug in human, no-comparison and scribendi too; where it is missing, its rows stay empty.
LISTED = (
    Paper(
        name="coverage",
        about="low-coverage bias (Choshen & Abend 2018): Tables 1 and 4, Figures 1-4, §3.4",
        datasets=("conll14", "bryant-ng-2015", "ibgec", "turkcorpus"),
        language_model=False,
    ),
    Paper(
        name="decisions",
        about="no paper: do our decisions hold what they promise? Looks, power, intervals, tests, valid edits",
        datasets=("conll14", "bryant-ng-2015"),
        language_model=False,
    ),
    Paper(
        name="human",
        about="human rankings (GJG15, NSPT15, SEEDA) and metrics against them; Table 1 of the MAEGE paper",
        datasets=(*_JUDGED, "bryant-ng-2015", "seeda"),
    ),
    Paper(
        name="lfm",
        about="a feature model of grammaticality (Heilman et al. 2014), trained and tested on the GUG data",
        datasets=("gug",),
    ),
    Paper(
        name="maege",
        about="metrics validated on lattices of corrections (Choshen & Abend 2018): Tables 2, 3 and 4",
        datasets=("conll14", "references"),
        language_model=False,
    ),
    Paper(
        name="no-comparison",
        about="reference-less metrics and hybrids (Napoles et al. 2016): Tables 1, 2 and 4, Figure 1",
        datasets=(*_JUDGED, "bryant-ng-2015", "sakaguchi-2016"),
    ),
    Paper(
        name="scribendi",
        about="a language model as judge (Islam & Magnani 2021): Tables 2, 3 and 5; LT and LFM of the 2016 paper",
        datasets=_JUDGED,
    ),
    Paper(
        name="seeda",
        about="metrics against SEEDA's people (Kobayashi et al. 2024), with false and with true references",
        datasets=("conll14", "seeda"),
    ),
)
PAPERS = {paper.name: paper for paper in LISTED}


# The parts of a paper, each by its name, wherever it is computed.


OPTIONAL_DATASET = "gug"  # LFM is trained on it


@dataclass(frozen=True, kw_only=True)
class PaperParts:
    """The module of a paper. A paper without parts is one."""

    paper: str
    run: Run = SERIAL

    def __call__(self, chunk: Chunk) -> tuple[PaperTable, ...]:
        [name] = chunk
        return tuple(self._parts()[name](self.run))

    @property
    def names(self) -> list[str]:
        return list(self._parts())

    def arrange(self, tables: Sequence[PaperTable]) -> Iterable[PaperTable]:
        """The tables of all parts, as the paper has them."""
        arrange: Callable[[Sequence[PaperTable]], list[PaperTable]] = getattr(self._module(), "arrange", list)
        return arrange(tables)

    def signature(self) -> str:
        """The paper and its data: what decides every part."""
        digest = sha256()
        for name in (*PAPERS[self.paper].datasets, OPTIONAL_DATASET):
            entry = find_dataset(name)
            for file in entry.files:
                if path := locate(file, data_folder() / entry.folder):
                    digest.update(file.name.encode() + sha256(path.read_bytes()).digest())
        return study_signature("reproduce", self.paper, f"data:{digest.hexdigest()[:16]}")

    def _parts(self) -> dict[str, Callable[[Run], Sequence[PaperTable]]]:
        module = self._module()
        return module.parts() if hasattr(module, "parts") else {"tables": module.make_tables}

    def _module(self) -> ModuleType:
        return import_module(f"gecval.studies.reproduce.{self.paper.replace('-', '_')}")
