"""Corpus and System: the one gate that everything scored has passed.

``references[i]`` are the references of sentence *i*. Their number may differ from sentence to sentence. The
constructors refuse whatever does not fit, in one line, so nothing behind the gate checks shapes again. Texts lose the
blanks at both ends, as lines of files do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import repeat
from operator import contains, is_
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from gecval.corpus.columns import NestedTexts, Texts, as_references, as_texts, chosen_places
from gecval.corpus.edit import Edit, apply_edits
from gecval.corpus.language import (
    guess_language,
    in_another_script,
    language_code,
    language_name,
    language_of_script,
)
from gecval.corpus.references import Reference, ReferenceTable, as_line, offsets_of
from gecval.corpus.tokenization import check_tokenize, choose_tokenization, cut_texts, cutter, is_running_text
from gecval.errors import InputError, shorten

__all__ = ["Corpus", "Reference", "System"]

Value = TypeVar("Value")
# What to choose instead of what knows one language only: first what knows this one, then what knows none.
METRICS = {"zh": 'errant(lang="zh")', "": 'errant(model="plain")'}
EDITS = {"zh": "cherrant", "": "plain"}


@dataclass(frozen=True, slots=True, repr=False)
class System:
    """A system's output: one hypothesis per source sentence."""

    name: str
    hypotheses: Sequence[str]
    notes: tuple[str, ...] = field(default=(), compare=False)  # about its file
    edits: Sequence[tuple[Edit, ...]] | None = None  # of each sentence, where the output came as edits
    realigned: bool = False  # whether its line breaks were moved to where the source has them

    def __post_init__(self) -> None:
        if isinstance(self.hypotheses, str):
            raise InputError(f"the output of {self.name} must be a list of texts, not a text")
        if not _all_texts(self.hypotheses):
            number, text = next((n, t) for n, t in enumerate(self.hypotheses, start=1) if not isinstance(t, str))
            raise InputError(f"sentence {number} of the output of {self.name} is {shorten(repr(text), 60)}, not text")
        if self.edits is not None and len(self.edits) != len(self.hypotheses):
            raise InputError(
                f"{self.name} has {len(self.hypotheses)} sentences, and edits of {len(self.edits)}", parameter="edits"
            )
        object.__setattr__(self, "hypotheses", _as_lines(self.hypotheses))

    def __getitem__(self, chosen: object) -> System:
        """The output of some sentences: ``system[:200]``, as ``corpus[:200]``."""
        places = chosen_places(chosen, len(self.hypotheses)).tolist()
        return replace(
            self,
            hypotheses=[self.hypotheses[i] for i in places],
            edits=None if self.edits is None else [self.edits[i] for i in places],
        )

    def __repr__(self) -> str:
        return f"<System {self.name} with {_count(len(self.hypotheses), 'sentence')}>"


