"""Arrays and texts as lines of ASCII: deflate, then base64. A browser undoes both without a library.

Whole numbers take as few bytes as they can. Other numbers that repeat are listed once, and referred to by place.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

INTEGERS = ("u1", "i1", "u2", "i2", "u4", "i4")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Packer:
    """Collects parts; each is a line. What stands for a part in JSON says where it is and of what type."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def array(self, values: ArrayLike, *, exact: bool = True) -> dict[str, Any]:
        """Numbers, in their order; the shape is not kept. Those that are only shown need no more than seven digits."""
        flat = np.asarray(values).ravel()
        if not exact:
            return {"part": self._add(flat.astype("<f4").tobytes()), "type": "f4"}
        kind = _integer_type(flat)
        if kind is not None:
            return {"part": self._add(flat.astype(f"<{kind}").tobytes()), "type": kind}
        different, places = np.unique(flat.astype("<f8"), return_inverse=True)
        if 2 * len(different) < len(flat):  # a number takes 8 bytes, its place 4 at most
            return {**self.array(places), "values": self._add(different.tobytes())}
        return {"part": self._add(flat.astype("<f8").tobytes()), "type": "f8"}

    def json(self, value: Any) -> int:
        """Any value that JSON knows."""
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        # UTF-8 has no half of a surrogate pair; JSON can name it.
        return self._add(_SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text).encode())

    def _add(self, data: bytes) -> int:
        self.lines.append(base64.b64encode(zlib.compress(data, 9)).decode("ascii"))
        return len(self.lines) - 1


def _integer_type(values: np.ndarray[Any, Any]) -> str | None:
    """The smallest type that holds the numbers, where all are whole."""
    if not len(values):
        return "u1"
    if values.dtype.kind == "f" and not (values == np.rint(values)).all():
        return None
    low, high = values.min(), values.max()
    return next((kind for kind in INTEGERS if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max), None)
