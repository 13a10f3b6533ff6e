"""Typed edits in any language: types rule by rule, real parses, the fork's spans, and parses that do not fit."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Edit, InputError, extractor, metric, score
from gecval.corpus.edit import apply_edits
from gecval.edits.errant import merged_edits
from gecval.edits.universal import Rules, UniversalExtractor, _sentence, rules_of, universal_type
from gecval.formats.conllu import Word, read_conllu

pytest.importorskip("errant", reason="needs the extra: pip install 'gecval[errant]'")


def words(text: str) -> list[Word]:
    """``form/UPOS/lemma/Case=Gen,Number=Plur``"""
    listed = []
    for part in text.split():
        form, upos, lemma, feats = (part.split("/") + ["X", "", ""][len(part.split("/")) - 1 :])[:4]
        listed.append(Word(form, upos, lemma, dict(f.split("=") for f in feats.split(",") if f)))
    return listed


WORDS = {"house", "home", "go", "2nd"}


@pytest.mark.parametrize(
    ("source", "corrected", "kind"),
    [
        ("", "in/ADP", "M:ADP"),
        ("in/ADP", "", "U:ADP"),
        ("", "Rom/PROPN", "M:NOUN"),
        ("", "und/CCONJ", "M:CONJ"),
        ("", "dass/SCONJ", "M:CONJ"),
        ("", "ach/INTJ", "M:OTHER"),
        ("", "x/X", "M:OTHER"),
        ("", ",", "M:PUNCT"),  # without a tag
        ("", "./SYM", "M:PUNCT"),
        ("", "hat/AUX gesagt/VERB", "M:VERB"),
        ("", "zu/PART gehen/VERB", "M:VERB"),
        ("", "zu/PART hat/AUX", "M:OTHER"),
        ("", "das/DET Haus/NOUN", "M:OTHER"),
        ("", "sieben/NUM acht/NUM", "M:NUM"),
        ("Haus/NOUN", "haus/VERB", "R:ORTH"),
        ("a cat", "acat", "R:ORTH"),
        ("a Cat", "a cat", "R:ORTH"),
        (",", ".", "R:PUNCT"),
        (",/PUNCT", "-/SYM", "R:PUNCT"),
        ("wir's", "wirs", "R:PUNCT"),
        ("b a", "a b", "R:WO"),
        ("b a", "A b", "R:WO"),
        ("Katze/NOUN/Katze", "Hund/NOUN/Hund", "R:NOUN"),
        ("Katze/NOUN/Katze", "Katzen/NOUN/Katze/Number=Plur", "R:NOUN:NUM"),
        ("a/NOUN/b/Case=Nom,Number=Sing", "c/NOUN/b/Case=Gen,Number=Plur", "R:NOUN:CASE:NUM"),
        ("a/VERB/b/Person=1,Tense=Past", "c/VERB/b/Person=3,Tense=Pres", "R:VERB:TENSE:PERS"),
        ("a/VERB/b/VerbForm=Inf", "c/VERB/b/VerbForm=Fin", "R:VERB:FORM"),
        ("a/ADJ/b/Gender=Masc", "c/ADJ/b/Gender=Fem", "R:ADJ:GEN"),
        ("a/PROPN/b/Case=Nom", "c/PROPN/b/Case=Acc", "R:NOUN:CASE"),
        ("a/NOUN/b", "c/VERB/b", "R:MORPH"),
        ("a/DET/a", "c/PRON/c", "R:PRON"),
        ("a/PRON/a", "c/DET/c", "R:DET"),
        ("a/DET/a", "c/NOUN/c", "R:OTHER"),
        ("a/X/b", "c/X/b", "R:MORPH"),
        ("a", "c", "R:OTHER"),
        ("a/NOUN b/NOUN", "c/NOUN", "R:NOUN"),
        ("hat/AUX gesagt/VERB/sagen", "sagte/VERB/sagen", "R:VERB:FORM"),
        ("sagte/VERB/sagen", "hat/AUX/haben gesagt/VERB/sagen", "R:VERB:FORM"),
        ("hat/AUX gesagt/VERB/sagen", "redete/VERB/reden", "R:VERB"),
        ("a/DET b/NOUN", "c/NOUN", "R:OTHER"),
        ("Doctor/NOUN", "The/DET doctor/NOUN", "M:DET"),  # the last word changes its case only
        (",/PUNCT since/SCONJ", "./PUNCT Since/SCONJ", "R:PUNCT"),
        ("the/DET doctor/NOUN", "Doctor/NOUN", "U:DET"),
    ],
)
def test_types(source: str, corrected: str, kind: str) -> None:
    assert universal_type(words(source), words(corrected)) == kind


@pytest.mark.parametrize(
    ("source", "corrected", "kind"),
    [
        ("huose", "house", "R:SPELL"),
        ("Huose", "House", "R:SPELL"),
        ("huose/NOUN/house", "house/NOUN/house", "R:NOUN:INFL"),
        ("home/NOUN/home", "house/NOUN/house", "R:NOUN"),  # both are words
        ("Home/NOUN/home", "house/NOUN/house", "R:NOUN"),
        ("hxxxx/NOUN", "house/NOUN", "R:NOUN"),  # too unlike
        ("xx", "go", "R:OTHER"),
        ("hom", "2nd", "R:OTHER"),
        ("gox", "gos", "R:SPELL"),  # the corrected word need not be known
        ("gox1", "go", "R:OTHER"),  # not alphabetic
        ("house1", "house", "R:OTHER"),
        ("XND", "2ND", "R:SPELL"),  # known in lower case
        ("gox", "go1x", "R:OTHER"),  # unknown, and has a digit
        ("gg", "go", "R:OTHER"),  # a half is not enough
    ],
)
def test_spelling(source: str, corrected: str, kind: str) -> None:
    assert universal_type(words(source), words(corrected), is_word=WORDS.__contains__) == kind


def test_rules_of_languages() -> None:
    accent = words("mesto/NOUN/mesto"), words("město/NOUN/město")
    assert universal_type(*accent, rules_of("cs")) == "R:DIACR"
    assert universal_type(*accent, rules_of("uk")) == universal_type(*accent) == "R:NOUN"
    assert rules_of("xx") == Rules()
    assert universal_type([], words("in/ADP"), rules_of("en")) == "M:PREP"
    polite = Rules(features={"Polite": "POLITE"})
    assert universal_type(words("a/PRON/b"), words("c/PRON/b/Polite=Form"), polite) == "R:PRON:POLITE"


WORD = st.builds(
    Word,
    st.sampled_from(["a", "A", "b", "ab", ",", "ä"]),
    st.sampled_from(["NOUN", "VERB", "AUX", "DET", "PRON", "X", "PUNCT"]),
    st.sampled_from(["a", "b"]),
    st.sampled_from([{}, {"Case": "Nom"}, {"Case": "Gen"}]),
)


@given(st.lists(WORD, max_size=3), st.lists(WORD, max_size=3))
def test_the_other_way_round_missing_is_unneeded(source: list[Word], corrected: list[Word]) -> None:
    if source or corrected:
        forward, back = universal_type(source, corrected), universal_type(corrected, source)
        assert {"M": "U", "U": "M", "R": "R"}[forward[0]] == back[0]
        if forward[0] != "R":
            assert forward[2:] == back[2:]


@given(st.text("ab ,ä", max_size=12), st.text("ab ,ä", max_size=12))
def test_without_a_parse_few_types_are_left(source: str, corrected: str) -> None:
    [edits] = UniversalExtractor("xx").edits([(source, corrected)])
    assert apply_edits(source.split(), edits) == " ".join(corrected.split())
    assert {edit.type[2:] for edit in edits} <= {"OTHER", "ORTH", "PUNCT", "WO"}


def texts(path: Path) -> list[str]:
    return [" ".join(word.form for _, word in sentence.words) for sentence in read_conllu(path)]


def test_spans_are_those_of_the_fork_with_gold_tags(data: Path, golden: Path) -> None:
    """MultiGEC's fork on the parses of VALICO, with English merging rules and content words."""
    blocks = gzip.decompress((golden / "multi/errant/fork-it.conllu.m2.gz").read_bytes()).decode().strip().split("\n\n")
    folder = data / "multi/it/valico-ud"
    sides = [read_conllu(folder / f"{name}.conllu") for name in ("source", "corrected")]
    assert len(blocks) == 398
    for source, corrected, block in zip(*sides, blocks, strict=True):
        parsed = [_sentence([word for _, word in sentence.words]) for sentence in (source, corrected)]
        mine = [f"A {e.o_start} {e.o_end} {e.c_str}" for e in merged_edits(*parsed)]
        gold = [line.split("|||") for line in block.split("\n")[1:] if "|||noop|||" not in line]
        assert mine == [f"{fields[0]} {fields[2].replace('-NONE-', '')}" for fields in gold]


