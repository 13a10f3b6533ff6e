"""The data of a page, from an overview: one object, whose large parts are packed apart."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gecval.corpus.edit import Edit
from gecval.edits.matching import Outputs, gold_edits
from gecval.metrics.base import Metric, PageFormula, Statistics, find_proper_names
from gecval.metrics.evaluation import Evaluation
from gecval.results.result import Result, plain
from gecval.results.table import Numbers, grid
from gecval.stats.resampling import Resampling
from gecval.studies.report.result import Material, Overview
from gecval.studies.report.verdicts import hidden_words, verdicts
from gecval.studies.scores.result import Scores


def payload(overview: Overview, *, title: str, corpus: str = "", date: str = "") -> list[str]:
    """The lines of the page's data. The last line is the object that names the others."""
    packer = Packer()
    material = overview.material
    edits = _edits(packer, material, [row.type for row in overview.types or ()])
    packer.json(
        {
            "title": title,
            "version": version("gecval"),
            "corpus": corpus,
            "date": date,
            "language": overview.language,
            "verdict": list(
                verdicts(overview.scores, overview.comparisons, overview.sentences, find_proper_names(material.metrics))
            ),
            "systems": overview.systems,
            "pair": _first_pair(overview),
            "metrics": [
                _metric(packer, metric, evaluations, material.outputs, overview)
                for metric, evaluations in zip(material.metrics, material.evaluations, strict=True)
            ],
            "sentences": overview.sentences,
            "referenceCount": overview.references,
            "level": next((score.level for score in overview.scores if score.level), None),
            "texts": packer.json(_texts(material)),
            "units": packer.array(material.outputs.of),
            **edits,
            "scores": _scores(overview),
            "pairs": _pairs(overview),
            "leastP": _least_p(overview),
            "typeScores": _types(overview, edits["types"]),
            "deciding": _deciding(packer, overview),
            "changes": _tables(overview.changes),
            "corrected": _corrected(overview),
            "coverage": _tables(overview.coverage),
            "hidden": list(hidden_words(overview.coverage)) if overview.coverage else [],
            "latex": Scores(scores=overview.scores).render("latex"),
            "commands": overview.commands,
            "notes": overview.notes,
        }
    )
    return packer.lines


def _first_pair(overview: Overview) -> list[int]:
    """A and B as the page shows them first. Of two systems B is the one that was given first: A is held against it."""
    if len(overview.systems) != 2:
        return [0, 1]
    baseline = overview.systems.index(overview.material.given[0])
    return [1 - baseline, baseline]


# Systems and metrics are numbers in the page: their places in the two lists.


def _scores(overview: Overview) -> list[dict[str, Any]]:
    return [
        {
            "system": overview.systems.index(score.system),
            "metric": overview.metrics.index(score.metric),
            **plain({name: getattr(score, name) for name in ("score", "parts", "interval", "ranks", "cluster")}),
        }
        for score in overview.scores
    ]


def _pairs(overview: Overview) -> list[dict[str, Any]]:
    return [
        {
            "metric": overview.metrics.index(pair.metric),
            "a": overview.systems.index(pair.system),  # the difference is a − b
            "b": overview.systems.index(pair.baseline),
            **plain({name: getattr(pair, name) for name in ("difference", "interval", "p", "significant")}),
        }
        for pair in overview.comparisons
    ]


def _least_p(overview: Overview) -> float | None:
    """The least p that so many tests can give, Holm-corrected: tests / (random signs + 1)."""
    if not overview.comparisons:
        return None
    return min(1.0, len(overview.comparisons) / (Resampling.flips + 1))


def _types(overview: Overview, types: list[str]) -> list[dict[str, Any]] | None:
    if overview.types is None:
        return None
    return [
        plain(row) | {"system": overview.systems.index(row.system), "type": types.index(row.type)}
        for row in overview.types
    ]


def _deciding(packer: Packer, overview: Overview) -> list[dict[str, Any]]:
    p_values = {(pair.metric, pair.system, pair.baseline): pair.p for pair in overview.comparisons}
    return [
        {
            "metric": overview.metrics.index(pair.metric),
            "a": overview.systems.index(pair.system),
            "b": overview.systems.index(pair.baseline),
            "difference": pair.difference,
            "p": p_values[pair.metric, pair.system, pair.baseline],
            "count": pair.count,
            "of": pair.of,
            "sentences": [number - 1 for number in pair.sentences or ()],
            "influence": packer.array(influence, exact=False),
            "flips": pair.sentences is not None,
            "proven": pair.proven,
            "without": pair.difference_without,
        }
        for pair, influence in zip(overview.deciding, overview.material.influences, strict=True)
    ]


