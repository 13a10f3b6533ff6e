"""The fuzzer itself: sound files pass, a fault is found and its file kept; and a few broken files for every reader."""

from pathlib import Path
from random import Random

import pytest

from fuzz.mutate import mutate
from fuzz.run import fuzz
from fuzz.targets import Target, targets
from gecval import InputError

READERS = targets()
of_each_reader = pytest.mark.parametrize("target", READERS, ids=[target.name for target in READERS])


@of_each_reader
def test_sound_files_pass(target: Target, tmp_path: Path) -> None:
    path = tmp_path / f"sound{target.suffix}"
    path.write_bytes(target.seed)
    target.call(path)


@of_each_reader
def test_broken_files_are_refused_in_a_line(target: Target, tmp_path: Path) -> None:
    assert fuzz(target, tmp_path, cases=25, seed=0) == []
    assert list(tmp_path.glob(f"{target.name}-*")) == []


def test_the_same_seed_breaks_the_same_things() -> None:
    for target in READERS:
        assert mutate(target.seed, Random(3)) == mutate(target.seed, Random(3))
    assert len({mutate(READERS[0].seed, Random(seed)) for seed in range(200)}) > 150


def test_a_fault_is_found_and_its_file_kept(tmp_path: Path) -> None:
    def read(path: Path) -> None:
        if b"\xff" in path.read_bytes():
            path.write_bytes(b"")
            raise KeyError("planted")
        raise InputError(f"{path} is not what it should be")

    target = Target(name="planted", suffix=".txt", seed=bytes(range(250)), call=read)
    [finding] = fuzz(target, tmp_path, cases=100, seed=1)
    assert finding.error == "KeyError in no file of ours: 'planted'"
    assert b"\xff" in finding.file.read_bytes()
    assert list(tmp_path.iterdir()) == [finding.file]


def test_an_error_of_several_lines_is_a_fault(tmp_path: Path) -> None:
    def read(path: Path) -> None:
        raise InputError("one\ntwo")

    [finding] = fuzz(Target(name="long", suffix=".txt", seed=b"a", call=read), tmp_path, cases=3, seed=1)
    assert finding.error == "several lines: one\ntwo"
