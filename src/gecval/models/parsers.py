"""Parses from anywhere: typed edits need the form, part of speech, lemma and features of words, not a certain library.

    parses=("src.conllu", "ref.conllu")   CoNLL-U files, checked token by token against the texts
    model="it_core_news_sm"               a spaCy model, by its name or folder
    model="stanza"                        Stanza's default model of the language; stanza:PACKAGE for another
    model="udpipe:italian.udpipe"         a UDPipe model in a file
    model="my_module:parse"               a function: lists of tokens → lists of gecval's Word
    model="none"                          no parse: every word is its own lemma

Packages bring such functions by entry points of the group ``gecval.parsers``. A parser never changes the tokens:
blanks separate tokens.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Protocol

from gecval.errors import InputError, first_line, shorten
from gecval.formats.conllu import ParsedSentence, Word, read_conllu
from gecval.formats.files import read_bytes, readable
from gecval.models.cache import open_cache
from gecval.models.spacy_parser import installed_model, installed_version, load_pipeline
from gecval.runtime.plugins import Plugins

Words = list[Word]
PARSERS = Plugins(kind="parser", group="gecval.parsers", built_in={})


class Parser(Protocol):
    """Parses sentences of tokens."""

    @property
    def signature(self) -> str: ...

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Words]: ...


def parser(name: str, lang: str) -> Parser:
    """The parser that a name means, for texts of a language."""
    kind, _, rest = name.partition(":")
    if name == "none":
        return NoParser()
    if kind == "stanza":
        return CachedParser(f"stanza:{_version('stanza')}|{lang}:{rest or 'default'}", lambda: stanza_parse(lang, rest))
    if kind == "udpipe" and rest:
        digest = hashlib.sha256(read_bytes(Path(rest))).hexdigest()[:8]
        return CachedParser(f"udpipe:{_version('ufal.udpipe')}|{Path(rest).name}:{digest}", lambda: udpipe_parse(rest))
    if rest or name in PARSERS.names():
        function = PARSERS.load(name)
        if not callable(function):
            raise InputError(f"the parser {name!r} is no function", parameter="model")
        return Asked(name, function)
    package, model_version = installed_model(name)
    signature = f"spacy:{installed_version('spacy')}|{Path(package).name}:{model_version}"
    return CachedParser(signature, lambda: spacy_parse(package))


@dataclass(frozen=True)
class NoParser:
    """Nothing is known of words but their forms."""

    signature: str = "unparsed"

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Words]:
        return [[Word(form, lemma=form) for form in sentence] for sentence in sentences]


@dataclass(frozen=True)
class Asked:
    """A function of the user's. Its answers are checked."""

    signature: str
    function: Parse

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Words]:
        answers = self.function([list(sentence) for sentence in sentences])
        if not _are_words(answers):
            raise InputError(f"the parser {self.signature} must answer with a list of Word for each sentence")
        if len(answers) != len(sentences):
            raise InputError(f"the parser {self.signature} answers {len(answers)} times for {len(sentences)} sentences")
        for sentence, words in zip(sentences, answers, strict=True):
            if [word.form for word in words] != list(sentence):
                text = shorten(" ".join(sentence), 60)
                raise InputError(f"the parser {self.signature} tokenizes {text!r} again; it must keep the tokens")
        return answers


def _are_words(answers: Any) -> bool:
    return isinstance(answers, list | tuple) and all(
        isinstance(words, list | tuple) and all(isinstance(word, Word) for word in words) for words in answers
    )


@dataclass(frozen=True)
class CachedParser:
    """A library that takes time: it is loaded when it is first needed, and its answers are kept."""

    signature: str
    load: Callable[[], Parse]

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Words]:
        cache = open_cache(f"words-1|{self.signature}")
        lines = [" ".join(sentence) for sentence in sentences]
        known = cache.answers(lines, self._ask)
        return [
            [Word(form, *row) for form, row in zip(line.split(), json.loads(known[line]), strict=True)]
            for line in lines
        ]

    def _ask(self, lines: list[str]) -> Iterable[dict[str, str]]:
        answers = Asked(self.signature, self.load()).parse([line.split() for line in lines])
        rows = ([[w.upos, w.lemma, w.feats, w.deprel] for w in words] for words in answers)
        yield {line: json.dumps(row, ensure_ascii=False) for line, row in zip(lines, rows, strict=True)}


@dataclass(frozen=True)
class GivenParses:
    """The parses in CoNLL-U files, found by the text of the sentence."""

    paths: tuple[str, ...]

    @property
    def signature(self) -> str:
        return f"conllu:{hashlib.sha256(b''.join(_read(path)[1] for path in self.paths)).hexdigest()[:8]}"

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Words]:
        known = _read_parses(self.paths)
        return [
            known[tuple(sentence)] if tuple(sentence) in known else self._refuse(sentence) for sentence in sentences
        ]

    def _refuse(self, sentence: Sequence[str]) -> Words:
        """Say where the parse that is most like a sentence differs from it."""
        if not sentence:
            return []
        _, path, line, form, token = max(
            (_difference(Path(name), spelled, sentence) for name in self.paths for spelled in _spellings(name)),
            key=lambda difference: difference[0],
        )
        text = shorten(" ".join(sentence), 60)
        raise InputError(
            f"{path}: line {line}: the parse has {form}, the text {token}, in {text!r}; "
            "give the parse of this very text",
            parameter="parses",
        )


