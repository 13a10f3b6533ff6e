"""A card's numbers are those that the studies give when they are called directly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from inspect import signature
from math import isnan
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gecval import (
    Corpus,
    Edit,
    HumanOptions,
    Metric,
    Reference,
    System,
    attack,
    human,
    load_sample,
    maege,
    metric,
    read_judgments,
    score,
    validate,
    write_page,
)
from gecval.errors import InputError
from gecval.formats.judgments import Judgment, Judgments, Placement
from gecval.results.checkpoint import Checkpoint
from gecval.runtime.run import SERIAL, Run
from gecval.studies.human.ranking import Ranker
from gecval.studies.reproduce.conll14 import load_outputs, load_participants, load_two_references
from gecval.studies.validate import measuring, people
from gecval.studies.validate import study as validate_run
from gecval.studies.validate.measuring import (
    Duration,
    compute_coverage,
    load_conll14_data,
    load_sample_data,
    measure,
    split_corpus,
)
from gecval.studies.validate.result import Cards, Lacking
from gecval.studies.validate.study import _extractor

WANTED = ["gleu", "ld", "m2"]


@pytest.fixture(scope="module")
def cards() -> Cards:
    return validate(WANTED, sample=True, replicates=2)


def test_a_card_is_saved_as_the_name_of_the_file_says(cards: Cards, tmp_path: Path) -> None:
    cards["gleu"].save(tmp_path / "gleu.html")
    assert (tmp_path / "gleu.html").read_text("utf-8").startswith("<!doctype html>")
    cards.save(str(tmp_path / "cards.md"))
    assert (tmp_path / "cards.md").read_text("utf-8").count("\n# ") >= 2
    cards.save(tmp_path / "cards.json")
    assert (tmp_path / "cards.json").read_text("utf-8").rstrip("\n") == cards.to_json()
    with pytest.raises(InputError, match=r"cards.pdf: a card is written as .html, .htm, .md, .json"):
        cards.save("cards.pdf")
    with pytest.raises(InputError, match=r"write_page takes what gecval.overview gives, not Card; a card has save"):
        write_page(cards["gleu"], tmp_path / "gleu.html")  # type: ignore[arg-type]


def test_maege_is_that_of_the_study(cards: Cards) -> None:
    grounds = load_sample_data()
    direct = maege(grounds.gold, grounds.references, WANTED, replicates=2, by_type=True, edits="plain")
    for name in WANTED:
        levels = cards[name].maege
        assert levels is not None
        assert replace(levels.summary, best=()) == replace(direct[name], best=())
        assert levels.types == tuple(row for row in direct.types if row.metric == name)
        assert (levels.replicates, levels.sentences, levels.references) == (2, 64, "2")


def test_gaming_is_that_of_the_study(cards: Cards) -> None:
    corpus, outputs = load_sample()
    direct = attack(corpus, WANTED, systems=outputs)
    for name, price in zip(WANTED, direct.prices, strict=True):
        gaming = cards[name].gaming
        assert gaming is not None
        assert gaming.price == price
        assert gaming.notes == direct.notes == ()
        assert gaming.attacks == tuple(row for row in direct if row.metric == name)


def test_coverage_with_all_others_is_people_against_each_other(cards: Cards) -> None:
    assert cards["ld"].coverage == ()
    for name in ("gleu", "m2"):
        card = cards[name]
        assert [point.references for point in card.coverage] == [1, 2]
        assert card.gaming is not None
        assert card.gaming.people is not None
        # Three annotators take turns, and each has the two others as references.
        assert card.coverage[-1].people == pytest.approx(card.gaming.people.score, abs=0.005)
    assert cards["m2"].coverage[0].people < cards["m2"].coverage[1].people


def test_coverage_of_one_reference_by_hand() -> None:
    corpus, _ = load_sample()
    first = next(compute_coverage(metric("accuracy"), corpus))
    texts = [corpus.texts_of(i) for i in range(len(corpus))]
    assert first.people == pytest.approx(np.mean([t[a] == t[(a + 1) % 3] for a in range(3) for t in texts]), abs=1e-12)
    same = [t[(a + 1) % 3] == source for a in range(3) for t, source in zip(texts, corpus.sources, strict=True)]
    assert first.source == pytest.approx(np.mean(same), abs=1e-12)


def test_edge_cases(cards: Cards) -> None:
    ld = {case.name: case.score for case in cards["ld"].edges}
    assert ld["unchanged, rightly"] == ld["unchanged, wrongly"] == ld["all empty"] == 1
    assert ld["empty output"] == 0
    m2 = {case.name: case.score for case in cards["m2"].edges}
    assert (m2["all right"], m2["unchanged, wrongly"], m2["one word, right"]) == (1, 0, 1)


def test_range_holds_the_scores_of_a_system(cards: Cards) -> None:
    corpus, outputs = load_sample()
    measured = cards["gleu"].measured
    assert measured is not None
    sentences = score(corpus, outputs[:1], ["gleu"], sentences=True)[0].sentences
    assert sentences is not None
    assert measured.lowest <= sentences.min() <= sentences.max() <= measured.highest
    assert measured.sentences == 72
    assert measured.seconds > 0
    assert measured.cpu_seconds >= 0


def test_what_is_lacking_is_said_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cards: Cards) -> None:
    assert [row.part for row in cards["ld"].lacking] == ["coverage", "agreement with people"]
    assert [row.part for row in cards["m2"].lacking] == ["agreement with people"]
    monkeypatch.setenv("GECVAL_DATA", str(tmp_path))
    [card] = validate(["accuracy"], replicates=1)
    assert card.agreement == card.against == ()
    said = {row.part: row.why for row in card.lacking}
    assert "gecval data fetch conll14" in said["CoNLL-2014; the sample corpus stands in"]
    assert "gecval data fetch conll14" in said["agreement with people"]
    assert card.grounds.startswith("the sample corpus")
    assert card.maege is not None
    assert card.gaming is not None
    assert card.coverage


def test_a_metric_that_fails_does_not_touch_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fragile_metric.py").write_text(
        "def f(source, hypothesis, references):\n    return 1 / len(hypothesis)\n\n"
        "def broken(source, hypothesis, references):\n    raise ValueError('no')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    broken, fragile, accuracy = validate(
        ["fragile_metric:broken", "fragile_metric:f", "accuracy"], sample=True, replicates=1
    )
    assert accuracy.maege is not None
    assert [row.part for row in accuracy.lacking] == ["agreement with people"]
    assert {row.part for row in broken.lacking} >= {"MAEGE", "gaming", "cost and range", "coverage"}
    assert all("no" in row.why for row in broken.lacking if row.part == "MAEGE")
    empty = next(case for case in fragile.edges if case.name == "empty output")
    assert isnan(empty.score)
    assert "division by zero" in (empty.failed or "")
    assert fragile.maege is not None


LOWER = """
from dataclasses import dataclass
from typing import ClassVar
from gecval.metrics.accuracy import Accuracy

