"""What a file holds: told by its name, or by its first lines where the name says nothing.

M2 files are called ``gold.txt`` or ``gold.m2.char`` too. Read as texts they would give wrong scores without a word.
Files with several texts in a line look like text; ``tabular`` tells them where they are read.
"""

from __future__ import annotations

import json
import re
import shlex
from itertools import islice
from pathlib import Path
from typing import Literal

from gecval.errors import InputError
from gecval.formats.files import read_lines, readable, unzipped_name

Kind = Literal["m2", "jsonl", "xml", "wi-json", "nucle", "essays", "text"]

BY_SUFFIX: dict[str, Kind] = {".m2": "m2", ".jsonl": "jsonl", ".xml": "xml", ".sgml": "nucle", ".sgm": "nucle"}
HOLD_EDITS: tuple[Kind, ...] = ("m2", "xml", "wi-json", "nucle")
LINES = 50  # that are looked at
ESSAY = "### essay_id = "
_EDIT_LINE = re.compile(r"A -?\d+ -?\d+\|\|\|")

# Files that lie next to outputs and are none.
OTHER_SUFFIXES = (
    ".md", ".rst", ".html", ".pdf", ".doc", ".docx", ".json", ".yaml", ".yml", ".toml", ".csv", ".tsv", ".log", ".err",
    ".py", ".pl", ".sh", ".ipynb", ".zip", ".tar", ".tgz", ".png", ".svg", ".pt", ".bin", ".bak", ".m2", ".xml",
)  # fmt: skip
OTHER_NAMES = ("readme", "license", "licence", "copying", "notice", "changelog", "makefile")


def kind_of(path: Path) -> Kind:
    """The kind of a file; ``text`` is one sentence a line."""
    by_name = BY_SUFFIX.get(unzipped_name(path).suffix.lower())
    with readable(path):
        is_file = path.is_file()
    if by_name is not None or not is_file:  # a pipe can be read only once
        return by_name or "text"
    try:
        lines = [line for line in islice(read_lines(path), LINES) if line.strip()]
        kind = kind_of_lines(lines)
        return "m2" if kind == "text" and lines and lines[0].startswith("S ") and _has_edits_later(path) else kind
    except InputError:
        return "text"  # whoever reads it as such says what is wrong


def kind_of_lines(lines: list[str]) -> Kind:
    """The kind of a file that starts with these lines.

    >>> kind_of_lines(["S He go home .", "A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0"])
    'm2'
    >>> kind_of_lines(["S Korea is in Asia ."])
    'text'
    """
    first = lines[0] if lines else ""
    if first.startswith("S ") and any(map(_EDIT_LINE.match, lines)):
        return "m2"
    if any(line.startswith(ESSAY) for line in lines):
        return "essays"
    if first.startswith("<?xml"):
        return "xml"
    if first.upper().startswith(("<DOC>", "<DOC ")):
        return "nucle"
    if first.startswith("{"):
        try:
            value = json.loads(first)
        except (ValueError, RecursionError):
            return "text"
        return "jsonl" if "source" in value else "wi-json" if {"text", "edits"} <= value.keys() else "text"
    return "text"


MANY = 10  # lines that lack at the end of an output; of more, the beginning may be all that there is


def score_first(count: int, origin: Path | str) -> str:
    """How to score the first sentences of a corpus alone, whose source is in the file ``origin``.

    >>> score_first(50, "the source")
    'score the first 50 alone (in Python: corpus[:50])'
    """
    path = Path(origin)
    file, python = shlex.quote(str(origin)), f"(in Python: corpus[:{count}])"
    if not path.is_file():
        return f"score the first {count} alone {python}"
    if kind_of(path) in ("text", "jsonl"):
        suffix = ".jsonl" if kind_of(path) == "jsonl" else ".txt"
        return (
            f"score the first {count} alone: head -n {count} {file} > first{suffix}, and so for each reference {python}"
        )
    written = f"gecval convert {file} -o all.jsonl && head -n {count} all.jsonl > first.jsonl"
    return f"score the first {count} alone: {written}, and give first.jsonl as the reference {python}"


def _has_edits_later(path: Path) -> bool:
    """Whether the first line that is neither empty nor a sentence is an edit: many sentences may come before it."""
    others = (line for line in read_lines(path) if line.strip() and not line.startswith(("S ", "T0")))
    return bool(_EDIT_LINE.match(next(others, "")))


def brings_source(path: Path) -> bool:
    """Whether a file holds its own source sentences; texts and essays do not."""
    return kind_of(path) not in ("text", "essays")


def may_be_output(path: Path) -> bool:
    """Whether a file in a folder of outputs may be one, by its name.

    >>> [may_be_output(Path(name)) for name in ("AMU", "GPT-3.5", "mine.txt", "README.md", "README", "gold.m2.gz")]
    [True, True, True, False, False, False]
    """
    name = unzipped_name(path)
    return name.suffix.lower() not in OTHER_SUFFIXES and name.stem.lower() not in OTHER_NAMES
