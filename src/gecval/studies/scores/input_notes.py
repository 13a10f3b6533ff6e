"""What makes a score meaningless though nothing is wrong with the files: notes for the user, never refusals.

- an output whose punctuation is glued to its words, where the source's is not: every sentence then looks changed;
- text without blanks between words (Chinese, Japanese, Thai): a whole clause then counts as one word;
- an output in other Unicode forms than the source: decomposed letters, full-width forms, signs that nobody sees;
- a reference that was given as a system (`score SYSTEM -r ref0 ref1`);
- many changes of which hardly any is right;
- an output whose lines do not belong to those of the source, that equals the source, or that is given twice;
- what a model or a pipeline left in an output: chat preambles, refusals, marks, pieces of words (``formats.debris``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from operator import ne
from unicodedata import is_normalized

from gecval.corpus import Corpus, System
from gecval.corpus.mismatch import check_outputs
from gecval.corpus.tokenization import MOST, SEEN, ends_apart, ends_glued, share_of_runs
from gecval.edits.extractors import token_cutter
from gecval.formats.debris import debris_notes
from gecval.formats.fixes import INVISIBLE, MARKS, WIDE
from gecval.metrics.base import Metric

FORMS: dict[str, Callable[[str], object]] = {
    "decomposed letters (NFD)": lambda text: not is_normalized("NFC", text),
    "full-width forms": re.compile(f"[{re.escape(''.join(map(chr, WIDE)))}]").search,
    "zero-width characters": re.compile(f"[{INVISIBLE}]").search,
    "direction marks": re.compile(f"[{MARKS}]").search,
}
MANY = 0.2  # of the sentences in which it could be seen
NEARLY_ALL = 0.9
HARDLY = 0.02
FEWEST = 20  # sentences or edits; fewer are no evidence


def input_notes(
    corpus: Corpus, systems: Sequence[System], metrics: Sequence[Metric] = (), *, words: bool = True
) -> Iterator[str]:
    """A note for each thing that looks wrong to these metrics. Without ``words``, only whole texts are compared."""
    cut_themselves = bool(metrics) and all(token_cutter(metric.extractor) for metric in metrics)
    if words and not cut_themselves and corpus.derive(_share_of_source_runs) > MOST:
        yield (
            f"{corpus.origin} has no blanks between words, so that a whole clause counts as one word; put blanks "
            "between words or characters, in the outputs and references too, or have all texts cut (--tokenize char)"
        )
    outputs = {system.name: system.hypotheses for system in systems}
    yield from (misfit.note(name) for name, misfit in check_outputs(outputs, corpus.sources))
    for system in systems:
        yield from system.notes
        yield from debris_notes(corpus, system)
        if words and not cut_themselves and _lacks_blanks(corpus, system):
            yield (
                f"{system.name} has no blanks between words, and {corpus.origin} has: nearly everything counts as "
                "changed; have all texts cut (--tokenize char)"
            )
        example = _find_glued(corpus.sources, system.hypotheses)
        if example:
            yield (
                f"{system.name} is not tokenised like the source: its sentences end like {example!r}; "
                "have it tokenised (--tokenize auto), or write a tokenised file: gecval doctor GOLD OUTPUT --fix tokens"
            )
        forms = _other_forms(corpus, system)
        if forms:
            yield (
                f"{system.name} has {forms} that source and references lack: letters are compared as they are, so the "
                "same words count as other words; gecval doctor says what it costs, and how to fix it"
            )
        reference = reference_taken_for_system(corpus, system)
        if reference:
            yield f"{system.name} looks like a reference ({reference}); if it is one, give it with the references"


def _lacks_blanks(corpus: Corpus, system: System) -> bool:
    """Whether an output is written without the blanks that its source has."""
    return corpus.derive(_share_of_source_runs) <= MOST < share_of_runs(system.hypotheses)


def _share_of_source_runs(corpus: Corpus) -> float:
    return share_of_runs(corpus.sources)


def _find_glued(sources: Sequence[str], hypotheses: Sequence[str]) -> str | None:
    """The last word of a sentence whose punctuation is glued to it, where many are so and the source's are not."""
    pairs = list(islice(zip(sources, hypotheses, strict=True), SEEN))
    if sum(ends_glued(source) for source, _ in pairs) > sum(ends_apart(source) for source, _ in pairs):
        return None  # the source is running text too
    apart = [hypothesis.rstrip() for source, hypothesis in pairs if ends_apart(source)]
    glued = [hypothesis for hypothesis in apart if ends_glued(hypothesis)]
    return glued[0].split()[-1] if len(glued) > MANY * len(apart) else None


