"""MAEGE against the authors' pipeline on given chains, and its laws on samples."""

import gzip
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from gecval import Corpus, Edit, InputError, Reference, extractor, load_corpus, metric
from gecval.edits.extractors import Choice
from gecval.metrics import FunctionMetric
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.sample import load_sample
from gecval.studies.maege.agreement import LatticePairs, correlate_corpora
from gecval.studies.maege.lattices import (
    PRESETS,
    Chain,
    Lattice,
    MaegeSettings,
    build_lattices,
    draw_edit_count,
    sample_chains,
    sample_corpora,
)
from gecval.studies.maege.study import maege

NAMES = {
    "BLEU": "bleu",
    "iBLEU_plus": "ibleu",
    "iBLEU_minus": 'ibleu(sign="minus")',
    "SARI": "sari",
    "MAX_SARI": "max-sari",
    "LD_S_O": "ld",
    "MinLD_O_R": "min-ld",
    "GLEU": "gleu",
}
SOURCES = Path(__file__).parents[2] / "expected" / "maege_sources_seed1.json"
OTHER_EIGHT = [f"references/BN{i}" for i in (1, 2, 4, 5, 6, 8, 9, 10)]


@cache
def given_lattices(golden: Path) -> dict:
    with gzip.open(golden / "maege/lattice_withalt_seed1.json.gz", "rt") as file:
        return json.load(file)


def evaluation(
    name: str, sources: list[str], references: list[Sequence[Reference]], texts: list[str], aggregate: Aggregate
) -> Evaluation:
    """The metric on texts as they are: some of the authors' begin with a blank, which the gate would take away."""
    corpus = Corpus(sources, references)
    system = corpus.system("given", texts)
    object.__setattr__(corpus, "sources", sources)
    object.__setattr__(system, "hypotheses", texts)
    judge = metric(NAMES[name])
    return Evaluation(judge, judge.statistics(corpus, system), aggregate)


@pytest.mark.parametrize("source", ["rand", "source"])
@pytest.mark.parametrize("name", NAMES)
def test_figures_of_the_authors_pipeline(source: str, name: str, data: Path, golden: Path) -> None:
    """With its chains and corpora given, every figure of preset ``code`` to 1e-6."""
    given = given_lattices(golden)
    expected = json.loads((golden / f"maege/maege_corr_seed1_{source}.json").read_text())["metrics"][name]
    drawn = json.loads(SOURCES.read_text())
    references = load_corpus(data / "conll14/source.txt", [data / name for name in OTHER_EIGHT])
    chains, positions = [], iter(drawn["chains"])
    for sentence, ranked in zip(given["ids"], given["ranks"], strict=True):
        fewest = min(map(len, ranked)) - 1
        for ranked_chain in ranked:
            chains.append(
                Chain(
                    sentence=sentence,
                    corrections=tuple(text for text, _ in ranked_chain),
                    types=("",) * (len(ranked_chain) - 1),
                    source=next(positions) if source == "rand" else 0,
                    fewest_edits=fewest,
                )
            )
    pairs = LatticePairs.of(chains, references.sources, PRESETS["code"])
    sentences = [chain.sentence for chain in chains for _ in chain.corrections]
    in_chains = evaluation(
        name,
        [chain.corrections[chain.source] for chain in chains for _ in chain.corrections],
        [references.references[i] for i in sentences],
        [text for chain in chains for text in chain.corrections],
        "corpus",
    )
    agreement = pairs.sentence_level(in_chains.sentence_scores())
    counts = agreement.counts
    assert (counts.pairs, counts.concordant, counts.discordant, counts.ties) == tuple(
        expected[key] for key in ("pairs", "concordant", "discordant", "ties")
    )
    assert agreement.pearson.value == pytest.approx(expected["sent_pearson_code"][0], abs=1e-6)
    if argsort_is_that_of_the_golden():
        assert counts.tau == pytest.approx(expected["kendall_code"][0], abs=1e-6)
        assert counts.p_value == pytest.approx(expected["kendall_code"][1], rel=1e-3, abs=1e-12)

    texts = [[text for text, _ in corrections] for corrections in given["corpora"]]
    origins = drawn["corpora"] if source == "rand" else [0] * len(texts[0])
    sources = [texts[model][j] for j, model in enumerate(origins)]
    of_sources = [references.references[i] for i in given["corpus_ids"]]
    scores = [evaluation(name, sources, of_sources, corrections, "mean").score() for corrections in texts]
    assert scores == pytest.approx(expected["corpus_scores"], abs=1e-6)
    level = correlate_corpora(scores, PRESETS["code"].models)
    assert level.spearman.value == pytest.approx(expected["corpus_spearman"][0], abs=1e-6)
    assert level.spearman.p == pytest.approx(expected["corpus_spearman"][1], abs=1e-6)
    assert level.pearson.value == pytest.approx(expected["corpus_pearson"][0], abs=1e-6)


