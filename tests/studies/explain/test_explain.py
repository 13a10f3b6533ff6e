"""What each edit adds: against the living library's values, and by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from gecval import Corpus, Edit, InputError, Metric, explain, load_corpus, load_systems, metric
from gecval.metrics.evaluation import Evaluation

METHODS = {"shapley": "shapley", "add-one-in": "add", "leave-one-out": "sub"}


@pytest.mark.parametrize("method", METHODS)
def test_the_living_librarys_values(data: Path, golden: Path, method) -> None:
    pytest.importorskip("errant", reason="the extra errant is not installed")
    results = json.loads((golden / "modern" / "gec-metrics_attribution.json").read_text())["results"]
    corpus = load_corpus(data / "conll14" / "source.txt", [data / "references" / f"NUCLE{a}" for a in "AB"])
    checked = 0
    for name in sorted({result["system"] for result in results}):
        of_system = [result for result in results if result["system"] == name]
        explained = explain(
            corpus,
            load_systems([data / "conll14" / "systems" / name], corpus),
            ["green"],
            method=method,
            sentences=[result["sentence"] + 1 for result in of_system],
            edits="errant",
        )
        by_number = {sentence.sentence: sentence for sentence in explained}
        for result in of_system:
            sentence = by_number[result["sentence"] + 1]
            assert [[e.start, e.end, e.correction, e.type] for e in sentence.edits] == result["edits"]
            assert sentence.source_score == pytest.approx(result["source_score"], abs=1e-9)
            assert [e.value for e in sentence.edits] == pytest.approx(result[METHODS[method]], abs=1e-9)
            checked += 1
    assert checked == len(results) == 60


def test_two_edits_by_hand() -> None:
    """accuracy is 1 only with both edits: Shapley shares it, and each alone adds nothing."""
    corpus = Corpus.from_texts(["He go to home ."], [["He goes home ."]])
    [sentence] = explain(corpus, {"mine": ["He goes home ."]}, ["accuracy"], edits="plain")
    assert [(e.original, e.correction, e.value) for e in sentence.edits] == [("go", "goes", 0.5), ("to", "", 0.5)]
    assert (sentence.source_score, sentence.score) == (0.0, 1.0)
    alone = explain(corpus, {"mine": ["He goes home ."]}, ["accuracy"], method="add-one-in", edits="plain")
    assert [e.value for e in alone.sentences[0].edits] == [0.0, 0.0]


def test_unchanged_sentences_have_nothing_to_explain() -> None:
    corpus = Corpus.from_texts(["a b", "c d"], [["a c"], ["c e"]])
    explained = explain(corpus, {"mine": ["a b", "c e"]}, ["accuracy"], edits="plain")
    assert [(s.sentence, [e.value for e in s.edits]) for s in explained] == [(2, [1.0])]
    assert [(t.type, t.edits, t.mean, t.helpful, t.harmful) for t in explained.types] == [("R", 1, 1.0, 1, 0)]


@pytest.mark.parametrize("name", ["m2", "errant", "gleu", "sari", "imeasure", "ld"])
def test_values_add_up_to_the_sentence_scores(name: str) -> None:
    if name == "errant":
        pytest.importorskip("errant", reason="the extra errant is not installed")
    source, hypothesis = "I has see the film on last week .", "I have seen a film last week ."
    corpus = Corpus.from_texts([source], [["I saw the film last week ."]], language="en")
    explained = explain(corpus, {"mine": [hypothesis]}, [name], edits="plain")
    [sentence] = explained.sentences
    assert sum(e.value for e in sentence.edits) == pytest.approx(sentence.score - sentence.source_score, abs=1e-12)
    assert len(sentence.edits) >= 3


def test_many_edits_are_sampled_and_say_so() -> None:
    words = [f"w{i}" for i in range(12)]
    corpus = Corpus.from_texts([" ".join(words)], [[" ".join(f"{w}x" if i % 2 else w for i, w in enumerate(words))]])
    output = " ".join(f"{w}x" if i % 2 else (f"{w} !" if i < 4 else w) for i, w in enumerate(words))
    explained = explain(corpus, {"mine": [output]}, ["gleu"], exact=3, orders=20, edits="plain")
    [sentence] = explained.sentences
    assert all(e.error is not None and e.error >= 0 for e in sentence.edits)
    assert any("20 random orders stand for all" in note for note in explained.notes)
    again = explain(corpus, {"mine": [output]}, ["gleu"], exact=3, orders=20, seed=2, edits="plain")
    assert [e.value for e in again.sentences[0].edits] != [e.value for e in sentence.edits]


def test_what_helps_under_a_metric_whose_way_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(metric("ld")), "higher_is_better", False)
    explained = explain(Corpus.from_texts(["a b"]), {"mine": ["a c"]}, ["ld"], edits="plain")
    assert [(t.helpful, t.harmful) for t in explained.types] == [(1, 0)]
    assert explained.types[0].mean < 0


def test_types_stand_by_system_and_metric_the_most_frequent_first() -> None:
    sources = ["a b c", "d e", "f g"]
    corpus = Corpus.from_texts(sources, [["a x c"], ["d e"], ["f g"]])
    outputs = {"z": ["a x", "d e !", "f g !"], "b": ["a b c", "d y", "f g !"]}
    explained = explain(corpus, outputs, ["ld", "accuracy"], edits="plain")
    rows = [(t.system, t.metric, t.type, t.edits, t.helpful, t.harmful) for t in explained.types]
    assert rows == [
        ("b", "accuracy", "R", 1, 0, 1),
        ("b", "accuracy", "M", 1, 0, 1),
        ("b", "ld", "R", 1, 0, 1),
        ("b", "ld", "M", 1, 0, 1),
        ("z", "accuracy", "M", 2, 0, 2),
        ("z", "accuracy", "R", 1, 0, 0),
        ("z", "ld", "M", 2, 0, 2),
        ("z", "ld", "R", 1, 0, 1),
    ]
    copy = Corpus.from_texts(["a b"], [["a b", "a c"]])
    [alone] = explain(copy, {"mine": ["a c"]}, ["accuracy"], edits="plain").types
    assert (alone.mean, alone.helpful, alone.harmful) == (0.0, 0, 0)


def test_signatures_and_notes_say_how() -> None:
    corpus = Corpus.from_texts(["Він пішов додому , бо було вже пізно .", "a"], [["Він пішов додому ."], ["a"]])
    outputs = {"mine": ["Він пішов додому , бо вже пізно .", "b"]}
    explained = explain(corpus, outputs, ["accuracy"])
    assert explained.signatures[0].endswith("|attribution:shapley|exact:10|orders:200|seed:1|edits:plain")
    assert explained.notes == ("edits are found by plain rules, since the text looks Ukrainian",)
    one = explain(corpus, outputs, ["accuracy"], method="leave-one-out", sentences=[2, 1, 2], edits="plain")
    assert one.signatures[0].endswith("|attribution:leave-one-out|edits:plain")
    assert [(s.sentence, s.source, s.hypothesis) for s in one] == [
        (1, corpus.sources[0], outputs["mine"][0]),
        (2, "a", "b"),
    ]
    assert one.notes == ()


def test_the_edits_that_outputs_bring_are_explained() -> None:
    corpus = Corpus.from_texts(["a b c", "d e"], [["a x y"], ["d f"]], language="uk")
    whole = [(Edit(1, 3, ("x y",), type="R:OTHER"),), (Edit(1, 2, ("f",)),)]
    system = corpus.system("mine", ["a x y", "d f"], edits=whole)
    [sentence] = given = explain(corpus, [system], ["accuracy"], sentences=[1])
    assert [(e.start, e.end, e.original, e.correction, e.type, e.value) for e in sentence.edits] == [
        (1, 3, "b c", "x y", "R:OTHER", 1.0)
    ]
    assert given.signatures[0].endswith("|edits:given")
    [second] = explain(corpus, [system], ["accuracy"], sentences=[2])
    assert [(e.original, e.correction) for e in second.edits] == [("e", "f")]
    # Where an extractor is named, or where one system brings none, edits are found anew.
    moved = replace(system, edits=[(Edit(1, 3, ("x y",), type="mine"),), ()])
    assert len(explain(corpus, [moved], ["accuracy"], sentences=[2], edits="plain")) == 1
    both = explain(corpus, [moved, replace(system, name="text", edits=None)], ["accuracy"], sentences=[1])
    assert len(both.notes) == 1
    assert "mine" not in {edit.type for s in both for edit in s.edits}


def test_what_is_refused() -> None:
    corpus = Corpus.from_texts(["a b"], [["a c"]])
    outputs = {"mine": ["a c"]}
    for orders in (1, 100_001):
        with pytest.raises(InputError, match=f"orders must lie between 2 and 100,000, not {orders}"):
            explain(corpus, outputs, ["gleu"], orders=orders)
    with pytest.raises(InputError, match="there is no sentence 0; they go from 1 to 1"):
        explain(corpus, outputs, ["gleu"], sentences=[0])
    with pytest.raises(InputError, match="exact values are for 0 to 16 edits, not -1"):
        explain(corpus, outputs, ["gleu"], exact=-1)
    assert len(explain(corpus, outputs, ["gleu"], exact=16, orders=100_000, edits="plain")) == 1
    drawn = explain(corpus, outputs, ["gleu"], exact=0, orders=2, sentences=[1], edits="plain")
    assert drawn.notes == ("sentences with over 0 edits: 1; there, 2 random orders stand for all",)
    with pytest.raises(InputError, match="there is no sentence 2; they go from 1 to 1"):
        explain(corpus, outputs, ["gleu"], sentences=[2])
    with pytest.raises(InputError, match="exact values are for 0 to 16 edits, not 17"):
        explain(corpus, outputs, ["gleu"], exact=17)
    with pytest.raises(InputError, match="method must be one of shapley"):
        explain(corpus, outputs, ["gleu"], method="best")  # type: ignore[arg-type]


def test_batches_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = Corpus.from_texts(["a b c", "d e f", "g h i"], [["a x c"], ["d e y"], ["z h i"]])
    outputs = {"mine": ["a x y", "d u y", "z h"]}
    whole = explain(corpus, outputs, ["gleu"], edits="plain")
    monkeypatch.setattr("gecval.studies.explain.study.BATCH", 3)
    assert explain(corpus, outputs, ["gleu"], edits="plain").to_dict() == whole.to_dict()


def test_the_whole_score_is_that_of_the_output() -> None:
    corpus = Corpus.from_texts(["a b c"], [["a x c"]])
    green: Metric = metric("green")
    [sentence] = explain(corpus, {"mine": ["a x y"]}, [green], edits="plain")
    assert sentence.score == Evaluation.of(green, corpus, corpus.system("mine", ["a x y"])).sentence_scores()[0]
