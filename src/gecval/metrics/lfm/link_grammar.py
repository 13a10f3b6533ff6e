"""Link grammar: does a sentence have a complete linkage, one that leaves no word out?

The program ``link-parser`` (in Debian: the package link-grammar) reads one sentence a line. It repeats the sentence and
says how many words a linkage leaves unused. The cache keeps the answers. A sentence that takes longer than some
seconds, or is too long for the program, has no linkage.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from gecval.errors import InputError
from gecval.models.cache import open_cache
from gecval.runtime.run import SERIAL, Run, announce
from gecval.runtime.threads import in_threads

PROGRAM = "link-parser"
REMEDY = "install it (in Debian: apt install link-grammar), or leave the features 'link' out"
BLOCK = 64  # sentences; what an interrupt may cost
PATIENCE_S = 2  # for a sentence
LONGEST = 2000  # bytes; at a line of more than 2046 the program ends
OPTIONS = ("-graphics=0", "-echo=1", "-spell=0", "-null=0", "-panic=0", f"-timeout={PATIENCE_S}")


class LinkGrammar:
    """English as link-parser's own dictionary has it."""

    @property
    def signature(self) -> str:
        return f"link-grammar:{_version()}|{PATIENCE_S}s"

    def complete(self, texts: Sequence[str], *, run: Run = SERIAL) -> list[bool]:
        """Whether each text has a complete linkage; ``jobs`` programs look for one at the same time."""

        def ask(texts: list[str]) -> Iterable[dict[str, str]]:
            announce(run.progress, "linking words")
            blocks = [texts[start : start + BLOCK] for start in range(0, len(texts), BLOCK)]
            return in_threads(_complete, blocks, jobs=run.threads)

        answers = open_cache(f"linkage-1|{self.signature}").answers(texts, ask, run=run)
        return [answers[text] == "1" for text in texts]


def link_grammar_installed() -> bool:
    try:
        return bool(_version())
    except InputError:
        return False


@lru_cache
def _version() -> str:
    match = re.search(r"link-grammar-(\S+)", _run("--version"))
    if match is None:
        raise InputError(f"{PROGRAM} does not tell its version; {REMEDY}")
    return match[1]


def _complete(texts: Sequence[str]) -> dict[str, str]:
    """Texts with "1" or "0"."""
    # To the program a line that starts with ! or % is a command or a comment.
    lines = [text.lstrip("!% ") or "." if len(text.encode(errors="replace")) <= LONGEST else "." for text in texts]
    said = _run("en", *OPTIONS, text="\n".join([*lines, ""])).split("\n")
    places = [0]
    for number, line in enumerate(lines):
        try:
            places.append(said.index(line, places[-1]) + 1)
        except ValueError:
            raise InputError(f"{PROGRAM} has answered for {number} of {len(lines)} sentences only") from None
    answers = [said[start:end] for start, end in pairwise([*places[1:], len(said)])]
    complete = [any("UNUSED=0" in line for line in answer) for answer in answers]
    return {text: str(int(is_complete)) for text, is_complete in zip(texts, complete, strict=True)}


def _run(*arguments: str, text: str = "") -> str:
    try:
        done = subprocess.run(
            [PROGRAM, *arguments],
            input=text.encode(errors="replace"),
            capture_output=True,
            env=os.environ | {"LC_ALL": "C.UTF-8"},
            timeout=60 + 2 * PATIENCE_S * BLOCK,
            check=True,
        )
    except FileNotFoundError:
        raise InputError(f"there is no program {PROGRAM}: {REMEDY}") from None
    except (subprocess.SubprocessError, OSError) as error:
        raise InputError(f"{PROGRAM} fails ({error}); {REMEDY}") from None
    return done.stdout.decode(errors="replace")
