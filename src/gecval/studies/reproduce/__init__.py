"""The papers' tables with our figures: one module per paper, each with a function ``run(progress)``."""

from __future__ import annotations

from importlib import import_module

from gecval.errors import InputError
from gecval.formats.datasets.place import need_datasets
from gecval.progress import Progress, silent
from gecval.studies.reproduce.base import Figure, Reproduction

PAPERS: dict[str, str] = {
    "coverage": "low-coverage bias (Choshen & Abend 2018): Tables 1 and 4, Figures 1-4, §3.4",
    "human": "human rankings (GJG15, NSPT15, SEEDA) and metrics against them; Table 1 of the MAEGE paper",
    "lfm": "a feature model of grammaticality (Heilman et al. 2014), trained and tested on the GUG data",
    "maege": "metrics validated on lattices of corrections (Choshen & Abend 2018): Tables 2, 3 and 4",
    "no-comparison": "reference-less metrics and hybrids (Napoles et al. 2016): Tables 1, 2 and 4, Figure 1",
    "scribendi": "a language model as judge (Islam & Magnani 2021): Tables 2, 3 and 5; LT and LFM of the 2016 paper",
}

# The data sets that each of them reads. LFM's, gug, may be missing elsewhere: its rows then stay empty.
_CONLL = ("conll14", "bryant-ng-2015")
_JUDGED = ("conll14", "gjg15", "nspt15")
DATASETS: dict[str, tuple[str, ...]] = {
    "coverage": (*_CONLL, "ibgec", "turkcorpus"),
    "human": (*_JUDGED, "bryant-ng-2015", "seeda"),
    "lfm": ("gug",),
    "maege": ("conll14", "references"),
    "no-comparison": (*_JUDGED, "bryant-ng-2015", "sakaguchi-2016"),
    "scribendi": _JUDGED,
}

__all__ = ["DATASETS", "PAPERS", "Figure", "Reproduction", "reproduce"]


def reproduce(paper: str, *, progress: Progress = silent) -> list[Reproduction]:
    """The tables of one paper, published figures beside ours. Needs the data sets it was made on."""
    if paper not in PAPERS:
        raise InputError(f"nothing to reproduce for {paper!r}; there is {', '.join(PAPERS)}")
    need_datasets(DATASETS[paper])
    run = import_module(f"gecval.studies.reproduce.{paper.replace('-', '_')}").run
    tables: list[Reproduction] = run(progress)
    return tables
