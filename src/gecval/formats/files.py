"""Reading lines and writing whole files: the only place that opens the text files of users.

Weights of models, downloads and logs that grow are opened where they are used.
"""

from __future__ import annotations

import gc
import gzip
import json
import os
import re
import select
import stat
import tempfile
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, repeat
from pathlib import Path
from typing import Any, BinaryIO

from gecval.errors import InputError, list_first, shorten

UNREADABLE = (OSError, EOFError, zlib.error)  # the last two: a gzipped file cut off or garbled
_HALF = re.compile(r"\\ud[89a-f]", re.IGNORECASE)  # how JSON spells half of a surrogate pair


@contextmanager
def paused_collector() -> Iterator[None]:
    """Pause the garbage collector. A file becomes millions of small objects, which it would look through many times."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def unzipped_name(path: Path) -> Path:
    """The path without the .gz of a gzipped file. Its suffix then says what is in it.

    >>> unzipped_name(Path("gold.m2.gz")).suffix
    '.m2'
    """
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


def exists(name: str, *below: str) -> bool:
    """Whether a name that may mean something else too is that of a file or folder, or has this file below it.

    >>> exists(""), exists("x" * 5000)
    (False, False)
    """
    try:
        return name != "" and Path(name, *below).exists()
    except (OSError, ValueError):  # too long for a name, or with a NUL
        return False


def printable(name: str) -> str:
    """A file name as text. It need not be Unicode, and may hold codes that move a terminal's cursor."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return "".join("\ufffd" if unicodedata.category(c) == "Cc" else c for c in text)


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a UTF-8 file, without line ends and byte-order mark. A file whose name ends in .gz is unzipped.

    Only a line feed ends a line. Other Unicode separators belong to the text. CR LF is accepted.
    """
    with readable(path), open_binary(path) as file:
        for number, line in enumerate(file, start=1):
            # ASCII letters in UTF-16 are valid UTF-8 with a NUL next to each.
            if b"\0" in line:
                raise _not_utf8(path, number)
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
            except UnicodeDecodeError:
                raise _not_utf8(path, number) from None


def read_bytes(path: Path) -> bytes:
    """The whole content of a file, unzipped."""
    with readable(path), open_binary(path) as file:
        return file.read()


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Within this block, the system's complaint about a file that cannot be read becomes an InputError of one line."""
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{shorten(path)}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder, not a file") from None
    except UNREADABLE as error:
        said = getattr(error, "strerror", None) or " ".join(str(error).split())
        raise InputError(f"{shorten(path)}: {said}") from None


WAIT_S = 10.0  # for whoever writes into a named pipe


def open_binary(path: Path) -> BinaryIO:
    """The bytes of a file, unzipped. What would never end (/dev/zero) or never begin is refused."""
    if path.is_fifo() and path.resolve().exists():  # a pipe of a shell has no name of its own, and a writer already
        return _open_pipe(path)
    if path.is_block_device() or path.is_char_device():
        with path.open("rb") as device:
            endless = not device.isatty() and path.stat().st_rdev != Path(os.devnull).stat().st_rdev
        if endless:
            raise InputError(f"{path} is a device, not a file")
    return gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb")  # type: ignore[return-value]


