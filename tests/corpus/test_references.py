"""References as arrays: sentences that share a list of references share its edits, and nobody sees a difference."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Edit, score
from gecval.corpus.references import MadeOnDemand, Reference, ReferenceTable

EDITS = st.lists(st.sampled_from([Edit(0, 1, ("x",), "R"), Edit(1, 1, ("y", "z"), "M"), Edit(1, 2, ("",), "U")]))
REFERENCES = st.lists(
    st.builds(Reference, st.none(), EDITS.map(tuple), st.sampled_from(["0", "1", "Anna"])), min_size=1, max_size=3
)


@given(st.lists(REFERENCES, min_size=1, max_size=4), st.data())
def test_shared_lists_are_as_lists_of_their_own(lists: list[list[Reference]], data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.integers(0, len(lists) - 1), min_size=1, max_size=8))
    shared = ReferenceTable.of([lists[k] for k in chosen])
    own = ReferenceTable.of([list(lists[k]) for k in chosen])
    assert [shared.make(i) for i in range(len(chosen))] == [list(lists[k]) for k in chosen]
    assert [own.make(i) for i in range(len(chosen))] == [list(lists[k]) for k in chosen]
    assert len(shared.edits) == sum(len(reference.edits or ()) for k in set(chosen) for reference in lists[k])
    assert (shared.names, shared.types, shared.corrections) == (own.names, own.types, own.corrections)


def test_scores_of_shared_references() -> None:
    lists = [
        [
            Reference(None, (Edit(0, 1, ("x",), "R"),)),
            Reference(None, (Edit(1, 1, ("y",), "M"), Edit(1, 2, ("",), "U"))),
        ],
        [Reference(None, ())],
    ]
    sources, outputs = ["a b"] * 4, ["x b", "a y", "a b", "x"]
    chosen = [0, 0, 1, 0]
    shared = Corpus(sources, [lists[k] for k in chosen])
    own = Corpus(sources, [list(lists[k]) for k in chosen])
    for name in ("m2", "imeasure", "gleu(n=1)"):
        [of_shared], [of_own] = (score(corpus, {"s": outputs}, [name]) for corpus in (shared, own))
        assert of_shared.score == of_own.score
        assert of_shared.score > 0


class Repeated(MadeOnDemand[list[Reference]]):
    def __len__(self) -> int:
        return 3

    def make(self, i: int) -> list[Reference]:
        return [Reference(None, (Edit(0, 1, ("x",), "R"),)), Reference(None, (Edit(1, 2, ("y" * i,), "R"),))]


def test_lists_that_are_made_on_demand() -> None:
    """Whoever asks again gets another list with the same references."""
    assert [ReferenceTable.of(Repeated()).make(i) for i in range(3)] == list(Repeated())
    for name, expected in (("m2", 1.0), ("imeasure", 1.0)):
        [scored] = score(Corpus(["a b"] * 3, Repeated()), {"s": ["x b"] * 3}, [name])
        assert scored.score == expected


def test_tables_are_equal_where_all_their_references_are() -> None:
    one, other = [Reference(edits=(Edit(0, 1, ("x",)),))], [Reference(edits=())]
    table = ReferenceTable.of([one, other])
    assert table == [one, other]
    assert table != [one, one]
    assert table != [one]
    assert table != {0: one, 1: other}
