"""I-measure against the original's counts, against enumeration, and its scores."""

import gzip
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gecval import Corpus, Edit, InputError, Reference, System, _native, load_corpus, load_systems, metric
from gecval.corpus.corpus import Cluster
from gecval.corpus.references import offsets_of
from gecval.metrics.evaluation import Evaluation
from gecval.runtime.run import Run
from oracles import imeasure as oracle
from oracles.clusters import cluster_edits
from strategies import corpora, gold_edits, sentences

XML = {"nucle": "references/NUCLE.ieval.xml.gz", "bn": "references/BN.ieval.xml.gz"}


def select_rows(evaluation: Evaluation) -> np.ndarray:
    """The counts chosen for each sentence."""
    rule = evaluation.metric.rule
    [rows] = rule.repetitions(evaluation.metric, evaluation.statistics)  # type: ignore[attr-defined]
    return rows


@pytest.mark.parametrize(
    ("references", "spelling", "file"),
    [
        ("nucle", "imeasure(mix=False)", "nomix_nucle"),
        ("bn", "imeasure(mix=False)", "nomix_bn"),
        ("nucle", "imeasure", "mix_nucle_skip333-335"),
    ],
)
def test_counts_of_the_original(references: str, spelling: str, file: str, data: Path, golden: Path) -> None:
    """Every sentence of 13 outputs (three sentences had too many combinations for the original), and the totals."""
    corpus = load_corpus(None, [data / XML[references]])
    summary = json.loads((golden / "imeasure/imeasure_conll14_summary.json").read_text())[file]
    systems = load_systems([data / "conll14/systems"], corpus)
    assert len(systems) == 13
    for system in systems:
        evaluation = Evaluation.of(metric(spelling), corpus, system, run=Run(jobs=2))
        rows = select_rows(evaluation)
        with gzip.open(golden / f"imeasure/{file}_{system.name}.jsonl.gz", "rt") as lines:
            expected = [json.loads(line) for line in lines]
        kept = [int(sentence["id"]) - 1 for sentence in expected]
        assert len(kept) == (1312 if "nomix" in file else 1309)
        mine = rows[kept].astype(int).tolist()
        assert mine == [
            [sentence["sys"]["c"][name] for name in ("tp", "tn", "fp", "fn", "fpn")]
            + [sentence["base"]["c"][name] for name in ("tn", "fn")]
            for sentence in expected
        ]
        totals = rows[kept].sum(axis=0)
        for aspect in ("correction", "detection"):
            score = metric(f"imeasure(aspect={aspect!r})").score(totals)
            assert score == pytest.approx(summary[system.name][aspect[0]]["i"], abs=1e-12)


def test_example_of_the_original() -> None:
    """The figures that ieval prints for its example: TP 2, TN 5, FN 1 give WAcc 90.00, baseline 62.50, I 73.33."""
    totals = np.array([2.0, 5.0, 0.0, 1.0, 0.0, 5.0, 3.0])
    parts = metric("imeasure").parts(totals)
    assert (parts["precision"], parts["recall"], parts["f"]) == pytest.approx((1.0, 2 / 3, 0.8))
    assert (parts["acc"], parts["wacc"], parts["base_wacc"]) == pytest.approx((0.875, 0.9, 0.625))
    assert metric("imeasure").score(totals) == pytest.approx(0.7333, abs=1e-4)


def as_oracle(edits: tuple[Edit, ...]) -> tuple[tuple[int, int, tuple[str, ...]], ...]:
    return tuple((edit.start, edit.end, tuple(edit.correction.split())) for edit in edits)


@given(sentences(5), sentences(5), st.data())
def test_mixed_counts_equal_enumeration(source: list[str], hypothesis: list[str], data: st.DataObject) -> None:
    annotations = data.draw(st.lists(gold_edits(len(source), clean=True), min_size=1, max_size=3))
    corpus = Corpus([" ".join(source)], [[Reference(edits=edits) for edits in annotations]])
    evaluation = Evaluation.of(metric("imeasure"), corpus, corpus.system("h", [" ".join(hypothesis)]))
    clusters = [[as_oracle(edits) for edits in cluster.choices()] for cluster in cluster_edits(annotations)]
    candidates = oracle.mixed_candidates(tuple(source), clusters)
    best = oracle.best(tuple(source), tuple(hypothesis), candidates)
    assert evaluation.statistics.notes == ()
    assert evaluation.statistics.rows[0].astype(int).tolist() == list(oracle_row(best))


