"""GoToScorer against the authors' tool and gec-metrics, and against a plain oracle; pools and what signatures say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Edit, InputError, Reference, load_corpus, score
from gecval.edits.annotate import annotate
from gecval.edits.plain import PlainExtractor
from gecval.metrics.base import Array, Statistics
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.gotoscorer import ALONE, GoldChunks, GoToScorer, TextChunk, edited_chunks, plain_chunks
from gecval.metrics.system_pool import hash_outputs
from oracles import gotoscorer as oracle
from strategies import WORDS, gold_edits

Edits = list[tuple[Edit, ...]]
COUNTS = ("tp", "fp", "fn", "tn")


def close(value: Any) -> Any:
    return pytest.approx(value, abs=1e-9, rel=0)


@pytest.fixture(scope="module")
def corpus(golden: Path) -> Corpus:
    return load_corpus(None, [golden / "errant" / "nucle2_ref.m2.gz"])


@pytest.fixture(scope="module")
def outputs(golden: Path) -> dict[str, Edits]:
    """The edits of the 13 outputs."""
    files = sorted((golden / "errant").glob("hyp_*.m2.gz"))
    names = [file.name.removeprefix("hyp_").removesuffix(".m2.gz") for file in files]
    return {
        name: [reference.edits or () for [reference] in load_corpus(None, [file]).references]
        for name, file in zip(names, files, strict=True)
        if name in ["AMU", "CAMB", "CUUI", "IITB", "INPUT", "IPN", "NTHU", "PKU", "POST", "RAC", "SJTU", "UFC", "UMC"]
    }


def weights_of(metric: GoToScorer, gold: GoldChunks, pool: list[Edits]) -> Array:
    return metric.weights([gold.vote(edits, form=metric.form) for edits in pool], len(gold))


def check(metric: GoToScorer, gold: GoldChunks, edits: Edits, weights: Array, expected: dict[str, Any]) -> None:
    rows = gold.rows(*gold.outcome(edits, form=metric.form), weights)
    evaluation = Evaluation(metric, Statistics.one_per_sentence(rows))
    names = (*COUNTS, "precision", "recall")
    assert evaluation.parts() == close({name: expected[name] for name in names})
    assert evaluation.score() == close(expected["f05"])
    if "sentences" in expected:
        sentences = np.array(expected["sentences"], dtype=float)
        assert rows == close(sentences[:, :4])
        assert evaluation.sentence_scores() == close(sentences[:, 4])


@pytest.mark.parametrize(
    ("label", "reference", "without"),
    [("ref_id=0", 0, ()), ("ref_id=1", 1, ()), ("ref_id=0, 12 outputs without INPUT", 0, ("INPUT",))],
)
def test_the_authors_tool(
    golden: Path, corpus: Corpus, outputs: dict[str, Edits], label: str, reference: int, without: tuple[str, ...]
) -> None:
    expected = json.loads((golden / "modern" / "gotoscorer.json").read_text())["results"][label]
    metric, gold = GoToScorer(reference=reference), GoldChunks(corpus, reference)
    assert len(outputs) == 13
    weights = weights_of(metric, gold, [edits for name, edits in outputs.items() if name not in without])
    assert weights.sum() == close(expected["weight_sum"])
    for name, values in expected["weighted"].items():
        check(metric, gold, outputs[name], weights, values)
    for name, values in expected.get("unweighted", {}).items():
        check(metric, gold, outputs[name], np.ones(len(gold)), values)


@pytest.mark.parametrize("label", ["no weights", "weights from 13 outputs"])
def test_gec_metrics(golden: Path, corpus: Corpus, outputs: dict[str, Edits], label: str) -> None:
    expected = json.loads((golden / "modern" / "gec-metrics_gotoscorer.json").read_text())["results"][label]
    metric, gold = GoToScorer(form="gec-metrics"), GoldChunks(corpus, 0)
    weighted = label != "no weights"
    weights = weights_of(metric, gold, list(outputs.values())) if weighted else np.ones(len(gold))
    assert len(expected["systems"]) == 13
    for name, values in expected["systems"].items():
        check(metric, gold, outputs[name], weights, values)


def chunks_of(source: str, edits: Sequence[Edit]) -> list[TextChunk]:
    return edited_chunks(plain_chunks(source.split()), edits)


def test_gec_metrics_with_its_spans_mended(golden: Path, corpus: Corpus, outputs: dict[str, Edits]) -> None:
    """Right is whoever has the same words in the same span: its second fault stays."""
    label = "weights from 13 outputs, span comparison mended"
    expected = json.loads((golden / "modern" / "gec-metrics_gotoscorer.json").read_text())["results"][label]
    metric, gold = GoToScorer(form="gec-metrics"), GoldChunks(corpus, 0)
    chunks = [
        chunks_of(source, references[0].edits or ())
        for source, references in zip(corpus.sources, corpus.references, strict=True)
    ]
    votes = []
    for edits in outputs.values():
        has = [{c[:3] for c in chunks_of(s, e)} for s, e in zip(corpus.sources, edits, strict=True)]
        votes.append(np.array([g[:3] in its for golds, its in zip(chunks, has, strict=True) for g in golds]))
    for name, values in expected["systems"].items():
        check(metric, gold, outputs[name], metric.weights(votes, len(gold)), values)


def test_handmade_cases(golden: Path) -> None:
    cases = json.loads((golden / "modern" / "handmade.json").read_text())["cases"]
    checked = 0
    for case in cases:
        if "  " in case["source"]:  # both tools take a doubled blank for an empty word; ours never does
            continue
        stored = case["errant edits"]
        proposed = [tuple(Edit(a, b, (words,), kind) for a, b, words, kind in stored["hypothesis"])]
        edits = tuple(Edit(a, b, (words,), kind) for a, b, words, kind in stored["references"][0])
        gold = GoldChunks(Corpus([case["source"]], [[Reference(edits=edits)]]), 0)
        authors = case["gotoscorer GTS, reference 0, no weights"]
        check(GoToScorer(), gold, proposed, np.ones(len(gold)), authors)
        tried, correct = gold.outcome(proposed, form="author")
        assert [[t, c] for t, c in zip(tried.tolist(), correct.tolist(), strict=True)] == [
            chunk[4:] for chunk in authors["chunks"]
        ], case["case"]
        *counts, f = case["gotoscorer gec-metrics, reference 0"]
        library = GoToScorer(form="gec-metrics")
        rows = gold.rows(*gold.outcome(proposed, form="gec-metrics"), np.ones(len(gold)))
        assert rows.tolist() == [counts], case["case"]
        assert library.score(rows[0]) == close(f), case["case"]
        weights = weights_of(library, gold, [proposed, [()]])
        assert weights.tolist() == close(case["gotoscorer gec-metrics weights, pool = hypothesis and source"])
        checked += 1
    assert checked == 19


@st.composite
def sentences(draw: st.DrawFn) -> tuple[list[str], list[tuple[Edit, ...]]]:
    """A source, and clean edits of a reference, an output and two more."""
    source = draw(st.lists(WORDS, max_size=5))
    return source, [draw(gold_edits(len(source), clean=True)) for _ in range(4)]


@given(st.lists(sentences(), min_size=1, max_size=3), st.sampled_from(["author", "gec-metrics"]))
def test_against_the_oracle(drawn: list[Any], form: str) -> None:
    sources = [source for source, _ in drawn]
    reference, *systems = (list(column) for column in zip(*(edits for _, edits in drawn), strict=True))
    corpus = Corpus([" ".join(source) for source in sources], [[Reference(edits=edits)] for edits in reference])
    gold, metric = GoldChunks(corpus, 0), GoToScorer(form=form)
    for pool in ([], systems):
        weights = weights_of(metric, gold, pool) if pool else np.ones(len(gold))
        rows = gold.rows(*gold.outcome(systems[0], form=form), weights)
        expected = oracle.rows(sources, systems[0], reference, pool, form=form)
        assert rows == pytest.approx(np.array(expected), abs=1e-12)


def test_of_two_insertions_at_one_place_the_library_judges_the_first() -> None:
    """The reference inserts b, the output a and then b. The authors' tool finds the b; gec-metrics does not look on."""
    corpus = Corpus(["x"], [[Reference(edits=[Edit(1, 1, ("b",))])]])
    gold, proposed = GoldChunks(corpus, 0), [[Edit(1, 1, ("a",)), Edit(1, 1, ("b",))]]
    for form, tp_fp_fn in (("author", [1, 0, 0]), ("gec-metrics", [0, 1, 1])):
        rows = gold.rows(*gold.outcome(proposed, form=form), np.ones(len(gold)))
        assert rows[0, :3].tolist() == tp_fp_fn