@pytest.mark.parametrize(
    ("folder", "lang", "types"),
    [
        ("it/valico-ud", "it", {"M:PUNCT": 58, "R:DIACR": 49, "R:DET:GEN": 10, "R:WO": 17, "M:ADP": 15}),
        ("sv/swell-ud", "sv", {"R:NOUN:DEF": 67, "R:WO": 49, "R:NOUN:NUM": 17, "R:PRON:CASE": 8, "M:PUNCT": 55}),
    ],
)
def test_real_parses(data: Path, folder: str, lang: str, types: dict[str, int]) -> None:
    paths = [data / "multi" / folder / f"{name}.conllu" for name in ("source", "corrected")]
    sources, corrected = map(texts, paths)
    corpus = Corpus.from_texts(sources, [[text] for text in corrected])
    errant = metric(f"errant(lang={lang!r}, parses={tuple(map(str, paths))!r})")
    [perfect, nothing] = score(corpus, {"gold": corrected, "source": sources}, [errant])
    assert (perfect.score, nothing.score) == (1.0, 0.0)
    fields = perfect.signature.split("|")
    assert fields[-6:-1] == ["universal", "errant:3.0.2", fields[-4], "spell:none", f"lang:{lang}"]
    assert fields[-4].startswith("conllu:")
    edits = errant.extractor.edits(list(zip(sources, corrected, strict=True)))
    found = [edit.type for listed in edits for edit in listed]
    assert {kind: found.count(kind) for kind in types} == types


