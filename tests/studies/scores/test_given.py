"""What users give a study in short or wrong forms: taken where it can be meant, refused in one line where not."""

from __future__ import annotations

from pathlib import Path

import pytest

from gecval import Corpus, InputError, compare, evaluate, load_corpus, load_sample, load_systems, maege, score
from gecval.corpus.language import language_code
from gecval.runtime.run import Run
from gecval.studies.human.ranking import Ranker

CORPUS = Corpus.from_texts(["He go home .", "Fine ."], [["He goes home ."], ["Fine ."]])
MINE = CORPUS.system("mine", ["He goes home .", "Fine ."])


def test_one_system_and_any_iterable_of_texts() -> None:
    assert score(CORPUS, MINE, ["ld"])[0].system == "mine"
    assert score(CORPUS, {"mine": (text for text in MINE.hypotheses)}, ["accuracy"])[0].score == 1.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: score(CORPUS, [], ["ld"]), "no systems are given"),
        (lambda: score(CORPUS, MINE, ["ld"], run=Run(jobs=0)), "jobs is a number from 1, not 0"),
        (lambda: score(CORPUS, MINE, ["ld"], aggregate="max"), "aggregate is corpus, mean or expected-wins, not 'max'"),
        (lambda: compare(CORPUS, "mine", [MINE], ["ld"]), "mine is the only system"),
        (lambda: evaluate("He go", ["He go"], metrics=["ld"]), "sources must be a list of texts"),
        (lambda: evaluate(["He go"], "He go", metrics=["ld"]), "the output of hypothesis must be a list of texts"),
        (lambda: Corpus.from_texts(["a"], language="?"), r"'\?' is no language; give a code such as en or uk"),
    ],
)
def test_what_cannot_be_meant(call, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize("name", ["en", "EN", "en-GB", "en_US", "English", " english "])
def test_a_language_in_any_spelling(name: str) -> None:
    assert language_code(name) == "en"
    assert Corpus.from_texts(["a"], language=name).language == "en"


def test_a_single_path(tmp_path: Path) -> None:
    (tmp_path / "src").write_text("He go home .\n")
    (tmp_path / "out").write_text("He goes home .\n")
    corpus = load_corpus(str(tmp_path / "src"), str(tmp_path / "out"))
    assert [system.name for system in load_systems(str(tmp_path / "out"), corpus)] == ["out"]


def test_notes_are_shown_wherever_a_result_is() -> None:
    scores = score(CORPUS, {"mine": ["He goes home.", "Fine."]}, ["ld"])
    assert len(scores.notes) == 1
    note = scores.notes[0]
    assert str(scores).endswith(f"\nnote: {note}")
    assert scores.to_markdown().endswith(f"note: {note}")
    assert scores.to_latex().endswith(f"% note: {note}")
    assert "<div>note: mine is not tokenised" in scores._repr_html_()


def test_gold_as_its_own_reference_is_noted() -> None:
    corpus, _ = load_sample()
    assert any("gold corrections are among the references" in note for note in maege(corpus, corpus, ["ld"]).notes)
    fewer = Corpus(corpus.sources, [references[:1] for references in corpus.references])
    assert not any("among the references" in note for note in maege(corpus, fewer, ["ld"]).notes)


def test_few_judged_sentences_are_noted() -> None:
    notes = list(Ranker().notes("expected-wins", sentences=9, judges=9))
    assert notes == ["ranges from 9 judged sentences say little: they do not show how much sentences differ"]
    assert list(Ranker().notes("expected-wins", sentences=10, judges=9)) == []