CORPUS = Corpus.from_texts(["He go home .", "She like it ."], [["He goes home ."], ["She likes it ."]])
SYSTEMS = {
    "both": ["He goes home .", "She likes it ."],
    "first": ["He goes home .", "She like it ."],
    "none": ["He go home .", "She like it ."],
}


def scores(metric: GoToScorer | str, **systems: list[str]) -> dict[str, Any]:
    return {result.system: result for result in score(CORPUS, systems or SYSTEMS, [metric], edits="plain")}


def test_difficult_chunks_weigh_more() -> None:
    """goes: 2 of 3 systems, weight 1/3. likes: 1 of 3, weight 2/3. All other chunks weigh nothing."""
    by_system = scores(GoToScorer(edits="plain"))
    assert by_system["both"].parts == close(
        {"precision": 1.0, "recall": 1.0, "tp": 1.0, "fp": 0.0, "fn": 0.0, "tn": 0.0}
    )
    assert [by_system["first"].parts[name] for name in COUNTS] == close([1 / 3, 0, 2 / 3, 0])
    assert by_system["none"].score == 0.0


def test_no_vote_on_its_own_difficulty() -> None:
    """For first, the others: goes 1 of 2, likes 1 of 2."""
    by_system = scores(GoToScorer(edits="plain", leave_one_out=True))
    assert [by_system["first"].parts[name] for name in COUNTS] == close([1 / 2, 0, 1 / 2, 0])
    assert [by_system["both"].parts[name] for name in COUNTS] == close([1 / 2 + 1, 0, 0, 0])


