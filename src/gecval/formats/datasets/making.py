"""Files that are made from others of their set: each rule takes a file to the lines of the new one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from gecval.formats.files import read_lines, write_files
from gecval.formats.loading import load_corpus

_WORD = re.compile(r"\w+(?:[-'’]\w+)*|[^\w\s]")


def _words(source: Path) -> Iterable[str]:
    """Plain text cut into words and signs, with a blank between."""
    return (" ".join(_WORD.findall(line)) for line in read_lines(source))


def _second_annotator(source: Path) -> Iterable[str]:
    """What the second annotator of an M2 file made of each sentence."""
    corpus = load_corpus(None, [source], missing="inferred")
    return (corpus.texts_of(i)[1] for i in range(len(corpus)))


RULES: dict[str, Callable[[Path], Iterable[str]]] = {"words": _words, "second-annotator": _second_annotator}


def make(rule: str, source: Path, target: Path) -> None:
    """Write the file that a rule makes from another, complete or not at all."""
    write_files({target: RULES[rule](source)})