def _metric(
    packer: Packer, metric: Metric, evaluations: Sequence[Evaluation], outputs: Outputs, overview: Overview
) -> dict[str, Any]:
    """A metric, its rows, and how to compute with them."""
    formula = page_formula(metric)
    signature = next(score.signature for score in overview.scores if score.metric == repr(metric))
    shown = {
        "name": metric.proper_name,
        "spelling": repr(metric),
        "summary": metric.summary,
        "higher": metric.higher_is_better,
        "rule": {**(metric.rule.page_rule() or {}), "shown": metric.rule.signature()},
        "formula": formula,
        "exact": metric.exact_on_subsets or overview.aggregate == "mean",
        "signature": signature,
        "partNames": list(evaluations[0].parts()),
        "aggregate": overview.aggregate,
    }
    return shown | _shared(packer, [page_rows(evaluation) for evaluation in evaluations], outputs)


def page_formula(metric: Metric) -> PageFormula | None:
    """How the page computes a metric from summed rows; None where it knows no formula, or no rule to sum them."""
    return metric.page_formula() if metric.rule.page_rule() else None


def page_rows(evaluation: Evaluation) -> Statistics:
    """The rows that the page computes with: all of them, those that the rule chose for good, or the sentence scores."""
    metric, statistics = evaluation.metric, evaluation.statistics
    if page_formula(metric) is None:
        return Statistics.one_per_sentence(evaluation.sentence_scores()[:, None])
    if not metric.rule.fixed_row:
        return statistics
    chosen = metric.rule.sentence_rows(metric, statistics)
    return Statistics.one_per_sentence(np.ascontiguousarray(chosen))


def _shared(packer: Packer, statistics: Sequence[Statistics], outputs: Outputs) -> dict[str, Any]:
    """The rows of every output, column after column. Systems with equal outputs share them, where they are equal too.

    ``counts`` is the number of rows of each sentence, None where it is 1.
    """
    counts = np.diff(statistics[0].offsets)
    everything = np.concatenate([system.rows for system in statistics])
    size = len(statistics[0].rows)
    starts = np.arange(len(statistics))[None, :] * size + statistics[0].offsets[:-1, None]  # [sentence, system]
    first = starts[outputs.sentence, outputs.first_systems()]
    places = _runs(first, counts[outputs.sentence])
    back = np.concatenate([[0], np.cumsum(counts[outputs.sentence])])[outputs.of]
    again = places[_runs(back.T.ravel(), np.tile(counts, len(statistics)))]
    shared = bool((everything[again] == everything).all())
    if not shared:  # a metric that gives equal outputs different scores, such as one with a memory
        places = _runs(starts.ravel(), np.repeat(counts, len(statistics)))
    rows = everything[places]
    return {
        "shared": shared,
        "counts": None if (counts == 1).all() else packer.array(counts),
        "columns": [packer.array(column) for column in rows.T],
    }


def _runs(starts: Any, lengths: Any) -> Any:
    """start, start + 1, … for each run.

    >>> _runs(np.array([5, 0, 9]), np.array([2, 1, 3])).tolist()
    [5, 6, 0, 9, 10, 11]
    """
    ends = np.cumsum(lengths)
    return np.repeat(starts - (ends - lengths), lengths) + np.arange(lengths.sum())


def _texts(material: Material) -> list[list[Any]]:
    """Source, references and different outputs of each sentence, side by side: so deflate sees that they are alike."""
    outputs: list[list[str]] = [[] for _ in material.corpus.sources]
    for sentence, text in zip(material.outputs.sentence.tolist(), material.outputs.texts, strict=True):
        outputs[sentence].append(text)
    return [[source, material.corpus.texts_of(i), outputs[i]] for i, source in enumerate(material.corpus.sources)]