def _other_forms(corpus: Corpus, system: System) -> str:
    """The Unicode forms of an output that the source and its references do not have, with the number of sentences.

    What the source has anywhere is usual: Chinese is written with full-width signs.
    """
    unusual = {kind: has for kind, has in FORMS.items() if not any(map(has, corpus.sources[:SEEN]))}
    counts: Counter[str] = Counter()
    for i, hypothesis in enumerate(islice(system.hypotheses, SEEN)):
        if not hypothesis.isascii():
            counts.update(
                kind for kind, has in unusual.items() if has(hypothesis) and not any(map(has, corpus.texts_of(i)))
            )
    return " and ".join(f"{kind} in {count} sentence{'s' * (count > 1)}" for kind, count in counts.items())


def reference_taken_for_system(corpus: Corpus, system: System) -> str | None:
    """Why the output may be meant as a reference: it has the name of one, or equals one wherever it changes a text."""
    for annotator in {reference.annotator: None for reference in corpus.references[0]}:
        # The annotator of a text file is its name; those of .m2 files are numbers.
        if not annotator.isdigit() and have_like_names(system.name, annotator.removesuffix(".txt")):
            return f"it is named like {annotator}"
    sources, references = corpus.derive(_words)
    hypotheses = [hypothesis.split() for hypothesis in islice(system.hypotheses, SEEN)]
    changed = [i for i, words in enumerate(hypotheses) if words != sources[i]]
    equal = sum(hypotheses[i] in references[i] for i in changed)
    if len(changed) >= FEWEST and equal >= NEARLY_ALL * len(changed):
        return f"it equals one in {equal} of {len(changed)} sentences that it changes"
    return None


def _words(corpus: Corpus) -> tuple[list[list[str]], list[list[list[str]]]]:
    """The words of the sources that are looked at, and of their references."""
    sources = [source.split() for source in corpus.sources[:SEEN]]
    return sources, [[text.split() for text in corpus.texts_of(i)] for i in range(len(sources))]


def have_like_names(name: str, reference: str) -> bool:
    """Whether two names of files differ in a number, or in one letter at their end: ref0 and ref1, NUCLEA and NUCLEB.

    >>> have_like_names("ref0", "ref12"), have_like_names("NUCLEA", "NUCLEB"), have_like_names("AMU", "ref0")
    (True, True, False)
    """
    numberless = re.sub(r"\d+", "#", name)
    if numberless != name and numberless == re.sub(r"\d+", "#", reference):
        return True
    return len(name) > 3 and name[:-1] == reference[:-1] and name[-1].isalpha() and reference[-1].isalpha()


def nothing_right_note(parts: Mapping[str, float], corpus: Corpus, system: System) -> str | None:
    """A note where hardly any edit is right though most sentences are changed: texts of different make."""
    right = parts.get("correct", parts.get("tp", 0.0))
    proposed = parts.get("proposed", right + parts.get("fp", 0.0))
    if proposed < FEWEST or right > HARDLY * proposed:
        return None
    changed = sum(map(ne, map(str.split, corpus.sources), map(str.split, system.hypotheses)))
    if changed < MOST * len(corpus):
        return None
    return (
        f"{system.name} changes {changed} of {len(corpus)} sentences, and {right:.0f} of its {proposed:.0f} edits are "
        "right: is it tokenised and cased like the source, and are its lines in the same order?"
    )