@st.composite
def drawn_clusters(draw: st.DrawFn, length: int) -> tuple[Cluster, ...]:
    """Edits of any clusters overlap as they like; those of one alternative have different spans."""
    spans = st.tuples(st.integers(0, length), st.integers(0, length)).map(lambda span: (min(span), max(span)))
    edits = st.builds(lambda span, words: Edit(*span, (" ".join(words),)), spans, sentences(2))
    alternatives = st.lists(edits, min_size=1, max_size=2, unique_by=lambda edit: (edit.start, edit.end)).map(tuple)
    clusters = st.builds(Cluster, st.lists(alternatives, min_size=1, max_size=2).map(tuple), st.booleans())
    return tuple(draw(st.lists(clusters, min_size=1, max_size=3)))


ALL_WRONG = st.lists(st.just("x"), min_size=1, max_size=4)  # no reference has this word, so WAcc is mostly 0


@settings(max_examples=150)
@given(sentences(4).filter(bool), st.one_of(sentences(4), ALL_WRONG), st.data())
def test_clusters_that_meet_equal_enumeration(source: list[str], hypothesis: list[str], data: st.DataObject) -> None:
    clusters = data.draw(drawn_clusters(len(source)))
    text = " ".join(source)
    corpus = Corpus([text], [[Reference(text)]], clusters=[clusters])
    statistics = metric("imeasure").statistics(corpus, corpus.system("h", [" ".join(hypothesis)]))
    listed = [[as_oracle(edits) for edits in cluster.choices()] for cluster in clusters]
    best = oracle.best(tuple(source), tuple(hypothesis), oracle.mixed_candidates(tuple(source), listed))
    assert statistics.notes == ()
    assert statistics.rows[0].astype(int).tolist() == list(oracle_row(best))


def test_a_sentence_left_alone_may_score_zero() -> None:
    """unchanged="zero" changes nothing else: not the counts, and not the score of a corpus that is not all right."""
    corpus = Corpus.from_texts(["a b", "he go .", "he go ."], [["a b"], ["he goes ."], ["he goes ."]])
    system = corpus.system("h", ["a b", "he go .", "he goes ."])
    spellings = ("imeasure(mix=False)", "imeasure(mix=False, unchanged='zero')")
    scored, zero = (Evaluation.of(metric(spelling), corpus, system) for spelling in spellings)
    assert scored.sentence_scores().tolist() == [1, 0, 1]
    assert zero.sentence_scores().tolist() == [0, 0, 1]
    assert scored.score() == zero.score()
    assert scored.parts() == zero.parts()
    assert "unchanged" not in metric("imeasure").parameters()
    assert metric("imeasure(unchanged='zero')").parameters()["unchanged"] == "zero"
    with pytest.raises(InputError, match="imeasure: unchanged must be one of scored, zero, not 'one'"):
        metric("imeasure(unchanged='one')")


def test_where_nothing_is_right_the_source_had_better_be_all_wrong_too() -> None:
    """WAcc is 0 whatever the reference. I is 0 where the source is all wrong as well: nine words before t and none
    after it, which align with six others. Elsewhere it is -1, though more of the output's changes may be due."""
    before = Cluster(((Edit(0, 0, ("p p p p p p p p",)),),), required=False)
    after = Cluster(tuple((Edit(1, 6, (words,)),) for words in ("", "z z z z z")), required=False)
    corpus = Corpus(["t a b c d e"], [[Reference("t a b c d e")]], clusters=[(before, after)])
    statistics = metric("imeasure").statistics(corpus, corpus.system("s", ["x x x x x x"]))
    assert statistics.rows.tolist() == [[0, 0, 6, 9, 6, 0, 9]]


