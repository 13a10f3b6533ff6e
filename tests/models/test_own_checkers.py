"""Grammar checkers by name, and one that an installed package brings: nothing of gecval need change."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from gecval import InputError
from gecval.cli.program import cli
from gecval.models.checkers import CountsFile, Harper, LingoTweaker, checker, checker_names
from gecval.models.languagetool import LanguageToolServer
from packages import install, use

# German: every noun that a lower-case article announces must start with a capital letter.
MODULE = """
from gecval.models.checkers import Finding

class Capitals:
    signature = "capitals:1.0"
    language = "de"
    isolated = False

    def find(self, text):
        words = text.split()
        return [
            Finding(text.index(noun), text.index(noun) + len(noun), "NOUN", "CASE")
            for article, noun in zip(words, words[1:]) if article in ("der", "die", "das") and noun.islower()
        ]

class Mute:
    signature, language = "mute:1", "de"
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    install(tmp_path / "site", "german_errors", MODULE, "[gecval.checkers]\ncapitals = german_errors:Capitals\n")
    use(tmp_path / "site", monkeypatch)
    monkeypatch.setenv("GECVAL_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("german_errors", None)


def test_our_own(tmp_path: Path) -> None:
    assert checker_names() == ["lingotweaker", "harper", "languagetool"]
    assert checker("lingotweaker") == checker("LingoTweaker") == LingoTweaker()
    assert checker("harper") == Harper()
    assert checker("https://example.org/lt/") == LanguageToolServer("https://example.org/lt")
    (tmp_path / "counts").write_text("1\ta\n")
    assert checker(str(tmp_path / "counts")) == CountsFile(str(tmp_path / "counts"))
    assert [checker(name).language for name in ("lingotweaker", "harper")] == ["en", "en"]


@pytest.mark.parametrize("name", ["capitals", "german_errors:Capitals"])
def test_a_checker_of_another_language_scores(site: Path, name: str) -> None:
    (site / "out.txt").write_text("Ich sehe das haus .\nIch sehe die Sonne .\n")
    words = ["score", "out.txt", "-s", "out.txt", "-m", f'grammaticality(checker="{name}")', "--format", "json"]
    result = CliRunner().invoke(cli, words, catch_exceptions=False)
    [score] = json.loads(result.stdout)["scores"]
    assert score["parts"] == {"errors": 1, "tokens": 10}
    assert score["score"] == pytest.approx(0.9)
    assert "checker:capitals:1.0" in score["signature"]


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("harpers", "there is no grammar checker 'harpers'; did you mean harper?"),
        ("x", "there is no grammar checker 'x'; there is lingotweaker, harper, languagetool, capitals, the URL of"),
        ("german_errors:Mute", "german_errors:Mute is no grammar checker: it has no isolated and no find"),
    ],
)
def test_refused(name: str, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        checker(name)
    assert str(refusal.value).startswith(message)


@pytest.mark.parametrize("count", ["-1", "1.5", "", "x", "1" * 5000, "1000001"])
def test_counts_that_are_none(tmp_path: Path, count: str) -> None:
    (tmp_path / "counts").write_text(f"0\ta\n{count}\tb\n")
    with pytest.raises(InputError, match=r"counts, line 2: not a count, a tab and a sentence$"):
        checker(str(tmp_path / "counts")).signature  # noqa: B018
