"""Features of a sentence by itself: name → number. They come in groups, and one judge decides each group.

Heilman et al. had a spelling dictionary, n-gram models of Gigaword and TOEFL11, the Stanford parser and link grammar.
Ours are the dictionaries of two grammar checkers, a trigram model, a neural language model, spaCy and link grammar. The
other errors that the two checkers find are features too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gecval.errors import InputError
from gecval.models.checkers import checker
from gecval.models.detokenize import detokenize
from gecval.models.grammar import check
from gecval.models.language_model import LanguageModel
from gecval.models.lengths import check_lengths_for
from gecval.models.lfm.counts import amount, ngram_features, parse_features
from gecval.models.link_grammar import LinkGrammar, link_grammar_installed
from gecval.models.spacy_parser import SpacyParser
from gecval.models.trigrams import Trigrams
from gecval.progress import Progress, silent

Features = dict[str, float]
CHECKERS = ("lingotweaker", "harper")
MISSPELLED = {"TYPOS", "Spelling", "Typo"}  # their categories


def _spelling(sentences: Sequence[str], jobs: int, progress: Progress) -> list[Features]:
    return _errors(sentences, jobs, progress, what="misspelled", counts=lambda category: category in MISSPELLED)


def _grammar(sentences: Sequence[str], jobs: int, progress: Progress) -> list[Features]:
    return _errors(sentences, jobs, progress, what="error", counts=lambda category: category not in MISSPELLED)


def _errors(
    sentences: Sequence[str], jobs: int, progress: Progress, *, what: str, counts: Callable[[str], bool]
) -> list[Features]:
    """How many errors of the categories that count each checker finds."""
    rows: list[Features] = [{} for _ in sentences]
    for name in CHECKERS:
        checked = check(checker(name), sentences, jobs=jobs, progress=progress)
        for row, sentence, errors in zip(rows, sentences, checked, strict=True):
            row |= amount(f"{name} {what}", sum(counts(error.category) for error in errors), len(sentence.split()))
    return rows


def _ngrams(sentences: Sequence[str], jobs: int, progress: Progress) -> list[Features]:
    model = Trigrams()
    return [ngram_features(model, model.words(text)) for text in _texts(sentences)]


def _language_model(sentences: Sequence[str], jobs: int, progress: Progress) -> list[Features]:
    probabilities = LanguageModel().log_probabilities(_texts(sentences), jobs=jobs, progress=progress)
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


def _parse(sentences: Sequence[str], jobs: int, progress: Progress) -> list[Features]:
    parsed = SpacyParser().parse(sentences, progress=progress)
    return [parse_features(parsed[sentence]) for sentence in sentences]


def _link(sentences: Sequence[str], jobs: int, progress: Progress) -> list[Features]:
    linked = LinkGrammar().complete(_texts(sentences), jobs=jobs, progress=progress)
    return [{"complete": float(complete)} for complete in linked]


def _checkers() -> str:
    return "|".join(checker(name).signature for name in CHECKERS)


# The features of each group, and who decides them.
GROUPS: Mapping[str, tuple[Callable[[Sequence[str], int, Progress], list[Features]], Callable[[], str]]] = {
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


def features(
    groups: Sequence[str], sentences: Sequence[str], *, jobs: int = 1, progress: Progress = silent
) -> list[Features]:
    """The features of each tokenised sentence. Their names start with the name of their group."""
    check_lengths_for("the feature model", sentences)
    rows: list[Features] = [{} for _ in sentences]
    for group in groups:
        for row, values in zip(rows, GROUPS[group][0](sentences, jobs, progress), strict=True):
            row.update((f"{group}: {name}", value) for name, value in values.items())
    return rows


def _texts(sentences: Sequence[str]) -> list[str]:
    return [detokenize(sentence.split()).text for sentence in sentences]