@dataclass(frozen=True, eq=False, repr=False)
class Corpus:
    """Source sentences and their references.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go home ."], [["He goes home ."]])
    >>> corpus
    <Corpus of 1 sentence with 1 reference>
    >>> corpus.references[0][0].text
    'He goes home .'
    """

    sources: Sequence[str]
    references: Sequence[Sequence[Reference]]
    notes: tuple[str, ...] = ()
    origin: str = "the source"  # where the source was read, for messages
    extractor: str = ""  # what found the edits, where the references came as text
    clusters: Sequence[Sequence[Cluster]] | None = None  # where the format groups edits itself (I-measure)
    language: str | None = None  # a code such as ``en``, where the user says it
    essays: Sequence[str] | None = None  # their ids, where a sentence is a whole essay
    given_edits: bool = False  # whether the outputs to be scored bring their edits
    tokenize: str | None = None  # what cuts texts that are not tokenised (``tokenization.py``)
    pool: tuple[System, ...] | None = None  # the systems that are scored together, for metrics that look at all of them
    _derived: dict[Callable[[Corpus], Any], Any] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        if self.language is not None:
            object.__setattr__(self, "language", language_code(self.language))
        if not self.sources:
            raise InputError("the source has no sentences")
        if len(self.sources) != len(self.references):
            raise InputError(f"{len(self.sources)} sources but references for {len(self.references)} sentences")
        check_tokenize(self.tokenize)
        if self.tokenize == "auto":
            object.__setattr__(self, "tokenize", choose_tokenization(self.sources, self.references))
            if self.tokenize != "char" and self.likely_language not in ("en", None):
                name = language_name(self.likely_language or "")
                note = (
                    f"auto chose the tokeniser {self.tokenize}; its rules are those of English, and the text is {name}"
                )
                object.__setattr__(self, "notes", (*self.notes, f"{note}: better give tokenised outputs"))
        if self.table and self.table.sources is self.sources:
            if self.tokenize == "char":
                cut_texts(self.sources, self.references, cutter("char"))  # refuses edits of words
            return  # the reader has checked them against each other
        texts: Sequence[Reference] | None = None  # in studies neighbours share a list: mere texts go with any source
        for number, (source, references) in enumerate(zip(self.sources, self.references, strict=True), start=1):
            if not isinstance(source, str):
                raise InputError(f"sentence {number}: the source is {type(source).__name__}, not text")
            if references is texts:
                continue
            for reference in references:
                _check_reference(reference, source, number)
            texts = None if any(reference.edits for reference in references) else references
        object.__setattr__(self, "sources", _as_lines(self.sources))
        if self.tokenize == "char" or (self.tokenize and is_running_text(self.sources) and self.has_no_edits()):
            sources, cut = cut_texts(self.sources, self.references, cutter(self.tokenize))
            object.__setattr__(self, "sources", sources)
            object.__setattr__(self, "references", cut)

    def __len__(self) -> int:
        return len(self.sources)

    def __getitem__(self, chosen: object) -> Corpus:
        """The corpus of some sentences: a slice, a list of places from 0, or True and False for each sentence.

        Its scores are those of a file with these sentences alone. Choose the same sentences of systems.

        >>> corpus = Corpus.from_texts(["He go home .", "Fine ."], ["He goes home .", "Fine ."])
        >>> corpus[:1].sources, corpus[[len(text.split()) < 3 for text in corpus.sources]].sources
        (['He go home .'], ['Fine .'])
        """
        places = chosen_places(chosen, len(self))
        listed = places.tolist()
        sources = [self.sources[i] for i in listed]
        references: Sequence[Sequence[Reference]] = (
            self.table.take(places, sources) if self.table else [self.references[i] for i in listed]
        )
        return replace(
            self,
            sources=sources,
            references=references,
            clusters=None if self.clusters is None else [self.clusters[i] for i in listed],
            essays=None if self.essays is None else [self.essays[i] for i in listed],
            pool=None,
        )

    def __repr__(self) -> str:
        count = self.reference_count
        references = {"0": "no references", "1": "1 reference"}.get(count, f"{count} references")
        return f"<Corpus of {_count(len(self), 'sentence')} with {references}>"

    @classmethod
    def from_texts(
        cls,
        sources: Texts,
        references: NestedTexts = (),
        *,
        language: str | None = None,
        tokenize: str | None = None,
    ) -> Corpus:
        """Plain sentences. ``references[i]`` lists the references of sentence *i*, or is the only one.

        Leave ``references`` out if there are none. Any column of texts will do: of numpy, pandas, polars, Arrow or
        Hugging Face.

        With ``tokenize="char"`` all texts, outputs of systems too, are cut into characters. ``"auto"`` cuts outputs
        that are running text like the source, or all texts where the source is running text too.
        """
        listed = as_texts(sources, "sources", parameter="sources")
        per_sentence = as_references(references, listed) or [[] for _ in listed]
        check_nesting(listed, per_sentence)
        return cls(
            listed,
            [
                [Reference(text, annotator=str(annotator)) for annotator, text in enumerate(texts)]
                for texts in per_sentence
            ],
            language=language,
            tokenize=tokenize,
        )

    def system(
        self,
        name: str,
        hypotheses: Texts,
        *,
        notes: tuple[str, ...] = (),
        edits: Sequence[tuple[Edit, ...]] | None = None,
        realigned: bool = False,
    ) -> System:
        """Let a system's output through the gate. ``edits`` are its own, for metrics that compare edits."""
        hypotheses = as_texts(hypotheses, f"the output of {name}")
        self.check_length(name, hypotheses)
        for number, (source, listed) in enumerate(zip(self.sources, edits or (), strict=False), start=1):
            _check_reference(Reference(edits=listed), source, number)
        if self.tokenize and all(isinstance(text, str) for text in hypotheses):
            hypotheses = self.cut(hypotheses)
        return System(name, hypotheses, notes, edits, realigned)

    def cut(self, texts: Sequence[str]) -> Sequence[str]:
        """An output in the tokens of the corpus, where it has its texts tokenised."""
        words = self.tokenize not in (None, "char")
        if self.tokenize is None or (words and (is_running_text(self.sources) or not is_running_text(texts))):
            return texts
        return [" ".join(cutter(self.tokenize)(text)) for text in texts]

    def check_length(self, name: str, hypotheses: Sequence[str]) -> None:
        """Refuse an output of another number of sentences."""
        if len(hypotheses) != len(self):
            raise InputError(f"{name} has {len(hypotheses)} sentences, {self.origin} {len(self)}")

    def __getstate__(self) -> dict[str, Any]:
        """What was given. What was made of it stays in this process: others make it again where they need it."""
        return {part.name: {} if part.name == "_derived" else getattr(self, part.name) for part in fields(self)}

    def with_pool(self, systems: Sequence[System]) -> Corpus:
        """The same corpus, for systems that are scored together. What was derived from it goes with it."""
        together = copy(self)
        object.__setattr__(together, "pool", tuple(systems))
        together._derived.update(self._derived)
        return together

    def derive(self, make: Callable[[Corpus], Value]) -> Value:
        """What ``make(corpus)`` gives. It is computed once and cached with the corpus, as layouts for kernels are."""
        if make not in self._derived:
            self._derived[make] = make(self)
        return cast(Value, self._derived[make])

    @cached_property
    def likely_language(self) -> str | None:
        """The language as the user says, or as the source looks; None where that is not clear."""
        return self.language or guess_language(self.sources)

    def check_language(self, judge: str, language: str | None, *, finds_edits: bool = False) -> None:
        """Refuse to have texts judged by the rules of another language; where it is not clear, nothing is refused.

        ``judge`` is the name of a metric, or of an extractor where it ``finds_edits``.
        """
        likely = self.likely_language
        if language is None or likely == language or (not likely and not in_another_script(self.sources, language)):
            return
        looks = "is written in other letters"
        if likely:
            looks = f"{'is' if self.language else 'looks'} {language_name(likely)}"
        script = language_of_script(self.sources)
        choices, parameters = self._instead(judge, likely or script, finds_edits=finds_edits)
        if self.language is None:
            choices += f", or say that the language is {language}" if likely else ", or say what the language is"
            said = language if likely else script if script in METRICS else None
            parameters += (f"language={said}" if said else "language",)
        raise InputError(
            f"{judge} judges {language_name(language)} only, and {self.origin} {looks}; choose {choices}",
            parameter=parameters,
        )

    def _instead(self, judge: str, likely: str | None, *, finds_edits: bool) -> tuple[str, tuple[str, ...]]:
        """What to choose for texts in another language, and the parameter that does it."""
        known = EDITS if finds_edits else METRICS
        names = [known[code] for code in (likely, "") if code in known]
        if finds_edits:
            return f"{' or '.join(names)} as edits", (f"edits={names[0]}",)
        if self.reference_count == "0":
            return "a metric for any language", ()
        if judge == "errant" and likely not in (None, "zh"):
            names.append(f'for types errant(lang="{likely}", model=...) with a parser or "none",')
        return f"{', '.join(names)} or another metric", (f"metrics={names[0]}",)

    @property
    def table(self) -> ReferenceTable | None:
        """The references as columns, where they came so."""
        return self.references if isinstance(self.references, ReferenceTable) else None

    @cached_property
    def reference_texts(self) -> list[str]:
        """The text of every reference, sentence after sentence."""
        return [text for number in range(len(self)) for text in self.texts_of(number)]

    def texts_of(self, i: int) -> list[str]:
        """The texts of the references of sentence *i*, made from edits where only these are known."""
        return [
            reference.text
            if reference.text is not None
            else apply_edits(self.sources[i].split(), reference.edits or ())
            for reference in self.references[i]
        ]

    @cached_property
    def reference_slots(self) -> NDArray[np.int64]:
        """The references of sentence *i* are number ``slots[i]`` to ``slots[i + 1]``."""
        return self.table.slots if self.table else offsets_of(map(len, self.references))

    def has_no_edits(self) -> bool:
        """Whether every reference is a text alone."""
        return not self.table and all(item.edits is None for listed in self.references for item in listed)

    def has_edits(self) -> bool:
        """Whether every reference comes with edits."""
        if self.table:
            return True
        return all(reference.edits is not None for references in self.references for reference in references)

    @cached_property
    def reference_count(self) -> str:
        """How many references a sentence has: ``"2"``, or ``"1-2"`` where it varies."""
        counts = np.diff(self.reference_slots)
        low, high = int(counts.min()), int(counts.max())
        return str(low) if low == high else f"{low}-{high}"

    @cached_property
    def source_hash(self) -> str:
        return _digest(self.sources)

    @cached_property
    def reference_hash(self) -> str:
        """A hash of the edits where there are any, since they say more than the texts, else of the texts."""
        if self.table:
            digest = hashlib.sha256()
            self.table.print(digest.update)
            return digest.hexdigest()[:8]
        return _digest(
            f"{slot}\t{reference.text if reference.edits is None else reference.edits}"
            for slot, references in enumerate(self.references)
            for reference in references
        )


