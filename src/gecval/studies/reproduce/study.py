"""The papers' tables with our figures: one module per paper, computed part by part."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from gecval.errors import InputError
from gecval.formats.datasets.catalog import find_dataset
from gecval.formats.datasets.folder import data_folder, locate, need_datasets
from gecval.results.checkpoint import Checkpoint, Chunk, Chunks, compute_chunks, study_signature
from gecval.runtime.backends import check_backend
from gecval.runtime.run import HERE, SERIAL, Run
from gecval.studies.reproduce.result import (
    Figure,
    ItemStatus,
    Paper,
    PaperItem,
    PaperItems,
    Papers,
    PaperTable,
    PlacedFigure,
    Reproduction,
    begins,
)

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
    >>> [paper.name for paper in papers().papers][:4]
    ['agreement', 'calibration', 'coverage', 'decisions']
    """
    return Papers(papers=tuple(PAPERS.values()))


def paper_items() -> PaperItems:
    """Every table, figure and numbered finding of the papers, and where we stand with it.

    Nothing is computed: figures are those of the last full run, which stand in ``outcomes.json``.

    Returns
    -------
    PaperItems
        It prints as a table.

    Examples
    --------
    >>> {item.status for item in paper_items().items} <= {"equal", "explained", "open", "data not public"}
    True
    """
    declared = [ItemStatus.of(paper, item, ()) for paper in PAPERS for item in PaperParts(paper=paper).items]
    found = read_outcomes()
    return PaperItems(items=tuple(replace(item, **found.get((item.paper, item.item), {})) for item in declared))


def read_outcomes() -> dict[tuple[str, str], dict[str, Any]]:
    """What the last full run of each paper gave, by paper and item: how many figures, how many equal, and so on.

    ``python tests/studies/reproduce/test_outcomes.py PAPER.json...`` writes them, from what ``gecval reproduce PAPER
    --format json`` printed.
    """
    rows = json.loads((Path(__file__).parent / "outcomes.json").read_text(encoding="utf-8"))
    return {(row.pop("paper"), row.pop("item")): row for row in rows}


def reproduce(
    paper: str,
    *,
    only: Sequence[str] = (),
    skip: Sequence[str] = (),
    quick: bool = False,
    checkpoint: Path | str | None = None,
    run: Run = HERE,
) -> Reproduction:
    """The tables of one paper, published figures next to ours.

    Parameters
    ----------
    paper
        Its name; ``gecval reproduce`` lists them.
    only
        The tables, figures and findings to compute, such as ``["Table 2"]``; by default all.
    skip
        Metrics to leave out, by their names in the tables or in gecval; their cells stay empty.
    quick
        Make few experiments, for a first look. Only ``calibration`` can.
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
    gecval.errors.InputError: there is no paper 'my-own'; there is agreement, calibration, ..., scribendi, seeda
    """
    if paper not in PAPERS:
        raise InputError(f"there is no paper {paper!r}; there is {', '.join(PAPERS)}", parameter="paper")
    check_backend(run.backend)
    if quick and not PAPERS[paper].quick:
        raise InputError(f"quick changes nothing for {paper}", parameter="quick")
    work = PaperParts(paper=paper, quick=quick, run=run.for_parts()).without(skip)
    chosen = work.choose(only)
    need_datasets(PAPERS[paper].datasets)
    form = Chunks(dict.fromkeys(work.names, tuple[PaperTable, ...]), what="part")
    parts: list[Chunk] = [(name,) for name in chosen]
    finished = Checkpoint(checkpoint, work.signature, form)
    answers = compute_chunks(work, parts, run=run, finished=finished, label=lambda part: str(part[0]))
    tables: list[PaperTable] = []
    for items, made in zip(chosen.values(), answers, strict=True):
        tables += made if items is None else [t for t in made if any(item.holds(t.title) for item in items)]
    wanted = [
        item
        for item in work.items
        if not only
        or any((items is None and name == item.part) or item in (items or ()) for name, items in chosen.items())
    ]
    return Reproduction(
        paper=paper,
        about=PAPERS[paper].about,
        tables=tuple(work.arrange(tables)),
        items=tuple(ItemStatus.of(paper, item, tables) for item in wanted),
        notes=(f"left out: {', '.join(work.skip)}",) if work.skip else (),
    )


# The papers whose tables we reproduce: one module each, named like the paper.
#
# A module has a function ``make_tables(run)``, or ``parts()``: such functions by name, which run on any backend. Where
# some of its metrics can be left out, ``metrics()`` lists them, and both functions take ``skip``, those to leave out.
# ``ITEMS`` declares every table, figure and numbered finding of the paper, in its order. Where parts make rows of one
# table, ``merge_tables(tables)`` puts them together. Where a quick look is possible, ``parts`` takes ``quick``.


_JUDGED = ("conll14", "gjg15", "nspt15")

