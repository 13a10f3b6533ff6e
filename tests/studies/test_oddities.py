"""Notes on what makes a score meaningless: they speak where they must, and are silent on real, sound files."""

from __future__ import annotations

from pathlib import Path

import pytest

from gecval import Corpus, extractor, load_corpus, load_systems, score
from gecval.studies.oddities import oddities

SOURCES = [f"He go to school number {n} ." for n in range(50)]
RIGHT = [[f"He goes to school number {n} ."] for n in range(50)]


def notes(
    sources: list[str], hypotheses: list[str], references: list[list[str]] = RIGHT, name: str = "mine"
) -> list[str]:
    corpus = Corpus.from_texts(sources, references)
    return list(oddities(corpus, [corpus.system(name, hypotheses)]))


def test_a_sound_output() -> None:
    half = [source if n % 2 else right for n, (source, [right]) in enumerate(zip(SOURCES, RIGHT, strict=True))]
    assert notes(SOURCES, [text.replace("number 3", "no. 3") for text in half]) == []


def test_punctuation_glued_to_words() -> None:
    [note] = notes(SOURCES, [source.replace(" .", ".") for source in SOURCES])
    assert note == (
        "mine is not tokenised like the source: its sentences end like '0.'; "
        "put blanks before punctuation as in the source"
    )


def test_a_source_with_glued_punctuation_has_outputs_with_it() -> None:
    glued = [source.replace(" .", ".") for source in SOURCES]
    assert notes(glued, glued) == []


def test_text_without_blanks() -> None:
    sources = ["今天天气很好我们去公园玩。"] * 3
    [note] = notes(sources, sources, [["今天天气很好我们去公园玩吧。"]] * 3)
    assert note.startswith("the source has no blanks between words, so that a whole clause counts as one word; ")
    apart = [" ".join(source) for source in sources]
    assert notes(apart, apart, [[text] for text in apart]) == []


def test_a_reference_given_as_a_system_by_its_name(tmp_path: Path) -> None:
    for name in ("src", "ref0.txt", "ref1.txt", "out1.txt"):
        (tmp_path / name).write_text("He go home .\n")
    corpus = load_corpus(tmp_path / "src", [tmp_path / "ref0.txt"])
    systems = load_systems([tmp_path / "ref1.txt", tmp_path / "out1.txt"], corpus)
    assert list(oddities(corpus, systems)) == [
        "ref1 looks like a reference (it is named like ref0.txt); if it is one, give it with the references"
    ]


def test_a_reference_given_as_a_system_by_its_content() -> None:
    [note] = notes(SOURCES, [right for [right] in RIGHT])
    assert note == (
        "mine looks like a reference (it equals one in 50 of 50 sentences that it changes); "
        "if it is one, give it with the references"
    )


@pytest.mark.parametrize("metric", ["m2", "errant"])
def test_many_changes_and_none_is_right(metric: str) -> None:
    if metric == "errant":
        pytest.importorskip("errant", reason="needs the extra: pip install 'gecval[errant]'")
    corpus = Corpus.from_texts(SOURCES, RIGHT)
    [result] = score(corpus, {"mine": [source.upper() for source in SOURCES]}, [metric], extractor=extractor("plain"))
    assert any(note.startswith("mine changes 50 of 50 sentences, and 0 of its ") for note in result.notes)
    [result] = score(corpus, {"mine": [right for [right] in RIGHT]}, [metric], extractor=extractor("plain"))
    assert result.notes == ()


def test_silence_on_real_files(data: Path) -> None:
    corpus = load_corpus(None, [data / "conll14" / "official-2014.combined.m2"])
    assert list(oddities(corpus, load_systems([data / "conll14" / "systems"], corpus))) == []
    for gold, outputs in (("cs/geccc-test/sentence.m2.gz", "cs"), ("de/falko-merlin/fm-test.m2", "de")):
        corpus = load_corpus(None, [data / "multi" / gold])
        folder = data / "multi" / outputs / "systems"
        assert list(oddities(corpus, load_systems([folder / "nelb.tok"], corpus))) == []
        [note] = oddities(corpus, load_systems([folder / "nelb.detok.txt"], corpus))
        assert note.startswith("nelb.detok is not tokenised like the source: ")
