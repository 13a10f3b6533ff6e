"""CoNLL-U: words and multiword tokens, and what cannot be meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from gecval import InputError
from gecval.formats.conllu import Word, read_conllu

ITALIAN = """\
# text = Vado al parco.
1\tVado\tandare\tVERB\tV\tMood=Ind|Number=Sing\t0\troot\t_\t_
2-3\tal\t_\t_\t_\t_\t_\t_\t_\t_
2\ta\ta\tADP\tE\t_\t4\tcase\t_\t_
3\til\til\tDET\tRD\tGender=Masc\t4\tdet\t_\t_
3.1\t_\t_\t_\t_\t_\t_\t_\t_\t_
4\tparco\t_\t_\tS\t_\t1\t_\t_\tSpaceAfter=No
5\t_\t_\tPUNCT\tFS\t_\t1\tpunct\t_\t_

1\tEh\teh\tINTJ\t_\t_\t0\troot\t_\t_
"""


@pytest.fixture
def write(tmp_path: Path):
    def write(content: str) -> Path:
        path = tmp_path / "a.conllu"
        path.write_text(content, encoding="utf-8")
        return path

    return write


def test_words_and_multiword_tokens(write) -> None:
    first, second = read_conllu(write(ITALIAN))
    assert [(line, word.form) for line, word in first.words] == [
        (2, "Vado"), (4, "a"), (5, "il"), (7, "parco"), (8, "_")
    ]  # fmt: skip
    assert [(line, word.form, word.upos, word.lemma) for line, word in first.written] == [
        (2, "Vado", "VERB", "andare"),
        (3, "al", "ADP", "a"),  # its first word's tag and lemma
        (7, "parco", "X", "parco"),
        (8, "_", "PUNCT", "_"),
    ]
    assert first.words[0][1] == Word("Vado", "VERB", "andare", {"Mood": "Ind", "Number": "Sing"}, "root")
    assert first.words[3][1] == Word("parco", "X", "parco", {}, "")
    assert (first.line, second.line) == (2, 10)
    assert [word.form for _, word in second.words] == ["Eh"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds no parsed sentence"),
        ("# text = a\n", "holds no parsed sentence"),
        ("1\ta\n", "line 1 has 2 columns; a word of CoNLL-U has 10"),
        (ITALIAN.replace("2-3", "7-8"), "line 3: '7-8' is no range of words that follow"),
        (ITALIAN.replace("2-3", "2-x"), "line 3: '2-x' is no range"),
        (ITALIAN.replace("2-3", f"2-{'3' * 4301}"), "line 3: '2-3333"),
        (ITALIAN.replace("\n4\t", f"\n{'4' * 4301}\t"), "line 7: '4444"),
        (ITALIAN.replace("\n4\t", "\nfour\t"), "line 7: 'four' is no number of a word"),
        ("# x\n1.1\t" + "\t".join("a_______a") + "\n", "line 2: a sentence without a word"),
        ("0\t" + "\t".join("a_______a") + "\n", "line 1: a sentence without a word"),
    ],
)
def test_refused(write, content: str, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        read_conllu(write(content))
    assert message in str(refusal.value)
    assert "a.conllu" in str(refusal.value)
