"""The signature of a score: everything that decides the number, in one line.

    gleu|n:4|form:tool|iterations:500|aggregate:corpus|source:9c912f65|refs:3|…|bca:0.95|resamples:1000|…|gecval:0.1.0
    └ metric and its parameters ────┘ └ data ──────────────────────────────┘ └ resampling ─────────────┘ └ version ──┘

The fields of the data are the same for all metrics. They end with what finds edits, and its versions. A study may add
fields of its own after the version. Fields are separated by ``|``; inside brackets it belongs to a value.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version as installed_version
from typing import Literal, NamedTuple

from gecval.corpus import Corpus, System
from gecval.corpus.tokenization import tokenization_signature
from gecval.edits.extractors import full_signature
from gecval.errors import InputError, shorten
from gecval.formats.essays import tokenizer_signature
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Evaluation
from gecval.stats import Resampling
from gecval.stats.paired_tests import Test
from gecval.stats.resampling import ANNOTATORS, METHODS

RESAMPLING = ("interval", "level", "resamples", "seed", "documents", "borders", "jackknife_blocks", "test", "flips")
_DATA = ("source", "tokenize", "rule", "refs", "references", "rivals", "hypotheses", "unit", "syntok", "lang")
_INTERVALS = (*METHODS, ANNOTATORS, "poisson")  # the last is that of merged totals
_HASHES = ("source", "references", "pool-hash")  # of the data: they differ between parts of a corpus
_FINDERS = ("model", "edits")  # parameters that say what finds edits
_SHAPE = re.compile(
    r"(?P<metric>[^|:\s][^|\n]*?(?:\|[^\n]*?)?)"
    r"\|(?P<data>aggregate:[a-z-]+(?:\(\d+\))?(?:\|[^\n]*?)?\|source:(?:\d+-parts-)?[0-9a-f]{8}(?:\|[^\n]*)?)"
    r"\|gecval:(?P<version>[^|\s]+)(?:\|(?P<study>[^\n]*))?"
)
_SEPARATOR = re.compile(r"\|(?![^()]*\))")


class Difference(NamedTuple):
    """A field in which two signatures differ. A value is None where a signature does not have the field."""

    kind: Literal["metric", "parameter", "field"]
    name: str
    a: str | None
    b: str | None


@dataclass(frozen=True, kw_only=True)
class Signature:
    """A signature, as the printed fields of its sections.

    >>> read = Signature.parse("gleu|n:4|aggregate:corpus|source:9c912f65|refs:1|plain|gecval:0.1.0")
    >>> read.metric, read.parameters, read.fields["source"], read.fields["edits"]
    ('gleu', {'n': '4'}, '9c912f65', 'plain')
    >>> other = Signature.parse("gleu|n:3|aggregate:corpus|source:9c912f65|refs:1|plain|gecval:0.1.0")
    >>> [(difference.name, difference.a, difference.b) for difference in read.differences(other)]
    [('n', '4', '3')]
    >>> str(read)
    'gleu|n:4|aggregate:corpus|source:9c912f65|refs:1|plain|gecval:0.1.0'
    """

    metric_fields: tuple[str, ...]
    data_fields: tuple[str, ...]
    resampling_fields: tuple[str, ...] = ()
    version: str
    study_fields: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        metric: Metric,
        corpus: Corpus,
        aggregate: str,
        *,
        systems: Iterable[System] = (),
        resampling: Resampling | None = None,
    ) -> Signature:
        """The signature of a score of ``systems`` under a metric. ``aggregate`` may bring further fields."""
        data = [f"aggregate:{aggregate}", *_data_fields(metric, corpus)]
        if any(system.realigned for system in systems):
            data.append("hypotheses:realigned")
        if corpus.essays is not None:
            data += ["unit:essay", tokenizer_signature()]
        head = "|".join([print_metric(metric, without=_unused(metric, corpus)), *metric.data_signature(corpus)])
        return cls(
            metric_fields=_split(head),
            data_fields=_split("|".join(data)),
            resampling_fields=_split(resampling.signature(len(corpus))) if resampling else (),
            version=_own_version(),
        )

    @classmethod
    def of_evaluation(
        cls, evaluation: Evaluation, corpus: Corpus, systems: Iterable[System], *, resampling: Resampling | None = None
    ) -> Signature:
        """The signature of the score of an evaluation, or of a test that compares ``systems``."""
        metric, aggregate = evaluation.signed_metric, evaluation.signed_aggregate
        return cls.of(metric, corpus, aggregate, systems=systems, resampling=resampling)

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Read a signature, or refuse it in one line."""
        match = _SHAPE.fullmatch(text.strip())
        if match is None:
            raise InputError(
                f"{shorten(text.strip(), 60)!r} is no signature of a score; one begins with the metric and ends with "
                "the version, as in 'ld|aggregate:corpus|source:9c912f65|gecval:0.1.0'"
            )
        data = _split(match["data"])
        end = next((i for i, field in enumerate(data) if _name(field) in _INTERVALS), len(data))
        return cls(
            metric_fields=_split(match["metric"]),
            data_fields=data[:end],
            resampling_fields=data[end:],
            version=match["version"],
            study_fields=_split(match["study"]) if match["study"] is not None else (),
        )

    @classmethod
    def merge(cls, parts: Sequence[Signature]) -> Signature:
        """What all parts of a corpus share, with a hash of the parts' hashes of data.

        The field says that the hash is one of parts: the hash of the whole corpus would be another.
        """
        first = parts[0]
        if len(parts) == 1:
            return first
        return replace(
            first,
            metric_fields=tuple(map(_merge_field, zip(*(part.metric_fields for part in parts), strict=True))),
            data_fields=tuple(map(_merge_field, zip(*(part.data_fields for part in parts), strict=True))),
        )

    def __str__(self) -> str:
        return "|".join(self._print_parts())

    def _print_parts(self) -> Iterator[str]:
        yield from (*self.metric_fields, *self.data_fields, *self.resampling_fields)
        if self.version:
            yield f"gecval:{self.version}"
        yield from self.study_fields

    # What it says.

    @property
    def metric(self) -> str:
        """The name of the metric."""
        return self.metric_fields[0]

    @property
    def head(self) -> str:
        """The metric with its parameters, as the signature begins."""
        return "|".join(self.metric_fields)

    @property
    def parameters(self) -> Mapping[str, str]:
        """The parameters of the metric by name."""
        return _by_name(self.metric_fields[1:], unnamed="")

    @property
    def fields(self) -> Mapping[str, str]:
        """All other fields by name. What finds edits is ``edits``; the method of the interval is ``interval``."""
        fields: dict[str, str] = {}
        edits: list[str] = []
        for field in (*self.data_fields, *self.resampling_fields):
            name, _, value = field.partition(":")
            if name == "aggregate":
                fields[name] = value.partition("(")[0]
            elif name in _INTERVALS:
                fields |= {"interval": name, "level": value}
            elif name in (*_DATA, *RESAMPLING):
                fields[name] = value
            else:
                edits.append(field)
        fields |= {"edits": "|".join(edits)} if edits else {}
        return {**fields, "gecval": self.version, **_by_name(self.study_fields, unnamed="study")}

    def without_data(self) -> Signature:
        """The same settings, whatever the data are."""
        return replace(
            self, data_fields=tuple(field for field in self.data_fields if _name(field) not in ("source", "references"))
        )

    def resampling(self) -> Resampling | None:
        """How the interval was computed; None where there is none, or where documents were drawn."""
        fields = self.fields
        try:
            numbers = float(fields["level"]), int(fields["resamples"]), int(fields["seed"])
            return Resampling(numbers[1], level=numbers[0], method=fields["interval"], seed=numbers[2])
        except (KeyError, ValueError):
            return None

    @property
    def has_one_reference(self) -> bool:
        """Whether no sentence has more than one reference."""
        return self.fields.get("refs", "1") == "1"

    # Comparing.

    def differences(self, other: Signature) -> list[Difference]:
        """The fields in which two signatures differ: the metric, or its parameters, then all others."""
        if self.metric == other.metric:
            found = list(_list_differences("parameter", self.parameters, other.parameters))
        else:
            found = [Difference("metric", "metric", self.head, other.head)]
        return [*found, *_list_differences("field", self.fields, other.fields)]

    def printed_differences(self, other: Signature) -> list[tuple[str | None, str | None]]:
        """The same as pairs of fields as they are printed."""
        ours, theirs = ({_name(field): field for field in signature._print_parts()} for signature in (self, other))
        return [(row.a, row.b) for row in _list_differences("field", ours, theirs)]

    def fields_without_data(self) -> list[str]:
        """The printed fields. Of hashes of the data and numbers of references there is the name alone."""
        return [
            _name(field) if _name(field) in _HASHES or re.fullmatch(r"refs:\d{1,9}(-\d{1,9})?", field) else field
            for field in self._print_parts()
        ]

    def names(
        self, metric: Metric, aggregate: str, resampling: Resampling | None, version: str, *, sentences: int
    ) -> bool:
        """Whether it names this metric with its parameters, the aggregate, the resampling and the version."""
        # Where outputs came with their edits, nothing found them.
        given = "hypotheses:given" in self.data_fields
        heads = (_split(print_metric(metric, without=unused)) for unused in ((), _FINDERS if given else ()))
        if resampling and "jackknife_blocks" not in self.fields:  # signatures once left it out
            resampling = replace(resampling, jackknife_blocks=Resampling.jackknife_blocks)
        return (
            any(self.metric_fields[: len(head)] == head for head in heads)
            and self.data_fields[0] == f"aggregate:{aggregate}"
            and self.resampling_fields == (_split(resampling.signature(sentences)) if resampling else ())
            and self.version == version
            and not self.study_fields
        )

    def begins(self, metric: Metric) -> bool:
        """Whether it names the first parameters of a metric, or all. A metric may have got further ones since."""
        return _split(print_metric(metric))[: len(self.metric_fields)] == self.metric_fields

    # Other signatures.

    def with_resampling(self, resampling: str) -> Signature:
        """The same score with an interval; ``resampling`` is what ``Resampling.signature`` prints."""
        return replace(self, resampling_fields=_split(resampling))

    def with_test(self, test: Test, resampling: Resampling) -> Signature:
        """The signature of a test of two scores, and of the p that counts."""
        signs = test == "studentised" and resampling.method != ANNOTATORS
        flips = (f"flips:{resampling.flips}",) if signs else ()
        return replace(self, resampling_fields=(*self.resampling_fields, f"test:{test}", *flips))

    def with_study(self, **fields: object) -> Signature:
        """The signature of a number that a study makes of the score."""
        return replace(self, study_fields=tuple(f"{name}:{value}" for name, value in fields.items()))

    def with_hidden_references(self) -> Signature:
        """The same without the hash of the references."""
        shown = ("references:hidden" if _name(field) == "references" else field for field in self.data_fields)
        return replace(self, data_fields=tuple(shown))

    def series(self) -> Signature:
        """What the scores of a history share: all but the version and the resampling, of which documents stay."""
        drawn = tuple(field for field in self.resampling_fields if _name(field) in ("documents", "borders"))
        return replace(self, resampling_fields=drawn, version="")


