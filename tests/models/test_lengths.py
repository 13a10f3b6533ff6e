"""A line as long as a book is refused before a slow model is asked."""

import pytest

from gecval.errors import InputError
from gecval.metrics.lfm.features import features
from gecval.models.language_model import LanguageModel
from gecval.models.model_files import MOST_WORDS, check_text_lengths

LONG = "word " * (MOST_WORDS + 1)
MESSAGE = r"^a line of 3,001 words is too long for .*, which reads 3,000 at most; split it into sentences: 'word word"


def test_long_texts_are_refused_and_long_words_are_not() -> None:
    check_text_lengths("a judge", ["a " * MOST_WORDS, "a" * 100_000])
    with pytest.raises(InputError, match=MESSAGE):
        check_text_lengths("a judge", ["short", LONG])


def test_before_any_model_is_loaded() -> None:
    with pytest.raises(InputError, match=MESSAGE):
        LanguageModel("no-such-model").log_probabilities([LONG])
    with pytest.raises(InputError, match=MESSAGE):
        features(["spelling"], [LONG])
