"""Forms of metrics that are not the default, each against its definition in slow and plain Python.

GLEU's and ERRANT's forms are in files of their own, as are the goldens of the original tools.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Edit, Reference, System, metric
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.imeasure import MEASURES
from gecval.metrics.scribendi import levenshtein_ratios
from oracles import imeasure, ngrams
from oracles.clusters import cluster_edits
from oracles.m2 import max_match
from strategies import corpora, gold_edits, sentences

# --- I-measure ------------------------------------------------------------------------

WEIGHTS = st.sampled_from([0.5, 1.0, 2.0, 3.0])
BETAS = st.sampled_from([0.5, 1.0, 2.0])


def as_oracle(edits: tuple[Edit, ...]) -> tuple[tuple[int, int, tuple[str, ...]], ...]:
    return tuple((edit.start, edit.end, tuple(edit.correction.split())) for edit in edits)


def row(counts: imeasure.Counts) -> list[int]:
    return [counts.tp, counts.tn, counts.fp, counts.fn, counts.fpn, counts.base_tn, counts.base_fn]


def unmixed_candidates(corpus: Corpus, i: int) -> set[tuple[str, ...]]:
    source = tuple(corpus.sources[i].split())
    return {imeasure.apply(source, as_oracle(reference.edits or ())) for reference in corpus.references[i]}


def mixed_candidates(corpus: Corpus, i: int) -> set[tuple[str, ...]]:
    clusters = cluster_edits([reference.edits or () for reference in corpus.references[i]])
    choices = [[as_oracle(edits) for edits in cluster.choices()] for cluster in clusters]
    return imeasure.mixed_candidates(tuple(corpus.sources[i].split()), choices)


@given(corpora(max_words=4), st.booleans(), st.sampled_from(MEASURES), WEIGHTS, BETAS, st.booleans())
def test_imeasure_chooses_what_enumeration_chooses(
    drawn: tuple[Corpus, System], mix: bool, maximise: str, weight: float, beta: float, running: bool
) -> None:
    """For every measure, of the sentence alone or with the totals so far; the corpus score is that of the sums."""
    corpus, system = drawn
    optimise = "corpus" if running else "sentence"
    spelling = f"imeasure(mix={mix}, maximise={maximise!r}, optimise={optimise!r}, weight={weight}, beta={beta})"
    evaluation = Evaluation.of(metric(spelling), corpus, system)
    total = imeasure.NOTHING
    for i, hypothesis in enumerate(system.hypotheses):
        candidates = mixed_candidates(corpus, i) if mix else unmixed_candidates(corpus, i)
        total += imeasure.best(
            tuple(corpus.sources[i].split()),
            tuple(hypothesis.split()),
            candidates,
            maximise,
            offset=total if running else imeasure.NOTHING,
            weight=Fraction(weight),
            beta=Fraction(beta),
        )
    [summed] = evaluation.metric.rule.totals(evaluation.metric, evaluation.statistics)
    assert summed.astype(int).tolist() == row(total)
    assert evaluation.score() == pytest.approx(float(imeasure.scores(total, "c", Fraction(weight))["i"]))


@given(st.tuples(*[st.integers(0, 5)] * 4), st.integers(0, 3), st.tuples(*[st.integers(0, 6)] * 2), WEIGHTS, BETAS)
def test_imeasure_of_other_weights(
    counts: tuple[int, ...], both: int, base: tuple[int, ...], weight: float, beta: float
) -> None:
    tp, tn, fp, fn = counts
    counted = imeasure.Counts(tp, tn, fp + both, fn + both, both, *base)
    for aspect in ("correction", "detection"):
        form = metric(f"imeasure(aspect={aspect!r}, weight={weight}, beta={beta})")
        expected = imeasure.scores(counted, aspect[0], Fraction(weight), Fraction(beta))
        totals = np.array(row(counted), dtype=np.float64)
        assert float(form.score(totals)) == pytest.approx(float(expected["i"]))
        parts = form.parts(totals)
        for ours, theirs in {"precision": "p", "recall": "r", "f": "f", "acc": "acc", "wacc": "wacc"}.items():
            assert parts[ours] == pytest.approx(float(expected[theirs]))


# --- M² -------------------------------------------------------------------------------


class AnyChange(list[str]):
    """Corrections of which every text is one, but for the words themselves."""

    def __contains__(self, text: object) -> bool:
        return text not in self[:]


def overlap(edit: tuple[int, int], gold: Edit) -> bool:
    """An insertion overlaps what it touches, other edits what they share a word with."""
    start, end = edit
    if start == end or gold.start == gold.end:
        return start <= gold.end and gold.start <= end
    return bool(set(range(start, end)) & set(range(gold.start, gold.end)))


@given(sentences(5), sentences(5), st.data(), st.integers(0, 2))
def test_m2_at_laxer_levels(source: list[str], hypothesis: list[str], data: st.DataObject, max_unchanged: int) -> None:
    """The search takes every correction at a gold edit's place; then a gold edit counts once, in the edits' order."""
    gold = data.draw(gold_edits(len(source), clean=True))
    anything = [(e.start, e.end, AnyChange([" ".join(source[e.start : e.end])])) for e in gold]
    [(recognised, proposed, _, edits)] = max_match(source, hypothesis, [anything], max_unchanged)  # type: ignore[list-item]
    detected, left = 0, list(gold)
    for start, end, *_ in edits:
        hit = next((number for number, edit in enumerate(left) if overlap((start, end), edit)), None)
        if hit is not None:
            detected, left = detected + 1, left[hit + 1 :]
    corpus = Corpus([" ".join(source)], [[Reference(edits=gold)]])
    system = corpus.system("h", [" ".join(hypothesis)])
    for level, correct in {"recognition": recognised, "detection": detected}.items():
        form = metric(f"m2(level={level!r}, max_unchanged={max_unchanged})")
        assert Evaluation.of(form, corpus, system).statistics.rows.tolist() == [[correct, proposed, len(gold)]]


@given(sentences(5), sentences(5), st.data())
def test_m2_with_bonus(source: list[str], hypothesis: list[str], data: st.DataObject) -> None:
    """Every optional gold edit that was missed counts as proposed and correct."""
    drawn = data.draw(gold_edits(len(source), clean=True))
    gold = [Edit(e.start, e.end, e.corrections, required=data.draw(st.booleans())) for e in drawn]
    listed = [(e.start, e.end, list(e.corrections)) for e in gold]
    [(correct, proposed, count, edits)] = max_match(source, hypothesis, [listed])
    made = {(start, end, text) for start, end, _, text in edits}
    missed = sum(not e.required and not any((e.start, e.end, text) in made for text in e.corrections) for e in gold)
    corpus = Corpus([" ".join(source)], [[Reference(edits=tuple(gold))]])
    evaluation = Evaluation.of(metric("m2(bonus=True)"), corpus, corpus.system("h", [" ".join(hypothesis)]))
    assert evaluation.statistics.rows.tolist() == [[correct + missed, proposed + missed, count]]


# --- n-grams --------------------------------------------------------------------------


def words(
    corpus: Corpus, system: System, *, lower: bool = False, empty_tokens: bool = False
) -> list[tuple[list[str], list[str], list[list[str]]]]:
    """Sources, hypotheses and references; in lower case for SARI, which splits at every space unless it is EASSE's."""

    def split(text: str) -> list[str]:
        text = text.lower() if lower else text
        return text.split(" ") if empty_tokens else text.split()

    return [
        (split(source), split(hypothesis), [split(text) for text in corpus.texts_of(i)])
        for i, (source, hypothesis) in enumerate(zip(corpus.sources, system.hypotheses, strict=True))
    ]


