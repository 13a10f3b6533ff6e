"""Hypothesis strategies: small corpora over a tiny vocabulary, where ties and coincidences are everywhere."""

from hypothesis import strategies as st

from gecval import Corpus, Edit, Reference, System
from gecval.corpus.edit import apply_edits

WORDS = st.sampled_from(["a", "b", "c", "A", "é", "b-c"])


def sentences(max_size: int = 6) -> st.SearchStrategy[list[str]]:
    return st.lists(WORDS, max_size=max_size)


@st.composite
def gold_edits(draw: st.DrawFn, length: int, *, clean: bool = False) -> tuple[Edit, ...]:
    """Edits of a sentence of this length. Clean ones are sorted, do not overlap and have one place each."""
    spans = st.tuples(st.integers(0, length), st.integers(0, 2)).map(lambda s: (s[0], min(length, s[0] + s[1])))
    corrections = st.lists(sentences(2).map(" ".join), min_size=1, max_size=2).map(tuple)
    edits = [Edit(*span, draw(corrections)) for span in sorted(draw(st.lists(spans, max_size=4)))]
    if not clean:
        return tuple(edits)
    kept: list[Edit] = []
    for edit in edits:
        if (not kept or edit.start >= kept[-1].end) and all((edit.start, edit.end) != (k.start, k.end) for k in kept):
            kept.append(edit)
    return tuple(kept)


@st.composite
def corpora(
    draw: st.DrawFn, *, min_sentences: int = 1, references: int | None = None, max_words: int = 6
) -> tuple[Corpus, System]:
    """A corpus whose references have edits and text, and one system. Sources are never empty, other texts may be."""
    sources, annotated, hypotheses = [], [], []
    for _ in range(draw(st.integers(min_sentences, min_sentences + 3))):
        tokens = draw(st.lists(WORDS, min_size=1, max_size=max_words))
        count = references or draw(st.integers(1, 3))
        sources.append(" ".join(tokens))
        listed = [draw(gold_edits(len(tokens), clean=True)) for _ in range(count)]
        annotated.append([Reference(edits=edits, annotator=str(a)) for a, edits in enumerate(listed)])
        copied = st.sampled_from([sources[-1], *(apply_edits(tokens, edits) for edits in listed)])
        hypotheses.append(draw(st.one_of(copied, sentences().map(" ".join))))
    corpus = Corpus(sources, annotated)
    return corpus, corpus.system("drawn", hypotheses)