@dataclass(frozen=True, repr=False)
class Misses(Accuracy):
    name: ClassVar[str] = "misses"
    higher_is_better: ClassVar[bool] = False

    def score(self, totals):
        return 1 - super().score(totals)
"""


def test_lower_is_better_is_read_the_right_way_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lower_metric.py").write_text(LOWER)
    monkeypatch.syspath_prepend(str(tmp_path))
    hits, misses = validate(["accuracy", "lower_metric:Misses"], sample=True, replicates=1)
    assert hits.maege is not None
    assert misses.maege is not None
    assert misses.maege.summary.sentence_tau == hits.maege.summary.sentence_tau
    assert misses.maege.summary.corpus_spearman == hits.maege.summary.corpus_spearman
    assert hits.gaming is not None
    assert misses.gaming is not None
    assert misses.gaming.price.adversary == hits.gaming.price.adversary
    for worse, better in zip(misses.gaming.attacks, hits.gaming.attacks, strict=True):
        assert worse.score == pytest.approx(1 - better.score, abs=1e-12)
        assert worse.gain == pytest.approx(better.gain, abs=1e-12)
        assert worse.beats == better.beats


def test_figures_hold_every_number_but_the_cost(cards: Cards) -> None:
    figures = {(row.metric, row.part, row.item): row for row in cards.figures}
    assert figures["ld", "edge cases", "empty output"].value == 0
    tau = figures["gleu", "maege", "sentence tau"]
    assert cards["gleu"].maege is not None
    assert (tau.low, tau.high) == cards["gleu"].maege.summary.sentence_tau.interval
    assert figures["gleu", "gaming", "source, all references"].value == pytest.approx(0.178434, abs=1e-6)
    assert not any(row.part.startswith("cost") for row in cards.figures)
    assert "pandas" not in cards.to_json()


def test_refusals() -> None:
    with pytest.raises(InputError, match="the metric ld is given twice"):
        validate(["ld", "ld"], sample=True)
    with pytest.raises(InputError, match="no metrics"):
        validate([], sample=True)
    for replicates in (0, 10**9):
        with pytest.raises(InputError, match=f"replicates is a number from 1 to .*, not {replicates:,}"):
            validate(["ld"], sample=True, replicates=replicates)
    assert signature(validate).parameters["replicates"].default == 3
    with pytest.raises(InputError, match="some needs the folder of its three models"):
        validate(["some"], sample=True)


def test_agreement_is_that_of_the_human_study(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """GJG15 and SEEDA-S without the fluent outputs, with few resamples; M² stands for the baselines."""
    monkeypatch.setattr(people, "BASELINES", ("gleu",))
    ranker = Ranker(methods=("expected-wins",), resamples=20)
    monkeypatch.setattr(people, "OPTIONS", HumanOptions(ranker=ranker))
    found = people.agreement_with_people([metric("accuracy")], people.load_benchmarks())
    assert found.lacking["accuracy"] == []
    corpus = load_two_references()
    folder = {"GJG15": data / "gjg15" / "judgments.xml", "SEEDA-S": data / "seeda" / "judgments_sent.xml"}
    outputs = {"GJG15": load_participants(corpus, repaired=True), "SEEDA-S": load_outputs("seeda", "outputs", corpus)}
    for name, which, without in (("GJG15", "all", ()), ("SEEDA-S", "base", ("INPUT", "GPT-3.5", "REF-F"))):
        direct = human(
            read_judgments(folder[name], name=name),
            corpus,
            outputs[name],
            ["accuracy", "gleu"],
            options=HumanOptions(ranker=ranker, without=without),
        )
        [agreement] = [row for row in found.agreement["accuracy"] if (row.judgments, row.outputs) == (name, which)]
        assert agreement.pearson == direct.correlations[0].pearson
        assert agreement.kendall == direct.correlations[0].kendall
        assert agreement.accuracy == direct.accuracies[0].accuracy
        assert agreement.accuracy_interval == direct.accuracies[0].interval
        judged = direct.accuracies[0]
        assert agreement.pairs == judged.agree + judged.disagree + judged.ties > judged.ties > 0
        [test] = [row for row in found.against["accuracy"] if (row.judgments, row.outputs) == (name, which)]
        assert (test.other, test.p) == ("gleu", direct.comparisons[0].williams_p)
        assert test.difference == direct.comparisons[0].difference
    assert [(row.judgments, row.outputs) for row in found.agreement["accuracy"]] == [
        ("GJG15", "all"),
        ("NSPT15", "all"),
        ("SEEDA-S", "base"),
        ("SEEDA-S", "with fluent"),
        ("SEEDA-E", "base"),
        ("SEEDA-E", "with fluent"),
    ]


def test_real_grounds_are_the_same_sentences(data: Path) -> None:
    grounds = load_conll14_data()
    assert len(grounds.corpus) == 1312
    assert list(grounds.gold.sources) == list(grounds.references.sources) == list(grounds.annotators.sources)
    assert (len(grounds.gold), grounds.references.reference_count, grounds.annotators.reference_count) == (
        200,
        "4",
        "10",
    )
    assert [system.name for system in grounds.systems][:2] == ["AMU", "CAMB"]
    assert "INPUT" not in [system.name for system in grounds.systems]  # the source stands beside the systems anyway
    mended = {system.name: system.hypotheses for system in load_participants(grounds.corpus, repaired=True)}
    assert all(system.hypotheses == mended[system.name] for system in grounds.systems)
    spread = [number * 1312 // 200 for number in range(200)]
    assert grounds.gold.sources == [grounds.corpus.sources[i] for i in spread]


def test_the_time_of_loading_a_model_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []

    def taken(metric: Metric, corpus: Corpus, known: System, size: int, **options: object) -> Duration:
        sizes.append(size)
        return Duration(90.0, 80.0) if len(sizes) == 1 else Duration(size / 50, size / 20)

    monkeypatch.setattr(measuring, "_time_output", taken)
    measured = measure(metric("ld"), load_sample_data())
    # 72 sentences in 1.44 s: all of them, and more than a second; before that, as many load what is needed
    assert (sizes, measured.seconds) == ([72, 72], 20.0)
    assert measured.cpu_seconds == 50.0


def timed(monkeypatch: pytest.MonkeyPatch, size: int, seconds: float) -> tuple[list[int], float]:
    """How many sentences are timed, one after the other, where a hundred take so long."""
    sizes = []

    def taken(metric: Metric, corpus: Corpus, known: System, size: int, **options: object) -> Duration:
        sizes.append(size)
        return Duration(seconds * size / 100, seconds * size / 50)

    monkeypatch.setattr(measuring, "_time_output", taken)
    corpus = Corpus.from_texts(["a"] * size, [["b"]] * size)
    grounds = replace(load_sample_data(), corpus=corpus, systems=[corpus.system("x", ["c"] * size)])
    return sizes, measure(metric("ld"), grounds).seconds


def test_a_hundred_sentences_tell_whether_all_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert timed(monkeypatch, 150, 1.0) == ([100, 100, 150], 10.0)
    assert timed(monkeypatch, 150, 1.25) == ([100, 100], 10.0)
    assert timed(monkeypatch, 40, 0.5) == ([40, 40, 40], 5.0)


def test_the_range_is_that_of_source_first_reference_and_first_system() -> None:
    corpus = Corpus.from_texts(["a b c d"], [["a b c x", "q r s t"]])
    ld = {text: score(corpus, {"x": [text]}, ["ld"])[0].score for text in ("a b c d", "a b c x", "a x y z", "q r s t")}
    assert len(set(ld.values())) == 4
    systems_of_corpus = [corpus.system("first", ["a x y z"]), corpus.system("second", ["q r s t"])]
    grounds = replace(load_sample_data(), corpus=corpus, systems=systems_of_corpus)
    measured = measure(metric("ld"), grounds)
    assert (measured.lowest, measured.highest, measured.sentences) == (ld["a x y z"], ld["a b c d"], 1)
    near = replace(grounds, systems=[corpus.system("first", ["a b c d"])])
    assert measure(metric("ld"), near).lowest == ld["a b c x"]


def test_three_annotators_take_turns() -> None:
    """Of four, the first three are scored, each against those next in turn."""
    texts = [["a", "a", "b", "b"], ["a", "b", "c", "a"], ["d", "a", "d", "a"]]
    corpus = Corpus.from_texts(["a"] * 3, texts)
    points = list(compute_coverage(metric("accuracy"), corpus))
    assert [point.references for point in points] == [1, 2, 3]
    for point in points:
        people_right, source_right = [], []
        for a in range(3):
            for listed in texts:
                others = [listed[(a + step) % 4] for step in range(1, point.references + 1)]
                people_right.append(listed[a] in others)
                source_right.append("a" in others)
        assert (point.people, point.source) == pytest.approx((np.mean(people_right), np.mean(source_right)))
    two = Corpus.from_texts(["a"], [["a", "b"]])
    assert [(point.references, point.people, point.source) for point in compute_coverage(metric("accuracy"), two)] == [
        (1, 0.0, 0.5)
    ]
    with pytest.raises(InputError, match="two annotators or more"):
        list(compute_coverage(metric("accuracy"), Corpus.from_texts(["a"], [["b"]])))


def test_grounds_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lattices and references are of sentences with two annotators or more; where there are none, of all."""
    edit = Reference(edits=(Edit(0, 1, ("x",)),), annotator="0")
    other, third = (replace(edit, edits=(Edit(0, 1, (word,)),), annotator=word) for word in "yz")
    corpus = Corpus(["a", "b", "c", "d"], [[edit], [edit, other], [edit, other, third], [edit, other]])
    output = [corpus.system("mine", ["a", "b", "c", "d"])]
    grounds = split_corpus(corpus, output)
    assert grounds.corpus is corpus
    assert grounds.gold.sources == grounds.references.sources == grounds.annotators.sources == ["b", "c", "d"]
    assert grounds.gold.references == [[edit]] * 3
    assert grounds.references.references == [[other], [other, third], [other]]
    assert grounds.annotators.references == [[edit, other]] * 3
    monkeypatch.setattr(measuring, "SENTENCES", 2)
    assert split_corpus(corpus, output).gold.sources == ["b", "c"]  # evenly spread
    single = Corpus(["a", "b"], [[edit], [other]])
    alone = split_corpus(single, [single.system("mine", ["a", "b"])])
    assert alone.gold.references == alone.references.references == alone.annotators.references == [[edit], [other]]
    texts = Corpus.from_texts(["a b"], [["a x"]], language="uk")
    assert split_corpus(texts, [texts.system("mine", ["a b"])]).corpus.has_edits()
    with pytest.raises(InputError, match="a card needs the output of one system or more"):
        split_corpus(corpus, [])


