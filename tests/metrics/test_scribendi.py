"""The Scribendi score: the paper's listing case by case, with perplexities and ratios that it prints."""

from collections.abc import Sequence

import numpy as np
import pytest

from gecval import Corpus, InputError, metric
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.perplexity import Perplexity
from gecval.metrics.scribendi import (
    GradedScribendi,
    LevenshteinRatio,
    Scribendi,
    TokenSortRatio,
    levenshtein_ratios,
    token_sort_ratios,
)
from gecval.models.language_model import LanguageModel, LogProbability
from gecval.results.signature import Signature
from gecval.runtime.run import SERIAL, Run

# Source, output, and the perplexities that the paper prints for them (Table 1 and §5).
SWAPPED = (
    "Once the test is done , whether the results should be open to his or her relatives has caused social extensive "
    "controversy .",
    "Once the test is done , whether the results should be open to his or her relatives has caused extensive social "
    "controversy .",
    104.48,
    62.72,
)
CANNOT = ("We can not let it go .", "We cannot let it go .", 26.46, 24.299)
DISEASES = (
    "People get certain disease because of genetic changes .",
    "People get certain diseases because of genetic changes .",
    148.57,
    80.62,
)
MOVED = (
    "More and more illness are discovered to be related to some genes with the development of the medical technology .",
    "With the development of medical technology , more and more illnesses have been discovered to be related to some "
    "genes .",
    81.93,
    20.232,
)
REPEATED = ("He is going school .", "He He He He He He .", 100.0, 50.0)  # the model prefers repetition (Table 4)


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that says what the paper's said, and nothing of empty text."""
    known = {"We cannot let it go.": 24.0}
    for source, output, before, after in (SWAPPED, CANNOT, DISEASES, MOVED, REPEATED):
        known |= {source: before, output: after}

    def log_probabilities(self: LanguageModel, texts: Sequence[str], *, run: Run = SERIAL) -> list[LogProbability]:
        return [
            LogProbability(-2 * float(np.log(known[text])), 2) if text else LogProbability(0.0, 0) for text in texts
        ]

    monkeypatch.setattr(LanguageModel, "log_probabilities", log_probabilities)


def outcome(source: str, output: str, **parameters: float) -> float:
    corpus = Corpus.from_texts([source])
    metric = Scribendi(detokenize=False, **parameters)  # type: ignore[arg-type]
    return Evaluation.of(metric, corpus, corpus.system("s", [output])).score()


@pytest.mark.usefixtures("printed")
def test_the_listing_case_by_case() -> None:
    assert outcome(DISEASES[0], DISEASES[0]) == 0
    assert outcome(DISEASES[0], DISEASES[1]) == 1
    assert outcome(DISEASES[1], DISEASES[0]) == -1
    assert outcome(DISEASES[0], f"{DISEASES[0]}", unchanged=0.5) == 0.5
    assert outcome(MOVED[0], MOVED[1]) == 1  # LDR says no, TSR yes
    assert outcome(MOVED[0], MOVED[1], threshold=0.95) == -1
    assert outcome(CANNOT[0], CANNOT[1]) == 1
    assert outcome(SWAPPED[0], SWAPPED[1], threshold=1.0) == 1  # TSR is 1, which is enough


@pytest.mark.usefixtures("printed")
def test_table_4_repeated_words_do_not_win() -> None:
    assert outcome(REPEATED[0], REPEATED[1]) == -1
    assert outcome(REPEATED[0], REPEATED[1], threshold=0.0) == 1


@pytest.mark.usefixtures("printed")
def test_empty_sentences_have_a_score() -> None:
    """Nothing is as likely as can be, but unlike any source."""
    assert outcome("", "") == 0
    assert outcome(DISEASES[0], "") == -1
    assert outcome("", DISEASES[0]) == -1


@pytest.mark.usefixtures("printed")
def test_equal_perplexity_is_no_improvement() -> None:
    """To the model, which sees normal text, the two are the same; by their tokens they are not."""
    corpus = Corpus.from_texts(["We cannot let it go .", "We cannot let it go ."])
    system = corpus.system("s", ["We cannot let it go.", "  We  cannot let it go ."])
    assert Evaluation.of(Scribendi(), corpus, system).sentence_scores().tolist() == [-1, 0]


