"""Checkers behind one interface: each sentence checked once, and what happens when a checker does not behave."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest
from click.testing import CliRunner

from gecval.cli.program import cli
from gecval.errors import InputError, MissingExtraError
from gecval.models import checkers
from gecval.models.checkers import (
    CHECKERS,
    CheckerFinding,
    CountsFile,
    GrammarError,
    Harper,
    LingoTweaker,
    check,
    checker,
)
from gecval.models.languagetool import LanguageToolServer
from gecval.runtime.run import Run
from packages import install, use

pytestmark = pytest.mark.usefixtures("empty_cache")

EXPECTED = json.loads(Path(__file__).parents[1].joinpath("expected", "grammar.json").read_text("utf-8"))


@dataclass(frozen=True)
class LongWords:
    """Finds words of more than five letters, notes what it was asked, and fails at some words."""

    isolated: ClassVar[bool] = True
    log: str
    signature: str = "long-words:1"

    def find(self, text: str) -> list[CheckerFinding]:
        with Path(self.log).open("a") as log:
            log.write(f"{text}\n")
        if "crash" in text:
            os._exit(1)
        if "hang" in text:
            time.sleep(60)
        if "raise" in text:
            raise RuntimeError("no idea\nat all")
        return [CheckerFinding(text.index(word), text.index(word) + len(word), "LONG", "STYLE") for word in _long(text)]

    def asked(self) -> list[str]:
        return sorted(Path(self.log).read_text().splitlines())


def _long(text: str) -> list[str]:
    return [word for word in text.split() if len(word) > 5]


@pytest.fixture
def long_words(tmp_path: Path) -> LongWords:
    return LongWords(str(tmp_path / "log"))


def test_each_distinct_sentence_is_checked_once_and_errors_are_told_in_tokens(long_words: LongWords) -> None:
    sentences = ["He is n't nowhere .", "a", "", "a ", "He is n't nowhere ."]
    error = GrammarError(3, 5, "LONG", "STYLE")  # to the checker "nowhere." is one word
    assert check(long_words, sentences) == [(error,), (), (), (), (error,)]
    assert check(long_words, ["a", "b"], run=Run(jobs=3)) == [(), ()]
    assert long_words.asked() == ["He isn't nowhere.", "a", "b"]


def test_what_is_going_on_is_told_where_there_is_something_to_check(long_words: LongWords) -> None:
    told: list[object] = []

    class Teller:
        def __call__(self, done: int, total: int) -> None:
            told.append((done, total))

        def announce(self, what: str) -> None:
            told.append(what)

    check(long_words, ["a", "b"], run=Run(progress=Teller()))
    assert told == ["checking grammar with long-words", (2, 2)]
    check(long_words, ["a"], run=Run(progress=Teller()))
    assert len(told) == 2


@pytest.mark.parametrize(
    ("trouble", "message"),
    [("crash", "has crashed"), ("hang", "not answered for 5 s"), ("raise", "fails at 'raise': no idea")],
)
def test_trouble_is_told_and_partial_results_are_kept(
    trouble: str, message: str, long_words: LongWords, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkers, "BLOCK", 1)
    check(long_words, ["before"])  # processes start, which takes long on a busy machine
    if trouble == "hang":
        monkeypatch.setattr(checkers, "TIMEOUT_S", 5.0)
    with pytest.raises(InputError, match=message):
        check(long_words, ["first", trouble])
    check(long_words, ["first"])
    assert long_words.asked() == sorted(["before", "first", trouble])


def test_counts_made_elsewhere(tmp_path: Path) -> None:
    file = tmp_path / "counts.tsv"
    file.write_text("2\tHe go hom .\n0\tFine .\n", "utf-8")
    counts = checker(str(file))
    assert isinstance(counts, CountsFile)
    assert [len(errors) for errors in check(counts, ["Fine .", "He go hom.", ""])] == [0, 2, 0]
    with pytest.raises(InputError, match=r"counts.tsv has no count for 'Other'"):
        check(counts, ["Other"])
    broken = tmp_path / "broken.tsv"
    broken.write_text("2\tHe go\nfine\n", "utf-8")
    with pytest.raises(InputError, match="line 2: not a count, a tab and a sentence"):
        check(checker(str(broken)), ["He go"])
    with pytest.raises(InputError, match="there is no grammar checker 'nobody'; there is lingotweaker"):
        check(checker("nobody"), ["He go"])


def test_a_missing_extra_gives_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(distribution: str) -> str:
        raise PackageNotFoundError(distribution)

    monkeypatch.setattr(checkers, "version", absent)
    for name in ("lingotweaker", "harper"):
        with pytest.raises(MissingExtraError, match=r"pip install 'gecval\[grammar\]'"):
            check(checker(name), ["a"])


@pytest.mark.parametrize(("name", "module"), [("lingotweaker", "lt_py"), ("harper", "harper")])
def test_known_errors(name: str, module: str) -> None:
    """Goldens of our own, made by this function; equal for any number of processes and any order."""
    pytest.importorskip(module, reason="needs the extra: pip install 'gecval[grammar]'")
    sentences = [*EXPECTED["sentences"], "b " * 5000]
    checked = check(checker(name), sentences, run=Run(jobs=2))
    assert [[list(error) for error in errors] for errors in checked[:-1]] == EXPECTED[name]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GECVAL_CACHE", os.environ["GECVAL_CACHE"] + "-2")
        assert check(checker(name), sentences[::-1], run=Run(jobs=1)) == checked[::-1]


def test_lingotweaker_tells_places_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    match = {"offset": 3, "length": 4, "rule_id": "AGREE", "category_id": "GRAMMAR"}
    monkeypatch.setattr(checkers, "_lingotweaker", lambda: SimpleNamespace(check=lambda text: [match]))
    [found] = checkers.LingoTweaker().find("é goes")
    assert found == CheckerFinding(2, 6, rule="AGREE", category="GRAMMAR")


# Grammar checkers by name, and one that an installed package brings: nothing of gecval need change.


# German: every noun that a lower-case article announces must start with a capital letter.
MODULE = """
from gecval.models.checkers import CheckerFinding

class Capitals:
    signature = "capitals:1.0"
    language = "de"
    isolated = False

    def find(self, text):
        words = text.split()
        return [
            CheckerFinding(text.index(noun), text.index(noun) + len(noun), "NOUN", "CASE")
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
    assert CHECKERS.names() == ["lingotweaker", "harper", "languagetool"]
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
