"""The fields of a signature.

    gleu|n:4|form:tool|iterations:500|aggregate:corpus|source:9c912f65|rule:sampled(500)|refs:3|references:c030e54d|…
    └metric ──── parameters ────────┘└──────── the same fields for all metrics ──────────────────────────────────┘

Parameters stand before ``aggregate``. After it come the data, the extractor of edits with its versions (``edits``),
how intervals were computed, and the version of gecval. What a study adds comes last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gecval.errors import InputError, shortened
from gecval.stats.resampling import METHODS

DATA = ("source", "tokenize", "rule", "refs", "references", "rivals", "hypotheses", "unit", "syntok")
INTERVALS = (*METHODS, "poisson")  # the last is that of merged totals
RESAMPLING = ("interval", "level", "resamples", "seed", "documents")
_SHAPE = re.compile(
    r"(?P<metric>[^|:\s][^|\n]*?)(?:\|(?P<parameters>[^\n]*?))?\|aggregate:(?P<aggregate>[a-z-]+)(?:\(\d+\))?"
    r"(?P<data>(?:\|[^\n]*?)?\|source:(?:\d+-parts-)?[0-9a-f]{8}(?:\|[^\n]*)?)"
    r"\|gecval:(?P<gecval>[^|\s]+)(?P<more>(?:\|[^|\n]*)*)"
)
_PIECE = re.compile(r"\|(?![^()]*\))")  # between two fields; what a metric leans on may stand in brackets


@dataclass(frozen=True, kw_only=True)
class Signature:
    """A signature, read. ``parameters`` are those of the metric; ``fields`` are all others, by name."""

    text: str
    metric: str
    parameters: Mapping[str, str]
    fields: Mapping[str, str]

    @property
    def head(self) -> str:
        """The metric with its parameters, as the signature begins."""
        return "|".join([self.metric, *(f"{name}:{value}" for name, value in self.parameters.items())])

    @property
    def one_reference(self) -> bool:
        """Whether no sentence has more than one reference."""
        return self.fields.get("refs", "1") == "1"


def read_signature(text: str) -> Signature:
    """Read a signature, or refuse it in one line.

    >>> read = read_signature("gleu|n:4|aggregate:corpus|source:9c912f65|refs:1|plain|gecval:0.1.0")
    >>> read.metric, read.parameters, read.fields["edits"]
    ('gleu', {'n': '4'}, 'plain')
    """
    match = _SHAPE.fullmatch(text.strip())
    if match is None:
        raise InputError(
            f"{shortened(text.strip(), 60)!r} is no signature of a score; one begins with the metric and ends with the "
            "version, as in 'ld|aggregate:corpus|source:9c912f65|gecval:0.1.0'"
        )
    parameters = dict(_named(_PIECE.split(match["parameters"] or ""), loose=""))
    fields = {"aggregate": match["aggregate"], **_data(match["data"].strip("|").split("|"))}
    fields |= {"gecval": match["gecval"], **dict(_named(match["more"].strip("|").split("|"), loose="study"))}
    return Signature(text=text.strip(), metric=match["metric"], parameters=parameters, fields=fields)


def _data(pieces: list[str]) -> dict[str, str]:
    """The fields after the aggregate. Whatever is none of ours names the extractor of edits."""
    fields: dict[str, str] = {}
    edits: list[str] = []
    for piece in pieces:
        name, _, value = piece.partition(":")
        if name in INTERVALS:
            fields |= {"interval": name, "level": value}
        elif name in (*DATA, *RESAMPLING, "lang"):
            fields[name] = value
        else:
            edits.append(piece)
    return {**fields, **({"edits": "|".join(edits)} if edits else {})}


def _named(pieces: list[str], *, loose: str) -> Iterator[tuple[str, str]]:
    """Names and values. A piece without a name, or with one that was there before, belongs to the value before it."""
    values: dict[str, str] = {}
    last = loose
    for piece in filter(None, pieces):
        name, colon, value = piece.partition(":")
        if colon and name not in values:
            last, values[name] = name, value
        else:
            values[last] = f"{values[last]}|{piece}" if last in values else piece
    yield from values.items()
