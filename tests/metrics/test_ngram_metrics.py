"""GLEU, BLEU, iBLEU and SARI against the plain Python oracles and the original tools."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, System, load_corpus, load_systems, metric
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.gleu import _mean
from oracles import ngrams
from strategies import corpora

BN = [f"references/BN{i}" for i in range(1, 11)]
SAKAGUCHI = [
    f"sakaguchi-2016/{who}_{how}{which}"
    for who in ("expert", "turker")
    for how in ("minimal", "fluency")
    for which in "AB"
]
REFERENCES = {
    "nucleA": ["references/NUCLEA"],
    "nucle2": ["references/NUCLEA", "references/NUCLEB"],
    "bn10": BN,
    "bn10_8sak": BN + SAKAGUCHI,
    "bn8": [path for path in BN if path not in ("references/BN3", "references/BN7")],
}


@cache
def conll14(data: Path, references: str) -> tuple[Corpus, list[System]]:
    corpus = load_corpus(data / "conll14/source.txt", [data / name for name in REFERENCES[references]])
    return corpus, load_systems([data / "conll14/systems"], corpus)


def words(corpus: Corpus, system: System) -> list[tuple[list[str], list[str], list[list[str]]]]:
    return [
        (source.split(), hypothesis.split(), [text.split() for text in corpus.texts_of(i)])
        for i, (source, hypothesis) in enumerate(zip(corpus.sources, system.hypotheses, strict=True))
    ]


@given(corpora(), st.integers(1, 5), st.sampled_from(["tool", "paper"]))
def test_gleu_equals_oracle(drawn: tuple[Corpus, System], n: int, form: str) -> None:
    corpus, system = drawn
    gleu = metric(f'gleu(n={n}, form="{form}", iterations=3)')
    evaluation = Evaluation.of(gleu, corpus, system)
    lines = words(corpus, system)
    rows = [ngrams.gleu_statistics(s, h, r, n, form) for s, h, references in lines for r in references]
    assert evaluation.statistics.rows.tolist() == rows
    assert evaluation.sentence_scores() == pytest.approx([ngrams.gleu_sentence(*line, n, form) for line in lines])


@given(corpora(references=2), st.integers(1, 4), st.sampled_from(["tool", "paper"]))
def test_gleu_corpus_equals_oracle(drawn: tuple[Corpus, System], n: int, form: str) -> None:
    corpus, system = drawn
    sources, hypotheses, references = map(list, zip(*words(corpus, system), strict=True))
    expected, _ = ngrams.gleu_corpus(sources, hypotheses, references, n, form, iterations=7)
    evaluation = Evaluation.of(metric(f'gleu(n={n}, form="{form}", iterations=7)'), corpus, system)
    assert evaluation.score() == pytest.approx(expected)


def test_gleu_of_the_paper_sums_before_it_looks_at_the_sign() -> None:
    """Worked out by hand: numerators 6 - 5, 5 - 4, 4 - 3 and 3 - 2 over 11, 9, 7 and 5 n-grams."""
    outputs = ["a b c d e f", "x y z w v"]
    corpus = Corpus.from_texts(outputs, [["a b c d e f"], ["p q r t u"]])
    evaluation = Evaluation.of(metric('gleu(form="paper")'), corpus, corpus.system("copy", outputs))
    assert evaluation.statistics.rows.tolist() == [[6, 6, 6, 6, 5, 5, 4, 4, 3, 3], [5, 5, -5, 5, -4, 4, -3, 3, -2, 2]]
    assert evaluation.score() == pytest.approx((1 / (11 * 9 * 7 * 5)) ** 0.25)
    assert evaluation.score() == pytest.approx(0.130, abs=5e-4)
    assert evaluation.sentence_scores() == pytest.approx([1.0, (1 / (5 * 4 * 3 * 2)) ** 0.25])
    tool = Evaluation.of(metric("gleu"), corpus, corpus.system("copy", outputs))
    assert tool.score() == pytest.approx((6 / 11 * 5 / 9 * 4 / 7 * 3 / 5) ** 0.25)


def test_sari_over_the_corpus_counts_a_deletion_as_good_as_far_as_it_is_wanted() -> None:
    """One of two a's goes, as in the reference; EASSE gives .75: three orders of F1 1, and no n-gram of four words."""
    corpus = Corpus.from_texts(["a a b"], [["a b"]])
    parts = Evaluation.of(metric('sari(form="corpus")'), corpus, corpus.system("mine", ["a b"])).parts()
    assert parts["delete"] == pytest.approx(0.75)
    tool = Evaluation.of(metric("sari"), corpus, corpus.system("mine", ["a b"])).parts()
    assert tool["delete"] == pytest.approx(0.5)  # SARI.py takes D - G


