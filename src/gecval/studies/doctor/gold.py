"""Gold against itself: every annotator's own text, scored by M² against the edits from which it was made.

It should score 1. Where it does not, these edits are not on the best path from the source to the text, and are to
blame: they share words with others, change nothing, or describe a way that is longer than the shortest one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from rapidfuzz.distance import LCSseq, Levenshtein

from gecval.corpus import Corpus, Reference, System
from gecval.edit import Edit
from gecval.formats.mending import edit_key, is_idle, mend_system, shares_words
from gecval.formats.mending import mend as mended_corpus
from gecval.metrics.base import Array
from gecval.metrics.m2 import M2
from gecval.studies.doctor.annotations import out_of_order
from gecval.studies.doctor.results import Blamed, SelfScore

METRIC = M2()
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
class Perfect:
    """Every annotation as a sentence of its own with one reference, the text that it makes, and where it is from."""

    corpus: Corpus
    system: System
    sentences: tuple[int, ...]

    @classmethod
    def of(cls, corpus: Corpus, most: int) -> Perfect | None:
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

    def rows(self, jobs: int) -> Array:
        """Correct, proposed and gold edits of each annotation."""
        return METRIC.statistics(self.corpus, self.system, jobs=jobs).rows

    def score(self, jobs: int) -> float:
        return float(METRIC.score(self.rows(jobs).sum(axis=0)))

    def written(self, mend: str) -> Perfect:
        """The same annotations, and an output that is written otherwise: what a system loses that writes so."""
        return replace(self, system=mend_system(self.system, [mend]))

    def mended(self, mend: str) -> Perfect:
        """Mended annotations, and the texts that they make."""
        corpus = mended_corpus(self.corpus, [mend])
        texts = [corpus.texts_of(i)[0] for i in range(len(corpus))]
        return replace(self, corpus=corpus, system=corpus.system("perfect", texts))


def self_scores(perfect: Perfect, rows: Array, blamed: Sequence[Blamed]) -> list[SelfScore]:
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


def blamed_edits(perfect: Perfect, rows: Array, *, jobs: int) -> list[Blamed]:
    """The edits that a perfect output is not given credit for, and why."""
    chosen: list[int] = np.flatnonzero(imperfect(rows)).tolist()
    if not chosen:
        return []
    corpus = Corpus([perfect.corpus.sources[i] for i in chosen], [perfect.corpus.references[i] for i in chosen])
    system = corpus.system("perfect", [perfect.system.hypotheses[i] for i in chosen])
    paths = METRIC.proposed_edits(corpus, system, corpus.reference_slots[:-1], jobs=jobs)
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
    """What is odd about the edit itself; None where the way from source to text is to blame."""
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
    kept = LCSseq.similarity(list(tokens[edit.start : edit.end]), edit.correction.split())
    return "wide" if kept > METRIC.max_unchanged else None
