"""No text is judged by the rules of another language without a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from gecval import Corpus, InputError, annotate, compare, evaluate, extractor, load_corpus, score, score_by_type
from gecval.corpus.edit import Edit
from gecval.corpus.references import Reference
from gecval.metrics import metric

UKRAINIAN = ["Він пішов додому .", "Це дуже добре , що ти прийшов ."]
GREEK = ["Πήγα στο σπίτι χθες το βράδυ .", "Είναι πολύ καλό που ήρθες εδώ ."]


def corpus(sources: list[str], language: str | None = None) -> Corpus:
    return Corpus.from_texts(sources, [[source.replace(" .", " !")] for source in sources], language=language)


@pytest.mark.parametrize("name", ["errant", "lt", "interpolated(errant, ld, 0.5)"])
def test_english_judges_refuse_other_languages(name: str) -> None:
    pytest.importorskip("errant", reason="needs the extra: pip install 'gecval[errant]'")
    pytest.importorskip("lt_py", reason="needs the extra: pip install 'gecval[grammar]'")
    texts = corpus(UKRAINIAN)
    with pytest.raises(
        InputError, match=r"judges English only, and the source looks Ukrainian; choose errant\(model"
    ) as error:
        score(texts, {"mine": UKRAINIAN}, [name])
    assert error.value.parameters == ('metrics=errant(model="plain")', "language=en")


def test_short_texts_in_other_letters_are_not_english() -> None:
    short = Corpus.from_texts(["文文文文文文文文"], [["文文文文文文文"]], tokenize="char")
    [result] = (scores := score(short, {"mine": ["文文"]}, ["m2"]))
    assert "|plain|" in result.signature
    assert scores.notes[-1] == "edits are found by plain rules, since the text is written in other letters than English"
    with pytest.raises(InputError, match="errant judges English only, and the source is written in other letters"):
        score(short, {"mine": ["文文"]}, ["errant"])


def test_what_judges_chinese_is_named() -> None:
    with pytest.raises(InputError, match=r'looks Chinese; choose errant\(lang="zh"\), errant\(model="plain"\) or '):
        score(Corpus.from_texts(["文" * 20], [["文" * 21]]), {"mine": ["文"]}, ["errant"])


def test_a_user_may_say_that_it_is_english() -> None:
    pytest.importorskip("errant", reason="needs the extra: pip install 'gecval[errant]'")
    [result] = score(corpus(UKRAINIAN, "en"), {"mine": UKRAINIAN}, ["errant"])
    assert result.parts["fn"] == 2


def test_a_user_may_say_that_it_is_not_english() -> None:
    texts = corpus(["He go home ."], "de")
    with pytest.raises(
        InputError, match=r"errant judges English only, and the source is German; choose errant.* metric$"
    ):
        score(texts, {"mine": ["He goes home ."]}, ["errant"])


def test_edits_of_other_languages_are_plain() -> None:
    [result] = score(corpus(GREEK), {"mine": GREEK}, ["m2"])
    assert "|plain|" in result.signature
    with pytest.raises(InputError, match="errant judges English only, and the source looks Greek"):
        score(corpus(GREEK), {"mine": GREEK}, ["m2"], edits="errant")
    with pytest.raises(InputError, match="errant judges English only"):
        annotate(corpus(GREEK), extractor("errant"))


def test_the_language_stands_in_the_signature() -> None:
    pytest.importorskip("errant", reason="needs the extra: pip install 'gecval[errant]'")
    pytest.importorskip("lt_py", reason="needs the extra: pip install 'gecval[grammar]'")
    scores = evaluate(["He go home ."], ["He goes home ."], [["He goes home ."]], metrics=["errant", "lt", "gleu"])
    assert ["|lang:en|" in result.signature for result in scores] == [True, True, False]


NUCLE = """S He go home .
A 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0

S I like the music .
A 2 3|||ArtOrDet||||||REQUIRED|||-NONE-|||0