@pytest.mark.usefixtures("printed")
def test_sum_mean_and_parts() -> None:
    pairs = [SWAPPED[:2], CANNOT[:2], DISEASES[1::-1], MOVED[:2], REPEATED[:2], ("same", "same")]
    corpus = Corpus.from_texts([source for source, _ in pairs])
    system = corpus.system("s", [output for _, output in pairs])
    metric = Scribendi(detokenize=False)
    metric.prepare(corpus, [system])
    evaluation = Evaluation.of(metric, corpus, system)
    assert evaluation.sentence_scores().tolist() == [1, 1, -1, 1, -1, 0]
    assert evaluation.score() == 1
    assert Evaluation.of(metric, corpus, system, aggregate="mean").score() == pytest.approx(1 / 6)
    assert evaluation.parts() == {"better": 3, "unchanged": 1, "less likely": 1, "unlike the source": 1}


def gain(source: str, output: str, **parameters: float) -> float:
    corpus = Corpus.from_texts([source])
    metric = GradedScribendi(detokenize=False, **parameters)  # type: ignore[arg-type]
    return Evaluation.of(metric, corpus, corpus.system("s", [output])).score()


@pytest.mark.usefixtures("printed")
def test_graded_scribendi_case_by_case() -> None:
    """The gain in log perplexity where the output is like its source; else none of it, and a penalty."""
    assert gain(DISEASES[0], DISEASES[0]) == 0
    assert gain(DISEASES[0], DISEASES[1]) == pytest.approx(np.log(148.57 / 80.62))
    assert gain(DISEASES[1], DISEASES[0]) == pytest.approx(np.log(80.62 / 148.57))
    assert gain(MOVED[0], MOVED[1]) == pytest.approx(np.log(81.93 / 20.232))  # LDR says no, TSR yes
    assert gain(MOVED[0], MOVED[1], threshold=0.95) == -1.0  # it would gain, were it alike
    assert gain(MOVED[1], MOVED[0], threshold=0.95, penalty=0.5) == pytest.approx(np.log(20.232 / 81.93) - 0.5)
    assert gain(REPEATED[0], REPEATED[1]) == -1.0
    assert gain(REPEATED[0], REPEATED[1], threshold=0.0) == pytest.approx(np.log(2))
    assert gain(DISEASES[0], "") == -1.0  # nothing is as likely as can be
    assert gain("", DISEASES[0]) == pytest.approx(-np.log(148.57) - 1.0)
    assert gain("", "") == 0


