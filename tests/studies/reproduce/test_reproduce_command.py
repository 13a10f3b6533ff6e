"""gecval reproduce as typed; the tables themselves take minutes and are run by hand (docs)."""

import csv
import io
import json

import pytest

from gecval.stats import Interval
from gecval.studies.reproduce.result import Figure, PaperTable, Reproduction
from gecval.studies.reproduce.study import PAPERS


def test_without_a_paper_it_lists_them(gecval):
    status, out, err = gecval("reproduce --format json")
    assert (status, err) == (0, "")
    listed = json.loads(out)["papers"]
    assert {paper["name"] for paper in listed} == set(PAPERS)
    assert next(paper["datasets"] for paper in listed if paper["name"] == "maege") == ["conll14", "references"]
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


def test_published_figures_beside_ours(gecval, made):
    status, out, err = gecval("reproduce human")
    assert (status, err) == (0, "")
    words = [line.split() for line in out.splitlines()]
    header = ["metric", "ρ", "published", "ρ", "ours", "ρ", "interval", "r", "published", "r", "ours"]
    assert header in words
    assert ["gleu", "0.500", "0.250", "[0.125,", "0.375]", "0.750"] in words
    assert ["lost", "0.100"] in words
    assert ["AMU", "2", "1"] in words
    assert "ours is better" in out


def test_a_table_without_published_figures_has_ours_alone(gecval, made, monkeypatch):
    own = PaperTable(
        title="Mine", columns=("r",), rows={"gleu": {"r": Figure(ours=0.5, interval=Interval(0.25, 0.75))}}
    )
    result = Reproduction(paper="human", about="people", tables=(own,))
    monkeypatch.setattr("gecval.studies.reproduce.command.reproduce", lambda paper, **options: result)
    words = [line.split() for line in gecval("reproduce human").out.splitlines()]
    assert ["metric", "r", "r", "interval"] in words
    assert ["gleu", "0.500", "[0.250,", "0.750]"] in words


def test_figures_for_programs(gecval, made):
    rows = list(csv.DictReader(io.StringIO(gecval("reproduce human --format tsv").out), delimiter="\t"))
    assert len(rows) == 4
    assert rows[0] == {
        "table": "Table 0", "row": "gleu", "column": "ρ", "published": "0.5", "ours": "0.25",
        "low": "0.125", "high": "0.375", "level": "0.95",
    }  # fmt: skip
    printed = json.loads(gecval("reproduce human --format json").out)
    assert printed["schema"] == "gecval.reproduction/1"
    assert printed["tables"][0]["rows"]["gleu"]["ρ"] == {"published": 0.5, "ours": 0.25, "interval": [0.125, 0.375]}
    assert printed["tables"][1]["row_name"] == "system"
    assert [figure.column for figure in made.figures] == ["ρ", "r", "ρ", "place"]


def test_missing_data_says_where_to_get_it(gecval, monkeypatch, tmp_path):
    monkeypatch.setenv("GECVAL_DATA", str(tmp_path))
    status, out, err = gecval("reproduce maege")
    assert (status, out) == (2, "")
    assert err.startswith(f"gecval: no folder {tmp_path}/conll14 (CoNLL-2014 test set")
    assert "`gecval data fetch conll14 references`" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--device cpu", "--device changes nothing without PAPER"),
        ("--plot plots", "--plot changes nothing without PAPER"),
        ("--percent --digits 2", "--percent and --digits change nothing without PAPER"),
        ("maege --device cpu", "--device changes nothing for maege, which asks no language model"),
        ("coverage --batch-size 8", "--batch-size changes nothing for coverage, which asks no language model"),
    ],
)
def test_options_that_change_nothing_are_refused(gecval, options, message):
    status, out, err = gecval(f"reproduce {options}")
    assert (status, out, err) == (2, "", f"gecval: {message}\n")


def test_plots_of_every_figure_and_table(gecval, made, tmp_path):
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    status, out, err = gecval("reproduce human --plot", tmp_path / "new" / "plots")
    assert (status, err) == (0, "")
    assert "Table 0" in out
    assert sorted(path.name for path in (tmp_path / "new" / "plots").iterdir()) == ["table-0.svg", "table-9.svg"]
    drawn = (tmp_path / "new" / "plots" / "table-0.svg").read_text()
    assert all(text in drawn for text in ("Table 0", "published", "ours", "gleu", "lost"))
    (tmp_path / "file").write_text("")
    status, out, err = gecval("reproduce human --plot", tmp_path / "file")
    assert (status, out) == (2, "")
    assert err == f"gecval: cannot make the folder {tmp_path / 'file'}: File exists\n"