@given(st.data())
def test_neighbours_share_what_their_source_and_references_give(data: st.DataObject) -> None:
    source = data.draw(sentences(6))
    annotators = [data.draw(st.lists(gold_edits(len(source), clean=True), min_size=1, max_size=3)) for _ in range(2)]
    rows = data.draw(st.lists(st.tuples(st.sampled_from(annotators), sentences(6)), min_size=2, max_size=5))
    rows.append((annotators[0], source))
    references = [[Reference(edits=edits) for edits in annotations] for annotations, _ in rows]
    corpus = Corpus([" ".join(source)] * len(rows), references)
    together = corpus.system("h", [" ".join(hypothesis) for _, hypothesis in rows])
    counts = Evaluation.of(metric("imeasure"), corpus, together, run=Run(jobs=2)).statistics.rows
    for listed, text, row in zip(references, together.hypotheses, counts, strict=True):
        alone = Corpus(corpus.sources[:1], [listed])
        [expected] = Evaluation.of(metric("imeasure"), alone, alone.system("h", [text])).statistics.rows
        assert row.tolist() == expected.tolist()


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_mixed_counts_of_longer_sentences_equal_each_candidates(data: st.DataObject) -> None:
    """Few words, so that alignments wander; every candidate is aligned by itself."""
    words = st.lists(st.sampled_from("abc"), min_size=10, max_size=18)
    source, hypothesis = data.draw(words), data.draw(words)
    if data.draw(st.booleans()):  # a few changes
        cut = data.draw(st.integers(0, len(source)))
        hypothesis = source[:cut] + hypothesis[:3] + source[cut + data.draw(st.integers(0, 3)) :]
    annotations = data.draw(st.lists(gold_edits(len(source), clean=True), min_size=1, max_size=3))
    clusters = [[as_oracle(edits) for edits in cluster.choices()] for cluster in cluster_edits(annotations)]
    candidates = oracle.mixed_candidates(tuple(source), clusters)
    corpus = Corpus([" ".join(source)], [[Reference(edits=edits) for edits in annotations]])
    [mixed] = Evaluation.of(metric("imeasure"), corpus, corpus.system("h", [" ".join(hypothesis)])).statistics.rows
    listed = Corpus(corpus.sources, [[Reference(" ".join(candidate)) for candidate in candidates]])
    each = Evaluation.of(metric("imeasure(mix=False)"), listed, listed.system("h", [" ".join(hypothesis)]))
    assert mixed.tolist() == select_rows(each)[0].tolist()


def oracle_row(counts: oracle.Counts) -> tuple[int, ...]:
    return counts.tp, counts.tn, counts.fp, counts.fn, counts.fpn, counts.base_tn, counts.base_fn


MEASURES = [aspect + measure for aspect in "cd" for measure in ("wacc", "i", "f", "p", "r", "acc")]


@settings(max_examples=200)
@given(corpora(), st.sampled_from(MEASURES))
def test_unmixed_choice_equals_oracle(drawn: tuple[Corpus, System], maximise: str) -> None:
    corpus, system = drawn
    evaluation = Evaluation.of(metric(f'imeasure(mix=False, maximise="{maximise}")'), corpus, system)
    for i, row in enumerate(select_rows(evaluation)):
        source, hypothesis = tuple(corpus.sources[i].split()), tuple(system.hypotheses[i].split())
        candidates = {oracle.apply(source, as_oracle(r.edits or ())) for r in corpus.references[i]}
        best = oracle.best(source, hypothesis, candidates, maximise)
        assert row.astype(int).tolist() == list(oracle_row(best))


OBJECTIVES = [
    aspect + measure for aspect in "cd" for measure in ("tp", "tn", "fp", "fn", "p", "r", "f", "acc", "wacc", "i")
]


@settings(max_examples=200)
@given(
    corpora(max_words=4),
    st.sampled_from(OBJECTIVES),
    st.sampled_from([(2.0, 1.0), (0.5, 2.0), (1.0, 0.5), (2.5, 1.5)]),
    st.booleans(),
    st.booleans(),
)
def test_every_objective_equals_oracle(
    drawn: tuple[Corpus, System], maximise: str, numbers: tuple[float, float], mix: bool, running: bool
) -> None:
    """Each sentence by itself, or with the totals of those before it."""
    corpus, system = drawn
    weight, beta = numbers
    how = "corpus" if running else "sentence"
    scored = metric(f'imeasure(mix={mix}, maximise="{maximise}", optimise="{how}", weight={weight}, beta={beta})')
    statistics = scored.statistics(corpus, system)
    rows = statistics.rows
    if not mix:
        rows = rows[scored.objective.choose_rows(statistics, np.arange(len(statistics)), running=running)]  # type: ignore[attr-defined]
    assert statistics.notes == ()
    before = oracle.Counts()
    for source, hypothesis, references, row in zip(
        corpus.sources, system.hypotheses, corpus.references, rows, strict=True
    ):
        words, annotations = tuple(source.split()), [reference.edits or () for reference in references]
        if mix:
            clusters = [[as_oracle(edits) for edits in cluster.choices()] for cluster in cluster_edits(annotations)]
            candidates = oracle.mixed_candidates(words, clusters)
        else:
            candidates = {oracle.apply(words, as_oracle(edits)) for edits in annotations}
        best = oracle.best(
            words, tuple(hypothesis.split()), candidates, maximise, before, weight=Fraction(weight), beta=Fraction(beta)
        )
        assert row.astype(int).tolist() == list(oracle_row(best))
        if running:
            before = before + best


