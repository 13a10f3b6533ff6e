"""A law over all verbs: every option changes something or is refused.

Each verb is called in all its ways (``WAYS``), with and without each of its options (``VALUES``). What is printed or
written must differ, or the option must be refused. A new option without a value here fails the first test.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import click
import pytest

from gecval.cli import VERBS, cli
from gecval.sample import load_sample

JUDGMENTS = [
    {"sentence": 1, "judge": "anna", "ranks": {"good": 1, "wild": 3, "copy": 2}},
    {"sentence": 2, "judge": "anna", "ranks": {"good": 2, "wild": 1, "copy": 3}},
    {"sentence": 4, "judge": "ben", "ranks": {"good": 1, "wild": 3, "copy": 3, "INPUT": 3}},
]
CROWD = ["source\tcorrection"]
CROWD += [f"he go home\the {verb} home" for verb in ("goes", "goes", "went", "is going", "go")]
CROWD += [f"she like it\tshe {verb} it" for verb in ("likes", "likes", "liked", "loves", "prefers")]
CROWD += [f"word{i} are here\tword{i} {verb} here" for i in range(8) for verb in ("is", "was", "is", f"will{i % 3}")]
CROWD += [f"fine then\t{text}" for text in ("fine then", "fine then", "fine , then", "fine then", "well then")]

PEOPLE = {"correlations": [{"metric": name, "spearman": {"value": 0.5}} for name in ("gleu", "sari", "m2")]}

# The ways in which a verb is called. An option is tried in all of them. A way may be refused without the option.
SYSTEMS = "good.txt copy.txt wild.txt"
HUMAN = "human judged.jsonl --ranking expected-wins"
OUTPUTS = "--systems good.txt --systems wild.txt --systems copy.txt -r gold.m2"
TEXTS = "--systems good.txt --systems wild.txt --systems copy.txt -s src.txt -r ref0.txt"
TOO_FEW = "--systems good.txt --systems wild.txt -r gold.m2"
MAEGE = "maege gaps.m2 -r learners.m2 -m gleu -m sari"
WAYS = {
    "score": [
        f"score {SYSTEMS} -r gold.m2 -m m2",
        f"score {SYSTEMS} -r gold.m2 -m m2 -m gleu --confidence",
        f"score {SYSTEMS} -r gold.m2 -m accuracy --sentences",
        f"score {SYSTEMS} -s src.txt -r ref0.txt -m errant",
        f"score {SYSTEMS} -s src.txt -r ref0.txt -m errant --by-type",
        f"score {SYSTEMS} -s src.txt -r ref0.txt -m m2",
    ],
    "compare": [
        f"compare {SYSTEMS} -r gold.m2 -m gleu",
        f"compare {SYSTEMS} -r gold.m2 -m m2 --all-pairs",
        f"compare {SYSTEMS} -s src.txt -r ref0.txt -m m2",
        f"compare {SYSTEMS} -s src.txt -r ref0.txt -m errant",
        f"compare {SYSTEMS} -s src.txt -r ref0.txt -m errant --by-type",
    ],
    "annotate": ["annotate src.txt ref0.txt -o out.m2", "annotate ukrainian.txt ukrainian.txt -o out.m2"],
    "convert": ["convert gold.m2 -o out"],
    "maege": [MAEGE, f"{MAEGE} --replicates 2 --by-type", "maege gaps.m2 -r thorough.txt -m m2"],
    "human": [
        f"{HUMAN} --resamples 20",
        f"{HUMAN} --resamples 20 {OUTPUTS} -m m2",
        f"{HUMAN} --resamples 20 {TEXTS} -m m2",
        f"{HUMAN} --resamples 20 {TOO_FEW} -m m2",
        "human judged.jsonl --ranking trueskill --runs 2",
        f"{HUMAN} again.jsonl --resamples 20",
    ],
    "coverage": [
        "coverage crowd.tsv --references 3",
        "coverage crowd.tsv -m gleu --references 3 --sentences 20 --correct 2",
        "coverage -s src.txt -r ref0.txt -r ref1.txt",
        f"coverage {SYSTEMS} -s src.txt -r ref0.txt -r ref1.txt -m gleu",
        f"coverage {SYSTEMS} -r gold.m2 -m accuracy --missing-annotator agreed",
        f"coverage {SYSTEMS} -s src.txt -r ref0.txt -r ref1.txt -m m2",
    ],
    "undercorrection": [
        f"undercorrection {SYSTEMS} -s src.txt -r ref0.txt -r ref1.txt",
        f"undercorrection {SYSTEMS} -s src.txt -r ref0.txt -r ref1.txt --rerank max-sari",
        f"undercorrection {SYSTEMS} -s src.txt -r ref0.txt -r ref1.txt --rerank m2",
        f"undercorrection {SYSTEMS} -r gold.m2 --annotator 1 --missing-annotator agreed",
    ],
    "reproduce": ["reproduce"],
    "data list": ["data list"],
    "data where": [],
    "data fetch": [],
    "lfm train": [],
    "metrics": ["metrics"],
    "demo": ["demo"],
}

# What to add to a command for each option. Options of several verbs that mean the same stand once.
VALUES = {
    "--format": "--format markdown",
    "--output": "-o other.out",
    "--percent": "--percent",
    "--digits": "--digits 2",
    "--compact": "--compact",
    "--source": "-s other.txt",
    "--reference": "-r ref2.txt",
    "--missing-annotator": "--missing-annotator unchanged",
    "--metric": "-m ld",
    "--aggregate": "--aggregate mean",
    "--edits": "--edits plain",
    "--confidence": "--confidence",
    "--clusters": "--clusters",
    "--sentences": "--sentences",
    "--by-type": "--by-type",
    "--detail": "--detail full",
    "--parts": ("--parts", "--no-parts"),
    "--resamples": "--resamples 37",
    "--level": "--level 0.6",
    "--interval-method": "--interval-method percentile",
    "--seed": "--seed 7",
    "--lang": ("--lang uk", "--lang en"),
    "--plot": "--plot plot.svg",
    "--scale": "--plot plot.png --scale 1",
    "--all-pairs": "--all-pairs",
    "--correction": ("--correction holm", "--correction none"),
    "--plain": "--plain",
    "--preset": "--preset tools",
    "--replicates": "--replicates 3",
    "--ties": "--ties discordant",
    "--chains": "--chains 2",
    "--models": "--models 0,1,3",
    "--keep-unchanged": "--keep-unchanged",
    "--human": "--human human.json",
    "--checkpoint": "--checkpoint kept.jsonl",
    "--systems": "--systems copy.txt",
    "--sweep": "--sweep gleu ld",
    "--scope": "--scope all",
    "--without": "--without wild",
    "--window": "--window 3",
    "--combined": "--combined",
    "--skip-judge": "--skip-judge ben",
    "--ranking": ("--ranking trueskill --runs 2", "--ranking expected-wins"),
    "--human-ties": "--human-ties both-win",
    "--opponents": "--opponents beaten",
    "--unit": "--unit pairs",
    "--runs": "--runs 3",
    "--references": "--references 2",
    "--correct": "--correct 3",
    "--once": "--once",
    "--drop-unchanged": "--drop-unchanged 2",
    "--alpha": "--alpha 0.5",
    "--annotator": ("--annotator 1", "--annotator 0"),
    "--types": "--types plain",
    "--rerank": ("--rerank max-sari", "--rerank gleu"),
    "--repetitions": "--repetitions 3",
}
# Where a verb gives an option another meaning.
OWN = {
    ("maege", "--reference"): "-r overeager.txt",
    ("maege", "--preset"): "--preset paper",
    ("maege", "--source"): "--source original",
    ("maege", "--plot"): "--plot corpora plot.svg",
    ("maege", "--scale"): "--plot corpora plot.png --scale 1",
    ("maege", "--human"): "--plot human plot.svg --human human.json",
    ("human", "--ties"): "--ties wrong",
    ("human", "--aggregate"): "--aggregate mean",
    ("human", "--combined"): "--combined",
    ("coverage", "--unit"): "--unit index",
    ("coverage", "--sentences"): "--sentences 30",
    ("coverage", "--reference"): "-r ref2.txt",
    # Only the annotator that is asked for counts, unless outputs are re-ranked.
    ("undercorrection", "--reference"): ("-r ref2.txt --annotator 2", "-r ref2.txt"),
    ("convert", "--output"): "-o other.m2",
    ("annotate", "--output"): "-o other.m2",
    ("annotate", "--edits"): "--edits plain",
}
# These change how fast something is done, where, or what is said meanwhile, and no result.
HOW_NOT_WHAT = {"--jobs", "--device", "--batch-size", "--quiet", "--checkpoint"}
# Verbs that need a network, models or the papers' data have their tests, of every option, in these files.
ELSEWHERE = {
    "data where": "test_data_command.py",
    "data fetch": "test_data_command.py",
    "lfm train": "test_lfm_command.py",
    "reproduce": "test_reproduce_command.py",
}


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every verb, and the verbs of groups."""
    for name in VERBS:
        verb = cli.get_command(click.Context(cli), name)
        assert verb is not None
        if isinstance(verb, click.Group):
            yield from ((f"{name} {inner}", command) for inner, command in verb.commands.items())
        else:
            yield name, verb


