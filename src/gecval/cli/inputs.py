"""Files that a verb reads. ``-`` is standard input, for one of them. What people call the corpus that they hold."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import click

from gecval.errors import InputError

MAX_PAPER = 1_000_000  # bytes of a file with a signature
MAX_STDIN = 2_000_000_000  # bytes; standard input may never end
_READ = "gecval.stdin"
_CORPUS = "gecval.corpus"


class InputPath(click.Path):
    """A path. What comes through ``-`` is put into a file that is gone when the verb ends, so that every reader may
    look at it as often as it likes, and tells by its content what it is."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        if os.fspath(value) != "-" or ctx is None:
            return super().convert(value, param, ctx)
        if ctx.meta.get(_READ):
            raise InputError("standard input (-) can be read once; give the other as a file")
        folder = Path(ctx.with_resource(tempfile.TemporaryDirectory(prefix="gecval-")))
        ctx.meta[_READ] = folder / "stdin"
        with (folder / "stdin").open("wb") as file:
            while chunk := sys.stdin.buffer.read(1_000_000):
                if file.tell() > MAX_STDIN:
                    raise InputError(f"standard input has more than {MAX_STDIN:,} bytes; give it as a file")
                file.write(chunk)
        return folder / "stdin"


def name_standard_input(message: str) -> str:
    """A message of the verb that runs, in which the file of standard input goes by that name."""
    context = click.get_current_context(silent=True)
    path = context.meta.get(_READ) if context else None
    return message.replace(str(path), "standard input") if path else message


def is_there(text: str) -> bool:
    """Whether an argument names a file. What is too long for a name, as a signature may be, does not."""
    try:
        return Path(text).exists()
    except OSError:
        return False


def is_signature(text: str) -> bool:
    """Whether an argument is meant as a signature, and not as a file."""
    return any(sign in text for sign in ("|", "textbar", "&#124;")) and not is_there(text)


def holds_signature(text: str) -> bool:
    """Whether an argument names a short file with a signature."""
    if not (is_there(text) and Path(text).is_file() and Path(text).stat().st_size <= MAX_PAPER):
        return False
    held = re.sub(rb"\s", b"", Path(text).read_bytes())
    return b"aggregate:" in held and b"gecval:" in held


# What a reader is told of the corpus of the verb that runs, next to a chart or on a page.


def note_corpus(references: Sequence[Path], sentences: int) -> None:
    click.get_current_context().meta[_CORPUS] = (tuple(references), sentences)


def corpus_name() -> str:
    """The test set as people call it: a public one by its title, another by the names of its references."""
    from gecval.formats.datasets.catalog import datasets  # `gecval --help` imports this module

    references, _ = click.get_current_context().meta.get(_CORPUS, ((), 0))
    hashes = [sha256(path.read_bytes()).hexdigest() for path in references if path.is_file()]
    titles = {file.sha256: entry.title for entry in datasets() for file in entry.files if file.sha256}
    if hashes and len(hashes) == len(references) and all(digest in titles for digest in hashes):
        return " and ".join(dict.fromkeys(titles[digest].partition(":")[0] for digest in hashes))
    piped = click.get_current_context().meta.get(_READ)
    return ", ".join(dict.fromkeys("standard input" if path == piped else path.stem for path in references))


def describe_corpus() -> str:
    """Its name and how many sentences it has; empty for a verb without a corpus."""
    _, sentences = click.get_current_context().meta.get(_CORPUS, ((), 0))
    size = f"{sentences:,} sentence{'' if sentences == 1 else 's'}" if sentences else ""
    return ", ".join(filter(None, [corpus_name(), size]))


INPUT = InputPath(path_type=Path, readable=False)
