"""The table of all metrics on all sets of judgments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gecval import InputError
from gecval.results.schemas import load_schema
from gecval.studies.validate.people import agreement_table
from gecval.studies.validate.result import AgreementTable
from gecval.studies.validate.tables import agreement_page


@pytest.fixture(scope="module")
def table(data: Path) -> AgreementTable:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("GECVAL_DATA", str(data))
        patched.setattr("gecval.studies.validate.people.BASELINES", ())
        return agreement_table(["gleu", "ld", "some", "ld"])


def test_figures_of_every_set(table: AgreementTable) -> None:
    assert [row.metric for row in table] == ["gleu", "ld"]
    [gleu, ld] = table
    sets = [(row.judgments, row.outputs) for row in gleu.agreement]
    assert sets == [("GJG15", "all"), ("NSPT15", "all"), ("SEEDA-S", "base"), ("SEEDA-S", "with fluent"),
                    ("SEEDA-E", "base"), ("SEEDA-E", "with fluent")]  # fmt: skip
    assert [round(row.pearson.value, 2) for row in gleu.agreement] == [0.59, 0.36, 0.86, 0.26, 0.90, 0.31]
    assert [round(row.accuracy, 2) for row in ld.agreement] == [0.51, 0.59, 0.23, 0.21, 0.27, 0.25]
    left_out, *confounded = table.notes
    assert left_out.startswith("some is left out: some needs the folder of its three models")
    assert "GJG15, all: over pairs of outputs, not distinguishable from *more changes*: ld" in confounded


def test_views(table: AgreementTable) -> None:
    assert len(table.figures) == (2 + 5) * 6 * 5  # with controls
    printed = json.loads(table.to_json())
    jsonschema = pytest.importorskip("jsonschema", reason="needs the extra: pip install 'gecval[test]'")
    jsonschema.validate(printed, load_schema("agreement-table"))
    assert printed["metrics"][1]["agreement"][2]["spearman"]["n"] == 12
    text = str(table)
    assert "SEEDA-E, with fluent" in text
    frame = table.to_frame()
    assert len(frame) == 210
    assert set(frame["by"]) == {"pearson", "spearman", "kendall", "accuracy", "equal edits"}


def test_page(table: AgreementTable) -> None:
    page = agreement_page(table, "docs/my page.md", ["gleu", "gleu(n=3)"])
    assert page.startswith("# Which metric agrees with people?\n")
    assert "| gleu | 0.59 [0.06, 0.86] | 0.36 [-0.23, 0.76] |" in page
    assert "some is left out" in page
    assert page.splitlines()[-1] == "    gecval validate --agreement -m 'gleu,gleu(n=3)' -o 'docs/my page.md'"
    assert agreement_page(table, "a.md", []).splitlines()[-1] == "    gecval validate --agreement -o a.md"


def test_without_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GECVAL_DATA", str(tmp_path))
    with pytest.raises(InputError, match="gecval data fetch conll14"):
        agreement_table(["ld"])
