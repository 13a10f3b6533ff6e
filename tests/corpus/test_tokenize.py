"""Normal text to tokens and back."""

from hypothesis import given
from hypothesis import strategies as st

from gecval.corpus.tokenization import detokenize, tokenize

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
