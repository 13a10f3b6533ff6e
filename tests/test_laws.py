"""Laws that every registered metric obeys. A new metric is tested here without a line written for it."""

import dataclasses
from importlib.util import find_spec
from itertools import pairwise

import numpy as np
import pytest
from _pytest.mark import ParameterSet
from hypothesis import assume, given
from hypothesis import strategies as st

from gecval import Corpus, InputError, Metric, Reference, System, metric, metric_names
from gecval.edits import plain_edits
from gecval.metrics.cleme2 import CLEME2
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.m2 import M2
from gecval.metrics.reference_rules import Best, Pooled
from gecval.runtime.run import Run
from gecval.sample import load_sample
from stand_ins import WITHOUT_MODELS, stand_in
from strategies import corpora

OWN_FILES = ("from-file",)  # their scores are those in a file, which fits one corpus only: see test_from_file.py
CHECKERS = ("lt", "grammaticality")
LANGUAGE_MODELS = ("scribendi", "graded-scribendi", "perplexity")


@pytest.fixture(autouse=True)
def quick_language_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Laws are about metrics: a stand-in that knows letters only takes the place of the language model."""
    stand_in(monkeypatch)


def every_metric() -> list[Metric | ParameterSet]:
    """All available metrics, those that need an absent extra to be skipped by name."""
    missing = CHECKERS if find_spec("lt_py") is None else ()
    missing += LANGUAGE_MODELS if find_spec("transformers") is None else ()
    missing += ("lfm",) if find_spec("pocketsphinx") is None else ()
    missing += ("uot",) if find_spec("ot") is None else ()
    metrics: list[Metric | ParameterSet] = []
    for name in metric_names():
        if name in OWN_FILES:
            continue
        scored = metric(WITHOUT_MODELS.get(name, name))
        reason = "needs the extra [grammar], [lm], [lfm] or [uot]"
        metrics.append(pytest.param(scored, marks=pytest.mark.skip(reason=reason)) if name in missing else scored)
    return metrics


METRICS = pytest.mark.parametrize("scored", every_metric(), ids=repr)

# Metrics whose rows depend on a constant of the whole corpus: how long its changed chunks are.
WEIGHTED_BY_CORPUS = {"cleme": 'cleme(weights="none", edits="plain")'}
# Metrics that look at one reference, by its number.
BY_NUMBER = ("gotoscorer",)
# Metrics that give an output equal to the only reference less than 1 for some corpora.
NEVER_PERFECT = ("gotoscorer", "uot", "interpolated", "ibleu", "sari", "max-sari")
# References need 4-grams to have a BLEU, and I-measure never takes a whole sentence away.
FEWEST_WORDS = {"bleu": 4, "gleu": 4, "imeasure": 1}


def reordered(corpus: Corpus, order: list[int]) -> Corpus:
    return Corpus([corpus.sources[i] for i in order], [corpus.references[i] for i in order])


def like(default: object) -> list[object]:
    """Other values of the same type; the texts hold what spellings are made of."""
    if isinstance(default, bool):
        return [not default]
    if isinstance(default, int):
        return [default + 1]
    if isinstance(default, float):
        return [default / 2 + 0.125]
    texts = ["min-counts.tsv", "my_module:f(n=2)", 'it\'s "max-sari", token-sort\\']
    return [*texts] if isinstance(default, str) else [("token-sort",), tuple(texts)]


@METRICS
def test_spelling_gives_the_metric_back(scored: Metric) -> None:
    assert metric(repr(scored)) == scored
    for field in dataclasses.fields(scored):  # type: ignore[arg-type]
        for value in like(field.default):
            try:
                changed = dataclasses.replace(scored, **{field.name: value})  # type: ignore[type-var]
            except InputError:  # one of few texts, or a metric
                assert not isinstance(value, bool | int)
                continue
            assert changed != scored
            assert metric(repr(changed)) == changed


# What may stand for a default of a type besides that type itself: a whole number for any, and for none given.
ALSO = {float: int, type(None): int}
PRICES = ("errant", "weights")  # may be a dict too
VALUES = (None, True, 7, 2.5, 1j, "a text", b"bytes", ("a", 1), ["a"], {"a": 1}, {"a"}, metric("ld"), object)


@METRICS
def test_parameters_of_another_type_are_refused(scored: Metric) -> None:
    """As something that a user can fix, whatever the value is."""
    for field in dataclasses.fields(scored):  # type: ignore[arg-type]
        kind = type(field.default)
        for value in VALUES:
            if type(value) in (kind, ALSO.get(kind)) and kind is not tuple:
                continue
            if isinstance(value, Metric) and isinstance(field.default, Metric):
                continue
            if isinstance(value, dict) and (scored.name, field.name) == PRICES:
                continue
            with pytest.raises(InputError):
                dataclasses.replace(scored, **{field.name: value})  # type: ignore[type-var]


@METRICS
def test_says_what_it_is(scored: Metric) -> None:
    assert scored.summary
    assert scored.paper
    assert scored.name in metric_names()


@METRICS
@given(corpora())
def test_scores_are_numbers_on_the_scale_of_the_metric(scored: Metric, drawn: tuple[Corpus, System]) -> None:
    evaluation = Evaluation.of(scored, *drawn)
    assert np.isfinite(evaluation.score())
    sentence_scores = evaluation.sentence_scores()
    assert np.isfinite(sentence_scores).all()
    least, largest = scored.scale
    assert all(least - 1e-9 <= value <= largest + 1e-9 for value in (evaluation.score(), *sentence_scores))
    assert all(np.isfinite(value) for value in evaluation.parts().values())


@METRICS
@given(corpora(), corpora())
def test_statistics_of_two_corpora_add_up(scored: Metric, a: tuple[Corpus, System], b: tuple[Corpus, System]) -> None:
    """No sentence's row depends on another sentence, so work may be split anywhere."""
    scored = metric(WEIGHTED_BY_CORPUS.get(scored.name, repr(scored)))
    (first, system_1), (second, system_2) = a, b
    joined = Corpus([*first.sources, *second.sources], [*first.references, *second.references])
    system = joined.system("both", [*system_1.hypotheses, *system_2.hypotheses])
    rows = [Evaluation.of(scored, *drawn).statistics.rows for drawn in (a, b)]
    np.testing.assert_array_equal(Evaluation.of(scored, joined, system).statistics.rows, np.concatenate(rows))