def test_sari_of_empty_lines() -> None:
    """EASSE's split() finds no token in an empty line: it adds nothing, and alone it scores 0. SARI.py finds one."""
    for texts, references in ((("", ""), [["", ""]] * 2), (("",), [[""]])):
        corpus = Corpus.from_texts(texts, references)
        system = corpus.system("mine", texts)
        assert Evaluation.of(metric('sari(form="corpus")'), corpus, system).score() == 0
        assert Evaluation.of(metric("sari"), corpus, system).score() == pytest.approx(1 / 12)
    whole, more = (
        Corpus.from_texts(["a a b"], [["a b"]]),
        Corpus.from_texts(["a a b", ""], [["a b"], [""]]),
    )
    scores = [
        Evaluation.of(metric('sari(form="corpus")'), corpus, corpus.system("mine", ["a b", ""][: len(corpus)])).score()
        for corpus in (whole, more)
    ]
    assert scores[0] == scores[1]


def test_sari_over_the_corpus_of_real_outputs(data: Path) -> None:
    """EASSE's figure for deletion, .3970."""
    corpus, systems = conll14(data, "nucle2")
    [camb] = [system for system in systems if system.name == "CAMB"]
    evaluation = Evaluation.of(metric('sari(form="corpus")'), corpus, camb)
    assert evaluation.parts()["delete"] == pytest.approx(0.3970, abs=5e-5)
    assert evaluation.score() == pytest.approx(0.4862, abs=5e-5)


@given(corpora(), st.integers(1, 5))
def test_bleu_equals_oracle(drawn: tuple[Corpus, System], n: int) -> None:
    corpus, system = drawn
    evaluation = Evaluation.of(metric(f"bleu(n={n})"), corpus, system)
    lines = words(corpus, system)
    assert evaluation.sentence_scores() == pytest.approx([ngrams.bleu_sentence(h, r, n) for _, h, r in lines])
    expected = ngrams.bleu_corpus([h for _, h, _ in lines], [r for _, _, r in lines], n)
    assert evaluation.score() == pytest.approx(expected)


@given(corpora(), st.sampled_from(["plus", "minus"]), st.sampled_from([0.5, 0.8]))
def test_ibleu_equals_oracle(drawn: tuple[Corpus, System], sign: str, alpha: float) -> None:
    corpus, system = drawn
    evaluation = Evaluation.of(metric(f'ibleu(alpha={alpha}, sign="{sign}")'), corpus, system)
    expected = [ngrams.ibleu_sentence(*line, alpha=alpha, sign=sign) for line in words(corpus, system)]
    assert evaluation.sentence_scores() == pytest.approx(expected)


def _without_empty_tokens(tokens: list) -> list:
    """EASSE's tokens: an empty line has none."""
    return [_without_empty_tokens(part) if isinstance(part, list) else part for part in tokens if part != ""]


@given(corpora())
def test_sari_equals_oracle(drawn: tuple[Corpus, System]) -> None:
    corpus, system = drawn
    # SARI.py lower-cases, and takes an empty line as one empty token.
    lines = [
        ([w.lower() for w in s] or [""], [w.lower() for w in h] or [""], [[w.lower() for w in r] or [""] for r in rs])
        for s, h, rs in words(corpus, system)
    ]
    sari = Evaluation.of(metric("sari"), corpus, system)
    assert sari.sentence_scores() == pytest.approx([ngrams.sari_sentence(*line) for line in lines])
    assert sari.score() == pytest.approx(np.mean(sari.sentence_scores()))
    max_sari = Evaluation.of(metric("max-sari"), corpus, system)
    assert max_sari.sentence_scores() == pytest.approx([ngrams.max_sari_sentence(*line) for line in lines])
    sources, hypotheses, references = (_without_empty_tokens(list(column)) for column in zip(*lines, strict=True))
    summed = Evaluation.of(metric('sari(form="corpus")'), corpus, system)
    assert summed.score() == pytest.approx(ngrams.sari_corpus(sources, hypotheses, references))


