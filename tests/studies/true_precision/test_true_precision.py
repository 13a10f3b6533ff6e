"""True precision: coverage by type, calibration, corrected scores, and judgments held out."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit

from gecval import Corpus, InputError, Resampling, true_precision
from gecval.corpus.edit import Edit
from gecval.formats.ratings import JudgedCorrection, read_judged_edits
from gecval.stats.coverage import observed_coverage
from gecval.studies.true_precision import calibration as fitting
from gecval.studies.true_precision.calibration import (
    HeldOut,
    Trial,
    as_json,
    calibrate,
    digest,
    fit,
    predict_held_out,
    shipped_calibration,
    system_interval,
    trials,
)
from gecval.studies.true_precision.model import (
    Calibration,
    agreement_rows,
    coverage_model,
    coverages,
    found_shares,
    key_of,
    missed_edits,
    proposed_edits,
    valid_shares,
)
from gecval.studies.true_precision.study import Corrected, corrected, judge_outputs
from oracles import true_precision as oracle

TYPES = ["NOUN", "VERB"]
EDITS = st.builds(
    lambda start, size, word, kind: Edit(start, start + size, (word,), f"R:{kind}"),
    st.integers(0, 3),
    st.integers(0, 2),
    st.sampled_from("ab"),
    st.sampled_from(TYPES),
)
SENTENCE = st.lists(EDITS, max_size=3, unique_by=key_of).map(tuple)


def plain_calibration(a: float = 0.3, spread: float = 0.0) -> Calibration:
    coefficients = np.array([a, -0.5, 0.25, 0.7, -0.7])
    return Calibration(("NOUN", "VERB"), coefficients, np.zeros((5, 5)), {2: spread}, 9, {2: 0.0})


def correct(
    outputs, gold, calibration: Calibration, resampling: Resampling, choice: list[int] | None = None
) -> Corrected:
    """Corrected scores against the chosen reference of each sentence, by default the first."""
    chosen = [choice or [0] * len(gold)] * len(outputs)
    return corrected(outputs, gold, chosen, TYPES, calibration, beta=0.5, resampling=resampling)


# Coverage


def test_coverage_of_a_type_is_what_references_show() -> None:
    gold = [[(Edit(0, 1, ("a",), "R:NOUN"),)] * 2, [(Edit(0, 1, ("a",), "R:NOUN"),), (Edit(0, 1, ("b",), "R:NOUN"),)]]
    rows, number, share = agreement_rows(gold, TYPES)
    assert number == 2
    totals = rows.sum(axis=0)
    given_, agreeing = totals[0, 0], totals[0, 1]
    assert agreeing / given_ == pytest.approx(np.mean([observed_coverage([2], 1), observed_coverage([1, 1], 1)]))
    assert totals[1].tolist() == [0, 0, 0]
    exact = (agreeing + share * totals[0, 2]) / given_
    together = exact
    # Two expected edits of NOUN, none of VERB; the prior is five edits of all types.
    assert coverages(totals, 2, share) == pytest.approx([(2 * exact + 5 * together) / 7, together])
    assert coverages(np.stack([totals, 2 * totals]), 2, share)[1, 0] == pytest.approx(exact)


def test_shares_found_are_drawn_towards_all() -> None:
    assert found_shares(np.array([3.0, 0.0]), np.array([5.0, 5.0])) == pytest.approx([4.5 / 10, 1.5 / 10])
    assert found_shares(np.zeros(2), np.zeros(2)).tolist() == [0.5, 0.5]


def test_the_coverage_model() -> None:
    # 60% are valid; two of three valid ones are found, so 40% of all; 20 of the other 60 are valid.
    assert coverage_model(np.array([2 / 3]), np.array([0.4])) == pytest.approx([1 / 3])
    assert coverage_model(np.array([0.2, 0.0]), np.array([0.9, 0.5])).tolist() == [1.0, 1.0]


def test_the_calibrated_model() -> None:
    made = valid_shares(np.array([0.6, 0.999]), 3, plain_calibration(), [*TYPES])
    expected = [
        expit(0.3 - 0.5 * logit(0.6) + 0.25 * np.log(3) + 0.7),
        expit(0.3 - 0.5 * logit(0.98) + 0.25 * np.log(3) - 0.7),
    ]
    assert made == pytest.approx(expected)
    unknown = valid_shares(np.array([0.6]), 2, plain_calibration(), ["ODD"])
    assert unknown == pytest.approx([expit(0.3 - 0.5 * logit(0.6) + 0.25 * np.log(2))])
    draws = np.array([[0.0, 0, 0, 0, 0, 1.5], [1, 0, 0, 0, 2, 0]])
    drawn = valid_shares(np.full((2, 2), 0.6), 2, plain_calibration(), TYPES, draws=draws)
    assert drawn == pytest.approx(expit(np.array([[1.5, 1.5], [1, 3]])))


def test_shifts_of_systems_are_wider_than_their_spread() -> None:
    made = plain_calibration(spread=0.5)
    drawn = made.shifts(2, (200_000,), np.random.default_rng(1))
    # Student's t with 8 degrees of freedom has variance 8/6.
    assert drawn.std() == pytest.approx(0.5 * np.sqrt((1 + 1 / 9) * 8 / 6), rel=0.02)
    two = Calibration(("NOUN",), np.zeros(4), np.zeros((4, 4)), {2: 0.4, 10: 0.8}, 3, {2: 0.5, 10: 0.7})
    assert [two.spread_at(number) for number in (1, 2, 6, 10, 20)] == pytest.approx([0.4, 0.4, 0.6, 0.8, 0.8])
    assert [two.least_at(number) for number in (1, 2, 6, 10, 20)] == pytest.approx([0.5, 0.5, 0.6, 0.7, 0.7])


def test_what_sets_systems_apart_is_drawn_from_students_t() -> None:
    for systems in (1, 2, 9):
        made = replace(plain_calibration(spread=0.5), systems=systems)
        drawn = made.shifts(2, (4, 2), np.random.default_rng(3))
        t = np.random.default_rng(3).standard_t(max(1, systems - 1), size=(4, 2))
        assert drawn == pytest.approx(0.5 * np.sqrt(1 + 1 / systems) * t)


def test_shares_near_0_or_1_say_no_more() -> None:
    made = valid_shares(np.array([0.01, 0.02]), 3, plain_calibration(), ["ODD", "ODD"])
    assert made[0] == made[1] == pytest.approx(expit(0.3 - 0.5 * logit(0.02) + 0.25 * np.log(3)))
    assert found_shares(np.array([1.0, 0.0]), np.array([1.0, 0.0])) == pytest.approx([1.0, 1.0])  # of a single edit


def test_one_edit_of_all_references_shows_nothing_of_the_rest() -> None:
    edit, other = Edit(0, 1, ("a",), "R:NOUN"), Edit(0, 1, ("b",), "R:VERB")
    assert agreement_rows([[(edit,), ()]], TYPES)[2] == 0.0
    agreed = [[(edit,), (edit,)]]
    assert agreement_rows(agreed, TYPES)[2] == pytest.approx(agreement_rows(agreed * 3, TYPES)[2])
    apart = [[(edit,), (other,)]]
    assert agreement_rows(apart, TYPES)[2] == pytest.approx(agreement_rows(apart * 3, TYPES)[2])
    assert agreement_rows(apart, TYPES)[2] > 0.5 > agreement_rows(agreed, TYPES)[2]


# Corrected scores


@settings(max_examples=60)
@given(
    outputs=st.lists(st.lists(SENTENCE, min_size=3, max_size=3), min_size=1, max_size=2),
    gold=st.lists(st.lists(SENTENCE, min_size=2, max_size=2), min_size=3, max_size=3),
    choice=st.lists(st.integers(0, 1), min_size=3, max_size=3),
)
def test_corrected_scores_edit_by_edit(outputs, gold, choice) -> None:
    calibration = plain_calibration()
    made = correct(outputs, gold, calibration, Resampling(5, seed=2), choice)
    proposed = proposed_edits(outputs, gold, TYPES)
    rows, number, share = agreement_rows(gold, TYPES)
    lost = np.bincount(proposed.kind[proposed.unmatched], minlength=2).astype(float)
    shares = valid_shares(coverages(rows.sum(axis=0), number, share), number, calibration, TYPES)
    valid = dict(zip(TYPES, shares.tolist(), strict=True))
    for s, output in enumerate(outputs):
        keyed = [[(key_of(edit), edit.type.removeprefix("R:")) for edit in edits] for edits in output]
        keys = [[[key_of(edit) for edit in reference] for reference in references] for references in gold]
        precision, recall = oracle.corrected(keyed, keys, choice, valid)
        row = made.systems[s]
        assert (row["true_precision"], row["true_recall"]) == pytest.approx((precision, recall))
        beta = 0.25
        f = (1 + beta) * precision * recall / (beta * precision + recall) if precision + recall else 0.0
        assert row["true_score"] == pytest.approx(f)
        anywhere = [{key for reference in references for key in reference} for references in keys]
        found = sum(key in here for here, edits in zip(anywhere, keyed, strict=True) for key, _ in edits)
        assert (row["found"], row["edits"]) == (found, sum(map(len, keyed)))
        assert row["unmatched"] == row["edits"] - row["found"]
        lacking = [kind for here, edits in zip(anywhere, keyed, strict=True) for key, kind in edits if key not in here]
        if lacking:
            assert row["valid_share"] == pytest.approx(np.mean([valid[kind] for kind in lacking]))
        else:
            assert np.isnan(row["valid_share"])
            assert row["valid_interval"] is None
    by_type = {row.type: row for row in made.types}
    assert {name: row.unmatched for name, row in by_type.items()} == {
        name: int(count) for name, count in zip(TYPES, lost, strict=True) if count
    }
    for name, row in by_type.items():
        assert row.valid_share == pytest.approx(valid[name])


def test_which_gold_edits_are_missed() -> None:
    proposed = [Edit(1, 2, ("x",)), Edit(4, 5, ("y",))]
    gold = [Edit(1, 2, ("x",)), Edit(1, 3, ("z",)), Edit(4, 6, ("z",)), Edit(7, 7, ("z",))]
    missed, opened = missed_edits(proposed, [1, 0], gold, [0, 1], 2)
    assert (missed, opened.tolist()) == (1, [0.0, 1.0])


def test_intervals_hold_what_sets_systems_apart() -> None:
    rng = np.random.default_rng(5)
    gold = [[(Edit(0, 1, (str(rng.integers(3)),), "R:NOUN"),) for _ in range(2)] for _ in range(200)]
    outputs = [[(Edit(0, 1, (str(rng.integers(4)),), "R:NOUN"),) for _ in range(200)]]
    wide, narrow = (
        correct(outputs, gold, plain_calibration(spread=spread), Resampling(400)).systems[0]["precision_interval"]
        for spread in (0.8, 0.0)
    )
    assert wide.high - wide.low > 1.4 * (narrow.high - narrow.low)
    assert wide.low < narrow.low < narrow.high < wide.high


@pytest.mark.parametrize("size", [1, 2])
def test_intervals_need_two_sentences(size: int) -> None:
    gold = [[(Edit(0, 1, ("a",), "R:NOUN"),)] * 2] * size
    outputs = [[(Edit(0, 1, ("b",), "R:NOUN"),)] * size]
    made = correct(outputs, gold, plain_calibration(spread=0.3), Resampling(20))
    intervals = [value for name, value in made.systems[0].items() if "interval" in name]
    assert [value is None for value in [*intervals, made.types[0].valid_interval]] == [size == 1] * 5


def test_systems_unlike_those_judged_get_the_coverage_model() -> None:
    rng = np.random.default_rng(5)
    gold = [[(Edit(0, 1, (str(rng.integers(3)),), "R:NOUN"),) for _ in range(2)] for _ in range(200)]
    outputs = [[(Edit(0, 1, (str(rng.integers(9)),), "R:NOUN"),) for _ in range(200)]]
    like, unlike = (
        correct(outputs, gold, replace(plain_calibration(spread=0.3), least={2: least}), Resampling(200)).systems[0]
        for least in (0.01, 0.9)
    )
    assert (like["like_judged"], unlike["like_judged"]) == (True, False)
    rows, number, share = agreement_rows(gold, TYPES)
    found = np.array([float(like["found"]), 0.0])
    alone = coverage_model(coverages(rows.sum(axis=0), number, share), found_shares(found, np.array([200.0, 0.0])))
    assert unlike["valid_share"] == pytest.approx(alone[0])
    types = correct(outputs, gold, replace(plain_calibration(), least={2: 0.9}), Resampling(20)).types
    assert types[0].valid_share == types[0].coverage_model == pytest.approx(alone[0])
    assert unlike["valid_interval"].low < like["valid_interval"].low
    assert unlike["valid_interval"].high > like["valid_share"] - 0.1


def small_edits(seed: int, sentences: int, words: int) -> list[tuple[Edit, ...]]:
    rng = np.random.default_rng(seed)
    return [(Edit(0, 1, (str(rng.integers(words)),), f"R:{TYPES[rng.integers(2)]}"),) for _ in range(sentences)]


def test_intervals_stay_as_they_were() -> None:
    """The random numbers of an interval are part of what it promises: the same seed gives the same one."""
    gold = [list(pair) for pair in zip(small_edits(1, 12, 2), small_edits(2, 12, 2), strict=True)]
    outputs = [[() if i % 4 == 0 else edits for i, edits in enumerate(small_edits(3, 12, 3))], small_edits(4, 12, 5)]
    calibration = replace(plain_calibration(spread=0.4), covariance=np.eye(5) / 50, least={2: 0.4})
    made = correct(outputs, gold, calibration, Resampling(40, seed=3))
    like, unlike = made.systems
    assert (like["like_judged"], unlike["like_judged"]) == (True, False)
    for name, of_like, of_unlike in (
        ("valid_interval", (0.1996, 0.7954), (0.0443, 0.9218)),
        ("precision_interval", (0.6152, 0.9490), (0.1955, 0.9479)),
        ("recall_interval", (0.4053, 0.8440), (0.1955, 0.9479)),
        ("score_interval", (0.5560, 0.8927), (0.1955, 0.9479)),
    ):
        assert like[name] == pytest.approx(of_like, abs=1e-4)
        assert unlike[name] == pytest.approx(of_unlike, abs=1e-4)
    verbs, nouns = made.types  # most of those that no reference has are verbs
    assert (verbs.type, verbs.edits, verbs.found, verbs.unmatched) == ("VERB", 11, 2, 9)
    assert (nouns.type, nouns.edits, nouns.found, nouns.unmatched) == ("NOUN", 10, 7, 3)
    assert (verbs.coverage, verbs.coverage_model) == pytest.approx((0.7704, 0.1041), abs=1e-4)
    assert verbs.valid_interval == pytest.approx((0.0365, 0.8734), abs=1e-4)
    assert nouns.valid_interval == pytest.approx((0.3184, 0.9658), abs=1e-4)


def test_intervals_over_documents() -> None:
    """Documents of one and of five sentences: resamples differ in length."""
    gold = [list(pair) for pair in zip(small_edits(1, 12, 2), small_edits(2, 12, 2), strict=True)]
    how = Resampling(40, documents=(0, 1, 6, 11))
    [row] = correct([small_edits(3, 12, 3)], gold, plain_calibration(), how).systems
    assert row["precision_interval"].low < row["true_precision"] < row["precision_interval"].high


@pytest.mark.parametrize(("least", "like"), [(0.5, True), (0.51, False)])
def test_a_system_at_the_edge_is_like_those_judged(least: float, like: bool) -> None:
    noun = Edit(0, 1, ("a",), "R:NOUN")
    gold, outputs = [[(noun,), ()]] * 2, [[(noun,), (Edit(0, 1, ("b",), "R:NOUN"),)]]
    made = correct(outputs, gold, replace(plain_calibration(), least={2: least}), Resampling(5))
    assert made.systems[0]["like_judged"] is like  # one of two edits is found


# Calibration


def simulated(rng: np.random.Generator, systems: int, edits: int, apart: float) -> list[Trial]:
    """Edits of two types whose validity is known, of systems that differ."""
    shift = rng.normal(0, apart, size=systems)
    system = np.repeat(np.arange(systems), edits)
    kind = rng.integers(2, size=len(system))
    covered, found = np.array([0.6, 0.9])[kind], np.array([0.5, 0.5])[kind]
    label = rng.random(len(system)) < expit(np.array([1.0, -1.0])[kind] + shift[system])
    return [Trial(2, system, np.arange(len(system)), kind, label.astype(float), covered, found, 0.5)]


def test_calibration_finds_types_and_spread() -> None:
    made = calibrate(simulated(np.random.default_rng(2), 40, 300, 0.5), TYPES)
    shares = valid_shares(np.array([0.6, 0.9]), np.array([0.5, 0.5]), made, TYPES)
    assert shares == pytest.approx(expit([1.0, -1.0]), abs=0.06)
    assert made.spread[2] == pytest.approx(0.5, abs=0.1)
    assert made.systems == 40
    same = calibrate(simulated(np.random.default_rng(2), 40, 300, 0.0), TYPES)
    assert same.spread[2] < 0.12
    alone = calibrate(simulated(np.random.default_rng(2), 1, 300, 0.5), TYPES)
    assert (alone.spread[2], alone.systems) == (0.0, 1)


def test_systems_weigh_nearly_alike() -> None:
    label = np.array([1.0] * 900 + [0.0] * 90)
    system = np.array([0] * 900 + [1] * 90)
    trial = Trial(2, system, np.arange(990), np.zeros(990, dtype=int), label, np.full(990, 0.5), np.full(990, 0.5), 0.5)
    made = fit([trial], ["NOUN"])
    first, second = (1 / (0.36 + 1 / (n * 0.2)) for n in (900, 90))
    share = expit(made.coefficients[0] + made.coefficients[3])
    assert share == pytest.approx(first / (first + second), abs=0.01)


def test_numbers_of_references_weigh_alike() -> None:
    """The gradient of the penalised likelihood is zero: weights ¼, ¼ and ½, ridge 0, 0.1, 0.1 and 3 for each type."""
    rng = np.random.default_rng(4)
    made = [
        Trial(number, np.zeros(8, dtype=int), np.arange(8), kind, (rng.random(8) < 0.5).astype(float),
              np.array([0.6, 0.8])[kind], np.full(8, 0.5), 0.5)
        for number, kind in zip((2, 2, 3), rng.integers(2, size=(3, 8)), strict=True)
    ]  # fmt: skip
    b = fit(made, TYPES).coefficients
    gradient = -np.array([0.0, 0.1, 0.1, 3.0, 3.0]) * b
    for weight, trial in zip((0.25, 0.25, 0.5), made, strict=True):
        design = trial.design(2)
        gradient += weight * design.T @ (trial.label - expit(design @ b))
    assert gradient == pytest.approx(np.zeros(5), abs=1e-9)
    assert abs(b[3]) > 0.01


def test_how_far_a_system_lies_from_the_others_less_what_chance_explains() -> None:
    """Two systems with enough edits count, one with four does not; each is predicted by a fit to the others."""
    rng = np.random.default_rng(1)
    system = np.array([0] * 40 + [1] * 5 + [2] * 4)
    kind = rng.integers(2, size=49)
    label = np.concatenate([np.ones(36), np.zeros(4), [0, 0, 0, 0, 1], [1, 1, 0, 0]])
    trial = Trial(2, system, np.arange(49), kind, label, np.array([0.6, 0.9])[kind], np.full(49, 0.5), 0.5)
    for trials_made in ([trial], [trial.take(system != 2)]):
        squares = []
        for which in (0, 1):
            others = fit([part.take(part.system != which) for part in trials_made], TYPES)
            own = trial.take(system == which)
            predicted = expit(own.design(2) @ others.coefficients).mean()
            share = (own.label.sum() + predicted) / (len(own.label) + 1)
            chance = 1 / (len(own.label) * share * (1 - share))
            squares.append((logit(share) - logit(predicted)) ** 2 - chance)
        assert calibrate(trials_made, TYPES).spread[2] == pytest.approx(np.sqrt(np.mean(squares)))
        assert np.mean(squares) > 1


def test_choices_of_references() -> None:
    """Three for every number below those of the sentence with fewest, and one for all of them."""
    noun, verb = Edit(0, 1, ("a",), "R:NOUN"), Edit(1, 2, ("b",), "R:VERB")
    labels = {(0, key_of(noun)): 1.0, (1, key_of(verb)): 0.0}
    outputs = [[(noun,), (verb,)], [(), ()], [(), (verb,)]]
    gold = [[(noun,)] + [()] * 10, [(verb,)] * 10]
    made = trials(outputs, gold, labels, TYPES)
    assert [trial.references for trial in made] == [2, 2, 2, 3, 3, 3, 5, 5, 5, 7, 7, 7, 10]
    # All have the verb, so of the last system nothing is lacking; the second has no edit. The noun is one person's.
    assert made[-1].least == 1.0
    assert {trial.least for trial in made[:3]} <= {0.5, 1.0}
    assert [trial.references for trial in trials(outputs, gold, labels, TYPES, numbers=(4, 10, 11))] == [4, 4, 4, 10]


def test_the_file_of_a_calibration_has_rounded_numbers() -> None:
    third = 1 / 3
    made = Calibration(("NOUN",), np.full(4, third), np.full((4, 4), third), {10: third, 2: third}, 3, {2: third})
    assert as_json(made) == {
        "types": ["NOUN"],
        "coefficients": [0.333333] * 4,
        "covariance": [[0.33333333] * 4] * 4,
        "spread": {"10": 0.333333, "2": 0.333333},
        "systems": 3,
        "least": {"2": 0.333333},
    }
    assert digest(made) == digest(replace(made, spread={2: third, 10: third}))


def test_trials_leave_out_what_references_have() -> None:
    noun, verb = Edit(0, 1, ("a",), "R:NOUN"), Edit(1, 2, ("b",), "R:VERB")
    other = Edit(2, 3, ("c",), "R:NOUN")
    outputs = [[(noun, verb, other)], [(noun,)]]
    labels = {(0, key_of(noun)): 1.0, (0, key_of(verb)): 0.25}
    made = trials(outputs, [[(verb,), ()]], labels, TYPES)
    assert len(made) == 1
    [trial] = made
    assert trial.references == 2
    assert (trial.system.tolist(), trial.kind.tolist(), trial.label.tolist()) == ([0, 1], [0, 0], [1.0, 1.0])
    # Three judged edits, of which one is found: NOUN 0 of 2, VERB 1 of 1.
    assert trial.found == pytest.approx([(5 / 3) / 7] * 2)
    # Of the judged edits, references have one of two of the first system, and none of the second.
    assert trial.least == 0.0
    assert trials(outputs[:1], [[(verb,), ()]], labels, TYPES)[0].least == 0.5
    with pytest.raises(InputError, match="nothing to calibrate"):
        calibrate([trial.take(np.zeros(2, dtype=bool))], TYPES)


@pytest.mark.parametrize(("label", "said"), [(1.0, "valid"), (0.0, "wrong")])
def test_verdicts_that_are_all_the_same_say_nothing_of_the_share(label: float, said: str) -> None:
    """The fit would say 100%, with an interval of no width."""
    halves = np.full(6, 0.5)
    trial = Trial(2, np.arange(6) % 2, np.arange(6), np.zeros(6, dtype=int), np.full(6, label), halves, halves, 0.5)
    with pytest.raises(InputError, match=f"people found all judged edits {said} that no reference has: judge more"):
        calibrate([trial], TYPES)


def test_one_judged_system_shows_no_spread(tmp_path: Path) -> None:
    pytest.importorskip("errant")
    sources = ["He go home .", "She go home .", "It go home ."]
    corpus = Corpus.from_texts(sources, [[text.replace("go", "goes"), text.replace("go", "went")] for text in sources])
    lines = []
    for i, valid in enumerate((True, False, True)):
        edits = [[1, 2, "go", "gone", valid]]
        given = {"text": sources[i].replace("go", "gone"), "systems": ["A"], "edits": edits}
        lines.append(json.dumps({"sentence": i, "source": sources[i], "corrections": [given]}))
    (tmp_path / "edits.jsonl").write_text("\n".join(lines))
    outputs = {"mine": [text.replace("go", "gone") for text in sources]}
    result = true_precision(corpus, outputs, judged=tmp_path / "edits.jsonl", confidence=Resampling(20))
    assert result.notes[0].startswith("one system was judged, which does not show how far systems differ")
    (tmp_path / "edits.jsonl").write_text("\n".join(lines).replace('["A"]', '["A", "B"]'))
    result = true_precision(corpus, outputs, judged=tmp_path / "edits.jsonl", confidence=Resampling(20))
    assert not any("one system was judged" in note for note in result.notes)


def test_the_shipped_calibration() -> None:
    made = shipped_calibration()
    assert len(made.coefficients) == 3 + len(made.types)
    assert made.covariance.shape == (len(made.coefficients),) * 2
    assert np.allclose(made.covariance, made.covariance.T, atol=1e-7)
    assert set(made.spread) == {2, 3, 5, 7, 10}
    assert made.systems == 12
    assert 0.4 < made.least[2] < made.least[5] < made.least[10] < 0.8
    assert digest(made) == digest(shipped_calibration()) == "f06ca684"  # it is in signatures
    assert as_json(made)["types"] == list(made.types)
    orth, det = made.types.index("ORTH"), made.types.index("DET")
    shares = valid_shares(np.full(len(made.types), 0.8), 10, made, made.types)
    assert shares[orth] < 0.35 < 0.5 < shares[det]


# Held out


def test_held_out_predictions_see_nothing_of_their_fold() -> None:
    made = simulated(np.random.default_rng(3), 6, 200, 0.3)
    by_system = predict_held_out(made, TYPES, "system")[0]
    trial = made[0]
    for system in range(6):
        here = trial.system == system
        others = fit([trial.take(~here)], TYPES)
        expected = expit(trial.take(here).design(2) @ others.coefficients)
        assert by_system.predicted["calibrated"][here] == pytest.approx(expected)
        assert by_system.predicted["constant"][here] == pytest.approx(trial.label[~here].mean())
        known, kinds = trial.label[~here], trial.kind[~here]
        of_types = [(known[kinds == t].sum() + 10 * known.mean()) / ((kinds == t).sum() + 10) for t in (0, 1)]
        assert by_system.predicted["types"][here] == pytest.approx(np.array(of_types)[trial.kind[here]])
    assert by_system.predicted["coverage"] == pytest.approx(coverage_model(trial.covered, trial.found))
    by_sentence = predict_held_out(made, TYPES, "sentence")[0]
    assert by_sentence.log_loss("calibrated") < by_sentence.log_loss("constant")
    assert by_sentence.ranking("calibrated") > 0.65


def test_measures_of_predictions() -> None:
    zeros = np.zeros(3, dtype=int)
    trial = Trial(2, zeros, zeros, zeros, np.array([1.0, 0.0, 1.0]), np.ones(3), np.ones(3), 0.5)
    held = HeldOut(trial, {"x": np.array([0.9, 0.5, 0.5])})
    assert held.log_loss("x") == pytest.approx(-np.mean(np.log([0.9, 0.5, 0.5])))
    assert held.ranking("x") == 0.75
    undecided = replace(held, trial=replace(trial, label=np.array([1.0, 0.5, 0.0])))  # half of the judges is not enough
    assert undecided.ranking("x") == 1.0
    sure = HeldOut(trial, {"x": np.array([0.0, 0.0, 1.0])})  # never surer than 99%
    assert sure.log_loss("x") == pytest.approx(-np.mean(np.log([0.01, 0.99, 0.99])))


def test_folds_and_draws() -> None:
    assert (fitting.FOLDS, fitting.DRAWS, fitting.SEED, fitting.FEWEST) == (10, 1000, 1, 5)
    trial = simulated(np.random.default_rng(3), 2, 12, 0.3)[0]
    assert fitting.folds_of(trial, "system").tolist() == [0] * 12 + [1] * 12
    assert fitting.folds_of(trial, "sentence").tolist() == [*range(10), *range(10), 0, 1, 2, 3]


def test_the_interval_of_a_new_system_stays_as_it_was() -> None:
    trial = simulated(np.random.default_rng(3), 1, 300, 0.3)[0]
    calibration = replace(plain_calibration(spread=0.4), covariance=np.eye(5) / 50)
    share, interval = system_interval(trial, calibration, TYPES, level=0.9)
    assert share == pytest.approx(expit(trial.design(2) @ calibration.coefficients).mean())
    assert interval == pytest.approx((0.3, 0.64683), abs=1e-5)


def test_intervals_of_new_systems_hold() -> None:
    rng, inside = np.random.default_rng(9), 0
    for _ in range(40):
        made = simulated(rng, 9, 60, 0.7)[0]
        fitted = calibrate([made.take(made.system != 0)], TYPES)
        own = made.take(made.system == 0)
        share, interval = system_interval(own, fitted, TYPES, level=0.9)
        inside += interval.low <= own.label.mean() <= interval.high
        assert interval.low < share < interval.high
    assert 31 <= inside <= 40


# The file of judgments, and the whole


SOURCES = ["He go to home .", "She like apple ."]


def line(**changes) -> str:
    correction = {
        "text": "He goes to home .",
        "systems": ["A", "B"],
        "edits": [[1, 2, "go", "goes", True], [2, 3, "to", "", None]],
    }
    return json.dumps({"sentence": 0, "source": SOURCES[0], "corrections": [correction], **changes})


def test_judged_edits_are_read(tmp_path: Path) -> None:
    file = tmp_path / "edits.jsonl"
    file.write_text(line() + "\n\n" + line(source="changed", source_as_in_corpus=False) + "\n")
    [made] = read_judged_edits(file, SOURCES)
    assert (made.sentence, made.systems, made.edits) == (0, ("A", "B"), (((1, 2, "goes"), True),))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "holds no judged edits"),
        ("[1]", "line 1 holds no judged edits"),
        ("{}", "line 1 holds no judged edits"),
        (line(sentence=True), "line 1 holds no judged edits"),
        (line(corrections=[{"text": "x", "systems": [], "edits": [[1, 2, "a", "b", "yes"]]}]), "line 1 holds no"),
        (line(corrections=[{"text": "x", "systems": [], "edits": [["1", 2, "a", "b", True]]}]), "line 1 holds no"),
        (line(sentence=2), "line 1 is of sentence 2; there are 2 from 0 on"),
        (line(sentence=-1), "line 1 is of sentence -1"),
        (line(sentence=1), "the source is not that of sentence 1"),
        (line(source=5), "line 1 holds no judged edits"),
        (line().replace("source", "from"), "line 1 holds no judged edits"),
        (line(sentence="0", corrections=[]), "line 1 holds no judged edits"),
        (line(sentence=None, source_as_in_corpus=False), "line 1 holds no judged edits"),
    ],
)  # fmt: skip
def test_files_that_hold_none(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "edits.jsonl"
    file.write_text(f"{text}\n")
    with pytest.raises(InputError, match=says):
        read_judged_edits(file, SOURCES)


def test_one_reference_is_too_few() -> None:
    corpus = Corpus.from_texts(SOURCES, [["He goes home ."], ["She likes apples ."]])
    with pytest.raises(InputError, match="needs two references or more for every sentence; sentence 1 has 1"):
        true_precision(corpus, {"mine": SOURCES})


@pytest.mark.parametrize("size", [1, 2])
def test_one_sentence_has_no_level(size: int) -> None:
    pytest.importorskip("errant")
    corpus = Corpus.from_texts(SOURCES[:size], [["He goes home .", "He went home ."], ["She likes it ."] * 2][:size])
    result = true_precision(
        corpus, {"mine": ["He goes to school .", "She like it ."][:size]}, confidence=Resampling(20)
    )
    assert (result.level, "|percentile:0.95|" in result.signature) == ((0.95, True) if size > 1 else (None, False))
    assert result.beta == 0.5


def test_where_nobody_edits_anything() -> None:
    pytest.importorskip("errant")
    corpus = Corpus.from_texts(SOURCES, [[source] * 2 for source in SOURCES])
    [mine] = true_precision(corpus, {"mine": SOURCES}, confidence=Resampling(20))
    assert (mine.edits, mine.true_precision, mine.true_recall, mine.like_judged) == (0, 1.0, 1.0, True)


def test_systems_unlike_those_judged_are_noted() -> None:
    """The fewest references that a sentence has decide what the least share is."""
    pytest.importorskip("errant")
    corpus = Corpus.from_texts(
        SOURCES,
        [["He goes home .", "He went home ."], ["She likes apples .", "She likes an apple .", "She likes it ."]],
    )
    outputs = {"odd": ["Ho go to home .", "She like banana ."], "good": ["He goes home .", "She likes apples ."]}
    [note] = true_precision(corpus, outputs, confidence=Resampling(20)).notes
    least = shipped_calibration().least
    assert f"{least[2]:.0%}" != f"{shipped_calibration().least_at(3):.0%}"
    assert note.startswith(
        f"references have fewer of the edits of odd (0%) than of any judged system ({least[2]:.0%}): the estimate is"
    )


def test_judged_outputs_by_system_and_sentence() -> None:
    def correction(sentence: int, text: str, systems: tuple[str, ...], *edits: tuple[tuple[int, int, str], bool]):
        return JudgedCorrection(sentence=sentence, text=text, systems=systems, edits=edits)

    class Found:
        """The text itself as a single edit."""

        signature, language = "found", None

        def edits(self, pairs, **_):
            return [(Edit(0, 1, (text,)),) for _, text in pairs]

    said = [
        correction(5, "x", ("B", "INPUT"), ((0, 1, "x"), True), ((1, 2, "z"), False)),
        correction(5, "y", ("A",), ((0, 1, "x"), False)),
        correction(2, "w", ("INPUT", "A"), ((0, 1, "x"), True)),
    ]
    outputs, labels, sentences = judge_outputs(said, [*"abcdef"], Found(), without=("INPUT",))
    assert sentences == [2, 5]
    assert [[[edit.correction for edit in edits] for edits in system] for system in outputs] == [
        [["w"], ["y"]],
        [[], ["x"]],
    ]
    assert labels == {(0, (0, 1, "x")): 1.0, (1, (0, 1, "x")): 0.5, (1, (1, 2, "z")): 0.0}


def test_the_whole_on_a_small_corpus() -> None:
    pytest.importorskip("errant")
    corpus = Corpus.from_texts(
        [*SOURCES, "Fine ."],
        [["He goes home .", "He went home ."], ["She likes apples .", "She likes an apple ."], ["Fine ."] * 3],
    )
    outputs = {"mine": ["He goes to school .", "She likes apples .", "Fine ."], "copy": [*SOURCES, "Fine ."]}
    result = true_precision(corpus, outputs, confidence=Resampling(50))
    mine, copy = result
    assert (mine.edits, mine.found, mine.unmatched) == (4, 2, 2)
    assert mine.true_precision == pytest.approx((2 + 2 * mine.valid_share) / 4)
    assert mine.precision == 0.5
    assert mine.true_score > mine.score
    assert (copy.edits, copy.true_precision, copy.true_recall, copy.true_score) == (0, 1.0, 0.0, 0.0)
    assert np.isnan(copy.valid_share)
    assert result.references == 2  # the fewest
    assert result.spread == shipped_calibration().spread[2] != shipped_calibration().spread_at(3)
    assert "|percentile:0.95|" in result.signature
    assert result.signature.endswith(f"|calibration:{digest(shipped_calibration())}")
    assert true_precision(corpus, outputs, confidence=Resampling(50)).to_json() == result.to_json()
