"""Texts cut into characters: what a character is, the gate, and what metrics then see."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Edit, InputError, Reference, System, load_corpus, load_systems, score
from gecval.corpus.tokenization import characters, detokenize, tokenize

CHINESE = "我有10个A。"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        (" \u3000 ", []),
        ("我有 10个A。", ["我", "有", "1", "0", "个", "A", "。"]),
        ("ab[缺失成分]c", ["a", "b", "[缺失成分]", "c"]),
        ("[缺失]", ["[", "缺", "失", "]"]),
        ("e\u0301a", ["e\u0301", "a"]),  # a letter and its accent
        ("\u0301a", ["\u0301", "a"]),  # an accent without a letter
        ("हिन्दी", ["हि", "न्", "दी"]),
        ("👍🏽!", ["👍🏽", "!"]),
        ("👩\u200d👧a", ["👩\u200d👧", "a"]),
        ("葛\U000e0100城", ["葛\U000e0100", "城"]),  # a variant of a character
        ("𠮷野", ["𠮷", "野"]),
    ],
)
def test_characters(text: str, tokens: list[str]) -> None:
    assert characters(text) == tokens


@given(st.text())
def test_nothing_but_blanks_is_lost_and_twice_is_once(text: str) -> None:
    tokens = characters(text)
    assert "".join(tokens) == "".join(text.split())
    assert all(token and token.split() == [token] for token in tokens)
    assert characters(" ".join(tokens)) == tokens


def test_the_gate_cuts_sources_references_and_outputs() -> None:
    corpus = Corpus.from_texts([CHINESE], [["我有9个A。"]], tokenize="char")
    assert corpus.sources == ["我 有 1 0 个 A 。"]
    assert corpus.texts_of(0) == ["我 有 9 个 A 。"]
    assert corpus.system("x", ["我有"]).hypotheses == ["我 有"]
    outside = System("x", ["我有9个A。"])
    for systems in ([outside], {"x": ["我有9个A。"]}):
        scores = score(corpus, systems, ["gleu", "green", "bleu", "accuracy", "m2"])
        assert [round(result.score, 6) for result in scores] == [1.0] * 5
        assert all("|tokenize:char|" in result.signature for result in scores)
    [words] = score(Corpus.from_texts([CHINESE], [["我有9个A。"]]), {"x": ["我有9个A。"]}, ["gleu"])
    assert "tokenize" not in words.signature


def test_scores_are_those_of_texts_cut_beforehand() -> None:
    texts = ["我 有 1 0 个", "我 有 9 个", "我 很 有 9 个"]
    metrics = ["gleu", "green", "sari", "bleu", "ld", "m2"]
    before = score(Corpus.from_texts([texts[0]], [[texts[1]]]), {"x": [texts[2]]}, metrics, edits="plain")
    raw = ["".join(text.split()) for text in texts]
    corpus = Corpus.from_texts([raw[0]], [[raw[1]]], tokenize="char")
    after = score(corpus, {"x": [raw[2]]}, metrics, edits="plain")
    assert [result.score for result in after] == [result.score for result in before]


def test_edits_must_be_those_of_characters(tmp_path: Path) -> None:
    characters_m2 = "S 我 有 A\nA 1 2|||S|||没|||REQUIRED|||-NONE-|||0\n"
    path = tmp_path / "gold.m2"
    path.write_text(characters_m2, "utf-8")
    corpus = load_corpus(None, [path], tokenize="char")
    (tmp_path / "x.txt").write_text("我没A\n", "utf-8")
    [result] = score(corpus, load_systems([tmp_path / "x.txt"], corpus), ["m2"])
    assert result.score == 1.0
    path.write_text(characters_m2.replace("我 有", "我们 有"), "utf-8")
    with pytest.raises(InputError, match="sentence 1: the references' edits count words, not characters") as error:
        load_corpus(None, [path], tokenize="char")
    assert error.value.parameters == ("tokenize", "references")
    with pytest.raises(InputError, match="sentence 2: the references' edits count words"):
        Corpus(["我", "我们"], [[], [Reference(edits=(Edit(0, 1, ("a",)),))]], tokenize="char")


def test_what_it_may_be() -> None:
    with pytest.raises(InputError, match="tokenize is auto, char, spacy, ptb or nothing, not 'word'"):
        Corpus.from_texts(["a"], tokenize="word")


def test_a_corpus_loaded_from_another_is_cut_alike(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("我没\n", "utf-8")
    first = Corpus.from_texts(["我有"], tokenize="char")
    assert load_corpus(first, [tmp_path / "ref"]).texts_of(0) == ["我 没"]


# Normal text to tokens and back.


TEXTS = st.text(st.sampled_from("ab n't's.,!\"'“”()$%…\u00a0’é日😀"), max_size=30)


@given(TEXTS)
def test_nothing_but_blanks_is_added(text: str) -> None:
    tokens = tokenize(text)
    assert "".join(tokens) == "".join(text.split())
    assert all(token and not token.isspace() for token in tokens)


def test_words_keep_what_is_within_them() -> None:
    assert tokenize("well-known he/she 3.5% e.g. didnt") == ["well-known", "he/she", "3.5", "%", "e.g", ".", "didnt"]


def test_detokenize_takes_it_back() -> None:
    for text in (
        "He doesn't know (yet), what's \"right\" ...",
        "We've $5, or 3.5% of U.S. cars; the boys' cars can't!",
        "“Quoted,” she said: it’s [not] {so} bad?",
    ):
        assert detokenize(tokenize(text)).text == text.replace(" ...", "...")


# Tokens back to normal text.


WORDS = st.lists(
    st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=6) | st.sampled_from("\"'.,")
)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("He does n't know .", "He doesn't know."),
        ("It 's fine , I think ; is n't it ?", "It's fine, I think; isn't it?"),
        ('He said , " It is fine . " Then he left .', 'He said, "It is fine." Then he left.'),
        ("the boys ' room", "the boys' room"),
        ("He said ' no ' .", "He said 'no'."),
        ("( see [ 3 ] ) costs $ 5 or 20 %", "(see [3]) costs $5 or 20%"),
        ("`` Yes , '' she said ...", "``Yes,'' she said..."),
        ("", ""),
        ("😀 !", "😀!"),
        ("我 有 2 0 本 P y 书 ， 他 說 O K 。", "我有20本Py书，他說OK。"),
        ("我 喜欢 Python 书 。", "我喜欢 Python 书。"),
        ("こ れ は ペ ン です 。", "これはペンです。"),
        ("the word 我 means I", "the word 我 means I"),
        ("저 는 학생 이 다 .", "저 는 학생 이 다."),
    ],
)
def test_normal_text(tokens: str, text: str) -> None:
    assert detokenize(tokens.split()).text == text


@given(WORDS)
def test_only_blanks_go_and_every_token_keeps_its_place(tokens: list[str]) -> None:
    normal = detokenize(tokens)
    assert normal.text.replace(" ", "") == "".join(tokens)
    for i, token in enumerate(tokens):
        assert normal.text[normal.starts[i] : normal.ends[i]] == token
        assert normal.tokens_in(normal.starts[i], normal.ends[i]) == (i, i + 1)


@pytest.mark.parametrize(
    ("stretch", "tokens"),
    [((0, 1), (0, 1)), ((0, 3), (0, 2)), ((1, 2), (1, 1)), ((2, 3), (1, 2)), ((10, 12), (1, 2)), ((3, 3), (1, 2))],
)
def test_tokens_of_a_stretch_between_or_beyond_them(stretch: tuple[int, int], tokens: tuple[int, int]) -> None:
    """Between two tokens there is none; beyond the end it is the last one."""
    assert detokenize(["a", "b"]).tokens_in(*stretch) == tokens
    assert detokenize([]).tokens_in(*stretch) == (0, 0)


def test_a_mark_after_an_s_is_an_apostrophe_and_opens_nothing() -> None:
    assert detokenize(["'", "boys", "'", "and", "'", "girls"]).text == "'boys' and 'girls"
    assert detokenize(["the", "boys", "'", "and", "'", "girls", "'"]).text == "the boys' and 'girls'"


# Words: outputs that are running text, next to a source that is tokenised.

SPACY = ["He do n't like well - known cats .", "She go home .", "It 's fine ."]
PTB = ["He do n't like well-known cats .", "She go home .", "It 's fine ."]
RUNNING = ["He doesn't like well-known cats.", "She goes home.", "It's fine."]


@pytest.mark.parametrize(
    ("sources", "chosen", "tokens"),
    [
        (SPACY, "spacy", "He does n't like well - known cats ."),
        (PTB, "ptb", "He does n't like well-known cats ."),
    ],
)
def test_auto_tokenises_outputs_like_the_source(sources: list[str], chosen: str, tokens: str) -> None:
    corpus = Corpus.from_texts(sources, sources, tokenize="auto")
    assert (corpus.tokenize, corpus.sources) == (chosen, sources)
    assert list(corpus.system("mine", RUNNING).hypotheses) == [tokens, "She goes home .", "It 's fine ."]
    assert Corpus.from_texts(sources[1:], [["She goes home ."], [sources[0]]], tokenize="auto").tokenize == chosen
    tokenised = ["He does n't like well-known cats .", *sources[1:]]
    assert corpus.system("mine", tokenised).hypotheses == tokenised  # as it is


def test_auto_tokenises_everything_where_all_is_running_text() -> None:
    corpus = Corpus.from_texts(RUNNING, RUNNING, tokenize="auto")
    assert corpus.sources[1] == "She goes home ."
    assert corpus.texts_of(2) == ["It 's fine ."]
    [result] = score(corpus, {"mine": RUNNING}, "accuracy")
    assert result.score == 1.0
    assert re.search(r"\|tokenize:spacy-[\d.]+\|", result.signature)


def test_auto_leaves_alone_what_counts_words_of_running_text() -> None:
    edits = [[Reference(edits=(Edit(1, 2, ("goes",)),))]]
    corpus = Corpus(["She go home."], edits, tokenize="auto")
    assert corpus.sources == ["She go home."]
    assert list(corpus.system("mine", ["She goes home."]).hypotheses) == ["She goes home."]


def test_auto_cuts_chinese_into_characters() -> None:
    corpus = Corpus.from_texts(["我昨天去了学校。", "他喜欢吃苹果和香蕉。"], tokenize="auto")
    assert (corpus.tokenize, corpus.sources[0]) == ("char", "我 昨 天 去 了 学 校 。")


def test_auto_with_edits_in_columns(tmp_path: Path) -> None:
    (tmp_path / "gold.m2").write_text("S She go home .\nA 1 2|||R|||goes|||REQUIRED|||-NONE-|||0\n")
    corpus = load_corpus(tmp_path / "gold.m2", tokenize="auto")
    scores = score(corpus, {"mine": ["She goes home."]}, "m2")
    assert scores["m2"].score == 1.0
    assert score(load_corpus(tmp_path / "gold.m2"), {"mine": ["She goes home."]}, "m2")["m2"].score < 1