@given(corpora(), st.integers(1, 5), st.sampled_from(["plus", "minus"]), st.sampled_from([0.0, 0.3, 1.0]))
def test_ibleu_of_other_orders_and_of_a_corpus(drawn: tuple[Corpus, System], n: int, sign: str, alpha: float) -> None:
    corpus, system = drawn
    lines = words(corpus, system)
    evaluation = Evaluation.of(metric(f"ibleu(n={n}, sign={sign!r}, alpha={alpha})"), corpus, system)
    expected = [ngrams.ibleu_sentence(*line, alpha=alpha, sign=sign, order=n) for line in lines]  # type: ignore[arg-type]
    assert evaluation.sentence_scores() == pytest.approx(expected)
    hypotheses = [hypothesis for _, hypothesis, _ in lines]
    to_references = ngrams.bleu_corpus(hypotheses, [references for _, _, references in lines], n)
    to_source = ngrams.bleu_corpus(hypotheses, [[source] for source, _, _ in lines], n)
    factor = 1 if sign == "plus" else -1
    assert evaluation.score() == pytest.approx(alpha * to_references + factor * (1 - alpha) * to_source)


@given(corpora(), st.integers(1, 5))
def test_sari_of_other_orders(drawn: tuple[Corpus, System], n: int) -> None:
    corpus, system = drawn
    lines = words(corpus, system, lower=True, empty_tokens=True)
    tool = Evaluation.of(metric(f"sari(n={n})"), corpus, system)
    assert tool.sentence_scores() == pytest.approx([ngrams.sari_sentence(*line, n) for line in lines])
    best = Evaluation.of(metric(f"max-sari(n={n})"), corpus, system)
    assert best.sentence_scores() == pytest.approx([ngrams.max_sari_sentence(*line, n) for line in lines])
    summed = Evaluation.of(metric(f'sari(n={n}, form="corpus")'), corpus, system)
    lines = words(corpus, system, lower=True)
    sources, hypotheses, references = map(list, zip(*lines, strict=True))
    assert summed.score() == pytest.approx(ngrams.sari_corpus(sources, hypotheses, references, n))
    rows = [ngrams.sari_statistics(*line, n) for line in lines]
    assert summed.statistics.rows.tolist() == rows
    assert summed.sentence_scores() == pytest.approx([ngrams.sari_score(counts) for counts in rows])


