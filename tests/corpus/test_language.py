"""Which language a text is in: real corpora of eleven languages, and texts that nobody can tell."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval.corpus.language import COMMON_WORDS, NAMES, SCRIPTS, guess_language, in_another_script

CORPORA = [
    ("conll14/source.txt", "en", 1.0),
    ("jfleg-dev/dev.src", "en", 1.0),
    ("multi/ar/zaebuc/dev.sent.raw.pnx.tok", "ar", 1.0),
    ("multi/cs/geccc-test/sentence.input.gz", "cs", 0.7),
    ("multi/de/falko-merlin/fm-test.m2", "de", 1.0),
    ("multi/el/gnc/orig.txt", "el", 1.0),
    ("multi/et/estgec-l1/test_laused.txt", "et", 1.0),
    ("multi/it/valico-ud/source.conllu", "it", 1.0),
    ("multi/multigec-format/es-cowsl2h-orig-sample.md", "es", 1.0),
    ("multi/sv/swell-ud/source.conllu", "sv", 1.0),
    ("multi/uk/ua-gec/gec-only.test.m2", "uk", 1.0),
    ("multi/zh/mucgec-dev/MuCGEC_dev.txt", "zh", 1.0),
]
MARKS = {".m2": "S ", ".conllu": "# text = "}


@pytest.mark.parametrize(("file", "language", "of_blocks"), CORPORA)
def test_real_corpora(data: Path, file: str, language: str, of_blocks: float) -> None:
    """The whole is told, and so are blocks of 20 sentences; what is not told is told as nothing else."""
    path = data / file
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    mark = MARKS.get(path.suffix, "")
    lines = [line.removeprefix(mark) for line in content.decode().split("\n") if line.startswith(mark)][:600]
    assert guess_language(lines) == language
    blocks = [guess_language(lines[start : start + 20]) for start in range(0, len(lines), 20)]
    assert set(blocks) <= {language, None}
    assert blocks.count(language) >= of_blocks * len(blocks)


def test_japanese_is_not_chinese() -> None:
    assert guess_language(["私は昨日東京大学図書館へ行きました。", "今日は天気予報がとても良いです。"]) == "ja"


def test_russian_is_not_ukrainian() -> None:
    assert guess_language(["Он пошёл домой и лёг спать ."]) == "ru"


@pytest.mark.parametrize("texts", [[], [""], ["123 456 , ."], ["a b c"], ["the"], ["Ich bin"], ["x y " * 50]])
def test_nobody_can_tell(texts: list[str]) -> None:
    assert guess_language(texts) is None


@pytest.mark.parametrize(
    ("text", "language"),
    [
        # Han alone, from twenty letters on; one kana for ten kanji may be a quotation, more is Japanese.
        ("文" * 20, "zh"),
        ("文" * 19, None),
        ("文" * 20 + "の" * 2, "zh"),
        ("文" * 20 + "の" * 3, "ja"),
        ("文" * 10 + "ノ" * 10, "ja"),
        ("の" * 20 + "x" * 10 + "α" * 11, None),
        # Half of the letters at least are of the script.
        ("ж" * 20 + "x" * 20, "ru"),
        ("ж" * 20 + "x" * 10 + "α" * 11, None),
        # A letter in two hundred tells Ukrainian from Russian.
        ("ж" * 199 + "ї", "ru"),
        ("ж" * 198 + "її", "uk"),
        # Twenty words; five different common ones of one language.
        ("the of and to is " + "x " * 15, "en"),
        ("the of and to is " + "x " * 14, None),
        ("the of and to " * 2 + "x " * 12, None),
        # At least 12 in a hundred words are common ones.
        ("the of and to is was " + "x " * 44, "en"),
        ("the of and to is was " + "x " * 45, None),
        # And 1.3 times as many as in any other language: i, de and er are Danish, Norwegian and more.
        ("og det er en til på som for med ikke " * 2, None),
    ],
)
def test_from_where_on_a_language_is_told(text: str, language: str | None) -> None:
    assert guess_language([text]) == language


@pytest.mark.parametrize(
    ("text", "language", "other"),
    [
        ("文" * 8, "en", True),  # too short to tell the language, but not English
        ("文" * 7, "en", False),
        ("文" * 8 + "x" * 8, "en", True),
        ("文" * 8 + "x" * 9, "en", False),
        ("文" * 8, "zh", False),
        ("文" * 8, "ja", False),
        ("문" * 8, "ja", True),
        ("x" * 8, "zh", True),
        ("ж" * 8, "uk", False),
        ("ж" * 8, "sr", False),
        ("x" * 8, "sr", False),
        ("ع" * 8, "fa", False),
        ("ж" * 8, "eo", False),  # nobody knows its letters
        ("ሀ" * 8, "en", False),
        ("12345678", "en", False),
    ],
)
def test_another_script(text: str, language: str, other: bool) -> None:
    assert in_another_script([text], language) == other


def test_a_thousand_sentences_are_looked_at() -> None:
    russian, greek = "ж" * 20, "α" * 20
    assert guess_language([russian] * 499 + [greek] * 501) == "el"
    assert guess_language([russian] * 501 + [greek] * 499 + [greek] * 1000) == "ru"


@given(st.lists(st.text()))
def test_any_text_has_an_answer(texts: list[str]) -> None:
    assert guess_language(texts) in {None, *NAMES}


def test_every_language_has_a_name() -> None:
    assert {*SCRIPTS.values(), *COMMON_WORDS} <= set(NAMES)
