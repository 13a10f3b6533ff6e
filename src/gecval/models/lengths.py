"""How long a text may be for a slow model: one line that holds a whole book would keep it busy for hours."""

from __future__ import annotations

from collections.abc import Iterable

from gecval.errors import InputError

MOST_WORDS = 3000  # of a line: long essays pass, and take a language model on two cores about a minute


def check_lengths_for(judge: str, texts: Iterable[str]) -> None:
    """Refuse texts of more words than a model reads in sensible time."""
    for text in texts:
        # Splitting takes longer than counting characters, and few texts are that long.
        if len(text) > MOST_WORDS and len(text.split()) > MOST_WORDS:
            raise InputError(
                f"a line of {len(text.split()):,} words is too long for {judge}, which reads {MOST_WORDS:,} at most; "
                f"split it into sentences: {text[:60]!r}"
            )
