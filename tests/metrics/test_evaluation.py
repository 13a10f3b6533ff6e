"""What is looked at before a system is scored: its length, and whatever a user's own metric gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from gecval import Corpus, Edit, InputError, Metric, Statistics, System, metric, metric_names, score
from gecval.corpus.references import Reference
from gecval.edits.annotate import annotate
from gecval.edits.plain import PlainExtractor
from gecval.metrics.base import Array, all_edits_given
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.reference_rules import Best, Pooled, ReferenceRule, RunningBest
from gecval.runtime.run import SERIAL, Run

CORPUS = Corpus.from_texts(["a b c", "b c d"], [["b"], ["c", "d"]])
SYSTEM = CORPUS.system("x", ["y", "z"])
POOLED = Pooled()


@dataclass(frozen=True, repr=False)
class Own(Metric):
    """Gives whatever it is told to."""

    given: Statistics
    rule: ReferenceRule = POOLED
    function: Callable[[Array], object] = lambda totals: totals[..., 0] / totals[..., 1]

    name: ClassVar[str] = "own"

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        return self.given

    def score(self, totals: Array) -> Array:
        return self.function(totals)  # type: ignore[return-value]

    def parts(self, totals: Array) -> dict[str, float]:
        return {"first": totals[0] / totals[1]}

    def __repr__(self) -> str:
        return self.name


def rows(*listed: tuple[float, ...]) -> Array:
    return np.array(listed, dtype=np.float64)


JUDGE = 'llm-judge(model="x", url="http://localhost/v1")'


@pytest.mark.parametrize(
    "name", [name for name in metric_names() if name not in ("lfm", "scribendi", "graded-scribendi", "perplexity")]
)
@pytest.mark.parametrize("hypotheses", [["y"], ["y"] * 3, []], ids=len)
def test_a_system_of_another_length(name: str, hypotheses: list[str]) -> None:
    scorer = metric(
        {"errant": 'errant(model="plain")', "from-file": 'from-file(path="x")', "llm-judge": JUDGE}.get(name, name)
    )
    gold = Corpus(CORPUS.sources, [[reference] for reference, *_ in CORPUS.references])
    if scorer.needs == "edits":
        gold = annotate(gold, PlainExtractor())
    with pytest.raises(InputError, match=rf"x has {len(hypotheses)} sentences, the source 2"):
        Evaluation.of(scorer, gold, System("x", hypotheses))


def test_the_public_function_refuses_it_too() -> None:
    with pytest.raises(InputError, match="x has 1 sentences, the source 2"):
        score(CORPUS, [System("x", ["y"])], [metric("sari")])


def test_what_fits() -> None:
    evaluation = Evaluation.of(
        Own(Statistics(rows((1, 2), (3, 4), (1, 4)), CORPUS.reference_slots), Best()), CORPUS, SYSTEM
    )
    assert evaluation.sentence_scores().tolist() == [0.5, 0.75]
    assert evaluation.score() == 4 / 6
    assert evaluation.parts() == {"first": 4 / 6}


def test_blocks_of_other_sizes_left_out_of_a_mean() -> None:
    """Sentence scores 1, 1/2, 1/4, 0: the mean of the others, whatever the size of the block."""
    corpus = Corpus.from_texts(["a", "b", "c", "d"], [["x"]] * 4)
    metric = Own(Statistics.one_per_sentence(rows((4, 4), (2, 4), (1, 4), (0, 4))))
    mean = Evaluation.of(metric, corpus, corpus.system("x", ["y"] * 4), aggregate="mean")
    blocks = [slice(0, 1), slice(1, 4)]
    assert mean.scores_without(blocks).tolist() == [0.25, 1.0]
    assert mean.scores_without([slice(0, 2), slice(2, 4)]).tolist() == [0.125, 0.75]
    assert mean.scores_over(np.array([[0, 0, 0, 0], [0, 1, 2, 3]])).tolist() == [1.0, 0.4375]


PAIR = rows((1, 2), (3, 4))
AXES = "need rows in a numpy array with 2 axes and numbers of type float64"
OFFSETS = "need offsets that rise from 0 to the number of rows, 2, with a row or more for each sentence"


@pytest.mark.parametrize(
    ("statistics", "message"),
    [
        (Statistics.one_per_sentence(np.ones((3, 2))), "are of 3 sentences, and the corpus has 2"),
        (Statistics.one_per_sentence(np.ones((2, 2), dtype=int)), AXES),  # type: ignore[arg-type]
        (Statistics.one_per_sentence(np.ones(2)), AXES),
        (Statistics([[1.0, 2.0]] * 2, np.arange(3)), AXES),  # type: ignore[arg-type]
        (Statistics(PAIR, np.arange(3.0)), "need offsets in a numpy array with 1 axes and numbers of type int64"),  # type: ignore[arg-type]
        (Statistics(PAIR, np.array([0, 1, 3])), OFFSETS),
        (Statistics(PAIR, np.array([0, 0, 2])), OFFSETS),
        (Statistics(PAIR, np.array([1, 1, 2])), OFFSETS),
        (Statistics(PAIR, np.array([0, 3, 2])), OFFSETS),
        (
            Statistics(rows((1, 2), (3, 4), (1, 4)), CORPUS.reference_slots),
            "have 3 rows, and the rule pooled takes one for each of 2 sentences",
        ),
        (Statistics.one_per_sentence(rows((1, 2), (np.inf, 4))), "hold inf for sentence 2"),
    ],
)
def test_statistics_that_do_not_fit(statistics: Statistics, message: str) -> None:
    with pytest.raises(InputError) as error:
        Evaluation.of(Own(statistics), CORPUS, SYSTEM)
    assert str(error.value) == f"own: its statistics {message}"


@pytest.mark.parametrize(
    ("rule", "columns"), [(RunningBest(), 3), (metric("imeasure(mix=False)").rule, 7)], ids=["running-best", "best"]
)
def test_a_rule_that_knows_its_columns(rule: ReferenceRule, columns: int) -> None:
    message = f"own: its statistics have 2 columns, and the rule {rule.name} takes {columns}"
    with pytest.raises(InputError, match=message):
        Evaluation.of(Own(Statistics.one_per_sentence(PAIR), rule), CORPUS, SYSTEM)


@pytest.mark.filterwarnings("error")
def test_scores_that_are_no_numbers() -> None:
    def refusal(ask: Callable[..., object], *arguments: object) -> str:
        with pytest.raises(InputError) as error:
            ask(*arguments)
        return str(error.value).removesuffix("; let it say what 0 / 0 is to be")

    evaluation = Evaluation.of(Own(Statistics.one_per_sentence(rows((1, 2), (0, 0)))), CORPUS, SYSTEM)
    mean = Evaluation.of(evaluation.metric, CORPUS, SYSTEM, aggregate="mean")
    assert evaluation.score() == 0.5
    assert refusal(evaluation.sentence_scores) == "own gives nan for sentence 2 of x"
    assert refusal(mean.score) == "own gives nan for sentence 2 of x"
    assert refusal(evaluation.scores_over, np.array([[0, 1], [1, 1]])) == "own gives nan for resample 2 of x"
    assert refusal(evaluation.scores_without, [slice(0, 1), slice(1, 2)]) == "own gives nan for jackknife block 1 of x"
    assert (
        refusal(evaluation.concatenate(evaluation).scores_over, np.array([[1, 3]]))
        == "own gives nan for resample 1 of x and x"
    )
    nothing = Evaluation.of(Own(Statistics.one_per_sentence(rows((1, 0), (0, 0)))), CORPUS, SYSTEM)
    assert refusal(nothing.score) == "own gives inf for x"
    assert refusal(nothing.parts) == "own gives inf for 'first' of x"


@pytest.mark.parametrize("function", [lambda totals: 0.5, lambda totals: totals, lambda totals: totals.sum()])
def test_scores_of_a_wrong_shape(function: Callable[[Array], object]) -> None:
    own = Own(Statistics.one_per_sentence(PAIR), function=function)
    with pytest.raises(InputError, match="own: score must give one number for each row"):
        Evaluation.of(own, CORPUS, SYSTEM).score()


@pytest.mark.parametrize(
    ("references", "message"),
    [
        ([[], []], "sari needs references"),
        ([["b"], []], "sari needs a reference for every sentence; sentence 2 has none"),
    ],
)
def test_a_corpus_that_lacks_references_is_refused(references: list[list[str]], message: str) -> None:
    corpus = Corpus.from_texts(CORPUS.sources, references)
    with pytest.raises(InputError) as error:
        Evaluation.of(metric("sari"), corpus, SYSTEM)
    assert str(error.value) == message


def test_places_count_where_references_are_drawn_by_them() -> None:
    """GLEU draws one of several references by the place of a sentence. A mean of sentences does not."""
    single = Corpus.from_texts(CORPUS.sources, [["b"], ["c"]])
    for scored, corpus, counts in (("gleu", CORPUS, True), ("gleu", single, False), ("sari", CORPUS, False)):
        assert Evaluation.of(metric(scored), corpus, SYSTEM).by_position == counts
        assert not Evaluation.of(metric(scored), corpus, SYSTEM, aggregate="mean").by_position


def test_fractions_of_references_that_are_chosen_anew() -> None:
    """M² chooses one of several references by those before, so it has fractions only as chosen; GLEU has none."""
    several = Evaluation(metric("m2"), Statistics(rows((1, 1, 2), (0, 1, 1), (2, 3, 2)), np.array([0, 2, 3])))
    assert several.fractions() is None
    fractions = several.fractions(as_chosen=True)
    assert fractions is not None
    assert fractions[0].sum() / fractions[1].sum() == pytest.approx(several.score())
    assert Evaluation(metric("m2"), Statistics.one_per_sentence(rows((1, 1, 2)))).fractions() is not None
    drawn = Evaluation(metric("gleu"), Statistics(np.ones((3, 10)), np.array([0, 2, 3])))
    assert drawn.fractions() is None
    assert drawn.fractions(as_chosen=True) is None


# The statistics array by hand, and what every metric says of itself unless it says otherwise.


RAGGED = Statistics(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([0, 1, 3]), ("a note",))


def listed(statistics: Statistics) -> tuple[list[list[float]], list[int]]:
    return statistics.rows.tolist(), statistics.offsets.tolist()


def test_sentences_are_taken_with_all_their_rows() -> None:
    taken = RAGGED.take(np.array([1, 0, 1]))
    assert listed(taken) == ([[3, 4], [5, 6], [1, 2], [3, 4], [5, 6]], [0, 2, 3, 5])
    assert (len(taken), taken.notes, taken.copies) == (3, ("a note",), 1)


def test_one_more_sentence_that_counts_nothing() -> None:
    assert listed(RAGGED.with_empty_sentence()) == ([[1, 2], [3, 4], [5, 6], [0, 0]], [0, 1, 3, 4])


def test_two_systems_beside_each_other() -> None:
    both = RAGGED.concatenate(RAGGED.take(np.array([1, 0])))
    assert listed(both) == ([[1, 2], [3, 4], [5, 6], [3, 4], [5, 6], [1, 2]], [0, 1, 3, 5, 6])
    assert both.copies == 2


def test_a_score_times_its_direction_rises_with_quality() -> None:
    assert metric("accuracy").direction == 1
    assert metric('from-file(path="x", lower_is_better=True)').direction == -1


def test_metrics_compare_no_types_and_find_no_edits_of_their_own() -> None:
    plain = metric("sari")
    assert (plain.compares_types, plain.finds_edits, plain.extractor, plain.whole_corpus) == (False, False, None, None)


EDIT = (Edit(0, 1, ("Ich",)),)
TEXTS = Corpus(["ich gehe ."], [[Reference(text="Ich gehe .")]], language="de")
EDITS = Corpus(["ich gehe ."], [[Reference(edits=EDIT)]], language="de")


@pytest.mark.parametrize("corpus", [TEXTS, EDITS])
def test_edits_are_given_where_references_and_outputs_have_them(corpus: Corpus) -> None:
    assert not all_edits_given(corpus)
    assert all_edits_given(replace(corpus, given_edits=True)) == (corpus is EDITS)


def test_only_who_looks_at_a_text_must_know_its_language() -> None:
    """ERRANT looks at no text where all edits are given, and the model of LFM always does."""
    given = replace(EDITS, given_edits=True)
    metric("errant").check(given)
    for scored, corpus in (("errant", EDITS), ("errant", TEXTS), ('lfm(model="x")', EDITS), ('lfm(model="x")', given)):
        with pytest.raises(InputError, match="English"):
            metric(scored).check(corpus)
