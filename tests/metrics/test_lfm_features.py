"""The features of every group, from judges that say what a test tells them to."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest

from gecval import Corpus, metric
from gecval.metrics.evaluation import Aggregate, Evaluation, evaluations_against
from gecval.metrics.lfm.features import (
    GROUPS,
    Trigrams,
    amount,
    features,
    judges,
    ngram_features,
    parse_features,
    usual_groups,
)
from gecval.models.checkers import GrammarError
from gecval.models.language_model import LogProbability
from gecval.models.spacy_parser import ParsedSentence, ParsedToken

module = import_module("gecval.metrics.lfm.features")  # the package has a function of this name
SENTENCES = ["He go hoem .", "Fine , he said !", ""]
# What the language model is shown: a text as people write it.
TEXTS = ["He go hoem.", "Fine, he said!", ""]


def named(group: str, values: dict[str, float]) -> dict[str, float]:
    return {f"{group}: {name}": value for name, value in values.items()}


def test_misspellings_and_other_errors_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each checker has names of its own for misspellings; the rest are errors of grammar."""
    categories = {
        "lingotweaker": [["TYPOS", "GRAMMAR", "TYPOS"], ["STYLE"], []],
        "harper": [["Agreement"], ["Spelling", "Typo", "Style"], ["Typo"]],
    }

    def check(name: str, sentences: Sequence[str], **options: object) -> list[list[GrammarError]]:
        assert sentences == SENTENCES
        return [[GrammarError(0, 1, "R", category) for category in listed] for listed in categories[name]]

    monkeypatch.setattr(module, "checker", lambda name: name)
    monkeypatch.setattr(module, "check", check)
    misspelled = [
        amount("lingotweaker misspelled", ours, words) | amount("harper misspelled", theirs, words)
        for ours, theirs, words in [(2, 0, 4), (0, 2, 5), (0, 1, 0)]
    ]
    assert features(["spelling"], SENTENCES) == [named("spelling", row) for row in misspelled]
    errors = [
        amount("lingotweaker error", ours, words) | amount("harper error", theirs, words)
        for ours, theirs, words in [(1, 1, 4), (1, 1, 5), (0, 0, 0)]
    ]
    assert features(["grammar"], SENTENCES) == [named("grammar", row) for row in errors]


def test_log_probabilities_for_tokens_and_for_words(monkeypatch: pytest.MonkeyPatch) -> None:
    class Model:
        def log_probabilities(self, texts: Sequence[str], **options: object) -> list[LogProbability]:
            assert texts == TEXTS
            return [LogProbability(-30.0, 6), LogProbability(-12.0, 4), LogProbability(-2.0, 0)]

    monkeypatch.setattr(module, "LanguageModel", Model)
    assert features(["lm"], SENTENCES) == [
        {"lm: log p / token": -5.0, "lm: log p / word": -7.5, "lm: tokens / word": 1.5},
        {"lm: log p / token": -3.0, "lm: log p / word": -12 / 5, "lm: tokens / word": 0.8},
        {"lm: log p / token": -2.0, "lm: log p / word": -2.0, "lm: tokens / word": 0.0},  # a sentence without words
    ]


def test_ngrams_of_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    class Lengths:
        def words(self, text: str) -> list[str]:
            assert text in TEXTS
            return text.split()

        def knows(self, word: str) -> bool:
            return word != "hoem."

        def log_probability(self, ngram: list[str]) -> float:
            return -float(sum(map(len, ngram)))

    monkeypatch.setattr(module, "Trigrams", Lengths)
    assert features(["ngrams"], SENTENCES) == [
        named("ngrams", ngram_features(Lengths(), words)) for words in (text.split() for text in TEXTS)
    ]


