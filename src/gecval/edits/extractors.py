"""Extractors by name: they find the edits between two texts.

    plain             this package's rules, for any language
    errant            ERRANT with its default model
    cherrant          ChERRANT's rules for Chinese characters
    multigec          ERRANT's rules over words without tags, for any language, as the scorer of MultiGEC-2025
    en_core_web_lg    ERRANT with this spaCy model, or with one in a folder
    it_core_news_sm   language-neutral types with this spaCy model for another language
    AMU.m2            the edits in this file, or in the M2 files of a folder, as they are

Parameters stand in brackets, as with metrics: ``errant(alignment="levenshtein", merging="all-split")``.
Others come by entry points of the group ``gecval.extractors``, or as ``my_module:Name`` (see ``plugins.py``).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar, cast

from gecval.corpus import Corpus, System
from gecval.corpus.edit import Edit, apply_edits
from gecval.corpus.language import in_another_script, language_name
from gecval.edits.errant import ErrantExtractor
from gecval.edits.universal import UniversalExtractor
from gecval.errors import InputError, shorten
from gecval.formats import load_corpus
from gecval.formats.files import exists, read_bytes, readable
from gecval.models.spacy_parser import model_language
from gecval.runtime.plugins import Plugins, parse_spelling
from gecval.runtime.run import SERIAL, Run

EXTRACTORS = Plugins(
    kind="extractor",
    group="gecval.extractors",
    built_in={
        "errant": "gecval.edits.errant:ErrantExtractor",
        "plain": "gecval.edits.plain:PlainExtractor",
        "cherrant": "gecval.edits.cherrant.extractor:CherrantExtractor",
        "multigec": "gecval.edits.errant:UntaggedExtractor",
    },
)
Answer = TypeVar("Answer")
Pair = tuple[str, str]
NEEDS = ("signature", "language", "edits")
LIMIT = 500_000  # pairs and different edits that are cached; some 250 bytes each
M2_SUFFIXES = (".m2", ".m2.gz")
_SPACY_NAME = re.compile(r"[a-z]{2,3}_\w+_\w+")  # such as en_core_web_lg


class Extractor(Protocol):
    """Finds the edits between texts. :class:`OptionalMembers` says what it may have besides."""

    @property
    def signature(self) -> str:
        """The names and versions of everything that decides which edits are found."""

    @property
    def language(self) -> str | None:
        """The language whose texts it reads, as a code such as ``en``; None where it reads any."""

    def edits(self, pairs: Sequence[Pair], *, run: Run = SERIAL) -> list[tuple[Edit, ...]]:
        """The edits of each pair of source and corrected text."""


class OptionalMembers(Protocol):
    """What an extractor may have besides, each by itself. Only the functions of this module look for them."""

    types: tuple[str, ...]  # those that it gives, where they are not like ERRANT's
    only_types: tuple[str, ...]  # all that it gives, where it does not tell errors apart as ERRANT does

    def tokens(self, text: str) -> list[str]:
        """The tokens that its edits count, where blanks do not separate them."""

    def alternatives(self, pairs: Sequence[Pair], *, run: Run = SERIAL) -> list[list[tuple[Edit, ...]]]:
        """Several lists of edits for each pair: each makes a reference of its own."""

    def notes(self, pairs: Sequence[Pair]) -> tuple[str, ...]:
        """What a user should know about these pairs."""


def token_cutter(extractor: Extractor | None) -> Callable[[str], list[str]] | None:
    """Cuts a text into the tokens that the extractor's edits count; None where blanks separate them."""
    tokens: Callable[[str], list[str]] | None = getattr(extractor, "tokens", None)
    return tokens


def extractor_types(extractor: Extractor) -> tuple[str, ...]:
    """The types of its edits that are not like ERRANT's."""
    types: tuple[str, ...] = getattr(extractor, "types", ())
    return types


