"""link-parser: asked in blocks, each sentence once, and never given a command. A stand-in answers as the real one."""

import os
from pathlib import Path

import pytest

from gecval.errors import InputError
from gecval.metrics.lfm import link_grammar
from gecval.metrics.lfm.link_grammar import LinkGrammar, link_grammar_installed
from gecval.runtime.run import Run

# What version 5.12.0 prints for these options.
STAND_IN = r"""#!/bin/sh
test "$1" = --version && { echo "Version: link-grammar-5.12.0"; exit; }
echo "asked" >> "$ASKED"
echo "echo set to 1"
while IFS= read -r line; do
  test ${#line} -gt 680 && exit 1
  case "$line" in
    "!"* | "%"*) echo "a command: $line" >> "$ASKED" ;;
    "He goes home.")
      printf '%s\nFound 2 linkages (2 had no P.P. violations)\n' "$line"
      printf '\tLinkage 1, cost vector = (UNUSED=0 DIS= 1.00 LEN=5)\n' ;;
    "crash") exit 3 ;;
    *) printf '%s\nNo complete linkages found.\n' "$line" ;;
  esac
done
echo Bye.
"""


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    program = tmp_path / "bin" / "link-parser"
    program.parent.mkdir()
    program.write_text(STAND_IN)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("ASKED", str(tmp_path / "asked"))
    monkeypatch.setenv("GECVAL_CACHE", str(tmp_path / "cache"))
    link_grammar._version.cache_clear()
    return tmp_path / "asked"


def test_complete_linkages(asked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_grammar, "BLOCK", 2)
    texts = [
        "He goes home.",
        "He go home.",
        "",
        "He goes home.",
        "%He goes home.",
        "!file /etc/passwd",
        "日本 😀 " * 300,
    ]
    assert LinkGrammar().signature == "link-grammar:5.12.0|2s"
    for jobs in (2, 1):
        assert LinkGrammar().complete(texts, run=Run(jobs=jobs)) == [True, False, False, True, True, False, False]
    assert asked.read_text().split() == ["asked"] * 3  # six different texts, two at a time, and none a second time


@pytest.mark.usefixtures("asked")
def test_one_that_crashes_is_named() -> None:
    with pytest.raises(InputError, match=r"link-parser fails .*exit status 3.*leave the features 'link' out"):
        LinkGrammar().complete(["He goes home.", "crash"])


def test_one_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    link_grammar._version.cache_clear()
    assert not link_grammar_installed()
    with pytest.raises(InputError, match="there is no program link-parser: install it"):
        LinkGrammar().complete(["He goes home."])
