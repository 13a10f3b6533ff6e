"""gecval reproduce as typed; the tables themselves take minutes and are run by hand (docs)."""

import csv
import io
import json
from functools import partial
from typing import Any

import pytest

from gecval.runtime.run import Run
from gecval.stats import Interval
from gecval.studies.reproduce.result import Figure, PaperItem, PaperTable, Reproduction
from gecval.studies.reproduce.study import PAPERS


def test_without_a_paper_it_lists_them(gecval):
    status, out, err = gecval("reproduce --format json")
    assert (status, err) == (0, "")
    listed = json.loads(out)["papers"]
    assert {paper["name"] for paper in listed} == set(PAPERS)
    needed = next(paper["datasets"] for paper in listed if paper["name"] == "maege")
    assert needed == ["conll14", "references", "bryant-ng-2015"]
    text = gecval("reproduce").out
    assert "conll14, references" in text
    assert "gecval data fetch NAME..." in text


@pytest.fixture
def made(monkeypatch):
    """A paper with two tables."""
    correlations = PaperTable(
        title="Table 0",
        columns=("ρ", "r"),
        rows={
            "gleu": {"ρ": Figure(published=0.5, ours=0.25, interval=Interval(0.125, 0.375)), "r": Figure(ours=0.75)},
            "lost": {"ρ": Figure(published=0.1)},
        },
        notes=("ours is better",),
    )
    places = PaperTable(title="Table 9", columns=("place",), rows={"AMU": {"place": Figure(published=2, ours=1)}},
                        row_name="system")  # fmt: skip
    result = Reproduction(paper="human", about="people", tables=(correlations, places))
    monkeypatch.setattr("gecval.studies.reproduce.command.reproduce", lambda paper, **options: result)
    return result


def test_figures_for_programs(gecval, made):
    rows = list(csv.DictReader(io.StringIO(gecval("reproduce human --format tsv").out), delimiter="\t"))
    assert len(rows) == 4
    assert rows[0] == {
        "table": "Table 0", "row": "gleu", "column": "ρ", "published": "0.5", "ours": "0.25",
        "low": "0.125", "high": "0.375", "level": "0.95",
    }  # fmt: skip
    printed = gecval("reproduce human --format json").json
    assert printed["schema"] == "gecval.reproduction/1"
    assert printed["tables"][0]["rows"]["gleu"]["ρ"] == {"published": 0.5, "ours": 0.25, "interval": [0.125, 0.375]}
    assert printed["tables"][1]["row_name"] == "system"
    assert [figure.column for figure in made.figures] == ["ρ", "r", "ρ", "place"]


def test_missing_data_says_where_to_get_it(gecval, monkeypatch, tmp_path):
    monkeypatch.setenv("GECVAL_DATA", str(tmp_path))
    status, out, err = gecval("reproduce maege")
    assert (status, out) == (2, "")
    assert err.startswith(f"gecval: no folder {tmp_path}/conll14 (CoNLL-2014 test set")
    assert "`gecval data fetch conll14 references bryant-ng-2015`" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--device cpu", "note: --device changes nothing without PAPER"),
        ("--plot plots", "--plot changes nothing without PAPER"),
        ("--status --quick", "note: --quick changes nothing without PAPER"),
        ("--only a --skip b", "note: --only and --skip change nothing without PAPER"),
        ("lfm --skip gleu", "lfm has no metric that can be left out (option --skip)"),
        ("--percent --digits 2", "note: --percent and --digits change nothing without PAPER"),
    ],
)
def test_options_that_change_nothing(answered, options, message):
    assert answered(f"reproduce {options}") == message


def test_plots_of_every_figure_and_table(gecval, made, tmp_path):
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    status, out, err = gecval("reproduce human --plot", tmp_path / "plots")
    assert (status, err) == (0, "")
    assert "Table 0" in out
    assert sorted(path.name for path in (tmp_path / "plots").iterdir()) == ["table-0.svg", "table-9.svg"]
    drawn = (tmp_path / "plots" / "table-0.svg").read_text()
    assert all(text in drawn for text in ("Table 0", "published", "ours", "gleu", "lost"))
    (tmp_path / "file").write_text("")
    status, out, err = gecval("reproduce human --plot", tmp_path / "file")
    assert (status, out) == (2, "")
    assert err == f"gecval: cannot make the folder {tmp_path / 'file'}: File exists\n"