def only_types(extractor: Extractor) -> tuple[str, ...]:
    """All types that it gives, where these are few; empty where they are those of ERRANT or of a scheme of its own.

    >>> only_types(extractor("plain"))
    ('M', 'R', 'U')
    """
    types: tuple[str, ...] = getattr(extractor, "only_types", ())
    return types


def extractor_notes(extractor: Extractor, pairs: Sequence[Pair]) -> tuple[str, ...]:
    """What a user should know about these pairs, as far as the extractor says."""
    notes: Callable[[Sequence[Pair]], tuple[str, ...]] | None = getattr(extractor, "notes", None)
    return () if notes is None else notes(pairs)


def has_alternatives(extractor: Extractor) -> bool:
    """Whether it may give several lists of edits for a pair."""
    return hasattr(extractor, "alternatives")


def extract(extractor: Extractor, pairs: Sequence[Pair], *, run: Run = SERIAL) -> list[tuple[Edit, ...]]:
    """The edits of each pair. The extractor may be anybody's, so this looks whether it answers for every pair."""
    return _one_for_each(extractor.edits(pairs, run=run), extractor, pairs)


def extract_alternatives(
    extractor: Extractor, pairs: Sequence[Pair], *, run: Run = SERIAL
) -> list[list[tuple[Edit, ...]]]:
    """What references each pair gives: one, unless the extractor has several lists of edits for it."""
    if not has_alternatives(extractor):
        return [[edits] for edits in extract(extractor, pairs, run=run)]
    return _one_for_each(cast(OptionalMembers, extractor).alternatives(pairs, run=run), extractor, pairs)


def _one_for_each(answers: list[Answer], extractor: Extractor, pairs: Sequence[Pair]) -> list[Answer]:
    if len(answers) != len(pairs):
        raise InputError(f"the extractor {extractor.signature} answers {len(answers)} times for {len(pairs)} pairs")
    return answers


def extractor_names() -> list[str]:
    """The names of all available extractors, ours first.

    Returns
    -------
    list of str
        What :func:`extractor` and the option ``--edits`` take. Names of spaCy models and of M2 files are not listed.

    Examples
    --------
    >>> extractor_names()[:2]
    ['errant', 'plain']
    """
    return EXTRACTORS.names()


def extractor(name: str) -> Extractor:
    """The extractor of this name.

    Parameters
    ----------
    name
        One of :func:`extractor_names`, with parameters in brackets where you want others than the defaults; a spaCy
        model such as ``en_core_web_lg``; an M2 file, or a folder of M2 files; or ``my_module:Name``.

    Returns
    -------
    Extractor
        It finds the edits of pairs of texts: ``extractor("plain").edits([("He go", "He goes")])``.

    Examples
    --------
    >>> extractor("plain")
    PlainExtractor()
    >>> extractor("plane")
    Traceback (most recent call last):
    gecval.errors.InputError: there is no extractor 'plane'; did you mean plain?
    """
    path = exists(name)
    bare, parameters = _split_spelling(name) if name.rstrip().endswith(")") and not path else (name, {})
    # A path may have a colon, as C:\AMU.m2, and yet name no module.
    made: Extractor | None = None if path and ":" in name else EXTRACTORS.make(bare, NEEDS, parameters)
    if made is not None:
        return made
    if parameters:
        raise _takes_no_parameters(bare, parameters)
    if holds_m2(name):
        return M2Extractor(name)
    if _SPACY_NAME.fullmatch(name) or exists(name, "meta.json"):
        lang = model_language(name)
        return ErrantExtractor(name) if lang == "en" else UniversalExtractor(lang, name)
    raise EXTRACTORS.unknown(name, others=", and spaCy models for errant such as en_core_web_lg")


def _takes_no_parameters(name: str, parameters: Iterable[str]) -> InputError:
    if _SPACY_NAME.fullmatch(name):
        return InputError(f'parameters go with errant: write errant(model="{name}", {next(iter(parameters))}=…)')
    return EXTRACTORS.unknown(name)