def options(command: click.Command) -> list[str]:
    return [max(option.opts, key=len) for option in command.params if isinstance(option, click.Option)]


FLAGS = {
    (verb, max(option.opts, key=len))
    for verb, command in commands()
    for option in command.params
    if isinstance(option, click.Option) and option.is_flag
}
CASES = [
    (verb, option)
    for verb, command in commands()
    for option in options(command)
    if verb not in ELSEWHERE and option not in HOW_NOT_WHAT
]


def test_every_option_of_every_verb_is_tried() -> None:
    by_verb = {verb: set(options(command)) for verb, command in commands()}
    assert set(WAYS) == set(by_verb)
    tried = set(VALUES) | HOW_NOT_WHAT
    unknown = {verb: names - tried for verb, names in by_verb.items() if verb not in ELSEWHERE}
    assert {verb: names for verb, names in unknown.items() if names} == {}, "give each new option a value in VALUES"
    assert set(VALUES) - set().union(*by_verb.values()) == set(), "these options are gone"
    for verb, file in ELSEWHERE.items():
        text = (Path(__file__).parent / file).read_text("utf-8")
        special = by_verb[verb] - set(VALUES) - HOW_NOT_WHAT
        assert all(option in text for option in special), f"{file} tries {special}"


def without_every_other_line(gold: str, *, annotator: int) -> str:
    """An M2 file in which an annotator has no line for every other sentence."""
    blocks = gold.strip("\n").split("\n\n")
    for i, block in enumerate(blocks):
        if i % 2:
            blocks[i] = "\n".join(line for line in block.split("\n") if not line.endswith(f"|||{annotator}"))
    return "\n\n".join(blocks) + "\n\n"