@pytest.mark.parametrize("references", ["nucleA", "nucle2", "bn10", "bn10_8sak"])
def test_gleu_of_the_original_tool(references: str, data: Path, golden: Path) -> None:
    """Corpus means and all sentence scores, to the six digits that compute_gleu prints."""
    expected = json.loads((golden / "gleu/conll14.json").read_text())[references]
    corpus, systems = conll14(data, references)
    assert len(systems) == len(expected) == 13
    for system in systems:
        evaluation = Evaluation.of(metric("gleu"), corpus, system)
        assert evaluation.score() == pytest.approx(expected[system.name]["corpus_mean"], abs=1e-6)
        scores = evaluation.sentence_scores()
        assert scores == pytest.approx(np.array(expected[system.name]["sentence_scores"]), abs=1e-6)


@pytest.mark.parametrize("references", ["nucle2", "bn8"])
@pytest.mark.parametrize(
    ("key", "spelling"),
    [
        ("BLEU", "bleu"),
        ("iBLEU_plus", "ibleu"),
        ("iBLEU_minus", 'ibleu(sign="minus")'),
        ("SARI", "sari"),
        ("MAX_SARI", "max-sari"),
        ("LD_S_O", "ld"),
        ("MinLD_O_R", "min-ld"),
        ("GLEU", "gleu"),
    ],
)
def test_sentence_scores_of_the_original_tools(
    references: str, key: str, spelling: str, data: Path, golden: Path
) -> None:
    expected = json.loads((golden / "ngram/ngram_metrics_conll14.json").read_text())[references]
    corpus, systems = conll14(data, references)
    for system in systems:
        evaluation = Evaluation.of(metric(spelling), corpus, system, aggregate="mean")
        assert evaluation.score() == pytest.approx(expected[system.name][key]["mean"], abs=1e-12)
        if "sent" in expected[system.name][key]:  # rounded to ten digits
            sentence_scores = np.array(expected[system.name][key]["sent"])
            assert evaluation.sentence_scores() == pytest.approx(sentence_scores, abs=1e-10)


@pytest.mark.parametrize("references", ["nucle2", "bn8"])
def test_corpus_bleu_of_sacrebleu(references: str, data: Path, golden: Path) -> None:
    expected = json.loads((golden / "ngram/ngram_metrics_conll14.json").read_text())[references]
    corpus, systems = conll14(data, references)
    for system in systems:
        mine = Evaluation.of(metric("bleu"), corpus, system).score()
        assert 100 * mine == pytest.approx(expected[system.name]["sacrebleu_corpus_tok_none"], abs=1e-10)


def test_sampling_draws_what_python_2_drew() -> None:
    """numpy's legacy generator seeded by an array is Python's generator seeded by that number."""
    import random

    for j in (0, 1, 499):
        random.seed(101 * j)
        expected = [int(random.random() * 10) for _ in range(20)]
        mine = (np.random.RandomState([101 * j]).random_sample(20) * 10).astype(int)
        assert mine.tolist() == expected


@pytest.mark.parametrize("name", ["gleu", "bleu", "ibleu"])
def test_a_perfect_corpus_without_4_grams_scores_0_and_says_so(name: str) -> None:
    texts = ["He goes .", "Fine ."]
    corpus = Corpus.from_texts(["He go .", "Fine ."], [[text] for text in texts])
    short = Evaluation.of(metric(name), corpus, corpus.system("mine", texts))
    assert short.score() == 0
    assert short.statistics.notes == (
        f"mine: no output has 4 tokens, so the corpus score of {name} is 0; "
        "the mean of its sentence scores is smoothed",
    )
    fewer = Evaluation.of(metric(f"{name}(n=2)"), corpus, corpus.system("mine", texts))
    assert fewer.score() > 0.9
    assert fewer.statistics.notes == ()


@pytest.mark.parametrize("orders", range(1, 20))
def test_the_mean_of_orders_is_numpys_to_the_last_bit(orders: int) -> None:
    values = np.log(np.random.default_rng(orders).random((50, orders)))
    for laid_out in (values, np.asfortranarray(values)):
        assert _mean(laid_out).tolist() == values.mean(axis=-1).tolist()


@pytest.mark.parametrize("name", ["bleu", "gleu", "ibleu"])
def test_outputs_that_are_all_too_short_are_noted(name: str) -> None:
    corpus = Corpus.from_texts(["a b c d e", "a b"], [["a b c d f"], ["a c"]])
    for outputs, noted in ((["a b c d", "a b"], False), (["a b c", "a b"], True)):
        notes = Evaluation.of(metric(name), corpus, corpus.system("mine", outputs)).statistics.notes
        note = f"mine: no output has 4 tokens, so the corpus score of {name} is 0; the mean of its sentence scores "
        assert [found.startswith(note) for found in notes] == [True] * noted
