"""What ChERRANT knows of Chinese characters: readings, meanings, likenesses, and their simplified forms.

Readings come from pypinyin, simplified forms from OpenCC (the extra ``[zh]``). Meanings (Cilin) and likenesses (a
confusion set) come from files that nobody may ship, so they are optional: ``resources`` is a folder with ``cilin*.txt``
(GBK or UTF-8) and ``confusion*.txt``, gzipped or not. Without them every meaning counts as unknown.
"""

from __future__ import annotations

import hashlib
import string
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from gecval.corpus.tokenization import PLACEHOLDER
from gecval.errors import InputError, MissingExtraError
from gecval.formats.files import read_bytes, readable

# ChERRANT's punctuation. 。 and 《 are not in it. The test is whether a text is part of this one.
PUNCTUATION = string.punctuation + (
    "！？｡＂＃＄％＆＇（）＊＋，－／：；＜＝＞＠［＼］＾＿｀｛｜｝～｟｠｢｣､、〃》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟〰〾〿–—‘'‛“”„‟…‧﹏"
)
UNKNOWN = 4 / 6  # the cost of meaning where a token is not in Cilin


def character_tokens(text: str) -> list[str]:
    """Every code point but blanks is a token, Latin letters and digits too; the placeholder is one token.

    >>> character_tokens("我 有10个[缺失成分]。")
    ['我', '有', '1', '0', '个', '[缺失成分]', '。']
    """
    first, *others = "".join(text.split()).split(PLACEHOLDER)
    return [*first, *(token for part in others for token in (PLACEHOLDER, *part))]


def simplify(text: str) -> str:
    """The text in simplified characters."""
    convert: str = _converter().convert(text)
    return convert


def versions() -> str:
    """The versions of everything that is installed for Chinese, for signatures."""
    try:
        return f"pypinyin:{version('pypinyin')}|opencc:{version('OpenCC')}"
    except PackageNotFoundError:
        raise _missing() from None


@dataclass(frozen=True)
class Characters:
    """What a substitution of characters costs: meaning + kind + shape."""

    cilin: dict[str, tuple[str, str, str]] = field(default_factory=dict)  # the classes of a word
    confusions: dict[str, frozenset[str]] = field(default_factory=dict)
    hash: str = "none"  # of the files
    _known: dict[tuple[str, str], float] = field(default_factory=dict, init=False, compare=False)

    def substitution(self, a: str, b: str) -> float:
        """The cost of a replaced by b, where they differ.

        >>> round(Characters().substitution("在", "再"), 3), round(Characters().substitution("在", "。"), 3)
        (0.917, 1.417)
        """
        cost = self._known.get((a, b))
        if cost is None:
            cost = self._known[a, b] = self._compare_meanings(a, b) + _kind(a, b) + self._shape(a, b)
        return cost

    def _compare_meanings(self, a: str, b: str) -> float:
        if a not in self.cilin or b not in self.cilin:
            return UNKNOWN
        same = sum(x == y for x, y in zip(self.cilin[a], self.cilin[b], strict=True))
        return 2 * (3 - same) / 6

    def _shape(self, a: str, b: str) -> float:
        """0 for characters that sound or look alike."""
        if not ("\u4e00" <= a <= "\u9fff" and "\u4e00" <= b <= "\u9fff"):
            return 0.5
        alike = b in self.confusions.get(a, ()) or a in self.confusions.get(b, ()) or _readings(a) & _readings(b)
        return 0.0 if alike else 0.5


def _kind(a: str, b: str) -> float:
    return (0.25, 0.499, 0.0)[(a in PUNCTUATION) + (b in PUNCTUATION)]


@lru_cache(maxsize=4)
def load_characters(resources: str = "") -> Characters:
    """What a folder of dictionaries says; nothing without a folder."""
    if not resources:
        return Characters()
    files = [_file(Path(resources), name) for name in ("cilin", "confusion")]
    contents = [read_bytes(file) for file in files]
    cilin: dict[str, tuple[str, str, str]] = {}
    for line in _decode(files[0], contents[0]).splitlines():
        code, *words = line.split() or [""]
        cilin.update(dict.fromkeys(words, (code[:1], code[1:2], code[2:4])))  # the last code of a word counts
    lists = (line.split() for line in _decode(files[1], contents[1]).splitlines() if line.strip())
    confusions = {character: frozenset(alike) for character, *alike in lists}
    return Characters(cilin, confusions, hashlib.sha256(b"".join(contents)).hexdigest()[:8])


def _file(folder: Path, name: str) -> Path:
    with readable(folder):
        listed = sorted(path for path in folder.iterdir() if path.name.startswith(name) and ".txt" in path.suffixes)
    if not listed:
        raise InputError(f"{folder} holds no {name}*.txt, one of ChERRANT's dictionaries", parameter="resources")
    return listed[0]


def _decode(path: Path, content: bytes) -> str:
    for encoding in ("utf-8-sig", "gbk"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise InputError(f"{path} is neither UTF-8 nor GBK")


@cache
def _readings(character: str) -> frozenset[str]:
    """All readings of a character, without tones."""
    pypinyin = _import("pypinyin")
    [readings] = pypinyin.pinyin(character, heteronym=True, style=pypinyin.Style.NORMAL)
    return frozenset(readings)


@lru_cache(maxsize=1)
def _converter() -> Any:
    return _import("opencc").OpenCC("t2s")


def _import(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise _missing() from None


def _missing() -> MissingExtraError:
    return MissingExtraError("errant for Chinese (pypinyin and OpenCC)", "zh")
