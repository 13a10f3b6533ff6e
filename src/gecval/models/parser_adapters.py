"""Small adapters: spaCy, Stanza and UDPipe as functions from lists of tokens to lists of words."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from gecval.errors import InputError
from gecval.formats.conllu import Word

Parse = Callable[[list[list[str]]], list[list[Word]]]


def spacy_parse(package: str) -> Parse:
    spacy, make = import_module("spacy"), import_module("spacy.tokens").Doc
    try:
        nlp = spacy.load(package, disable=["ner"])
    except (OSError, ImportError, AttributeError, TypeError, ValueError) as error:
        raise InputError(f"cannot load the spaCy model {package!r}: {str(error).splitlines()[0]}") from None

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
        first = (str(error) or type(error).__name__).splitlines()[0]
        raise InputError(
            f"cannot load Stanza's model for {lang}: {first}; python -c 'import stanza; stanza.download(\"{lang}\")'",
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
        return [_tagged(udpipe, model, sentence) for sentence in sentences]

    return parse


def _tagged(udpipe: Any, model: Any, tokens: list[str]) -> list[Word]:
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
