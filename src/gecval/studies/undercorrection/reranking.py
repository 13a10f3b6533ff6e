"""Do more references make a system correct more? Oracle re-ranking of k-best lists (low-coverage paper, §3.3 and §4).

The oracle looks at the candidates for a sentence. It takes the one that scores best against M of its references. These
are drawn again in each repetition. Of equally good candidates it takes the one that changes fewest words, then the
earlier in the list. So a phrase stays as it is where the references allow both to keep and to change it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.metrics.base import Array, Metric
from gecval.metrics.evaluation import Subset, sentence_scores_against
from gecval.results.result import ResultSequence
from gecval.results.signature import Signature
from gecval.results.table import DELIMITED, Cell, Table
from gecval.runtime.run import HERE, Run, announce
from gecval.studies.scores.input_notes import input_notes
from gecval.studies.scores.preparation import Edits, Systems, prepare, resolve_metrics, resolve_systems
from gecval.studies.undercorrection.study import MOST_CHANGES, amounts, word_changes

MOST_REPETITIONS = 10_000  # more would take all memory


def rerank(
    corpus: Corpus,
    candidates: Systems,
    metric: Metric | str,
    *,
    references: Sequence[int] | None = None,
    repetitions: int = 10,
    seed: int = 1,
    edits: Edits = None,
    run: Run = HERE,
) -> Reranking:
    """Let an oracle choose among candidates, with more and more references.

    Parameters
    ----------
    corpus
        Sources and references.
    candidates
        The first, second, … candidates for every sentence, as systems or a mapping of lists. They are a k-best list, or
        the outputs of several systems.
    metric
        What the oracle chooses by: a metric or its name. It should look at references.
    references
        The numbers of references, by default 1, 2, … as many as every sentence has.
    repetitions
        So often are references drawn for each number.
    seed
        Of the random draws.
    edits
        Finds the edits of plain-text references where the metric needs them. By default ERRANT where it is installed
        and the text is English, else plain rules; a note says which.
    run
        How it runs: threads, progress, backend.

    Returns
    -------
    Reranking
        A sequence of ``Reranked``, one for each number of references. It prints as a table.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go ."], [["He goes .", "He went ."]])
    >>> candidates = {"first": ["He go ."], "second": ["He went ."]}
    >>> fewer, more = rerank(corpus, candidates, "accuracy", repetitions=100)
    >>> fewer.score < more.score, more.word_changes
    (True, 1.0)
    """
    listed, [oracle] = resolve_systems(candidates, corpus), resolve_metrics([metric])
    numbers = _check_numbers(corpus, references, size=len(listed), repetitions=repetitions)
    [prepared] = prepare(corpus, listed, [oracle], extractor=edits, run=run)
    counts = np.diff(prepared.reference_slots).tolist()
    rng = np.random.default_rng(seed)
    subsets = [_draw(rng, counts, number) for number in numbers for _ in range(repetitions)]
    announce(run.progress, "re-ranking")
    best = _Best(len(subsets), len(prepared))
    for done, candidate in enumerate(listed, start=1):
        changed = word_changes(prepared.sources, candidate.hypotheses)
        scores = sentence_scores_against(oracle, prepared, candidate, subsets, run=run)
        for s, subset_scores in enumerate(scores):
            best.offer(s, subset_scores if oracle.higher_is_better else -subset_scores, changed)
        run.progress(done, len(listed))
    notes = [*input_notes(prepared, listed), *prepared.notes]
    if oracle.needs is None:
        notes.append(f"{oracle!r} looks at no references, so the oracle chooses the same with every number of them")
    return Reranking(
        metric=repr(oracle),
        candidates=tuple(candidate.name for candidate in listed),
        repetitions=repetitions,
        seed=seed,
        choices=_choices(numbers, best, repetitions, sign=1 if oracle.higher_is_better else -1),
        signature=str(
            Signature.of(oracle, prepared, "mean").with_study(oracle=len(listed), repetitions=repetitions, seed=seed)
        ),
        higher_is_better=oracle.higher_is_better,
        notes=tuple(dict.fromkeys(notes)),
    )


@dataclass(frozen=True, kw_only=True)
class Reranked:
    """What the oracle does with M references: means over repetitions.

    ``score`` is the mean over sentences. ``sentences[k]`` is the number of sentences with k words changed, in the last
    place k or more. ``gained[k]`` is how many more they are than with the fewest references.
    """

    derived: ClassVar[tuple[str, ...]] = ("unchanged",)

    references: int
    score: float
    word_changes: float
    sentences: tuple[float, ...]
    gained: tuple[float, ...]

    @property
    def unchanged(self) -> float:
        return self.sentences[0]


@dataclass(frozen=True, kw_only=True, repr=False)
class Reranking(ResultSequence[Reranked]):
    """An oracle's choices with more and more references: a sequence of ``Reranked``."""

    kind: ClassVar[str] = "reranking"
    view: ClassVar[str] = "reranking_tables"
    main: ClassVar[str] = "choices"

    metric: str
    candidates: tuple[str, ...]
    repetitions: int
    seed: int
    choices: tuple[Reranked, ...]
    signature: str
    higher_is_better: bool = True


