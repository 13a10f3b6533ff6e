"""--device and --batch-size as typed: they reach every language model, and change neither names nor scores."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gecval.models import device as module
from gecval.models.device import resolve_device
from gecval.models.language_model import LanguageModel, LogProbability
from gecval.runtime.run import SERIAL, Run
from gecval.studies.reproduce.result import Reproduction

Gecval = Callable[..., Any]
SCORE = "score good.txt -s src.txt --format json"

pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, int]]:
    """The devices and batch sizes with which models run; every text is as likely as it is short."""
    devices = set()

    def log_probabilities(self: LanguageModel, texts: Sequence[str], *, run: Run = SERIAL) -> list[LogProbability]:
        devices.add(resolve_device(self.device, self.batch_size))
        return [LogProbability(-float(len(text)), 1) for text in texts]

    monkeypatch.setattr(LanguageModel, "log_probabilities", log_probabilities)
    monkeypatch.setattr(LanguageModel, "signature", "tiny:1")
    monkeypatch.setattr(module, "_present", lambda device: "cpu" if device == "auto" else device)
    return devices


def test_they_change_neither_name_nor_score_nor_signature(gecval: Gecval, asked: set[tuple[str, int]]) -> None:
    plain = json.loads(gecval(f"{SCORE} -m perplexity").out)
    assert asked == {("cpu", 16)}
    asked.clear()
    assert json.loads(gecval(f"{SCORE} -m perplexity --device cuda:1 --batch-size 7").out) == plain
    assert asked == {("cuda:1", 7)}
    asked.clear()
    assert json.loads(gecval(f"{SCORE} -m perplexity --device cuda").out) == plain
    assert asked == {("cuda", 64)}
    assert plain["scores"][0]["metric"] == "perplexity"


def test_a_metrics_own_parameters_come_first(gecval: Gecval, asked: set[tuple[str, int]]) -> None:
    metrics = """-m 'scribendi(device="cpu")' -m 'interpolated(levenshtein, scribendi(batch_size=3), 0.5)'"""
    assert gecval(f"{SCORE} {metrics} --device cuda --batch-size 7").status == 0
    assert asked == {("cpu", 7), ("cuda", 3)}


@pytest.mark.parametrize(
    "command",
    [
        "compare copy.txt good.txt -s src.txt -m scribendi",
        "maege gold.m2 -r ref0.txt -m scribendi --models 0,1,2",
        "human judgments.csv -s src.txt --systems good.txt --systems copy.txt --systems wild.txt -m scribendi",
        "coverage good.txt -s src.txt -r ref0.txt -r ref1.txt -m scribendi",
        "coverage undercorrection good.txt copy.txt -s src.txt -r ref0.txt --rerank scribendi",
        "score pairs.jsonl -m perplexity -o scored.jsonl",
    ],
)
def test_every_verb_that_takes_metrics_has_them(command: str, gecval: Gecval, asked: set[tuple[str, int]]) -> None:
    rows = [f"{i},anna,{name},{rank}\n" for i in range(1, 5) for rank, name in enumerate(("good", "copy", "wild"), 1)]
    Path("judgments.csv").write_text("".join(["sentence,judge,system,rank\n", *rows]))
    Path("pairs.jsonl").write_text('{"source": "He go .", "hypothesis": "He goes ."}\n')
    status, _, err = gecval(f"{command} --device cuda --batch-size 7")
    assert (status, asked) == (0, {("cuda", 7)}), err


def test_reproduce_has_them(gecval: Gecval, asked: set[tuple[str, int]], monkeypatch: pytest.MonkeyPatch) -> None:
    def reproduce(paper: str, **options: object) -> Reproduction:
        LanguageModel().log_probabilities(["a"])
        return Reproduction(paper=paper, about="", tables=())

    monkeypatch.setattr("gecval.studies.reproduce.command.reproduce", reproduce)
    assert gecval("reproduce scribendi --device cuda --batch-size 7").status == 0
    assert asked == {("cuda", 7)}


def test_a_device_that_is_not_there_is_told_before_the_model_is_loaded(refused: Callable[..., str]) -> None:
    for library in ("torch", "transformers"):
        pytest.importorskip(library, reason="needs the extra: pip install 'gecval[lm]'")
    Path("model").mkdir()
    message = refused("""score copy.txt -s src.txt -m 'perplexity(model="model")' --device gpu""")
    assert message.startswith("no device 'gpu' for language models, choose cpu or auto: ")


def test_a_batch_of_none(refused: Callable[..., str]) -> None:
    message = refused("score copy.txt -s src.txt -m perplexity --batch-size 0")
    assert message.startswith("Invalid value for '--batch-size': 0 is not in the range 1<=x<=100000.")
