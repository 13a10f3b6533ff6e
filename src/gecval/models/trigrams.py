"""A word trigram model that knows 72,000 words of English. It comes with pocketsphinx, a speech recogniser, so it has
neither capitals nor punctuation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from gecval.errors import MissingExtraError

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
