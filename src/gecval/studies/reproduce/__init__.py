"""The papers' tables with our figures: one module per paper (``papers.py`` says what it has), computed part by part."""

from __future__ import annotations

from pathlib import Path

from gecval.backends import check_backend
from gecval.errors import InputError
from gecval.formats.datasets.place import need_datasets
from gecval.progress import Progress, announce, silent
from gecval.studies.checkpoint import Checkpoint, Chunks
from gecval.studies.chunks import computed
from gecval.studies.reproduce.papers import PAPERS
from gecval.studies.reproduce.parts import PaperParts
from gecval.studies.reproduce.results import Figure, Paper, Papers, PaperTable, PlacedFigure, Reproduction

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

    Examples
    --------
    >>> [paper.name for paper in papers().papers]
    ['coverage', 'decisions', 'human', 'lfm', 'maege', 'no-comparison', 'scribendi', 'seeda']
    """
    return Papers(papers=tuple(PAPERS.values()))


def reproduce(
    paper: str, *, checkpoint: Path | str | None = None, backend: str | None = None, progress: Progress = silent
) -> Reproduction:
    """The tables of one paper, published figures beside ours.

    Parameters
    ----------
    paper
        Its name; ``gecval.papers()`` lists them.
    checkpoint
        A file in which finished parts are kept. A reproduction that was interrupted goes on from there.
    backend
        Where parts are computed: ``processes``, ``processes:8``, ``dask://host:port`` or ``ray://host:port``. The
        result is the same, bit for bit.

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
    if backend is not None:
        check_backend(backend)
    need_datasets(PAPERS[paper].datasets)
    work = PaperParts(paper=paper, progress=progress if backend is None else silent)
    form = Chunks(dict.fromkeys(work.names, tuple[PaperTable, ...]), what="part")
    kept = Checkpoint(checkpoint, signature=work.signature() if checkpoint else "", form=form)
    tables: list[PaperTable] = []
    answers = computed(work, [(name,) for name in work.names], backend=backend, kept=kept)
    for number, name in enumerate(work.names):
        progress(number, len(work.names))
        announce(progress, name)
        tables += next(answers)
    return Reproduction(paper=paper, about=PAPERS[paper].about, tables=tuple(work.arranged(tables)))
