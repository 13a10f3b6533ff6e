"""Scores and comparisons at the edges: the least that has an interval, what counts as significant, what is shown."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from gecval import Corpus, InputError, Resampling, compare_all, deciding, evaluate, metric, not_worse, score
from gecval.results.signature import Signature
from gecval.stats import Interval
from gecval.studies.compare.deciding import DecidingPair
from gecval.studies.compare.gate import Looks, Rule
from gecval.studies.compare.result import Comparison
from gecval.studies.cost.study import cost
from gecval.studies.scores.by_type import SystemTypeRecall
from gecval.studies.scores.result import Score
from gecval.studies.scores.scored_system import correction_notes
from gecval.studies.scores.sentences import score_sentences
from gecval.studies.track.result import TrackedScore
from gecval.studies.undercorrection.reranking import Reranking

FEW = Resampling(20)


def corpus_of(size: int) -> Corpus:
    return Corpus.from_texts([f"w{i} a" for i in range(size)], [[f"w{i} b"] for i in range(size)])


def comparison(**changes: Any) -> Comparison:
    given = {
        "metric": "m2", "baseline": "a", "baseline_score": 0.5, "system": "b", "score": 0.5, "difference": 0.25,
        "interval": Interval(0, 1), "level": 0.95, "p_studentised": 0.5, "p_bootstrap": 0.5,
        "p_randomisation": 0.5, "p": 0.5, "signature": "",
    }  # fmt: skip
    return Comparison(**(given | changes))


# What results say


@pytest.mark.parametrize("result", [Score, Comparison, TrackedScore, DecidingPair, Reranking])
def test_higher_is_better_unless_a_metric_says_otherwise(result: type) -> None:
    assert result.__dataclass_fields__["higher_is_better"].default is True  # type: ignore[attr-defined]


def test_what_is_significant_and_who_is_better() -> None:
    assert [comparison(p=p).significant for p in (0.049, 0.05, 0.07)] == [True, False, False]
    for difference, better in ((0.25, True), (0.0, False), (-0.25, False)):
        assert comparison(difference=difference).system_is_better is better
        assert comparison(difference=-difference, higher_is_better=False).system_is_better is better


def pair(**changes: Any) -> DecidingPair:
    given = {
        "metric": "m2", "baseline": "old", "system": "new", "difference": 0.25, "sentences": (3,), "of": 1234,
        "difference_without": 0.0, "at_least": 1, "influential": (),
    }  # fmt: skip
    return DecidingPair(**(given | changes))


ONE_DECIDES = "1 sentence of 1,234 decides: without it new no longer beats old"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, ONE_DECIDES),
        ({"sentences": (3, 1)}, "2 of 1,234 sentences decide: without them new no longer beats old"),
        ({"difference": -0.25}, "1 sentence of 1,234 decides: without it old no longer beats new"),
        ({"difference": -0.25, "higher_is_better": False}, ONE_DECIDES),
        ({"until": "significance"}, "1 sentence of 1,234 decides: without it new no longer beats old beyond chance"),
        ({"sentences": (), "at_least": 0}, "no sentence decides: new and old tie"),
        ({"sentences": (), "until": "significance"}, "no sentence decides: the difference may be chance"),
        ({"sentences": None, "at_least": 1234}, "no sentences decide: new beats old without any of them"),
        ({"sentences": None, "at_least": 7}, "new beats old: no set turns this"),
    ],
)  # fmt: skip
def test_verdicts_in_words(changes: dict[str, Any], said: str) -> None:
    assert pair(**changes).verdict == said


def test_what_a_pair_knows() -> None:
    assert (pair().proven, pair(at_least=0).proven, pair().proven_as_chosen) == (True, False, False)
    assert (pair().better, pair().worse, pair(difference=0.0).better) == ("new", "old", "old")


def test_shares_of_recall_count_edits_within_others() -> None:
    row = SystemTypeRecall(system="a", type="R", gold=3, within=1, correct=1, span=2, overlap=3)
    assert (row.recall, row.span_recall, row.overlap_recall) == (0.5, 0.75, 1.0)


# How many sentences it takes


@pytest.mark.parametrize(("size", "known"), [(1, False), (2, True)])
def test_two_sentences_have_an_interval(size: int, known: bool) -> None:
    corpus = corpus_of(size)
    [made] = score(corpus, {"a": [f"w{i} b" for i in range(size)]}, ["accuracy"], confidence=FEW)
    assert (made.interval is not None, made.level) == (known, 0.95 if known else None)
    assert ("|resamples:20|" in made.signature) is known


def test_two_sentences_and_two_systems_can_be_ranked() -> None:
    corpus = corpus_of(2)
    outputs = {"a": ["w0 b", "w1 b"], "b": ["w0 a", "w1 a"]}
    ranked = score(corpus, outputs, ["accuracy"], clusters=True)
    assert [row.ranks for row in ranked] == [(1, 1), (2, 2)]
    assert [(row.system, row.baseline) for row in compare_all(corpus, outputs, ["accuracy"])] == [("a", "b")]
    for few, said in (({"a": ["w0 b", "w1 b"]}, "two systems or more"), (outputs, "two sentences or more")):
        size = 2 if len(few) == 1 else 1
        with pytest.raises(InputError, match=said):
            score(corpus_of(size), {n: texts[:size] for n, texts in few.items()}, ["accuracy"], clusters=True)


def test_what_is_not_asked_for_is_not_there() -> None:
    [made] = evaluate(["a"], ["b"], [["b"]], metrics=["accuracy"])
    assert (made.interval, made.sentences) == (None, None)
    [sure] = evaluate(["a", "c"], ["b", "c"], [["b"], ["d"]], metrics=["accuracy"], confidence=True, sentences=True)
    assert (sure.interval is None, sure.sentences.tolist()) == (False, [1.0, 0.0])


# Corrections


def test_the_fewest_resamples_for_a_corrected_p() -> None:
    """m tests need m / (resamples + 1) < 0.05."""
    for tests, resamples, enough in ((1, 20, None), (1, 19, 100), (6, 120, None), (6, 119, 1000), (5, 99, 100)):
        notes = correction_notes([comparison(test="larger")] * tests, "holm", Resampling(resamples))
        said = f"with {tests} comparisons and {resamples} resamples no corrected p can be below 0.05; take {enough} "
        assert notes == ([] if enough is None else [f"{said}resamples"])
        signs = correction_notes([comparison()] * tests, "holm", Resampling(flips=resamples))
        assert signs == [note.replace("resamples", "random signs") for note in notes]
    assert correction_notes([comparison()] * 6, "bh", Resampling(20)) == []
    assert correction_notes([], "holm", Resampling(2)) == []
    families = [comparison(test="larger"), *[comparison(metric="gleu", test="larger")] * 6]  # the largest counts
    assert correction_notes(families, "holm", Resampling(100), "metric")[0].startswith("with 6 comparisons")
    assert correction_notes(families, "holm", Resampling(100))[0].startswith("with 7 comparisons")
    assert correction_notes([comparison()] * 1000, "holm", Resampling(100)) == []


# Sentences that are shown, and looks


def test_how_many_sentences_are_shown() -> None:
    corpus = corpus_of(12)
    old, new = corpus.system("old", [f"w{i} a" for i in range(12)]), {"new": [f"w{i} b" for i in range(12)]}
    [shown] = deciding(corpus, old, new, ["accuracy"], confidence=FEW)
    assert [row.sentence for row in shown.influential] == list(range(1, 11))
    [none] = deciding(corpus, old, new, ["accuracy"], most=0, confidence=FEW)
    assert none.influential == ()
    [decision] = not_worse(corpus, old, new, ["accuracy: 0"], confidence=FEW)
    assert len(decision.pair.influential) == 3
    [small] = deciding(
        corpus_of(2), corpus_of(2).system("old", ["w0 a", "w1 a"]), {"new": ["w0 b", "w1 a"]}, ["accuracy"]
    )
    assert small.sentences == (1,)


def test_the_file_of_looks(tmp_path: Path) -> None:
    corpus, path = corpus_of(1), tmp_path / "looks.json"
    looks = Looks(path)
    assert looks.look("ü: 0 @ 0.95", "signed", corpus.system("a", ["x"]), corpus.system("b", ["y"])) == 1
    assert looks.look("ü: 0 @ 0.95", "signed", corpus.system("a", ["y"]), corpus.system("b", ["x"])) == 2
    looks.save()
    first, second = json.loads(path.read_text())["looks"]["ü: 0 @ 0.95"]
    assert all(re.fullmatch("[0-9a-f]{16}", name) for name in (first, second))
    assert path.read_text().split("\n") == [
        "{", ' "schema": "gecval.looks/1",', ' "looks": {', '  "ü: 0 @ 0.95": [', f'   "{first}",', f'   "{second}"',
        "  ]", " }", "}", "",
    ]  # fmt: skip
    assert Looks(path).look("ü: 0 @ 0.95", "signed", corpus.system("a", ["z"]), corpus.system("b", ["y"])) == 3
    for size, said in ((10_000_000, "is not JSON"), (10_000_001, "is too large for a file of looks")):
        path.write_text("")
        os.truncate(path, size)
        with pytest.raises(InputError, match=said):
            Looks(path)


def test_rules_at_the_edges() -> None:
    assert str(Rule.parse("m2: 0 @ 0.001")) == "m2: 0 @ 0.001"
    for text, why in (
        ("m2: inf", "write a rule as"),
        ("m2: 0 @ 0", "between 0 and 1"),
        ("m2: 0 @ 1.5", "between 0 and 1"),
    ):
        with pytest.raises(InputError, match=why):
            Rule.parse(text)


# Contests, costs, signatures and notes


def test_contests_say_how_they_were_held() -> None:
    corpus, outputs = corpus_of(3), {"a": ["w0 b", "w1 b", "w2 b"], "b": ["w0 a", "w1 b", "w2 a"]}
    many, once = (score(corpus, outputs, ["accuracy"], aggregate=way) for way in ("trueskill", "trueskill-pass"))
    assert [list(row.parts) for row in (*many, *once)] == [["spread"], ["spread"], [], []]
    assert "|aggregate:trueskill(100)|rivals:" in many[0].signature
    assert "|aggregate:trueskill-pass|rivals:" in once[0].signature
    assert many[0].sentences is None
    [kept, _] = score(corpus, outputs, ["accuracy"], aggregate="trueskill", sentences=True)
    assert kept.sentences.tolist() == [1, 1, 1]


def test_the_most_that_answers_may_cost() -> None:
    corpus = Corpus.from_texts(["He go home .", "Fine ."])
    judge = 'llm-judge(model="m", url="http://localhost:8000/v1", answer_tokens=7)'
    [made] = cost(corpus, {"a": ["He goes home .", "Fine ."]}, [judge]).costs
    assert (made.to_ask, made.most_answer_tokens) == (made.prompts, 7 * made.prompts)
    with pytest.raises(InputError, match="ld asks no chat model"):
        cost(corpus, {"a": corpus.sources}, ["ld"])


def test_one_output_that_was_cut_anew_is_enough_to_say_so() -> None:
    corpus = corpus_of(1)
    whole, anew = corpus.system("a", ["x"]), corpus.system("b", ["x"], realigned=True)
    assert "|hypotheses:realigned|" in str(Signature.of(metric("gleu"), corpus, "corpus", systems=[whole, anew]))
    assert "realigned" not in str(Signature.of(metric("gleu"), corpus, "corpus", systems=[whole]))


def test_notes_on_sentences_are_those_on_scores() -> None:
    corpus = Corpus.from_texts(["He go .", "She go ."], [["He goes ."], ["She goes ."]])
    glued = {"mine": ["He goes.", "She went."]}
    [note] = score(corpus, glued, ["accuracy"]).notes
    assert score_sentences(corpus, glued, ["accuracy"]).notes == (note,)
    assert json.loads(score_sentences(corpus, glued, ["accuracy"]).to_json())["notes"] == [note]