def print_metric(metric: Metric, *, without: Sequence[str] = ()) -> str:
    """A metric with its parameters, as a signature begins.

    >>> from gecval.metrics import metric
    >>> print_metric(metric("gleu"))
    'gleu|n:4|form:tool|iterations:500'
    """
    parameters = (f"{name}:{value}" for name, value in metric.parameters().items() if name not in without)
    return "|".join([metric.name, *parameters])


# Building.


def _unused(metric: Metric, corpus: Corpus) -> Sequence[str]:
    """Parameters that say what finds edits, where all edits came with the texts."""
    return _FINDERS if corpus.given_edits and metric.finds_edits and corpus.has_edits() else ()


def _data_fields(metric: Metric, corpus: Corpus) -> Iterator[str]:
    """Sources, references, and what finds edits."""
    yield f"source:{corpus.source_hash}"
    if corpus.tokenize:
        yield f"tokenize:{tokenization_signature(corpus.tokenize)}"
    if metric.needs and corpus.reference_count != "0":
        yield f"rule:{metric.rule.signature()}"
        yield f"refs:{corpus.reference_count}"
        yield f"references:{corpus.reference_hash}"
    given = corpus.given_edits and metric.finds_edits
    finders = [corpus.extractor] if metric.needs == "edits" else []
    finder = metric.extractor_for(corpus)
    if finder is not None:
        own = full_signature(finder)
        finders += [] if corpus.extractor.endswith(own) else [own]
    elif metric.language is not None and not given:
        yield f"lang:{metric.language}"
    yield from filter(None, dict.fromkeys(finders))
    if given:
        yield "hypotheses:given"


