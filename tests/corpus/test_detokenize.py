"""Tokens back to normal text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval.corpus.tokenization import detokenize

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
