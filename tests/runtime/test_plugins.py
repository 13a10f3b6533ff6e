"""Parts by name: in any case, with either sign between words, and from a module in the current folder."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gecval.runtime.plugins import Plugins

PARTS = Plugins(kind="part", group="gecval.nothing", built_in={"max-sari": "builtins:max", "gleu": "builtins:min"})


@pytest.mark.parametrize("name", ["max-sari", "MAX_SARI", "Max-Sari"])
def test_names_in_any_case(name: str) -> None:
    assert PARTS.canonical(name) == "max-sari"
    assert PARTS.load(name) is max


def test_names_that_nothing_has() -> None:
    assert (PARTS.canonical("sari"), PARTS.load("sari")) == ("sari", None)
    assert str(PARTS.unknown("MAX_SARE")) == "there is no part 'MAX_SARE'; did you mean max-sari?"
    assert str(PARTS.unknown("x", others=", and more")) == "there is no part 'x'; there is max-sari, gleu, and more"


def test_a_module_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is looked for there only where a name asks for a module, and after all installed packages."""
    (tmp_path / "My_parts_of_a_test.py").write_text("My_Part = 7\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder])
    before = list(sys.path)
    assert PARTS.load("gleu") is min
    assert sys.path == before
    for _ in range(2):
        assert PARTS.load("My_parts_of_a_test:My_Part") == 7
        assert sys.path == [*before, ""]
    sys.modules.pop("My_parts_of_a_test")