def _check_reference(reference: Reference, source: str, number: int) -> None:
    if reference.edits is None:
        if not isinstance(reference.text, str):
            raise InputError(f"sentence {number}: a reference has neither text nor edits")
        return
    if not reference.edits:
        return
    length = len(source.split())
    for edit in reference.edits:
        if not 0 <= edit.start <= edit.end <= length:
            raise InputError(f"sentence {number}: edit {edit.start} {edit.end} is out of range; it has {length} tokens")
        if not edit.corrections:
            raise InputError(f'sentence {number}: edit {edit.start} {edit.end} has no correction; "" deletes')


def _all_texts(values: Sequence[object]) -> bool:
    """Whether all are texts; where they are plain ones, one look at their types tells."""
    return set(map(type, values)) <= {str} or all(isinstance(value, str) for value in values)


def _as_lines(texts: Sequence[str]) -> Sequence[str]:
    """The same sequence where all texts are lines already: a corpus may hold millions."""
    lines = list(map(as_line if any(map(contains, texts, repeat("\n"))) else str.strip, texts))
    return texts if all(map(is_, lines, texts)) else lines


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _digest(lines: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode("utf-8", "surrogatepass"))
        digest.update(b"\n")
    return digest.hexdigest()[:8]


# References come as [sentence][reference]. These functions refuse the other order, [reference][sentence], and say so.


