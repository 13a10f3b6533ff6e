"""Metrics by name: spellings that are hard to read, and what may go wrong with a user's own metric."""

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from shutil import which

import pytest

from gecval.errors import InputError
from gecval.metrics.registry import metric
from gecval.runtime import plugins

MODULE = """
from dataclasses import dataclass
from typing import ClassVar
from gecval.metrics.base import AveragedMetric
from gecval.metrics.distance import LD

def half(source, hypothesis, references): return 0.5

@dataclass(frozen=True, repr=False)
class Weighted(LD):
    name: ClassVar[str] = "own_metrics:Weighted"
    weight: int = 1
    def __post_init__(self):
        if self.weight < 0: raise KeyError("weight")

class Plain(AveragedMetric):
    name = "plain"
    rule = statistics = None

@dataclass(frozen=True, repr=False)
class Nameless(AveragedMetric):
    rule = statistics = None

@dataclass(frozen=True, repr=False)
class Abstract(AveragedMetric):
    name: ClassVar[str] = "abstract"
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A user's module in the current folder, and an installed one, whose entry point has a hyphen in its name."""
    (tmp_path / "own_metrics.py").write_text(MODULE)
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "installed_metrics.py").write_text("def half(source, hypothesis, references): return 0.5\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "site")])
    entry = EntryPoint("half-good", "installed_metrics:half", "gecval.metrics")
    monkeypatch.setattr(plugins, "entry_points", lambda group: [entry])
    yield
    for name in ("own_metrics", "installed_metrics"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("text", ["min-counts.tsv", "max-sari", "my_module:f", "a 'b' \"min-ld\"", "\\", ""])
def test_a_text_is_taken_as_it_is(text: str) -> None:
    assert metric(f"grammaticality(checker={text!r})").checker == text  # type: ignore[attr-defined]


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("interpolated(max-sari(n=2), min-ld, 0.25)", "interpolated(max-sari(n=2), min-ld, 0.25)"),
        ("interpolated(gleu, own_metrics:half, 0.5)", "interpolated(gleu, own_metrics:half, 0.5)"),
        ("interpolated(gleu, half-good, 0.5)", "interpolated(gleu, half-good, 0.5)"),
        (
            "interpolated(gleu, without=own_metrics:Weighted(weight=2), weight=0.5)",
            "interpolated(gleu, own_metrics:Weighted(weight=2), 0.5)",
        ),
        (
            'interpolated(interpolated(gleu, own_metrics:half), lt(checker="min-ld.tsv"), 0.25)',
            "interpolated(interpolated(gleu, own_metrics:half, 0.5), lt(checker='min-ld.tsv'), 0.25)",
        ),
    ],
)
def test_metrics_as_parameters(spelling: str, expected: str) -> None:
    spelled = metric(spelling)
    assert repr(spelled) == expected
    assert metric(repr(spelled)) == spelled


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("m2(1)+f(2)", "cannot read the parameters of 'm2(1)+f(2)'"),
        ("m2(1)(2)", "cannot read the parameters of 'm2(1)(2)'"),
        ("m2(beta={[1]: 2})", "cannot read the parameters"),
        ("m2(beta=1, beta=2)", "a parameter of 'm2(beta=1, beta=2)' is given twice"),
        ("interpolated(gleu, no-such)", "there is no metric 'no-such'"),
        ("interpolated(gleu, own_metrics:none)", "cannot load the metric 'own_metrics:none': AttributeError"),
        ("own_metrics:half(n=2)", "own_metrics:half is a plain function and takes no parameters"),
        ("own_metrics:Plain", "own_metrics:Plain is no dataclass: write @dataclass(frozen=True, repr=False) above"),
        ("own_metrics:Nameless", "own_metrics:Nameless has no name: write name: ClassVar[str] = 'nameless' into the"),
        ("own_metrics:Abstract", "cannot make 'own_metrics:Abstract': Can't instantiate abstract class Abstract"),
        ("own_metrics:Weighted(weight=-1)", "cannot make 'own_metrics:Weighted(weight=-1)': 'weight'"),
        ("own_metrics:Weighted(height=1)", "own_metrics:Weighted has no parameter 'height'; it has weight"),
    ],
)
def test_refused(spelling: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        metric(spelling)
    assert str(error.value).startswith(message)


def test_packages_are_looked_at_again_when_they_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked, site = [], tmp_path / "site"
    (site / "a").mkdir(parents=True)
    monkeypatch.setattr(plugins, "entry_points", lambda group: looked.append(group) or [])
    monkeypatch.setattr(sys, "path", [str(tmp_path / "no-such"), str(site)])
    parts = [plugins.Plugins(kind="part", group=f"gecval.{group}", built_in={}) for group in ("a", "a", "b")]
    assert [part.names() for part in parts] == [[], [], []]
    assert looked == ["gecval.a", "gecval.b"]
    os.utime(site, ns=(1, 1))
    assert parts[0].names() == parts[1].names() == []
    monkeypatch.setattr(sys, "path", [str(site)])
    assert parts[0].names() == []
    assert looked == ["gecval.a", "gecval.b", "gecval.a", "gecval.a"]


def test_a_file_in_the_current_folder_hides_no_installed_package(tmp_path: Path) -> None:
    """Neither for our metrics, nor for the user's own beside it."""
    for name in ("rapidfuzz", "spacy", "joblib"):
        (tmp_path / f"{name}.py").write_text(f'raise RuntimeError("the wrong {name}")\n')
    (tmp_path / "own_metrics.py").write_text("import joblib\ndef f(source, hypothesis, references): return 0.5\n")
    (tmp_path / "src.txt").write_text("a b\n")
    gecval = which("gecval", path=str(Path(sys.executable).parent))
    assert gecval is not None
    words = [gecval, "score", "src.txt", "-s", "src.txt", "-r", "src.txt", "--format", "tsv"]
    words += ["-m", "own_metrics:f", "-m", 'errant(model="plain")', "-m", "min-ld"]
    result = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    assert [line.split("\t")[2] for line in result.stdout.splitlines()[1:]] == ["0.5", "1.0", "1.0"]