def argsort_is_that_of_the_golden() -> bool:
    """numpy orders equal scores as the processor's vector sort leaves them; the golden was made on one like ours."""
    return np.argsort([0.5, 0.5, 0.3, 0.3]).tolist() == [3, 2, 1, 0]


@pytest.fixture
def sample() -> Corpus:
    return load_sample()[0]


def counting_edits(corpus: Corpus, sign: float) -> FunctionMetric:
    """A metric that knows the lattice: the share of an annotator's edits that are applied."""
    known = {}
    for of_sentence in build_lattices(corpus, MaegeSettings()).values():
        for lattice in of_sentence:
            for subset in range(1 << len(lattice.edits)):
                text = lattice.correction(i for i in range(len(lattice.edits)) if subset >> i & 1)
                known[text] = max(known.get(text, 0), subset.bit_count())
    return FunctionMetric(lambda source, hypothesis, references: sign * known[hypothesis], "edits")


def few_edits(corpus: Corpus) -> Corpus:
    """Sentences whose annotators have at most five edits, so that their lattices can be listed."""
    kept = [i for i, listed in enumerate(corpus.references) if all(len(r.edits or ()) <= 5 for r in listed)]
    return Corpus([corpus.sources[i] for i in kept], [corpus.references[i] for i in kept])


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_metric_that_counts_edits_is_perfect(sample: Corpus, sign: float) -> None:
    gold = few_edits(sample)
    study = maege(gold, gold, [counting_edits(gold, sign)], replicates=3, settings=MaegeSettings(models=(0, 1, 2, 4)))
    [summary] = study
    assert summary.sentence_tau.mean == pytest.approx(sign, abs=0.02)  # two subsets may make one text
    assert summary.corpus_spearman.mean == pytest.approx(sign)


def test_constant_and_random_metrics_are_about_zero(sample: Corpus) -> None:
    rng = np.random.default_rng(0)
    chance = FunctionMetric(lambda source, hypothesis, references: float(rng.random()), "chance")
    constant = FunctionMetric(lambda source, hypothesis, references: 0.5, "constant")
    study = maege(sample, sample, [chance, constant], replicates=40)
    assert study["constant"].sentence_tau.mean == 0.0
    assert study["constant"].tie_rate == 1.0
    interval = study["chance"].sentence_tau.interval
    assert interval is not None
    assert interval.low < 0 < interval.high
    assert abs(study["chance"].corpus_spearman.mean) < 0.2


def test_ties_count_as_the_policy_says(sample: Corpus) -> None:
    constant = FunctionMetric(lambda source, hypothesis, references: 0.5, "constant")
    for ties, tau in (("half", 0.0), ("concordant", 1.0), ("discordant", -1.0)):
        study = maege(sample, sample, [constant], settings=MaegeSettings(ties=ties))  # type: ignore[arg-type]
        assert study[0].sentence_tau.mean == tau


