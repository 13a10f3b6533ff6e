"""Tables and charts of every result, as people and programs get them, against files in tests/expected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from gecval.results.table import Numbers
from results.examples import CHARTS, DIAGNOSIS, FINDING, TABLES

COMMON = {"$schema", "config", "name", "usermeta"}  # what altair and the theme say about every chart


@pytest.mark.parametrize("name", TABLES)
def test_tables(name: str, matches_file: Callable[[str, Any], None]) -> None:
    """For a pipe; for a page, as percentages with compact intervals; and exact, for programs."""
    result, view = TABLES[name]
    people = result.render("text", **view)
    page = result.render("markdown", numbers=Numbers(percent=True, compact=True), **view)
    programs = result.render("tsv", **view)
    matches_file(f"tables/{name.replace(' ', '_').replace(',', '')}.txt", f"{people}\n\n\n{page}\n\n\n{programs}")


@pytest.mark.parametrize("name", CHARTS)
def test_charts(name: str, matches_file: Callable[[str, Any], None]) -> None:
    """Each layer with its own data, numbers to nine decimals."""
    pytest.importorskip("altair", reason="needs the extra [report]")
    spec = CHARTS[name]().to_dict()
    datasets = spec.pop("datasets", {})

    def plain(part: Any) -> Any:
        if isinstance(part, dict):
            if set(part) == {"name"} and part["name"] in datasets:
                return {"values": plain(datasets[part["name"]])}
            return {key: plain(value) for key, value in part.items() if key not in COMMON}
        if isinstance(part, list):
            return [plain(value) for value in part]
        return round(part, 9) if isinstance(part, float) else part

    matches_file(f"charts/{name.replace(' ', '_')}.json", plain(spec))


@pytest.mark.parametrize(("letters", "lines"), [(100, 1), (101, 2)])
def test_the_doctor_writes_a_hundred_signs_in_a_line(letters: int, lines: int) -> None:
    long = replace(FINDING, effect=f"{'w' * 50} {'w' * (letters - 51)}", remedy="")
    _, screen, *_ = replace(DIAGNOSIS, findings=(long,)).to_tables(full=True)
    assert sum("ww" in str(row[1]) for row in screen.rows) == lines
