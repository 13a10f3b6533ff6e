"""1000-fold BCa intervals for 13 systems under every metric that needs nothing extra."""

from __future__ import annotations

from dataclasses import replace

from benchmarks import conll
from benchmarks.measure import CORES, Section, Target, fastest, seconds, table
from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.metrics import Metric, metric, metric_names
from gecval.runtime.run import Run
from gecval.stats import Resampling
from gecval.studies.scores.study import score


def report() -> Section:
    section = Section("Intervals")
    corpus = conll.with_edits()
    outputs = conll.systems(corpus)
    metrics, left_out = available(corpus)
    bca = Resampling(resamples=1000, method="bca")
    rows, total = [], 0.0

    def timed(judges: list[Metric], resampling: Resampling | None = None) -> float:
        """A fresh copy each time: a corpus keeps tokens and edits for the next call."""
        return fastest(
            lambda: score(replace(corpus), outputs, judges, confidence=resampling, run=Run(jobs=CORES)), repeats=3
        )

    for judge in metrics:
        alone, with_interval = timed([judge]), timed([judge], bca)
        rows.append([f"{judge!r}", seconds(alone), seconds(with_interval)])
        total += with_interval
    encoders = [f"{judge!r}" for judge in metrics if judge.name in ASK_ENCODERS]
    others = [judge for judge in metrics if judge.name not in ASK_ENCODERS]
    at_once = timed(others, bca)
    section.text += [
        "13 systems, `official-2014.combined.m2`, 1000 resamples and 1312 jackknife scores each; "
        f"{CORES} threads, the fastest of three runs. Left out, as they ask models: {', '.join(left_out) or 'none'}. "
        "What ERRANT and an encoder said before is in the cache, and read from there.",
        table(["metric", "scores alone", "with BCa intervals"], [*rows, ["all", "", seconds(total)]]),
        f"All but {', '.join(encoders) or 'none'} in one call: {seconds(at_once)}.",
    ]
    left_out += encoders
    section.targets += [
        Target(f"1000-fold BCa, 13 systems × {len(metrics)} metrics: under 20 s", seconds(total), total < 20),
        Target(
            f"All metrics' BCa intervals for 13 systems, {len(others)} metrics in one call: under 5 s "
            f"(left out: {', '.join(left_out)})",
            seconds(at_once),
            at_once < 5,
        ),
    ]
    return section


# These ask checkers and language models, which takes longer than any resampling.
ASK_MODELS = ("errant", "lt", "grammaticality", "lfm", "scribendi", "perplexity")
ASK_ENCODERS = ("weighted",)  # shown, and not in the target of 5 s: its time goes into an encoder's vectors


def available(corpus: Corpus) -> tuple[list[Metric], list[str]]:
    """The registered metrics that can score a sentence here, and the names of those that cannot."""
    sentence = Corpus(corpus.sources[:1], corpus.references[:1])
    metrics, left_out = [], []
    for name in metric_names():
        if name in ASK_MODELS:
            left_out.append(name)
            continue
        try:
            score(sentence, [sentence.system("copy", sentence.sources)], [metric(name)])
        except InputError:
            left_out.append(name)
        else:
            metrics.append(metric(name))
    return metrics, left_out