def test_grounds_of_the_sample() -> None:
    grounds, (corpus, _) = load_sample_data(), load_sample()
    assert [len(listed) for listed in grounds.gold.references] == [1] * 72
    assert [listed[0] for listed in grounds.gold.references] == [listed[0] for listed in corpus.references]
    assert [listed[:] for listed in grounds.references.references] == [listed[1:] for listed in corpus.references]


SETS = ("GJG15", "NSPT15")


def french_benchmark(
    name: str, sets: Mapping[str, tuple[str, ...]], lacking: Sequence[Lacking] = ()
) -> people.JudgedBenchmark:
    """Five systems on French sentences, which errant and lt refuse. All sets of judgments rank them alike."""
    right, wrong = "Il va à la maison .", "Il aller à maison ."
    corpus = Corpus.from_texts([wrong] * 4, [[right]] * 4, language="fr")
    outputs = [corpus.system(f"{good} good", [right] * good + [wrong] * (4 - good)) for good in range(5)]
    ranked = tuple(Placement((system.name,), rank) for rank, system in enumerate(reversed(outputs), start=1))
    judgments = tuple(Judgment(sentence, "anna", ranked) for sentence in range(1, 5))
    placed = []
    for judged, without in sets.items():
        read = partial(Judgments, judged, judgments, first=1)
        of = people.JudgedSet(name=judged, outputs="all", read=read, without=without)
        placed.append(people.PlacedSet.read(of, corpus, outputs))
    return people.JudgedBenchmark(name=name, corpus=corpus, systems=outputs, sets=placed, lacking=lacking)