@METRICS
@given(corpora(), st.randoms())
def test_sentence_order_does_not_matter(scored: Metric, drawn: tuple[Corpus, System], random: object) -> None:
    """Always for sentence scores and their mean; for the corpus score where the rule looks at each sentence alone."""
    corpus, system = drawn
    order = list(range(len(corpus)))
    random.shuffle(order)  # type: ignore[attr-defined]
    before = Evaluation.of(scored, corpus, system)
    shuffled = reordered(corpus, order)
    after = Evaluation.of(scored, shuffled, shuffled.system("h", [system.hypotheses[i] for i in order]))
    np.testing.assert_array_equal(after.sentence_scores(), before.sentence_scores()[order])
    if isinstance(scored.rule, Pooled | Best):
        assert after.score() == pytest.approx(before.score())


@METRICS
@given(corpora())
def test_reference_order_and_copies_do_not_matter(scored: Metric, drawn: tuple[Corpus, System]) -> None:
    corpus, system = drawn
    expected = Evaluation.of(scored, corpus, system).sentence_scores()
    backwards = Corpus(corpus.sources, [references[::-1] for references in corpus.references])
    doubled = Corpus(corpus.sources, [[*references, *references] for references in corpus.references])
    for other in (doubled,) if scored.name in BY_NUMBER else (backwards, doubled):
        assert Evaluation.of(scored, other, system).sentence_scores() == pytest.approx(expected)


