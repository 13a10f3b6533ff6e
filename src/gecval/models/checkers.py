"""The grammar checkers at hand: LanguageTool's rules without Java or on a server, Harper, and counts from a file."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, ClassVar

from gecval.errors import InputError, MissingExtraError
from gecval.models.grammar import LANGUAGE, Checker, Finding
from gecval.models.languagetool import LanguageToolServer
from gecval.models.languagetool_process import own_server
from gecval.progress import Progress, silent


def checker(name: str, *, progress: Progress = silent) -> Checker:
    """By name: ``lingotweaker``, ``harper``, ``languagetool``, the URL of such a server, or a file of counts."""
    if name == "lingotweaker":
        return LingoTweaker()
    if name == "harper":
        return Harper()
    if name == "languagetool":
        return own_server(progress)
    if name.startswith(("http://", "https://")):
        return LanguageToolServer(name.rstrip("/"))
    return CountsFile(name)


@dataclass(frozen=True)
class LingoTweaker:
    """LanguageTool's own English rules without Java."""

    isolated: ClassVar[bool] = True

    @property
    def signature(self) -> str:
        return f"lingotweaker:{_installed('lingotweaker')}|en:{_installed('lingotweaker-data-en')}"

    def find(self, text: str) -> list[Finding]:
        data = text.encode()  # places are told in bytes

        def characters(size: int) -> int:
            return len(data[:size].decode(errors="ignore"))

        return [
            Finding(
                characters(match["offset"]),
                characters(match["offset"] + match["length"]),
                match["rule_id"],
                match["category_id"],
            )
            for match in _lingotweaker().check(text)
        ]


@lru_cache
def _lingotweaker() -> Any:
    return import_module("lt_py").Engine(LANGUAGE)


@dataclass(frozen=True)
class Harper:
    """Harper, a fast checker with rules of its own."""

    isolated: ClassVar[bool] = True

    @property
    def signature(self) -> str:
        return f"harper:{_installed('harper-py')}"

    def find(self, text: str) -> list[Finding]:
        lints = _harper().organized_lints(text, language="plaintext")
        return [
            Finding(one.span.start, one.span.end, rule, one.lint_kind) for rule, found in lints.items() for one in found
        ]


@lru_cache
def _harper() -> Any:
    return import_module("harper").Linter()


@dataclass(frozen=True)
class CountsFile:
    """Counts made elsewhere, by a checker that is not for everyone: lines of a count, a tab and the sentence."""

    isolated: ClassVar[bool] = False
    path: str

    @property
    def signature(self) -> str:
        return f"counts:{self._read()[0]}"

    def find(self, text: str) -> list[Finding]:
        _, counts = self._read()
        try:
            count = counts["".join(text.split())]
        except KeyError:
            raise InputError(f"{self.path} has no count for {text[:60]!r}") from None
        return [Finding(0, len(text), "counted", "counted")] * count

    def _read(self) -> tuple[str, dict[str, int]]:
        return _read_counts(self.path, str(Path(self.path).resolve()))


@lru_cache
def _read_counts(path: str, resolved: str) -> tuple[str, dict[str, int]]:
    """A hash of the file, and counts by sentence without its blanks: tokenised or not, it is the same sentence."""
    try:
        content = Path(resolved).read_bytes()
        lines = content.decode().splitlines()
    except (OSError, ValueError):
        raise InputError(
            f"no grammar checker {path!r}: it is lingotweaker, harper, languagetool, the URL of a LanguageTool server, "
            "or a file of counts"
        ) from None
    counts = {}
    for number, line in enumerate(lines, start=1):
        count, tab, sentence = line.partition("\t")
        if not (tab and count.strip().isdecimal()):
            raise InputError(f"{path}, line {number}: not a count, a tab and a sentence")
        counts["".join(sentence.split())] = int(count)
    return hashlib.sha256(content).hexdigest()[:8], counts


def _installed(distribution: str) -> str:
    """The version of a package that the extra [grammar] brings."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        raise MissingExtraError(f"checking grammar ({distribution})", "grammar") from None
