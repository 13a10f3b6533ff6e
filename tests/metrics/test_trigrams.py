"""The trigram model: probabilities as pocketsphinx has them, most of all the right way round."""

import pytest

from gecval.metrics.lfm.features import Trigrams

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