class _Best:
    """The best candidate so far, [subset, sentence]: its score and how many words it changes."""

    def __init__(self, subsets: int, sentences: int) -> None:
        self.scores = np.full((subsets, sentences), -np.inf)
        self.changes = np.zeros((subsets, sentences), dtype=np.int64)

    def offer(self, subset: int, scores: Array, changes: NDArray[np.int64]) -> None:
        """One more candidate. It must be better, or as good with fewer changes: of equals the earlier stays."""
        # Scores that differ in the last bits only are equal.
        ours, theirs = self.scores[subset].round(12), scores.round(12)
        better = (theirs > ours) | ((theirs == ours) & (changes < self.changes[subset]))
        self.scores[subset][better] = scores[better]
        self.changes[subset][better] = changes[better]


def _choices(numbers: Sequence[int], best: _Best, repetitions: int, *, sign: int) -> tuple[Reranked, ...]:
    """Means over the repetitions of each number of references."""
    choices: list[Reranked] = []
    for m, number in enumerate(numbers):
        drawn = slice(m * repetitions, (m + 1) * repetitions)
        made = best.changes[drawn]
        tally = np.bincount(np.minimum(made, MOST_CHANGES).ravel(), minlength=MOST_CHANGES + 1) / repetitions
        fewest = choices[0].sentences if choices else tally
        choices.append(
            Reranked(
                references=number,
                score=sign * float(np.mean(best.scores[drawn])),
                word_changes=float(made.mean()),
                sentences=tuple(tally.tolist()),
                gained=tuple((tally - fewest).tolist()),
            )
        )
    return tuple(choices)


def _check_numbers(corpus: Corpus, references: Sequence[int] | None, *, size: int, repetitions: int) -> list[int]:
    """The numbers of references; invalid input is refused."""
    if size < 2:
        raise InputError("re-ranking needs a list: give two outputs or more for the same sentences")
    if not 1 <= repetitions <= MOST_REPETITIONS:
        raise InputError(f"repetitions must lie between 1 and {MOST_REPETITIONS:,}, not {repetitions:,}")
    counts = np.diff(corpus.reference_slots)
    least, where = int(counts.min()), int(np.argmin(counts)) + 1
    if not least:
        raise InputError(f"re-ranking draws references, and sentence {where} has none", parameter="references")
    numbers = list(range(1, least + 1) if references is None else references)
    for number in numbers:
        if not 1 <= number <= least:
            raise InputError(f"cannot draw {number} references: sentence {where} has {least}", parameter="references")
    return numbers


def _draw(rng: np.random.Generator, counts: list[int], number: int) -> Subset:
    return [rng.choice(count, number, replace=False) for count in counts]


def reranking_tables(result: Reranking, style: str = "text") -> list[Table]:
    """A row per number of references: what the oracle scores and how much it changes."""
    columns = ["references", result.metric, "words changed", *amounts(len(result[0].sentences))]
    table = Table(columns, title="Oracle re-ranking: sentences by number of words changed", digits=3)
    table.plain = ["words changed"]
    for choice in result:
        counts: list[Cell] = [*choice.sentences] if style in DELIMITED else [f"{n:.1f}" for n in choice.sentences]
        table.rows.append([choice.references, choice.score, choice.word_changes, *counts])
    table.footnotes = [
        f"the oracle chooses among {len(result.candidates)} candidates by {result.metric}; means over "
        f"{result.repetitions} draws of references",
        *([] if result.higher_is_better else [f"{result.metric}: lower is better"]),
    ]
    return [table]
