"""Runs the notebooks in examples/ cell by cell and gathers what a notebook would show under each.

A kernel (nbclient and ipykernel, thirty packages with sockets and a process of its own) would do the same more slowly.
These notebooks use no magics, so executing their cells in order is enough: printed text, then the value of the last
expression as text and, where it has one, as HTML.
"""

from __future__ import annotations

import ast
import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from docs.pages import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.ipynb"))
Notebook = dict[str, Any]
Output = dict[str, Any]


def read(path: Path) -> Notebook:
    notebook: Notebook = json.loads(path.read_text("utf-8"))
    return notebook


def executed(notebook: Notebook) -> Notebook:
    """The notebook with the outputs that its cells give now."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = []
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            outputs = _run("".join(cell["source"]), names, count)
            cell = cell | {"execution_count": count, "outputs": outputs}
        cells.append(cell)
    return notebook | {"cells": cells}


def write(path: Path, notebook: Notebook) -> None:
    path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", "utf-8")


def _run(source: str, names: dict[str, Any], count: int) -> list[Output]:
    body = ast.parse(source).body
    last = ast.Expression(body.pop().value) if body and isinstance(body[-1], ast.Expr) else None
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(ast.Module(body, []), f"cell {count}", "exec", dont_inherit=True), names)
        value = eval(compile(last, f"cell {count}", "eval", dont_inherit=True), names) if last else None
    outputs: list[Output] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if value is not None:
        data = {"text/plain": _lines(repr(value).rstrip("\n"))}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = _lines(value._repr_html_())
        result = {"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"}
        outputs.append(result)
    return outputs


def _lines(text: str) -> list[str]:
    """As notebooks keep text: a list of lines with their ends."""
    return text.splitlines(keepends=True)
