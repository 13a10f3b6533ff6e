"""Scores that were made elsewhere get what every metric gets, and files that do not fit are refused by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from gecval import Corpus, InputError, Resampling, System, compare, metric, score
from gecval.metrics.from_file import FromFile

CORPUS = Corpus.from_texts([f"sentence {i}" for i in range(30)])
SCORES = {"good": [0.5 + i / 100 for i in range(30)], "bad": [0.1 + i / 100 for i in range(30)]}
SYSTEMS = {name: [f"{name} {i}" for i in range(30)] for name in SCORES}


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    for name, values in SCORES.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{value!r}\n" for value in values))
    return tmp_path


@pytest.mark.parametrize("form", ["{system}.txt", ""])
def test_scores_are_their_mean(scores: Path, form: str) -> None:
    metric = FromFile(str(scores / form) if form else str(scores))
    results = score(CORPUS, SYSTEMS, [metric], confidence=Resampling(100), sentences=True)
    for result in results:
        expected = SCORES[result.system]
        assert result.score == pytest.approx(sum(expected) / 30)
        assert result.sentences is not None
        assert list(result.sentences) == pytest.approx(expected)
        assert result.interval is not None
        assert result.interval[0] < result.score < result.interval[1]


def test_tests_of_significance(scores: Path) -> None:
    good = CORPUS.system("good", SYSTEMS["good"])
    [pair] = compare(CORPUS, good, {"bad": SYSTEMS["bad"]}, [FromFile(f"{scores}/{{system}}.txt")])
    assert pair.difference == pytest.approx(-0.4)
    assert pair.p < 0.01


def test_names(scores: Path) -> None:
    spelled = f'from-file(path="{scores}/{{system}}.txt", lower_is_better=True)'
    made = metric(spelled)
    assert metric(repr(made)) == made
    assert not made.higher_is_better
    labelled = metric(spelled.replace("lower", 'label="impara", lower'))
    [result, _] = score(CORPUS, SYSTEMS, [labelled])
    assert result.metric == "impara"
    assert not result.higher_is_better
    assert "{system}" in result.signature


def test_one_file_for_one_system(scores: Path) -> None:
    one = FromFile(str(scores / "good.txt"))
    [result] = score(CORPUS, {"other": SYSTEMS["good"]}, [one])
    assert result.score == pytest.approx(0.645)
    with pytest.raises(InputError, match=r"good\.txt is one file, and there are 2 systems: .*\{system\}"):
        score(CORPUS, SYSTEMS, [one])


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([*map(str, SCORES["good"])][:-1], r"good\.txt: line 30 is missing; the source has 30 sentences"),
        ([*map(str, SCORES["good"]), "1"], r"good\.txt: line 31 is one too many; the source has 30 sentences"),
        (["1", "None", *["1"] * 28], r"good\.txt: line 2 is no number: 'None'"),
        (["1", "", *["1"] * 28], r"good\.txt: line 2 is no number: ''"),
        (["1_0", *["1"] * 29], r"good\.txt: line 1 is no number: '1_0'"),
        (["nan", *["1"] * 29], r"good\.txt: line 1 is no number: 'nan'"),
        (["inf", *["1"] * 29], r"good\.txt: line 1 is no number: 'inf'"),
        ([], r"good\.txt: line 1 is missing"),
    ],
)
def test_lines_that_do_not_fit(scores: Path, lines: list[str], reason: str) -> None:
    (scores / "good.txt").write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(InputError, match=reason):
        score(CORPUS, SYSTEMS, [FromFile(str(scores))])


def test_files_that_are_not_there(scores: Path) -> None:
    with pytest.raises(InputError, match="has no file for third"):
        FromFile(str(scores)).statistics(CORPUS, System("third", SYSTEMS["good"]))
    with pytest.raises(InputError, match=r"third\.txt: no such file"):
        FromFile(f"{scores}/{{system}}.txt").statistics(CORPUS, System("third", SYSTEMS["good"]))
    (scores / "good.out").write_text("1\n")
    with pytest.raises(InputError, match=r"has several files for good: good\.out and good\.txt"):
        FromFile(str(scores)).statistics(CORPUS, System("good", SYSTEMS["good"]))
    with pytest.raises(InputError, match="needs files of scores"):
        score(CORPUS, SYSTEMS, ["from-file"])


def test_files_are_read_before_anything_slow(scores: Path) -> None:
    (scores / "bad.txt").write_text("0.5\n" * 29)
    systems = [CORPUS.system(name, texts) for name, texts in SYSTEMS.items()]
    with pytest.raises(InputError, match="line 30 is missing"):
        FromFile(str(scores)).prepare(CORPUS, systems)
    for ask in (lambda: FromFile().prepare(CORPUS, systems), lambda: FromFile().statistics(CORPUS, systems[0])):
        with pytest.raises(InputError, match="needs files of scores"):
            ask()
