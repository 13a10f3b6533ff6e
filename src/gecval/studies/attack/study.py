"""How much score can be gained from a metric without correcting anything?

Every adversary is scored like a system, next to the source, the systems and, where sentences have two annotators or
more, people: each annotator against the others. The gain of an adversary is its score minus that of the source against
the same references, turned round for metrics whose lower scores are better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan, nan

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.formats import load_systems
from gecval.formats.datasets import dataset_file
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Evaluation
from gecval.results.signature import Signature
from gecval.runtime.run import HERE, Run, announce
from gecval.studies.attack.adversaries import ADVERSARIES, SOURCE, Climber, Halves
from gecval.studies.attack.result import AdversaryEntry, Against, Attack, Attacks, PeopleMark, Price, SystemMark
from gecval.studies.scores.input_notes import input_notes
from gecval.studies.scores.people import compare_with_people
from gecval.studies.scores.preparation import Edits, Metrics, Systems, prepare, resolve_metrics, resolve_systems

HILL_CLIMBING_ABOUT = "the source with replacements that please half of the annotators under the metric itself"


def attack(
    corpus: Corpus, metrics: Metrics, *, systems: Systems = (), seed: int = 1, edits: Edits = None, run: Run = HERE
) -> Attacks:
    """Measure how much score can be gained from each metric without correcting anything.

    Parameters
    ----------
    corpus
        Sources and references.
    metrics
        Metrics or their names, e.g. ``["m2", "gleu(n=3)"]``.
    systems
        Real systems to compare the adversaries with: systems, or a mapping from a system's name to its list of outputs.
    seed
        Of the random numbers: the order of shuffled words, and the draws of hill climbing.
    edits
        Finds the edits of plain-text references for metrics that need them: an extractor or its name, e.g. ``plain``.
        By default ERRANT where it is installed and the text is English, else plain rules; a note says which.
    run
        How it runs: threads, progress, backend.

    Returns
    -------
    Attacks
        It prints as tables.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go home .", "Fine ."], [["He goes home ."], ["Fine ."]])
    >>> result = attack(corpus, ["accuracy"], systems={"mine": ["He goes home .", "Fine ,"]})
    >>> result["source", "accuracy"].score, result["empty", "accuracy"].gain
    (0.5, -0.5)
    >>> result.prices[0].points
    0.0
    """
    wanted, listed = resolve_metrics(metrics), resolve_systems(systems, corpus, least=0)
    names = {*(adversary.name for adversary in ADVERSARIES), HILL_CLIMBING, *PUBLISHED}
    for system in listed:
        if system.name in names:
            raise InputError(f"{system.name!r} is the name of an adversary; rename the system", parameter="systems")
    outputs, notes = _make_outputs(corpus, seed)
    scorer = AttackScorer(corpus=corpus, systems=listed, extractor=edits, run=run)
    attacks: list[Attack] = []
    marks: list[SystemMark] = []
    for number, metric in enumerate(wanted):
        run.progress(number, len(wanted))
        announce(run.progress, f"attacking {metric!r}")
        marked, scored, said = scorer.attack_metric(metric, outputs, seed)
        marks += marked
        attacks += scored
        notes += said
    run.progress(len(wanted), len(wanted))
    people = _score_people(corpus, wanted, extractor=edits, run=run)
    performed = {row.adversary for row in attacks}
    about = {**{adversary.name: adversary.about for adversary in ADVERSARIES}, HILL_CLIMBING: HILL_CLIMBING_ABOUT}
    about |= {name: text for name, (_, text) in PUBLISHED.items()}
    return Attacks(
        sentences=len(corpus),
        references=corpus.reference_count,
        seed=seed,
        adversaries=tuple(AdversaryEntry(name=name, about=text) for name, text in about.items() if name in performed),
        attacks=tuple(attacks),
        prices=tuple(_find_price([row for row in attacks if row.metric == repr(metric)]) for metric in wanted),
        systems=tuple(marks),
        people=tuple(people),
        notes=tuple(dict.fromkeys([*notes, *input_notes(corpus, listed), *corpus.notes])),
    )


def _make_outputs(corpus: Corpus, seed: int) -> tuple[list[System], list[str]]:
    """The outputs of the adversaries that know no metric. Notes say which are left out, and why."""
    outputs, notes = [], []
    for number, adversary in enumerate(ADVERSARIES):
        try:
            texts = adversary.make(corpus, np.random.default_rng([seed, number]))
        except InputError as error:
            notes.append(f"the adversary {adversary.name!r} is left out: {error}")
            continue
        outputs.append(corpus.system(adversary.name, texts))
    known, lacking = load_published_attacks(corpus)
    return [*outputs, *known], [*notes, *([lacking] if lacking else [])]


def _find_price(attacks: Sequence[Attack]) -> Price:
    """The best adversary; the first of equals, and so the source where none beats it."""
    best = max((row for row in attacks if row.against == "all" and not isnan(row.gain)), key=lambda row: row.gain)
    gains = {row.against: row.gain for row in attacks if row.adversary == HILL_CLIMBING}
    return Price(
        metric=best.metric,
        adversary=best.adversary,
        score=best.score,
        source=best.source,
        points=best.gain,
        beats=best.beats,
        luck=gains["seen"] - gains["held out"] if "seen" in gains else None,
    )


def _score_people(corpus: Corpus, metrics: Sequence[Metric], *, extractor: Edits, run: Run) -> list[PeopleMark]:
    """Annotators against each other, over the sentences that have most annotators; nobody where that is one."""
    counts = np.diff(corpus.reference_slots)
    sentences = np.flatnonzero(counts == counts.max())
    if counts.max() < 2:
        return []
    shared = Corpus(
        [corpus.sources[i] for i in sentences.tolist()],
        [corpus.references[i] for i in sentences.tolist()],
        extractor=corpus.extractor,
        language=corpus.language,
    )
    source = shared.system(SOURCE.name, shared.sources)
    return [
        PeopleMark(metric=row.metric, score=row.people, source=row.score, sentences=len(sentences))
        for row in compare_with_people(shared, [source], metrics, extractor=extractor, run=run.quiet())
    ]


# One metric: adversaries and systems, all of them scored against the same references.


HILL_CLIMBING = "hill climbing"


@dataclass(frozen=True, kw_only=True)
class AttackScorer:
    """Scores adversaries and systems on one corpus."""

    corpus: Corpus
    systems: Sequence[System]
    extractor: Edits
    run: Run

    def attack_metric(
        self, metric: Metric, outputs: Sequence[System], seed: int
    ) -> tuple[list[SystemMark], list[Attack], list[str]]:
        """All adversaries under one metric. Notes say what failed, or is left out."""
        opponents = self._score_opponents(metric, self.corpus, "all")
        marks = [SystemMark(system=name, metric=repr(metric), score=score) for name, score in opponents.systems.items()]
        attacks, notes = [], [*opponents.notes]
        for system in outputs:
            score, failed = self._adversary_score(metric, self.corpus, system)
            notes += failed
            attacks.append(opponents.attack(system.name, score))
        try:
            halves = self.corpus.derive(Halves.of)
            climber = Climber(metric=metric, seen=halves.seen, extractor=self.extractor, run=self.run)
            texts = climber.climb(np.random.default_rng([seed, len(ADVERSARIES)]))
        except InputError as error:
            return marks, attacks, [*notes, f"the adversary {HILL_CLIMBING!r} is left out under {metric!r}: {error}"]
        if len(halves.sentences) < len(self.corpus):
            notes.append(f"{HILL_CLIMBING}: over the {len(halves.sentences)} sentences with two references or more")
        others = replace(self, systems=[_select_sentences(system, halves.sentences) for system in self.systems])
        if metric.needs is None:  # nothing was seen, and nothing held out
            sides: list[tuple[Corpus, Against]] = [(halves.seen, "all")]
        else:
            sides = [(halves.seen, "seen"), (halves.held_out, "held out")]
        for side, against in sides:
            opponents = others._score_opponents(metric, side, against)
            score, failed = self._adversary_score(metric, side, side.system(HILL_CLIMBING, texts))
            notes += failed
            attacks.append(opponents.attack(HILL_CLIMBING, score))
        return marks, attacks, notes

    def _score_opponents(self, metric: Metric, corpus: Corpus, against: Against) -> OpponentScores:
        """The source and the systems, scored."""
        everybody = [corpus.system(SOURCE.name, corpus.sources), *self.systems]
        prepared = self._prepare(metric, corpus, everybody)
        source, *scores = (
            Evaluation.of(metric, prepared, system, run=self.run.quiet()).score() for system in everybody
        )
        return OpponentScores(
            metric=metric,
            against=against,
            source=source,
            systems={system.name: score for system, score in zip(self.systems, scores, strict=True)},
            signature=str(Signature.of(metric, prepared, "corpus")),
            notes=prepared.notes,
        )

    def _adversary_score(self, metric: Metric, corpus: Corpus, system: System) -> tuple[float, list[str]]:
        """NaN and a note where the metric fails: nobody has promised that it bears an empty line."""
        try:
            prepared = self._prepare(metric, corpus, [system])
            return Evaluation.of(metric, prepared, system, run=self.run.quiet()).score(), []
        except InputError as error:
            return nan, [f"{metric!r} has no score of the adversary {system.name!r}: {error}"]

    def _prepare(self, metric: Metric, corpus: Corpus, systems: Sequence[System]) -> Corpus:
        [prepared] = prepare(corpus, systems, [metric], extractor=self.extractor, run=self.run)
        return prepared


@dataclass(frozen=True, kw_only=True)
class OpponentScores:
    """The scores of the source and of the systems, which an adversary is compared with."""

    metric: Metric
    against: Against
    source: float
    systems: dict[str, float]
    signature: str
    notes: tuple[str, ...]

    def attack(self, adversary: str, score: float) -> Attack:
        up = self.metric.direction
        return Attack(
            adversary=adversary,
            metric=repr(self.metric),
            against=self.against,
            score=score,
            source=self.source,
            gain=up * (score - self.source) + 0.0,
            beats=tuple(name for name, other in self.systems.items() if up * score > up * other),
            higher_is_better=self.metric.higher_is_better,
            signature=self.signature,
        )


def _select_sentences(system: System, sentences: NDArray[np.int64]) -> System:
    chosen = sentences.tolist()
    edits = None if system.edits is None else [system.edits[i] for i in chosen]
    return System(system.name, [system.hypotheses[i] for i in chosen], edits=edits)


# Published adversarial outputs for CoNLL-2014 (Goto, Sakai & Watanabe 2025): which file was made to please which
# metric. They are data sets, found under GECVAL_DATA; they fit only the sources that they were made from.


# The hash of CoNLL-2014's 1312 sources, as ``Corpus.source_hash`` has it.
CONLL14 = "4c12b583"
PUBLISHED = {
    "for SOME": ("conll14-some.txt", "published, made to please SOME: one fluent sentence, always"),
    "for Scribendi": ("conll14-scribendi.txt", "published, made to please Scribendi: one swap that lowers perplexity"),
    "for IMPARA": ("conll14-impara.txt", "published, made to please IMPARA: the nearest correct sentence of others"),
    "for LLM-S": ("conll14-llmsent.txt", "published, made to please LLM judges: an instruction to them, always"),
}


def load_published_attacks(corpus: Corpus) -> tuple[list[System], str | None]:
    """The published outputs that fit a corpus; if they would fit but are missing, how to get them."""
    if corpus.source_hash != CONLL14:
        return [], None
    try:
        files = {name: dataset_file("attacks", file) for name, (file, _) in PUBLISHED.items()}
    except InputError as error:
        return [], f"the published attacks are left out: {error}"
    return [replace(load_systems([path], corpus)[0], name=name) for name, path in files.items()], None
