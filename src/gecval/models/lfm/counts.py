"""Features that are counted from what a trigram model and a parser say."""

from __future__ import annotations

from collections import Counter
from math import log
from typing import Protocol

from gecval.models.spacy_parser import Sentence, Token
from gecval.models.trigrams import ORDER

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


def parse_features(sentence: Sentence) -> dict[str, float]:
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


def _depth(token: Token) -> int:
    depth = 0
    while token.head is not token:
        token, depth = token.head, depth + 1
    return depth
