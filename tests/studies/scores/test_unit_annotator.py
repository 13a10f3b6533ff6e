"""Annotators as a sample, like the sentences: intervals of scores and differences, and where they are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import gecval
from gecval import Corpus, InputError, Resampling, compare, compare_all, score

SOURCES = [f"He go home number {i} ." for i in range(12)]
HOME = ["He goes home number {} .", "He went home number {} .", "He go home number {} ."]
REFERENCES = [[text.format(i) for text in (HOME[i % 2], HOME[i % 3], HOME[0])] for i in range(12)]
OUTPUTS = {"old": [HOME[i % 2].format(i) for i in range(12)], "new": [HOME[0].format(i) for i in range(12)]}
BOTH = Resampling(method="annotators")


def scores_of(references: list[list[str]], metric: str, outputs: list[str], *, skip: int = -1) -> float:
    kept = [i for i in range(12) if i != skip]
    corpus = Corpus.from_texts([SOURCES[i] for i in kept], [references[i] for i in kept])
    [one] = score(corpus, {"x": [outputs[i] for i in kept]}, [metric], edits="plain")
    return one.score


def fewer(left_out: int) -> list[list[str]]:
    return [[text for k, text in enumerate(listed) if k != left_out] for listed in REFERENCES]


@pytest.mark.parametrize("metric", ["accuracy", "m2", "bleu", "sari"])
def test_the_interval_is_students_with_the_variances_of_both_samples(metric: str) -> None:
    """From scores alone, whether a metric has a row for each reference or sees all of them at once."""
    corpus = Corpus.from_texts(SOURCES, REFERENCES)
    [one] = score(corpus, {"old": OUTPUTS["old"]}, [metric], confidence=BOTH, edits="plain")
    whole = scores_of(REFERENCES, metric, OUTPUTS["old"])
    of_sentences = np.array([scores_of(REFERENCES, metric, OUTPUTS["old"], skip=i) for i in range(12)])
    of_annotators = np.array([scores_of(fewer(k), metric, OUTPUTS["old"]) for k in range(3)])
    # The jackknife of a metric with an exact sum is about its mean, that of contributions about the score.
    parts = 11 / 12 * np.sum((of_sentences - of_sentences.mean()) ** 2), 2 / 3 * of_annotators.var() * 3
    freedom = sum(parts) ** 2 / (parts[0] ** 2 / 11 + parts[1] ** 2 / 2)
    reach = stats.t.ppf(0.975, freedom) * np.sqrt(sum(parts))
    assert one.score == whole
    assert one.interval == pytest.approx((max(whole - reach, 0), min(whole + reach, 1)))
    assert "|annotators:0.95|gecval:" in one.signature


def test_a_difference_takes_the_annotators_of_both_systems_together() -> None:
    """The new system is better by the same, whoever judges: the annotators then add nothing to what sentences show."""
    references = [[HOME[0].format(i), HOME[0].format(i).replace("home", "back")] for i in range(12)]
    corpus = Corpus.from_texts(SOURCES, references)
    outputs = {"old": SOURCES, "new": [HOME[0].format(i) if i % 3 else SOURCES[i] for i in range(12)]}
    [pair] = compare(corpus, "old", outputs, ["accuracy"], confidence=BOTH)
    alone = stats.ttest_1samp([0.0, 1.0, 1.0] * 4, 0.0)
    assert pair.difference == pytest.approx(2 / 3)
    # Against the second annotator alone, neither is ever right.
    assert pair.interval.high - pair.interval.low > np.ptp(alone.confidence_interval(0.95))
    assert pair.p > alone.pvalue
    assert np.isnan(pair.p_bootstrap)
    same = Corpus.from_texts(SOURCES, [[text[0]] * 2 for text in references])
    [pair] = compare(same, "old", outputs, ["accuracy"], confidence=BOTH)
    assert pair.p == pytest.approx(alone.pvalue)
    assert pair.interval == pytest.approx(tuple(alone.confidence_interval(0.95)))


def test_few_annotators_are_noted() -> None:
    found = score(Corpus.from_texts(SOURCES, REFERENCES), OUTPUTS, ["accuracy"], confidence=BOTH)
    assert "3 annotators are few: how far they differ is rough below 5" in found.notes


def test_what_takes_no_annotators_as_its_sample_says_so(tmp_path: Path) -> None:
    corpus = Corpus.from_texts(SOURCES, REFERENCES)
    old = corpus.system("old", OUTPUTS["old"])
    uneven = Corpus.from_texts(SOURCES, [REFERENCES[0][:1], *REFERENCES[1:]])
    alone = Corpus.from_texts(SOURCES, [listed[:1] for listed in REFERENCES])
    for what, call in {
        "a range of ranks": lambda: compare_all(corpus, OUTPUTS, ["accuracy"], confidence=BOTH),
        "a gate": lambda: gecval.not_worse(corpus, old, OUTPUTS, ["accuracy: 0.1"], confidence=BOTH),
        "the larger of two tests": lambda: compare(
            corpus, "old", OUTPUTS, ["accuracy"], confidence=BOTH, test="larger"
        ),
        "a passport": lambda: score(corpus, OUTPUTS, ["accuracy"], confidence=BOTH).save_passport(tmp_path / "p"),
        "asks no references": lambda: score(corpus, OUTPUTS, ["ld"], confidence=BOTH),
        "expected-wins": lambda: score(corpus, OUTPUTS, ["accuracy"], aggregate="expected-wins", confidence=BOTH),
        "a sentence has 1-3 of them": lambda: score(uneven, OUTPUTS, ["accuracy"], confidence=BOTH),
        "a sentence has 1 of them": lambda: score(alone, OUTPUTS, ["accuracy"], confidence=BOTH),
    }.items():
        with pytest.raises(InputError, match=what):
            call()


def test_on_the_command_line(gecval, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, lines in (
        ("source", SOURCES),
        *((f"r{k}", [texts[k] for texts in REFERENCES]) for k in range(3)),
        *OUTPUTS.items(),
    ):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    given = "-s source -r r0 -r r1 -r r2 -m accuracy --format json --unit annotator"
    printed = gecval(f"score new {given} --ci").json["scores"][0]
    [one] = score(Corpus.from_texts(SOURCES, REFERENCES), {"new": OUTPUTS["new"]}, ["accuracy"], confidence=BOTH)
    assert one.interval is not None
    assert printed["interval"] == pytest.approx(tuple(one.interval))
    [pair] = gecval(f"compare old new {given}").json["comparisons"]
    assert pair["p_bootstrap"] is None
    assert pair["p"] == pair["p_studentised"]
    refused = gecval(f"score old new {given} --clusters")
    assert refused.status == 2
    assert "a range of ranks takes sentences or documents" in refused.err
