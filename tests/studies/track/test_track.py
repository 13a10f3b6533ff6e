"""A history of scores: what is kept, what is compared, and what a crash or a second process may do to the file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gecval import Corpus, InputError, Resampling, history, score, track
from gecval.studies.track import study

CORPUS = Corpus.from_texts(["a"] * 20, [["b"]] * 20)
FEW = {"confidence": Resampling(30)}


def output(right: int) -> dict[str, list[str]]:
    return {"mine": ["b"] * right + ["a"] * (20 - right)}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "scores.history"
    for number, right in enumerate((5, 6, 18)):
        track(
            path,
            CORPUS,
            output(right),
            ["accuracy", "min-ld"],
            commit=f"c{number}",
            time=f"2026-01-0{number + 1}",
            **FEW,
        )
    return path


def test_scores_intervals_and_changes(file: Path) -> None:
    kept = history(file)
    assert [(s.series, s.commit, s.metric) for s in kept] == [
        (number, commit, name) for number, name in ((1, "accuracy"), (2, "min-ld")) for commit in ("c0", "c1", "c2")
    ]
    [fresh] = score(CORPUS, output(18), ["accuracy"], confidence=Resampling(30))
    third = kept[2]
    assert (third.score, third.interval, third.signature) == (fresh.score, fresh.interval, fresh.signature)
    assert (third.since, third.look, third.change, third.level) == ("c0", 2, "better", 0.95)
    assert third.difference == pytest.approx(0.65)
    assert third.change_interval is not None
    assert third.change_interval.low < third.difference < third.change_interval.high
    assert (third.time, third.system) == ("2026-01-03", "mine")
    assert kept[5].change == "better"  # MinLD is lower
    assert [(s.commit, s.metric) for s in kept.changes] == [("c2", "accuracy"), ("c2", "min-ld")]
    assert kept.notes == ()


def test_a_commit_is_added_once(file: Path) -> None:
    before = file.read_bytes()
    notes = track(file, CORPUS, output(18), ["accuracy"], commit="c2", **FEW).notes
    assert "mine under accuracy at c2 is there already: nothing is added for it" in notes
    assert file.read_bytes() == before
    with pytest.raises(InputError, match="has another output of mine under accuracy at c2; name another commit"):
        track(file, CORPUS, output(17), ["accuracy"], commit="c2", **FEW)
    assert file.read_bytes() == before
    assert not file.with_name("scores.history.lock").exists()


def test_other_data_or_settings_are_a_new_series(file: Path) -> None:
    other = Corpus.from_texts(["a"] * 20, [["b"]] * 19 + [["c"]])
    result = track(file, other, output(18), ["accuracy"], commit="c3", **FEW)
    assert (result[-1].series, result[-1].since, result[-1].changed) == (3, "c3", False)
    [note] = [note for note in result.notes if "series" in note]
    assert note.startswith("mine under accuracy: a new series begins, which is not compared with the last one: ")
    assert "references:" in note
    assert f"references:{CORPUS.reference_hash} is gone" in note
    same = track(file, other, output(18), ["accuracy"], commit="c4", confidence=Resampling(40))
    assert same[-1].series == 3  # how the interval is made does not matter
    assert not any("series" in note for note in same.notes)


def test_a_torn_last_line(file: Path) -> None:
    whole = file.read_bytes()
    for cut in (1, 40, 200):
        file.write_bytes(whole[:-cut])
        if cut == 1:  # only the end of the line is gone: it is whole
            assert len(history(file)) == 6
            continue
        kept = history(file)
        assert len(kept) == 5
        [note] = kept.notes
        assert "line 6 is torn, as a run was killed while it wrote; all others are whole. Add its commit again" in note
    torn = file.read_bytes().split(b"\n")[-1]
    result = track(file, CORPUS, output(18), ["min-ld"], commit="c2", time="2026-01-03", **FEW)
    assert len(result) == 6
    assert file.read_bytes() == whole
    assert file.with_name("scores.history.torn").read_bytes() == torn + b"\n"
    assert any("line 6 was torn; it now lies in scores.history.torn" in note for note in result.notes)


def test_a_last_line_without_its_end_stays_whole(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])
    assert len(track(file, CORPUS, output(3), ["min-ld"], commit="c3", **FEW)) == 7
    assert not file.with_name("scores.history.torn").exists()


def test_a_broken_line_in_the_middle_is_refused(file: Path) -> None:
    lines = file.read_bytes().split(b"\n")
    entry = json.loads(lines[1])
    for wrong in (b"{", b"", b"[]", b'{"schema": "other"}', b"\xff"):
        file.write_bytes(b"\n".join([lines[0], wrong, *lines[2:]]))
        with pytest.raises(InputError, match=r"line 2 is no score of a history .* remove this line"):
            history(file)
        with pytest.raises(InputError, match="line 2 is no score"):
            track(file, CORPUS, output(3), ["min-ld"], commit="c9", **FEW)
    wrong_fields = {"rows": [1.0], "metric": "os:remove", "sentences": 1, "aggregate": "x", "score": None}
    wrong_fields |= {"interval": [1], "columns": -1, "references": [0] * 20}
    for field, value in wrong_fields.items():
        file.write_bytes(b"\n".join([lines[0], json.dumps({**entry, field: value}).encode(), *lines[2:]]))
        with pytest.raises(InputError, match="line 2 is no score of a history"):
            history(file)


def test_other_sentences_under_the_name_of_a_series_are_refused(file: Path) -> None:
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    lines[2] = {**lines[2], "sentences": 10, "rows": lines[2]["rows"][: 10 * lines[2]["columns"]]}
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    with pytest.raises(InputError, match="the scores of c1 are of other sentences than their series says; remove them"):
        history(file)


def test_two_at_once(tmp_path: Path) -> None:
    path = tmp_path / "many.history"
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: track(path, CORPUS, output(n), ["accuracy"], commit=f"c{n}", **FEW), range(6)))
    assert sorted(s.commit for s in history(path)) == sorted(f"c{n}" for n in range(6))
    assert len(path.read_text().splitlines()) == 6


def test_two_processes_at_once(tmp_path: Path) -> None:
    code = (
        "import sys; from gecval import Corpus, Resampling, track\n"
        "corpus = Corpus.from_texts(['a'] * 20, [['b']] * 20)\n"
        "for n in range(4):\n"
        "    track('two.history', corpus, {'s': ['b'] * n + ['a'] * (20 - n)}, ['accuracy'],\n"
        "          commit=f'{sys.argv[1]}{n}', confidence=Resampling(10))\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, who], cwd=tmp_path) for who in "xy"]
    assert [process.wait() for process in running] == [0, 0]
    assert sorted(s.commit for s in history(tmp_path / "two.history")) == sorted(
        f"{w}{n}" for w in "xy" for n in range(4)
    )


def test_the_commit_comes_from_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(InputError, match="git knows of no commit here; name the commit yourself"):
        track("scores.history", CORPUS, output(3), ["accuracy"], **FEW)
    assert not Path("scores.history").exists()
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    Path("file").write_text("1")
    for command in (["init", "-q"], ["add", "file"], ["commit", "-q", "-m", "one"]):
        subprocess.run([*git, *command], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    assert track("scores.history", CORPUS, output(3), ["accuracy"], **FEW)[0].commit == head[:12]
    Path("file").write_text("2")
    assert track("scores.history", CORPUS, output(3), ["accuracy"], **FEW)[1].commit == f"{head[:12]}-dirty"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"commit": " "}, "the commit has no name"),
        ({"time": "noon"}, "write a time as 2026-11-16 or .*, not 'noon'"),
        ({"aggregate": "trueskill"}, "a history keeps sums: aggregate is corpus or mean"),
    ],
)
def test_refusals(tmp_path: Path, wrong: dict, said: str) -> None:
    with pytest.raises(InputError, match=said):
        track(tmp_path / "x", CORPUS, output(3), ["accuracy"], **{"commit": "c", **wrong})
    assert list(tmp_path.iterdir()) == []


def test_git_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: tuple[str, ...], *, timeout: float, **_: object) -> None:
        raise {20: subprocess.TimeoutExpired(command, timeout)}[timeout]

    monkeypatch.setattr(study.subprocess, "run", run)
    with pytest.raises(InputError, match="git knows of no commit here; name the commit yourself"):
        study.find_commit()


def test_how_large_a_history_may_be(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (study.MAX_BYTES, study.MAX_SENTENCES) == (1_000_000_000, 100_000_000)
    for limit, size in (("MAX_BYTES", file.stat().st_size), ("MAX_SENTENCES", 20)):
        monkeypatch.setattr(study, limit, size)
        assert len(history(file)) == 6
        monkeypatch.setattr(study, limit, size - 1)
        with pytest.raises(InputError, match=r"up to [\d,]+ bytes; begin a new file|ValueError aggregate or sentences"):
            history(file)
        monkeypatch.undo()


def test_two_sentences_are_enough_and_one_is_not(tmp_path: Path) -> None:
    two = Corpus.from_texts(["a"] * 2, [["b"]] * 2)
    path = tmp_path / "two.history"
    assert track(path, two, {"mine": ["b", "a"]}, ["accuracy"], commit="c", **FEW)[0].score == 0.5
    line = json.loads(path.read_text())
    path.write_text(json.dumps({**line, "sentences": 1, "rows": line["rows"][: line["columns"]]}) + "\n")
    with pytest.raises(InputError, match=r"line 1 is no score of a history .*: ValueError aggregate or sentences"):
        history(path)


def test_lines_are_on_the_disk_before_a_run_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, sizes = tmp_path / "x.history", []
    monkeypatch.setattr(study.os, "fsync", lambda number: sizes.append(os.fstat(number).st_size))
    track(path, CORPUS, output(3), ["accuracy"], commit="c", **FEW)
    assert sizes == [path.stat().st_size]
    mask = os.umask(0)
    os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~mask


def test_notes_on_the_data_are_those_of_a_score(tmp_path: Path) -> None:
    corpus = Corpus.from_texts(["He go .", "She go ."], [["He goes ."], ["She goes ."]])
    glued = {"mine": ["He goes.", "She went."]}
    [note] = score(corpus, glued, ["accuracy"]).notes
    assert track(tmp_path / "x", corpus, glued, ["accuracy"], commit="c", **FEW).notes == (note,)


def test_what_is_no_history(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no file"):
        history(tmp_path / "none")
    (tmp_path / "empty").write_text("")
    with pytest.raises(InputError, match="has no whole line yet; add scores to it"):
        history(tmp_path / "empty")
    with pytest.raises(InputError, match="is no folder; make it first"):
        track(tmp_path / "no" / "x", CORPUS, output(3), ["accuracy"], commit="c")
    for folder in (tmp_path, Path()):
        with pytest.raises(InputError, match="is a folder; name a file"):
            track(folder, CORPUS, output(3), ["accuracy"], commit="c")
    one = Corpus.from_texts(["a"], [["b"]])
    with pytest.raises(InputError, match="a history needs two sentences or more"):
        track(tmp_path / "x", one, {"s": ["a"]}, ["accuracy"], commit="c")
    for name, commit in (("half \ud800", "one"), ("mine", "\udfff")):
        with pytest.raises(InputError, match="is no text: it holds half of a surrogate pair"):
            track(tmp_path / "x", CORPUS, {name: output(3)["mine"]}, ["accuracy"], commit=commit)
    with pytest.raises(InputError, match="the level lies between 0 and 1, not 1"):
        history(_one(tmp_path / "y"), level=1)


def _one(path: Path) -> Path:
    track(path, CORPUS, {"ünïcode": output(3)["mine"]}, ["accuracy"], commit="ä  b", **FEW)
    assert history(path)[0].commit == "ä b"
    return path
