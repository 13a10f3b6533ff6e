"""How often do a hundred looks raise a false alarm? A simulation on real rows.

The population is the 1,312 sentences of CoNLL-2014 with the outputs of CAMB (old) and AMU (new). The margin is their
true difference, so AMU is not worse by more than the margin, and every verdict "worse" is false: no case is harder. An
experiment is 100 looks, each at sentences that are drawn anew, or at a test set that grows from night to night.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from gecval.cores import cores
from gecval.corpus import Corpus, System
from gecval.formats import load_corpus
from gecval.formats.datasets import dataset_file
from gecval.metrics import Metric, metric
from gecval.metrics.evaluation import Evaluation
from gecval.progress import Progress, announce, silent
from gecval.stats.noninferiority import level_at
from gecval.stats.resampling import Array
from gecval.studies.preparation import prepare
from gecval.studies.reproduce.conll14 import systems
from gecval.studies.reproduce.decisions_population import share
from gecval.studies.reproduce.results import Figure, PaperTable

METRICS = ("m2", "errant", "gleu")
LOOKS, EXPERIMENTS, LEVEL, SEED = 100, 400, 0.95, 1
ANEW = 500  # sentences of every look
FIRST, MORE = 200, 10  # sentences of a growing test set: at the first look, and added at each further one
ONE_SIDE = (1 - LEVEL) / 2  # the chance of a false alarm that a two-sided interval allows

Times = NDArray[np.int64]  # [look, sentence]: how often a look sees a sentence


def tables(progress: Progress = silent) -> list[PaperTable]:
    corpus = load_corpus(None, [dataset_file("conll14", "official-2014.0.m2")])
    outputs = [system for system in systems(corpus) if system.name in ("AMU", "CAMB")]
    metrics = [metric(name) for name in METRICS]
    corpora = prepare(corpus, outputs, metrics, jobs=cores(), progress=progress)
    rows: dict[str, dict[str, Figure]] = {}
    for wanted, seen in zip(metrics, corpora, strict=True):
        announce(progress, f"{wanted!r}: {EXPERIMENTS} experiments of {LOOKS} looks")
        new, old = _rows(wanted, seen, outputs)
        for how, draw in (("drawn anew", _anew), ("growing", _growing)):
            rng = np.random.default_rng(SEED)
            alarms = np.zeros(3)
            for experiment in range(EXPERIMENTS):
                progress(experiment, EXPERIMENTS)
                alarms += _alarms(wanted, old, new, draw(rng, len(corpus)))
            rows[f"{wanted!r}, {how}"] = {
                "one look": share(alarms[0], EXPERIMENTS),
                "uncorrected": share(alarms[1], EXPERIMENTS),
                "with --looks": share(alarms[2], EXPERIMENTS),
            }
    return [
        PaperTable(
            title=f"False alarms under {LOOKS} looks, at the margin",
            columns=("one look", "uncorrected", "with --looks"),
            rows=rows,
            row_name="metric, test set",
            notes=(
                f"the share of {EXPERIMENTS} experiments with a false alarm; {ONE_SIDE:.1%} is promised, as the "
                f"{LEVEL:.0%} interval has two sides; one look: the first alone; uncorrected: any of {LOOKS} looks",
                f"drawn anew: each look sees {ANEW} other sentences; growing: {FIRST} sentences, {MORE} more a look",
                "one annotator, so that every sentence has one row; the interval is d ± z·s, s from the jackknife",
            ),
        )
    ]


def _rows(wanted: Metric, corpus: Corpus, outputs: Sequence[System]) -> tuple[Array, Array]:
    amu, camb = (
        Evaluation.of(wanted, corpus, next(system for system in outputs if system.name == name), jobs=cores())
        for name in ("AMU", "CAMB")
    )
    return amu.statistics.rows, camb.statistics.rows


def _anew(rng: np.random.Generator, size: int) -> Times:
    return rng.multinomial(ANEW, np.full(size, 1 / size), size=LOOKS)


def _growing(rng: np.random.Generator, size: int) -> Times:
    stream = rng.integers(size, size=FIRST + MORE * (LOOKS - 1))
    nights = np.split(stream, range(FIRST, len(stream), MORE))
    return np.cumsum([np.bincount(night, minlength=size) for night in nights], axis=0)


def _alarms(wanted: Metric, old: Array, new: Array, times: Times) -> Array:
    """Whether the first look, any look, and any look at its own level says that the new system is worse."""
    margin = -float(wanted.score(new.sum(axis=0)) - wanted.score(old.sum(axis=0)))
    difference, error = _differences(wanted, old, new, times)
    # Worse: the upper end of the interval lies below −margin.
    distance = (-margin - difference) / error
    alone = NormalDist().inv_cdf((1 + LEVEL) / 2)
    looks = np.array([NormalDist().inv_cdf((1 + level_at(k, LEVEL)) / 2) for k in range(1, LOOKS + 1)])
    return np.array([distance[0] > alone, (distance > alone).any(), (distance > looks).any()], dtype=np.float64)


def _differences(wanted: Metric, old: Array, new: Array, times: Times) -> tuple[Array, Array]:
    """new − old at every look, and its standard error from the jackknife over the sentences of the look."""
    both = [(rows, times @ rows) for rows in (old, new)]
    difference = wanted.score(both[1][1]) - wanted.score(both[0][1])
    of_old, of_new = (wanted.score(totals[:, None] - rows) for rows, totals in both)
    without, size = of_new - of_old, times.sum(axis=1)
    mean = (times * without).sum(axis=1) / size
    spread = (times * (without - mean[:, None]) ** 2).sum(axis=1)
    return difference, np.sqrt((size - 1) / size * spread)
