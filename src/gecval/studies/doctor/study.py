"""What is in a corpus, what is suspicious, what it does to a score, and the command that fixes it.

No file is changed; fixed copies are written where the user asks for them. Where a fix is cheap to try, the score is
computed as the files are, and as they would be:

- of edits: what a perfect output scores, which is made from the annotations, and one made from fixed annotations;
- of characters in gold: what a perfect output in the other form scores, against gold as it is and against fixed gold;
- of an output: what it scores as everything is, and once gold and output are fixed.

Gold is also scored against itself: every annotator's own text by M² against the edits from which it was made. It should
score 1. Where it does not, some edits are not on the best path from the source to the text, and are to blame: they
share words with others, change nothing, or describe a way that is longer than the shortest one.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

import numpy as np
from rapidfuzz.distance import LCSseq, Levenshtein

from gecval.corpus import Corpus, System
from gecval.corpus.edit import Edit
from gecval.corpus.mismatch import check_outputs, check_references
from gecval.corpus.references import Reference
from gecval.corpus.tokenization import MOST, share_of_runs
from gecval.edits.annotate import annotate
from gecval.formats.debris import OUTPUT_FIXES, fix_output
from gecval.formats.fixes import edit_key, fix_corpus, is_idle, shares_words
from gecval.formats.loading import AnyPath
from gecval.formats.m2_files import Missing
from gecval.metrics.base import Array
from gecval.metrics.m2 import M2
from gecval.runtime.run import HERE, Run, announce
from gecval.studies.doctor.findings import (
    EFFECTS,
    SHOWN,
    check_empty_lines,
    check_output,
    check_text,
    check_tokenisation,
    describe_misfit,
    find_suspicious_edits,
    out_of_order,
    visible,
)
from gecval.studies.doctor.fixing import write_fixed
from gecval.studies.doctor.input_files import InputFiles, Text
from gecval.studies.doctor.result import Blamed, Contents, Diagnosis, Finding, SelfScore
from gecval.studies.scores.preparation import Systems, resolve_systems
from gecval.studies.scores.study import score

METRIC = M2()
MOST_ANNOTATIONS = 20_000  # that are scored against themselves; millions would take minutes


def doctor(corpus: Corpus, systems: Systems = (), *, run: Run = HERE) -> Diagnosis:
    """Find what is suspicious in a corpus and in outputs for it, and score its gold against itself.

    ``doctor_files`` does the same from files. It sees more, as some things are gone once a file is read.

    Parameters
    ----------
    corpus
        Sources, with or without references.
    systems
        Outputs for the corpus: systems, or a mapping from a system's name to its list of outputs.
    run
        How it runs: threads, progress, backend.

    Returns
    -------
    Diagnosis
        A sequence of ``Finding``. It prints as tables.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go home ."], [["He goes ho\\u200bme ."]])
    >>> [(finding.kind, finding.score, finding.fixed) for finding in doctor(corpus)]
    [('zero-width characters', 0.8333333333333334, 1.0)]
    """
    listed = resolve_systems(systems, corpus, least=0)
    return _diagnose(InputFiles.from_corpus(corpus, listed), run=run)


def doctor_files(
    files: Sequence[AnyPath],
    systems: Sequence[AnyPath] = (),
    *,
    missing: Missing = "absent",
    fixes: Sequence[str] = (),
    named: bool = False,
    run: Run = HERE,
) -> Diagnosis:
    """Find what is suspicious in the files of a corpus and in outputs for it, and score its gold against itself.

    Parameters
    ----------
    files
        Gold that brings its source (``.m2``, ``.jsonl``) and then outputs for it; or a source text and then its
        corrected texts.
    systems
        More outputs, or folders of them.
    missing
        What an annotator of an M2 file without a line did: ``absent`` or ``agreed``.
    fixes
        Write fixed copies of the files next to them: names as in ``Finding.fix``, or ``all``. A note names each copy.
    named
        Whether ``files`` are source and references, and no output is among them. Else what they are is found by
        their content, and a note says so where another meaning is likely.
    run
        How it runs: threads, progress, backend.

    Returns
    -------
    Diagnosis
        A sequence of ``Finding``. It prints as tables.

    Examples
    --------
    >>> doctor_files(["gold.m2", "out/AMU.txt"]).healthy  # doctest: +SKIP
    True
    """
    inputs = InputFiles.read(files, systems, missing=missing, named=named)
    diagnosis = _diagnose(inputs, run=run)
    if not fixes:
        return diagnosis
    look = partial(_check_text, corpus=inputs.corpus, perfect=None, run=run)
    return replace(diagnosis, notes=(*diagnosis.notes, *write_fixed(inputs, diagnosis, fixes, look=look)))


def _diagnose(inputs: InputFiles, *, run: Run) -> Diagnosis:
    corpus = inputs.corpus
    perfect = None
    if corpus is not None:
        announce(run.progress, "finding edits")
        with_edits = corpus if corpus.has_edits() else annotate(corpus, "plain", run=run.quiet())
        perfect = PerfectOutput.from_corpus(with_edits, MOST_ANNOTATIONS)
    findings = list(inputs.findings)
    if corpus is not None and share_of_runs(corpus.sources) > MOST and corpus.tokenize is None:
        findings.append(_without_blanks(corpus, inputs.options))
    misfits = list(_find_misfits(corpus, inputs, run=run)) if corpus is not None else []
    findings += (finding for finding, _ in misfits)
    for text in inputs.texts:
        announce(run.progress, f"looking at {text.name}")
        findings += _check_text(text, corpus, perfect, run=run)
    gold: list[SelfScore] = []
    blamed: list[Blamed] = []
    said = {note for _, note in misfits}
    notes = [*(note for note in (corpus.notes if corpus else ()) if note not in said), *inputs.notes]
    if corpus is not None and perfect is not None:
        announce(run.progress, "scoring gold against itself")
        rows = perfect.rows(run)
        blamed = find_blamed_edits(perfect, rows, run=run)
        gold = self_scores(perfect, rows, blamed)
        if corpus.has_edits():
            findings += _check_edits(corpus, perfect, remedy=inputs.remedy, run=run)
        findings += _check_gold(corpus, gold, blamed, remedy=inputs.list_blamed)
        if len(perfect.sentences) >= MOST_ANNOTATIONS:
            notes.append(f"gold is scored against itself in the first {len(perfect.sentences):,} annotations")
    for system in inputs.systems:
        notes += system.notes
    names = {system.name for system in inputs.systems} | {text.name for text in inputs.texts if text.system}
    return Diagnosis(
        contents=_contents(corpus, inputs.systems) if corpus else None,
        findings=tuple(sorted(findings, key=lambda finding: _urgency(finding, names))),
        gold=tuple(gold),
        blamed=tuple(blamed),
        notes=tuple(notes),
    )


def _urgency(finding: Finding, outputs: Collection[str]) -> tuple[bool, float]:
    """Outputs first, and first what costs most; the rest in the order in which it was found."""
    mine = finding.where in outputs
    gain = finding.fixed - finding.score
    return not mine, -gain if mine and gain > 0 else 0.0


def _contents(corpus: Corpus, systems: Sequence[System]) -> Contents:
    lengths = [len(source.split()) for source in corpus.sources]
    references = [reference for listed in corpus.references for reference in listed]
    return Contents(
        origin=corpus.origin,
        sentences=len(corpus),
        tokens=sum(lengths),
        longest=max(lengths),
        language=corpus.likely_language,
        annotators=len({reference.annotator for reference in references}),
        references=corpus.reference_count,
        edits=sum(len(reference.edits or ()) for reference in references) if corpus.has_edits() else None,
        systems=len(systems),
    )


# What is suspicious: in the texts, in the annotations, in gold as a whole


def _find_misfits(corpus: Corpus, inputs: InputFiles, *, run: Run) -> Iterator[tuple[Finding, str]]:
    """Files whose lines do not belong to those of the source, each with the note that other commands have of it."""
    references = check_references([(corpus.origin, corpus.references)], corpus.sources)
    systems = {system.name: system for system in inputs.systems}
    texts = {text.system.name: text for text in inputs.texts if text.system}
    of_outputs = check_outputs({name: system.hypotheses for name, system in systems.items()}, corpus.sources)
    # That an output is a copy is found with its other lines.
    for name, misfit in [*references, *((name, misfit) for name, misfit in of_outputs if misfit.kind != "copy")]:
        system = systems.get(name)
        lines = describe_misfit(misfit, system.hypotheses if system else corpus.sources, of=len(corpus))
        fix = lines.fix if system else ""
        scored, before, after = "", float("nan"), float("nan")
        if fix and system:
            scored, before, after = _system_scores(corpus, system, fix, fix_output(corpus, system, [fix]), run=run)
        finding = Finding(
            kind=lines.kind,
            where=name,
            count=lines.count,
            of=lines.of,
            unit="lines",
            lines=lines.lines,
            example=lines.example,
            effect=lines.effect,
            scored=scored,
            score=before,
            fixed=after,
            fix=fix,
            remedy=texts[name].remedy.replace("{}", fix) if fix else "",
        )
        yield finding, misfit.note(name)


def _without_blanks(corpus: Corpus, given: str) -> Finding:
    """Text whose words are not set apart. Edits count words, so they are found again in the texts."""
    gold = shlex.quote(corpus.origin)
    before = f"gecval convert {gold} -o texts && " if corpus.reference_count != "0" and corpus.has_edits() else ""
    texts = "-s texts/source.txt -r texts/reference-0.txt" if before else given or f"-r {gold}"
    return Finding(
        kind="no blanks between words",
        where=corpus.origin,
        count=len(corpus),
        of=len(corpus),
        unit="sentences",
        lines=(1,),
        example=visible(corpus.sources[0][:20]),
        effect="a whole clause counts as one word, so that nearly no output is right",
        remedy=f"{before}gecval score SYSTEM {texts} -m m2 --tokenize char",
    )


def _check_text(text: Text, corpus: Corpus | None, perfect: PerfectOutput | None, *, run: Run) -> Iterator[Finding]:
    """What is suspicious in the characters and lines of a file."""
    found = [
        lines
        for lines in check_text(text.lines, language=corpus.likely_language if corpus else None)
        if not (lines.kind == "tabs" and text.columns)
    ]
    if text.sentences and not text.system:
        found += check_empty_lines(text.lines)
    source_lines = len(found)  # from here on, lines are those of the source
    if text.system and corpus:
        found += check_output(corpus, text.system, text.refused)
    elif corpus and not corpus.has_edits() and (glued := check_tokenisation(text.lines)):
        found.append(glued)
    for number, lines in enumerate(found):
        if text.realign and lines.fix in OUTPUT_FIXES:
            lines = replace(lines, fix="")  # its file has other lines
        scored, before, after = "", float("nan"), float("nan")
        if lines.fix and text.system and corpus:
            fixed = text.fix_output(corpus, text.system, [lines.fix])
            scored, before, after = _system_scores(corpus, text.system, lines.fix, fixed, run=run)
        elif lines.fix and lines.fix != "tokens" and perfect:
            scored = "perfect output, m2"
            before, after = perfect.fix_output(lines.fix).score(run), perfect.fix_all(lines.fix).score(run)
        remedy = text.look(lines.lines, source_lines=number >= source_lines)
        if lines.fix:
            remedy = text.remedy.replace("{}", lines.fix)
        yield Finding(
            kind=lines.kind,
            where=text.name,
            count=lines.count,
            of=lines.of,
            unit="lines",
            lines=lines.lines,
            example=lines.example,
            effect=lines.effect,
            scored=scored,
            score=before,
            fixed=after,
            fix=lines.fix,
            remedy=remedy,
        )


def _system_scores(
    corpus: Corpus, system: System, name: str, fixed_system: System, *, run: Run
) -> tuple[str, float, float]:
    """The metric, and the system's score as everything is, and once everything is fixed."""
    if corpus.reference_count == "0":
        return "", float("nan"), float("nan")
    chosen = "m2" if corpus.has_edits() else "gleu"
    # Words of gold are counted by its edits, so it is not tokenised again. Some fixes are about outputs alone.
    keeps = name in OUTPUT_FIXES or (name == "tokens" and corpus.has_edits())
    fixed = corpus if keeps else fix_corpus(corpus, [name])
    before = score(corpus, [system], [chosen], run=run.quiet())[0].score
    return chosen, before, score(fixed, [fixed_system], [chosen], run=run.quiet())[0].score


