"""MAEGE (Choshen & Abend 2018): does a metric prefer corrections that are better by construction?

Each replicate draws new chains and corpora from the lattices of the gold edits, and every metric is judged on the same
ones. One replicate is what the paper reports; how much its figures owe to chance shows only over many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus
from gecval.corpus.references import Reference
from gecval.edits.extractors import CachedExtractor, Extractor, choose_extractor
from gecval.errors import InputError
from gecval.metrics.base import Metric, Statistics
from gecval.metrics.evaluation import Evaluation
from gecval.results.checkpoint import Checkpoint, FinishedChunks, compute_chunks, decode, line_digest
from gecval.results.result import plain
from gecval.runtime.backends import check_backend
from gecval.runtime.run import HERE, Run
from gecval.studies.maege.agreement import (
    FEWEST_FOR_P,
    LEVEL,
    LatticePairs,
    MetricResult,
    Replicates,
    compare_metrics,
    correlate_corpora,
    list_replicates,
    summarise_corpora,
    summarise_metrics,
    summarise_originals,
    summarise_types,
)
from gecval.studies.maege.lattices import (
    Chain,
    CorpusSample,
    Lattice,
    MaegeSettings,
    build_lattices,
    count_chains,
    sample_chains,
    sample_corpora,
)
from gecval.studies.maege.pair_cache import Pair, PairCache
from gecval.studies.maege.result import Maege
from gecval.studies.scores.metric_digest import metric_signature
from gecval.studies.scores.preparation import (
    Edits,
    Metrics,
    needs_extractor,
    prepare,
    resolve_extractor,
    resolve_metrics,
)

FEWEST_MODELS = 3  # a correlation of two points is always 1 or -1
SAME = 0.9  # the share of gold corrections from which references are taken for the gold itself
EXAMPLE_EDITS = 3  # a lattice with fewer is not worth a picture


def maege(
    gold: Corpus,
    references: Corpus,
    metrics: Metrics,
    *,
    settings: MaegeSettings | None = None,
    replicates: int = 1,
    seed: int = 1,
    by_type: bool = False,
    edits: Edits = None,
    checkpoint: Path | str | FinishedChunks | None = None,
    run: Run = HERE,
) -> Maege:
    """Validate metrics without human rankings: on corrections whose order is known.

    Parameters
    ----------
    gold
        Sources with the edits from which lattices of corrections are built.
    references
        The same sources with the references that metrics get: corrections of other annotators than those of ``gold``.
    metrics
        Metrics or their names, e.g. ``["m2", "gleu"]``.
    settings
        How to sample and judge; ``gecval.MaegeSettings.preset`` makes those of the paper and of its code.
    replicates
        How many samples to draw. Intervals need two or more, p-values 40 or more.
    seed
        Of the random numbers.
    by_type
        Also say how edits of each type change the scores.
    edits
        Finds the edits for metrics that need them, as every replicate has new sources: an extractor or its name, e.g.
        ``plain``. By default ERRANT where it is installed and the text is English, else plain rules; a note says which.
    checkpoint
        A file for finished replicates. A study that was interrupted goes on from there. A study that
        MAEGE is a part of gives its own checkpoint.
    run
        How it runs: threads, progress, backend.

    Returns
    -------
    Maege
        It prints as a table.

    Examples
    --------
    >>> from gecval.sample import load_sample
    >>> corpus, _ = load_sample()
    >>> result = maege(corpus, corpus, ["ld", "gleu"], replicates=3)
    >>> [summary.metric for summary in result]
    ['gleu', 'ld']
    >>> 0 < result["gleu"].sentence_tau.mean < 1
    True
    """
    settings, wanted = settings or MaegeSettings(), resolve_metrics(metrics)
    check_backend(run.backend)
    _check(gold, references, wanted, settings=settings, replicates=replicates)
    finder, notes = _choose_extractor(gold, wanted, edits)
    notes += _note_same_annotators(gold, references)
    by_sentence = build_lattices(gold, settings)
    if not by_sentence:
        raise InputError("no sentence is edited by all its annotators: there are no lattices to draw from")
    if max(map(len, by_sentence.values())) < settings.annotators:
        raise InputError(f"no sentence is edited by {settings.annotators} annotators: there are no chains to draw")
    study = ReplicatePlan(
        gold=gold,
        references=references,
        metrics=wanted,
        settings=settings,
        extractor=finder,
        run=run.for_parts().quiet(),
    )
    signature, names = _signature(study, seed), [repr(metric) for metric in wanted]
    finished = (
        Checkpoint(
            checkpoint,
            lambda: "|".join([signature, *map(metric_signature, wanted)]),
            ReplicateForm(metrics=names, models=settings.models),
        )
        if checkpoint is None or isinstance(checkpoint, Path | str)
        else checkpoint
    )
    series = Replicates(names, settings.models)
    replication = Replication(study=study, lattices=by_sentence, seed=seed)
    for results in compute_chunks(replication, range(replicates), run=run, finished=finished):
        series.add(results)
    chains, corrections = count_chains(by_sentence, settings)
    every_lattice = list(chain.from_iterable(by_sentence.values()))
    summaries = summarise_metrics(series, {repr(metric): metric.higher_is_better for metric in wanted})
    differences = compare_metrics(series, [summary.metric for summary in summaries])
    if any(difference.p is None for difference in differences):
        notes.append(f"no p for differences of metrics: one below 0.05 needs {FEWEST_FOR_P} replicates or more")
    return Maege(
        settings=settings,
        replicates=replicates,
        seed=seed,
        sentences=len(by_sentence),
        chains=chains,
        corrections=corrections,
        conflicts=sum(lattice.conflicts for lattice in every_lattice),
        level=LEVEL,
        metrics=summaries,
        differences=differences,
        types=summarise_types(series) if by_type else (),
        corpora=summarise_corpora(series),
        originals=summarise_originals(series),
        by_replicate=list_replicates(series),
        example=next((lattice for lattice in every_lattice if len(lattice.edits) >= EXAMPLE_EDITS), None),
        signature=signature,
        notes=tuple(dict.fromkeys([*notes, *gold.notes, *references.notes])),
    )


def _check(
    gold: Corpus, references: Corpus, metrics: Sequence[Metric], *, settings: MaegeSettings, replicates: int
) -> None:
    """Refuse what cannot be studied before anything slow begins."""
    if not gold.has_edits():
        raise InputError(
            "MAEGE builds lattices from edits, and gold has none: load it from an .m2 file, or annotate it",
            parameter="gold",
        )
    if len(gold) != len(references):
        raise InputError(
            f"{gold.origin} has {len(gold)} sentences, the references {len(references)}", parameter="references"
        )
    if len(settings.models) < FEWEST_MODELS:
        raise InputError(f"models needs three numbers or more, not {len(settings.models)}", parameter="models")
    if not 1 <= replicates <= MOST_REPLICATES:
        raise InputError(
            f"replicates is a number from 1 to {MOST_REPLICATES:,}, not {replicates:,}", parameter="replicates"
        )
    for name, count in Counter(map(repr, metrics)).items():
        if count > 1:
            raise InputError(f"the metric {name} is given twice", parameter="metrics")
    for metric in metrics:
        if metric.needs != "edits":
            metric.check(references)


def _note_same_annotators(gold: Corpus, references: Corpus) -> list[str]:
    """A note where the references are the gold corrections themselves: metrics then look better than they are."""
    changed = equal = 0
    for i, source in enumerate(gold.sources):
        given = {" ".join(text.split()) for text in references.texts_of(i)}
        texts = {" ".join(text.split()) for text in gold.texts_of(i)} - {" ".join(source.split())}
        changed += len(texts)
        equal += len(texts & given)
    if not changed or equal < SAME * changed:
        return []
    return [
        f"{equal} of {changed} gold corrections are among the references, so metrics look better than they are; "
        "give references by other annotators"
    ]


def _choose_extractor(gold: Corpus, metrics: Sequence[Metric], given: Edits) -> tuple[Extractor | None, list[str]]:
    """The extractor, if a metric needs one; and a note, if it was chosen by default."""
    lacking = [metric for metric in metrics if needs_extractor(metric)]
    finder = resolve_extractor(given)
    if finder is not None or not lacking:
        return finder if lacking else None, []
    choice = choose_extractor(gold)
    return choice.extractor, [choice.note]


def _signature(study: ReplicatePlan, seed: int) -> str:
    """Everything that decides a replicate; a checkpoint of another study is refused by it."""
    parts = ["maege", study.settings.signature(), *(f"metric:{metric!r}" for metric in study.metrics)]
    parts += [f"gold:{study.gold.source_hash}{study.gold.reference_hash}"]
    parts += [f"references:{study.references.reference_hash}", f"seed:{seed}"]
    parts += [study.extractor.signature] if study.extractor else []
    return "|".join([*parts, f"gecval:{version('gecval')}"])


# One replicate: every metric on one sample of chains and corpora.


Replicate = dict[str, MetricResult]
SAMPLED = "sampled"  # what messages call the corrections


@dataclass(frozen=True, kw_only=True)
class ReplicatePlan:
    """What stays the same from replicate to replicate."""

    gold: Corpus
    references: Corpus
    metrics: Sequence[Metric]
    settings: MaegeSettings
    extractor: Extractor | None
    run: Run

    @cached_property
    def by_pair(self) -> tuple[Metric, ...]:
        """Metrics whose rows depend on a pair and its references alone, so that a pair seen before has its rows."""
        languages = [metric.language for metric in self.metrics]
        languages += [self.extractor.language] if self.extractor else []
        if self.gold.likely_language is None and any(languages):
            return ()  # a few pairs could look like another language than all of them together
        return tuple(metric for metric in self.metrics if metric.whole_corpus is None)

    @cached_property
    def _texts(self) -> list[list[Reference]]:
        """The references of each sentence. Their edits, if any, start from the original: only the text is of use."""
        return [[Reference(text) for text in self.references.texts_of(i)] for i in range(len(self.references))]

    @cached_property
    def _cached_extractor(self) -> Extractor | None:
        """A new correction often has a source that was seen, whose references have their edits."""
        return CachedExtractor(self.extractor) if self.extractor else None

    def replicate(self, chains: Sequence[Chain], sample: CorpusSample, known: PairCache | None = None) -> Replicate:
        """Every metric on one sample of chains and corpora; ``known`` has pairs of earlier replicates."""
        pairs = LatticePairs.of(chains, self.gold.sources, self.settings)
        chained = [
            (chain.sentence, chain.corrections[chain.source], text) for chain in chains for text in chain.corrections
        ]
        distinct, rows = _distinct(sample)
        sampled = [(sample.sentences[j], sample.sources[j], text) for j, text in distinct]
        statistics = self._statistics(chained, sampled, PairCache(self.by_pair) if known is None else known)
        results = {}
        for metric in self.metrics:
            in_chains, in_corpora = statistics[repr(metric)]
            scores = Evaluation(metric, in_chains, run=self.run, system=SAMPLED).sentence_scores()
            corpora = [
                Evaluation(metric, in_corpora.take(row), aggregate=self.settings.corpus_score, run=self.run)
                for row in rows
            ]
            results[repr(metric)] = MetricResult(
                sentence=pairs.sentence_level(metric.direction * scores),
                corpus=correlate_corpora(
                    [corpus.score() for corpus in corpora], self.settings.models, direction=metric.direction
                ),
                types=pairs.sensitivity(scores),
                originals=pairs.originals(scores),
            )
        return results

    def _statistics(
        self, chained: Sequence[Pair], sampled: Sequence[Pair], known: PairCache
    ) -> dict[str, tuple[Statistics, Statistics]]:
        """Of every metric, those of the pairs in chains and those of the pairs in corpora."""
        language = self.gold.likely_language  # a few new pairs may not show it
        by_pair = known.statistics(
            [*chained, *sampled], lambda new: self._compute(self.by_pair, new, language=language)
        )
        ends = np.split(np.arange(len(chained) + len(sampled)), [len(chained)])
        statistics = {
            repr(metric): (both.take(ends[0]), both.take(ends[1]))
            for metric, both in zip(self.by_pair, by_pair, strict=True)
        }
        others = [metric for metric in self.metrics if metric not in self.by_pair]
        in_chains = self._compute(others, chained, language=self.gold.language)
        in_corpora = self._compute(others, sampled, language=self.gold.language)
        for metric, of_chains, of_corpora in zip(others, in_chains, in_corpora, strict=True):
            statistics[repr(metric)] = of_chains, of_corpora
        return statistics

    def _compute(self, metrics: Sequence[Metric], pairs: Sequence[Pair], *, language: str | None) -> list[Statistics]:
        """The statistics of corrections as a system's output, with the references of their sentences."""
        if not metrics:
            return []
        sources = [source for _, source, _ in pairs]
        corpus = Corpus(sources, [self._texts[i] for i, _, _ in pairs], language=language)
        system = corpus.system(SAMPLED, [text for _, _, text in pairs])
        seen = prepare(corpus, [system], metrics, extractor=self._cached_extractor, run=self.run.quiet())
        return [
            Evaluation.of(metric, of_metric, system, run=self.run.quiet()).statistics
            for metric, of_metric in zip(metrics, seen, strict=True)
        ]


