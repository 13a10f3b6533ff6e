"""A law over all verbs: every option changes something, or a note says that it does not, or it is refused.

Each verb is called in all its ways (``WAYS``), with and without each of its options (``VALUES``). What is printed or
written must differ, or a note or a refusal must say that the option changes nothing. A new option without a value here
fails the first test.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from command_line import IDLE
from gecval.cli.board import PLACE
from gecval.cli.common import COMMON, names_used
from gecval.cli.program import cli, entries
from ways import WAYS, write_small_files

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
    "--lenient": "--lenient",
    "--metric": "-m ld",
    "--aggregate": "--aggregate mean",
    "--edits": "--edits plain",
    "--ci": "--ci",
    "--clusters": "--clusters",
    "--table": "--table paper",
    "--full": "--full",
    "--sentences": "--sentences",
    "--by-type": "--by-type",
    "--detail": "--detail full",
    "--parts": ("--parts", "--no-parts"),
    "--resamples": "--resamples 37",
    "--level": "--level 0.6",
    "--interval-method": "--interval-method percentile",
    "--seed": "--seed 7",
    "--lang": ("--lang uk", "--lang en"),
    "--tokenize": "--tokenize char",
    "--parses": "--parses all.conllu --lang eo",
    "--words": ("--parses all.conllu --lang eo --words words.txt", "--parses all.conllu --words words.txt"),
    "--plot": "--plot plot.svg",
    "--plot-size": "--plot plot.png --plot-size 1",
    "--all-pairs": "--all-pairs",
    "--correction": ("--correction holm", "--correction none"),
    "--deciding": "--deciding 2",
    "--until": "--until significance",
    "--fail-if-worse": "--fail-if-worse 'accuracy: 0.2 @ 0.9'",
    "--looks": "--looks looks.json",
    "--planned-looks": "--fail-if-worse 'accuracy: 0.2 @ 0.9' --looks looks.json --planned-looks 5",
    "--test": "--test larger",
    "--family": "--family metric",
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
    "--keep-rejected": "--keep-rejected",
    "--validity": "--validity valid.tsv",
    "--alpha": "--alpha 0.5",
    "--annotator": ("--annotator 1", "--annotator 0"),
    "--types": "--types plain",
    "--far": "--far 0",
    "--judged": "--judged judged-edits.jsonl",
    "--beta": "--beta 2",
    "--count": "--count 1",
    "--fix": "--fix all",
    "--realign": "--realign",
    "--strict": "--strict",
    "--passport": "--passport made.passport",
    "--rerank": ("--rerank max-sari", "--rerank gleu"),
    "--repetitions": "--repetitions 3",
    "--method": ("--method add-one-in", "--method leave-one-out"),
    "--sentence": "--sentence 3",
    "--top": "--top 2",
    "--exact": "--exact 1",
    "--orders": "--orders 11",
    "--difference": "--difference 0.05",
    "--annotators": "--annotators 2",
    "--chance": "--chance 0.9",
    "--simulations": "--simulations 50",
    "--commit": "--commit c9",
    "--time": "--time 2026-02-02",
    "--title": "--title Mine",
    "--save": "--save made.stats",
    "--shard": "--save made.stats --shard 2/3",
    "--totals": "--save made.stats --totals",
    "--baseline": "--baseline second",
    "--train": "--train judged --test again",
    "--where": "--where 'ld > 0.5'",
    "--column": "--column references=other",
    "--statistics": "--statistics",
    "--bad-rows": "--bad-rows note",
}
# Where a verb gives an option another meaning.
OWN = {
    ("maege", "--reference"): "-r overeager.txt",
    ("maege", "--preset"): "--preset paper",
    ("score", "--preset"): "--preset multigec",
    ("maege", "--source"): "--source original",
    ("maege", "--plot"): "--plot corpora plot.svg",
    ("maege", "--plot-size"): "--plot corpora plot.png --plot-size 1",
    ("maege", "--human"): "--plot human plot.svg --human human.json",
    ("human", "--test"): "--train judged --test again",
    ("human", "--ties"): "--ties wrong",
    ("human", "--aggregate"): "--aggregate mean",
    ("human", "--combined"): "--combined",
    ("metrics cost", "--metric"): '-m \'llm-judge(model="other", url="http://localhost:9/v1")\'',
    ("coverage", "--unit"): "--unit index",
    # Few sentences have studentised intervals, which draw nothing.
    ("coverage", "--resamples"): "--interval-method percentile --resamples 37",
    ("coverage", "--seed"): "--interval-method percentile --seed 7",
    ("track add", "--unit"): "--unit documents.txt",
    ("score", "--unit"): "--unit documents.txt",
    ("compare", "--unit"): "--unit documents.txt",
    ("compare", "--sentences"): "--sentences worst",
    ("coverage", "--sentences"): "--sentences 30",
    ("power", "--sentences"): "--sentences 30",
    ("coverage", "--reference"): "-r ref2.txt",
    # Only the annotator that is asked for counts, unless outputs are re-ranked.
    ("coverage undercorrection", "--reference"): ("-r ref2.txt --annotator 2", "-r ref2.txt"),
    ("explain difference", "--source"): ("-s other.txt", "-s src.txt"),
    ("explain difference", "--reference"): "-r ref1.txt",
    ("coverage buy-references", "--metric"): ("-m accuracy", "-m m2"),
    ("convert", "--output"): "-o other.m2",
    ("files merge", "--metric"): "-m mine_words:words",
    ("files filter", "--output"): "-o other.jsonl",
    ("report", "--output"): ("-o other.html", "-o other.json"),
    ("report", "--deciding"): "--deciding 1",
    ("annotate", "--output"): "-o other.m2",
    ("annotate", "--edits"): "--edits plain",
}
# These change how fast something is done, where, or what is said meanwhile, and no result: a law that wants a
# difference cannot try them. That --jobs, --device and --batch-size are taken, and nonsense refused, is tested below;
# that results do not depend on them, in tests/metrics and tests/models.
HOW_NOT_WHAT = {"--jobs", "--device", "--batch-size", "--quiet", "--checkpoint", "--backend"}
# Verbs that need a network, models or the papers' data have their tests, of every option, in these files.
ELSEWHERE = {
    "files cache": "test_cache_command.py",
    "data where": "test_data_command.py",
    "data fetch": "test_data_command.py",
    "lfm train": "test_lfm_command.py",
    "reproduce": "test_reproduce_command.py",
    "demo": "test_other_commands.py",  # with --board it runs until it is stopped
    **dict.fromkeys(
        ("serve", "board serve", "board worker", "board submit", "board invite", "board create"),
        "test_board_command.py",
    ),
    **dict.fromkeys(("board export", "board import", "board snapshot", "board password"), "test_board_copies.py"),
    "validate": "test_validate_command.py",  # it says how long it took
}


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every verb, and the verbs of groups."""
    for name in entries():
        verb = cli.get_command(click.Context(cli), name)
        assert verb is not None
        if isinstance(verb, click.Group):
            yield from ((f"{name} {inner}", command) for inner, command in verb.commands.items())
        else:
            yield name, verb


