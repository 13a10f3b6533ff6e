"""gecval validate as it is typed: every way to write a card, and every option of its own: --sample, --replicates."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gecval.cli.common import FORMATS
from gecval.results.schemas import load_schema
from gecval.runtime.run import Run
from gecval.stats import Interval
from gecval.stats.correlation import Correlation
from gecval.studies.validate.result import Agreement, AgreementTable, MetricRow

SHORT = "validate --sample --replicates 1 -m"


def test_json_follows_the_schema(gecval, folder: Path) -> None:
    result = gecval(f"{SHORT} ld,accuracy --format json")
    assert result.status == 0, result.err
    printed = result.json
    assert printed["schema"] == "gecval.cards/1"
    ld, accuracy = printed["cards"]
    assert (ld["metric"], ld["about"]["needs"], ld["gaming"]["price"]["adversary"]) == ("ld", "source", "source")
    assert accuracy["maege"]["replicates"] == 1
    assert accuracy["agreement"] == []
    assert {row["part"] for row in accuracy["lacking"]} == {"agreement with people"}


def test_the_end_of_the_name_says_how(gecval, folder: Path) -> None:
    for name in ("card.html", "card.md", "card.json", "card.tsv", "card.csv", "card.jsonl", "card.tex", "card.txt"):
        result = gecval(f"{SHORT} ld -o {name}")
        assert (result.status, result.out) == (0, ""), result.err
    assert (folder / "card.html").read_text().startswith("<!doctype html>")
    assert (folder / "card.md").read_text().startswith("# ld\n")
    printed = json.loads((folder / "card.json").read_text())
    jsonschema = pytest.importorskip("jsonschema", reason="needs the extra: pip install 'gecval[test]'")
    jsonschema.validate(printed, load_schema("cards"))
    assert (folder / "card.tsv").read_text().startswith("metric\tpart\titem")
    assert "\\toprule" in (folder / "card.tex").read_text()
    # --format goes before the name.
    assert gecval(f"{SHORT} ld --format json -o other").status == 0
    assert json.loads((folder / "other").read_text())["cards"][0]["metric"] == "ld"


def test_a_folder_gets_a_file_for_each_metric(gecval, folder: Path) -> None:
    assert gecval(f"{SHORT} ld -m 'accuracy' -m 'gleu(n=2)' -o cards").status == 0
    names = sorted(path.name for path in (folder / "cards").iterdir())
    assert names == ["accuracy.md", "gleu-n-2.md", "index.md", "ld.md"]
    index = (folder / "cards" / "index.md").read_text()
    assert "| [gleu(n=2)](gleu-n-2.md) |" in index
    assert "gecval validate -m 'ld,accuracy,gleu(n=2)' -o cards" in index
    assert "## Formula" in (folder / "cards" / "gleu-n-2.md").read_text()


def test_several_cards_in_one_page(gecval, folder: Path) -> None:
    assert gecval(f"{SHORT} ld,accuracy -o both.html").status == 0
    page = (folder / "both.html").read_text()
    assert page.count("<h2>") == 2
    assert '<a href="#card-1">accuracy</a>' in page


HOSTILE = '''
from dataclasses import dataclass
from typing import ClassVar
import numpy as np
from gecval import Metric, Statistics
from gecval.metrics.base import AveragedMetric, with_count
from gecval.metrics.reference_rules import Pooled

@dataclass(frozen=True, repr=False)
class Evil(AveragedMetric):
    """<script>alert("formula")</script> & *stars* | pipes ````"""
    name: ClassVar[str] = "<script>alert(1)</script>|*evil*"
    summary: ClassVar[str] = "<img src=x onerror=alert(2)> `ticks` | pipes"
    paper: ClassVar[str] = "</dd></dl><script>alert(3)</script>"
    needs: ClassVar[None] = None
    rule: ClassVar[Pooled] = Pooled()

    def statistics(self, corpus, system, *, run=None):
        return Statistics.one_per_sentence(with_count(np.array([float(len(t)) for t in system.hypotheses])))
'''


def test_hostile_names_are_text(gecval, folder: Path) -> None:
    (folder / "mine_evil.py").write_text(HOSTILE)
    for name in ("card.html", "card.md"):
        result = gecval(f"{SHORT} mine_evil:Evil -o {name}")
        assert result.status == 0, result.err
    page, text = (folder / "card.html").read_text(), (folder / "card.md").read_text()
    assert "<script" not in page
    assert "<img" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert re.search(r"default-src &#x27;none&#x27;|default-src 'none'", page)
    assert not re.search(r"(src|href)=['\"]?https?:", page)
    assert "<script" not in text
    assert "<img" not in text
    assert '&lt;script&gt;alert("formula")&lt;/script&gt; &amp; *stars* \\| pipes \\`\\`\\`\\`' in text


def test_a_function_of_ones_own(gecval, folder: Path) -> None:
    (folder / "mine.py").write_text(
        'def kept(source, hypothesis, references):\n    """Share of kept words."""\n'
        "    words = source.split()\n"
        "    return sum(word in hypothesis.split() for word in words) / len(words) if words else 1.0\n"
    )
    result = gecval(f"{SHORT} mine:kept --format json")
    assert result.status == 0, result.err
    [card] = result.json["cards"]
    assert card["about"]["description"] == "Share of kept words."
    assert card["maege"] is not None
    assert card["gaming"]["price"]["points"] == 0


def test_options_change_what_they_say(gecval, folder: Path) -> None:
    def figures(*more: str) -> str:
        result = gecval("validate --sample -m accuracy --format tsv", *more)
        assert result.status == 0, result.err
        return result.out

    assert figures() == figures()
    assert figures("--seed", "5") != figures()
    assert figures("--replicates", "2") != figures()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("validate --sample", "a card is of a metric: name one (option -m)"),
        ("validate --sample -m nonsense", "nonsense"),
        ("validate --sample -m ld -o card.png", "card.png: no .png is written; name the file .html or .tex"),
        ("validate --sample -m ld --replicates 0", "replicates is a number from 1"),
    ],
)
def test_refusals(refused, line: str, said: str) -> None:
    assert said in refused(line)


def test_without_altair_there_are_tables_only(gecval, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert gecval(f"{SHORT} ld -o drawn.html").status == 0
    monkeypatch.setattr("gecval.studies.validate.documents.find_spec", lambda name: None)
    assert gecval(f"{SHORT} ld -o plain.html").status == 0
    assert "<svg" in (folder / "drawn.html").read_text()
    plain = (folder / "plain.html").read_text()
    assert "<svg" not in plain
    assert "<caption" not in plain
    assert "The price of gaming" in plain


def test_agreement_alone(gecval, folder: Path, monkeypatch) -> None:
    asked, where = [], []

    def agreement_table(
        metrics,
        *,
        run: Run,
        checkpoint,
    ) -> AgreementTable:
        asked.append(metrics)
        where.append((run.jobs, checkpoint, run.backend))
        correlation = Correlation(value=0.5, p=0.1, interval=Interval(0.25, 0.75), n=12)
        correlations = dict.fromkeys(("pearson", "spearman", "kendall"), correlation)
        interval = Interval(0.5, 1.0)
        agreement = Agreement(judgments="GJG15", outputs="all", accuracy=0.75, accuracy_interval=interval, pairs=9,
                              **correlations)  # fmt: skip
        return AgreementTable(
            metrics=(MetricRow(metric="<b>|x", agreement=(agreement,)),), level=0.95, notes=("a note",)
        )

    monkeypatch.setattr("gecval.studies.validate.command.agreement_table", agreement_table)
    result = gecval("validate --agreement")
    assert (result.status, asked.pop()) == (0, None)
    assert "GJG15, all" in result.out
    assert result.err == "gecval: note: a note\n"
    result = gecval("validate --agreement -m ld --jobs 2 -o page.md")
    assert (result.out, result.err) == ("", "gecval: note: a note\n")
    assert [repr(metric) for metric in asked.pop()] == ["ld"]
    assert where.pop() == (2, None, None)
    assert gecval("validate --agreement -m ld --backend processes:3 --checkpoint kept").status == 0
    assert where.pop() == (None, Path("kept"), "processes:3")
    page = (folder / "page.md").read_text()
    assert "0.75 [0.50, 1.00]" in page
    assert "<b>" not in page
    assert page.endswith("    gecval validate --agreement -m ld -o page.md\n")
    for style in FORMATS:
        assert gecval(f"validate --agreement --format {style}").status == 0
    assert gecval("validate --agreement -o table.tsv").status == 0
    assert (folder / "table.tsv").read_text().startswith("metric\tjudgments\toutputs\tby\tvalue\t")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--agreement -s a --seed 2", "a: no such file"),
        ("--agreement -o folder", "folder: the table of agreement is one file: .md, .json, .jsonl, .tsv, .csv, .tex "),
        ("--agreement -o page.html", "page.html: the table of agreement is one file: "),
        ("--sample", "a card is of a metric: name one (option -m)"),
    ],
)  # fmt: skip
def test_agreement_refuses(gecval, folder: Path, options: str, message: str) -> None:
    status, out, err = gecval(f"validate {options}")
    assert (status, out) == (2, "")
    assert err.startswith(f"gecval: {message}")