@st.composite
def any_counts(draw: st.DrawFn) -> oracle.Counts:
    tp, tn, fp, fn, both, base_tn, base_fn = (draw(st.integers(0, 3)) for _ in range(7))
    return oracle.Counts(tp, tn, fp + both, fn + both, both, base_tn, base_fn)


@settings(max_examples=300)
@given(
    st.lists(st.lists(any_counts(), min_size=2, max_size=5), min_size=1, max_size=3),
    st.sampled_from(OBJECTIVES),
    st.sampled_from([(2.0, 1.0), (0.5, 2.0), (1.0, 0.5), (2.5, 1.5)]),
    st.booleans(),
)
def test_choice_among_any_counts_equals_oracle(
    sentences: list[list[oracle.Counts]], maximise: str, numbers: tuple[float, float], running: bool
) -> None:
    """Of equal rows the first."""
    rows = np.array([oracle_row(counts) for sentence in sentences for counts in sentence], dtype=float)
    offsets, everything = offsets_of(map(len, sentences)), np.arange(len(sentences))
    weight, beta = numbers
    options = {"maximise": maximise, "weight": weight, "beta": beta, "running": running}
    chosen = _native.imeasure_choose(rows, offsets, everything, **options) - offsets[:-1]
    before = oracle.Counts()
    for sentence, place in zip(sentences, chosen.tolist(), strict=True):
        ranks = [oracle.rank(before + counts, maximise, Fraction(weight), Fraction(beta)) for counts in sentence]
        assert place == ranks.index(max(ranks))
        if running:
            before = before + sentence[place]


@given(st.tuples(*[st.integers(0, 5)] * 4), st.integers(0, 3), st.tuples(st.integers(0, 6), st.integers(0, 6)))
def test_scores_equal_oracle(counts: tuple[int, ...], both: int, base: tuple[int, int]) -> None:
    tp, tn, fp, fn = counts
    row = oracle.Counts(tp, tn, fp + both, fn + both, both, *base)
    for aspect in ("correction", "detection"):
        expected = oracle.scores(row, aspect[0], Fraction(2), Fraction(1))
        mine = metric(f"imeasure(aspect={aspect!r})").score(np.array(oracle_row(row), dtype=float))
        assert float(mine) == pytest.approx(float(expected["i"]))


def test_bn_mixed_is_proven(data: Path) -> None:
    """Up to 1.3e42 combinations a sentence: no sentence is left unproven."""
    corpus = load_corpus(None, [data / XML["bn"]])
    systems = load_systems([data / "conll14/systems" / name for name in ("AMU", "CAMB", "UFC")], corpus)
    scores = {}
    for system in systems:
        evaluation = Evaluation.of(metric("imeasure"), corpus, system, run=Run(jobs=2))
        assert evaluation.statistics.notes == ()
        scores[system.name] = round(100 * evaluation.score(), 2)
    assert scores == {"AMU": -0.26, "CAMB": 6.6, "UFC": 2.0}


