"""Reading lines and writing whole files: the only place that opens text files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from gecval.errors import InputError


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a UTF-8 file, without line ends and a byte-order mark.

    Only a line feed ends a line: other Unicode separators belong to the text. CR LF is accepted.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            for line in file:
                yield line.rstrip("\r\n")
    except UnicodeDecodeError:
        raise InputError(
            f"{path}: line {_first_undecodable(path)} is not UTF-8; convert the file, e.g. with iconv"
        ) from None
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder, not a file") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def _first_undecodable(path: Path) -> int:
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                return number
    return number


def read_sentences(path: Path) -> list[str]:
    """One sentence a line, blanks at both ends dropped; an empty line is an empty sentence."""
    sentences = [line.strip() for line in read_lines(path)]
    if not sentences:
        raise InputError(f"{path} is empty")
    return sentences


def write_files(contents: dict[Path, Iterable[str]]) -> None:
    """Write lines to files, all of them or none: an interrupted run leaves nothing half-written."""
    finished: list[tuple[str, Path]] = []
    try:
        for path, lines in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
            finished.append((temporary, path))
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.writelines(f"{line}\n" for line in lines)
        for temporary, path in finished:
            Path(temporary).chmod(0o666 & ~_umask())
            Path(temporary).replace(path)
    except OSError as error:
        raise InputError(f"cannot write {error.filename}: {error.strerror}") from None
    finally:
        for temporary, _ in finished:
            Path(temporary).unlink(missing_ok=True)


def _umask() -> int:
    """The process's umask: mkstemp makes files that only their owner can read."""
    umask = os.umask(0)
    os.umask(umask)
    return umask
