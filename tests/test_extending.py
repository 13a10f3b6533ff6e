"""Adding a study takes one folder and one line in ``gecval.studies.STUDIES``; adding a metric takes one module and one
line in the registry of metrics. Both are added here from a temporary folder, as if they lay in the package."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import gecval.metrics
import gecval.studies
from gecval.metrics.registry import METRICS
from gecval.results.schemas import load_schema
from gecval.studies import STUDIES, Study

STUDY = '''
"""How long are the sentences?"""

from dataclasses import dataclass
from typing import ClassVar

from gecval.results.result import Result


@dataclass(frozen=True)
class Length:
    sentence: int
    words: int


@dataclass(frozen=True, kw_only=True, repr=False)
class Lengths(Result):
    """The length of each sentence."""

    kind: ClassVar[str] = "lengths"
    view: ClassVar[str] = "length_tables"
    main: ClassVar[str] = "lengths"

    lengths: tuple[Length, ...]


def lengths(sources) -> Lengths:
    return Lengths(lengths=tuple(Length(i, len(text.split())) for i, text in enumerate(sources, 1)))
'''
TABLES = '''
"""Lengths as a table."""

from gecval.results.table import Table


def length_tables(result, style="text"):
    return [Table(["sentence", "words"], [[row.sentence, row.words] for row in result.lengths], title="Lengths")]
'''
COMMAND = '''
"""gecval lengths"""

import click

from gecval.cli.help import Command
from gecval.cli.output import PATH, output_options
from gecval.formats import load_corpus
from gecval.studies.lengths.study import lengths


@click.command("lengths", cls=Command)
@click.argument("source", type=PATH)
@output_options()
def command(source, output):
    """Count the words of each sentence."""
    output.show(lengths(load_corpus(source).sources))
'''
METRIC = '''
"""shorter = mean over sentences of the words that the output has fewer than the source, per word."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gecval.metrics.base import AveragedMetric, Statistics, with_count
from gecval.metrics.reference_rules import Pooled, ReferenceRule


@dataclass(frozen=True, repr=False)
class Shorter(AveragedMetric):
    scale: float = 1.0

    name: ClassVar[str] = "shorter"
    summary: ClassVar[str] = "how much shorter outputs are"
    paper: ClassVar[str] = "nobody 2026"
    needs: ClassVar[str] = "optional"
    rule: ClassVar[ReferenceRule] = Pooled()

    def statistics(self, corpus, system, **options):
        pairs = zip(corpus.sources, system.hypotheses, strict=True)
        values = [self.scale * (1 - len(output.split()) / len(source.split())) for source, output in pairs]
        return Statistics.one_per_sentence(with_count(np.array(values)))
'''


def forget(package: object, added: str) -> None:
    """As if a package had never been imported."""
    for name in [name for name in sys.modules if f"{name}.".startswith(f"{added}.")]:
        del sys.modules[name]
    vars(package).pop(added.rpartition(".")[2], None)


@pytest.fixture
def study(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("studies") / "lengths"
    folder.mkdir()
    for name, text in {"__init__": "", "study": STUDY, "tables": TABLES, "command": COMMAND}.items():
        (folder / f"{name}.py").write_text(text)
    monkeypatch.setattr(gecval.studies, "__path__", [*gecval.studies.__path__, str(folder.parent)])
    STUDIES.append(Study("lengths", "lengths", "Look after corpora", "Count the words of each sentence."))
    yield
    STUDIES.pop()
    forget(gecval.studies, "gecval.studies.lengths")


@pytest.fixture
def metric(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("metrics")
    (folder / "shorter.py").write_text(METRIC)
    monkeypatch.setattr(gecval.metrics, "__path__", [*gecval.metrics.__path__, str(folder)])
    monkeypatch.setitem(METRICS.built_in, "shorter", "gecval.metrics.shorter:Shorter")
    yield
    forget(gecval.metrics, "gecval.metrics.shorter")


@pytest.mark.usefixtures("study", "folder")
def test_a_study(gecval) -> None:
    overview = gecval("--help").out
    assert "lengths" in overview
    assert "Count the words of each sentence." in overview
    assert "SOURCE" in gecval("lengths --help").out
    lines = gecval("lengths src.txt").out.splitlines()
    assert lines[0] == "Lengths"
    assert [line.split() for line in lines[4:8]] == [["1", "5"], ["2", "4"], ["3", "2"], ["4", "5"]]
    assert gecval("lengths src.txt --format tsv").out.splitlines()[1] == "1\t5"
    printed = gecval("lengths src.txt --format json").json
    assert printed["lengths"][0] == {"sentence": 1, "words": 5}
    schema = load_schema("lengths")
    assert schema["title"] == printed["schema"] == "gecval.lengths/1"
    jsonschema = pytest.importorskip("jsonschema", reason="needs the extra: pip install 'gecval[test]'")
    jsonschema.validate(printed, schema)
    assert gecval("lengths nowhere.txt").status == 2


@pytest.mark.usefixtures("metric", "folder")
def test_a_metric(gecval, tmp_path: Path) -> None:
    assert "how much shorter outputs are" in gecval("metrics").out
    assert "nobody 2026" in gecval("metrics shorter").out
    [score] = gecval("score good.txt -s src.txt -m shorter --ci --format json").json["scores"]
    assert score["score"] == pytest.approx((1 - 4 / 5) / 4)
    assert score["interval"][0] <= score["score"] <= score["interval"][1]
    assert "shorter(scale=2)" in gecval("score good.txt -s src.txt -m 'shorter(scale=2)'").out
    assert "it has scale" in gecval("score good.txt -s src.txt -m 'shorter(size=2)'").err
    rows = gecval("score good.txt -s src.txt -m shorter --sentences --format jsonl").out.splitlines()
    assert [json.loads(row)["scores"]["shorter"]["score"] for row in rows] == pytest.approx([0.2, 0, 0, 0])
    [compared] = gecval("compare copy.txt good.txt -s src.txt -m shorter --format json").json["comparisons"]
    assert compared["difference"] == pytest.approx(0.05)
    for page in ("page.html", "page.json"):
        assert gecval(f"report good.txt copy.txt -r gold.m2 -m shorter -o {page}").status == 0
    assert json.loads((tmp_path / "page.json").read_text("utf-8"))["metrics"] == ["shorter"]
