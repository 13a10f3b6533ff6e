"""Human judgments: judges rank the outputs of systems, sentence by sentence.

judgment.py         what a judgment is
reading.py          files to judgments, by suffix; new formats join by entry point
*_reader.py         one format each
placing.py          judgments on a corpus, and several sets as one
"""

from gecval.formats.judgments.judgment import Judgment, Judgments, Placement, checked_rank
from gecval.formats.judgments.placing import SOURCE_NAMES, combine, place
from gecval.formats.judgments.reading import SKIPPED_JUDGES, read_judgment_sets, read_judgments

__all__ = [
    "SKIPPED_JUDGES",
    "SOURCE_NAMES",
    "Judgment",
    "Judgments",
    "Placement",
    "checked_rank",
    "combine",
    "place",
    "read_judgment_sets",
    "read_judgments",
]
