"""The papers whose tables we reproduce: one module each, named like the paper.

A module has a function ``run(progress)``, or ``parts()``: such functions by name, which may be computed anywhere. Where
the tables of all parts do not come in the right order, ``arranged(tables)`` gives it.
"""

from __future__ import annotations

from gecval.studies.reproduce.results import Paper

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
