"""From lists of strings to scores in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.metrics.evaluation import Aggregate
from gecval.progress import Progress, silent
from gecval.stats import Resampling
from gecval.studies.inputs import Edits, Metrics
from gecval.studies.scores.results import Scores
from gecval.studies.scores.scoring import score


def evaluate(
    sources: Sequence[str],
    hypotheses: Sequence[str] | Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]] = (),
    *,
    metrics: Metrics,
    confidence: bool | Resampling = False,
    aggregate: Aggregate = "corpus",
    sentences: bool = False,
    edits: Edits = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> Scores:
    """Score texts under metrics.

    Parameters
    ----------
    sources
        The sentences before correction, their tokens separated by blanks.
    hypotheses
        The system's output for each source, or a dict of several systems' outputs by name.
    references
        ``references[i]`` lists the references of sentence *i*.
    metrics
        Metrics or their names, e.g. ``["m2", "gleu"]``.
    confidence
        True gives every score a 95% interval; a ``Resampling`` says how.
    edits
        What finds the edits for metrics that need them: ``errant``, a spaCy model for it, ``plain``, or an extractor.
        By default ERRANT where it is installed and the text is English, else plain rules; a note says which.

    Returns
    -------
    Scores
        What ``gecval.score`` returns. It prints as a table.

    Examples
    --------
    >>> sources = ["He go home .", "She like it ."]
    >>> references = [["He goes home .", "He went home ."], ["She likes it ."]]
    >>> scores = evaluate(sources, {"mine": ["He goes home .", "She like it ."]}, references, metrics=["accuracy"])
    >>> scores["mine", "accuracy"].score
    0.5
    """
    corpus = Corpus.from_texts(sources, references)
    systems = hypotheses if isinstance(hypotheses, Mapping) else {"hypothesis": hypotheses}
    if isinstance(confidence, bool):
        resampling = Resampling() if confidence else None
    elif isinstance(confidence, Resampling):
        resampling = confidence
    else:
        raise InputError(f"confidence is True, False or a Resampling, not {confidence!r}")
    return score(
        corpus,
        systems,
        metrics,
        aggregate=aggregate,
        resampling=resampling,
        sentences=sentences,
        extractor=edits,
        jobs=jobs,
        progress=progress,
    )
