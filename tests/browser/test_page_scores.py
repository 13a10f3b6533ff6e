"""A page's table for any subset of sentences equals ``gecval.score`` on these sentences alone, for every metric."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import gecval
from gecval.corpus import Corpus, System
from gecval.formats import load_corpus, load_systems
from gecval.metrics import metric, metric_names
from gecval.metrics.base import Array, Need, Statistics
from gecval.metrics.evaluation import Aggregate
from gecval.metrics.grammaticality import Grammaticality
from gecval.metrics.reference_rules import Pooled, ReferenceRule
from gecval.models.language_model import LanguageModel
from gecval.models.text_model import TextModel
from gecval.sample import load_sample
from gecval.stats import Resampling
from gecval.stats.ranking import Contest
from gecval.studies.report.page import write_page
from gecval.studies.report.result import Overview
from gecval.studies.report.study import overview
from stand_ins import WITHOUT_MODELS, stand_in

TOLERANCE = 1e-9
CONLL = ("m2", "errant", "gleu", "sari", "imeasure", "green")
FILTERS = 20
# Parameters with which a sentence counts the same in every subset.
BY_SENTENCE = WITHOUT_MODELS | {
    "cleme": 'cleme(weights="none", edits="plain")',
    "gotoscorer": 'gotoscorer(pool="none", edits="plain")',  # otherwise all systems tell what a chunk is worth
}
WITH_CHECKERS = ("lt", "grammaticality", "lfm")
OF_FILES = ("from-file",)
WITH_PARAMETERS = (
    "m2(beta=1.0, level='detection')",
    "m2(unchanged='zero')",
    "errant(beta=2.0, level='token-detection', model='plain')",
    "errant(beta=1.0, average='macro', model='plain')",
    "errant(weights={'R': 2.5, 'M': 0.5}, model='plain')",
    "gotoscorer(pool='outputs', form='gec-metrics', edits='plain')",
    "cleme('independent', weights='none', beta=2.0, edits='plain')",
    "cleme2('independent', factors=(0.1, 0.2, 0.3, 0.4), edits='plain')",
    "gleu(n=2, iterations=37)",
    "gleu(form='paper')",
    "bleu(n=2)",
    "ibleu(alpha=0.3, sign='minus')",
    "green(beta=0.5, n=2)",
    "green(form='author')",
    "green(unit='char')",
    "sari(form='corpus', n=3)",
    "max-sari(form='corpus')",
    "imeasure(aspect='detection', weight=1.5)",
    "imeasure(mix=False)",
    "imeasure(mix=False, unchanged='zero')",
    "imeasure(mix=False, optimise='corpus')",
    "imeasure(mix=False, optimise='corpus', maximise='di', weight=0.5)",
    "imeasure(mix=False, optimise='corpus', maximise='cf', beta=2.0)",
    "imeasure(mix=False, optimise='corpus', maximise='dfn')",
    "interpolated(m2, ld, 0.3)",
    "levenshtein(replacement=1)",
)


def masks(size: int, count: int) -> list[list[int]]:
    """Random subsets of every size, in order: one sentence, two, half of them, all but one, and more."""
    generator = random.Random(size)
    sizes = [1, 2, size - 1, size // 2] + [round(size ** generator.random()) for _ in range(count - 4)]
    return [sorted(generator.sample(range(size), n)) for n in sizes]


def part(corpus: Corpus, sentences: Sequence[int]) -> Corpus:
    return Corpus(
        [corpus.sources[i] for i in sentences], [corpus.references[i] for i in sentences], language=corpus.language
    )


def scored(
    corpus: Corpus,
    systems: Sequence[System],
    metrics: Sequence[str],
    sentences: Sequence[int],
    aggregate: Aggregate | Contest,
) -> dict[tuple[str, str], tuple[float, dict[str, float]]]:
    """What ``gecval.score`` says of some sentences."""
    outputs = {system.name: [system.hypotheses[i] for i in sentences] for system in systems}
    result = gecval.score(part(corpus, sentences), outputs, metrics, aggregate=aggregate)
    return {(score.system, score.metric): (score.score, dict(score.parts)) for score in result}


def page_scores(page: Any, sentences: Sequence[int]) -> dict[tuple[str, str], tuple[float, dict[str, float]]]:
    """What the page says of them."""
    answer = page.evaluate(
        """async (sentences) => {
            const mask = new Uint8Array(gecval.data.sentences);
            for (const sentence of sentences) mask[sentence] = 1;
            const answer = await gecval.scoresOf(mask);
            const name = ({ system, metric }) => [gecval.data.systems[system], gecval.data.metrics[metric].spelling];
            const rows = answer.scores.map((entry) => [name(entry), entry.score, entry.parts]);
            return { count: answer.count, scores: rows };
        }""",
        list(sentences),
    )
    assert answer["count"] == len(sentences)
    return {tuple(name): (score, parts) for name, score, parts in answer["scores"]}


def assert_equal(
    ours: dict[tuple[str, str], tuple[float, dict[str, float]]],
    theirs: dict[tuple[str, str], tuple[float, dict[str, float]]],
) -> None:
    assert ours.keys() == theirs.keys()
    for name, (score, parts) in theirs.items():
        assert ours[name][0] == pytest.approx(score, rel=0, abs=TOLERANCE), name
        assert ours[name][1] == pytest.approx(parts, rel=0, abs=TOLERANCE), name


def written(seen: Overview, folder: Path) -> Path:
    write_page(seen, folder / "report.html")
    return folder / "report.html"


@pytest.fixture(scope="module")
def conll(data: Path) -> tuple[Corpus, list[System]]:
    corpus = load_corpus(None, [data / "conll14" / "official-2014.combined.m2"])
    return corpus, load_systems(sorted((data / "conll14" / "systems").iterdir()), corpus)


def test_any_subset_of_conll14_is_scored_as_by_gecval(
    conll: tuple[Corpus, list[System]], open_page: Any, tmp_path: Path
) -> None:
    corpus, systems = conll
    assert len(systems) == 13
    page = open_page(
        written(overview(corpus, systems, CONLL, confidence=Resampling(2, method="percentile"), deciding=0), tmp_path)
    )
    for sentences in masks(len(corpus), FILTERS):
        assert_equal(page_scores(page, sentences), scored(corpus, systems, CONLL, sentences, "corpus"))


def test_every_built_in_metric_has_a_formula() -> None:
    """A new metric of ours declares one, and is tested here."""
    assert [name for name in metric_names() if metric(name).page_formula() is None] == []


@pytest.fixture(scope="module")
def small() -> tuple[Corpus, list[System]]:
    """The sample, with a sentence that lacks two annotators, an empty output, and equal outputs."""
    corpus, systems = load_sample()
    references = [list(listed) for listed in corpus.references]
    references[5] = references[5][:1]
    systems = [System("same", systems[0].hypotheses), *systems]
    systems[2] = System(systems[2].name, ["", *systems[2].hypotheses[1:]])
    return Corpus(corpus.sources, references, language="en"), systems


@pytest.fixture
def quick_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand-ins that know letters only, in the place of language models and networks."""
    stand_in(monkeypatch)
    monkeypatch.setattr(LanguageModel, "signature", "letters")
    monkeypatch.setattr(TextModel, "signature", "letters")


