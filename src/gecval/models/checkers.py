"""Grammar checkers: sentences in, errors with rule and category out. The cache holds the errors of every sentence.

    lingotweaker    LanguageTool's rules without Java
    harper          a fast checker with rules of its own
    languagetool    LanguageTool, which is downloaded and started
    http://...      a LanguageTool server
    counts.tsv      a file of counts made elsewhere

Others come by entry points of the group ``gecval.checkers``, or as ``my_module:Name`` (see ``plugins.py``).

A sentence comes as tokens between blanks. A checker sees normal text, and its findings are turned into tokens again.
Checkers that may crash or hang work in processes of their own, so the work done before is not lost.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import TimeoutError as MultiprocessingTimeoutError
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol

from gecval.corpus.tokenization import detokenize
from gecval.errors import InputError, MissingExtraError, first_line
from gecval.formats.files import read_bytes, read_lines
from gecval.models.cache import Cache, open_cache
from gecval.runtime.plugins import Plugins
from gecval.runtime.processes import in_processes
from gecval.runtime.run import HERE, SERIAL, Run, announce

LANGUAGE = "en-US"
BLOCK = 64  # sentences; what an interrupt may cost
TIMEOUT_S = 180.0  # for a block, starting the checker included; a sound one needs a hundredth of it
CACHED = "what was found before is kept"


class CheckerFinding(NamedTuple):
    """What a checker says about a text: from which character up to which, by which rule, in which category."""

    start: int
    end: int
    rule: str
    category: str


class GrammarError(NamedTuple):
    """An error of a sentence, from token ``start`` up to but not including token ``end``."""

    start: int
    end: int
    rule: str
    category: str


class Checker(Protocol):
    """Finds errors in text. The signature names everything that decides what it finds.

    ``language`` is that of the texts it checks, as a code such as ``en``; None stands for any. ``isolated`` says that
    the checker may crash or hang, and must not do so in this process.
    """

    isolated: ClassVar[bool]
    language: ClassVar[str | None]

    @property
    def signature(self) -> str:
        """Name and versions; MissingExtraError where it is not installed."""

    def find(self, text: str) -> list[CheckerFinding]:
        """The errors of one text, as places in it."""


def check(checker: Checker, sentences: Sequence[str], *, run: Run = SERIAL) -> list[tuple[GrammarError, ...]]:
    """The errors of each sentence."""
    cache = open_cache(f"grammar-1|{checker.signature}")
    keys = [" ".join(sentence.split()) for sentence in sentences]

    def ask(new: list[str]) -> Iterator[dict[str, str]]:
        announce(run.progress, f"checking grammar with {checker.signature.partition(':')[0]}")
        blocks = [new[start : start + BLOCK] for start in range(0, len(new), BLOCK)]
        if checker.isolated:
            return _in_processes(checker, blocks, cache, run=run)
        return (_check_block(checker, block) for block in blocks)

    known = cache.answers(filter(None, keys), ask, run=run)
    # Outputs share most of their sentences, and most of these are without an error.
    errors = {value: tuple(GrammarError(*error) for error in json.loads(value)) for value in {"[]", *known.values()}}
    return [errors[known[key] if key else "[]"] for key in keys]


def _in_processes(checker: Checker, blocks: list[list[str]], cache: Cache, *, run: Run) -> Iterator[dict[str, str]]:
    try:
        yield from in_processes(
            partial(_check_and_cache, checker, cache),
            blocks,
            jobs=run.threads,
            elsewhere=True,
            timeout=TIMEOUT_S,
        )
    except MultiprocessingTimeoutError:
        raise InputError(f"{checker.signature} has not answered for {TIMEOUT_S:.0f} s; {CACHED}") from None
    except BrokenExecutor:
        raise InputError(f"{checker.signature} has crashed; {CACHED}") from None


def _check_and_cache(checker: Checker, cache: Cache, sentences: list[str]) -> dict[str, str]:
    """The worker itself caches the errors: when another one crashes, joblib loses what is on its way back."""
    errors = _check_block(checker, sentences)
    cache.put_many(errors)
    return errors


def _check_block(checker: Checker, sentences: list[str]) -> dict[str, str]:
    """Sentences with their errors as text."""
    return {sentence: _errors_as_text(checker, sentence) for sentence in sentences}


def _errors_as_text(checker: Checker, sentence: str) -> str:
    normal = detokenize(sentence.split())
    try:
        findings = checker.find(normal.text)
    except (InputError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic in Rust is none of Python's exceptions
        raise InputError(f"{checker.signature} fails at {sentence[:60]!r}: {first_line(error)}") from None
    return json.dumps([[*normal.tokens_in(start, end), rule, category] for start, end, rule, category in findings])


CHECKERS = Plugins(
    kind="grammar checker",
    group="gecval.checkers",
    built_in={
        "lingotweaker": "gecval.models.checkers:LingoTweaker",
        "harper": "gecval.models.checkers:Harper",
        "languagetool": "gecval.models.languagetool:own_server",
    },
)
NEEDS = ("signature", "language", "isolated", "find")


def checker(name: str, *, run: Run = HERE) -> Checker:
    """The checker of this name, the LanguageTool server at this URL, or the counts in this file.

    >>> checker("harpr")
    Traceback (most recent call last):
    gecval.errors.InputError: there is no grammar checker 'harpr'; did you mean harper?
    """
    from gecval.models.languagetool import LanguageToolServer, own_server

    if name.startswith(("http://", "https://")):
        return LanguageToolServer(name.rstrip("/"))
    if CHECKERS.canonical(name) == "languagetool":  # it tells how far its download is
        return own_server(run)
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
        return f"lingotweaker:{_find_version('lingotweaker')}|en:{_find_version('lingotweaker-data-en')}"

    def find(self, text: str) -> list[CheckerFinding]:
        data = text.encode()  # places are told in bytes

        def characters(size: int) -> int:
            return len(data[:size].decode(errors="ignore"))

        return [
            CheckerFinding(
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
        return f"harper:{_find_version('harper-py')}"

    def find(self, text: str) -> list[CheckerFinding]:
        by_rule = _harper().organized_lints(text, language="plaintext")
        return [
            CheckerFinding(lint.span.start, lint.span.end, rule=rule, category=lint.lint_kind)
            for rule, lints in by_rule.items()
            for lint in lints
        ]


@lru_cache
def _harper() -> Any:
    return import_module("harper").Linter()


def _find_version(distribution: str) -> str:
    """The version of a package that the extra [grammar] brings."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        raise MissingExtraError(f"checking grammar ({distribution})", "grammar") from None


