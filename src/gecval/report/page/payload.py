"""The data of a page, from an overview: one object, whose large parts are packed apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from typing import Any

import numpy as np

from gecval.edit import Edit
from gecval.metrics.base import Metric, Statistics
from gecval.metrics.evaluation import Evaluation
from gecval.report import Numbers, result_tables
from gecval.report.grid import grid
from gecval.report.page.formulas import exact, formula, rows_of, rule
from gecval.report.page.packing import Packer
from gecval.result import Result, plain
from gecval.studies.overview.judged_edits import gold_edits
from gecval.studies.overview.outputs import Outputs
from gecval.studies.overview.results import Material, Overview
from gecval.studies.scores.duels import Duels


def payload(overview: Overview, title: str) -> list[str]:
    """The lines of the page's data. The last line is the object that names the others."""
    packer = Packer()
    material = overview.material
    edits = _edits(packer, material, [row.type for row in overview.types or ()])
    packer.json(
        {
            "title": title,
            "version": version("gecval"),
            "created": None,  # no clock: the same input gives the same bytes
            "language": overview.language,
            "verdict": overview.verdict,
            "systems": overview.systems,
            "metrics": [
                _metric(packer, metric, evaluations, material.outputs, overview)
                for metric, evaluations in zip(material.metrics, material.evaluations, strict=True)
            ],
            "sentences": overview.sentences,
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
            "coverage": _tables(overview.coverage),
            "commands": overview.commands,
            "notes": overview.notes,
        }
    )
    return packer.lines


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
    """The least p that so many tests and resamples can give, Holm-corrected: tests / (resamples + 1)."""
    if not overview.comparisons:
        return None
    resamples = re.search(r"\bresamples:(\d+)", overview.comparisons[0].signature)
    tests = sum(pair.metric == overview.metrics[0] for pair in overview.comparisons)
    return min(1.0, tests / (int(resamples[1]) + 1)) if resamples else None


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
    known = formula(metric)
    signature = next(score.signature for score in overview.scores if score.metric == repr(metric))
    shown = {
        "name": metric.contested.name if isinstance(metric, Duels) else metric.name,
        "spelling": repr(metric),
        "summary": metric.summary,
        "higher": metric.higher_is_better,
        "rule": {**(rule(metric) or {}), "shown": metric.rule.signature()},
        "formula": known,
        "exact": exact(metric) or overview.aggregate == "mean",
        "signature": signature,
        "partNames": list(evaluations[0].parts()),
        "aggregate": overview.aggregate,
    }
    if known is None:
        scores = np.column_stack([evaluation.sentence_scores() for evaluation in evaluations])
        return shown | _shared(packer, [Statistics.one_per_sentence(column[:, None]) for column in scores.T], outputs)
    return shown | _shared(packer, [rows_of(metric, evaluation.statistics) for evaluation in evaluations], outputs)


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


def _tables(result: Result | None) -> dict[str, Any] | None:
    """The tables of a study, as its own verb prints them, but that nothing is bold."""
    if result is None:
        return None
    grids = [grid(table, Numbers(), bold_is_seen=False) for table in result_tables(result, "html")]
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
