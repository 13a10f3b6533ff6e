"""How language models run: who decides on device and batch size, and devices that are not there."""

import threading
from types import SimpleNamespace

import pytest

from gecval.errors import InputError, MissingExtraError
from gecval.metrics.lfm.features import features
from gecval.models import device as module
from gecval.models.device import resolve_device, resolve_devices, use_device
from gecval.models.language_model import LanguageModel
from gecval.models.model_files import MOST_WORDS, check_text_lengths


def no_such_device(size: int, device: str) -> None:
    if device != "cpu":
        raise AssertionError("Torch not compiled with CUDA enabled\nat all")


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A PyTorch that sees no GPU until told otherwise."""
    made = SimpleNamespace(cuda=SimpleNamespace(is_available=lambda: False), empty=no_such_device)
    monkeypatch.setattr(module, "import_module", {"torch": made}.__getitem__)
    return made


def test_auto_is_the_gpu_where_there_is_one(torch: SimpleNamespace) -> None:
    assert resolve_device() == ("cpu", 16)
    torch.cuda.is_available = lambda: True
    assert resolve_device() == ("cuda", 64)
    assert resolve_device("cpu") == ("cpu", 16)


def test_a_metrics_own_parameters_come_before_what_was_chosen_for_all(torch: SimpleNamespace) -> None:
    torch.cuda.is_available = lambda: True
    with use_device("cpu", batch_size=8):
        assert resolve_device() == ("cpu", 8)
        assert resolve_device(batch_size=3) == ("cpu", 3)
        torch.empty = lambda size, device: None
        assert resolve_device("cuda:1") == ("cuda:1", 8)
    assert resolve_device() == ("cuda", 64)


def test_a_choice_ends_with_an_error_too(torch: SimpleNamespace) -> None:
    with pytest.raises(ValueError, match="wrong"), use_device("cpu", batch_size=8):
        raise ValueError("wrong")
    assert resolve_device() == ("cpu", 16)


def test_a_device_that_is_not_there(torch: SimpleNamespace) -> None:
    with pytest.raises(
        InputError, match=r"^no device 'cuda' for language models, choose cpu or auto: Torch not .* enabled$"
    ):
        resolve_device("cuda")


def test_no_torch_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(module, "import_module", absent)
    with pytest.raises(MissingExtraError, match=r"pip install 'gecval\[lm\]'"):
        resolve_device()


def test_a_choice_in_one_thread_leaves_others_alone(torch: SimpleNamespace) -> None:
    seen = []
    with use_device("cpu", batch_size=8):
        thread = threading.Thread(target=lambda: seen.append(resolve_device()))
        thread.start()
        thread.join()
        assert resolve_device() == ("cpu", 8)
    assert seen == [("cpu", 16)]


def test_several_devices(torch: SimpleNamespace) -> None:
    """A model that cannot use several takes the first; the batch size is that of the smallest."""
    torch.empty = lambda size, device: None
    with use_device("cuda:0,cuda:1"):
        assert resolve_devices() == (["cuda:0", "cuda:1"], 64)
        assert resolve_device() == ("cuda:0", 64)
    assert resolve_devices("cuda,cpu", 3) == (["cuda", "cpu"], 3)
    assert resolve_devices("cuda,cpu") == (["cuda", "cpu"], 16)
    torch.empty = no_such_device
    with pytest.raises(InputError, match=r"^no device 'cuda:7' for language models"):
        resolve_devices("cpu,cuda:7")


@pytest.mark.parametrize(
    "devices", ["", "cuda:0,", ",cpu", "cuda:0, cuda:1", "cpu cpu", "cuda:0;cuda:1", "gpu,cpu", "meta", "cpu,meta:0"]
)
def test_lists_of_devices_that_are_none(devices: str) -> None:
    """PyTorch's device meta is there, but computes nothing."""
    refused = rf"^no device '{devices}' for .* are known; several are written cuda:0,cuda:1$"
    with pytest.raises(InputError, match=refused) as chosen, use_device(devices):
        pass
    assert chosen.value.parameters == ("device",)
    with pytest.raises(InputError, match=refused) as own:
        resolve_devices(devices)
    assert own.value.parameters == ()  # it is a metric's own, which no option sets


# A line as long as a book is refused before a slow model is asked.


LONG = "word " * (MOST_WORDS + 1)
MESSAGE = r"^a line of 3,001 words is too long for .*, which reads 3,000 at most; split it into sentences: 'word word"


def test_long_texts_are_refused_and_long_words_are_not() -> None:
    check_text_lengths("a judge", ["a " * MOST_WORDS, "a" * 100_000])
    with pytest.raises(InputError, match=MESSAGE):
        check_text_lengths("a judge", ["short", LONG])


def test_before_any_model_is_loaded() -> None:
    with pytest.raises(InputError, match=MESSAGE):
        LanguageModel("no-such-model").log_probabilities([LONG])
    with pytest.raises(InputError, match=MESSAGE):
        features(["spelling"], [LONG])