@given(corpora(), st.integers(1, 4))
def test_max_sari_over_the_corpus(drawn: tuple[Corpus, System], n: int) -> None:
    """The best reference of each sentence, the first of equals; their counts are added up."""
    corpus, system = drawn
    chosen = []
    for source, hypothesis, references in words(corpus, system, lower=True):
        rows = [ngrams.sari_statistics(source, hypothesis, [reference], n) for reference in references]
        chosen.append(max(rows, key=ngrams.sari_score))
    evaluation = Evaluation.of(metric(f'max-sari(n={n}, form="corpus")'), corpus, system)
    assert evaluation.score() == pytest.approx(ngrams.sari_score([sum(column) for column in zip(*chosen, strict=True)]))


# --- characters -----------------------------------------------------------------------


def distance(a: str, b: str, replacement: int) -> int:
    """The least cost of insertions and deletions at 1 and replacements at ``replacement``."""
    costs = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        before, costs[0] = costs[0], i
        for j, y in enumerate(b, start=1):
            options = (costs[j] + 1, costs[j - 1] + 1, before + (0 if x == y else replacement))
            before, costs[j] = costs[j], min(options)
    return costs[-1]


@given(st.text("abc ", max_size=8), st.text("abc ", max_size=8), st.integers(1, 4))
def test_levenshtein_ratio_of_other_costs(a: str, b: str, replacement: int) -> None:
    expected = 1 - distance(a, b, replacement) / (len(a) + len(b)) if a or b else 1.0
    assert levenshtein_ratios([a], [b], replacement) == pytest.approx([expected])