def test_the_pool_is_in_the_signature(tmp_path: Path) -> None:
    metric = 'gotoscorer(edits="plain")'
    everyone = scores(metric)["both"].signature
    assert "|pool:outputs|" in everyone
    hashes = [field for field in everyone.split("|") if field.startswith("pool-hash:")]
    assert [len(field) for field in hashes] == [len("pool-hash:") + 8]
    backwards = scores(metric, **dict(reversed(SYSTEMS.items())))["both"].signature
    assert backwards == everyone
    fewer = scores(metric, both=SYSTEMS["both"], none=SYSTEMS["none"])["both"].signature
    assert fewer != everyone
    for name, lines in SYSTEMS.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    from_folder = scores(f'gotoscorer(pool="{tmp_path}", edits="plain")', first=SYSTEMS["first"])["first"]
    assert hashes[0] in from_folder.signature  # the same outputs, wherever they come from
    assert [from_folder.parts[name] for name in COUNTS] == close([1 / 3, 0, 2 / 3, 0])


def test_weights_that_say_little() -> None:
    [alone] = scores(GoToScorer(edits="plain"), both=SYSTEMS["both"]).values()
    assert alone.notes == (ALONE,)
    assert "gotoscorer(pool='outputs/')" in ALONE
    assert alone.score == 0.0
    [unweighted] = scores(GoToScorer("none", edits="plain"), both=SYSTEMS["both"]).values()
    assert unweighted.notes == ()
    assert unweighted.score == 1.0
    assert unweighted.parts["tn"] == 16