def test_parses_and_links(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parser sees tokens, link grammar the text. Groups are put together sentence by sentence."""
    noun, verb = ParsedSentence(), ParsedSentence()
    noun.append(ParsedToken(noun, "home", "home", 0, "", "NN", "ROOT", 0, "home"))
    verb.append(ParsedToken(verb, "go", "go", 0, "", "VB", "ROOT", 0, "go"))
    parsed = dict(zip(SENTENCES, [noun, verb, ParsedSentence()], strict=True))

    def complete(texts: Sequence[str], **options: object) -> list[bool]:
        assert texts == TEXTS
        return [True, False, True]

    monkeypatch.setattr(module, "SpacyParser", lambda: SimpleNamespace(parse=lambda sentences, **options: parsed))
    monkeypatch.setattr(module, "LinkGrammar", lambda: SimpleNamespace(complete=complete))
    assert features(["link", "parse"], SENTENCES) == [
        {"link: complete": linked} | named("parse", parse_features(sentence))
        for linked, sentence in [(1.0, noun), (0.0, verb), (1.0, ParsedSentence())]
    ]


@pytest.mark.parametrize("installed", [True, False])
def test_link_grammar_is_used_where_it_is_installed(installed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "link_grammar_installed", lambda: installed)
    usual = ["spelling", "grammar", "ngrams", "lm", "parse", *(["link"] if installed else [])]
    assert list(usual_groups()) == usual
    assert list(GROUPS) == ["spelling", "grammar", "ngrams", "lm", "parse", "link"]


def test_every_group_names_its_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "checker", lambda name: SimpleNamespace(signature=f"{name}:1"))
    for name in ("Trigrams", "LanguageModel", "SpacyParser", "LinkGrammar"):
        monkeypatch.setattr(module, name, lambda name=name: SimpleNamespace(signature=f"{name}:2"))
    assert judges(list(GROUPS)) == {
        "spelling": "lingotweaker:1|harper:1",
        "grammar": "lingotweaker:1|harper:1",
        "ngrams": "Trigrams:2",
        "lm": "LanguageModel:2",
        "parse": "SpacyParser:2",
        "link": "LinkGrammar:2",
    }


# The trigram model: probabilities as pocketsphinx has them, most of all the right way round.


pytest.importorskip("pocketsphinx", reason="needs the extra: pip install 'gecval[lfm]'")


def test_probabilities() -> None:
    model = Trigrams()
    assert model.log_probability(["the"]) == pytest.approx(-3.1993, abs=1e-4)
    assert model.log_probability(["of", "the"]) == pytest.approx(-1.6084, abs=1e-4)
    assert model.log_probability(["the", "of"]) == pytest.approx(-8.6280, abs=1e-4)
    assert model.log_probability(["go", "to", "school"]) == pytest.approx(-3.1842, abs=1e-4)


def test_knows_words() -> None:
    known = {word: Trigrams().knows(word) for word in ("school", "don't", "</s>", "shcool", "ščola")}
    assert known == {"school": True, "don't": True, "</s>": True, "shcool": False, "ščola": False}


# Systems against some of the references: as if the corpus had no others.


SOURCES = ["he go home", "she like it", "they are here"]
REFERENCES = [["he goes home", "he went home", "he is going home"], ["she likes it", "she liked it"], ["they are here"]]
OUTPUT = ["he went home", "she likes it now", "they were here"]
CHOICES = [[0, 2], [1], [0]], [[1], [0, 1], [0]]


@pytest.mark.parametrize("aggregate", ["corpus", "mean"])
@pytest.mark.parametrize("name", ["gleu", "accuracy", "bleu", "sari", "min-ld"])
def test_other_references_do_not_count(name: str, aggregate: Aggregate) -> None:
    corpus, wanted = Corpus.from_texts(SOURCES, REFERENCES), metric(name)
    subsets = [[np.array(some) for some in choice] for choice in CHOICES]
    against = list(evaluations_against(wanted, corpus, corpus.system("s", OUTPUT), subsets, aggregate=aggregate))
    for choice, evaluation in zip(CHOICES, against, strict=True):
        fewer = Corpus.from_texts(
            SOURCES, [[listed[r] for r in some] for listed, some in zip(REFERENCES, choice, strict=True)]
        )
        fresh = Evaluation.of(wanted, fewer, fewer.system("s", OUTPUT), aggregate=aggregate)
        assert evaluation.score() == pytest.approx(fresh.score())
        assert evaluation.sentence_scores() == pytest.approx(fresh.sentence_scores())
        assert evaluation.aggregate == aggregate