def _edits(packer: Packer, material: Material, known: Iterable[str]) -> dict[str, Any]:
    """Gold edits and judged edits as columns. Types and corrections are listed once; ``known`` types come first."""
    types: dict[str, int] = {kind: number for number, kind in enumerate(dict.fromkeys(known))}
    corrections: dict[str, int] = {}

    def columns(edits: Iterable[Edit]) -> list[dict[str, Any]]:
        rows = [
            (
                edit.start,
                edit.end,
                corrections.setdefault(edit.correction, len(corrections)),
                types.setdefault(edit.type, len(types)),
            )
            for edit in edits
        ]
        return [packer.array([row[column] for row in rows]) for column in range(4)]

    golds = [gold_edits(reference) for references in material.corpus.references for reference in references]
    judged = material.judged
    return {
        "referenceCounts": packer.array(np.diff(material.corpus.reference_slots)),
        "gold": {
            "counts": packer.array([len(gold) for gold in golds]),
            "columns": columns(e for g in golds for e in g),
        },
        "proposed": {
            "counts": packer.array([len(output.edits) for output in judged]),
            "columns": columns(edit.edit for output in judged for edit in output.edits),
            "status": packer.array([edit.status for output in judged for edit in output.edits]),
            "agree": packer.array([edit.agree for output in judged for edit in output.edits]),
        },
        "closest": packer.array([output.reference for output in judged]),
        "lacking": {
            "counts": packer.array([len(output.missed) for output in judged]),
            "edits": packer.array([number for output in judged for number in output.missed]),
        },
        "types": list(types),
        "corrections": packer.json(list(corrections)),
    }


def _corrected(overview: Overview) -> list[dict[str, Any]]:
    """How many words references and systems change: of all sentences, the share with 0, 1, 2, … words changed."""
    references, systems = overview.material.changes, list(overview.changes or ())[1:]
    return [
        {
            "name": row.corrector,
            "reference": place < len(references),
            "sentences": sum(row.sentences),
            "mean": row.word_changes,
            "shares": [count / max(1, sum(row.sentences)) for count in row.sentences],
        }
        for place, row in enumerate([*references, *systems])
    ]


def _tables(result: Result | None) -> dict[str, Any] | None:
    """The tables of a study, as its own verb prints them, but that nothing is bold."""
    if result is None:
        return None
    grids = [grid(table, Numbers(), bold_is_seen=False) for table in result.to_tables("html")]
    return {
        "tables": [
            {
                "title": shown.title,
                "columns": [column.name for column in shown.columns],
                "right": [column.right for column in shown.columns],
                "rows": shown.rows,
                "notes": shown.footnotes,
            }
            for shown in grids
        ]
    }


# Arrays and texts as lines of ASCII: deflate, then base64. A browser undoes both without a library.
#
# Whole numbers take as few bytes as they can. Other numbers that repeat are listed once, and referred to by place.


INTEGERS = ("u1", "i1", "u2", "i2", "u4", "i4")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Packer:
    """Collects parts; each is a line. What stands for a part in JSON says where it is and of what type."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def array(self, values: ArrayLike, *, exact: bool = True) -> dict[str, Any]:
        """Numbers, in their order; the shape is not kept. Those that are only shown need no more than seven digits."""
        flat = np.asarray(values).ravel()
        if not exact:
            return {"part": self._add(flat.astype("<f4").tobytes()), "type": "f4"}
        kind = _integer_type(flat)
        if kind is not None:
            return {"part": self._add(flat.astype(f"<{kind}").tobytes()), "type": kind}
        different, places = np.unique(flat.astype("<f8"), return_inverse=True)
        if 2 * len(different) < len(flat):  # a number takes 8 bytes, its place 4 at most
            return {**self.array(places), "values": self._add(different.tobytes())}
        return {"part": self._add(flat.astype("<f8").tobytes()), "type": "f8"}

    def json(self, value: Any) -> int:
        """Any value that JSON knows."""
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        # UTF-8 has no half of a surrogate pair; JSON can name it.
        return self._add(_SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text).encode())

    def _add(self, data: bytes) -> int:
        self.lines.append(base64.b64encode(zlib.compress(data, 9)).decode("ascii"))
        return len(self.lines) - 1


def _integer_type(values: np.ndarray[Any, Any]) -> str | None:
    """The smallest type that holds the numbers, where all are whole."""
    if not len(values):
        return "u1"
    if values.dtype.kind == "f" and not (values == np.rint(values)).all():
        return None
    low, high = values.min(), values.max()
    return next((kind for kind in INTEGERS if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max), None)
