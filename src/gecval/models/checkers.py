"""Grammar checkers by name: who finds the errors in a text.

    lingotweaker    LanguageTool's rules without Java
    harper          a fast checker with rules of its own
    languagetool    LanguageTool, which is downloaded and started
    http://...      a LanguageTool server
    counts.tsv      a file of counts made elsewhere

Others come by entry points of the group ``gecval.checkers``, or as ``my_module:Name`` (see ``plugins.py``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, ClassVar

from gecval.errors import MissingExtraError
from gecval.models.counts_file import CountsFile
from gecval.models.grammar import LANGUAGE, Checker, Finding
from gecval.models.languagetool import LanguageToolServer
from gecval.models.languagetool_process import own_server
from gecval.plugins import Plugins
from gecval.progress import Progress, silent

CHECKERS = Plugins(
    kind="grammar checker",
    group="gecval.checkers",
    built_in={
        "lingotweaker": "gecval.models.checkers:LingoTweaker",
        "harper": "gecval.models.checkers:Harper",
        "languagetool": "gecval.models.languagetool_process:own_server",
    },
)
NEEDS = ("signature", "language", "isolated", "find")


def checker_names() -> list[str]:
    """The names of all checkers at hand, ours first."""
    return CHECKERS.names()


def checker(name: str, *, progress: Progress = silent) -> Checker:
    """The checker of this name, the LanguageTool server at this URL, or the counts in this file.

    >>> checker("harpoon")
    Traceback (most recent call last):
    gecval.errors.InputError: there is no grammar checker 'harpoon'; did you mean harper?
    """
    if name.startswith(("http://", "https://")):
        return LanguageToolServer(name.rstrip("/"))
    if CHECKERS.canonical(name) == "languagetool":  # it tells how far its download is
        return own_server(progress)
    made: Checker | None = CHECKERS.make(name, NEEDS)
    if made is not None:
        return made
    if Path(name).is_file():
        return CountsFile(name)
    raise CHECKERS.unknown(name, others=", the URL of a LanguageTool server, or a file of counts")


@dataclass(frozen=True)
class LingoTweaker:
    """LanguageTool's own English rules without Java."""

    isolated: ClassVar[bool] = True
    language: ClassVar[str | None] = "en"

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
                rule=match["rule_id"],
                category=match["category_id"],
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
    language: ClassVar[str | None] = "en"

    @property
    def signature(self) -> str:
        return f"harper:{_installed('harper-py')}"

    def find(self, text: str) -> list[Finding]:
        by_rule = _harper().organized_lints(text, language="plaintext")
        return [
            Finding(lint.span.start, lint.span.end, rule=rule, category=lint.lint_kind)
            for rule, lints in by_rule.items()
            for lint in lints
        ]


@lru_cache
def _harper() -> Any:
    return import_module("harper").Linter()


def _installed(distribution: str) -> str:
    """The version of a package that the extra [grammar] brings."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        raise MissingExtraError(f"checking grammar ({distribution})", "grammar") from None
