"""Who finds the edits where the user names nobody: ERRANT for what may be English, plain rules for all else."""

from __future__ import annotations

import pytest

from gecval import Corpus
from gecval.edits.errant import ErrantExtractor
from gecval.edits.extractors import choose_extractor
from gecval.edits.plain import PlainExtractor
from gecval.errors import MissingExtraError

SINCE = "edits are found by plain rules, since "


@pytest.mark.parametrize(
    ("text", "language", "note"),
    [
        ("Er ging heim .", "de", f"{SINCE}the text is German"),
        ("ж" * 20, None, f"{SINCE}the text looks Russian"),
        ("文" * 8, None, f"{SINCE}the text is written in other letters than English"),  # too short to name it
    ],
)
def test_plain_rules_for_another_language(text: str, language: str | None, note: str) -> None:
    choice = choose_extractor(Corpus.from_texts([text], language=language))
    assert choice == (PlainExtractor(), note)


@pytest.mark.parametrize(("text", "language"), [("He go home .", None), ("文" * 8, "en")])
def test_errant_for_what_may_be_english(monkeypatch: pytest.MonkeyPatch, text: str, language: str | None) -> None:
    """Whoever says that it is English is believed."""
    monkeypatch.setattr(ErrantExtractor, "signature", "errant:3|spacy:1")
    choice = choose_extractor(Corpus.from_texts([text], language=language))
    assert choice == (ErrantExtractor(), "edits are found by ERRANT (errant:3, spacy:1)")


def test_plain_rules_where_errant_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(_: ErrantExtractor) -> str:
        raise MissingExtraError("errant", "errant")

    monkeypatch.setattr(ErrantExtractor, "signature", property(absent))
    choice = choose_extractor(Corpus.from_texts(["He go home ."]))
    assert choice == (PlainExtractor(), f"{SINCE}errant needs an optional part: pip install 'gecval[errant]'")
