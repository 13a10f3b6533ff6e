"""MAEGE's figures by hand: levels, samples and summaries of a few numbers."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from gecval import Corpus, Edit, InputError, Reference
from gecval.sample import load_sample
from gecval.stats import Interval
from gecval.studies.maege.agreement import (
    LatticePairs,
    PairCounts,
    Replicates,
    Sensitivity,
    _interval_over_edits,
    average_replicates,
    sign_p,
    summarise_metrics,
)
from gecval.studies.maege.command import read_human_correlations
from gecval.studies.maege.lattices import (
    PRESETS,
    Chain,
    Lattice,
    MaegeSettings,
    build_lattices,
    count_chains,
    draw_edit_count,
    sample_chains,
    sample_corpora,
)
from gecval.studies.maege.result import FIGURES, PValue
from gecval.studies.maege.study import maege


def chain(*texts: str, types: tuple[str, ...], fewest: int = 1, sentence: int = 0) -> Chain:
    return Chain(sentence=sentence, corrections=texts, types=types, source=0, fewest_edits=fewest)


@pytest.mark.parametrize(("delta", "second"), [("previous", 0.5), ("first", 0.8)])
def test_delta_is_taken_against_the_correction_before_or_the_first(delta: str, second: float) -> None:
    """A chain of its own scores .1, .4, .9 stands behind another one, so that no place is 0."""
    chains = [chain("a", "b", types=("X",)), chain("a b", "x b", "x y", types=("X", "Y"))]
    pairs = LatticePairs.of(chains, ["a b"], MaegeSettings(delta=delta))  # type: ignore[arg-type]
    deltas = pairs.sensitivity(np.array([0.0, 0.2, 0.1, 0.4, 0.9]))
    assert deltas["Y"].delta == pytest.approx(second)
    assert (deltas["X"].edits, deltas["Y"].edits) == (2, 1)
    assert deltas["X"].delta == pytest.approx((0.2 + 0.3) / 2)
    assert deltas["X"].deviation == pytest.approx(0.05)


def test_scores_for_r_start_at_edits_per_token_or_character() -> None:
    chains = [chain("a b c d", "x b c d", "x y c d", types=("X", "Y"), fewest=2)]
    assert LatticePairs.of(chains, ["a b c d"], MaegeSettings()).linear.tolist() == [0.5, 0.75, 1.0]
    characters = LatticePairs.of(chains, ["a b c d"], MaegeSettings(linear="characters")).linear
    assert characters.tolist() == pytest.approx([1 - 3 / 7, 1 - 3 / 14, 1.0])


@pytest.mark.parametrize(("linear", "first"), [("tokens", 0.0), ("characters", -1.0)])
def test_an_empty_original_counts_as_one_token_or_character(linear: str, first: float) -> None:
    pairs = LatticePairs.of([chain("", "x", types=("X",))], [""], MaegeSettings(linear=linear))  # type: ignore[arg-type]
    assert pairs.linear.tolist() == [first, 1.0]


def test_ties_as_numpy_orders_them() -> None:
    """Without ties nothing is lost; equal scores lose as many pairs as argsort puts out of order."""
    chains = [chain("a", "b", "c", types=("X", "Y")), chain("d", "e", "f", types=("X", "Y"))]
    settings = MaegeSettings(ties="argsort", unique_pairs=False)
    pairs = LatticePairs.of(chains, ["a", "d"], settings)
    falling = pairs.sentence_level(np.array([3.0, 2.0, 1.0, 1.0, 2.0, 3.0])).counts
    assert (falling.concordant, falling.discordant, falling.lost, falling.tau) == (3, 3, 0, 0.0)
    equal = pairs.sentence_level(np.array([1.0, 1.0, 1.0, 3.0, 2.0, 1.0])).counts
    order = np.argsort([1.0, 1.0, 1.0]).tolist()
    lost = sum(order[i] > order[j] for i in range(3) for j in range(i + 1, 3))
    assert (equal.ties, equal.discordant, equal.lost) == (3, 3, lost)


def test_a_pair_of_two_chains_counts_once_or_twice() -> None:
    chains = [chain("a b", "x b", "x y", types=("X", "Y")), chain("a b", "a y", "x y", types=("Y", "X"))]
    rising = np.array([0.0, 0.5, 1.0, 0.0, 0.5, 1.0])
    once, twice = (
        LatticePairs.of(chains, ["a b"], MaegeSettings(unique_pairs=unique)).sentence_level(rising).counts
        for unique in (True, False)
    )
    assert (once.pairs, twice.pairs) == (5, 6)


def test_counts_of_pairs() -> None:
    counts = PairCounts(concordant=6, discordant=2, ties=2, lost=1.0, rise=0.25)
    assert (counts.pairs, counts.tie_rate, counts.tau) == (10, 0.2, pytest.approx(0.4))
    assert counts.p_value == pytest.approx(2 * (1 - 0.5 * (1 + math.erf(0.4 * 10**0.5 / 2**0.5))))


def test_p_values_of_replicates_and_of_several_metrics() -> None:
    """Each is the median over replicates that have one; Holm's correction counts the metrics whose p is defined."""
    replicates = Replicates(["a", "b", "c"], [])
    for series, values in zip(
        replicates.metrics, ([0.01, 0.03, 0.02], [0.04, math.nan, 0.04], [math.nan] * 3), strict=True
    ):
        for figure in FIGURES:
            series.figures[figure].extend([0.5] * 3)
            series.p_values[figure].extend(values)
        series.tie_rates.extend([0.0] * 3)
        series.rises.extend([0.25, 0.5, 0.75])
    found = {summary.metric: summary for summary in summarise_metrics(replicates, dict.fromkeys("abc", True))}
    assert found["a"].sentence_tau_p == PValue(p=0.02, holm=0.04)
    assert found["b"].corpus_pearson_p == PValue(p=0.04, holm=0.04)
    assert math.isnan(found["c"].corpus_spearman_p.holm)
    assert found["b"].rise.mean == 0.5


