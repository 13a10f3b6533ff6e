"""The outputs of systems, from files: one text a line, JSONL, M2, essays, or a folder of texts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from gecval.corpus import Corpus, System
from gecval.corpus.edit import Edit, apply_edits
from gecval.errors import InputError
from gecval.formats.chat_outputs import holds_answers, read_answers
from gecval.formats.essays import PLACEHOLDER, in_order, read_essays
from gecval.formats.files import printable, read_sentences, readable, unzipped_name
from gecval.formats.jsonl import read_hypotheses_jsonl
from gecval.formats.kinds import HOLD_EDITS, brings_source, kind_of, may_be_output
from gecval.formats.loading import AnyPath, check_lengths, check_same_source
from gecval.formats.m2_files import read_m2
from gecval.formats.realign import realign_lines
from gecval.formats.tabular import read_targets
from gecval.runtime.run import HERE, Run

# What the names of outputs end in. Other dots belong to the name: GPT-3.5, nts.t7_12_h1 and nts.t7_12_h2.
OUTPUTS = (".txt", ".text", ".out", ".output", ".hyp", ".pred", ".tok", ".1best", ".1rerank", ".m2", ".md", ".para")


class _Output(NamedTuple):
    """A system's output, and its edits where these are what the file holds."""

    hypotheses: list[str]
    edits: list[tuple[Edit, ...]] | None = None
    notes: tuple[str, ...] = ()


def load_systems(
    paths: AnyPath | Sequence[AnyPath], corpus: Corpus, *, lenient: bool = False, realign: bool = False, run: Run = HERE
) -> list[System]:
    """Read the outputs of systems.

    Parameters
    ----------
    paths
        Text files with one output a line, ``.jsonl`` files, M2 files, essays, or folders of texts. An M2 file holds the
        edits of a system: metrics that compare edits take them as they are. Files of a folder that cannot be outputs,
        such as a README, are skipped; a note of the first system says which.
    corpus
        The corpus whose source was corrected.
    lenient
        Drop what is wrong in a file, and say so in a note. Default: refuse the file.
    realign
        Move the line breaks of texts that break lines elsewhere than the source; a note says what was moved.
    run
        Threads and progress.

    Returns
    -------
    list of System
        A system is named after its file, or as the JSONL file names it.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "mine.txt")
    ...     _ = file.write_text("He goes home .")
    ...     load_systems(file, Corpus.from_texts(["He go home ."]))
    [<System mine with 1 sentence>]
    """
    systems: dict[str, System] = {}
    moved = False
    for path in map(Path, [paths] if isinstance(paths, str | Path) else paths):
        files, notes = output_files(path)
        for file in files:
            unit = "sentence" if brings_source(file) else "line"
            for name, read in _outputs(file, corpus, lenient=lenient, run=run).items():
                output = _realigned(file, read, corpus) if realign and kind_of(file) == "text" else read
                moved = moved or output is not read
                check_lengths(
                    file,
                    output.hypotheses,
                    sources=corpus.sources,
                    origin=corpus.origin,
                    unit=unit,
                    parameter="realign" if unit == "line" else (),
                )
                if name in systems:
                    raise InputError(f"two systems are named {name!r} ({file} is the second); rename one")
                systems[name] = corpus.system(
                    name,
                    output.hypotheses,
                    notes=notes + output.notes,
                    edits=output.edits,
                    realigned=output is not read,
                )
                notes = ()
    if realign and not moved:
        raise InputError(
            "all outputs break their lines where the source does: nothing to re-align", parameter="realign"
        )
    return list(systems.values())


def _realigned(path: Path, output: _Output, corpus: Corpus) -> _Output:
    """The output with the lines of the source; the same where it has them."""
    texts = output.hypotheses
    if corpus.tokenize:  # the sources are cut already
        texts = list(corpus.cut(texts))
    lines, moved = realign_lines(texts, corpus.sources)
    # A line that is empty on both sides has no output, and was not moved.
    if not moved or lines == [" ".join(text.split()) for text in texts]:
        return output
    return output._replace(hypotheses=lines, notes=(*output.notes, moved.note(path, corpus.origin)))


