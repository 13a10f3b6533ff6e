"""JSON Schemas are made from the result classes, stay compatible, and hold what they promise."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path

import numpy as np
import pytest

import gecval
from gecval.results.result import plain
from gecval.results.schemas import json_schema, load_schema, result_classes
from gecval.stats import Interval

GOLDEN = Path(__file__).parents[1] / "expected" / "schemas"
CLASSES = {result.kind: result for result in result_classes()}


@pytest.mark.parametrize("kind", CLASSES)
def test_a_schema_is_compatible_with_the_one_that_other_programs_know(kind: str, matches_file) -> None:
    """A field that goes, or changes its type, needs a new version: then ``KIND-2.json`` is put next to the old file."""
    matches_file(f"schemas/{kind}-{CLASSES[kind].version}.json", load_schema(kind))


def test_every_golden_schema_has_its_class() -> None:
    assert {file.stem for file in GOLDEN.iterdir()} == {f"{kind}-{result.version}" for kind, result in CLASSES.items()}


@pytest.mark.parametrize("kind", CLASSES)
def test_a_schema_is_a_schema(kind: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = load_schema(kind)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["properties"]["schema"]["const"].startswith(f"gecval.{kind}/")
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize("kind", CLASSES)
def test_a_result_names_the_function_that_makes_its_tables(kind: str) -> None:
    assert callable(CLASSES[kind].table_maker())


@pytest.mark.parametrize("hint", [set[int], complex, object])
def test_a_type_that_json_does_not_know(hint: object) -> None:
    unknown = dataclasses.make_dataclass(
        "Unknown", [("field", hint)], bases=(gecval.Result,), frozen=True, kw_only=True
    )
    unknown.kind = "unknown"
    with pytest.raises(TypeError, match=r"no JSON Schema for .*; give the field of the result a plainer type"):
        json_schema(unknown)


def test_no_such_schema() -> None:
    with pytest.raises(gecval.InputError, match=r"no schema 'nothing'; there is .*scores, "):
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