def test_what_people_cannot_be_asked_about() -> None:
    """A set that is not there, a metric that fails, and a baseline that fails are each said by name."""
    lacks = Lacking(part="agreement with people: SEEDA", why="no such file")
    benches = [french_benchmark("one", {"first": (), "second": ("0 good",)}, [lacks]), french_benchmark("none", {})]
    found = people.agreement_with_people([metric("ld"), metric("gleu"), metric("lt")], benches)
    # No baseline is tested against itself, and errant against nothing.
    assert {name: [(row.judgments, row.other) for row in rows] for name, rows in found.against.items()} == {
        "ld": [("first", "gleu"), ("first", "m2"), ("second", "gleu"), ("second", "m2")],
        "gleu": [("first", "m2"), ("second", "m2")],
        "lt": [],
    }
    for name, r in (("gleu", 1.0), ("ld", -1.0)):  # ld does not look at references: who changes less scores higher
        assert [(row.judgments, round(row.pearson.value, 1), row.pairs) for row in found.agreement[name]] == [
            ("first", r, 4 * 10),
            ("second", r, 4 * 6),
        ]
    assert found.agreement["lt"] == []
    first, of_lt, of_errant = found.lacking["lt"]
    assert (first, of_lt.part, of_errant.part) == (lacks, "agreement with people", "Williams' test against errant")
    assert "lt" in of_lt.why
    assert "errant" in of_errant.why
    assert found.lacking["ld"] == found.lacking["gleu"] == [lacks, of_errant]