def test_chains_rise_by_one_edit(sample: Corpus) -> None:
    by_sentence = build_lattices(sample, MaegeSettings())
    chains = sample_chains(by_sentence, MaegeSettings(chains=3), np.random.default_rng(0))
    assert chains
    for chain in chains:
        assert chain.corrections[0] == sample.sources[chain.sentence]
        assert chain.corrections[-1] in sample.texts_of(chain.sentence)
        assert len(chain.corrections) == len(chain.types) + 1
        assert 0 <= chain.source < len(chain.corrections)


def test_all_chains_where_there_are_few() -> None:
    gold = Corpus(["a b"], [[Reference(edits=(Edit(0, 1, ("x",)), Edit(1, 2, ("y",))))]])
    chains = sample_chains(build_lattices(gold, MaegeSettings()), MaegeSettings(chains=10), np.random.default_rng(0))
    assert sorted(chain.corrections for chain in chains) == [("a b", "a y", "x y"), ("a b", "x b", "x y")]


def test_conflicting_edits_are_left_out_and_counted() -> None:
    gold = Corpus(["a b c"], [[Reference(edits=(Edit(0, 2, ("x",)), Edit(1, 2, ("y",)), Edit(2, 3, ("z",))))]])
    study = maege(gold, gold, [metric("ld")])
    assert study.conflicts == 1


def test_number_of_edits_has_the_mean_of_its_model() -> None:
    rng, exact = np.random.default_rng(0), MaegeSettings()
    for model in (2.0, 5.0):
        drawn = [draw_edit_count(model, exact, rng) for _ in range(20_000)]
        assert np.mean(drawn) == pytest.approx(model, abs=0.03)
    truncated = [draw_edit_count(2.0, PRESETS["code"], rng) for _ in range(20_000)]
    assert np.mean(truncated) == pytest.approx(3 * 1.1 / 2, abs=0.03)  # n = 3.64 cut to 3, p = 0.55


def test_corpora_of_the_original_and_of_everything(sample: Corpus) -> None:
    by_sentence = build_lattices(sample, MaegeSettings())
    drawn = sample_corpora(by_sentence, MaegeSettings(models=(0.0, 50.0), source="original"), np.random.default_rng(0))
    originals = [sample.sources[i] for i in by_sentence]
    assert list(drawn.sources) == list(drawn.corpora[0]) == originals
    assert all(text in sample.texts_of(i) for i, text in zip(by_sentence, drawn.corpora[1], strict=True))


def test_the_original_of_one_annotator() -> None:
    corpus = Corpus(["He go home"], [[Reference("He goes home", edits=(Edit(1, 2, ("goes",)),))]])
    settings = MaegeSettings(models=(0.0, 1.0, 2.0), source="original")
    drawn = sample_corpora(build_lattices(corpus, settings), settings, np.random.default_rng(0))
    assert (drawn.sentences, drawn.sources, drawn.corpora[0]) == ((0,), ("He go home",), ("He go home",))


def test_delta_of_a_type(sample: Corpus) -> None:
    """Under LD to the original every edit moves away from the source, so that every Δ is negative."""
    study = maege(sample, sample, [metric("ld")], settings=MaegeSettings(source="original"), by_type=True)
    assert "R:SPELL" in {row.type for row in study.types}
    assert all(row.delta.mean <= 0 for row in study.types)


def test_metric_against_metric(sample: Corpus) -> None:
    gold = few_edits(sample)
    study = maege(gold, gold, [counting_edits(gold, 1.0), metric("ld")], replicates=40)
    by_figure = {difference.figure: difference for difference in study.differences}
    assert by_figure["sentence_tau"].metric == "edits"
    assert by_figure["sentence_tau"].p == pytest.approx(2 / 41)
    assert by_figure["sentence_tau"].difference.mean > 0.5
    assert not any("no p" in note for note in study.notes)