class Toy:
    """A paper of three items in two parts; ``asked`` notes which parts were computed, and without which metrics."""

    ITEMS = (
        PaperItem("Table 1", "counts", part="counts"),
        PaperItem("Figure 1a", "a curve", part="counts", rows=("x",), status="explained", why="drawn anew"),
        PaperItem("Table 12", "ranks", part="ranks", status="open", why="nobody knows"),
        PaperItem("Table 2", "the price of a judge", status="data not public", why="no bill was published"),
        PaperItem("Table 3", "ranks by people", command="gecval human"),
    )

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def metrics(self) -> dict[str, str]:
        return {"GLEU": "gleu", "LD S→O": "ld", "SARI": "sari(order=4)"}

    def parts(self, skip: tuple[str, ...] = ()) -> dict[str, Any]:
        return {name: partial(self.make, name, skip) for name in ("ranks", "counts")}

    def make(self, name: str, skip: tuple[str, ...], run: Run) -> list[PaperTable]:
        self.asked.append((name, skip))
        if name == "ranks":
            cells = {label: {"ρ": Figure(published=0.97, ours=None if label in skip else 0.9)} for label in ("GLEU",)}
            cells["M2"] = {"ρ": Figure(published=0.974, ours=0.9744)}
            return [PaperTable(title="Table 12: ranks", columns=("ρ",), rows=cells)]
        rows = {"x": {"n": Figure(published=36, ours=36.2)}, "y": {"n": Figure(ours=1)}}
        return [
            PaperTable(title="Table 1, once more", columns=("n",), rows=rows),
            PaperTable(title="Figure 1a", columns=("n",), rows=rows),
        ]


@pytest.fixture
def toy(monkeypatch):
    made = Toy()
    monkeypatch.setattr("gecval.studies.reproduce.study.PaperParts._module", lambda self: made)
    monkeypatch.setattr("gecval.studies.reproduce.study.need_datasets", lambda names: None)
    return made


def titles(out: str) -> list[str]:
    return [table["title"] for table in json.loads(out)["tables"]]


def test_one_table_only(gecval, toy):
    everything = gecval("reproduce human --format json").out
    assert titles(everything) == ["Table 1, once more", "Figure 1a", "Table 12: ranks"]  # in the paper's order
    assert toy.asked == [("ranks", ()), ("counts", ())]
    toy.asked.clear()
    assert titles(gecval("reproduce human", "--only", "table 1", "--format", "json").out) == ["Table 1, once more"]
    assert toy.asked == [("counts", ())]
    toy.asked.clear()
    both = gecval("reproduce human", "--only", "Table 12", "--only", "Figure 1", "--format", "json").out
    assert titles(both) == ["Figure 1a", "Table 12: ranks"]
    assert [item["item"] for item in json.loads(both)["items"]] == ["Figure 1a", "Table 12"]
    part = gecval("reproduce human", "--only", "counts", "--format", "json").out
    assert titles(part) == ["Table 1, once more", "Figure 1a"]


def test_metrics_left_out(gecval, toy):
    out = gecval("reproduce human --skip gleu --skip sari --format json").out
    assert toy.asked == [("ranks", ("GLEU", "SARI")), ("counts", ("GLEU", "SARI"))]
    printed = json.loads(out)
    assert printed["notes"] == ["left out: GLEU, SARI"]
    assert printed["tables"][2]["rows"]["GLEU"]["ρ"]["ours"] is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--only", "Table 9"],
            "human has no 'Table 9'; it has Table 1, Figure 1a, Table 12, Table 2, Table 3 (option --only)",
        ),
        (["--only", "Table 2"], "reproduce does not compute Table 2: no bill was published (option --only)"),
        (["--only", "Table 3"], "reproduce does not compute Table 3: use gecval human (option --only)"),
        (["--skip", "m2"], "human has no metric 'm2'; it has GLEU, LD S→O, SARI (option --skip)"),
        (["--skip", "gleu", "--skip", "ld", "--skip", "SARI"], "no metric of human is left (option --skip)"),
    ],
)
def test_what_cannot_be_chosen(gecval, toy, options, message):
    assert gecval("reproduce human", *options) == (2, "", f"gecval: {message}\n")
    assert toy.asked == []


def test_where_we_stand_with_each_item(gecval, toy):
    """Equal to the last printed digit: 0.97 stands for 0.970 next to 0.974."""
    listed = {item.pop("item"): item for item in gecval("reproduce human --format json").json["items"]}
    common = {"paper": "human", "difference": None, "missing": 0, "why": ""}
    command = 'gecval reproduce human --only "{}"'
    assert listed["Table 1"] == common | {
        "what": "counts", "command": command.format("Table 1"), "figures": 1, "equal": 1, "published": 36, "ours": 36.2,
        "status": "equal",
    }  # fmt: skip
    assert listed["Figure 1a"]["status"] == "equal"  # though it was declared as explained: the figures decide
    ranks = listed["Table 12"]
    assert (ranks["figures"], ranks["equal"], ranks["missing"], ranks["published"]) == (2, 1, 0, None)
    assert ranks["difference"] == pytest.approx(0.07)
    assert (ranks["status"], ranks["why"]) == ("open", "nobody knows")
    assert (listed["Table 2"]["command"], listed["Table 2"]["status"]) == (None, "data not public")
    assert listed["Table 3"]["command"] == "gecval human"
