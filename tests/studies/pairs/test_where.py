"""Conditions: what they mean, against Python's own evaluation; and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import InputError
from gecval.studies.pairs.conditions import MOST, ColumnRows, Condition

VALUES = {
    "gleu": [0.5, 0.4, None, float("nan"), 1, 0.41],
    "errant.fp": [2, 0, 1, 1, 3, 3],
    "max-sari": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
    "gleu(n=3)": [1.0, 0.0, 1.0, 0.0, 1.0, 0.0],
    "and": [1, 1, 0, 0, 0, 0],
    "lang": ["en", "de", "en", None, "it's", "en"],
    "nothing": [None] * 6,
    "lists": [[1]] * 6,
    "mixed": [1, "a", 1, 1, 1, 1],
}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("gleu > 0.4", [0, 4, 5]),
        ("gleu >= 0.4", [0, 1, 4, 5]),
        ("gleu < .5", [1, 5]),
        ("gleu <= 5e-1", [0, 1, 5]),
        ("gleu == 1", [4]),
        ("gleu != 1", [0, 1, 5]),
        ("not gleu > 0.4", [1]),
        ("not not gleu > 0.4", [0, 4, 5]),
        ("gleu > 0.4 and errant.fp < 3", [0]),
        ("gleu > 0.4 or errant.fp < 3", [0, 1, 2, 3, 4, 5]),
        ("gleu > 0.4 or errant.fp < 1 and max-sari > 0.2", [0, 4, 5]),
        ("(gleu > 0.4 or errant.fp < 1) and max-sari > 0.2", [4, 5]),
        ("not (gleu > 0.4 and errant.fp < 3)", [1, 4, 5]),  # where gleu is missing, neither is true
        ("not (gleu > 0.4 or errant.fp < 1)", []),
        ("`gleu(n=3)` > 0 and 0.2 < max-sari", [2, 4]),
        ("`and` == 1", [0, 1]),
        ('lang == "en"', [0, 2, 5]),
        ("lang != 'en'", [1, 4]),
        ('lang == "it\'s"', [4]),
        ("lang < 'e'", [1]),
        ("gleu > max-sari", [0, 1, 4]),
        ("gleu > -3", [0, 1, 4, 5]),
        ("nothing > 3", []),
        ("not nothing > 3", []),
        ("nothing == 'a' or gleu == 1", [4]),
    ],
)
def test_what_is_kept(text: str, kept: list[int]) -> None:
    condition = Condition.of(text)
    made = condition(ColumnRows({name: VALUES[name] for name in condition.names}))
    assert [i for i, keeps in enumerate(made) if keeps] == kept


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "expected a column, a number or a text, not the end"),
        ("gleu", "expected one of < <= > >= == !=, not the end"),
        ("gleu >", "expected a column, a number or a text, not the end"),
        ("gleu > > 1", "expected a column, a number or a text, not >"),
        ("gleu = 1", "'= 1' is not understood"),
        ("gleu > 1 max-sari", "expected and, or, or the end, not max-sari"),
        ("(gleu > 1", "expected a closing bracket, not the end"),
        ("gleu > 1)", "expected and, or, or the end, not )"),
        ("and > 1", "expected a column, a number or a text, not and"),
        ("gleu > 0.4and lang", "'0.4and lang' is not understood"),
        ("gleu > 1; import os", "'; import os' is not understood"),
        ("gleu.__class__() == 1", "expected one of < <= > >= == !=, not ("),
        ("lang == en'", 'is not understood'),
        ("1 > 2", "1 > 2 names no column"),
        ("lang > 3", "a text is compared with a number by >: put texts, and only texts, in quotation marks"),
        ("lang == 3", "a text is compared with a number by =="),
        ("gleu != 'a'", "a text is compared with a number by !="),
        ("lists == 1", "the column 'lists' holds neither numbers nor texts"),
        ("mixed == 1", "the column 'mixed' holds neither numbers nor texts"),
        ("(" * MOST, f"more than {MOST} words"),
        ("not " * (MOST - 5) + "gleu > 1 and", "expected a column"),
    ],
)  # fmt: skip
def test_what_is_refused(text: str, why: str) -> None:
    with pytest.raises(InputError) as refusal:
        Condition.of(text)(ColumnRows({name: VALUES.get(name, VALUES["gleu"]) for name in Condition.of(text).names}))
    assert why in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert refusal.value.parameters == ("where",)


NUMBERS = st.integers(0, 3)
COMPARISON = st.tuples(st.sampled_from("ab"), st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), NUMBERS).map(
    lambda words: " ".join(map(str, words))
)
CONDITIONS = st.recursive(
    COMPARISON,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda words: f"({' '.join(words)})"),
        inner.map(lambda text: f"not {text}" if text[0] == "(" else f"not ({text})"),
    ),
    max_leaves=8,
)


@given(CONDITIONS, st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=5))
def test_oracle_conditions_mean_what_they_mean_in_python(text: str, rows: list[tuple[int, int]]) -> None:
    values = {"a": [a for a, _ in rows], "b": [b for _, b in rows]}
    kept = Condition.of(text)(ColumnRows({name: values[name] for name in Condition.of(text).names}))
    assert kept.tolist() == [eval(text, {"a": a, "b": b}) for a, b in rows]


CELLS = {
    "gleu": ["0.5", "", "10", "9", "nan", "1e-1"],
    "errant": ["0.5", "1", "9", "10", "0", "0.10"],
    "lang": ["en", "", "10", "9", "de", "en"],
}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("gleu > 0.4", [0, 2, 3]),
        ("not gleu > 0.4", [5]),  # an empty cell and one without a number are missing
        ("9.5 < gleu", [2]),
        ("gleu == 9", [3]),
        ("gleu > errant", [2]),  # as texts, "9" were more than "10"
        ("gleu >= errant", [0, 2, 5]),
        ("gleu == errant", [0]),  # as texts: 1e-1 is not 0.10
        ("gleu > `computed`", [2, 3]),
        ("`computed` >= errant", [0, 4, 5]),
        ("lang == 'en'", [0, 5]),
        ("lang == ''", [1]),
        ("lang < 'd'", [1, 2, 3]),
        ("gleu == lang", [1, 2, 3]),
    ],
)
def test_columns_without_a_type(text: str, kept: list[int]) -> None:
    """A column that was computed beside them has one."""
    condition, values = Condition.of(text), {**CELLS, "computed": [0.5] * 6}
    made = condition(ColumnRows({name: values[name] for name in condition.names}, untyped=tuple(CELLS)))
    assert [i for i, keeps in enumerate(made) if keeps] == kept


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("lang > 0", "put a text that it is compared with in quotation marks"),
        ("lang == 0", "put a text that it is compared with in quotation marks"),
        ("0 < lang", "put a text that it is compared with in quotation marks"),
        ("lang >= gleu", "columns of TSV are compared as numbers by >=; texts have their order in .jsonl and .parquet"),
        ("lang == `computed`", "it is compared with the numbers of the column 'computed'"),
        ("`computed` < lang", "it is compared with the numbers of the column 'computed'"),
        ("gleu < lang", "columns of TSV are compared as numbers by <; texts have their order in .jsonl and .parquet"),
    ],
)
def test_a_cell_that_is_no_number(text: str, advice: str) -> None:
    condition, values = Condition.of(text), {**CELLS, "computed": [0.5] * 6}
    with pytest.raises(InputError) as refusal:
        condition(ColumnRows({name: values[name] for name in condition.names}, untyped=tuple(CELLS), first=100))
    assert str(refusal.value) == f"row 101: 'en' in the column 'lang' is no number; {advice}"
    assert refusal.value.parameters == ("where",)


def test_a_number_with_underscores_is_a_text() -> None:
    with pytest.raises(InputError, match=r"^row 1: '1_0' in the column 'id' is no number"):
        Condition.of("id > 3")(ColumnRows({"id": ["1_0"]}, untyped=("id",)))


@pytest.mark.parametrize("untyped", [(), ("id",)])
@pytest.mark.parametrize(("text", "kept"), [("id == 12345678901234567", [1]), ("id > 12345678901234567", [2])])
def test_long_numbers_are_told_apart(text: str, kept: list[int], untyped: tuple[str, ...]) -> None:
    """As a float, 12345678901234567 would be 12345678901234568."""
    numbers = [12345678901234566, 12345678901234567, 12345678901234568]
    made = Condition.of(text)(ColumnRows({"id": [*map(str, numbers)] if untyped else numbers}, untyped=untyped))
    assert [i for i, keeps in enumerate(made) if keeps] == kept