# Counts of errors made elsewhere, by a checker that not everybody has: lines of a count, a tab and the sentence.


MOST_ERRORS = 1_000_000  # in a sentence


@dataclass(frozen=True)
class CountsFile:
    """A checker that only looks up how many errors a sentence has."""

    isolated: ClassVar[bool] = False
    language: ClassVar[str | None] = None  # any
    path: str

    @property
    def signature(self) -> str:
        return f"counts:{self._read()[0]}"

    def find(self, text: str) -> list[CheckerFinding]:
        _, counts = self._read()
        try:
            count = counts["".join(text.split())]
        except KeyError:
            raise InputError(f"{self.path} has no count for {text[:60]!r}") from None
        return [CheckerFinding(0, len(text), rule="counted", category="counted")] * count

    def _read(self) -> tuple[str, dict[str, int]]:
        return _read_counts(self.path, str(Path(self.path).resolve()))


@lru_cache
def _read_counts(path: str, resolved: str) -> tuple[str, dict[str, int]]:
    """A hash of the file, and counts by sentence without its blanks: tokenised or not, it is the same sentence."""
    file = Path(resolved)
    counts = {}
    for number, line in enumerate(read_lines(file), start=1):
        count, tab, sentence = line.partition("\t")
        digits = count.strip()
        if not (tab and digits.isdecimal() and len(digits) <= len(str(MOST_ERRORS)) and int(digits) <= MOST_ERRORS):
            raise InputError(f"{path}, line {number}: not a count, a tab and a sentence")
        counts["".join(sentence.split())] = int(digits)
    return hashlib.sha256(read_bytes(file)).hexdigest()[:8], counts
