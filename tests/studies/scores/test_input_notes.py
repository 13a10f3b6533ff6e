"""Notes on what makes a score meaningless: they speak where they must, and are silent on real, sound files."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from gecval import Corpus, Reference, extractor, load_corpus, load_systems, metric, score
from gecval.studies.scores.input_notes import input_notes, nothing_right_note

SOURCES = [f"He go to school number {n} ." for n in range(50)]
RIGHT = [[f"He goes to school number {n} ."] for n in range(50)]


def notes(
    sources: list[str], hypotheses: list[str], references: list[list[str]] = RIGHT, name: str = "mine"
) -> list[str]:
    corpus = Corpus.from_texts(sources, references)
    return list(input_notes(corpus, [corpus.system(name, hypotheses)]))


def test_a_sound_output() -> None:
    half = [source if n % 2 else right for n, (source, [right]) in enumerate(zip(SOURCES, RIGHT, strict=True))]
    assert notes(SOURCES, [text.replace("number 3", "no. 3") for text in half]) == []


def test_no_note_where_the_source_is_running_text_too() -> None:
    """A few sentences of such a source end in a sign that stands alone, as on Ukrainian gec-fluency."""
    running = [source.replace(" .", ".") if n % 4 else source for n, source in enumerate(SOURCES)]
    assert notes(running, [source.replace(" .", ".") for source in SOURCES], [[text] for text in running]) == []


def test_punctuation_glued_to_words() -> None:
    [note] = notes(SOURCES, [source.replace(" .", ".") for source in SOURCES])
    assert note == (
        "mine is not tokenised like the source: its sentences end like '0.'; "
        "have it tokenised (--tokenize auto), or write a tokenised file: gecval doctor GOLD OUTPUT --fix tokens"
    )


def test_a_source_with_glued_punctuation_has_outputs_with_it() -> None:
    glued = [source.replace(" .", ".") for source in SOURCES]
    assert notes(glued, glued, name="input") == []


def test_text_without_blanks() -> None:
    sources = ["今天天气很好我们去公园玩。"] * 3
    [note] = notes(sources, sources, [["今天天气很好我们去公园玩吧。"]] * 3)
    assert note.startswith("the source has no blanks between words, so that a whole clause counts as one word; ")
    assert note.endswith("or have all texts cut (--tokenize char)")
    corpus = Corpus.from_texts(sources, [["今天天气很好我们去公园玩吧。"]] * 3)
    zh, words = metric('errant(lang="zh")'), metric("gleu")
    assert list(input_notes(corpus, [], [zh])) == []  # it cuts characters itself
    assert len(list(input_notes(corpus, [], [zh, words]))) == 1
    apart = [" ".join(source) for source in sources]
    assert notes(apart, apart, [[text] for text in apart]) == []


def test_a_reference_given_as_a_system_by_its_name(tmp_path: Path) -> None:
    for name in ("src", "ref0.txt", "ref1.txt", "out1.txt"):
        (tmp_path / name).write_text("He go home .\n")
    corpus = load_corpus(tmp_path / "src", [tmp_path / "ref0.txt"])
    systems = load_systems([tmp_path / "ref1.txt", tmp_path / "out1.txt"], corpus)
    assert list(input_notes(corpus, systems)) == [
        "ref1 looks like a reference (it is named like ref0.txt); if it is one, give it with the references"
    ]


def test_a_reference_given_as_a_system_by_its_content() -> None:
    [note] = notes(SOURCES, [right for [right] in RIGHT])
    assert note == (
        "mine looks like a reference (it equals one in 50 of 50 sentences that it changes); "
        "if it is one, give it with the references"
    )


def without_blanks(runs: int, words: int, letters: int = 5) -> bool:
    sources = ["今" * letters] * runs + ["w"] * words
    return bool(notes(sources, sources, [["w"]] * len(sources), name="input"))


def test_most_words_are_runs_of_five_letters_or_more() -> None:
    assert [without_blanks(1, 1), without_blanks(2, 1), without_blanks(2, 1, letters=4)] == [False, True, False]
    assert [without_blanks(501, 5000), without_blanks(500, 5000)] == [True, False]  # a thousand are looked at
    last = ["w"] * 500 + ["今" * 5] * 501
    assert notes(last, last, [["w"]] * 1001, name="input") == []


def glued(number: int, of: int) -> bool:
    outputs = [source.replace(" .", ".") if n < number else source for n, source in enumerate(SOURCES[:of])]
    return bool(notes(SOURCES[:of], outputs, RIGHT[:of]))


def test_a_fifth_of_the_sentences_may_be_glued() -> None:
    assert [glued(2, 10), glued(3, 10), glued(10, 50), glued(11, 50)] == [False, True, False, True]


def test_which_sentences_end_glued() -> None:
    """Blanks at the end of a line do not matter, and an underscore is part of a word."""
    [note] = notes(["see it ."], ["see it. "], [["see it ."]])
    assert "its sentences end like 'it.'" in note
    [note] = notes(["see my_file_ ."], ["see my_file_."], [["see it ."]])
    assert "its sentences end like 'my_file_.'" in note
    assert notes(["see it ."], ["see it"], [["see it ."]]) == []
    assert notes(["_ x ( ."], ["_ x (."], [["_ x ."]]) == []
    assert notes(["."], ["it."], [["it ."]])[0].startswith("mine is not tokenised like the source")


def equal(number: int, changed: int) -> bool:
    """An output that changes so many sentences, and so many of them as a reference does."""
    outputs = [right if n < number else f"{right} x" for n, [right] in enumerate(RIGHT[:changed])]
    return bool(notes(SOURCES, [*outputs, *SOURCES[changed:]]))


def test_nine_in_ten_of_twenty_changes_are_those_of_a_reference() -> None:
    assert [equal(20, 20), equal(19, 19), equal(18, 20), equal(17, 20)] == [True, False, True, False]


@pytest.mark.parametrize(
    ("name", "reference", "alike"),
    [
        ("ref0", "ref12", True),
        ("ref0", "ref", False),
        ("gold1-a", "gold2-a", True),
        ("gold1-a", "gold2-b", False),
        ("out1", "ref1", False),
        ("refA", "refB", True),
        ("abA", "abB", False),  # too short
        ("refA", "ref1", False),
        ("ref_", "refA", False),
        ("refA", "ref_", False),
        ("refA", "reXB", False),
        ("refA", "refBB", False),
        ("refAA", "refB", False),
        ("mine", "yours", False),
    ],
)
def test_which_names_are_those_of_references(name: str, reference: str, alike: bool) -> None:
    corpus = Corpus(["He go ."], [[Reference("He goes .", annotator=f"{reference}.txt")]])
    expected = f"{name} looks like a reference (it is named like {reference}.txt); if it is one, give it with the refer"
    noted = list(input_notes(corpus, [corpus.system(name, ["He go ."])]))
    assert [note.startswith(expected) for note in noted] == [True] * alike


@pytest.mark.parametrize(
    ("right", "proposed", "changed", "noted"),
    [
        (0, 20, 50, True),
        (0, 19, 50, False),
        (1, 50, 50, True),
        (2, 50, 50, False),
        (0, 20, 25, True),
        (0, 20, 24, False),
    ],
)
def test_hardly_any_edit_is_right(right: int, proposed: int, changed: int, noted: bool) -> None:
    corpus = Corpus.from_texts(SOURCES, RIGHT)
    system = corpus.system("mine", [f"{source} x" if n < changed else source for n, source in enumerate(SOURCES)])
    note = nothing_right_note({"tp": right, "fp": proposed - right}, corpus, system)
    assert note == nothing_right_note({"correct": right, "proposed": proposed}, corpus, system)
    assert right or note == nothing_right_note({"fp": proposed}, corpus, system)
    expected = (
        f"mine changes {changed} of 50 sentences, and {right} of its {proposed} edits are right: is it tokenised "
    )
    assert note is not None if noted else note is None
    assert note is None or note.startswith(expected)


@pytest.mark.parametrize("metric", ["m2", "errant"])
def test_many_changes_and_none_is_right(metric: str) -> None:
    if metric == "errant":
        pytest.importorskip("errant", reason="needs the extra: pip install 'gecval[errant]'")
    corpus = Corpus.from_texts(SOURCES, RIGHT)
    [result] = score(corpus, {"mine": [source.upper() for source in SOURCES]}, [metric], edits=extractor("plain"))
    assert any(note.startswith("mine changes 50 of 50 sentences, and 0 of its ") for note in result.notes)
    [result] = score(corpus, {"mine": [right for [right] in RIGHT]}, [metric], edits=extractor("plain"))
    assert result.notes == ()


DOUBLED = {"cs": ["nelb: sentences twice in 254 of 7907 lines"], "de": []}


def test_silence_on_real_files(data: Path) -> None:
    corpus = load_corpus(None, [data / "conll14" / "official-2014.combined.m2"])
    assert list(input_notes(corpus, load_systems([data / "conll14" / "systems"], corpus))) == []
    for gold, outputs in (("cs/geccc-test/sentence.m2.gz", "cs"), ("de/falko-merlin/fm-test.m2", "de")):
        corpus = load_corpus(None, [data / "multi" / gold])
        folder = data / "multi" / outputs / "systems"
        # The Czech output really holds many sentences twice.
        doubled = list(input_notes(corpus, load_systems([folder / "nelb.tok"], corpus)))
        assert [note.partition(",")[0] for note in doubled] == DOUBLED[outputs]
        *_, note = input_notes(corpus, load_systems([folder / "nelb.detok.txt"], corpus))
        assert note.startswith("nelb.detok is not tokenised like the source: ")


ACCENTED = ["Él está aquí .", "Café .", "He goes ."]


@pytest.mark.parametrize(
    ("change", "forms"),
    [
        (lambda text: unicodedata.normalize("NFD", text), "decomposed letters (NFD) in 2 sentences"),
        (lambda text: text.replace("H", "Ｈ"), "full-width forms in 1 sentence"),
        (lambda text: text.replace("goes", "go\u200bes"), "zero-width characters in 1 sentence"),
        (lambda text: text.replace("goes", "\u202egoes\u202c"), "direction marks in 1 sentence"),
        (
            lambda text: unicodedata.normalize("NFD", text).replace("goes", "go\u200bes"),
            "decomposed letters (NFD) in 2 sentences and zero-width characters in 1 sentence",
        ),
    ],
)
def test_other_unicode_forms_are_told_and_kept(change, forms: str) -> None:
    references = [[text] for text in ACCENTED]
    output = [change(text) for text in ACCENTED]
    [note] = notes(ACCENTED, output, references)
    assert note == (
        f"mine has {forms} that source and references lack: letters are compared as they are, so the same words count "
        "as other words; gecval doctor says what it costs, and how to fix it"
    )
    corpus = Corpus.from_texts(ACCENTED, references)
    assert corpus.system("mine", output).hypotheses == output
    # What the source has anywhere in its first thousand sentences, or a reference of the sentence, is not odd.
    assert notes(output, output, references) == []
    assert notes([*ACCENTED, " ".join(output)], [*output, "x"], [*references, ["x"]]) == []
    assert notes(ACCENTED, output, [[a, b] for a, b in zip(ACCENTED, output, strict=True)]) == []
    for before, told in ((996, False), (997, True)):
        sources = [*ACCENTED, *["x"] * before, " ".join(output)]
        assert bool(notes(sources, [*output, *["x"] * before, "x"], [[text] for text in sources])) is told