@pytest.mark.usefixtures("quick_models")
@pytest.mark.parametrize("aggregate", ["corpus", "mean"])
def test_every_metric_scores_any_subset_as_gecval_does(
    small: tuple[Corpus, list[System]], open_page: Any, tmp_path: Path, aggregate: Aggregate
) -> None:
    corpus, systems = small
    names = [name for name in metric_names() if name not in (*WITH_CHECKERS, *OF_FILES)]
    metrics = [*(BY_SENTENCE.get(name, name) for name in names), *WITH_PARAMETERS]
    assert all(metric(spelling).exact_on_subsets for spelling in metrics)
    seen = overview(corpus, systems, metrics, aggregate=aggregate, confidence=Resampling(2), deciding=0, edits="plain")
    page = open_page(written(seen, tmp_path))
    for sentences in masks(len(corpus), 12):
        assert_equal(page_scores(page, sentences), scored(corpus, systems, metrics, sentences, aggregate))
    for number, of_metric in enumerate(seen.material.evaluations):
        shown = page.evaluate(f"[...gecval.data.sentenceScores[{number}]]")
        expected = np.column_stack([evaluation.sentence_scores() for evaluation in of_metric]).ravel()
        assert shown == pytest.approx(expected.tolist(), rel=0, abs=TOLERANCE), metrics[number]


def test_expected_wins_follow_filters(small: tuple[Corpus, list[System]], open_page: Any, tmp_path: Path) -> None:
    corpus, systems = small
    metrics: list[str] = ["m2", "gleu", "levenshtein"]
    seen = overview(corpus, systems, metrics, aggregate="expected-wins", confidence=Resampling(2), edits="plain")
    page = open_page(written(seen, tmp_path))
    for sentences in masks(len(corpus), 6):
        assert_equal(page_scores(page, sentences), scored(corpus, systems, metrics, sentences, "expected-wins"))
    assert page.evaluate("gecval.data.metrics.map(({ name, exact }) => [name, exact])") == [
        [name, True] for name in metrics
    ]
    assert all("--aggregate expected-wins" in line for line in seen.commands[:2])