def _check_edits(corpus: Corpus, perfect: PerfectOutput, *, remedy: str, run: Run) -> Iterator[Finding]:
    """What is suspicious in the annotations."""
    suspicious = sorted(find_suspicious_edits(corpus), key=lambda edit: list(EFFECTS).index(edit.kind))
    total = sum(len(reference.edits or ()) for listed in corpus.references for reference in listed)
    before = perfect.score(run) if suspicious else 0.0
    for kind, group in groupby(suspicious, key=lambda edit: edit.kind):
        edits = list(group)
        effect, name = EFFECTS[kind]
        yield Finding(
            kind=kind,
            where=corpus.origin,
            count=len(edits),
            of=total,
            unit="edits",
            lines=tuple(dict.fromkeys(edit.sentence + 1 for edit in edits))[:SHOWN],
            example=_show_edit(edits[0].edit, corpus.sources[edits[0].sentence].split()),
            effect=effect,
            scored="perfect output, m2",
            score=before,
            fixed=perfect.fix_all(name).score(run),
            fix=name,
            remedy=remedy.replace("{}", name),
        )


def _show_edit(edit: Edit, tokens: Sequence[str]) -> str:
    words = " ".join(tokens[edit.start : edit.end])
    return visible(f"{edit.start} {edit.end} {words!r} → {edit.correction!r}")