def _split_spelling(spelling: str) -> tuple[str, dict[str, Any]]:
    """The name and its parameters."""
    name, positional, named = parse_spelling(spelling, extractor, kind=EXTRACTORS.kind)
    if positional:
        raise InputError(f'{name}: say which parameter is meant, as in errant(merging="all-split")')
    return name, named


def short_name(chosen: Extractor) -> str:
    """What messages call it: the start of its signature, without versions.

    >>> short_name(extractor("plain"))
    'plain'
    """
    return re.split("[:|]", chosen.signature)[0]


def full_signature(chosen: Extractor) -> str:
    """Name and versions, and the language where the extractor knows only one: for the signatures of scores.

    >>> full_signature(extractor("plain"))
    'plain'
    """
    return f"{chosen.signature}|lang:{chosen.language}" if chosen.language else chosen.signature


# The extractor where the user names none: ERRANT, where it is installed and the text is not clearly in another language
# than English; else plain rules. All studies use this rule.


class Choice(NamedTuple):
    """An extractor, and a note that says which and why."""

    extractor: Extractor
    note: str


def choose_extractor(corpus: Corpus) -> Choice:
    """The extractor for the texts of a corpus.

    >>> choice = choose_extractor(Corpus.from_texts(["Він пішов додому .", "Це дуже добре , що ти прийшов ."]))
    >>> choice.note
    'edits are found by plain rules, since the text looks Ukrainian'
    """
    language = corpus.likely_language
    if language not in ("en", None):
        return _plain(f"the text {'is' if corpus.language else 'looks'} {language_name(language)}")
    if language is None and in_another_script(corpus.sources, "en"):
        return _plain("the text is written in other letters than English")
    errant = extractor("errant")
    try:
        versions = errant.signature
    except InputError as missing:
        return _plain(str(missing))
    return Choice(errant, f"edits are found by ERRANT ({versions.replace('|', ', ')})")


def _plain(reason: str) -> Choice:
    return Choice(extractor("plain"), f"edits are found by plain rules, since {reason}")


# Caches, for studies that ask about the same pairs of texts again and again. When a cache is full, what is in it stays,
# and other pairs are extracted each time.


class CachedExtractor:
    """An extractor with all its members. It is asked about a pair of texts once.

    >>> from gecval.edits.extractors import extractor
    >>> CachedExtractor(extractor("plain")).edits([("a b", "a c")])
    [(Edit(start=1, end=2, corrections=('c',), type='R', required=True),)]
    """

    def __init__(self, extractor: Extractor, *, limit: int = LIMIT) -> None:
        self._extractor = extractor
        self._cache: dict[Pair, tuple[Edit, ...]] = {}
        self._edits: dict[Edit, Edit] = {}  # an edit is in many pairs, and in memory once
        self._left = limit

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # a copy is asked for these before it has an extractor
            raise AttributeError(name)
        return getattr(self._extractor, name)

    @property
    def signature(self) -> str:
        return self._extractor.signature

    @property
    def language(self) -> str | None:
        return self._extractor.language

    def edits(self, pairs: Sequence[Pair], *, run: Run = SERIAL) -> list[tuple[Edit, ...]]:
        """The edits of each pair of source and corrected text."""
        new = list(dict.fromkeys(pair for pair in pairs if pair not in self._cache))
        said = extract(self._extractor, new, run=run) if new else []
        answers = {pair: tuple(listed) for pair, listed in zip(new, said, strict=True)}
        edits = [answers[pair] if pair in answers else self._cache[pair] for pair in pairs]
        self.store(answers)
        return edits

    def store(self, answers: Mapping[Pair, tuple[Edit, ...]]) -> None:
        """Put what the extractor said into the cache."""
        for pair, listed in answers.items():
            if pair in self._cache:
                continue
            edits = tuple(listed)
            try:
                new = sum(edit not in self._edits for edit in edits)
            except TypeError:  # an edit with a list in it has no hash: the extractor is asked again
                continue
            self._left -= 1 + new
            if self._left < 0:
                break
            self._cache[pair] = tuple(self._edits.setdefault(edit, edit) for edit in edits)


