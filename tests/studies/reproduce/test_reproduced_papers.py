"""The tables of every paper, computed on the first sentences of the real data, against files in tests/expected.

Figures of so few sentences say nothing. They show which published figure stands next to which of ours, and that each of
ours is computed as before. The simulations run a few experiments only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gecval import System, load_sample, metric
from gecval.corpus import Corpus
from gecval.errors import MissingExtraError
from gecval.metrics.distance import LD
from gecval.runtime.run import Run
from gecval.studies.reproduce import conll14, coverage, decisions, scribendi, seeda, simulated_decisions, simulations
from gecval.studies.reproduce.study import reproduce
from stand_ins import LFM_MODEL, stand_in

SENTENCES = 60
CROWD = 6
SETS = ("bryant-ng-2015", "conll14", "gjg15", "ibgec", "nspt15", "sakaguchi-2016", "seeda", "seeda-edits", "turkcorpus")
FEW = {
    decisions: {
        "SEEDS": 3, "METRICS": ("accuracy",),
        # Few sentences have fewer types of edits than the one that is shipped.
        "shipped_calibration": lambda: SimpleNamespace(coefficients=0.0),
    },
    simulations: {
        "EXPERIMENTS": 3, "FEWER": 2, "ERROR_EXPERIMENTS": 20, "FAMILIES": 8, "METRICS": ("bleu", "gleu"),
        # UFC differs from INPUT in a single one of few sentences, from which no chance can be predicted.
        "load_participants": lambda corpus: [s for s in conll14.load_participants(corpus) if s.name != "INPUT"],
    },
    simulated_decisions: {
        "EXPERIMENTS": 4, "LOOKS": 12, "POWER_EXPERIMENTS": 8, "TRACK_EXPERIMENTS": 3, "COMMITS": 8,
        "METRICS": ("bleu", "gleu"),
    },
    seeda: {
        "METRICS": ("green",), "ORDERS": 5,
        "list_default_metrics": lambda: [metric(name) for name in ("m2", "green", "gleu", "ld", "some")],
    },
    # LFM is trained on another data set, so one that is trained stands in; the other papers leave it out and say why.
    scribendi: {"lfm_or_reason": lambda run: (metric(f"lfm(model={LFM_MODEL!r})"), [])},
}  # fmt: skip


def cut(path: Path) -> str:
    """The first sentences of a file, in whatever way it lists them."""
    text = path.read_text()
    if path.suffix == ".m2":
        return "\n\n".join(text.split("\n\n")[:SENTENCES]) + "\n\n"
    if path.suffix == ".xml":
        for item in re.findall(r"<ranking-item[^/]*?>.*?</ranking-item>\n?", text, flags=re.DOTALL):
            numbers = dict(re.findall(r' (src-id|id)="(\d+)"', item))
            if int(numbers.get("src-id") or numbers["id"]) >= SENTENCES:
                text = text.replace(item, "")
        return text
    lines = text.splitlines(keepends=True)
    if path.suffix == ".jsonl":
        return "".join(line for line in lines if json.loads(line)["sentence"] < SENTENCES)
    if path.suffix == ".tsv":
        if lines[0].endswith("\tanswer\n"):
            return text  # answers on all sentences; those on sentences that are left out do not count
        sources = list(dict.fromkeys(line.split("\t")[-2] for line in lines))[: 1 + CROWD]
        return "".join(line for line in lines if line.split("\t")[-2] in sources)
    return "".join(lines[:SENTENCES])


@pytest.fixture(scope="module")
def few_sentences(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the first sentences of the sets that papers need, but for those that train a model."""
    folder = tmp_path_factory.mktemp("data")
    for path in (path for name in SETS for path in (data / name).rglob("*") if path.is_file()):
        copy = folder / path.relative_to(data)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(path.read_text() if {"histograms", "scores"}.intersection(path.parts) else cut(path))
    return folder


def rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(inner) for inner in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


@pytest.mark.parametrize("paper", ["coverage", "decisions", "human", "m2", "no-comparison", "scribendi", "seeda"])
def test_tables(
    paper: str,
    few_sentences: Path,
    monkeypatch: pytest.MonkeyPatch,
    matches_file: Callable[[str, Any], None],
) -> None:
    stand_in(monkeypatch)
    folder = few_sentences
    monkeypatch.setenv("GECVAL_DATA", str(folder))
    for module, settings in FEW.items():
        for name, value in settings.items():
            monkeypatch.setattr(module, name, value)
    tables = json.dumps(rounded(reproduce(paper).to_dict()["tables"]))
    matches_file(f"reproduced/{paper}.json", json.loads(tables.replace(str(folder), "DATA")))


def test_without_the_model_of_errant_its_table_says_so(few_sentences: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(name: str) -> None:
        raise MissingExtraError(name, "errant")

    monkeypatch.setenv("GECVAL_DATA", str(few_sentences))
    monkeypatch.setattr(coverage, "extractor", lacking)
    [table] = coverage.parts()["types of errors"](Run())
    assert (table.rows, len(table.notes), "gecval[errant]" in table.notes[0]) == ({}, 1, True)


def test_what_keeps_a_metric_from_running_is_a_note() -> None:
    labels = {"SOME": "some", "ER": None, "nobody": "no-such-metric", "LD": "ld"}
    evaluations, [note] = conll14.evaluate(labels, *load_sample())
    assert list(evaluations) == ["LD"]
    assert note.startswith("SOME is left out: some needs the folder of its three models")


def test_a_model_is_asked_about_all_outputs_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """And says how far it is: a language model may take hours."""
    corpus, outputs = load_sample()
    seen: list[tuple[int, int]] = []

    def prepare(self: LD, corpus: Corpus, systems: list[System], *, run: Run) -> None:
        run.progress(len(systems), 7)

    monkeypatch.setattr(LD, "prepare", prepare)
    conll14.evaluate({"LD": "ld"}, corpus, outputs, run=Run(progress=lambda *now: seen.append(now)))
    assert seen == [(0, 1), (len(outputs), 7)]
