"""What are precision, recall and F if edits count that are valid though no reference has them?

    P = (found + Σ π) / edits        R = (found + Σ π) / (found + Σ π + missed)

An edit that any reference has is valid. Any other is valid with probability π (``model.py``). A gold edit of the
reference that ERRANT chose is missed if nothing touches its words, and fixed if a valid edit does. Intervals resample
sentences, and with them how references agree; each resample draws its own calibration and its own w of the system.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.corpus.edit import Edit
from gecval.edits.extractors import Extractor, extract
from gecval.errors import InputError
from gecval.formats.ratings import JudgedCorrection, read_judged_edits
from gecval.metrics.base import f_score
from gecval.metrics.errant import Errant
from gecval.metrics.evaluation import Evaluation
from gecval.results.result import ResultSequence
from gecval.results.signature import Signature
from gecval.results.table import DELIMITED, Cell, Table
from gecval.runtime.run import HERE, SERIAL, Run, announce
from gecval.stats import Interval, Resampling
from gecval.stats.resampling import Array, Confidence, Draws, MaybeUndefined, percentile_interval, resolve_resampling
from gecval.studies.scores.input_notes import input_notes
from gecval.studies.scores.preparation import Systems, prepare, resolve_systems
from gecval.studies.true_precision.calibration import Labels, calibrate, digest, shipped_calibration, trials
from gecval.studies.true_precision.model import (
    Calibration,
    Gold,
    ProposedEdits,
    agreement_rows,
    coverage_model,
    coverages,
    found_shares,
    missed_edits,
    proposed_edits,
    system_edits,
    type_of,
    valid_shares,
)

SHIPPED = "SEEDA's judgments, 10 annotators"


def true_precision(
    corpus: Corpus,
    systems: Systems,
    *,
    judged: str | Path | None = None,
    beta: float = 0.5,
    confidence: Confidence = True,
    run: Run = HERE,
) -> TruePrecision:
    """Correct ERRANT's precision, recall and F for valid edits that no reference has.

    Parameters
    ----------
    corpus
        English sources and references. Every sentence needs two references or more. The edits of references are found
        again from their texts.
    systems
        Systems, or a mapping from a system's name to its list of outputs.
    judged
        A file of edits that people judged, of sentences of this corpus, to calibrate with. By default the calibration
        is the shipped one: SEEDA's judgments of the outputs of 12 systems on CoNLL-2014.
    beta
        Of F.
    confidence
        How intervals are computed. They are percentile intervals, whatever method it names.
    run
        How it runs: threads, progress, backend.

    Returns
    -------
    TruePrecision
        A sequence of ``TrueScores``, one for each system. It prints as tables.

    Examples
    --------
    >>> references = [["He goes home .", "He went home ."], ["She likes apples .", "She likes an apple ."]]
    >>> corpus = Corpus.from_texts(["He go to home .", "She like apple ."], references)
    >>> outputs = {"mine": ["He goes to school .", "She likes apples ."]}
    >>> [mine] = true_precision(corpus, outputs, confidence=Resampling(50))
    >>> mine.edits, mine.found, mine.true_precision > mine.precision
    (4, 2, True)
    """
    listed, errant = resolve_systems(systems, corpus), Errant(beta=beta)
    resampling = replace(resolve_resampling(confidence), method="percentile")
    counts = np.diff(corpus.reference_slots)
    if counts.min() < 2:
        raise InputError(
            f"true precision needs two references or more for every sentence; sentence {int(np.argmin(counts)) + 1} "
            f"has {counts.min()}. For an .m2 file, say with missing what an annotator without a line did",
            parameter=("references", "missing"),
        )
    texts = Corpus.from_texts(
        corpus.sources, [corpus.texts_of(i) for i in range(len(corpus))], language=corpus.language
    )
    [prepared] = prepare(texts, listed, [errant], run=run)
    gold = [[reference.edits or () for reference in references] for references in prepared.references]
    outputs = system_edits(texts, listed, errant.extractor, run=run)
    types = types_of([*outputs, *gold]) or ["OTHER"]  # where nobody edits anything
    calibration, name = shipped_calibration(), SHIPPED
    if judged is not None:
        announce(run.progress, "calibrating")
        corrections = read_judged_edits(judged, texts.sources)
        calibration = calibrate_from_judgments(corrections, texts.sources, gold, errant.extractor, run=run)
        name = str(Path(judged).name)
    announce(run.progress, "correcting")
    chosen = [_choose_references(errant, prepared, system, run=run) for system in listed]
    made = corrected(outputs, gold, [row[0] for row in chosen], types, calibration, beta=beta, resampling=resampling)
    rows = tuple(
        TrueScores(system=system.name, precision=parts["precision"], recall=parts["recall"], score=score, **numbers)
        for system, (_, parts, score), numbers in zip(listed, chosen, made.systems, strict=True)
    )
    unlike = _unlike(rows, calibration, int(counts.min()))
    whole = resampling if len(corpus) > 1 else None
    return TruePrecision(
        systems=rows,
        types=made.types,
        references=int(counts.min()),
        beta=beta,
        spread=calibration.spread_at(int(counts.min())),
        calibration=name,
        level=resampling.level if whole else None,
        signature=str(
            Signature.of(errant, prepared, "corpus", resampling=whole).with_study(calibration=digest(calibration))
        ),
        notes=tuple(dict.fromkeys([*unlike, *input_notes(corpus, listed), *corpus.notes])),
    )


def _unlike(rows: Sequence[TrueScores], calibration: Calibration, references: int) -> list[str]:
    """Notes on systems that are not like those that were judged, or where only one was."""
    alone = "one system was judged, which does not show how far systems differ: the intervals are too narrow for others"
    notes = [alone] if calibration.systems == 1 else []
    names = [f"{row.system} ({row.found / row.edits:.0%})" for row in rows if not row.like_judged]
    if not names:
        return notes
    return [
        *notes,
        f"references have fewer of the edits of {', '.join(names)} than of any judged system "
        f"({calibration.least_at(references):.0%}): the estimate is that of coverage alone, and the interval reaches "
        "from there to the calibrated share; judge some edits to know more",
    ]


def calibrate_from_judgments(
    corrections: Sequence[JudgedCorrection],
    sources: Sequence[str],
    gold: Gold,
    extractor: Extractor,
    *,
    run: Run = SERIAL,
) -> Calibration:
    """The calibration that judged corrections give."""
    outputs, labels, judged = judge_outputs(corrections, sources, extractor, run=run.quiet())
    references = [gold[i] for i in judged]
    types = types_of([*outputs, *references])
    return calibrate(trials(outputs, references, labels, types), types)


def judge_outputs(
    corrections: Sequence[JudgedCorrection],
    sources: Sequence[str],
    extractor: Extractor,
    *,
    without: Sequence[str] = (),
    run: Run = SERIAL,
) -> tuple[list[list[tuple[Edit, ...]]], Labels, list[int]]:
    """The edits of the systems that were judged, ``[system][judged sentence]``; labels; and which sentences these are.

    The label of an edit is the share of judgments that find it valid. Sentences are counted among the judged ones.
    Systems ``without`` are left out, but not what people said of their edits.
    """
    sentences = sorted({correction.sentence for correction in corrections})
    place = {sentence: i for i, sentence in enumerate(sentences)}
    names = sorted({name for correction in corrections for name in correction.systems} - set(without))
    pairs = [(sources[correction.sentence], correction.text) for correction in corrections]
    outputs: list[list[tuple[Edit, ...]]] = [[() for _ in sentences] for _ in names]
    verdicts: dict[tuple[int, tuple[int, int, str]], list[bool]] = {}
    for correction, edits in zip(corrections, extract(extractor, pairs, run=run.quiet()), strict=True):
        i = place[correction.sentence]
        for name in set(correction.systems) - set(without):
            outputs[names.index(name)][i] = edits
        for key, valid in correction.edits:
            verdicts.setdefault((i, key), []).append(valid)
    return outputs, {key: float(np.mean(valid)) for key, valid in verdicts.items()}, sentences


def _choose_references(
    errant: Errant, corpus: Corpus, system: System, *, run: Run
) -> tuple[list[int], dict[str, float], float]:
    """The reference that ERRANT chooses for each sentence, and its precision, recall and F."""
    evaluation = Evaluation.of(errant, corpus, system, run=run.quiet())
    chosen = errant.rule.choose_rows(evaluation.statistics) - corpus.reference_slots[:-1]
    return chosen.tolist(), evaluation.parts(), evaluation.score()


def types_of(edits: Sequence[Sequence[Sequence[Edit]]]) -> list[str]:
    return sorted({type_of(edit) for outer in edits for inner in outer for edit in inner})


# Precision, recall and F with valid edits that no reference has, in the corpus and in resamples of it.
#
#     P = (found + Σ π) / edits        R = (found + Σ π) / (found + Σ π + missed)
#
# All counts are tables [sentence, type], so a resample is a product of weights and tables.


@dataclass(frozen=True, eq=False)
class Corrected:
    """The numbers of every system, by field of ``TrueScores``, and the types."""

    systems: list[dict[str, Any]]
    types: tuple[TypeValidity, ...]


def corrected(
    outputs: Sequence[Sequence[Sequence[Edit]]],
    gold: Gold,
    chosen: Sequence[Sequence[int]],
    types: Sequence[str],
    calibration: Calibration,
    *,
    beta: float,
    resampling: Resampling,
) -> Corrected:
    """``chosen[system][sentence]`` is the reference whose gold edits may be missed."""
    proposed = proposed_edits(outputs, gold, types)
    rows, references, share = agreement_rows(gold, types)
    size, kinds = len(gold), len(types)
    tables = [_tables(proposed, s, size, kinds) for s in range(len(outputs))]
    missed = [_count_missed(outputs[s], gold, chosen[s], proposed, s, kinds) for s in range(len(outputs))]
    found, unmatched = (np.sum([table[k] for table in tables], axis=0) for k in (0, 1))
    # The first weights are those of the corpus itself.
    weights = np.vstack([np.ones(size), *(_counts(draws, size) for draws in resampling.draws(size))])
    covered = coverages(np.einsum("ni,itk->ntk", weights, rows), references, share)
    known = valid_shares(covered[:1], references, calibration, types)
    model = coverage_model(covered[0], found_shares(found.sum(axis=0), (found + unmatched).sum(axis=0)))
    rng = np.random.default_rng([resampling.seed, 2])
    draws = _draws(calibration, references, len(weights) - 1, len(outputs), resampling.seed)
    several = size > 1
    systems: list[dict[str, Any]] = []
    together = np.zeros((len(weights), kinds))
    for s, ((has, lacks), (lost, opened)) in enumerate(zip(tables, missed, strict=True)):
        valid = np.vstack([known, valid_shares(covered[1:], references, calibration, types, draws=draws[s])])
        like_judged = has.sum() >= calibration.least_at(references) * (has.sum() + lacks.sum())
        if not like_judged:
            own = coverage_model(covered, found_shares(weights @ has, weights @ (has + lacks)))
            between = np.vstack([np.zeros((1, 1)), rng.random((len(weights) - 1, 1))])
            valid = between * valid + (1 - between) * own
        together += lacks.sum(axis=0) * valid
        numbers = _numbers(weights, valid, has, lacks, lost, opened, beta)
        ends = {
            name: percentile_interval(values[1:], resampling.level) if several else None
            for name, values in numbers.items()
        }
        systems.append(
            {
                "edits": int(has.sum() + lacks.sum()),
                "found": int(has.sum()),
                "unmatched": int(lacks.sum()),
                "like_judged": bool(like_judged),
                "valid_share": float(numbers["valid"][0]),
                "valid_interval": ends["valid"] if lacks.sum() else None,
                "true_precision": float(numbers["precision"][0]),
                "precision_interval": ends["precision"],
                "true_recall": float(numbers["recall"][0]),
                "recall_interval": ends["recall"],
                "true_score": float(numbers["score"][0]),
                "score_interval": ends["score"],
            }
        )
    # Each system's share of valid edits, weighted by its edits that no reference has.
    shares = together / np.maximum(unmatched.sum(axis=0), 1)
    order = np.argsort(-unmatched.sum(axis=0), kind="stable").tolist()
    rows_of_types = tuple(
        TypeValidity(
            type=types[t],
            edits=int(found[:, t].sum() + unmatched[:, t].sum()),
            found=int(found[:, t].sum()),
            unmatched=int(unmatched[:, t].sum()),
            coverage=float(covered[0, t]),
            coverage_model=float(model[t]),
            valid_share=float(shares[0, t]),
            valid_interval=percentile_interval(shares[1:, t], resampling.level) if several else None,
        )
        for t in order
        if unmatched[:, t].sum()
    )
    return Corrected(systems, rows_of_types)


def _numbers(
    weights: Array, valid: Array, has: Array, lacks: Array, lost: Array, opened: Array, beta: float
) -> dict[str, Array]:
    """The corrected figures of a system in every resample; ``has`` and the others are [sentence, type] counts."""
    found, unmatched = (weights @ has).sum(axis=1), weights @ lacks
    right = found + (unmatched * valid).sum(axis=1)
    edits = found + unmatched.sum(axis=1)
    missed = weights @ lost + ((weights @ opened) * (1 - valid)).sum(axis=1)
    precision, recall = _ratio(right, edits), _ratio(right, right + missed)
    share = np.divide(
        (unmatched * valid).sum(axis=1),
        unmatched.sum(axis=1),
        out=np.full(len(right), np.nan),
        where=unmatched.sum(axis=1) > 0,
    )
    return {"valid": share, "precision": precision, "recall": recall, "score": f_score(precision, recall, beta)}


def _ratio(right: Array, all_of_them: Array) -> Array:
    """1 where there is nothing that could be wrong, as ERRANT has it."""
    return np.divide(right, all_of_them, out=np.ones_like(right), where=all_of_them > 0)


def _tables(proposed: ProposedEdits, system: int, sentences: int, kinds: int) -> tuple[Array, Array]:
    """How many edits of a system some reference has, and how many none has: [sentence, type]."""
    tables = []
    for chosen in (~proposed.unmatched, proposed.unmatched):
        own = chosen & (proposed.system == system)
        table = np.zeros((sentences, kinds))
        np.add.at(table, (proposed.sentence[own], proposed.kind[own]), 1)
        tables.append(table)
    return tables[0], tables[1]


def _count_missed(
    outputs: Sequence[Sequence[Edit]],
    gold: Gold,
    chosen: Sequence[int],
    proposed: ProposedEdits,
    system: int,
    kinds: int,
) -> tuple[Array, Array]:
    """Gold edits that nothing fixes, by sentence, and those that an edit without a reference may fix."""
    lost, opened = np.zeros(len(gold)), np.zeros((len(gold), kinds))
    own = proposed.system == system
    agree, kind = iter(proposed.agree[own].tolist()), iter(proposed.kind[own].tolist())
    for i, edits in enumerate(outputs):
        agrees, kinds_here = [next(agree) for _ in edits], [next(kind) for _ in edits]
        lost[i], opened[i] = missed_edits(edits, agrees, gold[i][chosen[i]], kinds_here, kinds)
    return lost, opened


def _draws(calibration: Calibration, references: int, resamples: int, systems: int, seed: int) -> Array:
    """Coefficients and w of every system in every resample: [system, resample, coefficient]."""
    rng = np.random.default_rng([seed, 1])
    shared = rng.multivariate_normal(calibration.coefficients, calibration.covariance, size=resamples, method="eigh")
    own = calibration.shifts(references, (systems, resamples, 1), rng)
    return np.concatenate([np.broadcast_to(shared, (systems, *shared.shape)), own], axis=2)


def _counts(draws: Draws, size: int) -> Array:
    return np.array([np.bincount(draw, minlength=size)[:size] for draw in draws], dtype=np.float64)


# What the study of true precision gives.


@dataclass(frozen=True, kw_only=True)
class TrueScores:
    """Precision, recall and F of a system as measured, and with the edits that are valid though no reference has them.

    ``edits`` of the system, ``found`` among any of the references, and the rest ``unmatched``; ``valid_share`` of the
    unmatched is estimated to be valid. It is undefined where there are none. ``like_judged`` is false
    where references have fewer of the system's edits than of any that was judged: then the estimate is that of coverage
    alone, and the interval reaches from there to the calibrated share.
    """

    system: str
    edits: int
    found: int
    unmatched: int
    like_judged: bool
    valid_share: MaybeUndefined
    valid_interval: Interval | None
    precision: float
    true_precision: float
    precision_interval: Interval | None
    recall: float
    true_recall: float
    recall_interval: Interval | None
    score: float
    true_score: float
    score_interval: Interval | None


@dataclass(frozen=True, kw_only=True)
class TypeValidity:
    """Edits of one type, of all systems together. ``coverage`` is the chance that references have a valid edit.

    ``coverage_model`` is the share of valid edits among the ``unmatched`` by coverage alone, ``valid_share`` that after
    calibration, the mean over the systems, weighted by these edits.
    """

    type: str
    edits: int
    found: int
    unmatched: int
    coverage: float
    coverage_model: float
    valid_share: float
    valid_interval: Interval | None


@dataclass(frozen=True, kw_only=True, repr=False)
class TruePrecision(ResultSequence[TrueScores]):
    """What precision, recall and F are if valid edits count that no reference has.

    ``spread`` is τ: how far systems differ in the share of valid edits, on the logit scale, beyond what types explain.
    """

    kind: ClassVar[str] = "true-precision"
    view: ClassVar[str] = "true_precision_tables"
    main: ClassVar[str] = "systems"

    systems: tuple[TrueScores, ...]
    types: tuple[TypeValidity, ...]
    references: int
    beta: float
    spread: float
    calibration: str
    level: float | None
    signature: str


# The tables that show it.


def true_precision_tables(result: TruePrecision, style: str = "text") -> list[Table]:
    """Systems, how many of their edits are valid, then types."""
    tables = [_score_table(result), _share_table(result), _type_table(result)]
    if style in DELIMITED:
        for table, title in zip(tables, ("scores", "edits", "types"), strict=True):
            table.title = title
    tables[-1].footnotes = [*_meanings(result), result.signature]
    for table in tables:
        table.level = result.level
        table.intervals = [name for name in table.columns if name.startswith("interval")]
    return tables


def _score_table(result: TruePrecision) -> Table:
    f = f"F{result.beta:g}"
    columns = ["system", "precision", "true precision", "interval of precision", "recall", "true recall"]
    columns += ["interval of recall", f, f"true {f}", "interval of F"]
    rows: list[Sequence[Cell]] = []
    for row in result.systems:
        cells: list[Cell] = [row.system, row.precision, row.true_precision, row.precision_interval]
        cells += [row.recall, row.true_recall, row.recall_interval]
        rows.append([*cells, row.score, row.true_score, row.score_interval])
    return Table(columns, rows, title="ERRANT's scores, and with valid edits that no reference has", main=f"true {f}")


def _share_table(result: TruePrecision) -> Table:
    columns = ["system", "edits", "in a reference", "in none", "valid share of these", "interval", "like judged"]
    rows: list[Sequence[Cell]] = []
    for row in result.systems:
        cells: list[Cell] = [row.system, row.edits, row.found, row.unmatched, row.valid_share, row.valid_interval]
        rows.append([*cells, "yes" if row.like_judged else "no"])
    return Table(columns, rows, title="Edits of each system", main="valid share of these")


def _type_table(result: TruePrecision) -> Table:
    columns = ["type", "edits", "in a reference", "in none", "coverage", "by coverage alone", "valid share", "interval"]
    rows: list[Sequence[Cell]] = []
    for row in result.types:
        cells: list[Cell] = [row.type, row.edits, row.found, row.unmatched, row.coverage]
        rows.append([*cells, row.coverage_model, row.valid_share, row.valid_interval])
    return Table(columns, rows, title="By type, all systems together", main="valid share")


def _meanings(result: TruePrecision) -> list[str]:
    return [
        f"calibrated on {result.calibration}; systems differ by {result.spread:.2f} on the logit scale beyond this, "
        "and the intervals are for a system that nobody judged",
        "valid: an improvement in the eyes of people who saw the edit; in a reference: any of them has the same edit",
        f"coverage: the chance that one of {result.references} references has a valid edit of this type",
    ]
