"""What edits are worth: which prices are refused, and which keys no edit fits."""

from __future__ import annotations

from pathlib import Path

import pytest

from gecval import InputError
from gecval.metrics.error_types import TypeWeights


@pytest.mark.parametrize("value", [["R"], "R", None, 3, {1: 2.0}, {"R": 1.0, 2: 1.0}])
def test_what_are_no_prices(value: object) -> None:
    with pytest.raises(InputError) as error:
        TypeWeights.check("errant: weights", value)
    assert str(error.value) == (
        f'errant: weights must be prices such as {{"R:SPELL": 2}}, or a JSON file with them, not {value!r}'
    )


@pytest.mark.parametrize("price", [-0.1, 1_000_001, True, "2", None, float("nan"), float("inf")])
def test_a_price_is_a_number_up_to_a_million(price: object) -> None:
    with pytest.raises(InputError) as error:
        TypeWeights.check("weights", {"M": 1, "R": price})
    assert str(error.value) == f"weights: the price of R must be a number from 0 to a million, not {price!r}"
    assert TypeWeights.check("weights", {"M": 0, "R": 1_000_000}) == {"M": 0, "R": 1_000_000}


def test_keys_that_fit_no_type() -> None:
    """A key is a whole type, its operation or its category."""
    prices = TypeWeights({"R:NOUN:NUM": 1, "R": 2, "NOUN:NUM": 3, "NOUN": 4, "M": 5, "R:NOUN": 6})
    assert prices.unused({"R:NOUN:NUM"}) == ["NOUN", "M", "R:NOUN"]
    assert prices.unused({"R:NOUN:NUM", "M:DET", "U:NOUN"}) == ["R:NOUN"]


def test_equal_prices_are_spelled_alike() -> None:
    for weights in ({"R": 2, "M:DET": 0.5}, {"M:DET": 0.5, "R": 2.0}):
        assert TypeWeights(weights).spelling() == "M:DET=0.5,R=2"
    assert TypeWeights().spelling() == ""


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"R": 1,\n}', "line 2 is no JSON"),
        (b"\xff", "is not UTF-8"),
        (b"[" * 100_000, "is no JSON with prices: "),
        (b'{"R": 1' + b"0" * 5000 + b"}", "is no JSON with prices: "),
        (b'{"R": -1}', "the price of R must be a number from 0 to a million, not -1"),
    ],
    ids=range(5),
)
def test_files_without_prices(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "prices.json").write_bytes(content)
    with pytest.raises(InputError, match=reason):
        TypeWeights.read(tmp_path / "prices.json")
