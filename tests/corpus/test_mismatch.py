"""Files that do not belong together: found, with their lines; and bold systems are not suspected."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from gecval import Corpus, doctor, load_corpus, load_sample, score
from gecval.corpus.mismatch import check_lines, find_twins, is_copy, is_swapped
from mistakes import lose_and_double

CORPUS, SYSTEMS = load_sample()
OUTPUT = list(SYSTEMS[1].hypotheses)
FRENCH = "Le chat est sur la table et il regarde les oiseaux qui sont dans le jardin avec un ami ."
RANDOM = random.Random(3)
SYLLABLES = [a + b for a in "bdfgklmnprst" for b in ("a", "e", "i", "o", "u", "an", "el", "or")]
MANY = ["the " + " ".join("".join(RANDOM.choices(SYLLABLES, k=3)) for _ in range(9)) + " house ." for _ in range(200)]


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_the_sample_fits(system: object) -> None:
    assert check_lines(system.hypotheses, CORPUS.sources) is None  # type: ignore[attr-defined]


@pytest.mark.parametrize("seed", range(5))
def test_shuffled_lines(seed: int) -> None:
    misfit = check_lines(random.Random(seed).sample(OUTPUT, len(OUTPUT)), CORPUS.sources)
    assert misfit is not None
    assert misfit.kind == "shuffled"


@pytest.mark.parametrize("seed", range(5))
def test_shifted_lines_are_named(seed: int) -> None:
    start = random.Random(seed).randrange(len(OUTPUT) - 22)
    misfit = check_lines(lose_and_double(OUTPUT, start, later=20), CORPUS.sources)
    assert misfit is not None
    assert misfit.kind == "shifted"
    assert "1 line too early" in misfit.says
    assert abs(misfit.lines[0] - (start + 1)) <= 3
    assert misfit.count >= 15


def test_lines_that_stand_far_away_are_found() -> None:
    late = [*MANY[:50], *MANY[10:50], *MANY[50:160]]  # 40 lines doubled, and the last 40 lost
    misfit = check_lines(late, MANY)
    assert misfit is not None
    assert (misfit.kind, misfit.count, misfit.lines[0]) == ("shifted", 150, 51)
    assert misfit.says == "is shifted: its lines 51 to 200 stand 40 lines too late"


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (OUTPUT[::-1], "reversed"),
        ([""] * len(OUTPUT), "empty"),
        ([FRENCH] * len(OUTPUT), "constant"),
        ([f"{FRENCH[:-2]} et {number} ." for number in range(len(OUTPUT))], "other language"),
        ([f"qwx{number} zzyv kk jjw{number} vvx" for number in range(len(OUTPUT))], "unrelated"),
    ],
)
def test_other_faults(texts: list[str], kind: str) -> None:
    misfit = check_lines(texts, CORPUS.sources)
    assert misfit is not None
    assert misfit.kind == kind


def test_few_lines_are_no_evidence() -> None:
    assert check_lines(["x"] * 9, [f"Sentence {number} ." for number in range(9)]) is None
    assert not is_copy(["same ."] * 9, ["same ."] * 9)


def test_texts_without_blanks() -> None:
    sources = [chr(0x4E00 + n) + "".join(chr(0x5000 + n * 13 % 997 + k * 31) for k in range(12)) for n in range(60)]
    assert check_lines(sources, sources) is None
    misfit = check_lines([*sources[30:], *sources[:30]], sources)
    assert misfit is not None
    assert (misfit.kind, misfit.says) == ("shifted", "is shifted: its lines 1 to 30 stand 30 lines too early")


def test_source_and_reference_in_each_others_place() -> None:
    wrong = [text.replace("house", f"huose{n}") for n, text in enumerate(MANY)]
    assert is_swapped(MANY, wrong)
    assert not is_swapped(wrong, MANY)
    assert not is_swapped(MANY, MANY)


def test_twins_differ_from_the_source() -> None:
    sources = list(CORPUS.sources)
    named = {"a": OUTPUT, "b": OUTPUT, "c": sources, "d": sources}
    assert list(find_twins(named, sources)) == [("a", "b", 72)]


def notes_of(outputs: dict[str, list[str]]) -> str:
    return "\n".join(score(CORPUS, outputs, ["m2"]).notes)


def test_score_says_what_is_wrong() -> None:
    assert "mine is in reverse order" in notes_of({"mine": OUTPUT[::-1]})
    assert "mine equals the source in all 72 lines" in notes_of({"mine": list(CORPUS.sources)})
    assert "equals the source" not in notes_of({"INPUT": list(CORPUS.sources)})
    assert "mine and yours have the same output" in notes_of({"mine": OUTPUT, "yours": OUTPUT})
    assert notes_of({"mine": OUTPUT}) == ""


def test_references_are_looked_at_when_read(tmp_path: Path) -> None:
    texts = {
        "src": list(CORPUS.sources),
        "ref": OUTPUT,
        "again": OUTPUT,
        "back": OUTPUT[::-1],
        "copy": list(CORPUS.sources),
    }
    for name, lines in texts.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")

    def notes(*references: str) -> str:
        corpus: Corpus = load_corpus(tmp_path / "src", [tmp_path / name for name in references])
        return "\n".join(corpus.notes)

    assert notes("ref") == ""
    assert "back is in reverse order" in notes("ref", "back")
    assert "copy equals the source in all 72 lines" in notes("copy")
    assert notes("ref", "again") == (
        "ref and again are the same reference in 72 of 72 sentences; if one was given twice, leave it out"
    )


def test_annotators_of_edits_that_are_the_same(tmp_path: Path) -> None:
    for name, words in (("a.m2", "red"), ("b.m2", "red"), ("c.m2", "green")):
        blocks = [f"S He go {n}\nA 1 2|||R|||{words}|||REQUIRED|||-NONE-|||0\n" for n in range(20)]
        (tmp_path / name).write_text("\n".join(blocks) + "\n", "utf-8")
    corpus = load_corpus(None, [tmp_path / name for name in ("a.m2", "b.m2", "c.m2")])
    assert corpus.notes == (
        "annotator 0 of a.m2 and annotator 0 of b.m2 are the same reference in 20 of 20 sentences; "
        "if one was given twice, leave it out",
    )


def test_doctor_has_a_finding_in_place_of_the_note() -> None:
    diagnosis = doctor(CORPUS, {"mine": OUTPUT[::-1], "yours": OUTPUT[::-1]})
    found = [(finding.kind, finding.where) for finding in diagnosis]
    assert ("lines in reverse order", "mine") in found
    assert ("the same file twice", "mine and yours") in found
    assert diagnosis.notes == ()
