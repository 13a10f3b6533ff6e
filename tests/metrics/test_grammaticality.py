"""Grammaticality: 1 − errors / tokens, by whichever checker."""

import os
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from gecval import Corpus, InputError
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.grammaticality import LT, Grammaticality
from gecval.metrics.lfm import link_grammar
from gecval.metrics.lfm.link_grammar import LinkGrammar, link_grammar_installed
from gecval.results.signature import Signature
from gecval.runtime.run import Run

SENTENCES = ["He go hom .", "Fine .", "", "He ( is here ."]


@pytest.fixture
def counted(tmp_path: Path) -> str:
    file = tmp_path / "counts.tsv"
    file.write_text("2\tHe go hom .\n3\tFine .\n0\tHe ( is here .\n", "utf-8")
    return str(file)


def evaluation(metric: Grammaticality, aggregate: str = "corpus") -> Evaluation:
    corpus = Corpus.from_texts(SENTENCES)
    return Evaluation.of(metric, corpus, corpus.system("s", SENTENCES), aggregate=aggregate)  # type: ignore[arg-type]


def test_sentence_corpus_and_mean(counted: str) -> None:
    """More errors than tokens: below 0. No tokens: 1."""
    metric = Grammaticality(counted)
    assert evaluation(metric).sentence_scores().tolist() == [0.5, -0.5, 1.0, 1.0]
    assert evaluation(metric).score() == 1 - 5 / 11
    assert evaluation(metric, "mean").score() == 0.5
    assert evaluation(metric).parts() == {"errors": 5, "tokens": 11}


@pytest.mark.parametrize(("text", "errors", "expected"), [("Hom", 1, 0.0), ("Hom", 0, 1.0), ("He hom", 1, 0.5)])
def test_the_shortest_sentences(tmp_path: Path, text: str, errors: int, expected: float) -> None:
    """Even one token is counted as one; only without any does the number of tokens not matter."""
    (tmp_path / "counts.tsv").write_text(f"{errors}\t{text}\n", "utf-8")
    corpus = Corpus.from_texts([text])
    metric = Grammaticality(str(tmp_path / "counts.tsv"))
    assert Evaluation.of(metric, corpus, corpus.system("s", [text])).score() == expected


def test_rules_and_categories_can_be_ignored(counted: str) -> None:
    assert evaluation(Grammaticality(counted, ignore=("counted",))).score() == 1


def test_the_signature_names_the_checker_and_its_version(counted: str) -> None:
    corpus = Corpus.from_texts(SENTENCES)
    assert "|checker:counts:" in str(Signature.of(Grammaticality(counted), corpus, "corpus"))
    assert repr(LT(ignore=("TYPOS",))) == "lt(ignore=('TYPOS',))"


@pytest.mark.parametrize("wrong", [{"preset": "2017"}, {"ignore": "TYPOS"}])
def test_wrong_parameters_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(InputError, match="grammaticality: "):
        Grammaticality(**wrong)  # type: ignore[arg-type]


def test_the_default_checker_by_category_and_preset() -> None:
    pytest.importorskip("lt_py", reason="needs the extra: pip install 'gecval[grammar]'")
    corpus = Corpus.from_texts(SENTENCES)
    system = corpus.system("s", SENTENCES)
    lt = LT()
    lt.prepare(corpus, [system])
    assert lt.errors_by_category(system) == {"GRAMMAR": 1, "TYPOS": 1}
    assert LT(preset="maege").errors_by_category(system) == {"GRAMMAR": 1, "PUNCTUATION": 1, "TYPOS": 1}
    assert LT(ignore=("TYPOS",)).errors_by_category(system) == {"GRAMMAR": 1}
    np.testing.assert_array_equal(evaluation(lt).statistics.rows, [[2, 4], [0, 2], [0, 0], [0, 5]])


def test_the_most_frequent_category_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    of_sentences = [[SimpleNamespace(category=name) for name in names] for names in ("bc", "", "ca")]
    monkeypatch.setattr(Grammaticality, "_errors", lambda *_: of_sentences)
    corpus = Corpus.from_texts(SENTENCES[:3])
    counts = Grammaticality().errors_by_category(corpus.system("s", SENTENCES[:3]))
    assert list(counts.items()) == [("c", 2), ("a", 1), ("b", 1)]


def test_all_outputs_are_checked_before_any_is_scored(counted: str) -> None:
    corpus = Corpus.from_texts(["Fine ."])
    systems = [corpus.system("a", ["Fine ."]), corpus.system("b", ["Not counted ."])]
    Grammaticality(counted).prepare(corpus, systems[:1])
    with pytest.raises(InputError, match="Not counted"):
        Grammaticality(counted).prepare(corpus, systems)


# link-parser: asked in blocks, each sentence once, and never given a command. A stand-in answers as the real one.


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