@cache
def _own_version() -> str:
    return installed_version("gecval")


def _merge_field(fields: Sequence[str]) -> str:
    """A field of the whole from those of the parts."""
    name = _name(fields[0])
    if name in _HASHES:
        digest = hashlib.sha256("\n".join(fields).encode()).hexdigest()[:8]
        return f"{name}:{len(fields)}-parts-{digest}"
    if name == "refs":
        counts = [int(count) for field in fields for count in field.partition(":")[2].split("-")]
        low, high = min(counts), max(counts)
        return f"refs:{low}" if low == high else f"refs:{low}-{high}"
    return fields[0]


# Reading.


def _split(text: str) -> tuple[str, ...]:
    return tuple(_SEPARATOR.split(text))


def _name(field: str) -> str:
    return field.partition(":")[0]


def _by_name(fields: Iterable[str], *, unnamed: str) -> dict[str, str]:
    """Values by name. A field without a name, or with one that was there before, belongs to the value before it."""
    values: dict[str, str] = {}
    last = unnamed
    for field in filter(None, fields):
        name, colon, value = field.partition(":")
        if colon and name not in values:
            last, values[name] = name, value
        else:
            values[last] = f"{values[last]}|{field}" if last in values else field
    return values


def _list_differences(
    kind: Literal["parameter", "field"], a: Mapping[str, str], b: Mapping[str, str]
) -> Iterator[Difference]:
    for name in dict.fromkeys([*a, *b]):
        if a.get(name) != b.get(name):
            yield Difference(kind, name, a.get(name), b.get(name))
