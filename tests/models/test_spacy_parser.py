"""The parser: what spaCy says, asked once, and what is said when it is not there."""

from pathlib import Path

import pytest

from gecval.errors import InputError, MissingExtraError
from gecval.models import spacy_parser
from gecval.models.spacy_parser import SpacyParser

SENTENCES = ["He 's been going home , I think .", "", "שלום 😀 \x07 it 's\x00 OK", "Children 's toys ca n't break"]


@pytest.fixture
def spacy_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The package of the model that is installed, and an empty cache."""
    pytest.importorskip("spacy", reason="needs the extra: pip install 'gecval[errant]'")
    monkeypatch.setenv("GECVAL_CACHE", str(tmp_path))
    try:
        return SpacyParser().package
    except InputError as error:
        pytest.skip(str(error))


def test_tokens_say_what_spacy_says(spacy_model: str) -> None:
    import spacy
    from spacy.tokens import Doc

    nlp = spacy.load(spacy_model, disable=["ner"])
    for text, sentence in SpacyParser().parse(SENTENCES).items():
        document = nlp(Doc(nlp.vocab, words=text.split()))
        assert sentence.text == document.text.strip()
        assert len(sentence) == len(document)
        for mine, theirs in zip(sentence, document, strict=True):
            assert (mine.text, mine.lower_, mine.lemma) == (theirs.text, theirs.lower_, theirs.lemma_)
            assert (mine.pos, mine.pos_, mine.tag_, mine.dep_) == (theirs.pos, theirs.pos_, theirs.tag_, theirs.dep_)
            assert mine.head is sentence[theirs.head.i]
            assert [child.text for child in mine.children] == [child.text for child in theirs.children]
        assert sentence[1:3].text == document[1:3].text.strip()


def test_each_sentence_is_parsed_once(spacy_model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    parse = spacy_parser._parse

    def counting(package: str, sentences: list[str]) -> list[str]:
        asked.extend(sentences)
        return parse(package, sentences)

    monkeypatch.setattr(spacy_parser, "_parse", counting)
    for batch in (["a b", "c d", "a b"], ["c d", "e f"], ["a b"]):
        SpacyParser().parse(batch)
    assert asked == ["a b", "c d", "e f"]


def test_a_missing_model_gives_the_install_line() -> None:
    with pytest.raises(InputError, match="python -m spacy download en_nowhere_sm"):
        SpacyParser("en_nowhere_sm").parse(["a"])


def test_a_missing_extra_gives_the_install_line() -> None:
    with pytest.raises(MissingExtraError, match=r"pip install 'gecval\[errant\]'"):
        spacy_parser.installed_version("no-such-distribution")


def test_a_package_that_is_no_model(spacy_model: str) -> None:
    with pytest.raises(InputError, match="cannot load the spaCy model 'numpy'"):
        SpacyParser("numpy").parse(["a"])


def test_a_pipeline_without_a_parser(spacy_model: str, tmp_path: Path) -> None:
    import spacy

    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(InputError, match="has no tagger and no parser and no lemmatizer"):
        SpacyParser(str(tmp_path / "blank")).parse(["a"])
