"""From text to score in one step. Edits are found where a metric needs them and the references are plain text. Slow
models are asked about all systems in one go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, TypeAlias

from gecval.corpus import Corpus, System
from gecval.corpus.columns import NestedTexts, Texts, is_column
from gecval.edits.annotate import annotate, check_tokens, retype
from gecval.edits.extractors import Extractor, choose_extractor, extractor, short_name
from gecval.errors import InputError
from gecval.metrics import SentenceFunction, default_metrics
from gecval.metrics import metric as find_metric
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import check_metric
from gecval.models.model_files import MissingModelError
from gecval.runtime.plugins import split_spellings
from gecval.runtime.run import SERIAL, Run


def prepare(
    corpus: Corpus,
    systems: Sequence[System],
    metrics: Sequence[Metric],
    *,
    extractor: Edits = None,
    types: bool = False,
    paid: bool = True,
    scored: bool = False,
    run: Run = SERIAL,
) -> list[Corpus]:
    """The corpus as each metric sees it. What cannot be scored is refused before anything slow begins.

    A metric that needs edits gets those of the references. Its own extractor finds them if it has one, since it looks
    at the edits of hypotheses too. Otherwise ``extractor`` does, and where that is None, the one that
    ``choose_extractor`` names; a note of the corpus then says which. All other metrics see what was loaded. So no
    metric's score depends on which others are asked for.

    The outputs of all systems are extracted in the same go: a sentence that several share is parsed once. Where types
    are compared, by the metric or with ``types`` by the study, references with types of another scheme are annotated
    again. Without ``paid``, metrics that pay for each answer do not ask yet: the study will need other answers. What is
    ``scored`` already asks no model again.
    """
    corpus, finder, notes = _check(corpus, systems, metrics, extractor)
    without_edits = not corpus.has_edits()
    annotated: dict[str, Corpus] = {}
    corpora = []
    for metric in metrics:
        own = metric.extractor_for(corpus)
        of_metric = own or (finder if metric.needs == "edits" and without_edits else None)
        if of_metric is None:
            corpora.append(corpus)
            continue
        if of_metric.signature not in annotated:
            found = _Annotated(
                extractor=of_metric,
                kind=type(of_metric),
                signature=of_metric.signature,
                notes=notes if finder and finder.signature == of_metric.signature else (),
                systems=systems if own else (),
                run=run,
            )
            # Edits of references alone are kept with the corpus: metrics that are prepared one by one share them.
            annotated[of_metric.signature] = found(corpus) if own else corpus.derive(found)
        seen = annotated[of_metric.signature]
        if own and (types or metric.compares_types):
            seen = retype(seen, own, by_type=types, run=run)
        corpora.append(seen)
    for i, (metric, seen) in enumerate(zip(metrics, corpora, strict=True)):
        check_metric(metric, seen)
        if not scored and (paid or not metric.pays):
            if metric.needs_pool:
                corpora[i] = seen.with_pool(systems)
            try:
                metric.prepare(corpora[i], systems, run=run)
            except MissingModelError as error:
                raise error.name_parameter(metric) from None
    return corpora


def check_scorable(
    corpus: Corpus, systems: Sequence[System], metrics: Sequence[Metric], *, extractor: Edits = None
) -> None:
    """Refuse what ``prepare`` would refuse before anything slow begins: for studies that prepare metrics one by one."""
    _check(corpus, systems, metrics, extractor)


def _check(
    corpus: Corpus, systems: Sequence[System], metrics: Sequence[Metric], extractor: Edits
) -> tuple[Corpus, Extractor | None, tuple[str, ...]]:
    """The corpus, who finds edits that it lacks, and a note where nobody was named. Refuses what cannot be scored."""
    for system in systems:
        corpus.check_length(system.name, system.hypotheses)  # its texts were checked when it was made
    corpus = _with_given_edits(corpus, systems, metrics)
    without_edits = not corpus.has_edits()
    for metric in metrics:
        if metric.needs == "edits" and without_edits:
            corpus.check_language(metric.name, metric.language)
        else:
            check_metric(metric, corpus)
    finder = resolve_extractor(extractor)
    if finder is not None and without_edits and any(map(needs_extractor, metrics)):
        corpus.check_language(short_name(finder), finder.language, finds_edits=True)
        for metric in filter(needs_extractor, metrics):
            texts = chain(corpus.sources, *(system.hypotheses for system in systems))
            check_tokens(texts, finder, repr(metric))
    if finder is None and without_edits and any(map(needs_extractor, metrics)):
        choice = choose_extractor(corpus)
        return corpus, choice.extractor, (choice.note,)
    return corpus, finder, ()


@dataclass(frozen=True, kw_only=True)
class _Annotated:
    """The corpus with the edits that an extractor finds: one key for ``Corpus.derive``."""

    extractor: Extractor = field(compare=False)
    kind: type[Extractor]  # whoever works on an extractor defines it again, under its old signature
    signature: str
    notes: tuple[str, ...]
    systems: Sequence[System] = field(compare=False)
    run: Run = field(compare=False)

    def __call__(self, corpus: Corpus) -> Corpus:
        return annotate(corpus, self.extractor, systems=self.systems, notes=self.notes, run=self.run)


def _with_given_edits(corpus: Corpus, systems: Sequence[System], metrics: Sequence[Metric]) -> Corpus:
    """The corpus, marked where the outputs bring their edits and some metric compares edits that it finds itself."""
    given = [system for system in systems if system.edits is not None]
    finding = next((metric for metric in metrics if metric.finds_edits), None)
    if not given or finding is None:
        return corpus
    if len(given) < len(systems):
        text = next(system.name for system in systems if system.edits is None)
        raise InputError(
            f"{given[0].name} comes as edits and {text} as text; for {finding.name}, give all systems in the same way",
            parameter="systems",
        )
    return replace(corpus, given_edits=True)


def needs_extractor(metric: Metric) -> bool:
    """Whether a metric needs edits that it does not find by itself."""
    return metric.needs == "edits" and not metric.finds_edits


# What users give a study: systems, metrics and extractors, as values or in the short forms that people type.


Systems: TypeAlias = System | Iterable[System] | Mapping[str, Texts] | Texts
Metrics: TypeAlias = str | Metric | SentenceFunction | Iterable[str | Metric | SentenceFunction]
Edits: TypeAlias = Extractor | str | None  # None: the study chooses


def resolve_corpus(corpus: Corpus | Texts, references: NestedTexts) -> Corpus:
    """A corpus, from one or from the texts of sources and references."""
    if not isinstance(corpus, Corpus):
        return Corpus.from_texts(corpus, references)
    if references:
        raise InputError("the corpus has references: give more of them when you load it", parameter="references")
    return corpus


def check_corpus(corpus: object) -> None:
    """Refuse texts in place of a corpus: ``evaluate`` takes these."""
    if not isinstance(corpus, Corpus):
        raise InputError(
            f"the first argument is a Corpus, not a {type(corpus).__name__}: make one with Corpus.from_texts(sources, "
            "references) or load_corpus; for lists of texts: gecval.evaluate(sources, outputs, references)"
        )


def resolve_systems(systems: Systems, corpus: Corpus, *, least: int = 1, name: str = "hypothesis") -> list[System]:
    """Systems, from one or several, from outputs by name, or from one output, which then has this ``name``.

    ``least`` says how many it must be. The columns of a table are outputs by name.
    """
    check_corpus(corpus)
    if isinstance(systems, str):
        raise InputError(f"the output of {name} must be a list of texts, not a text", parameter="systems")
    frame: Any = systems
    names = getattr(frame, "column_names", getattr(frame, "columns", None))  # of Arrow and Hugging Face; of pandas
    if names is not None:
        systems = {str(column): frame[column] for column in names}
    if isinstance(systems, Mapping):
        listed = [corpus.system(name, hypotheses) for name, hypotheses in systems.items()]
    elif isinstance(systems, System):
        listed = [systems]
    else:
        given: Any = systems if is_column(systems) else list(systems)  # an iterator can be read only once
        listed = [corpus.system(name, given)] if is_column(given) else given
    if len(listed) < least:
        raise InputError("no systems are given", parameter="systems")
    for system in listed:
        if not isinstance(system, System):
            raise InputError(
                f"a system is given as {type(system).__name__}; give systems as corpus.system(name, outputs), "
                'or all of them as a dict: {"mine": [...]}'
            )
    for name, times in Counter(system.name for system in listed).items():
        if times > 1:
            raise InputError(f"{times} systems are named {name!r}; give each a name of its own", parameter="systems")
    if corpus.tokenize:  # a system may have been made without this corpus
        return [
            corpus.system(s.name, s.hypotheses, notes=s.notes, edits=s.edits, realigned=s.realigned) for s in listed
        ]
    return listed


def resolve_metrics(metrics: Metrics, corpus: Corpus | None = None, *, least: int = 1) -> list[Metric]:
    """Metrics, from one or several, their names, or functions; where there are none, the usual ones for the corpus.

    ``least`` says how many it must be.

    >>> resolve_metrics(["gleu(n=3)", "ld"]), resolve_metrics("gleu, ld")
    ([gleu(n=3), ld], [gleu, ld])
    """
    if isinstance(metrics, str):
        metrics = [spelling for spelling in split_spellings(metrics) if spelling]
    given = [metrics] if isinstance(metrics, Metric) or callable(metrics) else list(metrics)
    if not given and corpus is not None:
        return default_metrics(corpus)
    if len(given) < least:
        raise InputError("no metrics are given", parameter="metrics")
    return list(map(find_metric, given))


def resolve_extractor(edits: Edits) -> Extractor | None:
    """An extractor, from one or its name. None stays None.

    >>> resolve_extractor("plain"), resolve_extractor(None)
    (PlainExtractor(), None)
    """
    return extractor(edits) if isinstance(edits, str) else edits
