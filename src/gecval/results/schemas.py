"""JSON Schemas of results, made from their dataclasses: types in, schema out.

dataclass → object with all its fields required      X | None → X or null        Literal → enum
tuple[X, ...], Sequence → array                      Mapping[str, X] → object    named tuple → array, or null
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from gecval.errors import InputError
from gecval.results.result import Result

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SIMPLE = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}

Schema = dict[str, Any]


def load_schema(name: str) -> Schema:
    """The JSON Schema of one kind of result.

    Parameters
    ----------
    name
        The kind, such as ``scores``, or what a JSON file says of itself: ``gecval.scores/1``.

    Returns
    -------
    dict
        A JSON Schema, which validates what ``to_json`` writes.

    Examples
    --------
    >>> load_schema("gecval.scores/1")["title"]
    'gecval.scores/1'
    """
    kind, _, version = name.removeprefix("gecval.").partition("/")
    kinds = []
    for result in result_classes():
        if result.kind == kind and version in ("", str(result.version)):
            return json_schema(result)
        kinds.append(result.kind)
    raise InputError(f"there is no schema {name!r}; there is {', '.join(kinds)}")


def result_classes() -> Iterator[type[Result]]:
    """Every class of results, study by study. Each study is imported when its turn comes."""
    for study in import_module("gecval.studies").STUDIES:
        package = import_module(f"gecval.studies.{study.folder}")
        for module in iter_modules(package.__path__, f"{package.__name__}."):
            if module.name.rpartition(".")[2] not in ("command", "charts", "tables"):
                for item in vars(import_module(module.name)).values():
                    if isinstance(item, type) and issubclass(item, Result) and item.__module__ == module.name:
                        yield item


def json_schema(result: type[Result]) -> Schema:
    """The schema of what ``to_dict`` gives."""
    definitions: dict[str, Schema] = {}
    schema = _dataclass(result, definitions)
    schema["properties"] = {"schema": {"const": result.schema()}, **schema["properties"]}
    schema["required"] = ["schema", *schema["required"]]
    summary = (result.__doc__ or "").splitlines()[0]
    return {"$schema": DIALECT, "title": result.schema(), "description": summary, **schema, "$defs": definitions}


def _dataclass(kind: type, definitions: dict[str, Schema]) -> Schema:
    hints = get_type_hints(kind, include_extras=True)
    names = [field.name for field in fields(kind) if field.name not in getattr(kind, "hidden", ())]
    properties = {name: _type(hints[name], definitions) for name in names}
    for name in getattr(kind, "derived", ()):
        returned = get_type_hints(getattr(kind, name).fget, include_extras=True)["return"]
        properties[name] = _type(returned, definitions)
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _type(hint: Any, definitions: dict[str, Schema]) -> Schema:
    """The schema of one type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in SIMPLE:
        return {"type": SIMPLE[hint]}
    if origin is Annotated:  # MaybeUndefined
        return {"type": ["number", "null"]}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_type(argument, definitions) for argument in arguments]}
    if origin is np.ndarray or getattr(origin, "__name__", "") == "NDArray":  # an alias since numpy 2.5
        return {"type": "array"}
    if is_dataclass(hint) and isinstance(hint, type):
        if hint.__name__ not in definitions:
            definitions[hint.__name__] = {}  # so that a type that holds itself ends
            definitions[hint.__name__] = _dataclass(hint, definitions)
        return {"$ref": f"#/$defs/{hint.__name__}"}
    if isinstance(hint, type) and hasattr(hint, "_fields"):
        items = [_type(inner, definitions) for inner in get_type_hints(hint, include_extras=True).values()]
        return {"type": ["array", "null"], "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _type(arguments[1], definitions)}
    if origin is tuple and arguments[-1] is not Ellipsis:
        items = [_type(argument, definitions) for argument in arguments]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return {"type": "array", "items": _type(arguments[0], definitions)}
    raise TypeError(f"no JSON Schema for {hint!r}; give the field of the result a plainer type")
