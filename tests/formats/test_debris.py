"""What models and pipelines leave in outputs: found where it is the output's own, and fixed."""

from __future__ import annotations

import pytest

from gecval import Corpus, doctor, load_sample, score
from gecval.corpus.mismatch import check_outputs
from gecval.formats.debris import OUTPUT_FIXES, debris_notes, find_debris, fix_output
from gecval.formats.fixes import TEXT_FIXES
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
    ("He go home .", "Corrected: **He goes home .**", "preambles", "**He goes home .**"),
    ("He go home .", "**Corrected:** He goes home .", "preambles", "He goes home ."),
    ("He go : home .", "He goes : home .", "preambles", "He goes : home ."),
    ("He go home .", "He goes home . (Note: the verb was wrong.)", "comments", "He goes home ."),
    ("He go home ( now ) .", "He goes home ( now ) .", "comments", "He goes home ( now ) ."),
    ("He go home .", "I'm sorry, but I cannot do this.", "refusals", "He go home ."),
    ("I 'm sorry , but I go .", "I 'm sorry , but I left .", "refusals", "I 'm sorry , but I left ."),
    ("He go home .", "Sure! The sentence is correct, and needs no change.", "answers", "He go home ."),
    ("He go home .", "No grammatical errors found . He goes home .", "answers", "He goes home ."),
    ("This sentence are correct .", "This sentence is correct .", "answers", "This sentence is correct ."),
    ("He go home .", "He goes home . No changes are needed .", "comments", "He goes home ."),
    ("He go home .", "No correction needed .", "answers", "He go home ."),
    ("He go home .", "He goes home . Let me know if you need anything else!", "comments", "He goes home ."),
    ("He go home .", "He goes home . I hope this helps ! Feel free to ask . 😊", "comments", "He goes home ."),
    (
        "He go home .",
        "He goes home . No changes are needed . Let me know if you want more .",
        "comments",
        "He goes home .",
    ),
    (
        "He go . " * 30,
        "He goes . " * 30 + "Let me know if you need more !",
        "comments",
        "He goes . " * 29 + "He goes .",
    ),
    (
        "Hi . Let me now if you can come .",
        "Hi . Let me know if you can come .",
        "comments",
        "Hi . Let me know if you can come .",
    ),
    ("Hi . Feel free to came .", "Hi . Feel free to come .", "comments", "Hi . Feel free to come ."),
    ("There is no errors .", "There are no errors .", "answers", "There are no errors ."),
    ("He go home .", '{"original": "He go home .", "corrected": "He goes home ."}', "json", "He goes home ."),
    ("He go home .", "<think> The verb is wrong . </think> He goes home .", "model-marks", "He goes home ."),
    ("None of it .", "None of them .", "none", "None of them ."),
    ("He go home .", "“He goes home .”", "quoted", "He goes home ."),
    ('He say " go "', '" He says go "', "quoted", '" He says go "'),
    ("He go home .", "He **goes** home .", "markdown", "He goes home ."),
    ("He go home .", "``` He goes home . ```", "markdown", "He goes home ."),
    ("He go home .", "```text He goes home .", "markdown", "He goes home ."),
    ("He go home .", "** He goes home . **", "markdown", "He goes home ."),
    ("He go home .", "* * He goes home . * *", "markdown", "He goes home ."),
    ("He go home .", "* * He goes home . * *", "bullets", "* * He goes home . * *"),
    ("He go home .", "He * * goes * * home .", "markdown", "He goes home ."),
    ("He go home .", "* He goes home . *", "markdown", "He goes home ."),
    ("He go home .", "***He goes home .***", "markdown", "He goes home ."),
    ("He go home .", "He goes home . * *", "markdown", "He goes home ."),
    ("He go home .", "He goes home .**", "markdown", "He goes home ."),
    ("He go home .", "# # He goes home .", "markdown", "He goes home ."),
    ("He go home .", "` ` ` He goes home . ` ` `", "markdown", "He goes home ."),
    ("2 * * 3 go .", "2 * * 3 goes .", "markdown", "2 * * 3 goes ."),
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
    once = fix_output(corpus, corpus.system("mine", [text]), [fix])
    assert once.hypotheses == [fixed]
    assert fix_output(corpus, once, [fix]).hypotheses == [fixed]


LAYERS = [
    "Sure! Here is the corrected text: **He goes home .**",
    '**"He goes home ."** Let me know if you need more!',
    '1. "- He goes home ." (Note: I changed the verb.)',
    "Corrected: &quot;He goes home .&quot;",
    "<s> Certainly! ``` He goes home. ```",
]


@pytest.mark.parametrize("text", LAYERS)
def test_layers(text: str) -> None:
    """What one fix takes away hides what is for another; what is left is tokenised."""
    corpus = Corpus.from_texts(["He go home ."], [["He went home ."]])
    fixes = [*OUTPUT_FIXES, "entities", "tokens"]
    assert fix_output(corpus, corpus.system("mine", [text]), fixes).hypotheses == ["He goes home ."]


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda row: row.name)
def test_fixes_change_what_is_found_and_nothing_when_repeated(mistake: Mistake) -> None:
    wrong = CORPUS.system("mine", plant(mistake, OUTPUT, CORPUS.sources, seed=1))
    found = {debris.name: lines for debris, lines in find_debris(CORPUS, wrong.hypotheses)}
    for name in [*OUTPUT_FIXES, *TEXT_FIXES]:
        once = fix_output(CORPUS, wrong, [name])
        assert fix_output(CORPUS, once, [name]).hypotheses == once.hypotheses
        changed = [i for i, (a, b) in enumerate(zip(wrong.hypotheses, once.hypotheses, strict=True)) if a != b]
        if name in found:
            assert changed == found[name]
    once = fix_output(CORPUS, wrong, [*OUTPUT_FIXES, *TEXT_FIXES])
    assert fix_output(CORPUS, once, [*OUTPUT_FIXES, *TEXT_FIXES]).hypotheses == once.hypotheses


def test_words_of_a_tokenised_source_stay() -> None:
    corpus = Corpus.from_texts(["Forest'view etc. is 'good ' ."], [["Forest 's view is ' good ' ."]])
    fixed = fix_output(corpus, corpus.system("mine", ["Forest'view etc. are 'good ', too."]), ["tokens"])
    assert fixed.hypotheses == ["Forest'view etc. are 'good ' , too ."]


def test_debris_of_a_chat_model_comes_together() -> None:
    """A kind in a single line is found where others are."""
    outputs = [*OUTPUT[:40]]
    outputs[3] = f'"{outputs[3]}"'
    assert list(find_debris(CORPUS[:40], outputs)) == []
    outputs[5], outputs[6] = f"**{outputs[5]}**", f"{outputs[6]} I hope this helps!"
    found = [(debris.name, lines) for debris, lines in find_debris(CORPUS[:40], outputs)]
    assert found == [("comments", [6]), ("quoted", [3]), ("markdown", [5])]


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