def _check_gold(
    corpus: Corpus, gold: Sequence[SelfScore], blamed: Sequence[Blamed], *, remedy: str
) -> Iterator[Finding]:
    """Gold that does not score 1 against itself. The annotator farthest from 1 is shown."""
    imperfect, annotations = sum(row.imperfect for row in gold), sum(row.annotations for row in gold)
    if not imperfect:
        return
    sentences = tuple(dict.fromkeys(edit.sentence for edit in blamed))[:SHOWN]
    reasons = list(dict.fromkeys(edit.reason for edit in blamed))
    first = blamed[0] if blamed else None
    yield Finding(
        kind="gold is not 1 against itself",
        where=corpus.origin,
        count=imperfect,
        of=annotations,
        unit="annotations",
        lines=sentences,
        example=visible(f"{first.start} {first.end} {first.words!r} → {first.correction!r}") if first else "",
        effect="a perfect output is not perfect: an edit " + ", or ".join(reasons) if reasons else "",
        scored="perfect output, m2",
        score=max((row.f for row in gold), key=lambda f: abs(f - 1)),
        fixed=float("nan"),
        remedy=remedy,
    )


# Gold against itself


REASONS = {
    "duplicated": "repeats another edit",
    "idle": "changes nothing",
    "shared": "shares words with another edit",
    "order": "stands after an edit that comes later in the sentence",
    "wide": f"keeps more than {METRIC.max_unchanged} of its words, which M² joins only with a larger max_unchanged",
    "longer": "belongs to changes that are longer than the shortest way from source to text",
    "other": "lies on a shortest way that M² does not take",
}


