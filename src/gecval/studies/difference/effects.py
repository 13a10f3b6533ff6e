"""Which fields of a signature can change the score, and which cannot."""

from __future__ import annotations

from gecval.studies.difference.results import DifferingField
from gecval.studies.difference.signatures import RESAMPLING, Signature

CHANGES = {
    "aggregate": "all sentences together, the mean of sentence scores, or contests of systems",
    "source": "other sentences, or other tokens",
    "tokenize": "all texts were cut anew into other tokens",
    "rule": "how several references count; it follows from the metric and its parameters",
    "refs": "references a sentence: most metrics find more to match in more of them",
    "references": "other references, or the same with edits (.m2) here and as plain text there",
    "rivals": "in contests, other systems change the scores of all",
    "edits": "what finds the edits, and its versions: other edits match",
    "hypotheses": "the edits of the outputs are given, or found in their texts",
    "unit": "whole essays count as one sentence each",
    "syntok": "what cuts essays into tokens",
    "gecval": "the changelog lists every change under 'Scores that change'",
}
KEEPS = {
    "lang": "the language that a part knows",
    "interval": "it changes the interval only",
    "level": "it changes the interval only",
    "resamples": "it changes the interval only",
    "seed": "it changes the interval only",
    "documents": "it changes the interval only",
}
# Parameters that never change the score of a metric.
IDLE = {("from-file", "label"): "a name only", ("from-file", "lower_is_better"): "it says which scores are better"}
# Parameters that say how to choose among references.
AMONG_REFERENCES = {("gleu", "iterations")}
ONE = "no sentence has two references to choose from"


def differing_fields(a: Signature, b: Signature) -> list[DifferingField]:
    """The fields in which two signatures differ: the metric, its parameters, then all others."""
    metric = a.metric if a.metric == b.metric else f"{a.metric} → {b.metric}"
    rows: list[DifferingField] = []
    if a.metric != b.metric:
        why = "another metric: its scores are on another scale"
        rows.append(DifferingField(metric=metric, field="metric", a=a.head, b=b.head, changes=True, why=why))
    else:
        for name in dict.fromkeys([*a.parameters, *b.parameters]):
            values = a.parameters.get(name), b.parameters.get(name)
            if values[0] != values[1]:
                changes, why = _parameter(name, a, b)
                rows.append(
                    DifferingField(metric=metric, field=name, a=values[0], b=values[1], changes=changes, why=why)
                )
    alone = ("interval" in a.fields) != ("interval" in b.fields)  # then one row says that there is an interval
    for name in dict.fromkeys([*a.fields, *b.fields]):
        if alone and name in RESAMPLING[1:]:
            continue
        values = a.fields.get(name), b.fields.get(name)
        if values[0] != values[1]:
            changes, why = _field(name, a, b)
            rows.append(DifferingField(metric=metric, field=name, a=values[0], b=values[1], changes=changes, why=why))
    return rows


def _parameter(name: str, a: Signature, b: Signature) -> tuple[bool, str]:
    if (a.metric, name) in IDLE:
        return False, IDLE[a.metric, name]
    if (a.metric, name) in AMONG_REFERENCES and a.one_reference and b.one_reference:
        return False, ONE
    if name == "beta":
        return True, "how much recall counts beside precision"
    return True, f"a parameter of {a.metric}"


def _field(name: str, a: Signature, b: Signature) -> tuple[bool, str]:
    if name in KEEPS:
        # A field of this name after the version belongs to a study, such as the seed of its simulation.
        both = a.fields, b.fields
        own = name in RESAMPLING and not all("interval" in fields or name not in fields for fields in both)
        return (True, "the study that gave the score draws with it") if own else (False, KEEPS[name])
    if name == "rule" and a.one_reference and b.one_reference and all("sampled(" in s.text for s in (a, b)):
        return False, ONE
    return True, CHANGES.get(name, "it says how a study used the score")
