"""Features of a sentence by itself: name → number. They come in groups, and one judge decides each group.

Heilman et al. had a spelling dictionary, n-gram models of Gigaword and TOEFL11, the Stanford parser and link grammar.
Ours are the dictionaries of two grammar checkers, a trigram model, a neural language model, spaCy and link grammar. The
other errors that the two checkers find are features too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from math import log
from pathlib import Path
from typing import Any, Protocol

from gecval.corpus.tokenization import detokenize
from gecval.errors import InputError, MissingExtraError
from gecval.metrics.lfm.link_grammar import LinkGrammar, link_grammar_installed
from gecval.models.checkers import check, checker
from gecval.models.language_model import LanguageModel
from gecval.models.model_files import check_text_lengths
from gecval.models.spacy_parser import ParsedSentence, ParsedToken, SpacyParser
from gecval.runtime.run import SERIAL, Run

# Features that are counted from what a trigram model and a parser say.


# For a sentence whose every n-gram has an unknown word: about the least that the model gives to a word that it knows.
FLOOR = -20.0
FINITE = {"VBZ", "VBP", "VBD", "MD"}
SUBJECTS = {"nsubj", "nsubjpass", "csubj", "expl"}


class WordModel(Protocol):
    def knows(self, word: str) -> bool: ...
    def log_probability(self, ngram: list[str]) -> float: ...


def amount(what: str, count: int, of: int) -> dict[str, float]:
    """A count, its share and its logarithm, as Heilman et al. count misspellings."""
    return {what: count, f"{what} / words": count / max(1, of), f"log {what}": log(1 + count)}


def ngram_features(model: WordModel, words: list[str]) -> dict[str, float]:
    """Log-probabilities of n-grams, and the number of words that the model does not know.

    For n-grams of each order there are the least, the greatest and the mean. ``log p / word`` is the mean over the
    sentence, each word after as many words as the model knows.
    """
    padded = ["<s>", *words, "</s>"]
    known = [True, *map(model.knows, words), True]
    features = amount("unknown", known.count(False), len(words))
    for order in range(1, ORDER + 1):
        ends = range(max(order, 2), len(padded) + 1)  # the start of a sentence is not predicted
        logs = [model.log_probability(padded[end - order : end]) for end in ends if all(known[end - order : end])]
        logs = logs or [FLOOR]
        features |= {
            f"least {order}-gram": min(logs),
            f"greatest {order}-gram": max(logs),
            f"mean {order}-gram": sum(logs) / len(logs),
        }
    return features | {"log p / word": _mean_log_probability(model, padded, known)}


def _mean_log_probability(model: WordModel, padded: list[str], known: list[bool]) -> float:
    logs, context = [], padded[:1]
    for word, is_known in zip(padded[1:], known[1:], strict=True):
        context = [*context[1 - ORDER :], word] if is_known else []
        if context:
            logs.append(model.log_probability(context))
    return sum(logs) / len(logs)


def parse_features(sentence: ParsedSentence) -> dict[str, float]:
    """Shares of tags and dependencies. Is there a clause: a finite verb at the root, and a subject?"""
    length = max(1, len(sentence))
    roots = [token for token in sentence if token.head is token]
    under_roots = [token for token in sentence if any(token.head is root for root in roots)]  # roots too
    depth = max(map(_depth, sentence), default=0)
    features: dict[str, float] = {
        "roots": len(roots),
        "finite": float(any(token.tag_ in FINITE and (token in roots or "aux" in token.dep_) for token in under_roots)),
        "subject": float(any(token.dep_ in SUBJECTS for token in under_roots)),
        "depth": depth,
        "depth / words": depth / length,
    }
    counts = Counter([name for token in sentence for name in (f"tag {token.tag_}", f"dep {token.dep_}")])
    return features | {name: count / length for name, count in counts.items()}


def _depth(token: ParsedToken) -> int:
    depth = 0
    while token.head is not token:
        token, depth = token.head, depth + 1
    return depth


# A word trigram model that knows 72,000 words of English. It comes with pocketsphinx, a speech recogniser, so it has
# neither capitals nor punctuation.


ORDER = 3
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


@dataclass(frozen=True)
class Trigrams:
    """log p(word | up to two words before it), in nats."""

    @property
    def signature(self) -> str:
        try:
            return f"pocketsphinx:{version('pocketsphinx')}"
        except PackageNotFoundError:
            raise MissingExtraError("a trigram model (pocketsphinx)", "lfm") from None

    def words(self, text: str) -> list[str]:
        """The words of a normal text, as the model spells them.

        >>> Trigrams().words("He doesn’t know 3 well-known U.S. cars!")
        ['he', "doesn't", 'know', 'well', 'known', 'u', 's', 'cars']
        """
        return _WORD.findall(text.lower().replace("’", "'"))

    def knows(self, word: str) -> bool:
        model, _, unknown = _load()
        return bool(model.prob([word]) > unknown)

    def log_probability(self, ngram: list[str]) -> float:
        """The log-probability of the last word after those before it. All words must be known."""
        model, logarithms, _ = _load()
        return float(logarithms.log_to_ln(model.prob(ngram[::-1])))


@lru_cache
def _load() -> tuple[Any, Any, int]:
    """The model, what turns its logarithms into natural ones, and what it says of unknown words."""
    pocketsphinx = import_module("pocketsphinx")
    logarithms = pocketsphinx.LogMath(1.0001)
    # Left to itself, the configuration would ask for the recogniser's other models.
    settings = pocketsphinx.Config(hmm=None, lm=None, dict=None)
    file = Path(pocketsphinx.get_model_path(), "en-us", "en-us.lm.bin")
    model = pocketsphinx.NGramModel(settings, logarithms, str(file))
    return model, logarithms, model.prob(["<unk>"])


Features = dict[str, float]
CHECKERS = ("lingotweaker", "harper")
MISSPELLED = {"TYPOS", "Spelling", "Typo"}  # their categories


def _spelling(sentences: Sequence[str], run: Run) -> list[Features]:
    return _errors(sentences, run, what="misspelled", counts=lambda category: category in MISSPELLED)


def _grammar(sentences: Sequence[str], run: Run) -> list[Features]:
    return _errors(sentences, run, what="error", counts=lambda category: category not in MISSPELLED)


def _errors(sentences: Sequence[str], run: Run, *, what: str, counts: Callable[[str], bool]) -> list[Features]:
    """How many errors of the categories that count each checker finds."""
    rows: list[Features] = [{} for _ in sentences]
    for name in CHECKERS:
        checked = check(checker(name), sentences, run=run)
        for row, sentence, errors in zip(rows, sentences, checked, strict=True):
            row |= amount(f"{name} {what}", sum(counts(error.category) for error in errors), len(sentence.split()))
    return rows


def _ngrams(sentences: Sequence[str], run: Run) -> list[Features]:
    model = Trigrams()
    return [ngram_features(model, model.words(text)) for text in _texts(sentences)]


def _language_model(sentences: Sequence[str], run: Run) -> list[Features]:
    probabilities = LanguageModel().log_probabilities(_texts(sentences), run=run)
    rows = []
    for sentence, log_probability in zip(sentences, probabilities, strict=True):
        words = max(1, len(sentence.split()))
        rows.append(
            {
                "log p / token": log_probability.total / max(1, log_probability.tokens),
                "log p / word": log_probability.total / words,
                "tokens / word": log_probability.tokens / words,
            }
        )
    return rows


def _parse(sentences: Sequence[str], run: Run) -> list[Features]:
    parsed = SpacyParser().parse(sentences, run=run)
    return [parse_features(parsed[sentence]) for sentence in sentences]


def _link(sentences: Sequence[str], run: Run) -> list[Features]:
    linked = LinkGrammar().complete(_texts(sentences), run=run)
    return [{"complete": float(complete)} for complete in linked]


def _checkers() -> str:
    return "|".join(checker(name).signature for name in CHECKERS)


# The features of each group, and who decides them.
GROUPS: Mapping[str, tuple[Callable[[Sequence[str], Run], list[Features]], Callable[[], str]]] = {
    "spelling": (_spelling, _checkers),
    "grammar": (_grammar, _checkers),
    "ngrams": (_ngrams, lambda: Trigrams().signature),
    "lm": (_language_model, lambda: LanguageModel().signature),
    "parse": (_parse, lambda: SpacyParser().signature),
    "link": (_link, lambda: LinkGrammar().signature),
}


def usual_groups() -> tuple[str, ...]:
    """All groups of the extra [lfm], and link grammar where it is installed."""
    return tuple(name for name in GROUPS if name != "link" or link_grammar_installed())


def judges(groups: Sequence[str]) -> dict[str, str]:
    """Who decides the features of each group: names and versions."""
    if unknown := [name for name in groups if name not in GROUPS]:
        raise InputError(f"there are no features {unknown[0]!r}; there are {', '.join(GROUPS)}", parameter="groups")
    return {name: GROUPS[name][1]() for name in groups}


def features(groups: Sequence[str], sentences: Sequence[str], *, run: Run = SERIAL) -> list[Features]:
    """The features of each tokenised sentence. Their names start with the name of their group."""
    check_text_lengths("the feature model", sentences)
    rows: list[Features] = [{} for _ in sentences]
    for group in groups:
        for row, values in zip(rows, GROUPS[group][0](sentences, run), strict=True):
            row.update((f"{group}: {name}", value) for name, value in values.items())
    return rows


def _texts(sentences: Sequence[str]) -> list[str]:
    return [detokenize(sentence.split()).text for sentence in sentences]