@dataclass(frozen=True)
class PerfectOutput:
    """Every annotation as a sentence of its own with one reference, the text that it makes, and where it is from."""

    corpus: Corpus
    system: System
    sentences: tuple[int, ...]

    @classmethod
    def from_corpus(cls, corpus: Corpus, most: int) -> PerfectOutput | None:
        """The first ``most`` annotations; None where there is none."""
        sources, references, outputs, sentences = list[str](), list[list[Reference]](), list[str](), list[int]()
        for i, listed in enumerate(corpus.references):
            if len(sources) >= most:
                break
            for reference, text in zip(listed, corpus.texts_of(i), strict=True):
                sources.append(corpus.sources[i])
                references.append([reference])
                outputs.append(text)
                sentences.append(i)
        if not sources:
            return None
        apart = Corpus(sources, references)
        return cls(apart, apart.system("perfect", outputs), tuple(sentences))

    def rows(self, run: Run) -> Array:
        """Correct, proposed and gold edits of each annotation."""
        return METRIC.statistics(self.corpus, self.system, run=run).rows

    def score(self, run: Run) -> float:
        return float(METRIC.score(self.rows(run).sum(axis=0)))

    def fix_output(self, fix: str) -> PerfectOutput:
        """The same annotations, and an output that is written otherwise: what a system loses that writes so."""
        return replace(self, system=fix_output(self.corpus, self.system, [fix]))

    def fix_all(self, fix: str) -> PerfectOutput:
        """Fixed annotations, and the texts that they make."""
        corpus = fix_corpus(self.corpus, [fix])
        texts = [corpus.texts_of(i)[0] for i in range(len(corpus))]
        return replace(self, corpus=corpus, system=corpus.system("perfect", texts))