def _open_pipe(path: Path) -> BinaryIO:
    """A named pipe. To open it in the plain way waits for a writer for ever."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    if not select.select([handle], [], [], WAIT_S)[0]:
        os.close(handle)
        raise InputError(f"{path} is a pipe, and nobody writes into it")
    os.set_blocking(handle, True)
    return os.fdopen(handle, "rb")


def _not_utf8(path: Path, number: int) -> InputError:
    return InputError(f"{path}: line {number} is not UTF-8; convert the file, e.g. with iconv")


def parse_json(text: str | bytes, *, parse_constant: Callable[[str], Any] | None = None) -> Any:
    """The value of a JSON text. A ValueError refuses what is no JSON, and a text in it that is not Unicode.

    >>> parse_json('"\\\\ud83d\\\\ude00"') == chr(0x1F600)
    True
    >>> parse_json('"\\\\ud83d"')
    Traceback (most recent call last):
    ValueError: half of a surrogate pair (\\ud800-\\udfff) is not text
    """
    decoded = text if isinstance(text, str) else text.decode(json.detect_encoding(text))
    value = json.loads(decoded, parse_constant=parse_constant)
    if _HALF.search(decoded):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ValueError("half of a surrogate pair (\\ud800-\\udfff) is not text") from None
    return value


def read_sentences(path: Path, *, sources: Iterable[str] = ()) -> list[str]:
    """The sentences of a text file, one a line, without blanks at both ends. An empty line is an empty sentence.

    A line that equals that of ``sources`` is the very same text, and takes no memory: systems leave many unchanged.
    """
    lines = zip(map(str.strip, read_lines(path)), chain(sources, repeat("")), strict=False)
    sentences = [source if line == source else line for line, source in lines]
    if not sentences:
        raise InputError(f"{path} is empty")
    return sentences


def read_table(path: Path) -> tuple[list[str], Iterator[tuple[int, list[str]]]]:
    """The columns that the first line of a TSV file names, in lower case, and the rows with their line numbers.

    A quotation mark has no special meaning. Empty lines are no rows.
    """
    lines = read_lines(path)
    header = next(lines, None)
    if header is None:
        raise InputError(f"{path} is empty")
    names = [name.strip().lower() for name in header.split("\t")]

    def rows() -> Iterator[tuple[int, list[str]]]:
        for number, line in enumerate(lines, start=2):
            cells = line.split("\t")
            if line.strip() and len(cells) != len(names):
                raise InputError(f"{path}: line {number} has {len(cells)} columns, the header {len(names)}")
            if line.strip():
                yield number, cells

    return names, rows()


def write_files(contents: dict[Path, Iterable[str]]) -> None:
    """Write lines to files: all of them, or none. An interrupted run leaves nothing half-written."""
    finished: list[tuple[Path, Path]] = []
    try:
        for path, lines in contents.items():
            if path.is_dir():
                raise InputError(f"cannot write {path}: it is a folder")
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and not path.is_file():
                # A device or a pipe (/dev/stdout, say) has no old content to keep whole, and must not be replaced.
                _write(os.open(path, os.O_WRONLY), lines)
                continue
            target = path.resolve()
            if is_read_only(target):
                raise InputError(f"cannot write {shorten(path)}: it is read-only")
            handle, temporary = tempfile.mkstemp(prefix=".gecval-", dir=target.parent)
            finished.append((Path(temporary), target))
            _write(handle, lines)
        for written, target in finished:
            put_in_place(written, target)
    except FileExistsError:
        raise InputError(f"cannot write {path}: {path.parent} is not a folder") from None
    except OSError as error:
        raise InputError(f"cannot write {shorten(path)}: {error.strerror or error}") from None
    except UnicodeEncodeError:
        raise InputError(f"cannot write {shorten(path)}: a text is not Unicode") from None
    finally:
        for written, _ in finished:
            written.unlink(missing_ok=True)


def _write(handle: int, lines: Iterable[str]) -> None:
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)


def is_read_only(path: Path) -> bool:
    """Whether somebody protected a file from everybody. To replace it, its folder's rights alone would do."""
    return path.is_file() and path.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) == 0


def put_in_place(temporary: Path, target: Path) -> None:
    """Give a finished file its name, and the rights of any new file: mkstemp lets only the owner read."""
    umask = os.umask(0)
    os.umask(umask)
    temporary.chmod(0o666 & ~umask)
    temporary.replace(target)


# What is wrong with a file: refused at the first fault, or, where the user is lenient, dropped and counted by kind.


NAMED = 10  # lines that a note names


@dataclass
class Faults:
    """The faults of one file.

    >>> faults = Faults(Path("gold.m2"), lenient=True)
    >>> faults.add(7, "edit 0 11 is out of range", kind="edits out of range")
    >>> faults.notes()
    ['gold.m2: dropped 1: edits out of range (line 7)']
    """

    path: Path
    lenient: bool = False
    dropped: dict[str, list[int]] = field(default_factory=dict)

    def add(self, number: int, what: str, *, kind: str) -> None:
        """A fault in this line. Whoever goes on has dropped it."""
        if not self.lenient:
            raise InputError(f"{self.path}: line {number}: {what}", parameter="lenient")
        self.dropped.setdefault(kind, []).append(number)

    def notes(self) -> list[str]:
        """One for each kind."""
        return [
            f"{self.path}: dropped {len(numbers)}: {kind} (line{'s' * (len(numbers) > 1)} {list_first(numbers, NAMED)})"
            for kind, numbers in self.dropped.items()
        ]


def is_fault(note: str) -> bool:
    """Whether a note says that something was dropped."""
    return ": dropped " in note