@pytest.fixture
def small_files(folder: Path) -> Path:
    """What all ways need, beside the small corpus."""
    (folder / "judged.jsonl").write_text("".join(f"{json.dumps(item)}\n" for item in JUDGMENTS))
    (folder / "crowd.tsv").write_text("".join(f"{line}\n" for line in CROWD))
    gold = (files("gecval") / "sample" / "learners.m2").read_text()
    (folder / "learners.m2").write_text(gold)
    (folder / "gaps.m2").write_text(without_every_other_line(gold, annotator=2))
    (folder / "again.jsonl").write_text("".join(f"{json.dumps(item)}\n" for item in JUDGMENTS[::-1]))
    (folder / "human.json").write_text(json.dumps(PEOPLE))
    for system in load_sample()[1]:
        (folder / f"{system.name}.txt").write_text("".join(f"{line}\n" for line in system.hypotheses))
    (folder / "ref2.txt").write_text("They went away .\nShe liked apples .\nFine !\nI have a cat .\n")
    (folder / "ukrainian.txt").write_text(
        "Вона любить яблука і груші .\nЯ не знаю , що це таке .\nДобре , дякую вам .\n" * 4
    )
    (folder / "other.txt").write_text("He go home .\nShe like an apple .\nFine ,\nI has two cat !\n")
    return folder


@pytest.mark.parametrize(("verb", "option"), CASES)
def test_every_option_changes_something_or_is_refused(gecval, small_files: Path, verb: str, option: str) -> None:
    outcomes = {
        way: min(outcome(gecval, small_files, way, value) for value in values(verb, option))
        for way in WAYS[verb]
        if not ((verb, option) in FLAGS and option in way.split())
    }
    assert [way for way, said in outcomes.items() if said == NOTHING] == []
    assert SOMETHING in outcomes.values(), outcomes


def values(verb: str, option: str) -> tuple[str, ...]:
    """What to add to a command; where there are several, one of them must change something."""
    value = OWN.get((verb, option)) or VALUES[option]
    return (value,) if isinstance(value, str) else value


# In this order: the best of several values counts.
SOMETHING, REFUSED, NOTHING = "1 something", "2 refused", "3 nothing"


def outcome(gecval, folder: Path, way: str, more: str) -> str:
    """Whether a command with an option changes something, is refused, or changes nothing."""
    if way not in _BEFORE:
        _BEFORE[way] = seen(gecval, folder, way)
    after = seen(gecval, folder, f"{way} {more}")
    if after[0] == 2:
        return f"{REFUSED}: {after[2]}"
    return NOTHING if _BEFORE[way] == after else SOMETHING


_BEFORE: dict[str, tuple[object, ...]] = {}


def seen(gecval, folder: Path, command: str) -> tuple[object, ...]:
    """Status, what is printed, and what is written."""
    known = {path for path in folder.rglob("*") if path.is_file()}
    status, out, err = gecval(command)
    written = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path not in known}
    for path in written:
        path.unlink()
    here = str(folder)
    printed = [text.replace(here, "") for text in (out, err)]
    return status, *printed, {str(path.relative_to(folder)): content for path, content in written.items()}
