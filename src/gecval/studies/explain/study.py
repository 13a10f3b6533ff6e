"""What does each edit of an output add to a metric's score of the sentence?

Every needed subset of the edits is applied to the source. The texts that result are scored like any output, all of
them in one corpus in which each source stands as often as it has variants. So every metric can be explained, also
those without references and the user's own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from gecval.corpus import Corpus, System
from gecval.corpus.edit import Edit, apply_edits
from gecval.edits.annotate import check_tokens, retokenize
from gecval.edits.extractors import (
    Choice,
    Extractor,
    choose_extractor,
    extract,
    full_signature,
    short_name,
    token_cutter,
)
from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Evaluation
from gecval.results.result import ResultSequence
from gecval.results.signature import Signature
from gecval.results.table import DELIMITED, Cell, Signed, Table
from gecval.runtime.run import HERE, Run, announce
from gecval.stats.attribution import METHODS, Attribution, Method
from gecval.studies.scores.input_notes import input_notes
from gecval.studies.scores.preparation import (
    Edits,
    Metrics,
    Systems,
    prepare,
    resolve_extractor,
    resolve_metrics,
    resolve_systems,
)

BATCH = 20_000  # variants in one corpus: this bounds memory
MOST_EXACT = 16  # edits: 65,536 variants of one sentence


@dataclass(frozen=True, kw_only=True)
class _Changed:
    """A sentence that the system changed, its edits, and how their gain is to be shared."""

    index: int
    edits: tuple[Edit, ...]
    share: Attribution
    sets: tuple[int, ...]

    def variants(self) -> Iterator[tuple[Edit, ...]]:
        for members in self.sets:
            yield tuple(edit for i, edit in enumerate(self.edits) if members >> i & 1)


def explain(
    corpus: Corpus,
    systems: Systems,
    metrics: Metrics,
    *,
    method: Method = "shapley",
    sentences: Sequence[int] | None = None,
    exact: int = 10,
    orders: int = 200,
    seed: int = 1,
    edits: Edits = None,
    run: Run = HERE,
) -> Explanation:
    """Share what a system gains over the source among its edits, sentence by sentence.

    Parameters
    ----------
    method
        ``shapley``, ``add-one-in`` or ``leave-one-out``; see ``gecval.stats.attribution``.
    sentences
        Which sentences to explain, from 1; all by default.
    exact
        Shapley's value is exact for sentences with at most so many edits; for others ``orders`` orders are drawn.
    edits
        What finds the edits of the outputs, and of text references where a metric needs them. By default outputs that
        bring their edits are explained by these.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go to home ."], [["He goes home ."]])
    >>> [explained] = explain(corpus, {"mine": ["He goes to the home ."]}, ["gleu"], edits="plain")
    >>> [(edit.correction, round(edit.value, 3)) for edit in explained.edits]
    [('goes', 0.113), ('the', -0.055)]
    """
    listed, wanted = resolve_systems(systems, corpus), resolve_metrics(metrics)
    _check(method, sentences, exact=exact, orders=orders, size=len(corpus))
    finder = resolve_extractor(edits)
    if finder is not None:  # the user wants these edits, not those that outputs bring
        listed = [replace(system, edits=None) for system in listed]
    given = all(system.edits is not None for system in listed)
    notes: list[str] = []
    if finder is None and not given:
        finder, note = _finder(corpus, wanted)
        notes.append(note)
    if finder is not None:
        corpus.check_language(short_name(finder), finder.language, finds_edits=True)
    corpora = prepare(corpus, listed, wanted, extractor=finder, paid=False, run=run)
    cut = corpus if finder is None else retokenize(corpus, finder)  # in the tokens that the finder's edits count
    for metric, prepared in zip(wanted, corpora, strict=True):
        if finder is not None:
            check_tokens(prepared.sources, finder, repr(metric))
    chosen = sorted(set(sentences)) if sentences is not None else range(1, len(corpus) + 1)
    explained: list[ExplainedSentence] = []
    for system in listed:
        of_system = _edits(system, cut, chosen, finder, run=run)
        changed = [
            _Changed(index=number - 1, edits=edits, share=share, sets=tuple(share.sets()))
            for number, edits in zip(chosen, of_system, strict=True)
            if edits
            for share in [Attribution.plan(method, len(edits), exact=exact, orders=orders, seed=seed)]
        ]
        for metric, prepared in zip(wanted, corpora, strict=True):
            announce(run.progress, f"explaining {metric!r}")
            for batch in _batches(changed):
                explained += _explain_sentences(metric, prepared, system, batch, sources=cut.sources, run=run)
    found_by = full_signature(finder) if finder else "given"
    how = f"shapley|exact:{exact}|orders:{orders}|seed:{seed}" if method == "shapley" else method
    drawn = len({(s.system, s.sentence) for s in explained if s.edits[0].error is not None})
    if drawn:
        notes.append(f"sentences with over {exact} edits: {drawn}; there, {orders} random orders stand for all")
    notes += [*input_notes(corpus, listed, wanted), *(note for prepared in corpora for note in prepared.notes)]
    return Explanation(
        method=method,
        types=tuple(_types(explained, {repr(metric): metric.direction for metric in wanted})),
        sentences=tuple(explained),
        signatures=tuple(
            str(Signature.of(metric, prepared, "mean", systems=listed).with_study(attribution=how, edits=found_by))
            for metric, prepared in zip(wanted, corpora, strict=True)
        ),
        notes=tuple(dict.fromkeys(notes)),
    )


def _finder(corpus: Corpus, metrics: Sequence[Metric]) -> Choice:
    """Who finds the edits where nobody is named: as everywhere, but that metrics which cut texts bring their own."""
    first = metrics[0].extractor
    if first is not None and all(token_cutter(metric.extractor) for metric in metrics):
        return Choice(first, f"edits are found by {short_name(first)}")
    return choose_extractor(corpus)


def _edits(
    system: System, corpus: Corpus, sentences: Iterable[int], finder: Extractor | None, *, run: Run
) -> list[tuple[Edit, ...]]:
    """The edits of these sentences: what the finder finds, or where there is none, what the output brings."""
    if finder is None:
        given = system.edits or ()
        return [given[number - 1] for number in sentences]
    pairs = [(corpus.sources[number - 1], system.hypotheses[number - 1]) for number in sentences]
    return extract(finder, pairs, run=run)


def _check(method: str, sentences: Sequence[int] | None, *, exact: int, orders: int, size: int) -> None:
    if method not in METHODS:
        raise InputError(f"the method must be one of {', '.join(METHODS)}, not {method!r}", parameter="method")
    if not 0 <= exact <= MOST_EXACT:
        raise InputError(f"exact values are for 0 to {MOST_EXACT} edits, not {exact}", parameter="exact")
    if not 2 <= orders <= 100_000:
        raise InputError(f"orders must lie between 2 and 100,000, not {orders}", parameter="orders")
    for number in sentences or ():
        if not 1 <= number <= size:
            raise InputError(f"there is no sentence {number}; they go from 1 to {size}", parameter="sentences")


def _batches(changed: Sequence[_Changed]) -> Iterator[list[_Changed]]:
    batch: list[_Changed] = []
    for sentence in changed:
        if batch and sum(len(other.sets) for other in batch) + len(sentence.sets) > BATCH:
            yield batch
            batch = []
        batch.append(sentence)
    if batch:
        yield batch


def _explain_sentences(
    metric: Metric, corpus: Corpus, system: System, batch: Sequence[_Changed], *, sources: Sequence[str], run: Run
) -> Iterator[ExplainedSentence]:
    """The edits count the tokens of ``sources``; the metric's own corpus may be cut otherwise."""
    rows = [sentence.index for sentence in batch for _ in sentence.sets]
    variants = replace(
        corpus,
        sources=[corpus.sources[i] for i in rows],
        references=[corpus.references[i] for i in rows],
        clusters=[corpus.clusters[i] for i in rows] if corpus.clusters else None,
        language=corpus.likely_language,  # of the whole: a few sentences may look otherwise
        pool=None,
    )
    edits = [made for sentence in batch for made in sentence.variants()]
    texts = [apply_edits(sources[i].split(), made) for i, made in zip(rows, edits, strict=True)]
    made = variants.system(system.name, texts, edits=None if system.edits is None else edits)
    if metric.needs_pool:
        variants = variants.with_pool([made])
    metric.prepare(variants, [made], run=run)
    scores = iter(Evaluation.of(metric, variants, made, run=run.quiet()).sentence_scores().tolist())
    for sentence in batch:
        of_sets = {members: next(scores) for members in sentence.sets}
        gains = {members: score - of_sets[0] for members, score in of_sets.items()}
        errors = sentence.share.errors(gains)
        tokens = sources[sentence.index].split()
        yield ExplainedSentence(
            sentence=sentence.index + 1,
            system=system.name,
            metric=repr(metric),
            source=sources[sentence.index],
            hypothesis=system.hypotheses[sentence.index],
            source_score=of_sets[0],
            score=of_sets[sentence.share.everything],
            edits=tuple(
                EditValue(
                    start=edit.start,
                    end=edit.end,
                    original=" ".join(tokens[edit.start : edit.end]),
                    correction=edit.correction,
                    type=edit.type,
                    value=float(value),
                    error=None if errors is None else float(errors[i]),
                )
                for i, (edit, value) in enumerate(zip(sentence.edits, sentence.share.values(gains), strict=True))
            ),
        )


