"""The grammar checkers at hand: LanguageTool's rules in this process or on a server, Harper, and counts from a file."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from http.client import HTTPException
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, ClassVar
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

from gecval.errors import InputError, MissingExtraError
from gecval.models.grammar import KEPT, Checker, Finding

LANGUAGE = "en-US"
SERVER_PATIENCE_S = 60.0


def checker(name: str) -> Checker:
    """By name: ``lingotweaker``, ``harper``, the URL of a LanguageTool server, or a file of counts."""
    if name == "lingotweaker":
        return LingoTweaker()
    if name == "harper":
        return Harper()
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
class LanguageToolServer:
    """A LanguageTool server of the user's (HTTP API v2), such as ``http://localhost:8081``."""

    isolated: ClassVar[bool] = True
    url: str

    @property
    def signature(self) -> str:
        return f"languagetool:{_server_version(self.url)}|{self.url}"

    def find(self, text: str) -> list[Finding]:
        units = text.encode("utf-16-le")  # Java counts in these

        def characters(size: int) -> int:
            return len(units[: 2 * size].decode("utf-16-le", errors="ignore"))

        return [
            Finding(
                characters(match["offset"]),
                characters(match["offset"] + match["length"]),
                match["rule"]["id"],
                match["rule"]["category"]["id"],
            )
            for match in _ask(self.url, text)["matches"]
        ]


@lru_cache
def _server_version(url: str) -> str:
    software = _ask(url, "A").get("software", {})
    return f"{software.get('version', 'unknown')}-{software.get('buildDate', 'unknown')}"


def _ask(url: str, text: str) -> Any:
    form = urlencode({"language": LANGUAGE, "text": text}).encode()
    try:
        with urlopen(f"{url}/v2/check", form, timeout=SERVER_PATIENCE_S) as response:
            answer = json.load(response)
    except HTTPError as error:
        raise InputError(f"the LanguageTool server {url} answers {error.code} at {text[:60]!r}; {KEPT}") from None
    except (OSError, HTTPException, ValueError) as error:
        reason = str(getattr(error, "reason", error)) or type(error).__name__
        raise InputError(f"no LanguageTool server answers at {url} ({reason}); {KEPT}") from None
    if not (isinstance(answer, dict) and "matches" in answer):
        raise InputError(f"what answers at {url} is no LanguageTool server")
    return answer


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
            f"no grammar checker {path!r}: it is lingotweaker, harper, a LanguageTool server's URL, or a file of counts"
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
