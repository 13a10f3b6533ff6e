"""Everyday mistakes with files of outputs, planted in real ones: who notices them, and who fixes them?

``PYTHONPATH=tests python -m mistakes`` prints the table of docs/doctor.md. It takes minutes and needs the real data.
``--tree FOLDER`` asks another source tree, such as an older one; it is asked through the command line alone.
"""

from __future__ import annotations

import html
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Plant = Callable[[list[str], list[str], random.Random], list[str]]
FRENCH = "Le chat est sur la table et il regarde les oiseaux du jardin ."
SPOKEN = "Je ne sais pas si la réponse numéro {} est celle que vous avez donnée dans le livre de votre ami ."


@dataclass(frozen=True)
class Mistake:
    """A mistake: what it makes of an output. ``share`` is the share of lines that have it; the rest stays."""

    name: str
    plant: Plant
    finding: str  # what the doctor calls it
    fix: str = ""
    share: float = 1.0


def _each(change: Callable[[str, str], str]) -> Plant:
    return lambda lines, sources, _: [change(line, source) for line, source in zip(lines, sources, strict=True)]


def _wrap(before: str, after: str = "") -> Plant:
    return _each(lambda line, _: f"{before}{line}{after}")


def lose_and_double(lines: list[str], start: int, *, later: int, by: int = 1) -> list[str]:
    """Some lines are lost, and as many doubled later: those between stand too early."""
    end = start + later
    return [*lines[:start], *lines[start + by : end + by], *lines[end : end + by], *lines[end + by :]]


def _shift(lines: list[str], _: list[str], rng: random.Random) -> list[str]:
    return lose_and_double(lines, rng.randrange(len(lines) - 22), later=20)


def _without_first_word(line: str, source: str) -> str:
    words = line.split()
    return " ".join(["<unk>" if k == len(words) // 2 else word for k, word in enumerate(words)])


def _bpe(line: str, _: str) -> str:
    return " ".join(f"{word[:3]}@@ {word[3:]}" if len(word) > 5 else word for word in line.split())


def _pieces(line: str, _: str) -> str:
    return " ".join(f"▁{word[:4]} {word[4:]}" if len(word) > 6 else f"▁{word}" for word in line.split())


def _half(line: str, source: str) -> str:
    words = line.split()
    return " ".join(words[: len(words) // 2])


def _without_stop(line: str, _: str) -> str:
    return re.sub(r"\s*[.!?。！？।؟…]+$", "", line)


def _smart(line: str, _: str) -> str:
    return line.replace(' "', " “").replace('"', "”").replace("'", "’")


def _ptb(line: str, _: str) -> str:
    return re.sub(r'(^| )"', r"\1``", line).replace('"', "''").replace("(", "-LRB-").replace(")", "-RRB-")


FEW = 0.02
MISTAKES = [
    Mistake("lines shuffled", lambda lines, _, rng: rng.sample(lines, len(lines)), "lines in another order", "lines"),
    Mistake("lines in reverse order (`tac`)", lambda lines, *_: lines[::-1], "lines in reverse order", "lines"),
    Mistake("a line lost, one doubled 20 lines later", _shift, "shifted lines", "lines"),
    Mistake("the same line everywhere", lambda lines, *_: [FRENCH] * len(lines), "the same text in most lines"),
    Mistake("an empty output", lambda lines, *_: [""] * len(lines), "most lines are empty", "empty"),
    Mistake(
        "an output in another language",
        lambda lines, *_: [SPOKEN.format(n) for n in range(len(lines))],
        "text in another language",
    ),
    Mistake("the source as output", lambda _, sources, __: list(sources), "copy of the source"),
    Mistake("chat preambles", _wrap("Sure! Here is the corrected text: "), "chat preambles", "preambles", FEW),
    Mistake("`Corrected:`", _wrap("Corrected: "), "chat preambles", "preambles", FEW),
    Mistake(
        "refusals",
        _each(lambda *_: "I'm sorry, but I can't help with that request."),
        "refusals",
        "refusals",
        FEW,
    ),
    Mistake("`None`", _each(lambda *_: "None"), "None in place of text", "none", FEW),
    Mistake("`(Note: …)`", _wrap("", " (Note: I changed the verb.)"), "comments after the sentence", "comments", FEW),
    Mistake("quotes around the line", _wrap('"', '"'), "lines in quotes", "quoted", FEW),
    Mistake("bold", _wrap("**", "**"), "Markdown", "markdown", FEW),
    Mistake("bullets", _wrap("- "), "lines with bullets", "bullets", FEW),
    Mistake(
        "numbered lines",
        lambda lines, _, __: [f"{number}. {line}" for number, line in enumerate(lines, start=1)],
        "numbered lines",
        "numbering",
        FEW,
    ),
    Mistake("`<s>`", _wrap("<s> ", " </s>"), "marks of a model", "model-marks", FEW),
    Mistake("`<unk>`", _each(_without_first_word), "unknown words", "unknown", FEW),
    Mistake("SentencePiece", _each(_pieces), "SentencePiece", "sentencepiece", FEW),
    Mistake("BPE", _each(_bpe), "BPE pieces", "bpe", FEW),
    Mistake("every sentence twice", _each(lambda line, _: f"{line} {line}"), "sentences twice", "doubled", FEW),
    Mistake("cut off", _each(_half), "lines that are cut off", "", FEW),
    Mistake("no final stop", _each(_without_stop), "lines without the final stop", "final-stop"),
    Mistake("lower case", _each(lambda line, _: line.lower()), "lines without capitals", "lowercase"),
    Mistake("curly quotes", _each(_smart), "curly quotes", "smart-quotes"),
    Mistake("PTB quotes", _each(_ptb), "quotes of the Penn Treebank", "ptb-quotes"),
    Mistake(
        "HTML entities",
        _each(lambda line, _: html.escape(line).replace("&#x27;", "&apos;")),
        "character entities",
        "entities",
    ),
    Mistake("no-break spaces", _each(lambda line, _: line.replace(" ", "\u00a0", 1)), "other blanks", "blanks", FEW),
]


def plant(mistake: Mistake, lines: Sequence[str], sources: Sequence[str], seed: int) -> list[str]:
    """The output with this mistake, in its share of the lines."""
    rng = random.Random(seed)
    changed = mistake.plant(list(lines), list(sources), rng)
    if mistake.share == 1:
        return changed
    chosen = set(rng.sample(range(len(lines)), max(3, round(mistake.share * len(lines)))))
    return [new if i in chosen else line for i, (new, line) in enumerate(zip(changed, lines, strict=True))]