def _distinct(sample: CorpusSample) -> tuple[list[tuple[int, str]], list[NDArray[np.int64]]]:
    """The different corrections of each place, and which of them make up each corpus.

    Many corpora have the same correction of a sentence: it is scored once.
    """
    places = list(zip(*(enumerate(texts) for texts in sample.corpora), strict=True))
    numbers = {place: n for n, place in enumerate(dict.fromkeys(place for row in places for place in row))}
    rows = [np.array([numbers[place] for place in corpus], dtype=np.int64) for corpus in zip(*places, strict=True)]
    return list(numbers), rows


@dataclass(frozen=True, kw_only=True)
class Replication:
    """A replicate by its number, on any machine. Texts are sent there, and what was made of them is not."""

    study: ReplicatePlan
    lattices: dict[int, list[Lattice]]
    seed: int
    known: PairCache = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "known", PairCache(self.study.by_pair))

    def __call__(self, number: int) -> Replicate:
        rng = np.random.default_rng([self.seed, number])
        chains = sample_chains(self.lattices, self.study.settings, rng)
        sample = sample_corpora(self.lattices, self.study.settings, rng)
        return self.study.replicate(chains, sample, self.known)

    def __getstate__(self) -> dict[str, Any]:
        study = replace(self.study, gold=replace(self.study.gold), references=replace(self.study.references))
        return {"study": study, "lattices": self.lattices, "seed": self.seed}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()  # every worker knows the pairs of its own replicates


