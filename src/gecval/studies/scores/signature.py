"""The signature of a score: everything that decides the number, in one line."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import version

from gecval.corpus import Corpus, System
from gecval.edits.extractors import full_signature
from gecval.formats.essays import tokenizer_signature
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Evaluation
from gecval.stats import Resampling
from gecval.studies.scores.duels import Duels

FINDERS = ("model", "edits")  # parameters that say who finds edits


def signature(
    metric: Metric,
    corpus: Corpus,
    aggregate: str,
    *,
    systems: Iterable[System] = (),
    resampling: Resampling | None = None,
) -> str:
    """Parameters, reference rule, number of references, hashes of the data, version.

    ``systems`` are those whose number it signs: it says where the lines of an output were cut anew.
    """
    given = corpus.given_edits and metric.finds_edits
    idle = FINDERS if given and corpus.has_edits() else ()
    fields = [metric.name, *(f"{name}:{value}" for name, value in metric.parameters().items() if name not in idle)]
    fields += metric.data_signature(corpus)
    fields += [f"aggregate:{aggregate}", f"source:{corpus.source_hash}"]
    if corpus.tokenize:
        fields.append(f"tokenize:{corpus.tokenize}")
    if metric.needs and corpus.reference_count != "0":
        fields += [f"rule:{metric.rule.signature()}", f"refs:{corpus.reference_count}"]
        fields += [f"references:{corpus.reference_hash}"]
    extractors = [corpus.extractor] if metric.needs == "edits" else []
    finder = metric.extractor_for(corpus)
    if finder is not None:
        own = full_signature(finder)
        extractors += [] if corpus.extractor.endswith(own) else [own]
    elif metric.language is not None and not given:
        fields.append(f"lang:{metric.language}")
    fields += [name for name in dict.fromkeys(extractors) if name]
    if given:
        fields.append("hypotheses:given")
    if any(system.realigned for system in systems):
        fields.append("hypotheses:realigned")
    if corpus.essays is not None:
        fields += ["unit:essay", tokenizer_signature()]
    if resampling:
        fields.append(resampling.signature())
    return "|".join([*fields, f"gecval:{_own_version()}"])


@cache
def _own_version() -> str:
    return version("gecval")


def signature_of(
    evaluation: Evaluation, corpus: Corpus, systems: Iterable[System], *, resampling: Resampling | None = None
) -> str:
    """The signature of a system's score. Of expected wins it names the metric that decides who wins."""
    metric, aggregate = evaluation.metric, str(evaluation.aggregate)
    if isinstance(metric, Duels):
        aggregate = f"expected-wins|rivals:{metric.rivals}"
        metric = metric.contested
    return signature(metric, corpus, aggregate, systems=systems, resampling=resampling)