def _types(explained: Sequence[ExplainedSentence], directions: Mapping[str, int]) -> Iterator[TypeValue]:
    values: defaultdict[tuple[str, str, str], list[float]] = defaultdict(list)
    for sentence in explained:
        for edit in sentence.edits:
            values[sentence.system, sentence.metric, edit.type].append(edit.value)
    for (system, metric, kind), listed in sorted(values.items(), key=lambda item: (item[0][:2], -len(item[1]))):
        up = directions[metric]
        yield TypeValue(
            system=system,
            metric=metric,
            type=kind,
            edits=len(listed),
            mean=sum(listed) / len(listed),
            helpful=sum(up * value > 0 for value in listed),
            harmful=sum(up * value < 0 for value in listed),
        )


# What explaining scores gives.


@dataclass(frozen=True, kw_only=True)
class EditValue:
    """One edit of an output, and what it adds to the sentence's score. ``error`` is None where the value is exact."""

    start: int
    end: int
    original: str
    correction: str
    type: str
    value: float
    error: float | None = None


@dataclass(frozen=True, kw_only=True)
class ExplainedSentence:
    """One sentence under one metric: the values of its edits add up to ``score - source_score``. It counts from 1."""

    sentence: int
    system: str
    metric: str
    source: str
    hypothesis: str
    source_score: float
    score: float
    edits: tuple[EditValue, ...]


