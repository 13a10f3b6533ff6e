"""The settings that a signature names: metric, references at hand, extractor of edits, aggregate."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from gecval.corpus import Corpus, System
from gecval.edits.errant import ErrantExtractor
from gecval.edits.errant_rules import Way
from gecval.edits.extractors import Extractor, extractor, full_signature
from gecval.errors import InputError
from gecval.metrics import metric, metric_names
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Aggregate
from gecval.metrics.registry import METRICS
from gecval.stats.contest import Contest
from gecval.studies.difference.signatures import Signature
from gecval.studies.preparation import prepare
from gecval.studies.scores.scoring import score
from gecval.studies.scores.signature import signature

Corpora = Mapping[str, Callable[[], Corpus]]  # what is at hand, by a name that people understand; loaded when asked for
_CODE_OR_FILE = ":/\\"  # a signature may come from anybody: it must not run code


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All that decides a score besides the output. ``data`` is the name of the corpus."""

    metric: Metric
    data: str
    corpus: Corpus
    extractor: Extractor | None
    aggregate: Aggregate | Contest

    def scores(self, systems: Sequence[System], *, jobs: int) -> dict[str, float]:
        """The score of every system."""
        given = score(
            self.corpus, systems, [self.metric], aggregate=self.aggregate, extractor=self.extractor, jobs=jobs
        )
        return {scored.system: scored.score for scored in given}

    def signed(self, *, jobs: int) -> str:
        """The signature of these settings, as far as it goes without outputs."""
        [seen] = prepare(self.corpus, [], [self.metric], extractor=self.extractor, jobs=jobs)
        return signature(self.metric, seen, self.aggregate)


def settings_of(signed: Signature, spelling: str | None, corpora: Corpora, *, jobs: int) -> Settings | None:
    """The settings of a signature, with the corpus that has its hashes; None where no corpus at hand has them.

    ``spelling`` is how the result that holds the signature spells the metric.
    """
    scored, finder = _metric_of(signed, spelling), _extractor_of(signed)
    aggregate = cast(Aggregate | Contest, signed.fields["aggregate"])
    wanted = [f"|{name}:{signed.fields[name]}" for name in ("source", "references") if name in signed.fields]
    for name, load in corpora.items():
        try:
            made = Settings(metric=scored, data=name, corpus=load(), extractor=finder, aggregate=aggregate)
            text = made.signed(jobs=jobs)
        except InputError:
            continue  # files that do not go together, or text where the metric needs edits
        if all(field in text for field in wanted):
            return made
    return None


def elsewhere(settings: Settings, signed: Signature, spelling: str | None) -> Settings:
    """The settings of a signature on the corpus of other settings."""
    return replace(
        settings,
        metric=_metric_of(signed, spelling),
        extractor=_extractor_of(signed),
        aggregate=cast(Aggregate | Contest, signed.fields["aggregate"]),
    )


def _metric_of(signed: Signature, spelling: str | None) -> Metric:
    """The metric of a signature. It must give the signature's beginning again, so that nothing is guessed."""
    if signed.metric not in metric_names():
        raise InputError(f"no steps: {signed.metric} is no metric of gecval's own")
    if "hypotheses" in signed.fields:
        raise InputError("no steps: the outputs came with their edits, and steps find edits in texts")
    spelled = spelling if spelling and not any(sign in spelling for sign in _CODE_OR_FILE) else None
    made = metric(spelled) if spelled else _from_parameters(signed)
    head = "|".join([made.name, *(f"{name}:{value}" for name, value in made.parameters().items())]) if made else ""
    if made is None or not (head == signed.head or head.startswith(f"{signed.head}|")):
        reason = f"here it is {head}" if head else "give results of `gecval score --format json`, which spell it out"
        raise InputError(f"no steps: the metric {signed.head} cannot be made from its signature; {reason}")
    return made


def _from_parameters(signed: Signature) -> Metric | None:
    """The metric with the parameters that a signature lists, where each is a plain value."""
    made = METRICS.load(signed.metric)
    if not (isinstance(made, type) and issubclass(made, Metric)):
        return None
    values: dict[str, Any] = {}
    for field in made.parameter_fields():
        if field.name not in signed.parameters:
            continue
        text = signed.parameters[field.name]
        if isinstance(field.default, str) and any(sign in text for sign in _CODE_OR_FILE):
            return None
        try:
            values[field.name] = text if isinstance(field.default, str) else ast.literal_eval(text)
        except (ValueError, SyntaxError):
            return None
    try:
        return made(**values)
    except (InputError, TypeError):
        return None


def _extractor_of(signed: Signature) -> Extractor | None:
    """The extractor that a signature names; None where the references bring their edits."""
    named = signed.fields.get("edits")
    if named is None:
        return None
    if named == "plain":
        return extractor("plain")
    if named.startswith("errant:"):
        pieces = dict(piece.partition(":")[::2] for piece in named.split("|"))  # errant:V|merging:WAY|spacy:V|MODEL:V
        *_, model = pieces
        made = ErrantExtractor(model, **{name: pieces[name] for name in Way._fields if name in pieces})
        if full_signature(made).startswith(named):
            return made
    raise InputError(f"no steps: the edits were found by {named}, which is not what is installed here")
