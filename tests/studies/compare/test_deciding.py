"""The sentences that decide: by hand, and on the outputs of CoNLL-2014, where the rest is scored from scratch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gecval import Corpus, InputError, Resampling, deciding, load_corpus, load_sample, load_systems, metric, score
from gecval.metrics.evaluation import Evaluation
from gecval.studies.compare.deciding import Deciding, Listed, deciding_tables

CORPUS = Corpus.from_texts(list("abcdef"), [["A"], ["B"], ["C"], ["D"], ["E"], ["F"]])
OLD, NEW = CORPUS.system("old", list("abcdEF")), {"new": list("ABCDef")}
QUICK = Resampling(100)


def test_by_hand() -> None:
    result = deciding(CORPUS, OLD, NEW, ["accuracy"], most=3, confidence=QUICK)
    [pair] = result
    assert (pair.metric, pair.baseline, pair.system, pair.until) == ("accuracy", "old", "new", "sign")
    # 4 of 6 and 2 of 6 are right; without two of the four, both have 2 of 4.
    assert pair.difference == result.comparisons[0].difference == pytest.approx(1 / 3)
    assert (pair.sentences, pair.count, pair.of, pair.difference_without) == ((1, 2), 2, 6, 0.0)
    assert (pair.at_least, pair.proven) == (2, True)
    assert pair.verdict == "2 of 6 sentences decide: without them new no longer beats old"
    first = pair.influential[0]
    # Without e, new has 4 of 5 and old 1 of 5: the lead would rise from 2/6 to 3/5.
    assert (first.sentence, first.decides, first.source) == (5, False, "e")
    assert (first.baseline_hypothesis, first.hypothesis) == ("E", "e")
    assert (first.baseline_score, first.score) == (1.0, 0.0)
    assert first.influence == pytest.approx(1 / 3 - 3 / 5)
    assert [row.sentence for row in pair.influential] == [5, 6, 1]
    assert pair.influential[2].influence == pytest.approx(1 / 3 - 1 / 5)


@pytest.mark.parametrize(("listed", "expected"), [("worst", [5, 6]), ("best", [1, 2, 3])])
def test_the_sentences_that_got_worse_or_better(listed: Listed, expected: list[int]) -> None:
    [pair] = deciding(CORPUS, OLD, NEW, ["accuracy"], most=3, listed=listed, confidence=QUICK)
    assert [row.sentence for row in pair.influential] == expected
    # The distance to the source is the better the lower: there the sentences change places.
    [pair] = deciding(CORPUS, OLD, NEW, ["ld"], most=2, listed=listed, confidence=QUICK)
    assert [row.sentence for row in pair.influential] == ([1, 2] if listed == "worst" else [5, 6])


def test_of_sentences_with_equal_scores_those_come_first_that_move_the_difference_most(gecval) -> None:
    corpus, systems = load_sample()
    [pair] = deciding(corpus, systems[0], systems[3], ["m2"], most=40, listed="worst", confidence=QUICK)
    order = [(row.score - row.baseline_score, -abs(row.influence)) for row in pair.influential]
    assert order == sorted(order)
    assert len({gain for gain, _ in order}) < len(set(order))  # some scores tie


def test_sentences_alone_say_nothing_of_who_decides(gecval, folder) -> None:
    line = "compare copy.txt good.txt -r gold.m2 -m m2 --sentences best"
    alone, both = gecval(line).out, gecval(f"{line} --deciding 5").out
    assert "m2: the sentences on which good is better than copy, by their own scores" in alone
    assert "decide" not in alone
    assert "sentences decide: without them" in both
    [pair] = made = deciding(CORPUS, OLD, {"same": list("abcdEF")}, ["accuracy"], listed="worst", confidence=QUICK)
    assert pair.influential == ()
    assert "accuracy: same is nowhere worse" in deciding_tables(made, sets=False)[1].title


def test_a_worse_system() -> None:
    [pair] = deciding(CORPUS, CORPUS.system("new", list("ABCDef")), {"old": list("abcdEF")}, ["accuracy"])
    assert pair.difference == pytest.approx(-1 / 3)
    assert pair.verdict == "2 of 6 sentences decide: without them new no longer beats old"
    assert len(pair.influential) == 6


def test_lower_is_better() -> None:
    corpus = Corpus.from_texts(list("abc"), [["x"], ["y"], ["z"]])
    assert metric("ld").higher_is_better
    [pair] = deciding(corpus, corpus.system("copy", list("abc")), {"mad": ["q", "b", "c"]}, ["ld"])
    assert pair.verdict == "1 sentence of 3 decides: without it copy no longer beats mad"


def test_verdicts_that_nothing_turns() -> None:
    [tie] = deciding(CORPUS, OLD, {"same": OLD.hypotheses}, ["accuracy"])
    assert (tie.sentences, tie.proven) == ((), True)
    assert tie.verdict == "no sentence decides: same and old tie"
    [clear] = deciding(CORPUS, CORPUS.system("none", list("abcdef")), {"all": list("ABCDEF")}, ["accuracy"])
    assert (clear.sentences, clear.count, clear.difference_without, clear.proven) == (None, None, None, True)
    assert clear.verdict == "no sentences decide: all beats none without any of them"


def test_until_the_difference_may_be_chance() -> None:
    sources = [f"w{i}" for i in range(40)]
    corpus = Corpus.from_texts(sources, [[source.upper()] for source in sources])
    better = {"better": [source.upper() for source in sources[:12]] + sources[12:]}
    [pair] = deciding(corpus, corpus.system("copy", sources), better, ["accuracy"], until="significance")
    assert pair.sentences is not None
    # Swaps turn k right sentences around in 2 of 2^k ways: p < 0.05 takes 6 of them.
    assert pair.sentences == tuple(range(1, 8))
    assert pair.difference_without == pytest.approx(5 / 33)
    assert pair.p_without is not None
    assert pair.p_without >= 0.05
    assert pair.verdict == "7 of 40 sentences decide: without them better no longer beats copy beyond chance"
    everywhere = {"everywhere": [source.upper() for source in sources]}
    [clear] = deciding(corpus, corpus.system("copy", sources), everywhere, ["accuracy"], until="significance")
    assert clear.verdict == "35 of 40 sentences decide: without them everywhere no longer beats copy beyond chance"
    [chance] = deciding(CORPUS, OLD, NEW, ["accuracy"], until="significance", confidence=QUICK)
    assert (chance.sentences, chance.difference_without) == ((), chance.difference)
    assert chance.verdict == "no sentence decides: the difference may be chance"


def test_refusals() -> None:
    with pytest.raises(InputError, match="0 or more, not -1"):
        deciding(CORPUS, OLD, NEW, ["accuracy"], most=-1)
    with pytest.raises(InputError, match="until is sign or significance, not 'luck'"):
        deciding(CORPUS, OLD, NEW, ["accuracy"], until="luck")  # type: ignore[arg-type]
    single = Corpus.from_texts(["a"], [["A"]])
    with pytest.raises(InputError, match="two sentences or more"):
        deciding(single, single.system("old", ["a"]), {"new": ["A"]}, ["accuracy"])


def camb_against_amu(data: Path, name: str) -> tuple[Corpus, list, Deciding]:
    folder = data / "conll14"
    corpus = load_corpus(references=folder / "official-2014.combined.m2")
    amu, camb = load_systems([folder / "systems" / "AMU", folder / "systems" / "CAMB"], corpus)
    return corpus, [amu, camb], deciding(corpus, amu, [camb], [name], most=3, confidence=QUICK)


@pytest.mark.parametrize(("name", "count"), [("m2", 26), ("gleu", 27)])
def test_camb_against_amu(data: Path, name: str, count: int) -> None:
    corpus, systems, result = camb_against_amu(data, name)
    [pair] = result
    assert (pair.count, pair.of, pair.proven) == (count, 1312, False)
    assert pair.proven_as_chosen == (name == "m2")  # GLEU is no ratio of sums
    assert pair.difference > 0
    assert pair.sentences is not None
    kept = [i for i in range(1312) if i + 1 not in pair.sentences]
    rest = Corpus([corpus.sources[i] for i in kept], [corpus.references[i] for i in kept])
    outputs = {system.name: [system.hypotheses[i] for i in kept] for system in systems}
    scores = score(rest, outputs, [name])
    assert scores["CAMB", name].score - scores["AMU", name].score == pair.difference_without
    assert pair.difference_without <= 0
    # None of them can stay.
    a, b = (Evaluation.of(metric(name), corpus, system) for system in systems)
    for sentence in pair.sentences:
        also = np.sort(np.append(kept, sentence - 1))
        assert b.over(also).score() > a.over(also).score()
