"""What models and pipelines leave in outputs: found where it is the output's own, and fixed."""

from __future__ import annotations

import pytest

from gecval import Corpus, doctor, load_sample, score
from gecval.corpus.fit import check_outputs
from gecval.formats.debris import OUTPUT_FIXES, debris_notes, find_debris, fix_output
from mistakes import MISTAKES, Mistake, plant

CORPUS, SYSTEMS = load_sample()
OUTPUT = list(SYSTEMS[1].hypotheses)
SEEN = {"curly quotes", "PTB quotes", "HTML entities"}  # the sample has too few quotes


@pytest.mark.parametrize("mistake", [row for row in MISTAKES if row.name not in SEEN], ids=lambda row: row.name)
def test_everyday_mistakes_are_found_and_fixed(mistake: Mistake) -> None:
    wrong = CORPUS.system("mine", plant(mistake, OUTPUT, CORPUS.sources, seed=1))
    found = {finding.kind: finding for finding in doctor(CORPUS, [wrong])}
    assert mistake.finding in found
    assert any(note.startswith("mine") for note in score(CORPUS, [wrong], ["m2"]).notes)
    if mistake.fix:
        fixed = fix_output(CORPUS, wrong, [mistake.fix])
        assert sum(a == b for a, b in zip(fixed.hypotheses, OUTPUT, strict=True)) > sum(
            a == b for a, b in zip(wrong.hypotheses, OUTPUT, strict=True)
        )
        assert not any(mistake.finding == debris.kind for debris, _ in find_debris(CORPUS, fixed.hypotheses))


def test_sound_outputs_have_none() -> None:
    for system in SYSTEMS:
        assert list(debris_notes(CORPUS, system)) == []
        assert list(check_outputs({system.name: system.hypotheses}, CORPUS.sources)) == []
        assert fix_output(CORPUS, system, OUTPUT_FIXES).hypotheses == system.hypotheses


CASES = [
    ("He go home .", "Sure! Here is the corrected text: He goes home .", "preambles", "He goes home ."),
    ("He go home .", "Sure ! He goes home .", "preambles", "He goes home ."),
    ("Він іти додому зараз .", "Виправлений текст: Він іде додому зараз .", "preambles", "Він іде додому зараз ."),
    ("他今天回了家里。", "修改后：他今天回到了家里。", "preambles", "他今天回到了家里。"),
    ("He go home .", 'Corrected: "He goes home ."', "preambles", '"He goes home ."'),
    ("He go : home .", "He goes : home .", "preambles", "He goes : home ."),
    ("He go home .", "He goes home . (Note: the verb was wrong.)", "comments", "He goes home ."),
    ("He go home ( now ) .", "He goes home ( now ) .", "comments", "He goes home ( now ) ."),
    ("He go home .", "I'm sorry, but I cannot do this.", "refusals", "He go home ."),
    ("I 'm sorry , but I go .", "I 'm sorry , but I left .", "refusals", "I 'm sorry , but I left ."),
    ("He go home .", "Sure! The sentence is correct, and needs no change.", "answers", "He go home ."),
    ("He go home .", "No grammatical errors found . He goes home .", "answers", "He goes home ."),
    ("This sentence are correct .", "This sentence is correct .", "answers", "This sentence is correct ."),
    ("He go home .", "He goes home . No changes are needed .", "comments", "He goes home ."),
    ("There is no errors .", "There are no errors .", "answers", "There are no errors ."),
    ("He go home .", '{"original": "He go home .", "corrected": "He goes home ."}', "json", "He goes home ."),
    ("He go home .", "<think> The verb is wrong . </think> He goes home .", "model-marks", "He goes home ."),
    ("None of it .", "None of them .", "none", "None of them ."),
    ("He go home .", "“He goes home .”", "quoted", "He goes home ."),
    ('He say " go "', '" He says go "', "quoted", '" He says go "'),
    ("He go home .", "He **goes** home .", "markdown", "He goes home ."),
    ("He go home .", "``` He goes home . ```", "markdown", "He goes home ."),
    ("He go home .", "```text He goes home .", "markdown", "He goes home ."),
    ("- He go .", "- He goes .", "bullets", "- He goes ."),
    ("1 . He go .", "1 . He goes .", "numbering", "1 . He goes ."),
    ("He go home .", "12) He goes home .", "numbering", "He goes home ."),
    ("He meet Zyx now .", "He meets <unk> now .", "unknown", "He meets Zyx now ."),
    ("He go home .", "▁He ▁go es ▁home ▁.", "sentencepiece", "He goes home ."),
    ("He go home .", "He Ġgo es Ġhome Ġ.", "sentencepiece", "He goes home ."),
    ("He go home .", "He go@@ es home .", "bpe", "He goes home ."),
    ("He go home .", "He go ##es home .", "bpe", "He goes home ."),
    ("He go home .", "He goes home . He goes home .", "doubled", "He goes home ."),
    ("He go home .", "He go home . -> He goes home .", "doubled", "He goes home ."),
    ("He go home .", "he goes home .", "lowercase", "He goes home ."),
    ("I go to London .", "i went to london .", "lowercase", "I went to London ."),
    ("He go home .", "He goes home", "final-stop", "He goes home ."),
    ("He go home", "He goes home", "final-stop", "He goes home"),
    ("He go home .", "", "empty", "He go home ."),
]


@pytest.mark.parametrize(("source", "text", "fix", "fixed"), CASES)
def test_fixes(source: str, text: str, fix: str, fixed: str) -> None:
    corpus = Corpus.from_texts([source])
    assert fix_output(corpus, corpus.system("mine", [text]), [fix]).hypotheses == [fixed]


def test_what_a_reference_has_is_no_debris() -> None:
    sources = [f"He go home {n} ." for n in range(9)]
    outputs = [f'" {source} "' for source in sources]
    assert [debris.name for debris, _ in find_debris(Corpus.from_texts(sources), outputs)] == ["quoted"]
    corpus = Corpus.from_texts(sources, [[f'" He goes home {n} . "'] for n in range(9)])
    assert list(find_debris(corpus, outputs)) == []
    assert fix_output(corpus, corpus.system("mine", outputs), ["quoted"]).hypotheses == outputs


def test_the_note_says_how_many_and_what_to_type() -> None:
    wrong = [f"Corrected: {text}" if n % 3 == 1 else text for n, text in enumerate(OUTPUT)]
    assert list(debris_notes(CORPUS, CORPUS.system("mine", wrong))) == [
        "mine: chat preambles in 24 of 72 lines, first in line 2; 'gecval doctor GOLD OUTPUT --fix preambles' fixes it"
    ]
    few = [f"Corrected: {text}" if n < 2 else text for n, text in enumerate(OUTPUT)]
    assert list(debris_notes(CORPUS, CORPUS.system("mine", few))) == []


def test_the_doctor_rescores() -> None:
    wrong = [f"Corrected: {text}" for text in OUTPUT]
    [finding] = (row for row in doctor(CORPUS, {"mine": wrong}) if row.fix == "preambles")
    [sound] = score(CORPUS, {"mine": OUTPUT}, ["m2"])
    assert finding.fixed == sound.score
    assert finding.score < sound.score