"""


def test_gold_with_types_of_another_scheme_is_annotated_anew(tmp_path: Path) -> None:
    pytest.importorskip("errant", reason="needs the extra: pip install 'gecval[errant]'")
    (tmp_path / "gold.m2").write_text(NUCLE)
    gold = load_corpus(None, [tmp_path / "gold.m2"])
    output = {"mine": ["He goes home .", "I like music ."]}
    types = score_by_type(gold, output, ["errant"], detail="full")
    assert {(row.type, row.tp, row.fp, row.fn) for row in types.types} == {
        ("R:VERB:SVA", 1, 0, 0),
        ("U:DET", 1, 0, 0),
    }
    assert "|re-annotated|errant:" in types.signature
    [note] = [note for note in types.notes if "annotated again" in note]
    assert note.startswith("the references' edits have types such as SVA, ArtOrDet, which errant does not give: ")
    strict = metric('errant(level="classification")')
    [result] = score(gold, output, [strict])
    assert (result.score, "|re-annotated|errant:" in result.signature) == (1.0, True)
    [usual] = score(gold, output, ["errant"])
    assert "re-annotated" not in usual.signature
    before = gold.system("before", gold.sources)
    assert "re-annotated" in compare(gold, before, output, [strict])[0].signature


GERMAN = [
    "Er hat das nicht gewusst , und sie ist mit dem Auto in die Stadt gefahren .",
    "Das ist ein Haus , und ich weiß nicht , ob es auch die Frau von dem Mann ist .",
]


def german(**options: str) -> Corpus:
    """German with edits of its own types."""
    gold = [
        [Reference(edits=(Edit(2, 3, ("dies",), "R:DET:FORM"),))],
        [Reference(edits=(Edit(2, 3, ("kein",), "R:DET"),))],
    ]
    return Corpus(GERMAN, gold, **options)


@pytest.mark.parametrize(
    "name", ['errant(model="plain")', 'errant(model="multigec")', 'errant(lang="de", model="none")']
)
def test_no_type_that_is_never_given_has_a_precision(name: str) -> None:
    outputs = [GERMAN[0].replace("das", "dies"), GERMAN[1].replace("Haus", "Hause")]
    by_type = score_by_type(german(), {"mine": outputs}, [name])
    assert [(row.type[0], row.tp, row.fp, row.fn) for row in by_type.types] in (
        [("R", 1, 1, 1)], [("O", 1, 1, 1)],
    )  # fmt: skip
    assert "such as R:DET:FORM, R:DET, which" in by_type.notes[-1]
    assert by_type.notes[-1].endswith("does not give: they were annotated again from their texts")


def test_types_that_never_match_are_noted() -> None:
    [plain] = (scores := score(german(), {"mine": GERMAN}, ['errant(model="plain", level="classification")']))
    assert plain.score == 0
    assert any("plain gives no types such as R:DET:FORM, R:DET" in note for note in scores.notes)


def test_a_refusal_names_what_works() -> None:
    pytest.importorskip("errant", reason="needs the extra: pip install 'gecval[errant]'")
    with pytest.raises(InputError) as refused:
        score(german(), {"mine": GERMAN}, ["errant"])
    assert str(refused.value).endswith(
        'looks German; choose errant(model="plain"), for types errant(lang="de", model=...) with a parser or "none", '
        "or another metric, or say that the language is en"
    )
    assert refused.value.parameters == ('metrics=errant(model="plain")', "language=en")
    score(german(), {"mine": GERMAN}, ['errant(lang="de", model="none")'])


def test_auto_says_that_its_rules_are_those_of_english() -> None:
    assert german(tokenize="auto").notes == (
        "auto chose the tokeniser spacy; its rules are those of English, and the text is German: better give tokenised "
        "outputs",
    )
    assert german(tokenize="auto", language="en").notes == ()
    assert Corpus.from_texts(["我有一个朋友叫小明他喜欢吃水果"], tokenize="auto").notes == ()
