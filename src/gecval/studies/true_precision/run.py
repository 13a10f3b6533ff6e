"""What are precision, recall and F if edits count that are valid though no reference has them?

    P = (found + Σ π) / edits        R = (found + Σ π) / (found + Σ π + missed)

An edit that any reference has is valid. Any other is valid with probability π (``model.py``). A gold edit of the
reference that ERRANT chose is missed if nothing touches its words, and mended if a valid edit does. Intervals resample
sentences, and with them how references agree; each resample draws its own calibration and its own w of the system.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from gecval.corpus import Corpus, System
from gecval.edit import Edit
from gecval.edits.extractors import Extractor, extract
from gecval.errors import InputError
from gecval.formats.judged_edits import JudgedCorrection, read_judged_edits
from gecval.metrics.errant import Errant
from gecval.metrics.evaluation import Evaluation
from gecval.progress import Progress, announce, silent
from gecval.stats import Resampling
from gecval.studies.inputs import Systems, given_jobs, given_systems
from gecval.studies.oddities import oddities
from gecval.studies.preparation import prepare
from gecval.studies.scores.signature import signature
from gecval.studies.true_precision.calibration import Labels, calibrate, digest, shipped_calibration, trials
from gecval.studies.true_precision.correcting import corrected
from gecval.studies.true_precision.edits import (
    Gold,
    system_edits,
    type_of,
)
from gecval.studies.true_precision.model import Calibration
from gecval.studies.true_precision.results import TruePrecision, TrueScores

SHIPPED = "SEEDA's judgments, 10 annotators"


def true_precision(
    corpus: Corpus,
    systems: Systems,
    *,
    judged: str | Path | None = None,
    beta: float = 0.5,
    resampling: Resampling | None = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> TruePrecision:
    """Correct ERRANT's precision, recall and F for valid edits that no reference has.

    Parameters
    ----------
    corpus
        English sources and references. Every sentence needs two references or more. The edits of references are found
        anew from their texts.
    judged
        A file of edits that people judged, of sentences of this corpus, to calibrate with. By default the calibration
        is the shipped one: SEEDA's judgments of the outputs of 12 systems on CoNLL-2014.
    beta
        Of F.
    resampling
        How intervals are computed. They are percentile intervals, whatever method it names.
    """
    listed, workers, errant = given_systems(systems, corpus), given_jobs(jobs), Errant(beta=beta)
    resampling = replace(resampling or Resampling(), method="percentile")
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
    [prepared] = prepare(texts, listed, [errant], jobs=workers, progress=progress)
    gold = [[reference.edits or () for reference in references] for references in prepared.references]
    outputs = system_edits(texts, listed, errant.extractor, jobs=workers, progress=progress)
    types = types_of([*outputs, *gold]) or ["OTHER"]  # where nobody edits anything
    calibration, name = shipped_calibration(), SHIPPED
    if judged is not None:
        announce(progress, "calibrating")
        corrections = read_judged_edits(judged, texts.sources)
        calibration = calibrated(corrections, texts.sources, gold, errant.extractor, jobs=workers)
        name = str(Path(judged).name)
    announce(progress, "correcting")
    chosen = [_chosen(errant, prepared, system, jobs=workers) for system in listed]
    made = corrected(outputs, gold, [row[0] for row in chosen], types, calibration, beta=beta, resampling=resampling)
    rows = tuple(
        TrueScores(
            system=system.name,
            precision=parts["precision"],
            recall=parts["recall"],
            score=score,
            **numbers,
        )
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
        signature=f"{signature(errant, prepared, 'corpus', resampling=whole)}|calibration:{digest(calibration)}",
        notes=tuple(dict.fromkeys([*unlike, *oddities(corpus, listed), *corpus.notes])),
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


def calibrated(
    corrections: Sequence[JudgedCorrection],
    sources: Sequence[str],
    gold: Gold,
    extractor: Extractor,
    *,
    without: Sequence[str] = (),
    jobs: int = 1,
) -> Calibration:
    """The calibration that judged corrections give."""
    outputs, labels, of_judged = judged_outputs(corrections, sources, extractor, without=without, jobs=jobs)
    references = [gold[i] for i in of_judged]
    types = types_of([*outputs, *references])
    return calibrate(trials(outputs, references, labels, types), types)


def judged_outputs(
    corrections: Sequence[JudgedCorrection],
    sources: Sequence[str],
    extractor: Extractor,
    *,
    without: Sequence[str] = (),
    jobs: int = 1,
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
    for correction, edits in zip(corrections, extract(extractor, pairs, jobs=jobs), strict=True):
        i = place[correction.sentence]
        for name in set(correction.systems) - set(without):
            outputs[names.index(name)][i] = edits
        for key, valid in correction.edits:
            verdicts.setdefault((i, key), []).append(valid)
    return outputs, {key: float(np.mean(valid)) for key, valid in verdicts.items()}, sentences


def _chosen(errant: Errant, corpus: Corpus, system: System, *, jobs: int) -> tuple[list[int], dict[str, float], float]:
    """The reference that ERRANT chooses for each sentence, and its precision, recall and F."""
    evaluation = Evaluation.of(errant, corpus, system, jobs=jobs)
    chosen = errant.rule.chosen(evaluation.statistics) - corpus.reference_slots[:-1]
    return chosen.tolist(), evaluation.parts(), evaluation.score()


def types_of(edits: Sequence[Sequence[Sequence[Edit]]]) -> list[str]:
    return sorted({type_of(edit) for outer in edits for inner in outer for edit in inner})
