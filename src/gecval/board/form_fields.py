"""What people write into forms: names, texts, choices, files. It must be plain text for pages, paths and terminals."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from gecval.errors import InputError

MAX_NAME = 80  # letters


def clean_name(text: str, what: str, *, parameter: str | tuple[str, ...] = ()) -> str:
    """The name in Unicode's composed form, without blanks at both ends.

    >>> clean_name(" AMU  v2 ", "the system")
    'AMU v2'
    """
    if len(text) > 10 * MAX_NAME:  # before anything looks at every letter
        raise InputError(f"{what}: a name has at most {MAX_NAME} letters", parameter=parameter)
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name:
        raise InputError(f"{what} needs a name", parameter=parameter)
    if len(name) > MAX_NAME:
        raise InputError(f"{what}: a name has at most {MAX_NAME} letters, this one {len(name)}", parameter=parameter)
    if any(unicodedata.category(letter)[0] == "C" for letter in name):
        raise InputError(f"{what}: a name has no control characters", parameter=parameter)
    return name


def clean_text(text: str, what: str, *, max_letters: int = 4000, parameter: str | tuple[str, ...] = ()) -> str:
    """Free text of a form: at most so long, and no control characters but line ends and tabs."""
    if len(text) > max_letters:
        raise InputError(f"{what} has {len(text)} letters; at most {max_letters} are allowed", parameter=parameter)
    clean = text.replace("\r\n", "\n").strip()
    if any(unicodedata.category(letter) in ("Cc", "Cs") and letter not in "\n\t" for letter in clean):
        raise InputError(f"{what} holds control characters", parameter=parameter)
    return clean


def slug(name: str) -> str:
    """The part of an address that stands for a name.

    >>> slug("CoNLL-2014: the test set"), slug("Ünï"), slug("学")
    ('conll-2014-the-test-set', 'uni', 'benchmark')
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].strip("-") or "benchmark"


def file_name(name: str, default: str) -> str:
    """A name under which a file can be saved anywhere: no folders, no special signs.

    >>> file_name("../../etc/passwd", "source.txt"), file_name("gold v2.m2", "x"), file_name("..", "source.txt")
    ('passwd', 'gold_v2.m2', 'source.txt')
    """
    last = re.split(r"[/\\]", name[-400:])[-1]
    return re.sub(r"[^A-Za-z0-9._-]+", "_", last).lstrip(".-")[-80:] or default


GZIP, ZIP = b"\x1f\x8b", b"PK"


def check_text_file(content: bytes, name: str, *, max_bytes: int) -> None:
    """Refuse what is no UTF-8 text, is packed, or is too large. Nothing packed is ever unpacked: it may be a bomb."""
    if len(content) > max_bytes:
        raise InputError(f"{name} has more than {max_bytes} bytes; no file may be larger")
    if content.startswith((GZIP, ZIP)):
        raise InputError(f"{name} is compressed; unpack it first")
    if not content.strip():
        raise InputError(f"{name} is empty")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError(f"{name}: line {line} is not UTF-8; convert the file, e.g. with iconv") from None
    if "\0" in text:
        raise InputError(f"{name} is no text: it holds NUL bytes")


def parse_count(text: str, what: str) -> int:
    """A whole number that somebody wrote, of up to seven digits.

    >>> parse_count(" 12 ", "a limit")
    12
    """
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) < 8):
        raise InputError(f"{what} is a number")
    return int(digits)


def check_choice(value: str, choices: Sequence[str], what: str) -> str:
    if value not in choices:
        raise InputError(f"{what} is {', '.join(choices)}; not {value[:20]!r}", parameter=what)
    return value
