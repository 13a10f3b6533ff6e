"""Predicting Grammaticality on an Ordinal Scale (Heilman et al. 2014): agreement with the judgments of the GUG data.

The model that comes out is also the LFM of other papers' tables. It stays in the folder of the caches.
"""

from __future__ import annotations

import hashlib
import json

from gecval.cores import cores
from gecval.errors import InputError
from gecval.formats import write_files
from gecval.formats.datasets import dataset_file
from gecval.formats.ratings import read_judged
from gecval.metrics.lfm import LFM
from gecval.models.cache import cache_folder
from gecval.models.lfm import judges, usual_groups
from gecval.progress import Progress, silent
from gecval.studies.lfm import LfmTraining, train_lfm
from gecval.studies.reproduce.base import Figure, Reproduction

FILE = "gug_annotations.tsv"
PUBLISHED_R = 0.644


def run(progress: Progress = silent) -> list[Reproduction]:
    training = _train(progress)
    rows: dict[str, dict[str, Figure]] = {
        held_out.split: {
            "r": Figure(
                PUBLISHED_R if held_out.split == "test" else None, held_out.pearson.value, held_out.pearson.interval
            ),
            "ρ": Figure(None, held_out.spearman.value, held_out.spearman.interval),
            "accuracy": Figure(None, held_out.accuracy),
            "majority": Figure(None, held_out.majority),
        }
        for held_out in training.agreement
    }
    notes = (
        "the published r is quoted from memory of the paper, which was not at hand: check it before you rely on it",
        "their judges: a spelling dictionary, n-gram models of Gigaword and TOEFL11, the Stanford parser, link "
        "grammar, PET; ours: " + ", ".join(dict.fromkeys(training.model.judges.values())),
    )
    return [
        Reproduction(
            "Heilman et al. 2014: predicted and human judgments",
            tuple(rows["test"]),
            rows,
            notes,
            row_name="split",
        )
    ]


def lfm_or_reason(progress: Progress = silent) -> tuple[LFM | None, list[str]]:
    """The metric with a model trained on the GUG data, or why there is none."""
    try:
        groups = usual_groups()
        seen = [hashlib.sha256(dataset_file("gug", FILE).read_bytes()).hexdigest(), judges(groups)]
        path = cache_folder() / f"lfm.{hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:8]}.json"
        if not path.exists():
            write_files({path: _train(progress).model.lines()})
    except (InputError, OSError) as error:
        return None, [f"LFM is left out: {error}"]
    return LFM(str(path)), []


def _train(progress: Progress) -> LfmTraining:
    judged = read_judged(dataset_file("gug", FILE))
    return train_lfm(judged, usual_groups(), name=FILE, jobs=cores(), progress=progress)
