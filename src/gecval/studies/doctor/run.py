"""gecval doctor: what is in a corpus, what is odd, what it does to a score, and the command that mends it.

Nothing is changed. Where mending is cheap to try, the score is computed as the files are, and as they would be:

- of edits: what a perfect output scores, which is made from the annotations, and one made from mended annotations;
- of characters in gold: what a perfect output in the other form scores, against gold as it is and against mended gold;
- of an output: what it scores as everything is, and once gold and output are mended.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from itertools import groupby

from gecval.corpus import Corpus, System
from gecval.edits.annotate import annotate
from gecval.formats.loading import AnyPath
from gecval.formats.m2 import Missing
from gecval.formats.mending import mend, mend_system
from gecval.progress import Progress, announce, silent
from gecval.studies.doctor.annotations import EFFECTS, OddEdit, odd_edits
from gecval.studies.doctor.gold import Perfect, blamed_edits, self_scores
from gecval.studies.doctor.outputs import output_oddities
from gecval.studies.doctor.patient import Patient, Text
from gecval.studies.doctor.results import Blamed, Contents, Diagnosis, Finding, SelfScore
from gecval.studies.doctor.texts import SHOWN, Oddity, empty_lines, text_oddities, untokenised, visible
from gecval.studies.inputs import Systems, given_jobs, given_systems
from gecval.studies.oddities import MOST, share_of_runs
from gecval.studies.scores.scoring import score

MOST_ANNOTATIONS = 20_000  # that are scored against themselves; millions would take minutes


def doctor(corpus: Corpus, systems: Systems = (), *, jobs: int | None = None, progress: Progress = silent) -> Diagnosis:
    """What is odd in a corpus and in outputs for it, and how its gold scores against itself.

    ``doctor_files`` does the same from files. It sees more, as some oddities are gone once a file is read.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go home ."], [["He goes ho\\u200bme ."]])
    >>> [(finding.kind, finding.score, finding.mended) for finding in doctor(corpus)]
    [('zero-width characters', 0.8333333333333334, 1.0)]
    """
    listed = given_systems(systems, corpus, least=0)
    return _examined(Patient.given(corpus, listed), jobs=given_jobs(jobs), progress=progress)


def doctor_files(
    files: Sequence[AnyPath],
    systems: Sequence[AnyPath] = (),
    *,
    missing: Missing = "absent",
    jobs: int | None = None,
    progress: Progress = silent,
) -> Diagnosis:
    """What is odd in files: gold that brings its source and outputs for it, or a source text and corrected texts.

    ``systems`` are more outputs. ``missing`` says what an annotator of an M2 file without a line did.
    """
    return _examined(Patient.read(files, systems, missing=missing), jobs=given_jobs(jobs), progress=progress)


def _examined(patient: Patient, *, jobs: int, progress: Progress) -> Diagnosis:
    corpus = patient.corpus
    perfect = None
    if corpus is not None:
        announce(progress, "finding edits")
        with_edits = corpus if corpus.has_edits() else annotate(corpus, "plain", jobs=jobs)
        perfect = Perfect.of(with_edits, MOST_ANNOTATIONS)
    findings = list(patient.findings)
    if corpus is not None and share_of_runs(corpus.sources) > MOST and corpus.tokenize is None:
        findings.append(_without_blanks(corpus, patient.options))
    for text in patient.texts:
        announce(progress, f"looking at {text.name}")
        findings += _of_text(text, corpus, perfect, jobs=jobs)
    gold: list[SelfScore] = []
    blamed: list[Blamed] = []
    notes = [*(corpus.notes if corpus else ()), *patient.notes]
    if corpus is not None and perfect is not None:
        announce(progress, "scoring gold against itself")
        rows = perfect.rows(jobs)
        blamed = blamed_edits(perfect, rows, jobs=jobs)
        gold = self_scores(perfect, rows, blamed)
        if corpus.has_edits():
            findings += _of_edits(corpus, perfect, remedy=patient.remedy, jobs=jobs)
        findings += _of_gold(corpus, gold, blamed, remedy=patient.list_blamed)
        if len(perfect.sentences) >= MOST_ANNOTATIONS:
            notes.append(f"gold is scored against itself in the first {len(perfect.sentences):,} annotations")
    for system in patient.systems:
        notes += system.notes
    return Diagnosis(
        contents=_contents(corpus, patient.systems) if corpus else None,
        findings=tuple(findings),
        gold=tuple(gold),
        blamed=tuple(blamed),
        notes=tuple(notes),
    )


def _without_blanks(corpus: Corpus, given: str) -> Finding:
    """Text whose words are not set apart. Edits count words, so they are found anew in the texts."""
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


def _of_text(text: Text, corpus: Corpus | None, perfect: Perfect | None, *, jobs: int) -> Iterator[Finding]:
    """What is odd in the characters and lines of a file."""
    oddities = [
        oddity
        for oddity in text_oddities(text.lines, language=corpus.likely_language if corpus else None)
        if not (oddity.kind == "tabs" and text.columns)
    ]
    if text.sentences and not text.system:
        oddities += empty_lines(text.lines)
    of_source = len(oddities)  # from here on, lines are those of the source
    if text.system and corpus:
        oddities += output_oddities(corpus, text.system)
    elif corpus and not corpus.has_edits() and (glued := untokenised(text.lines)):
        oddities.append(glued)
    for number, oddity in enumerate(oddities):
        scored, before, after = "", float("nan"), float("nan")
        if oddity.mend and text.system and corpus:
            scored, before, after = _system_scores(corpus, text.system, oddity.mend, jobs=jobs)
        elif oddity.mend and oddity.mend != "tokens" and perfect:
            scored = "perfect output, m2"
            before, after = perfect.written(oddity.mend).score(jobs), perfect.mended(oddity.mend).score(jobs)
        remedy = text.look(oddity.lines, of_source=number >= of_source)
        if oddity.mend:
            remedy = text.remedy.replace("{}", oddity.mend)
        yield _finding(oddity, text.name, scored=scored, before=before, after=after, remedy=remedy)


def _finding(oddity: Oddity, where: str, *, scored: str, before: float, after: float, remedy: str) -> Finding:
    return Finding(
        kind=oddity.kind,
        where=where,
        count=oddity.count,
        of=oddity.of,
        unit="lines",
        lines=oddity.lines,
        example=oddity.example,
        effect=oddity.effect,
        scored=scored,
        score=before,
        mended=after,
        remedy=remedy,
    )


def _system_scores(corpus: Corpus, system: System, name: str, *, jobs: int) -> tuple[str, float, float]:
    """The metric, and the system's score as everything is, and once everything is mended."""
    if corpus.reference_count == "0":
        return "", float("nan"), float("nan")
    chosen = "m2" if corpus.has_edits() else "gleu"
    keeps = name == "tokens" and corpus.has_edits()  # words of gold are counted by its edits
    mended = corpus if keeps else mend(corpus, [name])
    before = score(corpus, [system], [chosen], jobs=jobs)[0].score
    return chosen, before, score(mended, [mend_system(system, [name])], [chosen], jobs=jobs)[0].score


