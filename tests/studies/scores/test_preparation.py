"""What each metric sees: its own edits, whichever other metrics are asked for."""

from collections.abc import Callable, Sequence
from itertools import permutations
from typing import ClassVar

import pytest

from gecval import Corpus, InputError, Metric, System, annotate, compare_all, extractor, metric, overview, score
from gecval.corpus.edit import Edit
from gecval.errors import MissingExtraError
from gecval.metrics.accuracy import Accuracy
from gecval.metrics.base import Need
from gecval.metrics.gleu import GLEU
from gecval.metrics.m2 import M2
from gecval.runtime.run import Run
from gecval.studies.scores.preparation import check_scorable, prepare
from gecval.studies.scores.sentences import score_sentences

CORPUS = Corpus.from_texts(["He go to home .", "I has two cat ."], [["He goes home ."], ["I have two cats ."]])
SYSTEM = CORPUS.system("mine", ["He goes home .", "I have two cat ."])


class Whole:
    """Takes a changed sentence for one edit."""

    language = None
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
    for alone_in_list in metrics:
        [result] = score(CORPUS, [SYSTEM], [alone_in_list], edits=Whole())
        alone[result.metric] = (result.score, result.signature)
    assert alone["m2"][0] < alone["errant(model='plain')"][0]  # they do see different edits
    for order in permutations(metrics):
        scores = score(CORPUS, [SYSTEM], order, edits=Whole())
        assert {result.metric: (result.score, result.signature) for result in scores} == alone


def test_an_extractor_that_its_author_changed() -> None:
    """It finds other edits under its old signature: those found before must not stand for them."""

    class Plain(Whole):
        def edits(self, pairs: Sequence[tuple[str, str]], **options: object) -> list[tuple[Edit, ...]]:
            return extractor("plain").edits(pairs)

    texts = list(CORPUS.sources), [CORPUS.texts_of(0), CORPUS.texts_of(1)]
    for finders in ([Whole(), Plain()], [Plain(), Whole()]):
        corpus = Corpus.from_texts(*texts)
        scores = [score(corpus, [SYSTEM], ["m2"], edits=finder)[0].score for finder in finders]
        assert scores == [
            score(Corpus.from_texts(*texts), [SYSTEM], ["m2"], edits=finder)[0].score for finder in finders
        ]
        assert scores[0] != scores[1]


def test_signatures_name_what_found_the_edits() -> None:
    metrics: list[Metric] = [metric("m2"), LooksAtHypotheses(), metric("gleu")]
    m2, own, gleu = (result.signature.split("|") for result in score(CORPUS, [SYSTEM], metrics, edits=Whole()))
    assert "whole" in m2
    assert "joined" in own
    assert "whole" not in own
    assert not {"whole", "joined"} & {*gleu}


def test_metrics_without_need_see_what_was_loaded() -> None:
    m2, gleu = prepare(CORPUS, [SYSTEM], [metric("m2"), metric("gleu")], extractor=Whole())
    assert gleu is CORPUS
    assert m2.references[0][0].edits == (Edit(0, 5, ("He goes home .",)),)


def test_what_cannot_be_scored_is_refused_before_anything_slow() -> None:
    class Never(Whole):
        def edits(self, pairs: Sequence[tuple[str, str]], **options: object) -> list[tuple[Edit, ...]]:
            raise AssertionError

    with pytest.raises(InputError, match="lfm needs a model"):
        prepare(CORPUS, [SYSTEM], [metric("m2"), metric("lfm")], extractor=Never())
    with pytest.raises(InputError, match="short has 1 sentences, the source 2"):
        prepare(CORPUS, [System("short", ["a"])], [metric("errant(model='plain')")], extractor=Never())


class English(Whole):
    """Knows English only, and cuts texts into characters."""

    language = "en"
    signature = "english"

    def tokens(self, text: str) -> list[str]:
        return list(text.replace(" ", ""))


@pytest.mark.parametrize("check", [check_scorable, prepare])
def test_an_extractor_that_does_not_fit_is_refused_for_metrics_that_need_it(check: Callable[..., object]) -> None:
    other, chars = ukrainian(), Corpus.from_texts(["a b"], [["a c"]])
    right, glued = (chars.system("mine", [text]) for text in ("a c", "ac"))
    for names in (["m2"], ["gleu", "m2"]):
        metrics = [metric(name) for name in names]
        with pytest.raises(InputError, match="english judges English only, and the source looks Ukrainian"):
            check(other, [], metrics, extractor=English())
        with pytest.raises(InputError, match="the edits of english count other tokens than m2 compares"):
            check(chars, [right, glued], metrics, extractor=English())
        check(chars, [right], metrics, extractor=English())
    check(other, [], [metric("gleu")], extractor=English())
    check(annotate(other, "plain"), [], [metric("m2")], extractor=English())


def test_a_hybrid_sees_its_parts_edits_and_names_all_that_decides() -> None:
    hybrid = metric("interpolated(errant(model='plain'), ld, 1.0)")
    alone = score(CORPUS, [SYSTEM], [metric("errant(model='plain')")], aggregate="mean", edits=Whole())[0]
    [result] = score(CORPUS, [SYSTEM], [hybrid], edits=Whole())
    assert result.score == alone.score
    assert "with:errant(" in result.signature
    assert "model:plain" in result.signature
    assert result.signature.split("|")[-2] == "plain"
    with pytest.raises(InputError, match="all parts must look at the same edits"):
        metric("interpolated(errant, errant(model='plain'), 0.5)")


