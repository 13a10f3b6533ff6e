"""Grammar checkers: sentences in, errors with rule and category out. The cache keeps the errors of every sentence.

A sentence comes as tokens between blanks. A checker sees normal text, and its findings are turned into tokens again.
Checkers that may crash or hang work in processes of their own, so the work done before is not lost.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from multiprocessing import TimeoutError as MultiprocessingTimeoutError
from typing import ClassVar, NamedTuple, Protocol

from gecval.errors import InputError
from gecval.models.cache import Cache, open_cache
from gecval.models.detokenize import detokenize
from gecval.processes import in_processes
from gecval.progress import Progress, announce, silent

LANGUAGE = "en-US"
BLOCK = 64  # sentences; what an interrupt may cost
PATIENCE_S = 180.0  # for a block, starting the checker included; a sound one needs a hundredth of it
KEPT = "what was found before is kept"


class Finding(NamedTuple):
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

    def find(self, text: str) -> list[Finding]:
        """The errors of one text, as places in it."""


def check(
    checker: Checker, sentences: Sequence[str], *, jobs: int = 1, progress: Progress = silent
) -> list[tuple[GrammarError, ...]]:
    """The errors of each sentence."""
    cache = open_cache(f"grammar-1|{checker.signature}")
    keys = [" ".join(sentence.split()) for sentence in sentences]

    def ask(new: list[str]) -> Iterator[dict[str, str]]:
        announce(progress, f"checking grammar with {checker.signature.partition(':')[0]}")
        blocks = [new[start : start + BLOCK] for start in range(0, len(new), BLOCK)]
        if checker.isolated:
            return _in_processes(checker, blocks, cache, jobs=jobs)
        return (_check_block(checker, block) for block in blocks)

    known = cache.answers(filter(None, keys), ask, progress=progress)
    # Outputs share most of their sentences, and most of these are without an error.
    errors = {value: tuple(GrammarError(*error) for error in json.loads(value)) for value in {"[]", *known.values()}}
    return [errors[known[key] if key else "[]"] for key in keys]


def _in_processes(checker: Checker, blocks: list[list[str]], cache: Cache, *, jobs: int) -> Iterator[dict[str, str]]:
    # With one job, joblib would stay in this process, where nothing stops a checker that hangs. So there are at least
    # two; pre_dispatch keeps only as many busy as the user wants.
    try:
        yield from in_processes(
            partial(_check_and_keep, checker, cache),
            blocks,
            jobs=max(2, jobs),
            pre_dispatch=jobs,
            batch_size=1,
            timeout=PATIENCE_S,
        )
    except MultiprocessingTimeoutError:
        raise InputError(f"{checker.signature} has not answered for {PATIENCE_S:.0f} s; {KEPT}") from None
    except import_module("joblib.externals.loky.process_executor").TerminatedWorkerError:
        raise InputError(f"{checker.signature} has crashed; {KEPT}") from None


def _check_and_keep(checker: Checker, cache: Cache, sentences: list[str]) -> dict[str, str]:
    """The worker itself keeps the errors: when another one crashes, joblib loses what is on its way back."""
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
        message = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"{checker.signature} fails at {sentence[:60]!r}: {message}") from None
    return json.dumps([[*normal.tokens_in(start, end), rule, category] for start, end, rule, category in findings])