@pytest.mark.parametrize(
    ("output", "maximise", "counts", "bounds"),
    [
        # The first insertion is tried, no second fits beside it: w3 is wrong, (2·1 + 1) / (2·(1 + 1) + 1 + 1 - 3/2).
        ("x w3 b", "cwacc", [1, 1, 1, 1, 1], (2 / 3, 1.0)),
        # The other alternative of the first word is better.
        ("y w0 b", "cwacc", [2, 1, 0, 0, 0], (1.0, 1.0)),
        ("y w0 b", "ci", [2, 1, 0, 0, 0], (1.0, 1.0)),
        ("y w0 b", "ctp", [2, 1, 0, 0, 0], (2.0, 26.0)),
    ],
)
def test_a_sentence_beyond_the_budget(
    output: str, maximise: str, counts: list[int], bounds: tuple[float, float]
) -> None:
    """2¹⁷ combinations of insertions at one place: a good one is found, and what the best may be is noted."""
    insertions = [Cluster(((Edit(1, 1, (f"w{k}",)),),), required=False) for k in range(17)]
    first = Cluster(((Edit(0, 1, ("x",)),), (Edit(0, 1, ("y",)),)), required=True)
    corpus = Corpus(["a b"], [[Reference("a b")]], clusters=[(first, *insertions)])
    statistics = metric(f"imeasure(maximise={maximise!r})").statistics(corpus, corpus.system("s", [output]))
    assert statistics.rows[0, :5].tolist() == counts
    assert statistics.notes == (
        f"s: sentence 1 is not proven best within the budget; its {maximise} lies between {bounds[0]:.4f} and "
        f"{bounds[1]:.4f}",
    )


@pytest.mark.parametrize("name", ["imeasure", "imeasure(mix=False)"])
def test_texts_that_are_too_long_to_align(name: str) -> None:
    long = " ".join(["a"] * 5000)
    corpus = Corpus(["a", long], [[Reference("a", edits=())], [Reference(long, edits=())]])
    with pytest.raises(InputError, match=r"^imeasure: sentence 2 of s has 5,000 words, and its source 5,000: too many"):
        metric(name).statistics(corpus, corpus.system("s", ["a", long]))


def test_edits_of_one_span_are_joined() -> None:
    references = [[Reference(edits=(Edit(1, 1, ("x",)), Edit(0, 1, ("c",)), Edit(1, 1, ("y",))))]]
    corpus = Corpus(["a b"], references)
    statistics = metric("imeasure(mix=False)").statistics(corpus, corpus.system("s", ["c x y b"]))
    assert statistics.rows.tolist() == [[3, 1, 0, 0, 0, 1, 3]]


@pytest.mark.parametrize("maximise", OBJECTIVES)
def test_bounds_of_every_objective_beyond_the_budget(maximise: str) -> None:
    """From what the candidate has that was found, to the most of any: 1, or as many counts as there are tokens."""
    insertions = [Cluster(((Edit(1, 1, (f"w{k}",)),),), required=False) for k in range(17)]
    corpus = Corpus(["a b c"], [[Reference("a b c")]], clusters=[(*insertions,)])
    system = corpus.system("s", ["q w0 b d e"])
    statistics = metric(f"imeasure(maximise={maximise!r}, weight=2.5, beta=1.5)").statistics(corpus, system)
    row = oracle.Counts(*statistics.rows[0].astype(int).tolist())
    score = oracle.scores(row, maximise[0], Fraction(5, 2), Fraction(3, 2))[maximise[1:]]
    most = 2 * 3 + 5 + 17 if maximise[1:] in ("tp", "tn", "fp", "fn") else 1
    assert statistics.notes == (
        f"s: sentence 1 is not proven best within the budget; its {maximise} lies between {float(score):.4f} and "
        f"{most:.4f}",
    )


@pytest.mark.parametrize(("words", "notes"), [(5457, 0), (5458, 1)])
def test_a_correction_that_is_too_long_for_costs_of_16_bits(words: int, notes: int) -> None:
    """Six for any column: 2 source words, 1 of the output and a reference of 5457 + 1 cost 32766 at most."""
    corpus = Corpus(["a b"], [[Reference(edits=(Edit(0, 1, (" ".join(["x"] * words),)),))]])
    statistics = metric("imeasure").statistics(corpus, corpus.system("s", ["a"]))
    assert statistics.rows.tolist() == [[0.0, 0.0, 1.0, words, 0.0, 1.0, words]]
    assert len(statistics.notes) == notes