def test_errors_that_a_checker_counts(
    small: tuple[Corpus, list[System]], open_page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus, systems = small

    def errors(self: Any, corpus: Corpus, system: System, *, run: Any = None) -> Statistics:
        rows = [[text.count("e") % 3, len(text.split())] for text in system.hypotheses]
        return Statistics.one_per_sentence(np.array(rows, dtype=np.float64))

    monkeypatch.setattr(Grammaticality, "statistics", errors)
    monkeypatch.setattr(Grammaticality, "prepare", lambda self, *args, **options: None)
    monkeypatch.setattr(Grammaticality, "parameters", lambda self: {})
    monkeypatch.setattr(Grammaticality, "language", None)
    metrics = ["lt", "grammaticality"]
    seen = overview(corpus, systems, metrics, confidence=Resampling(2), edits="plain")
    page = open_page(written(seen, tmp_path))
    for sentences in masks(len(corpus), 6):
        assert_equal(page_scores(page, sentences), scored(corpus, systems, metrics, sentences, "corpus"))


@dataclass(frozen=True, repr=False)
class Length(gecval.Metric):
    """A user's own metric: the page knows no formula for it."""

    name: ClassVar[str] = "length"
    summary: ClassVar[str] = "square root of the mean length"
    paper: ClassVar[str] = ""
    needs: ClassVar[Need | None] = None
    rule: ClassVar[ReferenceRule] = Pooled()

    def statistics(self, corpus: Corpus, system: System, *, run: Any = None) -> Statistics:
        return Statistics.one_per_sentence(np.array([[len(text), 1.0] for text in system.hypotheses]))

    def score(self, totals: Array) -> Array:
        return np.sqrt(totals[..., 0] / totals[..., 1])


def test_a_metric_of_ones_own_follows_filters_by_the_mean_of_its_sentence_scores(
    small: tuple[Corpus, list[System]], open_page: Any, tmp_path: Path
) -> None:
    corpus, systems = small
    seen = overview(corpus, systems, [Length()], confidence=Resampling(2), edits="plain")
    page = open_page(written(seen, tmp_path))
    assert page.evaluate("[gecval.data.metrics[0].exact, gecval.data.metrics[0].formula]") == [False, None]
    assert page_scores(page, [3, 8])["timid", "length"][0] == pytest.approx(
        np.mean([len(systems[1].hypotheses[i]) ** 0.5 for i in (3, 8)])
    )
    everything = page_scores(page, range(len(corpus)))
    assert {name: score for name, (score, _) in everything.items()} == {
        (score.system, score.metric): score.score for score in seen.scores
    }


def test_intervals_of_a_subset_are_about_those_of_gecval(
    small: tuple[Corpus, list[System]], open_page: Any, tmp_path: Path
) -> None:
    corpus, systems = small
    metrics = ["m2", "gleu", "sari"]
    page = open_page(
        written(overview(corpus, systems, metrics, confidence=Resampling(2), edits="plain", deciding=0), tmp_path)
    )
    sentences = list(range(0, len(corpus), 2))
    answers = page.evaluate(
        """async (sentences) => {
            const mask = new Uint8Array(gecval.data.sentences);
            for (const sentence of sentences) mask[sentence] = 1;
            const pending = [];
            const onProgress = (known) => pending.push(known.pending);
            const answer = await gecval.scoresOf(mask, { intervals: true, onProgress });
            const again = await gecval.scoresOf(mask, { intervals: true });
            return { pending, scores: answer.scores, again: again.scores };
        }""",
        sentences,
    )
    assert answers["pending"][0] == [0, 1, 2]
    assert answers["pending"][-1] == []
    assert answers["scores"] == answers["again"]
    outputs = {system.name: [system.hypotheses[i] for i in sentences] for system in systems}
    expected = gecval.score(
        part(corpus, sentences), outputs, metrics, confidence=Resampling(2000, method="percentile", seed=5)
    )
    names = page.evaluate("gecval.data.systems")
    for entry in answers["scores"]:
        known = expected[names[entry["system"]], metrics[entry["metric"]]]
        assert known.interval is not None
        low, high = entry["interval"]
        assert low <= entry["score"] <= high
        width = known.interval.high - known.interval.low
        assert (low, high) == pytest.approx(known.interval, abs=0.3 * width)
