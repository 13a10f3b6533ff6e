"""A .gguf file is read once: its numbers lie in the cache afterwards, and what they say is the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gecval.errors import InputError
from gecval.models import language_model
from gecval.models.cache import cache_folder
from gecval.models.language_model import LanguageModel
from gecval.models.model_files import (
    ModelFiles,
    find_converted,
    is_checked,
    list_converted_folders,
    mark_checked,
    remove_converted,
    store_converted,
)
from tiny_models import NEEDS

pytestmark = pytest.mark.usefixtures("empty_cache")
FILES = ModelFiles("somewhere", "some.gguf", "some:1")


def store() -> object:
    transformers = pytest.importorskip("transformers", reason=NEEDS)
    tokenizers = pytest.importorskip("tokenizers", reason=NEEDS)
    sizes = {"vocab_size": 5, "n_positions": 8, "n_embd": 4, "n_layer": 1, "n_head": 2}
    network = transformers.GPT2LMHeadModel(transformers.GPT2Config(**sizes, bos_token_id=0, eos_token_id=0))
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel({"a": 0, "b": 1}, "a"))
    store_converted(FILES, network, transformers.PreTrainedTokenizerFast(tokenizer_object=words))
    return network


def test_what_was_stored_is_loaded_again() -> None:
    assert find_converted(FILES) is None
    network = store()
    folder = find_converted(FILES)
    assert folder is not None
    transformers = pytest.importorskip("transformers", reason=NEEDS)
    again = transformers.AutoModelForCausalLM.from_pretrained(folder).state_dict()
    for name, numbers in network.state_dict().items():  # type: ignore[attr-defined, unused-ignore]
        assert again[name].equal(numbers), name
    assert find_converted(FILES._replace(signature="some:2")) is None
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]  # nothing half-written is left
    assert list(list_converted_folders(cache_folder())) == [folder]
    remove_converted(cache_folder())
    assert find_converted(FILES) is None


def test_a_check_is_remembered_for_its_own_ways() -> None:
    mark_checked(FILES, "torch 1")  # nothing is stored: nothing happens
    assert not is_checked(FILES, "torch 1")
    store()
    mark_checked(FILES, "torch 1")
    assert is_checked(FILES, "torch 1")
    assert not is_checked(FILES, "torch 2")


def test_a_cache_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setenv("GECVAL_CACHE", "/dev/null/none")
    store()
    assert "it is read again each time" in caplog.text
    assert find_converted(FILES) is None


ALONE = """
import sys
from gecval.models.language_model import LanguageModel
[answer] = LanguageModel().log_probabilities(["He go home."])
print(answer.total, answer.tokens, "transformers" in sys.modules)
"""


def test_the_default_model_says_the_same_when_it_is_loaded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """And its file is not read again, nor is transformers imported."""
    for module in ("torch", "transformers", "gguf", "accelerate"):
        pytest.importorskip(module, reason=NEEDS)
    try:
        files = LanguageModel().files
    except InputError as error:
        pytest.skip(str(error))
    language_model._load.cache_clear()
    [first] = LanguageModel().log_probabilities(["He go home."])
    folder = find_converted(files)
    assert folder is not None
    for known in Path(cache_folder()).glob("*.sqlite*"):
        known.unlink()
    language_model._load.cache_clear()
    monkeypatch.setattr(language_model, "store_converted", lambda *_: pytest.fail("read again"))
    [again] = LanguageModel().log_probabilities(["He go home."])
    assert again.tokens == first.tokens
    assert again.total == pytest.approx(first.total, abs=1e-4 * first.tokens)
    language_model._load.cache_clear()
    for known in Path(cache_folder()).glob("*.sqlite*"):
        known.unlink()
    alone = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=True).stdout.split()
    assert (int(alone[1]), alone[2]) == (first.tokens, "False")
    assert float(alone[0]) == pytest.approx(first.total, abs=1e-4 * first.tokens)
    (folder / "text.txt").write_text("He went home.\n")
    [weights] = folder.glob("*.safetensors")
    weights.write_bytes(weights.read_bytes()[:100_000])
    damaged = subprocess.run(
        [sys.executable, "-m", "gecval", "score", "-m", "perplexity", "text.txt", "-s", "text.txt"],
        capture_output=True,
        text=True,
        cwd=folder,
    )
    assert damaged.returncode == 2
    assert damaged.stderr.splitlines()[-1].endswith("gecval files cache --clear removes it")
