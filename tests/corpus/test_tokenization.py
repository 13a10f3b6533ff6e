"""Texts cut into characters: what a character is, the gate, and what metrics then see."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Edit, InputError, Reference, System, load_corpus, load_systems, score
from gecval.corpus.tokenization import characters

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
    before = score(Corpus.from_texts([texts[0]], [[texts[1]]]), {"x": [texts[2]]}, metrics, extractor="plain")
    raw = ["".join(text.split()) for text in texts]
    corpus = Corpus.from_texts([raw[0]], [[raw[1]]], tokenize="char")
    after = score(corpus, {"x": [raw[2]]}, metrics, extractor="plain")
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
    with pytest.raises(InputError, match="tokenize is char or nothing, not 'word'"):
        Corpus.from_texts(["a"], tokenize="word")


def test_a_corpus_loaded_from_another_is_cut_alike(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("我没\n", "utf-8")
    first = Corpus.from_texts(["我有"], tokenize="char")
    assert load_corpus(first, [tmp_path / "ref"]).texts_of(0) == ["我 没"]