def self_scores(perfect: PerfectOutput, rows: Array, blamed: Sequence[Blamed]) -> list[SelfScore]:
    """How each annotator scores against themselves."""
    annotators = np.array([listed[0].annotator for listed in perfect.corpus.references])
    scores = []
    for name in dict.fromkeys(annotators.tolist()):
        own = rows[annotators == name]
        total = own.sum(axis=0)
        parts = METRIC.parts(total)
        scores.append(
            SelfScore(
                annotator=name,
                annotations=len(own),
                edits=int(total[2]),
                precision=parts["precision"],
                recall=parts["recall"],
                f=float(METRIC.score(total)),
                imperfect=int(imperfect(own).sum()),
                blamed=sum(edit.annotator == name for edit in blamed),
            )
        )
    return scores


def imperfect(rows: Array) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which annotations do not score 1."""
    return np.asarray((rows != rows[:, [2]]).any(axis=1))


def find_blamed_edits(perfect: PerfectOutput, rows: Array, *, run: Run) -> list[Blamed]:
    """The edits that a perfect output is not given credit for, and why."""
    chosen: list[int] = np.flatnonzero(imperfect(rows)).tolist()
    if not chosen:
        return []
    corpus = Corpus([perfect.corpus.sources[i] for i in chosen], [perfect.corpus.references[i] for i in chosen])
    system = corpus.system("perfect", [perfect.system.hypotheses[i] for i in chosen])
    paths = METRIC.proposed_edits(corpus, system, corpus.reference_slots[:-1], run=run)
    listed = []
    for place, path in zip(chosen, paths, strict=True):
        [reference] = perfect.corpus.references[place]
        tokens = perfect.corpus.sources[place].split()
        proposed = {(edit.start, edit.end, edit.correction) for edit in path}
        gold = reference.edits or ()
        longer = _cost(gold, tokens) > Levenshtein.distance(tokens, perfect.system.hypotheses[place].split())
        late = set(map(id, out_of_order(gold)))
        for number, edit in enumerate(gold):
            reason = REASONS[_reason(number, gold, tokens, late) or ("longer" if longer else "other")]
            made = any((edit.start, edit.end, text) in proposed for text in edit_key(edit)[2])
            if made and reason not in (REASONS["duplicated"], REASONS["order"]):
                continue
            listed.append(
                Blamed(
                    sentence=perfect.sentences[place] + 1,
                    annotator=reference.annotator,
                    start=edit.start,
                    end=edit.end,
                    words=" ".join(tokens[edit.start : edit.end]),
                    correction=edit.correction,
                    type=edit.type,
                    reason=reason,
                )
            )
    return listed


def _cost(edits: Sequence[Edit], tokens: Sequence[str]) -> int:
    """How many words the edits change, each on its own."""
    return sum(Levenshtein.distance(tokens[edit.start : edit.end], edit.correction.split()) for edit in edits)


def _reason(number: int, edits: Sequence[Edit], tokens: Sequence[str], late: set[int]) -> str | None:
    """What is wrong with the edit itself; None where the way from source to text is to blame."""
    edit = edits[number]
    if any(edit_key(edit) == edit_key(other) for other in edits[:number]):
        return "duplicated"
    if is_idle(edit, tokens):
        return "idle"
    others = [other for other in edits if other is not edit]
    if any(shares_words(edit, other) for other in others):
        return "shared"
    if id(edit) in late:
        return "order"
    unchanged = LCSseq.similarity(list(tokens[edit.start : edit.end]), edit.correction.split())
    return "wide" if unchanged > METRIC.max_unchanged else None