TEXT = """\
1\tMi\tio\tPRON\t_\t_\t0\troot\t_\t_
2-3\tdel\t_\t_\t_\t_\t_\t_\t_\t_
2\tdi\tdi\tADP\t_\t_\t4\tcase\t_\t_
3\til\til\tDET\t_\t_\t4\tdet\t_\t_
4\tpane\tpane\tNOUN\t_\tNumber=Sing\t1\tobj\t_\t_

1\tMi\tio\tPRON\t_\t_\t0\troot\t_\t_
2\tdei\tdei\tDET\t_\t_\t4\tdet\t_\t_
3\tpani\tpane\tNOUN\t_\tNumber=Plur\t1\tobj\t_\t_
"""


def test_either_spelling_of_a_multiword_token_fits(tmp_path: Path) -> None:
    path = tmp_path / "all.conllu"
    path.write_text(TEXT, "utf-8")
    extractor = UniversalExtractor("it", parses=(str(path),))
    [words, written] = extractor.edits([("Mi di il pane", "Mi dei pani"), ("Mi del pane", "Mi dei pani")])
    assert [edit.type for edit in written] == ["R:OTHER", "R:NOUN:NUM"]
    assert words[-1].type == "R:NOUN:NUM"
    assert extractor.edits([("no parse", "no  parse"), ("", "")]) == [(), ()]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Mi dei pane", "all.conllu: line 9: the parse has 'pani', the text 'pane', in 'Mi dei pane'"),
        ("Mi dei pani .", "all.conllu: line 9: the parse has no more word, the text '.', in"),
        ("Mi dei", "all.conllu: line 9: the parse has 'pani', the text no more word, in 'Mi dei'"),
        ("Mi dal pane", "all.conllu: line 2: the parse has 'del', the text 'dal'"),
    ],
)
def test_parses_that_do_not_fit(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "all.conllu").write_text(TEXT, "utf-8")
    extractor = UniversalExtractor("it", parses=(str(tmp_path / "all.conllu"),))
    with pytest.raises(InputError) as refusal:
        extractor.edits([(text, "Mi dei pani")])
    assert message in str(refusal.value)
    assert refusal.value.parameters == ("parses",)


def test_a_pair_that_differs_in_blanks_only_has_no_edits() -> None:
    pairs = [("a b", "a c"), ("a b", "a  b"), ("a b", "a b"), ("a c", "a b")]
    assert [len(edits) for edits in UniversalExtractor("xx").edits(pairs)] == [1, 0, 0, 1]


def test_a_word_list(tmp_path: Path) -> None:
    (tmp_path / "it.dic").write_text("3\npane/S\nmi\tpo:pron\n\n", "utf-8")
    extractor = UniversalExtractor("it", words=str(tmp_path / "it.dic"))
    assert extractor.edits([("mi pana", "mi pane")]) == [(Edit(1, 2, ("pane",), "R:SPELL"),)]
    assert extractor.edits([("mi pane", "mi pani")]) == [(Edit(1, 2, ("pani",), "R:OTHER"),)]  # it is a word
    assert re.fullmatch("spell:[0-9a-f]{8}", extractor.signature.split("|")[-1])


def test_an_edit_has_the_type_of_its_own_words() -> None:
    """Not of those before and behind it."""
    [edits] = UniversalExtractor("xx").edits([("a Cat , b c", "a cat . b d")])
    assert [(edit.start, edit.end, edit.type) for edit in edits] == [
        (1, 2, "R:ORTH"),
        (2, 3, "R:PUNCT"),
        (4, 5, "R:OTHER"),
    ]


def test_a_spacy_model_of_another_language_does_not_get_english_rules() -> None:
    assert extractor("it_core_news_sm") == UniversalExtractor("it", "it_core_news_sm")
    with pytest.raises(InputError, match="the spaCy model 'it_core_news_sm' is not installed"):
        extractor("it_core_news_sm").signature  # noqa: B018


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ('errant(lang="it")', "lang='it' needs to know how words are parsed"),
        ('errant(parses=("a",))', "parses and words go with lang"),
        ('errant(lang="en", words="a")', "parses and words go with lang"),
        ('errant(lang="it", model="none", parses=("a",))', "give parses or model, not both"),
        ('errant(lang="zh", parses=("a",))', "no model, no parse and no word list"),
        ('errant(lang="it", parses="a")', "parses must be a list"),
    ],
)
def test_parameters(spelling: str, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        metric(spelling)
    assert message in str(refusal.value)