@dataclass(frozen=True, kw_only=True)
class TypeValue:
    """What the edits of one type add to the sentence scores on average, and how many of them add something."""

    system: str
    metric: str
    type: str
    edits: int
    mean: float
    helpful: int
    harmful: int


@dataclass(frozen=True, kw_only=True, repr=False)
class Explanation(ResultSequence[ExplainedSentence]):
    """What every edit of every output adds under every metric."""

    kind: ClassVar[str] = "explanation"
    view: ClassVar[str] = "explanation_tables"
    main: ClassVar[str] = "sentences"

    method: Method
    types: tuple[TypeValue, ...]
    sentences: tuple[ExplainedSentence, ...]
    signatures: tuple[str, ...]


# The tables that show it.


HOW = {
    "shapley": "value: the edit's mean gain over all orders in which the edits can be made (Shapley)",
    "add-one-in": "value: the gain of the edit alone, scaled so that a sentence's values add up to its gain",
    "leave-one-out": "value: the loss without the edit, scaled so that a sentence's values add up to its gain",
}


def explanation_tables(explanation: Explanation, style: str = "text", *, top: int | None = 20) -> list[Table]:
    """The ``top`` edits that add or cost most, then all edits by type; None: every edit, in order, and no more.

    Programs get every edit.
    """
    edits = [(sentence, edit) for sentence in explanation.sentences for edit in sentence.edits]
    if style in DELIMITED:
        return [_edit_table(edits)]
    footnotes = [HOW[explanation.method], *explanation.signatures]
    shown = edits if top is None else sorted(edits, key=lambda pair: -abs(pair[1].value))[:top]
    table = _edit_table(shown)
    if len(shown) < len(edits):
        table.title = f"The {len(shown)} edits of {len(edits)} that add or cost most"
    else:
        table.title = "What each edit adds"
    if top is None:
        table.footnotes = footnotes
        return [table]
    types = Table(
        ["system", "metric", "type", "edits", "mean value", "helpful", "harmful"],
        [
            [row.system, row.metric, row.type or "-", row.edits, Signed(row.mean), row.helpful, row.harmful]
            for row in explanation.types
        ],
        title="By type of edit",
        footnotes=footnotes,
    )
    return [table, types]


def _edit_table(edits: Sequence[tuple[ExplainedSentence, EditValue]]) -> Table:
    with_errors = any(edit.error is not None for _, edit in edits)
    columns = ["system", "metric", "sentence", "start", "end", "original", "correction", "type", "value"]
    rows: list[Sequence[Cell]] = []
    for sentence, edit in edits:
        row: list[Cell] = [sentence.system, sentence.metric, sentence.sentence, edit.start, edit.end]
        row += [edit.original, edit.correction, edit.type, Signed(edit.value)]
        rows.append([*row, edit.error] if with_errors else row)
    return Table([*columns, "standard error"] if with_errors else columns, rows)