TURN = "they seem to be [reference][sentence]: turn them round with list(zip(*references))"
COMPARED = 20  # sentences that are looked at where the shape alone does not tell


def check_nesting(sources: Sequence[str], references: Sequence[Sequence[str]]) -> None:
    """Refuse references that are not the lists of references of the sentences."""
    if any(isinstance(texts, str) for texts in references):
        raise InputError(
            "references[i] must be the list of references of sentence i, not a text; "
            "with one reference a sentence, write [[text] for text in references]",
            parameter="references",
        )
    lists_of_all_sentences = len(sources) > 1 and all(len(texts) == len(sources) for texts in references)
    if not lists_of_all_sentences:
        return
    if len(references) != len(sources) or _is_reversed(sources[:COMPARED], references):
        raise InputError(f"references[i] must be the references of sentence i; {TURN}", parameter="references")


def _is_reversed(sources: Sequence[str], references: Sequence[Sequence[str]]) -> bool:
    """Whether, for most i ≠ j, references[i][j] is more like source j than like source i: the square case.

    >>> _is_reversed(["He go home .", "She like apple ."], [["He goes home .", "She likes apples ."]] * 2)
    True
    """
    from rapidfuzz import fuzz

    turned = others = 0
    for i, own in enumerate(sources):
        for j, other in enumerate(sources):
            text = references[i][j]
            if i != j and isinstance(own, str) and isinstance(other, str) and isinstance(text, str):
                likeness_if_turned, likeness_if_straight = fuzz.ratio(text, other), fuzz.ratio(text, own)
                turned += likeness_if_turned > likeness_if_straight
                others += likeness_if_turned <= likeness_if_straight
    return turned > others


# Clusters of edits that correct the same error, as I-measure's own files have them (Felice & Briscoe 2015).
#
# Edits of several annotators that overlap are alternatives. Edits that do not overlap are independent. A cluster is
# *required* if every annotator of the sentence has an alternative in it. Otherwise the source may also stay as it is.
# Where only references are given, ``native/imeasure/candidates.cpp`` groups their edits in this way.


@dataclass(frozen=True, slots=True)
class Cluster:
    """One error: the edits of each annotator who corrects it, and whether it must be corrected."""

    alternatives: tuple[tuple[Edit, ...], ...]
    required: bool

    def choices(self) -> list[tuple[Edit, ...]]:
        """What a reference may do about the error: one of the alternatives, or nothing if that is allowed."""
        return [*self.alternatives, *([] if self.required else [()])]