def test_scores_rise_by_so_much_from_the_worse_to_the_better_correction() -> None:
    pairs = LatticePairs.of([chain("a b", "c b", "c d", types=("X", "Y"))], ["a b"], MaegeSettings())
    counts = pairs.sentence_level(np.array([0.0, 0.5, 0.25])).counts
    assert counts.rise == pytest.approx((0.5 + 0.25 - 0.25) / 3)


@pytest.mark.parametrize(("chains", "expected"), [(1, (3, 9)), (4, (7, 24)), (10_000, (9, 32))])
def test_chains_and_corrections_of_a_sample(chains: int, expected: tuple[int, int]) -> None:
    """So many as are drawn, but no more than there are: 1, 2 and 6 of lattices with 1, 2 and 3 edits."""
    edits = [Edit(i, i + 1, ("x",)) for i in range(3)]
    lattices = {7: [Lattice.of("a b c", edits), Lattice.of("a b c", edits[:1])], 9: [Lattice.of("a b c", edits[:2])]}
    settings = MaegeSettings(chains=chains)
    assert count_chains(lattices, settings) == expected
    assert len(sample_chains(lattices, settings, np.random.default_rng(1))) == expected[0]


def test_originals_by_the_number_of_their_errors() -> None:
    chains = [
        chain("a", "b", types=("X",)),
        chain("c", "d", types=("X",)),
        chain("e f", "g f", "g h", types=("X", "Y")),
    ]
    pairs = LatticePairs.of(chains, ["a"], MaegeSettings())
    originals = pairs.originals(np.array([0.25, 1.0, 0.75, 1.0, 0.125, 0.5, 1.0]))
    assert [(row.errors, row.score, row.sentences) for row in originals] == [(1, 0.5, 2), (2, 0.125, 1)]


def paragraph(characters: int, stops: int) -> str:
    words = " ".join(["."] * stops + ["x"])
    return words.ljust(characters, "y")


@pytest.mark.parametrize(
    ("characters", "stops", "kept"),
    [(300, 2, True), (301, 2, False), (301, 1, True), (900, 0, True), (900, 3, False)],
)
def test_which_paragraphs_are_dropped(characters: int, stops: int, kept: bool) -> None:
    """As the authors' code: more than 300 characters and more than one full stop."""
    gold = Corpus([paragraph(characters, stops)], [[Reference(edits=(Edit(0, 1, ("x",)),))] * 2])
    assert (len(build_lattices(gold, PRESETS["code"])) == 1) is kept
    assert len(build_lattices(gold, MaegeSettings())) == 1


def test_sentences_that_an_annotator_leaves_unchanged() -> None:
    edited, unchanged = Reference(edits=(Edit(0, 1, ("x",)),)), Reference(edits=())
    gold = Corpus(["a", "b", "c"], [[edited, unchanged], [edited, edited], [unchanged]])
    assert list(build_lattices(gold, MaegeSettings())) == [1]
    assert {
        i: len(of_sentence) for i, of_sentence in build_lattices(gold, MaegeSettings(drop_unchanged=False)).items()
    } == {
        0: 1,
        1: 2,
    }


def test_chains_only_where_enough_annotators_edit() -> None:
    edited = Reference(edits=(Edit(0, 1, ("x",)),))
    gold = Corpus(["a", "b"], [[edited], [edited, edited]])
    rng = np.random.default_rng(0)
    settings = MaegeSettings(annotators=2)
    assert [chain.sentence for chain in sample_chains(build_lattices(gold, settings), settings, rng)] == [1, 1]


