"""What each metric sees: its own edits, whichever other metrics are asked for."""

from collections.abc import Sequence
from itertools import permutations

import pytest

from gecval import Corpus, InputError, Metric, System, metric, score
from gecval.edit import Edit
from gecval.metrics.m2 import M2
from gecval.studies.preparation import prepare

CORPUS = Corpus.from_texts(["He go to home .", "I has two cat ."], [["He goes home ."], ["I have two cats ."]])
SYSTEM = CORPUS.system("mine", ["He goes home .", "I have two cat ."])


class Whole:
    """Takes a changed sentence for one edit."""

    signature = "whole"

    def edits(self, pairs: Sequence[tuple[str, str]], **options: object) -> list[tuple[Edit, ...]]:
        return [(Edit(0, len(a.split()), (b,)),) if a != b else () for a, b in pairs]


class Joined(Whole):
    """The same under another name: a metric's own."""

    signature = "joined"


class LooksAtHypotheses(M2):
    @property
    def extractor(self) -> Joined:
        return Joined()


def test_a_score_does_not_depend_on_other_metrics() -> None:
    metrics = [metric("m2"), metric('errant(model="plain")'), LooksAtHypotheses(beta=1.0), metric("gleu")]
    alone = {}
    for one in metrics:
        [found] = score(CORPUS, [SYSTEM], [one], extractor=Whole())
        alone[found.metric] = (found.score, found.signature)
    assert alone["m2"][0] < alone["errant(model='plain')"][0]  # they do see different edits
    for order in permutations(metrics):
        found = score(CORPUS, [SYSTEM], order, extractor=Whole())
        assert {one.metric: (one.score, one.signature) for one in found} == alone


def test_signatures_name_what_found_the_edits() -> None:
    metrics: list[Metric] = [metric("m2"), LooksAtHypotheses(), metric("gleu")]
    m2, own, gleu = (one.signature.split("|") for one in score(CORPUS, [SYSTEM], metrics, extractor=Whole()))
    assert "whole" in m2
    assert "joined" in own
    assert "whole" not in own
    assert not {"whole", "joined"} & {*gleu}


def test_metrics_without_need_see_what_was_loaded() -> None:
    m2, gleu = prepare(CORPUS, [SYSTEM], [metric("m2"), metric("gleu")], Whole())
    assert gleu is CORPUS
    assert m2.references[0][0].edits == (Edit(0, 5, ("He goes home .",)),)


def test_what_cannot_be_scored_is_refused_before_anything_slow() -> None:
    class Never(Whole):
        def edits(self, pairs: Sequence[tuple[str, str]], **options: object) -> list[tuple[Edit, ...]]:
            raise AssertionError

    with pytest.raises(InputError, match="lfm needs a model"):
        prepare(CORPUS, [SYSTEM], [metric("m2"), metric("lfm")], Never())
    with pytest.raises(InputError, match="short has 1 sentences, the source 2"):
        prepare(CORPUS, [System("short", ["a"])], [metric("errant(model='plain')")], Never())
    with pytest.raises(InputError, match="m2 needs edits"):
        prepare(CORPUS, [SYSTEM], [metric("m2")])


def test_a_hybrid_sees_its_parts_edits_and_names_all_that_decides() -> None:
    hybrid = metric("interpolated(errant(model='plain'), ld, 1.0)")
    alone = score(CORPUS, [SYSTEM], [metric("errant(model='plain')")], aggregate="mean", extractor=Whole())[0]
    [found] = score(CORPUS, [SYSTEM], [hybrid], extractor=Whole())
    assert found.score == alone.score
    assert "with:errant(" in found.signature
    assert "model:plain" in found.signature
    assert found.signature.split("|")[-2] == "plain"
    with pytest.raises(InputError, match="both parts must look at the same edits"):
        metric("interpolated(errant, errant(model='plain'), 0.5)")