def output_files(path: Path) -> tuple[list[Path], tuple[str, ...]]:
    """The file, or the files of a folder, with a note on those that were skipped."""
    with readable(path):
        if not path.is_dir():
            return [path], ()
        listed = sorted(file for file in path.iterdir() if file.is_file() and file.name[0] != ".")
        files = [file for file in listed if _may_be_output(file)]
    skipped = ", ".join(printable(file.name) for file in listed if file not in files)
    if not files:
        raise InputError(f"{path} is a folder without outputs" + (f"; it holds {skipped}" if skipped else ""))
    return files, (f"{path}: {skipped} skipped: not an output",) if skipped else ()


def _may_be_output(path: Path) -> bool:
    kind = kind_of(path)
    return kind == "essays" or (may_be_output(path) and kind not in HOLD_EDITS)


def _outputs(path: Path, corpus: Corpus, *, lenient: bool, run: Run) -> dict[str, _Output]:
    """The outputs in a file, by the name of their system."""
    kind = kind_of(path)
    if kind == "jsonl" and holds_answers(path):
        answers = read_answers(path, len(corpus), origin=corpus.origin)
        return {system_name(path).removesuffix(".jsonl"): _Output(answers.texts, notes=answers.notes)}
    if kind == "jsonl":
        return {name: _Output(texts) for name, texts in read_hypotheses_jsonl(path).items()}
    if kind == "m2":
        return {system_name(path): _edits(path, corpus, lenient=lenient, run=run.quiet())}
    if kind in HOLD_EDITS:
        raise InputError(
            f"{path} holds edits, and a system's output is plain text or M2; is it a reference?", parameter="references"
        )
    if kind == "essays":
        return {system_name(path): _essays(path, corpus)}
    texts = read_sentences(path, sources=corpus.sources)
    # A pipe can be read only once.
    columns = path.is_file() and any("\t" in text for text in texts)
    targets = read_targets(path, corpus.sources) if columns else None
    return {system_name(path): _Output(targets or texts)}


def _edits(path: Path, corpus: Corpus, *, lenient: bool, run: Run) -> _Output:
    """A system's edits, as errant_parallel writes them."""
    file = read_m2(path, lenient=lenient, run=run)
    check_same_source(path, file.sources, sources=corpus.sources, origin=Path(corpus.origin))
    if len(file.annotators) > 1:
        raise InputError(
            f"{path} has edits of {len(file.annotators)} annotators ({', '.join(file.annotators[:5])}), and a system "
            "has one; is it a reference?",
            parameter="references",
        )
    edits = [references[0].edits or () for references in file.references()]
    pairs = zip(file.sources, edits, strict=True)
    texts = [apply_edits(source.split(), listed) for source, listed in pairs]
    return _Output(texts, edits, tuple(file.notes("absent")))


def _essays(path: Path, corpus: Corpus) -> _Output:
    if corpus.essays is None:
        raise InputError(f"{path} holds essays, so the source must be a file of essays too", parameter="source")
    essays, notes = read_essays(path)
    lacking = f"the token {PLACEHOLDER} stands for them, as in MultiGEC's code"
    texts, more = in_order(path, essays, corpus.essays, lacking=lacking)
    return _Output([PLACEHOLDER if text is None else text for text in texts], notes=(*notes, *more))


def system_name(path: Path) -> str:
    """What a file of outputs calls its system.

    >>> [system_name(Path(name)) for name in ("out/AMU.txt", "GPT-3.5", "mine.v2.txt.gz")]
    ['AMU', 'GPT-3.5', 'mine.v2']
    """
    path = unzipped_name(path)
    return printable(path.stem if path.suffix.lower() in OUTPUTS else path.name)
