"""Grammaticality: 1 − errors / tokens, by whichever checker."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from gecval import Corpus, InputError
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.grammaticality import LT, Grammaticality
from gecval.results.signature import Signature

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
