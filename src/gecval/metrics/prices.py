"""What an edit of each type is worth, for metrics that count edits: ``{"R:SPELL": 2, "PUNCT": 0.5, "U": 0.5}``.

A key is a full type (``R:NOUN:NUM``), a category (``NOUN:NUM``) or an operation (``R``). The most exact key counts. An
edit that no key fits is worth 1. Prices come as a dict, or as the name of a JSON file that holds one.
"""

from __future__ import annotations

import json
from pathlib import Path

from gecval.errors import InputError
from gecval.formats.files import read_bytes
from gecval.metrics.parameters import MILLION

OPERATIONS = ("M", "R", "U")


class Prices(dict[str, float]):
    """A dict that is a value, as metrics are: it does not change."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def of(self, kind: str) -> float:
        """What an edit of this type is worth.

        >>> prices = Prices({"R": 2, "NOUN": 3, "R:NOUN:NUM": 4})
        >>> [prices.of(kind) for kind in ("R:NOUN:NUM", "R:NOUN", "R:VERB", "M:VERB")]
        [4, 3, 2, 1.0]
        """
        operation, _, category = kind.partition(":")
        fitting = (key for key in (kind, category, operation) if key in self)
        return self.get(next(fitting, kind), 1.0)

    def spelled(self) -> str:
        """For signatures: the same for equal prices, wherever they were written."""
        return ",".join(f"{kind}={float(price)!r}".removesuffix(".0") for kind, price in sorted(self.items()))

    def unused(self, kinds: set[str]) -> list[str]:
        """The keys that fit none of these types. They may be misprints."""
        parts = kinds | {kind.partition(":")[0] for kind in kinds} | {kind.partition(":")[2] for kind in kinds}
        return [key for key in self if key not in parts]


def checked_prices(where: str, value: object) -> Prices:
    """Prices, refused where they are not numbers by type."""
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise InputError(f'{where} must be prices such as {{"R:SPELL": 2}}, or a JSON file with them, not {value!r}')
    for kind, price in value.items():
        if isinstance(price, bool) or not isinstance(price, int | float) or not 0 <= price <= MILLION:
            raise InputError(f"{where}: the price of {kind} must be a number from 0 to a million, not {price!r}")
    return Prices(value)


def read_prices(path: Path) -> Prices:
    """The prices in a JSON file."""
    content = read_bytes(path)
    try:
        value = json.loads(content)
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{path}: line {error.lineno} is no JSON ({error.msg})") from None
    except (ValueError, RecursionError):  # a number of over 4,300 digits, a hundred thousand brackets
        raise InputError(f"{path} is no JSON with prices: a number is too long, or brackets are too deep") from None
    return checked_prices(str(path), value)