def all_options(command: click.Command) -> list[click.Option]:
    """Those of its own, and those of all commands that do something for it."""
    own = [option for option in command.params if isinstance(option, click.Option)]
    return own + [option for option in (*COMMON, *PLACE) if option.name in names_used(command.callback)]


def options(command: click.Command) -> list[str]:
    return [max(option.opts, key=len) for option in all_options(command)]


FLAGS = {
    (verb, max(option.opts, key=len))
    for verb, command in commands()
    for option in all_options(command)
    if option.is_flag
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
        text = next(Path(__file__).parents[1].rglob(file)).read_text("utf-8")
        special = by_verb[verb] - set(VALUES) - HOW_NOT_WHAT
        assert all(option in text for option in special), f"{file} tries {special}"


def test_the_help_shows_every_default() -> None:
    """But for no text, and for --window, whose 0 means that there is none."""
    for verb, command in commands():
        for option in all_options(command):
            if not option.is_flag and option.name != "window":
                known = isinstance(option.default, str | int | float | Path | tuple | list)
                assert bool(option.show_default) == (known and option.default not in ("", ())), (verb, option.opts)


def test_what_may_be_given_several_times() -> None:
    several = {"--reference", "--parses", "--column", "--fix", "--without", "--skip-judge", "--ranking", "--sweep"}
    single = {"--source", "--format", "--output", "--edits", "--seed", "--words", "--plot", "--level"}
    for verb, command in commands():
        for option in command.params:
            name = max(option.opts, key=len)
            if name in several or (name in single and verb != "maege"):
                assert isinstance(option, click.Option)
                assert option.multiple == (name in several), (verb, name)


def test_which_verbs_let_systems_meet() -> None:
    meeting = {
        verb
        for verb, command in commands()
        for option in command.params
        if option.name == "aggregate" and "expected-wins" in option.type.choices
    }
    assert meeting == {"score", "compare", "report", "human"}


def test_verbs_that_show_progress_can_be_quiet() -> None:
    for verb, command in commands():
        module = sys.modules[command.callback.__module__]
        shows = re.search(r"(progress_bar|show_progress)\(", inspect.getsource(module))
        if shows and verb not in ("data list", "data where", "track show"):
            assert "--quiet" in options(command), verb


@pytest.fixture
def small_files(folder: Path) -> Path:
    write_small_files(folder)
    return folder


@pytest.mark.parametrize(("verb", "option"), CASES)
def test_every_option_changes_something_or_says_so(gecval, small_files: Path, verb: str, option: str) -> None:
    outcomes = {
        way: min(outcome(gecval, small_files, way, value) for value in values(verb, option))
        for way in WAYS[verb]
        if not ((verb, option) in FLAGS and option in way.split())
    }
    assert [way for way, said in outcomes.items() if said == NOTHING] == []
    assert SOMETHING in outcomes.values(), outcomes


# For each option: what is taken, and what is refused, with the reason.
HOW = {
    "--jobs": ("1", {"0": "is not in the range", "-1": "is not in the range", "many": "is not a valid integer"}),
    "--batch-size": ("2", {"0": "is not in the range 1<=x<=100000", "1.5": "is not a valid integer"}),
    "--device": ("cpu", {"moon": "no device 'moon' for language models, choose cpu or auto"}),
}
HOW_CASES = [
    (verb, option)
    for verb, command in commands()
    for option in options(command)
    if option in HOW and verb not in ELSEWHERE
]


def test_every_verb_that_scores_says_how() -> None:
    assert {option for _, option in HOW_CASES} == set(HOW)
    assert {verb for verb, option in HOW_CASES if option == "--jobs"} >= {
        "score",
        "compare",
        "maege",
        "human",
        "annotate",
    }


@pytest.mark.parametrize(("verb", "option"), HOW_CASES)
def test_how_to_work_is_taken_and_nonsense_is_refused(gecval, small_files: Path, verb: str, option: str) -> None:
    right, wrong = HOW[option]
    outcomes = {way: outcome(gecval, small_files, way, f"{option} {right}") for way in WAYS[verb]}
    # It changes no result, and is refused only where no metric asks a model, or where the way itself is.
    assert SOMETHING not in outcomes.values(), outcomes
    assert NOTHING in outcomes.values()
    taken = next(way for way, said in outcomes.items() if said == NOTHING)
    for value, reason in wrong.items():
        status, out, err = gecval(f"{taken} {option} {value}")
        assert (status, out) == (2, "")
        assert reason in err
        assert err.count("\n") == 1


def values(verb: str, option: str) -> tuple[str, ...]:
    """What to add to a command; where there are several, one of them must change something."""
    value = OWN.get((verb, option)) or VALUES[option]
    return (value,) if isinstance(value, str) else value


# In this order: the best of several values counts.
SOMETHING, NOTED, REFUSED, NOTHING = "1 something", "2 noted", "3 refused", "4 nothing"


def outcome(gecval, folder: Path, way: str, more: str) -> str:
    """Whether an option changes something, is noted as one that does not, is refused, or changes nothing unsaid."""
    if way not in _BEFORE:
        _BEFORE[way] = seen(gecval, folder, way)
    after = seen(gecval, folder, f"{way} {more}")
    if after[0] == 2:
        return f"{REFUSED}: {after[2]}"
    status, out, err, written = after
    said = "".join(line for line in err.splitlines(keepends=True) if not IDLE.search(line))
    if _BEFORE[way] == (status, out, said, written):
        return NOTHING if said == err else NOTED
    return SOMETHING


_BEFORE: dict[str, tuple[int, str, str, dict[str, bytes]]] = {}


def seen(gecval, folder: Path, command: str) -> tuple[int, str, str, dict[str, bytes]]:
    """Status, what is printed, and what is written."""
    known = {path for path in folder.rglob("*") if path.is_file()}
    status, out, err = gecval(command)
    written = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path not in known}
    for path in written:
        path.unlink()
    here = str(folder)
    contents = {str(path.relative_to(folder)): content for path, content in written.items()}
    return status, out.replace(here, ""), err.replace(here, ""), contents


def test_what_changes_nothing_is_answered_with_the_reason(answered, folder: Path, matches_transcript) -> None:
    write_small_files(folder)
    matches_transcript("refusals/idle_options.txt", answered)
