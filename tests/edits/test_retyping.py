"""Gold whose types are of another scheme: most of them must be."""

import pytest

from gecval import Corpus, Edit, Reference
from gecval.edits.annotate import foreign_types, retype
from gecval.edits.plain import PlainExtractor


def gold(*types: str) -> Corpus:
    """One sentence, each word of which has an edit of these types."""
    edits = tuple(Edit(i, i + 1, ("x",), kind) for i, kind in enumerate(types))
    return Corpus([" ".join("a" * len(types))], [[Reference(edits=edits)]])


@pytest.mark.parametrize(
    ("types", "foreign"),
    [
        (("Nn", "R:NOUN"), []),  # half of them is not most
        (("Nn", "R:NOUN", "Vt"), ["Nn", "Vt"]),
        (("Vt", "Nn", "Nn", "M", "UNK"), ["Nn", "Vt"]),
        (("A", "B", "C", "D", "D"), ["D", "A", "B"]),
        (("M:DET", "U", "R"), []),
        ((), []),
    ],
)
def test_types_of_another_scheme(types: tuple[str, ...], foreign: list[str]) -> None:
    assert foreign_types(gold(*types)) == foreign


def test_gold_is_annotated_anew_only_where_most_types_are_foreign() -> None:
    kept = gold("Nn", "R:NOUN")
    assert retype(kept, PlainExtractor()) is kept
    changed = retype(gold("Nn", "Vt", "R:NOUN"), PlainExtractor())
    assert {edit.type for edit in changed.references[0][0].edits or ()} == {"R"}
