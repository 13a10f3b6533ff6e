"""Predicting Grammaticality on an Ordinal Scale (Heilman et al. 2014): agreement with the judgments of the GUG data.

The model that comes out is also the LFM of other papers' tables. It stays in the folder of the caches.
"""

from __future__ import annotations

import hashlib
import json

from gecval.errors import InputError
from gecval.formats import write_files
from gecval.formats.datasets import dataset_file
from gecval.formats.ratings import read_judged
from gecval.metrics.lfm.features import judges, usual_groups
from gecval.metrics.lfm.metric import LFM
from gecval.models.cache import cache_folder
from gecval.runtime.run import HERE, Run
from gecval.studies.lfm.study import LfmTraining, train_lfm
from gecval.studies.reproduce.result import Figure, PaperTable

FILE = "gug_annotations.tsv"


def make_tables(run: Run = HERE) -> list[PaperTable]:
    training = _train(run)
    rows: dict[str, dict[str, Figure]] = {
        held_out.split: {
            "r": Figure(ours=held_out.pearson.value, interval=held_out.pearson.interval),
            "ρ": Figure(ours=held_out.spearman.value, interval=held_out.spearman.interval),
            "accuracy": Figure(ours=held_out.accuracy),
            "majority": Figure(ours=held_out.majority),
        }
        for held_out in training.agreement
    }
    return [
        PaperTable(
            title="Heilman et al. 2014: predicted and human judgments",
            columns=("r", "ρ", "accuracy", "majority"),
            rows=rows,
            notes=(
                "no published figures: we could not check them in the paper",
                "their judges: a spelling dictionary, n-gram models of Gigaword and TOEFL11, the Stanford parser, link "
                "grammar, PET; ours: " + ", ".join(dict.fromkeys(training.model.judges.values())),
            ),
            row_name="split",
        )
    ]


def lfm_or_reason(run: Run = HERE) -> tuple[LFM | None, list[str]]:
    """The metric with a model trained on the GUG data, or why there is none."""
    try:
        groups = usual_groups()
        seen = [hashlib.sha256(dataset_file("gug", FILE).read_bytes()).hexdigest(), judges(groups)]
        path = cache_folder() / f"lfm.{hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:8]}.json"
        if not path.exists():
            write_files({path: _train(run).model.lines()})
    except (InputError, OSError) as error:
        return None, [f"LFM is left out: {error}"]
    return LFM(str(path)), []


def _train(run: Run) -> LfmTraining:
    judged = read_judged(dataset_file("gug", FILE))
    return train_lfm(judged, usual_groups(), name=FILE, run=run)