def _of_edits(corpus: Corpus, perfect: Perfect, *, remedy: str, jobs: int) -> Iterator[Finding]:
    """What is odd in the annotations."""
    odd = sorted(odd_edits(corpus), key=lambda edit: list(EFFECTS).index(edit.kind))
    total = sum(len(reference.edits or ()) for listed in corpus.references for reference in listed)
    before = perfect.score(jobs) if odd else 0.0
    for kind, group in groupby(odd, key=lambda edit: edit.kind):
        edits = list(group)
        effect, name = EFFECTS[kind]
        yield Finding(
            kind=kind,
            where=corpus.origin,
            count=len(edits),
            of=total,
            unit="edits",
            lines=tuple(dict.fromkeys(edit.sentence + 1 for edit in edits))[:SHOWN],
            example=_shown(corpus, edits[0]),
            effect=effect,
            scored="perfect output, m2",
            score=before,
            mended=perfect.mended(name).score(jobs),
            remedy=remedy.replace("{}", name),
        )


def _shown(corpus: Corpus, odd: OddEdit) -> str:
    words = " ".join(corpus.sources[odd.sentence].split()[odd.edit.start : odd.edit.end])
    return visible(f"{odd.edit.start} {odd.edit.end} {words!r} → {odd.edit.correction!r}")


def _of_gold(corpus: Corpus, gold: Sequence[SelfScore], blamed: Sequence[Blamed], *, remedy: str) -> Iterator[Finding]:
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
        mended=float("nan"),
        remedy=remedy,
    )