def test_a_source_in_capitals_is_not_like_its_source(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model may find capitals likely, token by token. The paper's ratio lets them pass."""

    def likely(self: LanguageModel, texts: Sequence[str], *, run: Run = SERIAL) -> list[LogProbability]:
        return [LogProbability(-1.0 if text.isupper() else -2.0, 1) for text in texts]

    monkeypatch.setattr(LanguageModel, "log_probabilities", likely)
    assert token_sort_ratios(["He goes home"], ["HE GOES HOME"]).tolist() == [1.0]
    assert token_sort_ratios(["He goes home"], ["HE GOES HOME"], cased=True)[0] < 0.5
    assert token_sort_ratios(["home he goes"], ["he goes home"], cased=True).tolist() == [1.0]
    assert outcome("He goes home", "HE GOES HOME") == 1
    assert gain("He goes home", "HE GOES HOME") == -1.0


@pytest.mark.usefixtures("printed")
def test_graded_scribendi_of_a_corpus_is_the_mean() -> None:
    pairs = [SWAPPED[:2], DISEASES[1::-1], REPEATED[:2], ("same", "same")]
    corpus = Corpus.from_texts([source for source, _ in pairs])
    system = corpus.system("s", [output for _, output in pairs])
    evaluation = Evaluation.of(GradedScribendi(detokenize=False), corpus, system)
    each = [np.log(104.48 / 62.72), np.log(80.62 / 148.57), -1.0, 0.0]
    assert evaluation.sentence_scores() == pytest.approx(each)
    assert evaluation.score() == pytest.approx(np.mean(each))
    assert Evaluation.of(GradedScribendi(detokenize=False), corpus, system, aggregate="mean").score() == pytest.approx(
        np.mean(each)
    )
    assert evaluation.parts() == {"better": 1, "unchanged": 1, "less likely": 1, "unlike the source": 1}
    assert np.isfinite(evaluation.score())


def test_the_model_is_asked_about_what_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(Scribendi, "log_probabilities", lambda self, texts, **_: asked.extend(texts))
    corpus = Corpus.from_texts(["a  b", "c", "d e"])
    Scribendi().prepare(corpus, [corpus.system("x", ["a b", "C", "d e"]), corpus.system("y", ["a b", "c", "d"])])
    assert asked == ["c", "C", "d e", "d"]


@pytest.mark.usefixtures("printed")
def test_perplexity_of_a_corpus_is_that_of_all_its_tokens() -> None:
    corpus = Corpus.from_texts([CANNOT[0], ""])
    evaluation = Evaluation.of(Perplexity(detokenize=False), corpus, corpus.system("s", [CANNOT[1], ""]))
    assert evaluation.sentence_scores() == pytest.approx([24.299, 1])
    assert evaluation.score() == pytest.approx(24.299)
    assert evaluation.parts()["tokens"] == 2


def test_ratios_of_the_paper() -> None:
    assert token_sort_ratios([SWAPPED[0]], [SWAPPED[1]]) == pytest.approx([1.0])
    # Where blanks stand in long examples cannot be told from print, so that the third digit is not to be had.
    assert levenshtein_ratios([SWAPPED[0]], [SWAPPED[1]]) == pytest.approx([0.943], abs=1e-3)
    assert token_sort_ratios([CANNOT[0]], [CANNOT[1]]) == pytest.approx([0.8205], abs=1e-4)
    assert levenshtein_ratios([CANNOT[0]], [CANNOT[1]]) == pytest.approx([0.9767], abs=1e-4)
    assert token_sort_ratios([MOVED[0]], [MOVED[1]]) == pytest.approx([0.929], abs=1e-3)
    assert levenshtein_ratios([MOVED[0]], [MOVED[1]]) == pytest.approx([0.554], abs=3e-3)


def test_ratios_as_metrics() -> None:
    corpus = Corpus.from_texts(["Fat Cat", ""])
    system = corpus.system("s", ["cat, fat", ""])
    assert Evaluation.of(TokenSortRatio(), corpus, system).sentence_scores().tolist() == [1, 1]
    assert Evaluation.of(LevenshteinRatio(), corpus, system).score() == pytest.approx((1 - 5 / 15 + 1) / 2)
    assert Evaluation.of(LevenshteinRatio(replacement=1), corpus, system).score() > 0.7


def test_parameters_are_spelled_with_those_of_the_model_last() -> None:
    wordy = Scribendi("gpt2", 0.7, detokenize=False, device="cuda", batch_size=256)
    assert repr(wordy) == "scribendi(model='gpt2', threshold=0.7, detokenize=False, device='cuda', batch_size=256)"
    assert metric(repr(wordy)) == wordy
    assert (repr(Scribendi()), repr(Perplexity())) == ("scribendi", "perplexity")


@pytest.mark.parametrize("wrong", [{"replacement": 0}, {"threshold": "high"}, {"batch_size": 0}, {"detokenize": 1}])
def test_wrong_parameters_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match="scribendi: "):
        Scribendi(**wrong)  # type: ignore[arg-type]


def test_the_signature_names_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LanguageModel, "signature", "tiny:1|transformers:5")
    signed = str(Signature.of(Scribendi(device="cuda", batch_size=256), Corpus.from_texts(["a"]), "corpus"))
    constants = "threshold:0.8|replacement:2|better:1.0|unchanged:0.0|worse:-1.0|detokenize:True"
    assert signed.startswith(f"scribendi|model:tiny:1|transformers:5|{constants}|aggregate:corpus|source:")