def test_the_mean_of_replicates_has_the_deviation_of_a_sample() -> None:
    mean = average_replicates(np.array([1.0, 2.0, np.nan, 4.0, 5.0]))
    assert mean.mean == 3.0
    assert mean.deviation == pytest.approx((10 / 3) ** 0.5)
    assert mean.interval == Interval(pytest.approx(1.075), pytest.approx(4.925))
    alone = average_replicates(np.array([2.0]))
    assert (alone.mean, alone.interval, alone.deviation) == (2.0, None, 0.0)
    assert math.isnan(average_replicates(np.array([np.nan])).mean)


def test_p_of_a_difference() -> None:
    assert sign_p(np.ones(40)) == pytest.approx(2 / 41)
    assert sign_p(np.array([1.0] * 35 + [-1.0] * 4 + [0.0, np.nan])) == pytest.approx(2 * (4.5 + 1) / 41)
    assert sign_p(np.array([1.0, -1.0] * 20)) == 1.0
    assert sign_p(np.array([1.0] * 39 + [np.nan])) is None


def test_with_one_replicate_delta_has_the_interval_of_its_edits() -> None:
    interval = _interval_over_edits(Sensitivity(delta=0.5, edits=16, deviation=0.2))
    assert interval == Interval(pytest.approx(0.5 - 1.959964 * 0.05), pytest.approx(0.5 + 1.959964 * 0.05))
    corpus, _ = load_sample()
    [single] = [row for row in maege(corpus, corpus, ["ld"], by_type=True).types if row.type == "R:SPELL"]
    several = [row for row in maege(corpus, corpus, ["ld"], by_type=True, replicates=2).types if row.type == "R:SPELL"]
    assert several[0].edits == 2 * single.edits
    assert single.delta.interval is not None
    assert single.delta.interval.low < single.delta.mean < single.delta.interval.high


def test_the_result_says_which_metric_is_best_in_what() -> None:
    corpus, _ = load_sample()
    study = maege(corpus, corpus, ["gleu", "ld", "accuracy"])
    for figure in ("corpus_spearman", "corpus_pearson", "sentence_tau", "sentence_pearson"):
        means = {row.metric: getattr(row, figure).mean for row in study}
        assert {row.metric for row in study if figure in row.best} == {
            name for name, mean in means.items() if mean == max(means.values())
        }
    assert [row.sentence_tau.mean for row in study] == sorted((row.sentence_tau.mean for row in study), reverse=True)
    assert study.differences == ()  # one sample says nothing on chance
    assert len(maege(corpus, corpus, ["gleu", "ld"])["gleu"].best) == 4  # the better one of two has all
    [alone] = maege(corpus, corpus, ["gleu"])
    assert alone.best == ()


def test_everything_that_charts_show_is_in_the_result() -> None:
    corpus, _ = load_sample()
    models = (0.0, 2.0, 4.0, 4.0)
    study = maege(corpus, corpus, ["gleu", "ld"], settings=MaegeSettings(models=models), replicates=3)
    assert [(row.metric, row.model) for row in study.corpora] == [(m, k) for m in ("gleu", "ld") for k in models]
    assert all(row.score.interval for row in study.corpora)
    assert {row.metric for row in study.originals} == {"gleu", "ld"}
    assert study.types == ()
    assert study.example is not None
    assert len(study.example.edits) >= 3
    for row in study.by_replicate:
        assert np.mean(row.sentence_tau) == pytest.approx(study[row.metric].sentence_tau.mean)
        assert len(row.corpus_spearman) == len(row.tie_rate) == study.replicates == 3


def test_originals_are_means_over_replicates() -> None:
    corpus, _ = load_sample()
    first, three = (maege(corpus, corpus, ["gleu"], replicates=count).originals for count in (1, 3))
    assert [(row.errors, row.sentences) for row in first] == [(row.errors, row.sentences) for row in three]
    assert [row.score for row in first] != [row.score for row in three]
    assert all(0 <= row.score <= 1 for row in (*first, *three))
    unchanged = maege(corpus, corpus, ["ld"], replicates=2, settings=MaegeSettings(source="original"))
    assert [row.score for row in unchanged.originals] == [1.0] * len(unchanged.originals)


def test_a_correlation_that_is_too_large_for_a_float_is_refused(tmp_path: Path) -> None:
    huge = [{"metric": "m2", "spearman": {"value": 10**400}}]
    (tmp_path / "human.json").write_text(json.dumps({"correlations": huge}))
    with pytest.raises(InputError, match=r"human.json is not what `gecval human --format json` writes"):
        read_human_correlations(tmp_path / "human.json")