def test_refusals(sample: Corpus) -> None:
    with pytest.raises(InputError, match="builds lattices from edits"):
        maege(Corpus.from_texts(["a"], [["b"]]), sample, [metric("ld")])
    unchanged = Corpus(["a"], [[Reference(edits=())]])
    with pytest.raises(InputError, match="no lattices"):
        maege(unchanged, unchanged, [metric("ld")])
    for wrong, message in (
        ({"metrics": []}, "no metrics are given"),
        ({"metrics": ["ld", "ld"]}, "the metric ld is given twice"),
        ({"replicates": 0}, "replicates is a number from 1 to 100,000, not 0"),
        ({"replicates": 10_000_000}, "replicates is a number from 1 to 100,000, not 10,000,000"),
    ):
        with pytest.raises(InputError, match=message):
            maege(sample, sample, **{"metrics": ["ld"], **wrong})
    with pytest.raises(InputError, match="models needs three numbers or more, not 2"):
        maege(sample, sample, ["ld"], settings=MaegeSettings(models=(1, 2)))


def test_settings_that_cannot_be_meant() -> None:
    for wrong, message in (
        ({"ties": "never"}, "ties is one of half, concordant, discordant, argsort, not 'never'"),
        ({"chains": 0}, "chains is a number from 1 to 10,000, not 0"),
        ({"variance": -1.0}, "variance is a number from 0 on"),
        ({"models": (0, 1, -1)}, "a model makes 0 to 1000000 edits on average, not -1.0"),
    ):
        with pytest.raises(InputError, match=message):
            MaegeSettings(**wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no preset 'mine'; there is default, paper, code"):
        MaegeSettings.preset("mine")
    assert MaegeSettings.preset("code", ties=None, chains=3) == replace(PRESETS["code"], chains=3)


def test_edits_are_found_by_the_rule_of_all_studies(sample: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = Choice(extractor("plain"), "edits are found somehow")
    monkeypatch.setattr("gecval.studies.maege.study.choose_extractor", lambda sources: chosen)
    study = maege(sample, sample, ["m2"])
    assert study.notes[0] == "edits are found somehow"
    assert study.signature.split("|")[-3:-1] == ["seed:1", "plain"]
    named = maege(sample, sample, ["m2"], edits="plain")
    assert (named.metrics, named.signature, named.notes) == (study.metrics, study.signature, study.notes[1:])


def test_the_signature_names_every_setting(sample: Corpus) -> None:
    study = maege(sample, sample, ["ld"], settings=MaegeSettings(models=(0, 0.5, 2)))
    fields = dict(field.split(":", 1) for field in study.signature.split("|")[1:])
    assert study.signature.startswith("maege|models:0,0.5,2|variance:0.9|chains:1|source:random|ties:half|")
    assert (fields["metric"], fields["drop_paragraphs"], fields["seed"]) == ("ld", "False", "1")
    assert study.signature != maege(sample, sample, ["ld"], settings=MaegeSettings(models=(0, 1, 2))).signature


# The lattice of corrections: ways up, all of them or so many at random.


LATTICE = Lattice.of("a b c", [Edit(k, k + 1, (f"x{k}",)) for k in (2, 0, 1)])


def test_all_ways_up_where_there_are_no_more() -> None:
    for count in (6, 7):
        assert LATTICE.orders(count, np.random.default_rng(0)) == list(permutations(range(3)))


def test_so_many_different_ways_up_where_there_are_more() -> None:
    drawn = LATTICE.orders(5, np.random.default_rng(0))
    assert len(set(drawn)) == len(drawn) == 5
    assert set(drawn) < set(permutations(range(3)))
    long = Lattice.of("a " * 13, [Edit(k, k + 1, ("x",)) for k in range(13)])
    assert len(set(long.orders(4, np.random.default_rng(0)))) == 4


def test_edits_that_share_a_word_are_in_conflict() -> None:
    """Those that only touch are not, and insertions neither."""
    lattice = Lattice.of("a b c", [Edit(2, 2, ("i",)), Edit(0, 2, ("x",)), Edit(1, 3, ("y",)), Edit(2, 3, ("z",))])
    assert ([(e.start, e.end) for e in lattice.edits], lattice.conflicts) == ([(0, 2), (2, 2), (2, 3)], 1)
    assert lattice.correction([2, 0]) == "x z"
    assert lattice.chain([1, 2, 0]) == ("a b c", "a b i c", "a b i z", "x i z")
