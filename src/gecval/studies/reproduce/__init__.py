"""The papers' tables with our figures: one module per paper, each with a function ``run(progress)``."""

from __future__ import annotations

from importlib import import_module

from gecval.errors import InputError
from gecval.formats.datasets.place import need_datasets
from gecval.progress import Progress, silent
from gecval.studies.reproduce.papers import PAPERS
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


def reproduce(paper: str, *, progress: Progress = silent) -> Reproduction:
    """The tables of one paper, published figures beside ours.

    Parameters
    ----------
    paper
        Its name; ``gecval.papers()`` lists them.

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
    need_datasets(PAPERS[paper].datasets)
    run = import_module(f"gecval.studies.reproduce.{paper.replace('-', '_')}").run
    tables: list[PaperTable] = run(progress)
    return Reproduction(paper=paper, about=PAPERS[paper].about, tables=tuple(tables))