# LFM needs gug in human, no-comparison and scribendi too; where it is missing, its rows stay empty.
LISTED = (
    Paper(
        name="agreement",
        about="no paper: all metrics against people, what survives controls, and choices that are tested elsewhere",
        datasets=(*_JUDGED, "bryant-ng-2015", "seeda", "attacks"),
    ),
    Paper(
        name="calibration",
        about="no paper: do intervals and tests hold what they promise? Simulated, promise by promise",
        datasets=(),
        language_model=False,
        quick=True,
    ),
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
        name="m2",
        about="the MaxMatch score (Dahlmeier & Ng 2012): its example, Figures 1 and 2, Table 2; scorers on CoNLL-2014",
        datasets=("conll14",),
        language_model=False,
    ),
    Paper(
        name="maege",
        about="metrics validated on lattices of corrections (Choshen & Abend 2018): Tables 2, 3 and 4, Figure 1",
        datasets=("conll14", "references", "bryant-ng-2015"),
        language_model=False,
    ),
    Paper(
        name="no-comparison",
        about="reference-less metrics and hybrids (Napoles et al. 2016): all tables, Figure 1, footnotes 4 and 5",
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
    """The module of a paper. A paper without parts is one. ``skip`` has the names of metrics in the tables."""

    paper: str
    quick: bool = False
    run: Run = SERIAL
    skip: tuple[str, ...] = ()

    def __call__(self, chunk: Chunk) -> tuple[PaperTable, ...]:
        [name] = chunk
        return tuple(self._parts()[name](self.run))

    @property
    def names(self) -> list[str]:
        return list(self._parts())

    @property
    def items(self) -> tuple[PaperItem, ...]:
        """What the paper has, in its order."""
        return getattr(self._module(), "ITEMS", ())

    def without(self, metrics: Sequence[str]) -> PaperParts:
        """The same without some metrics, by their names in the tables or in gecval."""
        known: Mapping[str, str | None] = getattr(self._module(), "metrics", dict)()
        if metrics and not known:
            raise InputError(f"{self.paper} has no metric that can be left out", parameter="skip")
        skip = []
        for name in metrics:
            found = [
                label
                for label, spelling in known.items()
                if name.casefold() in (label.casefold(), (spelling or "").partition("(")[0])
            ]
            if not found:
                raise InputError(f"{self.paper} has no metric {name!r}; it has {', '.join(known)}", parameter="skip")
            skip += found
        if known and set(known) <= set(skip):
            raise InputError(f"no metric of {self.paper} is left", parameter="skip")
        return replace(self, skip=tuple(sorted(set(skip))))

    def choose(self, only: Sequence[str]) -> dict[str, list[PaperItem] | None]:
        """The parts to compute, each with the items that are asked of it; None where all are."""
        chosen: dict[str, list[PaperItem] | None] = {} if only else dict.fromkeys(self.names)
        for text in only:
            items = [item for item in self.items if begins(item.name, text)]
            parts = [name for name in self.names if name.casefold() == text.casefold()]
            if not items and not parts:
                known = list(dict.fromkeys([item.name for item in self.items] or self.names))
                raise InputError(f"{self.paper} has no {text!r}; it has {', '.join(known)}", parameter="only")
            if not parts and not any(item.part for item in items):
                ways = " and ".join(dict.fromkeys(item.command for item in items if item.command))
                why = f"use {ways}" if ways else items[0].why
                raise InputError(f"reproduce does not compute {items[0].name}: {why}", parameter="only")
            for item in items:
                if item.part and chosen.setdefault(item.part, []) is not None:
                    chosen[item.part] = [*(chosen[item.part] or ()), item]
            chosen.update(dict.fromkeys(parts))
        return {name: chosen[name] for name in self.names if name in chosen}

    def arrange(self, tables: Sequence[PaperTable]) -> list[PaperTable]:
        """The tables of all parts in the order of the paper's items; a table of none stands where it was made."""
        tables = getattr(self._module(), "merge_tables", list)(tables)
        places = [
            next((place for place, item in enumerate(self.items) if item.holds(table.title)), None) for table in tables
        ]
        last, keys = -1, []
        for place in places:
            last = last if place is None else place
            keys.append(last)
        return [table for _, table in sorted(zip(keys, tables, strict=True), key=lambda pair: pair[0])]

    def signature(self) -> str:
        """The paper and its data, and the metrics that are left out: what decides every part."""
        digest = sha256()
        for name in (*PAPERS[self.paper].datasets, OPTIONAL_DATASET):
            entry = find_dataset(name)
            for file in entry.files:
                if path := locate(file, data_folder() / entry.folder):
                    digest.update(file.name.encode() + sha256(path.read_bytes()).digest())
        options = [f"skip:{','.join(self.skip)}"] if self.skip else []
        options += ["quick"] if self.quick else []
        return study_signature("reproduce", self.paper, f"data:{digest.hexdigest()[:16]}", *options)

    def _parts(self) -> dict[str, Callable[[Run], Sequence[PaperTable]]]:
        module = self._module()
        options: dict[str, Any] = {"skip": self.skip} if self.skip else {}
        options |= {"quick": True} if self.quick else {}
        if hasattr(module, "parts"):
            parts: dict[str, Callable[[Run], Sequence[PaperTable]]] = module.parts(**options)
            return parts
        return {"tables": partial(module.make_tables, **options)}

    def _module(self) -> ModuleType:
        return import_module(f"gecval.studies.reproduce.{self.paper.replace('-', '_')}")
