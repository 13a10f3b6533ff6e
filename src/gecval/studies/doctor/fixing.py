"""What ``doctor --fix`` writes: a fixed copy of each file next to it, ``out.fixed.txt`` for ``out.txt``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from gecval.corpus import Corpus
from gecval.corpus.references import Reference
from gecval.edits.annotate import annotate
from gecval.edits.extractors import extractor
from gecval.errors import InputError
from gecval.formats import load_corpus, read_sentences, write_files
from gecval.formats.chat_outputs import holds_answers, read_answers
from gecval.formats.debris import OUTPUT_FIXES
from gecval.formats.files import unzipped_name
from gecval.formats.fixes import FIXES, TEXT_FIXES, fix_corpus, fix_text
from gecval.formats.kinds import ESSAY, kind_of
from gecval.formats.writing import corpus_files
from gecval.studies.doctor.input_files import InputFiles, Text
from gecval.studies.doctor.result import Finding

ALL = "all"
FIX_NAMES = (*FIXES, *OUTPUT_FIXES, ALL)


Look = Callable[[Text], Iterable[Finding]]  # what is suspicious in a text


def write_fixed(inputs: InputFiles, findings: Iterable[Finding], fixes: Sequence[str], *, look: Look) -> Iterator[str]:
    """Write a fixed copy of each file that these fixes change, all of them or none; a note for each.

    ``all`` stands for every fix that a finding of the file names, or one of the fixed output, but for those that would
    lower the score of an output: a note names these. Edits are fixed in gold, debris in outputs, and characters in
    both.
    """
    for name in fixes:
        if name not in FIX_NAMES:
            raise InputError(f"{name!r} is not a fix; there is {', '.join(FIX_NAMES)}", parameter="fixes")
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.fix:
            found.setdefault(finding.where, []).append(finding)
    copies: dict[Path, Iterable[str]] = {}
    said: list[str] = []
    for text in inputs.texts:
        if text.file is None:
            continue
        wanted = set(fixes) - {ALL}
        if ALL in fixes:
            named = {text.name, text.system.name if text.system else inputs.corpus.origin if inputs.corpus else ""}
            first = [finding for name in named for finding in found.get(name, [])]
            more, harmful = _choose_all(inputs.corpus, text, first, wanted, look=look)
            wanted |= more
            for finding in harmful:
                yield (
                    f"--fix all leaves out {finding.fix} for {text.name}: {finding.scored} would fall from "
                    f"{finding.score:.4f} to {finding.fixed:.4f}; '--fix {finding.fix}' does it all the same"
                )
        made = [name for name in FIX_NAMES if name in wanted]
        for path, lines in _fixed_files(inputs, text, text.file, made).items() if made else ():
            if path in copies or any(path == other.file for other in inputs.texts):
                why = "so would that of another input" if path in copies else "that is an input too"
                raise InputError(f"the fixed copy of {text.file} would be {path}, and {why}; rename one of them")
            copies[path] = lines
            said.append(f"{path} written (fixes: {', '.join(made)})")
    write_files(copies)
    yield from said
    if not copies and ALL in fixes:
        yield "nothing was found that --fix could fix"
    elif not copies:
        if "tokens" in fixes and inputs.corpus and inputs.corpus.has_edits() and not inputs.systems:
            fix_corpus(inputs.corpus, ["tokens"])  # says why it does not go
        files = " and ".join(str(text.file) for text in inputs.texts if text.file)
        raise InputError(f"--fix changes nothing: {files} has nothing of the kind")


def _choose_all(
    corpus: Corpus | None, text: Text, first: Sequence[Finding], named: Collection[str], *, look: Look
) -> tuple[set[str], list[Finding]]:
    """The fixes that ``all`` stands for in a text, and the findings whose fix would lower its score.

    An output is fixed and looked at again, until nothing more is found: debris may hide other debris. Its words are set
    apart last.
    """
    found, chosen = list(first), set(named)
    while True:
        harmful = [finding for finding in found if text.system and finding.fixed < finding.score]
        new = {finding.fix for finding in found if finding.fix} - {finding.fix for finding in harmful} - chosen
        if text.system is None or corpus is None or text.realign or text.columns:
            return chosen | new, harmful
        new = new - {"tokens"} or new
        if not new:
            return chosen, [finding for finding in harmful if finding.fix not in chosen]
        chosen |= new
        fixed = text.fix_output(corpus, text.system, chosen)
        found = list(look(replace(text, lines=fixed.hypotheses, system=fixed)))


def _fixed_files(inputs: InputFiles, text: Text, path: Path, fixes: Collection[str]) -> dict[Path, Iterable[str]]:
    """The lines of the fixed file; empty where the fixes change nothing."""
    answers = kind_of(path) == "jsonl" and holds_answers(path)
    if answers or kind_of(path) in ("text", "essays"):
        lines = read_answers(path).texts if answers else read_sentences(path)
        fixed = _fix_lines(inputs, text, lines, fixes)
        return {} if fixed == lines else {fixed_path(path, ".txt" if answers else ""): fixed}
    names = [name for name in fixes if name in FIXES]
    corpus = _read_alone(path)
    if corpus.has_edits() and "tokens" in names:
        names.remove("tokens")  # it would move the words that edits count
    made = fix_corpus(corpus, names)
    if list(made.sources) == list(corpus.sources) and _edits(made) == _edits(corpus):
        return {}
    target = fixed_path(path, ".jsonl" if kind_of(path) == "jsonl" else ".m2")
    return corpus_files(annotate(made, extractor("plain")) if target.suffix == ".m2" else made, target)


def _read_alone(path: Path) -> Corpus:
    try:
        return load_corpus(None, [path])
    except InputError as error:
        if "lenient" not in error.parameters:
            raise
        return load_corpus(None, [path], lenient=True)


def _edits(corpus: Corpus) -> list[list[Reference]]:
    return [list(listed) for listed in corpus.references]


def fixed_path(path: Path, ending: str = "") -> Path:
    """Where the fixed copy of a file goes.

    >>> fixed_path(Path("out/AMU.txt")).as_posix(), fixed_path(Path("gold.txt.gz"), ".m2").as_posix()
    ('out/AMU.fixed.txt', 'gold.fixed.m2')
    """
    plain = unzipped_name(path)
    ending = ending or plain.suffix
    return plain.with_name(f"{plain.name.removesuffix(plain.suffix)}.fixed{ending}")


def _fix_lines(inputs: InputFiles, text: Text, lines: list[str], fixes: Collection[str]) -> list[str]:
    """The lines of an output, or of any other text. Columns and the marks of essays stay as they are."""
    if text.system and inputs.corpus and not text.realign and not text.columns:
        return list(text.fix_output(inputs.corpus, text.system, fixes).hypotheses)
    characters = [name for name in fixes if name in TEXT_FIXES]
    return [
        line if line.startswith(ESSAY) else "\t".join(fix_text(cell, characters) for cell in line.split("\t"))
        for line in lines
    ]