def test_sums_of_weights_are_not_called_edits() -> None:
    """Every edit is right, and with one system weighs 0: no note says that no edit is right."""
    corpus = Corpus.from_texts(["He go there ."] * 40, [["He goes there ."]] * 40)
    outputs = {"mine": ["He goes there too ."] * 30 + ["She goes here ."] * 10}
    notes = score(corpus, outputs, GoToScorer(edits="plain")).notes
    assert ALONE in notes
    assert not any("of its" in note for note in notes)


def test_two_systems_say_more_than_one_about_difficulty() -> None:
    both = scores(GoToScorer(edits="plain"), both=SYSTEMS["both"], first=SYSTEMS["first"])
    assert all(ALONE not in result.notes for result in both.values())


def test_nobody_votes() -> None:
    """Without its own vote the only system has none: every chunk weighs 1, the first number of the smoothing."""
    assert GoToScorer().weights([], 2).tolist() == [1.0, 1.0]


def test_smoothing() -> None:
    by_system = scores(GoToScorer(edits="plain", smoothing=(1.0, 0.0, 1.0)))
    assert by_system["first"].parts["tp"] == close(1 - 2 / 4)


def test_a_reference_that_is_not_there() -> None:
    with pytest.raises(InputError, match=r"looks at reference 1 \(from 0\), and sentence 1 has 1"):
        scores(GoToScorer(reference=1, edits="plain"))
    with pytest.raises(InputError, match="no such file"):
        scores(GoToScorer("nowhere", edits="plain"))
    ragged = Corpus.from_texts(["a", "b", "c"], [["x", "y"], ["x"], ["x", "y", "z"]])
    with pytest.raises(InputError, match=r"looks at reference 1 \(from 0\), and sentence 2 has 1"):
        GoToScorer(reference=1, edits="plain").check(annotate(ragged, PlainExtractor()))


def test_scores_do_not_depend_on_what_was_asked_before() -> None:
    """The systems that are scored together belong to the corpus that the metric is given, not to the metric."""
    corpus = annotate(CORPUS, PlainExtractor())
    both, first, none = (corpus.system(name, lines) for name, lines in SYSTEMS.items())
    metric = GoToScorer(edits="plain")
    three, two = corpus.with_pool([both, first, none]), corpus.with_pool([both, first])

    def rows() -> list[list[list[float]]]:
        return [metric.statistics(seen, first).rows.tolist() for seen in (three, two, corpus)]

    expected = rows()
    assert rows() == expected
    namesake = three.system("first", SYSTEMS["both"])
    assert metric.statistics(three, namesake).rows.tolist() != expected[0]
    assert rows() == expected
    assert [metric.data_signature(seen) for seen in (three, two, corpus)] == [
        [f"pool-hash:{hash_outputs([none, both, first])}"], [f"pool-hash:{hash_outputs([first, both])}"], []
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["author", "gec-metrics"])
def test_a_chunk_that_begins_far_to_the_left_counts_for_the_words_that_it_covers(form: str) -> None:
    """a, b, c and the edit of d are tried and wrong; the edits of d and of the end are missed."""
    corpus = Corpus(["a b c d e"], [[Reference(edits=(Edit(3, 4, ("x",)), Edit(5, 5, ("!",))))]], given_edits=True)
    system = corpus.system("mine", ["y e"], edits=[(Edit(0, 4, ("y",)),)])
    assert GoToScorer(pool="none", form=form).statistics(corpus, system).rows.tolist() == [[0, 4, 2, 6]]


@pytest.mark.parametrize("kind", ["noop", "UNK", "Um"])
def test_what_is_no_correction_is_no_chunk(kind: str) -> None:
    plain, edit = plain_chunks(["a", "b"]), Edit(0, 1, ("a",), kind)
    assert edited_chunks(plain, [edit]) == plain
    assert sum(chunk.is_edit for chunk in edited_chunks(plain, [edit, Edit(1, 2, ("c",), "R")])) == 1
