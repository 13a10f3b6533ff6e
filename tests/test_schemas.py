"""The shipped JSON Schemas are those of the result classes, and hold what they promise."""

from __future__ import annotations

import dataclasses
import json
import math
from importlib.resources import files
from pathlib import Path
from runpy import run_module

import numpy as np
import pytest

import gecval
from gecval.report import VIEWS
from gecval.result import plain
from gecval.schemas import RESULTS, load_schema
from gecval.schemas.__main__ import generated
from gecval.schemas.generate import json_schema
from gecval.stats import Interval


def test_the_command_writes_them_all(monkeypatch: pytest.MonkeyPatch) -> None:
    written: dict[Path, str] = {}
    monkeypatch.setattr(Path, "write_text", lambda path, text, encoding: written.update({path: text}))
    run_module("gecval.schemas", run_name="__main__")
    assert {path.name: text for path, text in written.items()} == generated()
    assert {path.parent.name for path in written} == {"schemas"}


def test_the_shipped_schemas_are_those_of_the_classes() -> None:
    shipped = {file.name: file.read_text("utf-8") for file in files("gecval.schemas").iterdir() if ".json" in file.name}
    assert shipped == generated(), "run `python -m gecval.schemas`"


def test_every_result_has_a_schema_and_a_view() -> None:
    assert set(VIEWS) == set(RESULTS)


@pytest.mark.parametrize("kind", RESULTS)
def test_a_schema_is_a_schema(kind: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = load_schema(kind)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["properties"]["schema"]["const"].startswith(f"gecval.{kind}/")
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize("hint", [set[int], complex, object])
def test_a_type_that_json_does_not_know(hint: object) -> None:
    odd = dataclasses.make_dataclass("Odd", [("field", hint)], bases=(gecval.Result,), frozen=True, kw_only=True)
    odd.kind = "odd"
    with pytest.raises(TypeError, match=r"no JSON Schema for .*; give the field of the result a plainer type"):
        json_schema(odd)


def test_no_such_schema() -> None:
    with pytest.raises(gecval.InputError, match=r"no schema 'nothing'; there is scores, "):
        load_schema("nothing")


@dataclasses.dataclass(frozen=True)
class Row:
    derived = ("double",)
    value: float
    interval: Interval

    @property
    def double(self) -> float:
        return 2 * self.value


def test_what_json_cannot_say_becomes_null() -> None:
    row = Row(math.nan, Interval(0.0, math.inf))
    assert plain({"row": row, 1: np.float64("nan")}) == {
        "row": {"value": None, "interval": None, "double": None},
        "1": None,
    }


def test_values_become_those_that_json_knows() -> None:
    row = Row(0.5, Interval(0.25, 0.75))
    values = plain([row, np.int64(3), np.array([[1.0, math.nan]]), ("a", True, None)])
    assert values == [{"value": 0.5, "interval": [0.25, 0.75], "double": 1.0}, 3, [[1.0, None]], ["a", True, None]]
    assert json.loads(json.dumps(values)) == values
