"""What the list of all items says of figures is what the papers' full runs gave, and the declared statuses fit it.

After a change of figures run the paper again and record what comes out:

    gecval reproduce m2 --format json -o m2.json
    python tests/studies/reproduce/test_outcomes.py m2.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import gecval.studies.reproduce.study as study
from gecval.studies.reproduce.study import PaperParts, paper_items, read_outcomes, reproduce

OUTCOMES = Path(study.__file__).parent / "outcomes.json"
FIELDS = ("figures", "equal", "missing", "difference", "published", "ours", "status")


def compact(item: dict[str, Any]) -> dict[str, Any]:
    """An outcome as it is recorded: numbers with six digits."""
    return {name: float(f"{item[name]:.6g}") if isinstance(item[name], float) else item[name] for name in FIELDS}


def test_declared_statuses_are_those_of_the_last_full_runs() -> None:
    recorded = read_outcomes()
    declared = {(paper, item.name): item for paper in study.PAPERS for item in PaperParts(paper=paper).items}
    assert set(recorded) <= set(declared)
    assert [key for key, row in recorded.items() if row["status"] != declared[key].status] == []
    for row in recorded.values():
        assert row["equal"] + row["missing"] <= row["figures"]
        assert (row["status"] == "equal") == (row["figures"] == row["equal"] > 0)


def test_the_list_has_published_and_our_figures() -> None:
    listed = {(item.paper, item.item): item for item in paper_items().items}
    [validity] = (item for key, item in listed.items() if key == ("coverage", "§2.1: validity"))
    assert (validity.published, round(validity.ours or 0, 2)) == (0.78, 0.78)
    assert (listed["m2", "Table 2"].figures, listed["m2", "Table 2"].equal) == (12, 12)


@pytest.mark.parametrize(
    ("paper", "only"),
    [
        ("m2", ()),
        ("coverage", ("Table 1", "§2.1: validity", "Figure 1a")),
        ("no-comparison", ("§1", "Table 3")),
        ("maege", ("Figure 1", "§4")),
        ("scribendi", ("Table 1", "Table 4", "§5: ratios")),
    ],
)
def test_a_run_gives_what_is_recorded(paper: str, only: tuple[str, ...], data: Path) -> None:
    """The items that take seconds; the others were run when they were recorded."""
    if paper == "scribendi":
        pytest.importorskip("torch", reason="needs the extra: pip install 'gecval[lm]'")
    recorded = read_outcomes()
    items = reproduce(paper, only=only).to_dict()["items"]
    assert len(items) >= len(only)
    for item in items:
        for field, value in recorded[paper, item["item"]].items():
            assert item[field] == (pytest.approx(value, rel=1e-4) if isinstance(value, float) else value), item


def record(files: list[str]) -> None:
    """Put what full runs gave into the file, in the order of the papers' items."""
    recorded = read_outcomes() if OUTCOMES.exists() else {}
    for name in files:
        made = json.loads(Path(name).read_text())
        recorded |= {(made["paper"], item["item"]): compact(item) for item in made["items"]}
    order = [(paper, item.name) for paper in study.PAPERS for item in PaperParts(paper=paper).items]
    rows = [{"paper": key[0], "item": key[1], **recorded[key]} for key in order if key in recorded]
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    OUTCOMES.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    record(sys.argv[1:])
