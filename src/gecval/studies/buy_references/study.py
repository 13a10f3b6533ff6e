"""Which references should I buy next? Sentences in the order of what one more reference would change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.metrics import metric as metric_of
from gecval.metrics.base import Metric, Statistics
from gecval.metrics.evaluation import Evaluation
from gecval.results.result import Result
from gecval.results.signature import Signature
from gecval.results.table import DELIMITED, Cell, Signed, Table, percent
from gecval.runtime.run import HERE, Run, announce
from gecval.stats import Interval
from gecval.stats.coverage import expected_gains, value_rows
from gecval.stats.resampling import Array
from gecval.studies.compare.deciding import cut
from gecval.studies.scores.input_notes import input_notes
from gecval.studies.scores.preparation import Edits, Systems, prepare, resolve_systems


@dataclass(frozen=True, kw_only=True)
class SentenceToCorrect:
    """A sentence that one more annotator should correct.

    ``gain`` is by how much the mean score of the systems is expected to rise, ``spread`` how uncertain that is (one
    standard deviation). ``wrong`` is what the best reference finds wrong, the mean over systems.
    """

    sentence: int
    references: int
    wrong: float
    gain: float
    spread: float
    source: str


@dataclass(frozen=True, kw_only=True, repr=False)
class ReferencesToBuy(Result):
    """The sentences to hand to an annotator, the most useful first.

    ``score`` is the mean score of the systems. ``gain`` is what the listed references are expected to add to it,
    ``gain_of_all`` what one more reference of every sentence would. ``interval`` is that of ``gain``. ``spread_of_all``
    is the uncertainty of ``gain_of_all``, and ``spread_left`` what is left of it when the list has been corrected.
    """

    kind: ClassVar[str] = "references-to-buy"
    view: ClassVar[str] = "buying_tables"
    main: ClassVar[str] = "sentences"

    metric: str
    systems: int
    score: float
    gain: float
    interval: Interval
    gain_of_all: float
    spread_of_all: float
    spread_left: float
    level: float
    sentences: tuple[SentenceToCorrect, ...]
    signature: str

    def __len__(self) -> int:
        return len(self.sentences)


LEVEL = 0.95


def buy_references(
    corpus: Corpus,
    systems: Systems,
    *,
    count: int = 100,
    metric: Metric | str = "m2",
    edits: Edits = None,
    run: Run = HERE,
) -> ReferencesToBuy:
    """List the sentences for which one more reference is expected to change the scores of systems most.

    Parameters
    ----------
    corpus
        Sources and references. Some sentences need two references or more.
    systems
        Outputs of the systems whose scores are to be improved.
    count
        How many sentences to list.
    metric
        One that takes the best reference of each sentence, and whose score is a ratio of sums: m2, errant, accuracy.
    edits
        Finds the edits of plain-text references for metrics that need them. By default ERRANT where it is installed
        and the text is English, else plain rules; a note says which.
    run
        How it runs: threads, progress, backend.

    Returns
    -------
    ReferencesToBuy
        The sentences, the most useful first. It prints as tables.

    Examples
    --------
    >>> references = [["He goes home .", "He went home ."], ["Fine .", "Fine ."], ["I am .", "I was ."]]
    >>> corpus = Corpus.from_texts(["He go home .", "Fine .", "I is ."], references)
    >>> result = buy_references(corpus, {"mine": ["He gone home .", "Fine .", "I am ."]}, count=1, metric="accuracy")
    >>> result.sentences[0].sentence
    1
    """
    listed = resolve_systems(systems, corpus)
    scored = metric_of(metric) if isinstance(metric, str) else metric
    ratio = scored.as_ratio()
    if ratio is None or scored.needs not in ("edits", "references"):
        raise InputError(
            f"{scored!r} takes no single best reference for a ratio of sums; choose m2, errant or accuracy",
            parameter="metric",
        )
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise InputError(f"count is a number from 1, not {count!r}", parameter="count")
    [prepared] = prepare(corpus, listed, [scored], extractor=edits, run=run)
    announce(run.progress, "scoring")
    statistics = [Evaluation.of(scored, prepared, system, run=run.quiet()).statistics for system in listed]
    rows, there = by_reference(statistics, prepared, scored)
    weights = np.array(ratio[0], dtype=np.float64), np.array(ratio[1], dtype=np.float64)
    made = value_rows(rows, there, weights)
    gains, variances = expected_gains(made, there)
    wrong, counts = made.best_wrong, there.sum(axis=1)
    order = np.lexsort((-wrong, -gains))[:count]
    spread = float(np.sqrt(variances[order].sum()))
    reach = NormalDist().inv_cdf((1 + LEVEL) / 2) * spread
    total = float(gains[order].sum())
    return ReferencesToBuy(
        metric=repr(scored),
        systems=len(listed),
        score=float(made.scores.mean()),
        gain=total,
        interval=Interval(max(0.0, total - reach), total + reach),
        gain_of_all=float(gains.sum()),
        spread_of_all=float(np.sqrt(variances.sum())),
        spread_left=float(np.sqrt(np.delete(variances, order).sum())),
        level=LEVEL,
        sentences=tuple(
            SentenceToCorrect(
                sentence=i + 1,
                references=int(counts[i]),
                wrong=float(wrong[i]),
                gain=float(gains[i]),
                spread=float(np.sqrt(variances[i])),
                source=corpus.sources[i],
            )
            for i in order.tolist()
        ),
        signature=str(Signature.of(scored, prepared, "corpus")),
        notes=tuple(dict.fromkeys([*input_notes(corpus, listed), *prepared.notes])),
    )


def by_reference(statistics: list[Statistics], corpus: Corpus, scored: Metric) -> tuple[Array, NDArray[np.bool_]]:
    """Rows ``[system, sentence, reference, k]``, and which references there are."""
    slots = corpus.reference_slots
    if any(not np.array_equal(table.offsets, slots) for table in statistics):
        raise InputError(f"{scored!r} looks at all references of a sentence at once; choose m2, errant or accuracy")
    counts = np.diff(slots)
    there = np.arange(counts.max()) < counts[:, None]
    rows = np.zeros((len(statistics), *there.shape, statistics[0].rows.shape[1]))
    for s, table in enumerate(statistics):
        rows[s][there] = table.rows
    return rows, there


# `reproduce decisions`: expected by real gain of one more reference of every sentence, CoNLL-2014.
TOO_LOW = (
    "gain of all is a cautious forecast: gains are taken to fall as 1/k with the k-th reference; on CoNLL-2014 it was "
    "0.77 to 0.96 of the real gain"
)


def buying_tables(result: ReferencesToBuy, style: str = "text") -> list[Table]:
    """What the list is expected to change, then the list; programs and annotators get the list alone, uncut."""
    rows: list[Sequence[Cell]] = [
        [row.sentence, row.references, row.wrong, Signed(row.gain), row.spread, source]
        for row in result.sentences
        for source in (cut([row.source]) if style == "text" else [row.source])
    ]
    columns = ["sentence", "references", "wrong", "gain", "spread", "source"]
    sentences = Table(columns, rows, title="Sentences to correct once more", digits=5, main="gain")
    sentences.plain = ["wrong"]
    if style in DELIMITED:
        return [sentences]
    share = result.gain / result.gain_of_all if result.gain_of_all else None
    cells: list[Cell] = [result.metric, result.systems, result.score, Signed(result.gain), result.interval]
    summary = Table(
        ["metric", "systems", "mean score", "gain", "interval", "gain of all", "share", "spread of all", "spread left"],
        [[*cells, Signed(result.gain_of_all), share, result.spread_of_all, result.spread_left]],
        title=f"What one more reference of {len(result)} sentences is expected to change",
        level=result.level,
        interval_digits=4,
        main="gain",
    )
    sentences.footnotes = [
        "gain: by how much the mean score of the systems should rise, from what the last reference of such sentences "
        "changed; wrong: what the best reference finds wrong, the mean over systems",
        TOO_LOW,
        f"spread: one standard deviation of the gain; the interval is at {percent(result.level)}",
        result.signature,
    ]
    return [summary, sentences]