def test_which_correlations_with_people_are_read(tmp_path: Path) -> None:
    """Of several rankings the first; a metric without a correlation is left out, and what is none is refused."""
    path = tmp_path / "human.json"

    def read(*values: tuple[str, float | None]) -> dict[str, float]:
        listed = [{"metric": name, "spearman": {"value": value}} for name, value in values]
        path.write_text(json.dumps({"correlations": listed}))
        return read_human_correlations(path)

    assert read(("m2", 1), ("ld", -1), ("gleu", None), ("m2", 0.5)) == {"m2": 1.0, "ld": -1.0}
    for wrong in (1.5, -1.5):
        with pytest.raises(InputError, match=r"is not what `gecval human --format json` writes"):
            read(("m2", 0.5), ("ld", wrong))


def test_settings_of_the_presets() -> None:
    drawn = "models:0,1,2,3,4,5,6,7,8,9,10|variance:0.9|chains:1|source:random"
    assert MaegeSettings().signature() == (
        f"{drawn}|ties:half|unique_pairs:True|linear:tokens|delta:previous|corpus_score:corpus|edits_drawn:exact|"
        "corpus_source:lattice|drop_unchanged:True|annotators:1|drop_paragraphs:False"
    )
    assert PRESETS["code"].signature() == (
        f"{drawn}|ties:argsort|unique_pairs:False|linear:characters|delta:first|corpus_score:mean|edits_drawn:truncated|"
        "corpus_source:corpora|drop_unchanged:True|annotators:2|drop_paragraphs:True"
    )
    assert PRESETS["paper"] == MaegeSettings(ties="concordant")
    assert MaegeSettings(models=(0, 1_000_000), variance=0, chains=10_000).chains == 10_000


def three_edits(*counts: int) -> Corpus:
    """A sentence for each count, with so many edits by one annotator."""
    edits = [tuple(Edit(k, k + 1, (f"x{k}",)) for k in range(count)) for count in counts]
    return Corpus([f"w{i} b c d e" for i in range(len(counts))], [[Reference(edits=listed)] for listed in edits])


def test_any_correction_of_a_chain_may_be_its_source() -> None:
    by_sentence = build_lattices(three_edits(3), MaegeSettings())
    rng = np.random.default_rng(1)
    sources = [chain.source for _ in range(60) for chain in sample_chains(by_sentence, MaegeSettings(), rng)]
    assert {source: sources.count(source) > 5 for source in sources} == dict.fromkeys(range(4), True)
    originals = sample_chains(by_sentence, MaegeSettings(source="original", chains=6), rng)
    assert [chain.source for chain in originals] == [0] * 6


def test_sources_of_corpora_have_half_of_the_edits_or_are_those_of_some_corpus() -> None:
    by_sentence = build_lattices(three_edits(*[4] * 300), MaegeSettings())
    drawn = sample_corpora(by_sentence, MaegeSettings(models=(0, 0, 50)), np.random.default_rng(1))
    applied = [text.count("x") for text in drawn.sources]
    assert np.mean(applied) == pytest.approx(2, abs=0.2)
    assert set(applied) == {0, 1, 2, 3, 4}
    of_corpora = sample_corpora(
        by_sentence, MaegeSettings(models=(0, 0, 50), corpus_source="corpora"), np.random.default_rng(1)
    )
    kept = [text.count("x") for text in of_corpora.sources]
    assert set(kept) == {0, 4}
    assert np.mean(kept) == pytest.approx(4 / 3, abs=0.3)


def test_a_model_whose_mean_is_its_variance_makes_no_edit() -> None:
    rng = np.random.default_rng(1)
    assert [draw_edit_count(2.0, MaegeSettings(variance=2.0), rng) for _ in range(5)] == [0] * 5
    assert max(draw_edit_count(2.0, MaegeSettings(variance=1.9), rng) for _ in range(50)) > 0


@pytest.mark.parametrize(("shared", "noted"), [(9, True), (8, False)])
def test_references_that_are_the_gold_itself_are_noted(shared: int, noted: bool) -> None:
    gold = three_edits(*[1] * 10)
    texts = [gold.texts_of(i) if i < shared else ["another"] for i in range(10)]
    notes = maege(gold, Corpus.from_texts(gold.sources, texts), ["ld"]).notes
    said = f"{shared} of 10 gold corrections are among the references, so metrics look better than they are"
    assert [note.startswith(said) for note in notes] == [True] * noted


def test_the_lattice_of_the_picture_and_what_cannot_be_drawn() -> None:
    gold = three_edits(2, 3, 4)
    study = maege(gold, gold, ["ld"])
    assert study.example is not None
    assert (len(study.example.edits), study.replicates, study.seed, study.sentences) == (3, 1, 1, 3)
    assert maege(three_edits(2, 2), three_edits(2, 2), ["ld"]).example is None
    with pytest.raises(InputError, match="no sentence is edited by 2 annotators: there are no chains to draw"):
        maege(gold, gold, ["ld"], settings=MaegeSettings(annotators=2))