def has_a_perfect_score(scored: Metric | ParameterSet) -> bool:
    it = scored.values[0] if isinstance(scored, ParameterSet) else scored
    assert isinstance(it, Metric)
    return it.needs is not None and it.name not in NEVER_PERFECT


def can_be_perfect(scored: Metric, reference: Reference) -> bool:
    """Whether a metric can tell that an output equal to this reference is right."""
    if isinstance(scored, M2):
        # Of gold edits so near that one edit may span two, the scorer's search does not always find both.
        return all(b.start - a.end > scored.max_unchanged for a, b in pairwise(reference.edits or ()))
    if isinstance(scored, CLEME2):  # nothing to do and nothing done is no hit
        return bool(reference.edits)
    return len((reference.text or "").split()) >= FEWEST_WORDS.get(scored.name, 0)


@pytest.mark.parametrize("scored", list(filter(has_a_perfect_score, every_metric())), ids=repr)
@given(corpora(references=1, max_words=12))
def test_a_perfect_output_is_perfect(scored: Metric, drawn: tuple[Corpus, System]) -> None:
    """Given minimal gold edits: no search finds an edit that keeps many words, or one that changes nothing."""
    loose, _ = drawn
    pairs = zip(loose.sources, loose.reference_texts, strict=True)
    minimal = [(source, Reference(text, plain_edits(source.split(), text.split()))) for source, text in pairs]
    kept = [(source, reference) for source, reference in minimal if can_be_perfect(scored, reference)]
    assume(kept)
    corpus = Corpus([source for source, _ in kept], [[reference] for _, reference in kept])
    perfect = corpus.system("perfect", corpus.reference_texts)
    assert Evaluation.of(scored, corpus, perfect).score() == pytest.approx(1.0)


@METRICS
@given(corpora())
def test_number_of_threads_does_not_matter(scored: Metric, drawn: tuple[Corpus, System]) -> None:
    rows = [Evaluation.of(scored, *drawn, run=Run(jobs=jobs)).statistics.rows for jobs in (1, 3)]
    np.testing.assert_array_equal(*rows)


@METRICS
@pytest.mark.parametrize("aggregate", ["corpus", "mean"])
def test_resampling_agrees_with_scoring(scored: Metric, aggregate: str) -> None:
    """Every sentence once is the score itself; leaving out a block is the score of the others."""
    corpus, systems = load_sample()
    evaluation = Evaluation.of(scored, corpus, systems[0], aggregate=aggregate)  # type: ignore[arg-type]
    everything = np.arange(len(corpus))
    assert evaluation.scores_over(everything[None]) == pytest.approx([evaluation.score()])
    blocks = [slice(0, 3), slice(3, 40), slice(40, 72)]
    left = np.array([evaluation.scores_over(np.delete(everything, block)[None])[0] for block in blocks])
    assert evaluation.scores_without(blocks) == pytest.approx(left)


@METRICS
def test_swapping_all_sentences_swaps_the_scores(scored: Metric) -> None:
    """What the randomisation test rests on: two systems side by side are scored as each alone."""
    corpus, systems = load_sample()
    a, b = (Evaluation.of(scored, corpus, system) for system in systems[:2])
    mine = np.arange(len(corpus))
    scores = a.concatenate(b).scores_over(np.stack([mine, mine + len(corpus)]))
    assert scores == pytest.approx([a.score(), b.score()])


@METRICS
def test_says_what_it_needs(scored: Metric) -> None:
    bare = Corpus.from_texts(["a b"])
    if scored.needs is None:
        scored.check(bare)
        return
    with pytest.raises(InputError, match="needs references"):
        scored.check(bare)
    ragged = Corpus.from_texts(["a b", "c"], [["a"], []])
    with pytest.raises(InputError, match="sentence 2 has none"):
        scored.check(ragged)
