"""A folder or a zip file of named pieces. Who reads one trusts nothing: not names, not sizes, not links."""

from __future__ import annotations

import io
import os
import re
import shutil
import tempfile
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

from gecval.errors import InputError, shortened

GIGABYTE = 1_000_000_000
MOST_PIECES = 1_000_000
MOST_FILE = GIGABYTE // 2  # bytes of one file: it is held in memory
_NAME = re.compile(r"board\.json|tables/[a-z_]{1,40}\.jsonl|files/[0-9a-f]{64}")
_MOMENT = (1980, 1, 1, 0, 0, 0)  # the same board gives the same zip file


class ArchiveError(InputError):
    """An archive that is not taken."""


class Writer(Protocol):
    def write(self, name: str, content: bytes) -> None: ...


class Pieces(ABC):
    """What an archive holds, by name, and at most ``most`` bytes of it in all."""

    def __init__(self, path: Path, most: int) -> None:
        self.path, self.left = path, most
        self.sizes = self._sizes()
        for name in self.sizes:
            if not _NAME.fullmatch(name):
                raise self.refused(f"it holds {shortened(name, 60)!r}, which is no piece of an export")
        if len(self.sizes) > MOST_PIECES:
            raise self.refused(f"it holds more than {MOST_PIECES} files")
        if sum(self.sizes.values()) > most:
            raise self.refused(f"it unpacks to {sum(self.sizes.values())} bytes; at most {most} are taken")

    def refused(self, why: str) -> ArchiveError:
        return ArchiveError(f"{self.path} is not imported: {why}")

    def read(self, name: str, *, most: int = MOST_FILE) -> bytes:
        """A piece. What a zip file says about sizes is not believed: reading ends where the bounds are."""
        if name not in self.sizes:
            raise self.refused(f"{name} is missing")
        bound = min(most, self.left)
        try:
            with self._open(name) as file:
                content = file.read(bound + 1)
        except Exception as error:  # zipfile, zlib, lzma and bz2 each have errors of their own
            raise self.refused(f"{name} cannot be read: {error}") from None
        if len(content) > bound:
            raise self.refused(f"{name} has more than {bound} bytes")
        self.left -= len(content)
        return content

    @abstractmethod
    def _sizes(self) -> dict[str, int]: ...

    @abstractmethod
    def _open(self, name: str) -> IO[bytes]: ...


class FolderPieces(Pieces):
    def _sizes(self) -> dict[str, int]:
        sizes = {}
        for folder, folders, names in os.walk(self.path):
            for name in [*folders, *names]:
                piece = Path(folder, name)
                if piece.is_symlink() or not (piece.is_file() or piece.is_dir()):
                    raise self.refused(f"{shortened(name, 60)!r} is a link or a device")
                if piece.is_file():
                    sizes[piece.relative_to(self.path).as_posix()] = piece.stat().st_size
        return sizes

    def _open(self, name: str) -> IO[bytes]:
        return (self.path / name).open("rb")


class ZipPieces(Pieces):
    def _sizes(self) -> dict[str, int]:
        try:
            self.file = zipfile.ZipFile(self.path)
        except (zipfile.BadZipFile, OSError, ValueError) as error:
            raise self.refused(f"it is no folder and no zip file ({error})") from None
        listed = [entry for entry in self.file.infolist() if not entry.is_dir()]
        sizes = {entry.filename: entry.file_size for entry in listed}
        if len(sizes) < len(listed):
            raise self.refused("two of its files have the same name")
        return sizes

    def _open(self, name: str) -> IO[bytes]:
        return self.file.open(name)


def open_pieces(path: Path, most: int) -> Pieces:
    """The pieces of a folder or of a zip file."""
    if not path.exists():
        raise InputError(f"{path}: no such file or folder", parameter="path")
    return FolderPieces(path, most) if path.is_dir() else ZipPieces(path, most)


class _FolderWriter:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, content: bytes) -> None:
        piece = self.folder / name
        piece.parent.mkdir(exist_ok=True)
        piece.write_bytes(content)


class _ZipWriter:
    def __init__(self, file: zipfile.ZipFile) -> None:
        self.file = file

    def write(self, name: str, content: bytes) -> None:
        entry = zipfile.ZipInfo(name, _MOMENT)
        entry.external_attr = 0o600 << 16
        self.file.writestr(entry, content, zipfile.ZIP_DEFLATED)


@contextmanager
def new_archive(path: Path, *, public: bool = False) -> Iterator[Writer]:
    """Write a folder, or a zip file where the name ends so. It is there when it is complete, and not before.

    Only the owner can read it, unless it is ``public``.
    """
    if path.exists() and not (path.is_dir() and not any(path.iterdir())):
        raise InputError(f"{path} exists already; give another name", parameter="path")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}", parameter="path") from None
    try:
        if path.suffix.lower() == ".zip":
            with zipfile.ZipFile(beside / "export.zip", "w") as file:
                yield _ZipWriter(file)
            (beside / "export.zip").chmod(0o644 if public else 0o600)
            (beside / "export.zip").replace(path)
        else:
            yield _FolderWriter(beside)
            beside.chmod(0o755 if public else 0o700)
            beside.replace(path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}", parameter="path") from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def lines_of(content: bytes) -> Iterator[bytes]:
    """The lines of a piece; a line ends with a line feed and nothing else."""
    return (line for line in io.BytesIO(content) if line.strip())
