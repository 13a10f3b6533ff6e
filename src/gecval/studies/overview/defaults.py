"""Which metrics a report shows where the user names none."""

from __future__ import annotations

from collections.abc import Sequence

from gecval.corpus import Corpus, System
from gecval.edits.choice import choose_extractor
from gecval.edits.errant import ErrantExtractor
from gecval.errors import InputError
from gecval.metrics import metric
from gecval.metrics.base import Metric
from gecval.studies.overview.outputs import bring_edits


def default_metrics(corpus: Corpus, systems: Sequence[System] = ()) -> list[Metric]:
    """M² and GLEU, and ERRANT where it is installed and the text may be English, or where all edits are given.

    >>> default_metrics(Corpus.from_texts(["Він пішов додому ."], [["Він пішов додому ."]], language="uk"))
    [m2, gleu]
    """
    if corpus.reference_count == "0":
        raise InputError("without references, metrics must be named that need none, such as ld", parameter="metrics")
    given = bool(systems) and bring_edits(systems) and corpus.has_edits()
    errant = given or isinstance(choose_extractor(corpus).extractor, ErrantExtractor)
    return [metric(name) for name in ("m2", *(["errant"] if errant else []), "gleu")]
