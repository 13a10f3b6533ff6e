"""Answers of chat models, as batches write them, are outputs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gecval import Corpus, InputError, load_systems
from gecval.formats.chat_outputs import read_answers

CORPUS = Corpus.from_texts(["He go .", "She go .", "We goes ."], ["He goes .", "She goes .", "We go ."])


def answer(text: str, number: int | str | None = None) -> dict[str, Any]:
    body = {"model": "m", "choices": [{"index": 0, "message": {"role": "assistant", "content": text}}]}
    return body if number is None else {"custom_id": f"line-{number}", "response": {"status_code": 200, "body": body}}


def written(path: Path, items: list[Any]) -> Path:
    path.write_text("".join(json.dumps(item) + "\n" for item in items))
    return path


@pytest.mark.parametrize("first", [0, 1, 17])
def test_a_batch_in_any_order(tmp_path: Path, first: int) -> None:
    path = written(tmp_path / "gpt.jsonl", [answer("c", first + 2), answer("a\n\nb", first), answer("b", first + 1)])
    [system] = load_systems(path, CORPUS)
    assert (system.name, list(system.hypotheses), system.notes) == ("gpt", ["a b", "b", "c"], ())


def test_answers_as_they_are(tmp_path: Path) -> None:
    [system] = load_systems(written(tmp_path / "gpt.jsonl", [answer(text) for text in "abc"]), CORPUS)
    assert (list(system.hypotheses), system.notes) == (["a", "b", "c"], ())


@pytest.mark.parametrize("numbers", [["x", "y", "z"], [1, 1, 2], ["1" * 5000, 2, 3], [5, 70, 900]])
def test_ids_that_do_not_number_the_answers(tmp_path: Path, numbers: list[Any]) -> None:
    items = [answer(text, number) for text, number in zip("abc", numbers, strict=True)]
    [system] = load_systems(written(tmp_path / "gpt.jsonl", items), CORPUS)
    assert list(system.hypotheses) == ["a", "b", "c"]
    if numbers != ["x", "y", "z"]:
        assert "do not number the answers, so they count in the order of the file" in system.notes[0]


@pytest.mark.parametrize(
    ("number", "said"), [(3, "has the custom_id line-3 again"), ("x", "has no number in its custom_id")]
)
def test_one_bad_id_in_another_order_is_refused(tmp_path: Path, number: int | str, said: str) -> None:
    """The order of the file would be wrong for all."""
    items = [answer(f"text {i} .", i) for i in range(20)][::-1]
    items[5] = answer("text 14 .", number)
    path = written(tmp_path / "batch.jsonl", items)
    place = 17 if number == 3 else 6
    with pytest.raises(InputError, match=f"answer {place} {said}, so the order of the answers"):
        read_answers(path, 20)
    in_order = written(tmp_path / "sorted.jsonl", items[::-1])
    assert read_answers(in_order, 20).texts[:2] == ["text 0 .", "text 1 ."]


@pytest.mark.parametrize("form", ["{}-gpt4", "{}-of-3", "{}/run-2026-11-19", "8-{}-draft"])
def test_ids_with_other_numbers_and_words(tmp_path: Path, form: str) -> None:
    items = [answer(text, form.format(number)) for text, number in [("c", 11), ("a", 9), ("b", 10)]]
    [system] = load_systems(written(tmp_path / "gpt.jsonl", items), CORPUS)
    assert (list(system.hypotheses), system.notes) == (["a", "b", "c"], ())


def test_ids_that_are_missing_are_named(tmp_path: Path) -> None:
    path = written(tmp_path / "gpt.jsonl", [answer("c", "007-x"), answer("a", "005-x")])
    with pytest.raises(InputError, match=r"has 2 answers for 3 sentences; no answer has the custom_id line-006-x; ask"):
        load_systems(path, CORPUS)
    path = written(tmp_path / "gpt.jsonl", [answer("a", 0)])
    with pytest.raises(InputError, match=r"no answer has the custom_id line-1, line-2; ask"):
        load_systems(path, CORPUS)
    path = written(tmp_path / "gpt.jsonl", [answer("c", 4), answer("a", 1), answer("b", 2)])
    [system] = load_systems(path, CORPUS)
    assert list(system.hypotheses) == ["a", "b", "c"]
    assert system.notes == (
        f"{path}: no answer has the custom_id line-3; the others count in the order of their numbers",
    )


def test_answers_that_failed(tmp_path: Path) -> None:
    failed = {"custom_id": "line-2", "response": None, "error": {"message": "rate limit"}}
    why = r"line 2 \(line-2\): the model gave an error: rate limit; ask for this sentence again"
    with pytest.raises(InputError, match=why):
        load_systems(written(tmp_path / "gpt.jsonl", [answer("a", 1), failed]), CORPUS)
    with pytest.raises(InputError, match="line 1: there is no text at response"):
        load_systems(written(tmp_path / "gpt.jsonl", [{"choices": []}]), CORPUS)
    with pytest.raises(InputError, match=r"line 1 \(line-2\): .* an answer in its place \(1 more line has no answer\)"):
        load_systems(written(tmp_path / "gpt.jsonl", [failed, failed, answer("c", 3)]), CORPUS)


def test_a_refusal_is_an_output(tmp_path: Path) -> None:
    """Its text is what the model said, in ``content`` or in ``refusal``."""
    items = [refusal("I'm sorry, I can't.", 2), answer("c", 3), answer("a", 1)]
    path = written(tmp_path / "gpt.jsonl", items)
    [system] = load_systems(path, CORPUS)
    assert list(system.hypotheses) == ["a", "I'm sorry, I can't.", "c"]
    assert system.notes == (
        f"{path}: the model refused in 1 of 3 answers: line 1 (line-2); what it said counts as output; "
        f"'gecval doctor GOLD {path} --fix refusals' puts the source in its place",
    )
    assert read_answers(path).refused == (1,)
    many = written(tmp_path / "many.jsonl", [refusal("No .", number) for number in range(5)])
    assert (
        "in 5 of 5 answers: line 1 (line-0), line 2 (line-1), line 3 (line-2) and 2 more;"
        in read_answers(many).notes[0]
    )
    with pytest.raises(InputError, match=r"line 1 \(line-1\): there is no text at response"):
        read_answers(written(tmp_path / "none.jsonl", [refusal(None, 1)]))


def refusal(text: str | None, number: int) -> dict[str, Any]:
    item = answer("", number)
    item["response"]["body"]["choices"][0]["message"] = {"content": None, "refusal": text}
    return item


def test_answers_for_the_first_sentences(tmp_path: Path) -> None:
    corpus = Corpus.from_texts([f"He go {number} ." for number in range(40)])
    path = written(tmp_path / "gpt.jsonl", [answer(f"He goes {number} .", number) for number in range(20)])
    with pytest.raises(InputError) as refused:
        load_systems(path, corpus)
    assert str(refused.value) == (
        f"{path} has answers for the first 20 of 40 sentences; no answer has the custom_id line-20, line-21, line-22 "
        "and 17 more; ask for these, or score the first 20 alone (in Python: corpus[:20])"
    )


def test_answers_that_were_cut_off(tmp_path: Path) -> None:
    cut = [answer("a", 1), answer("b", 2), answer("c", 3)]
    for item in cut[1:]:
        item["response"]["body"]["choices"][0]["finish_reason"] = "length"
    path = written(tmp_path / "gpt.jsonl", cut)
    [system] = load_systems(path, CORPUS)
    assert system.notes == (f"{path}: the model was stopped at its limit of tokens in 2 of 3 answers, first in line 2",)


def test_on_the_command_line(folder: Path, gecval: Any) -> None:
    texts = ["He goes home .", "She likes apples .", "Fine .", "I have two cats ."]
    written(Path("gpt.jsonl"), [answer(text, number) for number, text in enumerate(texts)])
    status, out, _ = gecval("score gpt.jsonl -s src.txt -r ref0.txt -m accuracy --format tsv")
    assert (status, out.splitlines()[1].split("\t")[:3]) == (0, ["gpt", "accuracy", "1.0"])