@pytest.mark.parametrize(("source", "output", "reference"), [(1, 1, 32765), (1, 2, 32764), (2, 1, 32763)])
def test_more_tokens_than_can_be_counted(source: int, output: int, reference: int) -> None:
    """Columns are counted in 16 bits: as many as source, reference and the longer of source and output together."""
    texts = [" ".join(["a"] * count) for count in (source, output)]
    for longer in (0, 1):
        corrected = " ".join(["a"] * source + ["b"] * (reference - source + longer))
        corpus = Corpus.from_texts(texts[:1], [[corrected]])
        scored, system = metric("imeasure(mix=False)"), corpus.system("s", texts[1:])
        if not longer:
            [[*_, base_tn, base_fn]] = scored.statistics(corpus, system).rows.tolist()
            assert (base_tn, base_fn) == (source, reference - source)
            continue
        with pytest.raises(InputError, match="cannot score s: I-measure: more than 32767 tokens to align"):
            scored.statistics(corpus, system)


@pytest.mark.parametrize("spoilt", [0, 100])
def test_more_sums_of_counts_than_can_be_compared(spoilt: int) -> None:
    """Of 30 words, 10 are kept, 19 corrected and one is wrong; every word but each second one has five references.

    I falls with the WAcc of the source, so the reference of the best WAcc need not be the best. No reference has a
    better WAcc than (2·19 + 40) / (2·20 + 41 - 3/2), and in none has the source less than 30 / (30 + 3·30) right.
    Words after these that are right, but for the output, make it worse than the source.
    """
    words = [("q" if i == 0 else f"a{i}" if i <= 10 else f"h{i}") for i in range(30)]
    clusters = []
    for i, word in enumerate(words):
        corrections = ["x", "x y", "x y z", "", *([word] if i > 10 else [])]
        alternatives = tuple((Edit(2 * i, 2 * i + 1, (correction,)),) for correction in corrections)
        clusters.append(Cluster(alternatives, required=i == 0))
    source = " ".join([*(f"a{i} f" for i in range(30)), *(f"t{i}" for i in range(spoilt))])
    corpus = Corpus([source], [[Reference(source)]], clusters=[tuple(clusters)])
    system = corpus.system("s", [" ".join([*(f"{word} f" for word in words), *["u"] * spoilt])])
    statistics = metric("imeasure(maximise='ci')").statistics(corpus, system)
    assert statistics.rows[0].tolist() == [19, 40, 1 + spoilt, 1, 1, 40 + spoilt, 20]
    wacc, base, least_base = 78 / (79.5 + 2 * spoilt), (40 + spoilt) / (60 + spoilt), (30 + spoilt) / (120 + spoilt)
    if spoilt:
        lower, upper = wacc / base - 1, wacc / least_base - 1
    else:
        lower, upper = (wacc - base) / (1 - base), (wacc - least_base) / (1 - least_base)
    assert statistics.notes == (
        f"s: sentence 1 is not proven best within the budget; its ci lies between {lower:.4f} and {upper:.4f}",
    )


def test_clusters_of_m2_are_those_of_the_xml(data: Path) -> None:
    """The converter's grouping; its tokeniser is not imitated, so corrections are compared by their spans."""
    for xml, m2 in ((XML["nucle"], "conll14/official-2014.combined.m2"), (XML["bn"], "bryant-ng-2015/BN.m2")):
        given_clusters = load_corpus(None, [data / xml]).clusters
        assert given_clusters is not None
        for theirs, references in zip(given_clusters, load_corpus(None, [data / m2]).references, strict=True):
            mine = cluster_edits([reference.edits or () for reference in references])
            assert sorted(map(_spans, theirs)) == sorted(map(_spans, mine))


def _spans(cluster: object) -> tuple[bool, list[list[tuple[int, int]]]]:
    alternatives = [sorted((e.start, e.end) for e in edits) for edits in cluster.alternatives]  # type: ignore[attr-defined]
    return cluster.required, sorted(alternatives)  # type: ignore[attr-defined]


def test_optimising_the_corpus_never_scores_lower(data: Path) -> None:
    corpus = load_corpus(None, [data / XML["nucle"]])
    [system] = load_systems([data / "conll14/systems/AMU"], corpus)
    scores = [
        Evaluation.of(metric(f'imeasure(mix={mix}, optimise="{how}")'), corpus, system).parts()["wacc"]
        for mix in (False, True)
        for how in ("sentence", "corpus")
    ]
    assert scores[0] <= scores[1] + 1e-3
    assert scores[2] <= scores[3] + 1e-3
    assert scores[0] <= scores[2]
