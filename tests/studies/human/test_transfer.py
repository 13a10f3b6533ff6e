"""Train here, test there: what is fitted on one set of judgments is shown on others."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from gecval import Corpus, InputError, metric
from gecval.formats.judgments import Judgment, Judgments, Placement
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Evaluation
from gecval.studies.human.ranking import Ranker
from gecval.studies.human.transfer import ChosenMetric, choose_metric, list_candidates

SYSTEMS = ("a", "b", "c", "d", "e")
SENTENCES = 40
FAST = Ranker(resamples=50)


def quality(name: str, *, lower: bool = False) -> Metric:
    """A metric that reads what a text says of itself: each output is ``meaning grammar``."""
    place, sign = ("meaning", "grammar").index(name), -100 if lower else 1
    return metric(
        lambda source, output, references: sign * float(output.split()[place]),
        name=f"{name}-{'lower' if lower else 'higher'}",
        higher_is_better=not lower,
    )


@pytest.fixture(scope="module")
def world() -> tuple[Corpus, dict[str, list[str]], list[Judgments]]:
    """People weigh meaning and grammar alike, here and there; a third set has people who want the opposite."""
    rng = np.random.default_rng(3)
    values = rng.normal(size=(len(SYSTEMS), 2, SENTENCES)) + np.arange(5)[:, None, None] / 4
    corpus = Corpus.from_texts([f"sentence {number} ." for number in range(SENTENCES)])
    outputs = {
        name: [f"{meaning:.6f} {grammar:.6f}" for meaning, grammar in zip(*values[row], strict=True)]
        for row, name in enumerate(SYSTEMS)
    }

    def judge(name: str, wanted: np.ndarray) -> Judgments:  # type: ignore[type-arg]
        items = []
        for sentence, scores in enumerate(wanted.T, 1):
            order = np.argsort(-scores)
            placements = tuple(Placement((SYSTEMS[row],), place) for place, row in enumerate(order, 1))
            items.append(Judgment(sentence, "anna", placements))
        return Judgments(name, tuple(items), first=1)

    both = values.sum(axis=1)
    return corpus, outputs, [judge("here", both), judge("there", both), judge("against", -both)]


@pytest.fixture(scope="module")
def chosen(world: tuple[Corpus, dict[str, list[str]], list[Judgments]]) -> ChosenMetric:
    corpus, outputs, sets = world
    metrics = [quality("meaning"), quality("grammar", lower=True)]
    return choose_metric(sets, corpus, outputs, metrics, train="here", test=["there", "against"], ranker=FAST)


def test_the_mixture_that_people_have_in_mind_is_found(chosen: ChosenMetric) -> None:
    assert len(chosen.candidates) == 2 * 3
    [there, against] = [choice for choice in chosen.choices if choice.criterion == "accuracy"]
    assert there.accuracy.value > 0.97 > there.accuracy_alone.value + 0.1
    assert there.gain.interval.low > 0
    assert against.accuracy.value == pytest.approx(1 - there.accuracy.value)
    assert against.hindsight_value > against.accuracy.value


def test_the_spelling_gives_the_same_scores(
    chosen: ChosenMetric, world: tuple[Corpus, dict[str, list[str]], list[Judgments]]
) -> None:
    """Scales and weights stand in it; a part that is better if lower counts negative."""
    corpus, outputs, sets = world
    spelling = chosen.choices[0].metric
    assert spelling.startswith("interpolated(meaning-higher, grammar-lower, 0.5")
    weight, scales = float(spelling.split(", ")[2]), eval(spelling.partition("scales=")[2][:-1])
    mixed = metric(f"interpolated(ld, perplexity, {weight}, scales={scales})")
    assert mixed.higher_is_better
    scores = {
        name: Evaluation.of(
            type(mixed)(quality("meaning"), quality("grammar", lower=True), weight, scales=scales),
            corpus,
            corpus.system(name, texts),
        ).sentence_scores()
        for name, texts in outputs.items()
    }
    right = total = 0
    for item in sets[1].items:
        ranked = [placement.systems[0] for placement in item.placements]
        for better, worse in product(range(5), range(5)):
            if better < worse:
                right += scores[ranked[better]][item.sentence - 1] > scores[ranked[worse]][item.sentence - 1]
                total += 1
    assert chosen.choices[0].accuracy.value == pytest.approx(right / total)
    assert chosen.choices[0].accuracy.pairs == total


def test_tables_say_that_the_choice_was_blind(chosen: ChosenMetric) -> None:
    text = str(chosen)
    assert "chosen blind among 3 candidates on here" in text
    assert text.count("best of all") == 4
    assert len(chosen.to_frame()) == 4


def test_candidates_are_metrics_alone_pairs_and_named_interpolations() -> None:
    given = [metric(name) for name in ("gleu", "ld", "interpolated(gleu, ld, accuracy)", "interpolated(gleu, ld)")]
    assert [tuple(map(repr, mix)) for mix in list_candidates(given)] == [
        *(("gleu",), ("ld",), ("gleu", "ld"), ("gleu", "ld", "accuracy")),
    ]
    with pytest.raises(InputError, match="nothing to choose from"):
        list_candidates([metric("gleu")])
    with pytest.raises(InputError, match="6 parts are too many to fit"):
        list_candidates([metric("interpolated(gleu, ld, m2, sari, bleu, accuracy)")])


@pytest.mark.parametrize(
    ("train", "test", "message"),
    [
        ("here", "here", "here is both"),
        ("nowhere", "there", "there is no set of judgments 'nowhere'; there is here, there"),
        ("here", (), "name a set of judgments to test on"),
    ],
)
def test_wrong_sets(
    world: tuple[Corpus, dict[str, list[str]], list[Judgments]], train: str, test: str, message: str
) -> None:
    corpus, outputs, sets = world
    with pytest.raises(InputError, match=message):
        choose_metric(sets[:2], corpus, outputs, ["ld", "levenshtein"], train=train, test=test)


def test_what_cannot_be_chosen_is_refused(world: tuple[Corpus, dict[str, list[str]], list[Judgments]]) -> None:
    corpus, outputs, [here, *_] = world
    ties = tuple(
        Judgment(item.sentence, "anna", tuple(Placement((name,), 1) for name in SYSTEMS)) for item in here.items
    )
    metrics = [quality("meaning"), quality("grammar", lower=True)]
    with pytest.raises(InputError, match="ties: no candidate has a value there"):
        choose_metric(
            [here, Judgments("ties", ties, first=1)], corpus, outputs, metrics, train="here", test="ties", ranker=FAST
        )