@pytest.mark.parametrize("parameter", ["backend", "checkpoint"])
@pytest.mark.parametrize("together", [True, False])
def test_a_cluster_that_is_gone_ends_the_study(monkeypatch: pytest.MonkeyPatch, parameter: str, together: bool) -> None:
    def study(gold: object, references: object, metrics: list[Metric], **_: object) -> None:
        raise InputError("gone", parameter=parameter if (len(metrics) == 2) == together else "metrics")

    monkeypatch.setattr(validate_run, "maege", study)
    two = {name: metric(name) for name in ("ld", "bleu")}
    chunks: Any = SimpleNamespace(metrics=two, data=SimpleNamespace(gold=0, references=0), seed=1)
    parts = validate_run._CardRunner(chunks, {"ld": [], "bleu": []}, finished=Checkpoint(None, str, None), run=SERIAL)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="gone") as refused:
        parts.maege(1, run=Run(jobs=1, backend=None))
    assert refused.value.parameters == (parameter,)


def test_edge_cases_of_metrics_that_are_given_edits_take_plain_ones() -> None:
    names = ("m2", "gleu", 'errant(model="plain")')
    assert [_extractor(metric(name)) for name in names] == ["plain", None, None]


def test_what_a_model_is_asked_while_gaming_shows_as_progress() -> None:
    class Asking(type(metric("accuracy"))):  # type: ignore[misc]
        def prepare(
            self,
            corpus,
            systems,
            *,
            run: Run = SERIAL,
        ):
            run.progress(len(corpus), 12345)

    corpus = Corpus.from_texts(["He go home .", "Fine ."], [["He goes home ."], ["Fine ."]])
    reports: list[tuple[int, int]] = []
    validate(
        [Asking()],
        corpus,
        {"mine": ["He goes home .", "Fine ,"]},
        replicates=1,
        run=Run(progress=lambda *r: reports.append(r)),
    )
    assert (2, 12345) in reports
