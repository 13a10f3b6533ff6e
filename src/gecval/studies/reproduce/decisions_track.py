"""How often does `gecval track` mark a change where there is none, and how soon does it find one?

A history has 30 commits on a test set of 500 sentences, drawn from the 1,312 of CoNLL-2014. Every commit gives each
sentence the output of AMU or of CAMB at random, so that all commits are equally good. In the second kind of history,
nine of ten outputs are those of IPN from the middle on.
"""

from __future__ import annotations

import numpy as np

from gecval.metrics import Metric
from gecval.progress import Progress, announce, silent
from gecval.stats.changes import steps
from gecval.studies.reproduce.decisions_population import Outputs, alone, populations, share
from gecval.studies.reproduce.results import Figure, PaperTable

PAIR, OTHER = ("AMU", "CAMB"), "IPN"
COMMITS, SENTENCES, EXPERIMENTS, SEED, LEVEL = 30, 500, 200, 1, 0.95
SHARE = 0.9  # of the sentences that change in the second kind of history


def tables(progress: Progress = silent) -> list[PaperTable]:
    rows: dict[str, dict[str, Figure]] = {}
    for wanted, outputs in populations(progress=progress):
        announce(progress, f"{wanted!r}: {EXPERIMENTS} histories")
        rows[repr(wanted)] = _row(wanted, outputs, progress)
    return [
        PaperTable(
            title=f"Change points in histories of {COMMITS} commits",
            columns=("false alarm", "true difference", "found", "commits until found"),
            rows=rows,
            notes=(
                f"{EXPERIMENTS} histories of each kind, {SENTENCES} sentences, one annotator; false alarm: the share "
                f"of histories without a change that get one; promised: at most {1 - LEVEL:.2f}",
                f"found: the share of histories in which outputs of {OTHER}, from commit {COMMITS // 2 + 1} on, are "
                "marked; true difference: about; commits until found: the mean where it was, 1 is at once",
            ),
        )
    ]


def _row(wanted: Metric, outputs: Outputs, progress: Progress) -> dict[str, Figure]:
    rng = np.random.default_rng(SEED)
    first, second, other = (outputs[name].statistics.rows for name in (*PAIR, OTHER))
    names = [str(number) for number in range(COMMITS)]
    alarms, delays = 0, list[int]()
    for experiment in range(EXPERIMENTS):
        progress(experiment, EXPERIMENTS)
        drawn = rng.integers(len(first), size=SENTENCES)
        a, b, c = first[drawn], second[drawn], other[drawn]
        mixed = [np.where(rng.random((SENTENCES, 1)) < 0.5, a, b) for _ in names]
        commits = [alone(wanted, rows) for rows in mixed]
        alarms += any(step.changed for step in steps(commits, names, LEVEL))
        worse = [np.where(rng.random((SENTENCES, 1)) < SHARE, c, rows) for rows in mixed[COMMITS // 2 :]]
        marked = steps([*commits[: COMMITS // 2], *(alone(wanted, rows) for rows in worse)], names, LEVEL)
        after = [number - COMMITS // 2 for number, step in enumerate(marked) if step.changed and number >= COMMITS // 2]
        delays += after[:1]
    before = sum(outputs[name].score() for name in PAIR) / 2
    return {
        "false alarm": share(alarms, EXPERIMENTS),
        "true difference": Figure(ours=SHARE * (outputs[OTHER].score() - before)),
        "found": share(len(delays), EXPERIMENTS),
        "commits until found": Figure(ours=float(np.mean(delays)) + 1 if delays else None),
    }
