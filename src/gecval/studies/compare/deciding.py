"""Which sentences decide? The influence of each on a difference, and the smallest set that turns the verdict around."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.base import Array, check_one_of
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.results.result import ResultSequence
from gecval.results.table import DELIMITED, Cell, P, Signed, Table, decimals
from gecval.runtime.run import HERE, Run, announce
from gecval.stats import Resampling
from gecval.stats.deciding_sentences import (
    UNTIL,
    DecidingSet,
    Sentences,
    Until,
    deciding_set,
    first_set,
    influences,
    without,
)
from gecval.stats.paired_tests import Correction, Family, Test, contributions, flip_signs, paired_test, studentised_p
from gecval.stats.ranking import Contest
from gecval.stats.resampling import Confidence, check_annotators, resolve_resampling, sign
from gecval.studies.compare.result import SIGNIFICANT, Comparison, comparison_table
from gecval.studies.compare.study import compare_with_baseline
from gecval.studies.scores.preparation import Edits, Metrics, Systems, resolve_systems
from gecval.studies.scores.scored_system import ScoredSystem

Listed = Literal["influential", "worst", "best"]


def deciding(
    corpus: Corpus,
    baseline: System,
    systems: Systems,
    metrics: Metrics,
    *,
    most: int = 10,
    until: Until = "sign",
    listed: Listed = "influential",
    aggregate: Aggregate | Contest = "corpus",
    confidence: Confidence = True,
    test: Test = "studentised",
    correction: Correction = "none",
    family: Family = "all",
    edits: Edits = None,
    run: Run = HERE,
) -> Deciding:
    """Compare each system with the baseline, and find the sentences that decide. All else is as in ``compare``.

    Parameters
    ----------
    most
        How many sentences to show in full.
    until
        ``sign``: the smallest set without which the better system is no longer better. ``significance``: sentences in
        the order of their influence, as many as it takes until the difference is no longer significant (p ≥ 0.05, not
        corrected); empty where it is not significant from the start.
    listed
        Which sentences to show: those that move the difference most, or those where the system's own score is furthest
        below (``worst``) or above (``best``) the baseline's.

    Examples
    --------
    >>> corpus = Corpus.from_texts(list("abcd"), [["A"], ["B"], ["C"], ["D"]])
    >>> [pair] = deciding(corpus, corpus.system("old", list("abcD")), {"new": list("ABCd")}, ["accuracy"], most=1)
    >>> pair.sentences, pair.difference, pair.difference_without, pair.proven
    ((1, 2), 0.5, 0.0, True)
    >>> pair.influential[0].sentence, pair.influential[0].source
    (4, 'd')
    """
    if most < 0:
        raise InputError(f"the number of sentences to show is 0 or more, not {most}", parameter="most")
    check_several(corpus)
    check_one_of("deciding", get_args(Listed), listed=listed)
    tested, resampling = resolve_systems(systems, corpus), resolve_resampling(confidence)
    compared, scored_systems = compare_with_baseline(
        corpus,
        baseline,
        tested,
        metrics,
        aggregate=aggregate,
        resampling=resampling,
        test=test,
        correction=correction,
        family=family,
        edits=edits,
        run=run,
    )
    announce(run.progress, "looking for the sentences that decide")
    by_name = {system.name: system for system in tested}
    asked: dict[str, Any] = {"most": most, "until": until, "listed": listed}
    pairs = []
    for comparison, both in zip(compared, scored_systems, strict=True):
        outputs = baseline, by_name[comparison.system]
        pairs.append(deciding_pair(corpus, comparison, both, outputs, resampling=resampling, **asked))
        run.progress(len(pairs), len(compared))
    return Deciding(pairs=tuple(pairs), comparisons=compared.comparisons, notes=compared.notes)


def check_several(corpus: Corpus) -> None:
    if len(corpus) < 2:
        raise InputError("the sentences that decide are some of several: give two sentences or more")


def deciding_pair(
    corpus: Corpus,
    comparison: Comparison,
    scored_systems: tuple[ScoredSystem, ScoredSystem],
    outputs: tuple[System, System],
    *,
    most: int,
    until: Until = "sign",
    listed: Listed = "influential",
    resampling: Resampling | None = None,
) -> DecidingPair:
    """The sentences that decide between the baseline and a system."""
    a, b = (scored.evaluation for scored in scored_systems)
    decisive, p = _decisive(a, b, until, resampling or Resampling(), comparison.test)
    numbers = None if decisive.sentences is None else tuple(i + 1 for i in decisive.sentences)
    texts = outputs[0].hypotheses, outputs[1].hypotheses
    better = sign(_gains(a, b))
    return DecidingPair(
        metric=comparison.metric,
        baseline=comparison.baseline,
        system=comparison.system,
        difference=decisive.difference,
        higher_is_better=comparison.higher_is_better,
        until=until,
        sentences=numbers,
        of=decisive.of,
        difference_without=decisive.difference_without,
        p_without=p,
        at_least=decisive.at_least,
        proven_as_chosen=decisive.proven_as_chosen,
        listed=listed,
        worsened=int((better < 0).sum()),
        improved=int((better > 0).sum()),
        influential=_influential(a, b, corpus.sources, texts, most=most, listed=listed, numbers=numbers or ()),
    )


def _decisive(
    a: Evaluation, b: Evaluation, until: Until, resampling: Resampling, test: Test
) -> tuple[DecidingSet, float | None]:
    """The set, and p without it where p is what counts."""
    if until == "sign":
        return deciding_set(a, b), None
    if resampling.documents:
        raise InputError(
            "until significance, sentences are left out one by one, so no documents are left to draw",
            parameter=("until", "documents"),
        )
    check_annotators(resampling, "until significance, the test")
    if until != "significance":
        raise InputError(f"until is {' or '.join(UNTIL)}, not {until!r}", parameter="until")

    def p_over(kept: Sentences) -> float:
        pair = a.over(kept), b.over(kept)
        if test == "larger":
            tested = paired_test(*pair, pair[0].concatenate(pair[1]), resampling)
            return max(tested.bootstrap_p, tested.randomisation_p)
        of_pair = [flip_signs(contributions(side, resampling), resampling, len(kept)) for side in pair]
        return studentised_p(of_pair[0], of_pair[1], pair[1].score() - pair[0].score())

    decisive = first_set(a, b, lambda kept: p_over(kept) >= SIGNIFICANT)
    return decisive, None if decisive.sentences is None else p_over(without(len(a), decisive.sentences))


def _influential(
    a: Evaluation,
    b: Evaluation,
    sources: Sequence[str],
    outputs: tuple[Sequence[str], Sequence[str]],
    *,
    most: int,
    listed: Listed,
    numbers: Sequence[int],
) -> tuple[InfluentialSentence, ...]:
    """The sentences that move the difference most, either way; or those where b is worse, or better, than a."""
    moves, of_a, of_b = influences(a, b), a.sentence_scores(), b.sentence_scores()
    gains = _gains(a, b)
    order = {"influential": -np.abs(moves), "worst": gains, "best": -gains}[listed]
    # Of sentences with the same scores, those first that move the difference most.
    shown = np.lexsort((-np.abs(moves), order))
    if listed != "influential":
        shown = shown[sign(order[shown]) < 0]
    return tuple(
        InfluentialSentence(
            sentence=i + 1,
            influence=float(moves[i]),
            decides=i + 1 in numbers,
            source=sources[i],
            baseline_hypothesis=outputs[0][i],
            hypothesis=outputs[1][i],
            baseline_score=float(of_a[i]),
            score=float(of_b[i]),
        )
        for i in shown[:most].tolist()
    )


def _gains(a: Evaluation, b: Evaluation) -> Array:
    """How much better b is on each sentence, by their own scores."""
    return np.nan_to_num(b.metric.direction * (b.sentence_scores() - a.sentence_scores()))


# What the search for the sentences that decide gives.


@dataclass(frozen=True, kw_only=True)
class InfluentialSentence:
    """A sentence, from 1, and how far it moves the difference: the difference minus that without the sentence.

    ``decides`` says whether it is one of the deciding set. ``baseline_score`` and ``score`` are those of the sentence
    alone.
    """

    sentence: int
    influence: float
    decides: bool
    source: str
    baseline_hypothesis: str
    hypothesis: str
    baseline_score: float
    score: float


@dataclass(frozen=True, kw_only=True)
class DecidingPair:
    """A system against the baseline under one metric, and the sentences that decide between them.

    ``sentences`` are the numbers, from 1, of the smallest set found whose removal changes the result, the most
    influential first; None where none was found, empty where the two tie. ``difference_without`` is the difference over
    all others, and ``p_without`` its p where the verdict is whether p < 0.05. No set of fewer than ``at_least`` of all
    ``of`` sentences does it; ``proven_as_chosen`` says so of the set found, while every sentence keeps the reference
    that the score of the whole corpus chose. ``influential`` are the sentences that move the difference
    most, either way, unless others are ``listed``. On ``worsened`` sentences the system is worse than the baseline, by
    the sentences' own scores, and on ``improved`` better.
    """

    derived: ClassVar[tuple[str, ...]] = ("count", "proven", "verdict")

    metric: str
    baseline: str
    system: str
    difference: float
    higher_is_better: bool = True
    until: Until = "sign"
    sentences: tuple[int, ...] | None
    of: int
    difference_without: float | None
    p_without: float | None = None
    at_least: int
    proven_as_chosen: bool = False
    listed: Listed = "influential"
    worsened: int | None = None
    improved: int | None = None
    influential: tuple[InfluentialSentence, ...]

    @property
    def count(self) -> int | None:
        """How many sentences decide."""
        return None if self.sentences is None else len(self.sentences)

    @property
    def proven(self) -> bool:
        """Whether no smaller set exists; where none was found, whether there is none."""
        return self.at_least == (self.of if self.sentences is None else len(self.sentences))

    @property
    def better(self) -> str:
        """The name of the better system."""
        return self.system if (self.difference > 0) == self.higher_is_better else self.baseline

    @property
    def worse(self) -> str:
        return self.baseline if self.better == self.system else self.system

    @property
    def verdict(self) -> str:
        """In one sentence, how many sentences decide."""
        beaten = f"{self.better} no longer beats {self.worse}"
        if self.until == "significance":
            beaten = f"{self.better} no longer beats {self.worse} beyond chance"
        if self.count == 0:
            tie = f"{self.system} and {self.baseline} tie" if self.until == "sign" else "the difference may be chance"
            return f"no sentence decides: {tie}"
        if self.count is None:
            beats = beaten.replace("no longer ", "")
            return f"no sentences decide: {beats} without any of them" if self.proven else f"{beats}: no set turns this"
        decide, them = ("sentence of {:,} decides", "it") if self.count == 1 else ("of {:,} sentences decide", "them")
        return f"{self.count:,} {decide.format(self.of)}: without {them} {beaten}"


@dataclass(frozen=True, kw_only=True, repr=False)
class Deciding(ResultSequence[DecidingPair]):
    """Systems against a baseline, and the sentences that decide between each two."""

    kind: ClassVar[str] = "deciding"
    view: ClassVar[str] = "deciding_tables"
    main: ClassVar[str] = "pairs"

    pairs: tuple[DecidingPair, ...]
    comparisons: tuple[Comparison, ...]


# As tables.


LONGEST = 70  # characters of a text that is shown
BEFORE = 4  # words that are shown before the first difference
MOST_NUMBERS = 40  # of sentences


def deciding_tables(result: Deciding, style: str = "text", *, sets: bool = True) -> list[Table]:
    """The comparisons; then for each pair who decides, and the sentences that move the difference most.

    Programs get a row for each deciding set, and one for each sentence. Without ``sets``, people are shown the
    sentences alone.
    """
    compared = comparison_table(result.comparisons)
    if style in DELIMITED:
        compared.title = "comparisons"
        return [compared, _set_table(result.pairs), sentence_table(result.pairs)]
    return [compared, *(pair_table(pair) if sets else _listed_table(pair) for pair in result.pairs)]


def pair_table(pair: DecidingPair) -> Table:
    """Three rows for each sentence: what the source and the two systems say."""
    columns = ["sentence", "influence", "decides", "who", "score", "text"]
    rows: list[Sequence[Cell]] = []
    for row in pair.influential:
        source, before, after = cut([row.source, row.baseline_hypothesis, row.hypothesis])
        rows.append([row.sentence, Signed(row.influence), "yes" if row.decides else "no", "source", None, source])
        rows.append([None, None, None, pair.baseline, row.baseline_score, before])
        rows.append([None, None, None, pair.system, row.score, after])
    title = f"{pair.metric}: {pair.verdict}"
    notes = [*_facts(pair), f"influence: {_difference(pair)} over all sentences, minus the same without this one"]
    if pair.listed != "influential":
        how = "worse" if pair.listed == "worst" else "better"
        notes.append(f"shown: the sentences on which {pair.system} is {how} than {pair.baseline}, by their own scores")
        notes += _tally(pair)
    return Table(columns, rows, title=title, footnotes=notes)


def _listed_table(pair: DecidingPair) -> Table:
    """The same without who decides."""
    table = pair_table(pair)
    column = table.columns.index("decides")
    rows: list[Sequence[Cell]] = [[*row[:column], *row[column + 1 :]] for row in table.rows]
    how = "worse" if pair.listed == "worst" else "better"
    title = f"{pair.metric}: the sentences on which {pair.system} is {how} than {pair.baseline}, by their own scores"
    notes = [*_tally(pair), *(note for note in table.footnotes if note.startswith("influence"))]
    columns = [name for name in table.columns if name != "decides"]
    return Table(
        columns, rows, title=title if rows else f"{pair.metric}: {pair.system} is nowhere {how}", footnotes=notes
    )


def _tally(pair: DecidingPair) -> list[str]:
    """On how many sentences the system is worse, better and as good."""
    if pair.worsened is None or pair.improved is None:
        return []
    same = pair.of - pair.worsened - pair.improved
    changed = f"{pair.worsened:,} of {pair.of:,} sentences got worse, {pair.improved:,} better"
    return [f"{pair.system}: {changed}, and {same:,} have the same score"]


def _difference(pair: DecidingPair) -> str:
    return f"{pair.system} − {pair.baseline}"


def _facts(pair: DecidingPair) -> list[str]:
    """How large the set is, compared with the smallest, what is left without it, and which sentences it has."""
    if not pair.sentences or pair.difference_without is None:
        return []
    p = "" if pair.p_without is None else f", p = {pair.p_without:.3f}, not corrected"
    without = f"without {'it' if pair.count == 1 else 'them'} {decimals(pair.difference_without, 4, signed=True)}{p}"
    if pair.until == "significance":
        smallest = "one sentence fewer, in the order of influence, does not do it"
    elif pair.proven:
        smallest = "no smaller set does it"
    elif pair.proven_as_chosen:
        smallest = "no smaller set does it while every sentence keeps the reference that the whole corpus chose"
    else:
        proof = f"it takes {pair.at_least} at least" if pair.at_least > 1 else "this is no proof that there is none"
        smallest = f"no smaller set was found; {proof}"
    numbers = ", ".join(map(str, pair.sentences[:MOST_NUMBERS]))
    more = len(pair.sentences) - MOST_NUMBERS
    return [
        f"{_difference(pair)}: {decimals(pair.difference, 4, signed=True)}; {without}; {smallest}",
        f"sentences: {numbers}{f' and {more} more' if more > 0 else ''}",
    ]


def cut(texts: Sequence[str]) -> list[str]:
    """Long texts, from a little before the first word in which they differ, cut to ``LONGEST`` characters.

    >>> cut(["a b", "a c"])
    ['a b', 'a c']
    >>> cut(["one two three four five six seven " + word * 30 for word in ("ha", "ho")])[0]
    '…four five six seven hahahahahahahahahahahahahahahahahahahahahahahaha…'
    """
    if max(map(len, texts)) <= LONGEST:
        return list(texts)
    words = [text.split() for text in texts]
    same = sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, zip(*words, strict=False)))
    start = max(0, same - BEFORE) if same < max(map(len, words)) else 0
    rest = [("…" if start else "") + " ".join(listed[start:]) for listed in words]
    return [text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…" for text in rest]


def _set_table(pairs: Sequence[DecidingPair]) -> Table:
    columns = ["metric", "baseline", "system", "difference", "until", "count", "of", "at least", "proven"]
    columns += ["difference without", "p without", "sentences"]
    rows: list[Sequence[Cell]] = []
    for pair in pairs:
        row: list[Cell] = [pair.metric, pair.baseline, pair.system, pair.difference, pair.until, pair.count, pair.of]
        row += [pair.at_least, "yes" if pair.proven else "no", pair.difference_without]
        row += [None if pair.p_without is None else P(pair.p_without), " ".join(map(str, pair.sentences or ()))]
        rows.append(row)
    return Table(columns, rows, title="deciding sets")


def sentence_table(pairs: Sequence[DecidingPair]) -> Table:
    columns = ["metric", "baseline", "system", "sentence", "influence", "decides", "baseline score", "score"]
    columns += ["source", "baseline text", "text"]
    rows = [
        [pair.metric, pair.baseline, pair.system, *_row(sentence)] for pair in pairs for sentence in pair.influential
    ]
    return Table(columns, list(rows), title="influential sentences")


def _row(row: InfluentialSentence) -> list[Cell]:
    cells: list[Cell] = [row.sentence, row.influence, "yes" if row.decides else "no", row.baseline_score, row.score]
    return [*cells, row.source, row.baseline_hypothesis, row.hypothesis]