class CorpusEdits:
    """The edits of a corpus's outputs, by extractor: several metrics ask for the same edits."""

    def __init__(self, corpus: Corpus) -> None:
        self._sources = corpus.sources
        self._extractors: dict[tuple[type[Extractor], str], CachedExtractor] = {}

    def cached(self, extractor: Extractor) -> CachedExtractor:
        """This extractor, or the same one that was asked before.

        Whoever works on an extractor may define it again, under its old signature. So its class must be the same too.
        The full signature has the language, whose rules may give edits other types.
        """
        return self._extractors.setdefault((type(extractor), full_signature(extractor)), CachedExtractor(extractor))

    def share(self, other: CorpusEdits) -> None:
        """Use what another corpus has cached: the edits of a pair of texts are the same in any corpus."""
        self._extractors.update(other._extractors)

    def edits(self, extractor: Extractor, system: System, *, run: Run = SERIAL) -> list[tuple[Edit, ...]]:
        """The edits that lead from each source to the system's text."""
        pairs = list(zip(self._sources, system.hypotheses, strict=True))
        return self.cached(extractor).edits(pairs, run=run.quiet())


# Edits that come with the outputs: M2 files, one annotator each, made by whatever tool.
#
#     gecval score AMU.txt -r gold.m2 -m 'cleme(edits="AMU.m2")'
#
# An M2 file, or a folder of them, is an extractor like any other: it gives the edits that lead from a source to an
# output. A file that lacks a pair is refused, so edits of other outputs are never taken by mistake.


def holds_m2(name: str) -> bool:
    """Whether a name is that of an M2 file, or of a folder with such files.

    >>> holds_m2("AMU.m2"), holds_m2("plain")
    (True, False)
    """
    path = Path(name)
    return name.endswith(M2_SUFFIXES) or (exists(name) and path.is_dir() and bool(_files(path)))


@dataclass(frozen=True)
class M2Extractor:
    """Edits as the M2 files have them."""

    path: str

    language: ClassVar[str | None] = None  # that of the texts

    @property
    def signature(self) -> str:
        return f"given:{_read(self.path)[1]}"

    def edits(self, pairs: Sequence[Pair], *, run: Run = SERIAL) -> list[tuple[Edit, ...]]:
        """The edits of each pair of source and corrected text."""
        listed, _ = _read(self.path)
        keys = [(" ".join(source.split()), " ".join(text.split())) for source, text in pairs]
        for source, text in keys:
            if source != text and (source, text) not in listed:
                raise InputError(f"{self.path} has no edits that make {shorten(text, 60)!r} of {shorten(source, 60)!r}")
        return [listed.get(key, ()) for key in keys]


def _read(name: str) -> tuple[dict[Pair, tuple[Edit, ...]], str]:
    """The edits of each pair, and a hash of the files. Files that have changed are read again."""
    path = Path(name)
    with readable(path):
        files = _files(path) if path.is_dir() else [path]
        return _parse(tuple((file, file.stat().st_mtime_ns, file.stat().st_size) for file in files))


@lru_cache(maxsize=32)
def _parse(stamped: tuple[tuple[Path, int, int], ...]) -> tuple[dict[Pair, tuple[Edit, ...]], str]:
    """Of several annotators each gives a text of its own."""
    listed: dict[Pair, tuple[Edit, ...]] = {}
    digest = hashlib.sha256()
    for file, *_ in stamped:
        digest.update(read_bytes(file))
        corpus = load_corpus(None, [file], missing="absent")
        for source, references in zip(corpus.sources, corpus.references, strict=True):
            tokens = source.split()
            for reference in references:
                edits = reference.edits or ()
                listed.setdefault((" ".join(tokens), apply_edits(tokens, edits)), edits)
    return listed, digest.hexdigest()[:8]


def _files(folder: Path) -> list[Path]:
    with readable(folder):
        return sorted(file for file in folder.iterdir() if file.name.endswith(M2_SUFFIXES))