def english(words: int = 60) -> Corpus:
    """Text that is clearly English, with text references."""
    sources = ["This is the house of the people that they have in the city ."] * (words // 13 + 1)
    return Corpus.from_texts(sources, [[source.replace("city", "town")] for source in sources])


def ukrainian() -> Corpus:
    sources = ["Він пішов додому , бо було вже пізно .", "Це дуже добре , що ти прийшов ."]
    return Corpus.from_texts(sources, [[source.replace("дуже", "так")] for source in sources])


def without_errant(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(distribution: str) -> str:
        raise MissingExtraError(f"extracting edits ({distribution})", "errant")

    for module in ("models.spacy_parser", "edits.errant"):
        monkeypatch.setattr(f"gecval.{module}.installed_version", missing)


def test_without_an_extractor_english_goes_to_errant_and_a_note_says_so() -> None:
    pytest.importorskip("errant", reason="needs the extra: pip install 'gecval[errant]'")
    corpus = english()
    [result] = scores = score(corpus, {"copy": corpus.sources}, ["m2"])
    [given] = score(corpus, {"copy": corpus.sources}, ["m2"], edits="errant")
    assert (result.score, result.signature) == (given.score, given.signature)
    assert "|errant:" in result.signature
    assert [note for note in scores.notes if "edits are found by ERRANT (errant" in note]


def test_without_an_extractor_other_languages_go_to_plain_rules() -> None:
    corpus = ukrainian()
    [result] = scores = score(corpus, {"copy": corpus.sources}, ["m2"])
    assert "|plain|" in result.signature
    assert scores.notes[-1] == "edits are found by plain rules, since the text looks Ukrainian"


def test_without_errant_plain_rules_find_edits(monkeypatch: pytest.MonkeyPatch) -> None:
    without_errant(monkeypatch)
    corpus = english()
    [result] = scores = score(corpus, {"copy": corpus.sources}, ["m2"])
    assert "|plain|" in result.signature
    assert scores.notes[-1].startswith("edits are found by plain rules, since extracting edits (errant) needs an opt")


def test_no_extractor_is_chosen_where_no_metric_needs_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gecval.edits.extractors.choose_extractor", None)
    with_edits = annotate(english(), extractor("plain"))
    for corpus, names in ((english(), ["gleu", "errant(model='plain')"]), (with_edits, ["m2"])):
        assert score(corpus, {"copy": corpus.sources}, names).notes == ()


def test_an_extractor_that_is_named_gives_no_note() -> None:
    scores = score(CORPUS, [SYSTEM], ["m2"], edits="plain")
    assert "|plain|" in scores[0].signature
    assert scores.notes == ()


def test_what_a_metric_refuses_is_not_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model is not loaded, and a server not started, for a corpus that the metric cannot score."""
    prepared: list[str] = []
    lone = Corpus.from_texts(["a b"])
    gleu, ld = metric("gleu"), metric("ld")
    for kind in (type(gleu), type(ld)):
        monkeypatch.setattr(kind, "prepare", lambda self, *_, **__: prepared.append(self.name))
    with pytest.raises(InputError, match="gleu needs references"):
        prepare(lone, [lone.system("mine", ["a"])], [gleu, ld], extractor=None, run=Run(jobs=1))
    assert prepared == []


class Picky(M2):
    """Refuses edits that it did not expect, which it sees once they are found."""

    def check(self, corpus: Corpus) -> None:
        super().check(corpus)
        raise InputError(f"edits of {corpus.extractor} are not for me")

    def prepare(self, *_: object, **__: object) -> None:
        raise AssertionError("prepared")


def test_a_metric_checks_the_edits_that_were_found_for_it() -> None:
    with pytest.raises(InputError, match="edits of whole are not for me"):
        prepare(CORPUS, [SYSTEM], [Picky()], extractor=Whole())


def test_what_is_scored_already_asks_no_model_again() -> None:
    asked = []

    class Slow(GLEU):
        def prepare(self, corpus, systems, **more) -> None:
            asked.append([system.name for system in systems])

    corpus = Corpus.from_texts(["a b ."], [["c b ."]])
    systems = [corpus.system("mine", ["c b ."])]
    assert prepare(corpus, systems, [Slow()], scored=True) == [corpus]
    assert asked == []
    prepare(corpus, systems, [Slow()])
    assert asked == [["mine"]]


class Counted(Accuracy):
    """It counts how often it looks at a corpus."""

    looks = 0

    def check(self, corpus: Corpus) -> None:
        type(self).looks += 1
        super().check(corpus)


class CountedEdits(Counted):
    needs: ClassVar[Need | None] = "edits"


@pytest.mark.parametrize("kind", [Counted, CountedEdits])
@pytest.mark.parametrize(
    "study",
    [
        lambda corpus, outputs, metric: score(corpus, outputs, [metric], clusters=True, edits="plain"),
        lambda corpus, outputs, metric: compare_all(corpus, outputs, [metric], edits="plain"),
        lambda corpus, outputs, metric: score_sentences(corpus, outputs, [metric], edits="plain"),
        lambda corpus, outputs, metric: overview(corpus, outputs, [metric], edits="plain"),
    ],
)
def test_a_metric_looks_at_a_corpus_once(kind: type[Counted], study: Callable[..., object]) -> None:
    corpus = Corpus.from_texts(["He go .", "Fine ."], [["He goes ."], ["Fine ."]])
    kind.looks = 0
    study(corpus, {"a": ["He goes .", "Fine ."], "b": ["He go .", "Fine ."], "c": ["He .", "Fine ."]}, kind())
    assert kind.looks == 1


def test_two_systems_of_one_name_are_refused() -> None:
    corpus = Corpus.from_texts(["a"], [["b"]])
    twins = [corpus.system("mine", ["a"]), corpus.system("mine", ["b"])]
    with pytest.raises(InputError, match="2 systems are named 'mine'; give each a name of its own"):
        score(corpus, twins, ["accuracy"])