def _read(path: str) -> tuple[tuple[ParsedSentence, ...], bytes]:
    """The sentences of a file, and its hash. A file that has changed is read again."""
    with readable(Path(path)):
        status = Path(path).stat()
    return _read_once(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=32)
def _read_once(path: str, _time: int, _size: int) -> tuple[tuple[ParsedSentence, ...], bytes]:
    return tuple(read_conllu(Path(path))), hashlib.sha256(read_bytes(Path(path))).digest()


def _spellings(path: str) -> Iterable[list[tuple[int, Word]]]:
    for sentence in _read(path)[0]:
        yield sentence.words
        if len(sentence.written) != len(sentence.words):
            yield sentence.written


def _difference(
    path: Path, spelled: list[tuple[int, Word]], text: Sequence[str]
) -> tuple[tuple[int, int], Path, int, str, str]:
    """How like a parse is to a text, where they first differ, and in what."""
    forms = [word.form for _, word in spelled]
    same = next((k for k, (a, b) in enumerate(zip(forms, text, strict=False)) if a != b), min(len(forms), len(text)))
    likeness = len(set(forms) & set(text)) + same, -abs(len(forms) - len(text))
    line = spelled[min(same, len(spelled) - 1)][0]
    form, token = (repr(side[same]) if same < len(side) else "no more word" for side in (forms, text))
    return likeness, path, line, form, token


def _read_parses(paths: tuple[str, ...]) -> dict[tuple[str, ...], Words]:
    known: dict[tuple[str, ...], Words] = {}
    for path in paths:
        for spelled in _spellings(path):
            words = [word for _, word in spelled]
            known.setdefault(tuple(word.form for word in words), words)
    return known


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        raise InputError(f"this parser needs a package: pip install {package}", parameter="model") from None


# Small adapters: spaCy, Stanza and UDPipe as functions from lists of tokens to lists of words.


Parse = Callable[[list[list[str]]], list[list[Word]]]


def spacy_parse(package: str) -> Parse:
    nlp, make = load_pipeline(package), import_module("spacy.tokens").Doc
    if not {"tagger", "morphologizer"} & set(nlp.pipe_names):
        raise InputError(f"the spaCy model {package!r} has no tagger, and types need parts of speech")

    def parse(sentences: list[list[str]]) -> list[list[Word]]:
        documents = nlp.pipe(make(nlp.vocab, words=sentence) for sentence in sentences)
        return [
            [Word(t.text, t.pos_ or "X", t.lemma_ or t.text, t.morph.to_dict(), t.dep_) for t in document]
            for document in documents
        ]

    return parse


def stanza_parse(lang: str, package: str) -> Parse:
    options = {"package": package} if package else {}
    try:
        pipeline = import_module("stanza").Pipeline(
            lang,
            processors="tokenize,pos,lemma",
            tokenize_pretokenized=True,
            download_method=None,
            verbose=False,
            **options,
        )
    except Exception as error:  # each version fails in its own way
        raise InputError(
            f"cannot load Stanza's model for {lang}: {first_line(error)}; "
            f"python -c 'import stanza; stanza.download(\"{lang}\")'",
            parameter="model",
        ) from None

    def parse(sentences: list[list[str]]) -> list[list[Word]]:
        full = [sentence for sentence in sentences if sentence]
        parsed = iter(pipeline(full).sentences if full else ())
        return [[_of_stanza(word) for word in next(parsed).words] if sentence else [] for sentence in sentences]

    return parse


def _of_stanza(word: Any) -> Word:
    feats = dict(part.split("=", 1) for part in (word.feats or "").split("|") if "=" in part)
    return Word(word.text, word.upos or "X", word.lemma or word.text, feats, word.deprel or "")


def udpipe_parse(path: str) -> Parse:
    udpipe = import_module("ufal.udpipe")
    model = udpipe.Model.load(path)
    if not model:
        raise InputError(f"{path} is no model of UDPipe 1")

    def parse(sentences: list[list[str]]) -> list[list[Word]]:
        return [_tag(udpipe, model, sentence) for sentence in sentences]

    return parse


def _tag(udpipe: Any, model: Any, tokens: list[str]) -> list[Word]:
    sentence = udpipe.Sentence()
    for token in tokens:
        sentence.addWord(token)
    model.tag(sentence, model.DEFAULT)
    model.parse(sentence, model.DEFAULT)
    words = [sentence.words[k] for k in range(1, sentence.words.size())]
    return [
        Word(
            word.form,
            word.upostag or "X",
            word.lemma or word.form,
            dict(part.split("=", 1) for part in word.feats.split("|") if "=" in part),
            word.deprel,
        )
        for word in words
    ]