MOST_REPLICATES = 100_000


# Finished replicates on disk: one line {"replicate": number, "metrics": {name: result}, "digest": …} each.


Results = dict[str, MetricResult]


@dataclass(frozen=True, kw_only=True)
class ReplicateForm:
    """Replicates of these metrics, over corpora of these models."""

    metrics: Sequence[str]
    models: Sequence[float]
    what: str = "replicate"

    def line(self, item: int, answer: Results) -> dict[str, Any]:
        metrics = plain(answer)
        return {"replicate": item, "metrics": metrics, "digest": line_digest(item, metrics)}

    def read(self, line: Any) -> tuple[int, Results]:
        """A replicate with its number, checked."""
        if not isinstance(line, dict) or set(line) != {"replicate", "metrics", "digest"}:
            raise ValueError("it is not an object of replicate, metrics, digest")
        number, results = decode(int, line["replicate"], "replicate"), self.results(line["metrics"], "metrics")
        if line["digest"] != line_digest(line["replicate"], line["metrics"]):
            raise ValueError("somebody changed it")
        return number, results

    def results(self, value: Any, where: str) -> Results:
        """The results of one replicate, checked."""
        results: Results = decode(Results, value, where)
        if set(results) != set(self.metrics):
            raise ValueError(f"its metrics are not {', '.join(self.metrics)}")
        types = set(results[self.metrics[0]].types)
        for metric, result in results.items():
            if len(result.corpus.scores) != len(self.models):
                raise ValueError(f"{metric} has {len(result.corpus.scores)} corpora, not {len(self.models)}")
            if not result.sentence.counts.pairs:
                raise ValueError(f"{metric} has no pairs")
            if set(result.types) != types or not all(kind.edits for kind in result.types.values()):
                raise ValueError(f"the types of edits of {metric} are not those of the other metrics")
        return results
