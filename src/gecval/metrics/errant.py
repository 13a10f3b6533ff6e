"""ERRANT's score (Bryant, Felice & Briscoe 2017): F over typed edits, those of the hypothesis found automatically.

    P = tp / (tp + fp)      R = tp / (tp + fn)      F_β = (1 + β²)PR / (β²P + R)

Without a false positive P = 1, without a false negative R = 1. ``level`` says in what two edits must agree:
``correction`` (span and correction), ``classification`` (also type), ``detection`` (span), or ``token-detection`` (the
tokens of the span; an insertion marks the token on its right). These are -cs, -cse, -ds and -dt of errant_compare.

``average="macro"`` is the mean of F over all types. ``weights`` says what an edit of each type is worth:
``{"R:SPELL": 2}``, or a JSON file with such weights. ``lang`` and the parameters after it are for other languages than
English.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, product, starmap
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gecval import _native
from gecval.corpus import Corpus, System
from gecval.corpus.edit import Edit
from gecval.corpus.language import language_code
from gecval.edits.annotate import foreign_types
from gecval.edits.cherrant.extractor import ALIGNMENTS, NOT_AN_EDIT, CherrantExtractor
from gecval.edits.extractors import (
    CorpusEdits,
    Extractor,
    extractor,
    extractor_notes,
    extractor_types,
    only_types,
    short_name,
)
from gecval.edits.universal import UniversalExtractor
from gecval.errors import InputError
from gecval.metrics.base import (
    Array,
    Need,
    PageFormula,
    Ratio,
    Statistics,
    check_one_of,
    check_positive,
    check_text,
    check_texts,
    f_score,
    precision_recall,
    ratio,
)
from gecval.metrics.error_types import DETAILS, Detail, ScoresByType, TypeCounts, TypeWeights, at_detail
from gecval.metrics.reference_rules import Draws, RunningBest, RunningRule
from gecval.models.spacy_parser import DEFAULT_MODEL
from gecval.runtime.run import SERIAL, Run

LEVELS = ("correction", "classification", "detection", "token-detection")
SIZES = ("any", "single", "multi")
AVERAGES = ("micro", "macro")
UNCORRECTED = "UNK"  # an error that was seen but not corrected: it counts for detection only

TypesByKey = dict[Hashable, list[str]]


@dataclass(frozen=True, repr=False)
class Errant(ScoresByType):
    name: ClassVar[str] = "errant"
    title: ClassVar[str] = "ERRANT"
    summary: ClassVar[str] = "F over typed edits, extracted from text"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Bryant, Felice & Briscoe 2017"
    needs: ClassVar[Need | None] = "edits"

    beta: float = 0.5
    level: str = "correction"
    model: str = DEFAULT_MODEL  # a spaCy model, or "plain"
    size: str = "any"
    ignore: tuple[str, ...] = ()
    average: str = "micro"
    weights: TypeWeights | str = ""
    lang: str = ""
    alignments: str = "pooled"
    resources: str = ""
    parses: tuple[str, ...] = ()
    words: str = ""

    def __post_init__(self) -> None:
        check_positive(self.name, beta=self.beta)
        check_one_of(self.name, LEVELS, level=self.level)
        check_one_of(self.name, SIZES, size=self.size)
        check_texts(self.name, "R:SPELL", ignore=self.ignore)
        check_one_of(self.name, AVERAGES, average=self.average)
        check_languages(self.name, self._language_parameters)
        if not isinstance(self.weights, str):
            object.__setattr__(self, "weights", TypeWeights.check(f"{self.name}: weights", self.weights))
        if self.weights and self.average == "macro":
            raise InputError(f"{self.name}: the macro average counts all types alike, so it takes no weights")

    @property
    def rule(self) -> RunningBest | MacroBest:
        return MacroBest(self.beta) if self.average == "macro" else RunningBest(self.beta, "errant")

    @property
    def compares_types(self) -> bool:
        return self.level == "classification" or self.average == "macro" or bool(self.weights)

    @property
    def whole_corpus(self) -> str | None:
        return "its columns are the types of the whole corpus" if self.average == "macro" else None

    @cached_property
    def type_weights(self) -> TypeWeights:
        """What an edit of each type is worth."""
        if isinstance(self.weights, str):
            return TypeWeights.read(Path(self.weights)) if self.weights else TypeWeights()
        return self.weights

    @property
    def reads_files(self) -> bool:
        weights_in_file = isinstance(self.weights, str) and self.weights != ""
        return bool(self.resources or self.words or self.parses) or weights_in_file

    def for_language(self, corpus: Corpus, parses: tuple[str, ...] = (), words: str = "") -> Errant:
        if self.model != DEFAULT_MODEL or self.lang or self.parses:
            return self
        if parses:
            return replace(self, lang=language_of_parses(corpus), parses=parses, words=words)
        return replace(self, lang="zh") if corpus.likely_language == "zh" else self

    def check(self, corpus: Corpus) -> None:
        super().check(corpus)
        _ = self.type_weights  # a file that cannot be read is refused before anything slow

    def parameters(self) -> dict[str, Any]:
        """As signatures have them: what came later is not in those of plain ``errant``."""
        parameters = super().parameters() | {"weights": self.type_weights.spelling()}
        new = {"average": "micro", "weights": ""}
        kept = () if self.lang else ("model",)
        elsewhere = set(OF_EXTRACTOR) - set(kept)
        return {k: value for k, value in parameters.items() if new.get(k) != value and k not in elsewhere}

    @property
    def extractor(self) -> Extractor:
        """Finds the edits of hypotheses, and of references that are plain text."""
        return extractor_for(self._language_parameters)

    @property
    def _language_parameters(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in OF_EXTRACTOR}

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        edits = self.hypothesis_edits(corpus, system, run=run)
        matched = ((proposed, gold) for proposed, golds in self.match(corpus, edits) for gold in golds)
        if self.average == "macro":
            rows = rows_by_type(corpus, starmap(count_by_type, matched))
        elif self.type_weights:
            rows = self._weighted_rows(starmap(count_by_type, matched))
        else:
            rows = np.array(list(starmap(_count, matched)), dtype=np.float64)
        pairs = list(zip(corpus.sources, system.hypotheses, strict=True))
        notes = self._notes(corpus, edits) + extractor_notes(self.extractor, pairs)
        if system.edits is None and not corpus.extractor:
            notes += _note_foreign_edits(corpus, self.extractor)
            if self.compares_types and not self.type_weights:
                notes += _note_missing_types(corpus, self.extractor)
        return Statistics(rows, corpus.reference_slots, notes)

    def _weighted_rows(self, by_type: Iterator[dict[str, list[int]]]) -> Array:
        """tp, fp and fn, each edit with the weight of its type."""
        weights = self.type_weights
        pairs = ([(weights.weight(kind), counts) for kind, counts in types.items()] for types in by_type)
        rows = [[sum(weight * counts[k] for weight, counts in listed) for k in range(3)] for listed in pairs]
        return np.array(rows, dtype=np.float64)

    def counts_by_type(
        self, corpus: Corpus, system: System, statistics: Statistics, detail: Detail = "full", *, run: Run = SERIAL
    ) -> dict[str, TypeCounts]:
        check_one_of(self.name, DETAILS, detail=detail)
        chosen = (self.rule.choose_rows(statistics) - corpus.reference_slots[:-1]).tolist()
        edits = self.hypothesis_edits(corpus, system, run=run)
        rows: dict[str, Array] = {}
        wrong: Counter[str] = Counter()
        for i, (proposed, golds) in enumerate(self.match(corpus, edits)):
            gold = golds[chosen[i]]
            for kind, counts in count_by_type(proposed, gold).items():
                rows.setdefault(at_detail(kind, detail), np.zeros((len(corpus), 3)))[i] += counts
            for key, types in proposed.items():
                if key not in gold and _touches(key, gold):
                    wrong.update(at_detail(kind, detail) for kind in types)
        return {kind: TypeCounts(Statistics.one_per_sentence(rows[kind]), wrong[kind]) for kind in sorted(rows)}

    def hypothesis_edits(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> list[tuple[Edit, ...]]:
        """The edits of each hypothesis: its own, where it brings some."""
        if system.edits is not None:
            return list(system.edits)
        return corpus.derive(CorpusEdits).edits(self.extractor, system, run=run.quiet())

    def proposed_edits(
        self, corpus: Corpus, system: System, slots: NDArray[np.int64], *, run: Run = SERIAL
    ) -> list[tuple[Edit, ...]]:
        counting = self.for_language(corpus)
        return [counting.counted_edits(edits) for edits in self.hypothesis_edits(corpus, system, run=run)]

    def counted_edits(self, edits: Iterable[Edit]) -> tuple[Edit, ...]:
        """The edits that are looked at."""
        return tuple(filter(self._counts, edits))

    def match(
        self, corpus: Corpus, hypothesis_edits: list[tuple[Edit, ...]]
    ) -> Iterator[tuple[TypesByKey, list[TypesByKey]]]:
        """For each sentence, the edits of the hypothesis by what must agree, and those of each reference."""
        counting = self.for_language(corpus)
        for proposed, golds in counting._edits_to_match(corpus, hypothesis_edits):
            yield counting._by_key(proposed), list(map(counting._by_key, golds))

    def _notes(self, corpus: Corpus, hypothesis_edits: list[tuple[Edit, ...]]) -> tuple[str, ...]:
        """Types to ignore or with a price that no edit has: misprints, or the types of another annotation scheme."""
        if not self.ignore and not self.type_weights:
            return ()
        gold = (reference.edits or () for references in corpus.references for reference in references)
        seen = {edit.type for edits in chain(hypothesis_edits, gold) for edit in edits}
        unseen = " or ".join(kind for kind in self.ignore if kind not in seen)
        notes = [f"errant is to ignore the type {unseen}, and no reference has such an edit"] if unseen else []
        if unpriced := " or ".join(self.type_weights.unused(seen)):
            notes.append(f"errant has a price for {unpriced}, and no edit is of that type")
        return tuple(notes)

    def _edits_to_match(
        self, corpus: Corpus, hypothesis_edits: list[tuple[Edit, ...]]
    ) -> Iterator[tuple[tuple[Edit, ...], list[tuple[Edit, ...]]]]:
        """The edits of each hypothesis, and those of each of its references."""
        marks = self._counts(NOT_AN_EDIT)  # an edit like others: ``size`` and ``ignore`` may leave it out
        for proposed, references in zip(hypothesis_edits, corpus.references, strict=True):
            golds = [reference.edits or () for reference in references]
            if golds == [NOT_ANNOTATED] and marks:
                yield (), [()]
                continue
            # An unchanged hypothesis says of itself what such an annotator says.
            yield proposed, [() if gold == NOT_ANNOTATED and not proposed else gold for gold in golds]

    def _by_key(self, edits: tuple[Edit, ...]) -> TypesByKey:
        types: TypesByKey = {}
        for edit in edits:
            if self._counts(edit):
                for key in self._keys(edit):
                    types.setdefault(key, []).append(edit.type)
        return types

    def _counts(self, edit: Edit) -> bool:
        """Whether an edit is looked at (-single, -multi and -filt of errant_compare leave some out)."""
        if edit.type in self.ignore or (edit.type == UNCORRECTED and "detection" not in self.level):
            return False
        if self.size == "any":
            return True
        added = 0 if self.lang == "zh" else len(edit.correction.split())  # ChERRANT looks at the source side only
        single = edit.end - edit.start < 2 and added < 2
        return single == (self.size == "single")

    def key(self, edit: Edit) -> Hashable:
        """What must agree, at a level where an edit has one key."""
        [key] = self._keys(edit)
        return key

    def _keys(self, edit: Edit) -> list[Hashable]:
        if self.level == "token-detection":
            return list(range(edit.start, max(edit.end, edit.start + 1)))
        if self.level == "detection":
            return [(edit.start, edit.end)]
        if self.level == "classification":
            return [(edit.start, edit.end, edit.corrections, edit.type)]
        return [(edit.start, edit.end, edit.corrections)]

    def score(self, totals: Array) -> Array:
        return self._precision_recall_f(totals)[2]

    def as_ratio(self) -> Ratio | None:
        """F = (1 + β²)·tp / ((1 + β²)·tp + fp + β²·fn)."""
        squared = self.beta**2
        return None if self.average == "macro" else ((1 + squared, 0, 0), (1 + squared, 1, squared))

    def page_formula(self) -> PageFormula | None:
        return {"name": "errant" if self.average == "micro" else "errantMacro", "beta": self.beta}

    def parts(self, totals: Array) -> dict[str, float]:
        precision, recall, _ = self._precision_recall_f(totals)
        tp, fp, fn = (totals[k::3].sum() for k in range(3))
        number = float if self.type_weights else int
        return {
            "precision": float(precision),
            "recall": float(recall),
            "tp": number(tp),
            "fp": number(fp),
            "fn": number(fn),
        }

    def _precision_recall_f(self, totals: Array) -> tuple[Array, Array, Array]:
        if self.average == "macro":
            return macro_scores(totals, self.beta)
        precision, recall = precision_recall(totals)
        return precision, recall, f_score(precision, recall, self.beta)


def count_by_type(proposed: TypesByKey, gold: TypesByKey) -> dict[str, list[int]]:
    """tp, fp and fn by type. A match counts as often as the reference has it, and for the reference's types.

    >>> count_by_type({"a": ["R:VERB"], "b": ["U:DET"]}, {"a": ["R:NOUN", "R:NOUN"], "c": ["M:PREP"]})
    {'R:NOUN': [2, 0, 0], 'U:DET': [0, 1, 0], 'M:PREP': [0, 0, 1]}
    """
    counts: dict[str, list[int]] = {}
    for key, types in proposed.items():
        for kind in gold.get(key, types):
            counts.setdefault(kind, [0, 0, 0])[key not in gold] += 1
    for key, types in gold.items():
        if key not in proposed:
            for kind in types:
                counts.setdefault(kind, [0, 0, 0])[2] += 1
    return counts


def _note_foreign_edits(corpus: Corpus, finder: Extractor) -> tuple[str, ...]:
    """A note where edits that a program finds are compared with those that people marked in their own way."""
    foreign = foreign_types(corpus, extractor_types(finder))
    if not foreign:
        return ()
    return (
        f"the references' edits have types such as {', '.join(foreign)}, so {short_name(finder)} did not find them; "
        "right edits of an output that begin or end elsewhere count as wrong. To have those of the references found "
        "too, give their texts: gecval convert GOLD -o texts; where an annotator has no line for a sentence, add "
        "--missing-annotator agreed (right for the official CoNLL-14 file) or unchanged (right for Bryant & Ng's)",
    )


def _note_missing_types(corpus: Corpus, finder: Extractor) -> tuple[str, ...]:
    """A note where types are compared, and the references have some that the extractor never gives."""
    only = only_types(finder)
    missing = foreign_types(corpus, only=only) if only else []
    if not missing:
        return ()
    return (
        f"{short_name(finder)} gives no types such as {', '.join(missing)}, which the references' edits have, so this "
        f"score says little; to have those of the references found by {short_name(finder)} too, give their texts",
    )


def _count(proposed: TypesByKey, gold: TypesByKey) -> tuple[int, int, int]:
    """tp, fp and fn of all types together."""
    shared = proposed.keys() & gold.keys()
    tp = sum(len(gold[key]) for key in shared)
    return tp, sum(len(proposed[key]) for key in proposed.keys() - shared), sum(map(len, gold.values())) - tp


def _touches(key: Hashable, gold: TypesByKey) -> bool:
    """Whether an edit has words, or its place, in common with an edit of the reference."""
    start, end = _span(key)
    return any((start, end) == other or (start < other[1] and other[0] < end) for other in map(_span, gold))


def _span(key: Hashable) -> tuple[int, int]:
    """The source words of a key: a word, or a span and what it becomes."""
    if isinstance(key, tuple):
        return key[0], key[1]
    assert isinstance(key, int)
    return key, key + 1


# ERRANT's score in other languages: which extractor the parameters of ``errant`` mean, and ChERRANT's own counting.
#
#     errant(lang="zh")                                     ChERRANT's rules for Chinese characters
#                                                           (edits/cherrant/extractor.py)
#     errant(lang="it", parses=("src.conllu", "ref.conllu"))    language-neutral types (edits/universal.py)
#     errant(lang="it", model="it_core_news_sm")                the same, parsed by spaCy, Stanza, UDPipe or anybody
#     errant(model="multigec")                              any language, without types (edits/errant.py)
#
# A sentence that cannot be annotated (type NA) is skipped if nobody else annotated it. Next to others it is a reference
# with one edit that only an unchanged hypothesis does not miss. size="multi" leaves this edit out, as ChERRANT does, so
# that such a sentence counts.


# Parameters that only choose the extractor: its own signature says it all.
OF_EXTRACTOR = ("lang", "model", "alignments", "resources", "parses", "words")
NOT_ANNOTATED = (NOT_AN_EDIT,)


def check_languages(name: str, parameters: dict[str, Any]) -> None:
    """Refuse parameters that do not go together."""
    lang, model = parameters["lang"], parameters["model"]
    check_text(name, **{key: parameters[key] for key in ("lang", "model", "resources", "words")})
    check_texts(name, "src.conllu", parses=parameters["parses"])
    check_one_of(name, ALIGNMENTS, alignments=parameters["alignments"])
    if lang and language_code(lang) != lang:
        raise InputError(f"{name}: lang is a code such as {language_code(lang)}, not {lang!r}")
    if lang != "zh" and (parameters["alignments"] != ALIGNMENTS[0] or parameters["resources"]):
        raise InputError(f'{name}: alignments and resources go with lang="zh"')
    if lang == "zh" and (model != DEFAULT_MODEL or parameters["parses"] or parameters["words"]):
        raise InputError(f'{name}: with lang="zh" there is no model, no parse and no word list to choose')
    if lang in ("", "en"):
        if parameters["parses"] or parameters["words"]:
            raise InputError(f"{name}: parses and words go with lang, for a language other than English")
    elif lang != "zh" and parameters["parses"] and model != DEFAULT_MODEL:
        raise InputError(f"{name}: give parses or model, not both")
    elif lang != "zh" and model == DEFAULT_MODEL and not parameters["parses"]:
        raise InputError(
            f"{name}: lang={lang!r} needs to know how words are parsed: give CoNLL-U files as parses, or as model a "
            'spaCy model, "stanza", "udpipe:FILE" or "none"',
            parameter="parses",
        )


def language_of_parses(corpus: Corpus) -> str:
    """The language of a corpus with parses, for types that depend on it."""
    language = corpus.likely_language
    if language is None:
        raise InputError("the text does not show its language, and types depend on it", parameter="language")
    if language in ("en", "zh"):
        raise InputError(f"parses are of no use for lang {language}: it has rules of its own", parameter="parses")
    return language


def extractor_for(parameters: dict[str, Any]) -> Extractor:
    """The extractor that these parameters mean."""
    lang, model, parses = (parameters[name] for name in ("lang", "model", "parses"))
    if lang == "zh":
        return CherrantExtractor(parameters["alignments"], parameters["resources"])
    if lang in ("", "en"):
        return extractor(model)
    return UniversalExtractor(lang, "" if parses else model, parses, parameters["words"])


# ERRANT's macro average: F of each error type, and the mean over the types that occur.
#
#     F_macro = (1/T) Σ_t F_t        P and R likewise; no type at all: 1
#
# A row has tp, fp and fn of every type. Rare types count as much as
# frequent ones, and a type that a system never touches has P = 1.


_ANY = "ADJ ADV CONJ CONTR DET NOUN NOUN:POSS OTHER PART PREP PRON PUNCT SPACE VERB VERB:FORM VERB:TENSE"
_REPLACED = "ADJ:FORM MORPH NOUN:INFL NOUN:NUM ORTH SPELL VERB:INFL VERB:SVA WO"
KNOWN = [
    *(f"{operation}:{category}" for operation, category in product("MRU", _ANY.split())),
    *(f"R:{category}" for category in _REPLACED.split()),
    *"MRU",
    "UNK",
]
OTHERS = ""  # types that neither ERRANT nor the references have, as one


def type_columns(corpus: Corpus) -> dict[str, int]:
    """Where the counts of a type stand in a row: those of ERRANT first, then further ones of the references."""
    gold = sorted({edit.type for listed in corpus.references for r in listed for edit in r.edits or ()})
    return {kind: 3 * place for place, kind in enumerate(dict.fromkeys([*KNOWN, OTHERS, *gold]))}


def rows_by_type(corpus: Corpus, compared: Iterable[Mapping[str, list[int]]]) -> Array:
    """One row for each sentence and reference, given their tp, fp and fn by type."""
    columns = corpus.derive(type_columns)
    listed = list(compared)
    rows = np.zeros((len(listed), 3 * len(columns)))
    for row, counts in zip(rows, listed, strict=True):
        for kind, numbers in counts.items():
            column = columns.get(kind, columns[OTHERS])
            row[column : column + 3] += numbers
    return rows


@dataclass(frozen=True)
class MacroBest(RunningRule):
    """The choice of references among rows that hold tp, fp and fn of each type."""

    beta: float = 0.5
    name: ClassVar[str] = "running-best"

    def choose_rows(self, statistics: Statistics) -> Draws:
        """The row chosen for each sentence."""
        return _native.macro_best(statistics.rows, statistics.offsets, beta=self.beta)

    def totals_over(self, statistics: Statistics, draws: Draws, *, run: Run) -> Array:
        return _native.macro_best_totals(statistics.rows, statistics.offsets, draws, beta=self.beta, jobs=run.threads)

    def page_rule(self) -> PageFormula | None:
        return {"name": "runningMacro", "beta": self.beta}


def macro_scores(totals: Array, beta: float) -> tuple[Array, Array, Array]:
    """Precision, recall and F, each the mean over the types that occur."""
    tp, fp, fn = totals[..., 0::3], totals[..., 1::3], totals[..., 2::3]
    seen = tp + fp + fn > 0
    precision, recall = ratio(tp, tp + fp, empty=1.0), ratio(tp, tp + fn, empty=1.0)
    values = precision, recall, f_score(precision, recall, beta)
    p, r, f = (ratio(np.where(seen, value, 0.0).sum(axis=-1), seen.sum(axis=-1), empty=1.0) for value in values)
    return p, r, f
