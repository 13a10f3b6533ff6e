"""What people type who know other tools, and what to type instead.

Spellings that can mean one thing only are taken (``--refs``, ``--json``, ``gecval help``). For others, the error names
the right ones.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path

import click

from gecval.errors import InputError, shorten

# Spellings from other tools, and what they mean; for verbs that have the latter and not the former.
SYNONYMS = {
    "--ref": "--reference",
    "--refs": "--reference",
    "--references": "--reference",
    "--gold": "--reference",
    "--src": "--source",
    "--srcs": "--source",
    "--sources": "--source",
    "--metrics": "--metric",
    "--out": "--output",
    "--confidence": "--ci",
    "--language": "--lang",
    "--output-format": "--format",
    "--output-file": "--output",
    "--bootstrap-samples": "--resamples",
    "--n-jobs": "--jobs",
    "--threads": "--jobs",
    "-ref": "--reference",
    "-src": "--source",
    "-orig": "--source",
    "--orig": "--source",
    "-out": "--output",
}
OUTPUTS = (
    "--hyp", "--hyps", "--hypothesis", "--hypotheses", "--systems", "--system", "--pred", "--cor", "-hyp", "-cor",
)  # fmt: skip
# Names of files, for verbs that take them as arguments alone.
FILES = {
    "-s", "-r", "--source", "--reference", *OUTPUTS,
    *(name for name, own in SYNONYMS.items() if own in ("--source", "--reference")),
}  # fmt: skip
DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"  # what word processors make of - and --
FORMATS = ("--json", "--jsonl", "--csv", "--tsv", "--markdown", "--latex", "--html")

RANKING = "tables keep the order given; for ranks: --clusters"
LIGHT = "pages and charts in .html are dark where the browser is"
# What other tools have as an option, and what does the same here; for verbs that have the options named.
INSTEAD = {
    "--plain": "write --edits plain",
    "--beta": "beta is a parameter of the metric: -m 'm2(beta=1.0)'",
    "-b": "beta is a parameter of the metric: -m 'errant(beta=1.0)'",
    "--max_unchanged_words": "it is a parameter of the metric: -m 'm2(max_unchanged=3)'",
    "--ignore_whitespace_casing": "it is a parameter of the metric: -m 'm2(ignore_whitespace_casing=True)'",
    "--verbose": "for every sentence and its counts: --sentences --format jsonl",
    "-v": "for every sentence and its counts: --sentences --format jsonl",
    "-cat": "for scores by type of error: -m errant --by-type",
    "-cs": "errant compares so by default: -m errant",
    "-cse": "it is a parameter of the metric: -m 'errant(level=\"classification\")'",
    "-ds": "it is a parameter of the metric: -m 'errant(level=\"detection\")'",
    "-dt": "it is a parameter of the metric: -m 'errant(level=\"token-detection\")'",
    "-single": "it is a parameter of the metric: -m 'errant(size=\"single\")'",
    "-multi": "it is a parameter of the metric: -m 'errant(size=\"multi\")'",
    "-filt": 'it is a parameter of the metric: -m \'errant(ignore=("R:SPELL", "R:ORTH"))\'',
    "-lev": "it is a parameter of what finds the edits: --edits 'errant(alignment=\"levenshtein\")'",
    "-merge": "it is a parameter of what finds the edits: --edits 'errant(merging=\"all-split\")'",
    "-tok": "--tokenize auto",
    "-auto": "give texts: gecval convert GOLD -o texts --missing-annotator unchanged, then gecval annotate",
    "-i": "outputs are arguments: gecval score OUT -s SRC -r REF -m bleu",
    "-sl": "for every sentence: --sentences --format jsonl",
    "--sentence-level": "for every sentence: --sentences --format jsonl",
    "-w": "decimals: --digits 4",
    "--width": "decimals: --digits 4",
    "--bootstrap": "for intervals: --ci; --resamples 500 says of how many",
    "--paired-bs": "for a test: gecval compare OLD NEW",
    "--baseline": "the first output is the baseline: gecval compare BASELINE OTHER...",
    "--alpha": "for intervals of another level: --level 0.99",
    "--sort": RANKING,
    "--sort-by": RANKING,
    "--rank": RANKING,
    "--best": RANKING,
    "--dark": LIGHT,
    "--theme": LIGHT,
    "-f": "for another format: --format json",
    "--gpu": "models run on the GPU where there is one; to choose: --device cuda:1",
    "--cuda": "models run on the GPU where there is one; to choose: --device cuda:1",
}

# What people call a command that has another name.
COMMANDS = {
    "eval": "score",
    "evaluate": "score",
    "scorer": "score",
    "rank": "score",
    "test": "compare",
    "significance": "compare",
    "ttest": "compare",
    "diff": "compare",
    "card": "validate",
    "html": "report",
    "view": "report",
    "check": "doctor",
    "fix": "doctor",
    "parallel": "annotate",
    "download": "fetch",
    "list": "metrics",
}

# Programs of other tools, and the command that does the same.
TOOLS = {
    "errant_parallel": "gecval annotate SRC CORRECTED -o OUT.m2",
    "errant_compare": "gecval score HYP.m2 -r REF.m2 -m errant",
    "errant_m2": "gecval convert GOLD -o texts --missing-annotator unchanged, then gecval annotate",
    "m2scorer": "gecval score OUT -r GOLD.m2 -m m2",
    "compute_gleu": "gecval score OUT -s SRC -r REF -m gleu",
    "sacrebleu": "gecval score OUT -s SRC -r REF -m bleu",
    "gecmetrics-eval": "gecval score OUT -s SRC -r REF -m errant,gleu",
    "gec-metrics": "gecval score OUT -s SRC -r REF -m errant,gleu",
    "gec_metrics": "gecval score OUT -s SRC -r REF -m errant,gleu",
}


def replace_synonyms(
    parameters: Sequence[click.Parameter], args: list[str], path: str = "gecval", example: str = ""
) -> list[str]:
    """The arguments with the verb's own spellings in place of the synonyms. ``example`` shows how it is called.

    >>> parameters = [click.Option(["-r", "--reference"]), click.Option(["--format"])]
    >>> replace_synonyms(parameters, ["out", "--refs=gold.m2", "--json"])
    ['out', '--reference=gold.m2', '--format', 'json']
    """
    known = {option for parameter in parameters for option in parameter.opts}
    takes_outputs = any(parameter.name == "systems" and parameter.nargs == -1 for parameter in parameters)
    written: list[str] = []
    for number, arg in enumerate(args):
        if arg == "--":
            return [*written, *args[number:]]
        _check_dash(arg, args[number + 1 :])
        name, sign, value = arg.partition("=")
        single = not name.startswith("--") and len(name) > 2  # -single is -s with the file "ingle"
        if single and name in INSTEAD and _applies(INSTEAD[name], known):
            raise InputError(f"no option {name}; {INSTEAD[name]}")
        if name == "-hyp" and path.endswith(" compare") and len(hypotheses := _values(args[number + 1 :])) == 1:
            gold = next((_values(args[n + 1 :])[:1] for n, given in enumerate(args) if given == "-ref"), [])
            meant = f"gecval score {hypotheses[0]} -r {(gold or ['REF'])[0]} -m errant"
            raise InputError(f"compare tests several outputs against each other; errant_compare is here {meant}")
        if name not in known and SYNONYMS.get(name) in known:
            written.append(f"{SYNONYMS[name]}{sign}{value}")
        elif name in OUTPUTS and takes_outputs:
            written += [value] if sign else []
        elif name in FORMATS and not sign and "--format" in known:
            written += ["--format", name[2:]]
        elif single and name in FILES:
            raise InputError(_suggest_arguments(name, path, example))
        else:
            written.append(arg)
    return written


def _check_dash(arg: str, following: list[str]) -> None:
    """Refuse an option whose hyphens a word processor has made into a dash."""
    name = arg.lstrip(f"{DASHES}-")
    if arg[:1] and arg[0] in DASHES and not Path(arg).exists():
        name = name or (following or [""])[0]
        if name[:1].isalpha():
            hyphens = "-" if len(name.partition("=")[0]) == 1 else "--"
            raise InputError(f"{arg} begins with a dash of a word processor; type {hyphens}{name}")


def _values(args: list[str]) -> list[str]:
    """What stands before the next option."""
    options = (number for number, arg in enumerate(args) if arg.startswith("-"))
    return args[: next(options, len(args))]


def _suggest_arguments(typed: str, path: str, example: str) -> str:
    """What to type instead of an option for a file, where files are arguments."""
    return f"no option {typed}; {path.partition(' ')[2]} takes files as arguments{example and ': '}{example}"


def _applies(hint: str, known: Iterable[str]) -> bool:
    """Whether a verb has the options that a hint names. One that names a command is for all."""
    return "gecval " in hint or set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", hint)) <= set(known)


def find_stray_references(args: list[str]) -> list[str]:
    """Files that follow the value of -r though other outputs stand before it: other tools take them for references.

    >>> find_stray_references(["out.txt", "-r", "ref0", "ref1"]), find_stray_references(["-r", "gold.m2", "a", "b"])
    (['ref1'], [])
    """
    if not args or args[0].startswith("-"):
        return []
    return [args[number] for reference, strays in _following_references(args) for number in strays]


def check_siblings(args: list[str], path: str) -> None:
    """Refuse files behind a reference that only a number or a letter tells from it: the shell put them there for a *.

    >>> check_siblings(["out.txt", "-r", "ref-0.txt", "ref-1.txt"], "gecval score")
    Traceback (most recent call last):
    gecval.errors.InputError: ref-1.txt has no -r of its own: gecval score out.txt -r ref-0.txt -r ref-1.txt
    """
    following = [(reference, strays) for reference, strays in _following_references(args) if strays]
    if not following:  # the rest takes time
        return
    from gecval.studies.scores.input_notes import have_like_names

    siblings = [
        number
        for reference, strays in following
        for number in strays
        if have_like_names(Path(args[number]).stem, Path(reference).stem)
    ]
    if siblings:
        corrected = [word for number, arg in enumerate(args) for word in (["-r", arg] if number in siblings else [arg])]
        have = "has no -r of its own" if len(siblings) == 1 else "have no -r of their own"
        raise InputError(f"{', '.join(args[n] for n in siblings)} {have}: {path} {shlex.join(corrected)}")


def _following_references(args: list[str]) -> list[tuple[str, list[int]]]:
    """The value of each -r, and where the files stand that follow it."""
    found = []
    for number, arg in enumerate(args):
        name, sign, value = arg.partition("=")
        if name in ("-r", "--reference"):
            first = number + 1 if sign else number + 2
            strays = range(first, first + len(_values(args[first:])))
            found.append((value if sign else (args[number + 1 :] or [""])[0], list(strays)))
    return found


def check_paths(ctx: click.Context) -> None:
    """Refuse arguments and options that name no file, and say what was meant, before anything slow begins."""
    from gecval.cli.inputs import InputPath

    _check_references(ctx)
    for parameter in ctx.command.params:
        if isinstance(parameter.type, InputPath):
            given = ctx.params.get(parameter.name or "")
            for path in given if isinstance(given, tuple) else [given]:
                if isinstance(path, Path) and _is_missing(path):
                    hint = _meant(str(path), ctx, parameter)
                    raise InputError(f"{shorten(path)}: no such file{hint}")
    _check_overwriting(ctx)


def _check_overwriting(ctx: click.Context) -> None:
    """Refuse to write onto a file that is read, or that another option writes."""
    read: list[Path] = []
    written: dict[Path, tuple[Path, str]] = {}  # as it was typed, and the option that writes it
    for parameter in ctx.command.get_params(ctx):
        given = ctx.params.get(parameter.name or "")
        paths = [path for path in (given if isinstance(given, tuple) else [given]) if isinstance(path, Path)]
        if not _is_written(parameter):
            read += paths
            continue
        for path in paths:
            if other := written.get(path.absolute()):
                raise InputError(
                    f"{shorten(path)} is named by {other[1]} and by {parameter.opts[0]}; name another file"
                )
            written[path.absolute()] = path, parameter.opts[0]
    for path, option in written.values():
        in_folder = any(_is_same_folder(path.parent, folder) for folder in read) and path.is_file()
        if ctx.info_name != "convert" and (in_folder or any(_is_same(path, file) for file in read)):
            raise InputError(f"{shorten(path)} is an input, and {option} would overwrite it; name another file")


def _is_written(parameter: click.Parameter) -> bool:
    from gecval.cli.output import PATH

    return isinstance(parameter, click.Option) and (parameter.name == "output" or parameter.type is PATH)


def _is_same_folder(path: Path, other: Path) -> bool:
    try:
        return other.is_dir() and path.samefile(other)
    except OSError:
        return False


def check_output_folders(ctx: click.Context) -> None:
    """Refuse a file in a folder that is not there, before anything slow begins: a slip would make new folders."""
    from gecval.cli.output import PATH

    for parameter in ctx.command.get_params(ctx):
        path = ctx.params.get(parameter.name or "")
        if (
            (parameter.name == "output" or parameter.type is PATH)
            and isinstance(path, Path)
            and not path.parent.exists()
        ):
            raise InputError(f"cannot write {shorten(path)}: there is no folder {shorten(path.parent)}; make it first")


def _check_references(ctx: click.Context) -> None:
    """Gold edits among the outputs, and no references: other tools take the last file for the references."""
    named = {parameter.name: parameter for parameter in ctx.command.params}
    if not isinstance(named.get("systems"), click.Argument) or not {"source", "references"} <= named.keys():
        return
    given = list(ctx.params.get("systems") or ())
    gold = [path for path in given if path.suffix == ".m2"]
    if len(gold) == 1 and not ctx.params["references"] and ctx.params["source"] is None:
        others = " ".join(str(path) for path in given if path not in gold) or "OUT"
        raise InputError(
            f"{shorten(gold[0])} counts as an output; references go behind -r: {ctx.command_path} {others} -r {gold[0]}"
        )


def _is_missing(path: Path) -> bool:
    try:
        path.stat()
    except FileNotFoundError:
        return True
    except OSError:  # whoever reads it says what is wrong with it
        return False
    return False


def _is_same(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other) and path.is_file()
    except OSError:
        return False


def _meant(typed: str, ctx: click.Context, parameter: click.Parameter) -> str:
    """What somebody wanted who typed a name that no file has."""
    from gecval.metrics import metric_names

    argument = isinstance(parameter, click.Argument)
    options = {option for parameter in ctx.command.params for option in parameter.opts}
    names = [name.strip().lower() for name in re.split(r",|\(.*\)", typed) if name.strip()]
    if argument and "--metric" in options and names and all(name in metric_names() for name in names):
        metrics = [repr(metric) for metric in ctx.params.get("metrics", ())]
        return f"; several metrics go behind one -m: -m {','.join([*metrics, typed.strip(',')])}"
    if argument and re.fullmatch(r"0?\.\d+|\d+%", typed) and "--ci" in options:
        level = float(typed.strip("%")) / (100 if "%" in typed else 1)
        return f"; --ci takes no value: write --ci --level {level:g}"
    if argument and re.fullmatch(r"[\d.]+", typed):
        return "; the option before it takes no value"
    related = {name.split()[-1]: name for name, _ in getattr(ctx.command, "related", ())}
    second = [name for name in related if argument and len(typed) > 3 and name.startswith(typed.lower())]
    if argument and (second := second or get_close_matches(typed.lower(), related, n=1, cutoff=0.75)):
        return f"; did you mean {related[second[0]]}?"
    several = [name for name in re.split(r"[,;\s]+", typed) if name]
    if len(several) > 1 and all(Path(name).exists() for name in several):
        option = "" if argument else f"{parameter.opts[0]} "
        return f"; several files are written apart, without quotes: {' '.join(option + name for name in several)}"
    if any(sign in typed for sign in "*?["):
        return "; the shell found no file of this pattern"
    folder = Path(typed).parent
    listed = [path.name for path in folder.iterdir()] if os.access(folder, os.R_OK) and folder.is_dir() else []
    near = get_close_matches(Path(typed).name, listed, n=1, cutoff=0.8)
    if near:
        return f"; did you mean {folder / near[0]}?"
    return "" if folder.is_dir() else f"; there is no folder {shorten(folder)}"


def suggest_option(
    typed: str, parameters: Sequence[click.Parameter], path: str, args: Sequence[str] = (), example: str = ""
) -> str:
    """What to type instead of an option that there is not. ``args`` is all that was typed after the verb.

    >>> parameters = [click.Option(["--lenient"])]
    >>> suggest_option("--leniant", parameters, "gecval score")
    'no option --leniant; did you mean --lenient?'
    >>> suggest_option("--frob", parameters, "gecval score")
    'no option --frob; gecval score --help-all lists all of them'
    """
    options = [option for parameter in parameters for option in parameter.opts]
    if typed == "--alpha" and "--level" in options and (alpha := _share_behind(typed, args)):
        return f"no option --alpha; for intervals of this level: --level {1 - alpha:.6g}"
    if typed in INSTEAD and _applies(INSTEAD[typed], options):
        return f"no option {typed}; {INSTEAD[typed]}"
    if typed in FILES and any(isinstance(parameter, click.Argument) for parameter in parameters):
        return _suggest_arguments(typed, path, example)
    long = [option for option in options if option.startswith("--") and typed not in INSTEAD]
    near = get_close_matches(typed, long, n=1, cutoff=0.75)
    return f"no option {typed}; " + (f"did you mean {near[0]}?" if near else f"{path} --help-all lists all of them")


def _share_behind(name: str, args: Sequence[str]) -> float | None:
    """The value of an option, where it is a number between 0 and 1."""
    following = [after for before, after in pairwise(args) if before == name]
    for text in [*following, *(arg.partition("=")[2] for arg in args if arg.startswith(f"{name}="))]:
        if re.fullmatch(r"0?\.\d+", text) and float(text):
            return float(text)
    return None


def suggest_command(typed: str, names: Iterable[str], program: str = "gecval") -> str:
    """What to type instead of a command that there is not.

    >>> suggest_command("verify", ["score", "explain", "explain verify"])
    "no command 'verify'; did you mean gecval explain verify?"
    """
    from gecval.metrics import metric_names
    from gecval.metrics.registry import METRICS

    listed = list(names)
    tool = typed.lower().removesuffix(".py")
    if program == "gecval" and tool in TOOLS:
        return f"no command {typed!r}; here it is {TOOLS[tool]} (docs/coming-from.md)"
    parts = {part: name for name in reversed(listed) for part in (name.split()[-1], name.replace(" ", "-"), name)}
    if COMMANDS.get(typed.lower()) in parts:
        return f"no command {typed!r}; did you mean {program} {parts[COMMANDS[typed.lower()]]}?"
    if program == "gecval" and typed.lower() in metric_names():
        return f"no command {typed!r}; it is a metric: gecval score OUT -r GOLD -m {typed.lower()}"
    if program == "gecval" and METRICS.is_known_elsewhere(typed):
        return f"no command {typed!r}, and {METRICS.unknown(typed)}"
    near = get_close_matches(typed.lower(), parts, n=1, cutoff=0.6)
    if near:
        return f"no command {typed!r}; did you mean {program} {parts[near[0]]}?"
    if "." in typed or "/" in typed:
        return f"no command {typed!r}; to score a file: gecval score {typed} -r GOLD"
    return f"no command {typed!r}; {program} --help lists all of them"
