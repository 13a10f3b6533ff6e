"""Everyday mistakes with files of outputs, planted in real ones: who notices them, and who fixes them?

``PYTHONPATH=tests python -m mistakes`` prints two tables of docs/doctor.md. It takes minutes and needs the real data.
"""

from __future__ import annotations

import html
import json
import os
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gecval import Corpus, doctor, load_corpus, load_systems, score
from gecval.corpus import System
from gecval.corpus.mismatch import check_lines, is_copy
from gecval.formats.debris import fix_output
from gecval.studies.scores.input_notes import input_notes
from real_sets import read_sets

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
    Mistake(
        "`The sentence is already correct.`",
        _each(lambda *_: "The sentence is already correct."),
        "answers such as 'The sentence is correct'",
        "answers",
        FEW,
    ),
    Mistake("`None`", _each(lambda *_: "None"), "None in place of text", "none", FEW),
    Mistake("`(Note: …)`", _wrap("", " (Note: I changed the verb.)"), "comments after the sentence", "comments", FEW),
    Mistake("quotes around the line", _wrap('"', '"'), "lines in quotes", "quoted", FEW),
    Mistake("bold", _wrap("**", "**"), "Markdown", "markdown", FEW),
    Mistake("code fences", _wrap("```text ", " ```"), "Markdown", "markdown", FEW),
    Mistake("JSON", _each(lambda line, _: json.dumps({"corrected": line})), "lines of JSON", "json", FEW),
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


# The table: each mistake in outputs of CoNLL-14

SYSTEMS = ["AMU", "CAMB", "CUUI", "NTHU", "POST", "RAC"]
Said = tuple[bool, bool, bool]  # by score, by doctor, by the board


def table(data: Path) -> Iterator[list[str]]:
    """A row for each mistake: in how many outputs it is noticed, and the share of damaged lines that are restored."""
    corpus = load_corpus(None, [data / "conll14/official-2014.combined.m2"])
    sound = load_systems([data / "conll14/systems" / name for name in SYSTEMS], corpus)
    if any(said for system in sound for said in _ask(corpus, system, "")):
        raise SystemExit("a sound output has a note")
    yield ["mistake", "`score`", "`doctor`", "board", "lines restored"]
    for mistake in MISTAKES:
        noticed: list[Said] = []
        damaged = restored = 0
        for seed, system in enumerate(sound):
            wrong = corpus.system(system.name, plant(mistake, system.hypotheses, corpus.sources, seed))
            noticed.append(_ask(corpus, wrong, mistake.finding))
            fixed = fix_output(corpus, wrong, [mistake.fix])
            for before, after, right in zip(wrong.hypotheses, fixed.hypotheses, system.hypotheses, strict=True):
                damaged += before != right
                restored += before != right and after == right
        counts = [f"{sum(column)}/{len(sound)}" for column in zip(*noticed, strict=True)]
        yield [
            mistake.name + ", 1 line in 50" * (mistake.share == FEW),
            *counts,
            f"{restored / damaged:.0%}" if mistake.fix else "–",
        ]


def _ask(corpus: Corpus, system: System, finding: str) -> Said:
    """Whether ``score`` has a note, ``doctor`` this finding, and the page of a submission to a board a note."""
    from gecval.board.benchmark_data import without_references  # needs the board's extra

    notes = score(corpus, [system], ["m2"]).notes
    by_score = [note for note in notes if "lattice" not in note]  # M2's own note on sentences that are too unlike
    by_doctor = [found.kind for found in doctor(corpus, [system])]
    by_board = list(input_notes(without_references(corpus), [system]))
    return bool(by_score), finding in by_doctor, bool(by_board)


# The second table: files that do not belong together, in every real output

LONG = 150  # lines; in fewer there is no room for a shift
TRIALS = 4  # of what is random


def _shift_by(later: int, by: int = 1) -> Plant:
    return lambda lines, _, rng: lose_and_double(lines, rng.randrange(len(lines) - later - by), later=later, by=by)


def _shift_rest(lines: list[str], _: list[str], rng: random.Random) -> list[str]:
    k = rng.randrange(len(lines) // 2)
    return [*lines[: k + 1], *lines[k:-1]]


_WHOLE = {mistake.name: mistake.plant for mistake in MISTAKES[:7]}
MISFITS: dict[str, Plant] = {
    **{name: plant for name, plant in _WHOLE.items() if plant is not _shift},
    "a line doubled in the first half, the last one lost": _shift_rest,
    **{f"1 line lost, one doubled {later} lines later": _shift_by(later) for later in (100, 50, 30, 20, 15, 10)},
    "5 lines lost, 5 doubled 20 lines later": _shift_by(20, by=5),
}


def misfit_table(data: Path) -> Iterator[list[str]]:
    """In how many trials each of these faults is noticed, and where it was not."""
    noticed: dict[str, Counter[str]] = {name: Counter() for name in MISFITS}
    tried: dict[str, Counter[str]] = {name: Counter() for name in MISFITS}
    for given in read_sets(data):
        sources = list(given.corpus.sources)
        for system in given.systems:
            if len(system.hypotheses) < LONG:
                continue
            for name, plant_it in MISFITS.items():
                for seed in range(TRIALS):
                    wrong = plant_it(list(system.hypotheses), sources, random.Random(f"{system.name}:{seed}"))
                    noticed[name][given.name] += is_copy(wrong, sources) or check_lines(wrong, sources) is not None
                    tried[name][given.name] += 1
    yield ["fault", "trials", "noticed", "not noticed in"]
    for name, counts in noticed.items():
        trials = tried[name].total()
        missed = [f"{where} ({number})" for where, number in (tried[name] - counts).most_common()]
        yield [name, str(trials), f"{counts.total() / trials:.1%}", ", ".join(missed) or "–"]


def _print(rows: Iterator[list[str]]) -> None:
    for number, row in enumerate(rows):
        print("|", " | ".join(row), "|", flush=True)
        if number == 0:
            print("|---" * len(row) + "|")


if __name__ == "__main__":
    _print(table(Path(os.environ["GECVAL_DATA"])))
    print()
    _print(misfit_table(Path(os.environ["GECVAL_DATA"])))
