"""A broken copy of a file: bytes, lines, numbers, attributes and JSON values go wrong, a few at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

NUMBERS = [
    b"0",
    b"-1",
    b"1",
    b"1e999",
    b"-1e308",
    b"1e-320",
    b"nan",
    b"inf",
    b"2147483648",
    b"9" * 30,
    b"9" * 5000,
    b"",
]
SNIPPETS = [
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\r", b"\n", b"\n\n", b"\t", b"|||", b'"', b"&",
    b"<", b"]]>", b"\xe2\x80\xa8", b"\xc2\xa0", b"\x1b[31m", b"{", b"[" * 3000, b"A ", b"S ",
    b'<?xml version="1.0" encoding="nosuch"?>', b'<!DOCTYPE a [<!ENTITY b "c">]>', b"&b;",
]  # fmt: skip
VALUES: list[Any] = [
    None, True, False, 0, -1, 0.5, 1e308, 10**400, -(10**30), "", "x", "nan", "1", [], [[]], {}, {"x": 1}, [0, 1],
    "\ud800",
]  # fmt: skip


def mutate(content: bytes, draw: Random, *, lines_of_json: bool = False) -> bytes:
    """The content with up to three things changed."""
    for _ in range(draw.randint(1, 3)):
        if lines_of_json and draw.random() < 0.6:
            content = _json_value(content, draw)
        else:
            content = draw.choice(_MUTATIONS)(content, draw)
    return content


def _span(content: bytes, draw: Random) -> tuple[int, int]:
    start = draw.randint(0, len(content))
    return start, min(len(content), start + draw.choice((1, 1, 2, 8, 64)))


def _flip(content: bytes, draw: Random) -> bytes:
    start, end = _span(content, draw)
    return content[:start] + bytes(draw.randrange(256) for _ in range(end - start)) + content[end:]


def _delete(content: bytes, draw: Random) -> bytes:
    start, end = _span(content, draw)
    return content[:start] + content[end:]


def _repeat(content: bytes, draw: Random) -> bytes:
    start, end = _span(content, draw)
    return content[:start] + content[start:end] * draw.choice((2, 3, 50)) + content[end:]


def _truncate(content: bytes, draw: Random) -> bytes:
    return content[: draw.randint(0, len(content))]


def _insert(content: bytes, draw: Random) -> bytes:
    start = draw.choice((0, draw.randint(0, len(content))))
    return content[:start] + draw.choice(SNIPPETS) + content[start:]


def _lines(content: bytes, draw: Random) -> bytes:
    lines = content.splitlines(keepends=True) or [b""]
    at = draw.randrange(len(lines))
    match draw.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(draw.randint(0, len(lines)), lines[at])
        case 2:
            draw.shuffle(lines)
        case _:
            lines = lines[:1] if draw.random() < 0.5 else lines[at:]
    return b"".join(lines)


def _replace(pattern: re.Pattern[bytes], content: bytes, draw: Random, replacement: bytes) -> bytes:
    places = list(pattern.finditer(content))
    if not places:
        return content
    place = draw.choice(places)
    return content[: place.start()] + replacement + content[place.end() :]


def _number(content: bytes, draw: Random) -> bytes:
    return _replace(re.compile(rb"-?\d+(\.\d+)?(e-?\d+)?"), content, draw, draw.choice(NUMBERS))


def _attribute(content: bytes, draw: Random) -> bytes:
    return _replace(re.compile(rb' \w[\w-]*="[^"]*"'), content, draw, draw.choice((b"", b' x="1"')))


def _word(content: bytes, draw: Random) -> bytes:
    words = re.findall(rb"[^\s|\",<>]+", content) or [b""]
    return _replace(re.compile(rb"[^\s|\",<>]+"), content, draw, draw.choice(words))


_MUTATIONS: list[Callable[[bytes, Random], bytes]] = [
    _flip, _delete, _repeat, _truncate, _insert, _lines, _number, _number, _attribute, _word,
]  # fmt: skip


def _json_value(content: bytes, draw: Random) -> bytes:
    """One line of JSON (or all of it) with a value exchanged, a key taken out or a key renamed."""
    try:
        texts = [content] if content.startswith(b"{\n") else content.splitlines()
        at = draw.randrange(len(texts))
        changed = _exchanged(json.loads(texts[at]), draw)
        texts[at] = json.dumps(changed, ensure_ascii=draw.random() < 0.5).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):
        return _number(content, draw)
    return b"\n".join(texts) + b"\n"


def _exchanged(value: Any, draw: Random) -> Any:
    if not isinstance(value, dict | list) or not value or draw.random() < 0.1:
        return draw.choice(VALUES)
    changed = dict(value) if isinstance(value, dict) else dict(enumerate(value))
    key = draw.choice(list(changed))
    chance = draw.random()
    if chance < 0.15:
        del changed[key]
    elif chance < 0.25:
        changed[str(draw.choice(VALUES)) if isinstance(value, dict) else len(changed)] = changed[key]
    else:
        changed[key] = _exchanged(changed[key], draw)
    return changed if isinstance(value, dict) else list(changed.values())
