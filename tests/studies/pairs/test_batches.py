"""Batches of rows: scores as of the whole corpus, in every form of batch, and rows without texts."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from _pytest.mark import ParameterSet

from gecval import Corpus, InputError, Metric, batch_scorer, metric
from gecval.edits.plain import PlainExtractor
from gecval.metrics.distance import LD
from gecval.metrics.evaluation import Evaluation
from gecval.runtime.run import Run
from gecval.studies.scores.preparation import needs_extractor, prepare
from gecval.studies.scores.sentences import score_sentences
from stand_ins import stand_in
from test_laws import every_metric

SOURCES = ["He go to home now .", "She like apple .", "Fine .", "I has two cat .", "Well , he goed .", ""]
HYPOTHESES = ["He went home now .", "She like apples .", "Fine !", "I have two cat .", "Well , he went .", ""]
REFERENCES = [
    ["He goes home now .", "He went home ."],
    ["She likes apples ."],
    ["Fine ."],
    ["I have two cats .", "I have cats .", "I own two cats ."],
    ["Well , he went ."],
    [""],
]
BATCH = {"source": SOURCES, "hypothesis": HYPOTHESES, "references": REFERENCES}


def part(start: int, stop: int) -> dict[str, list]:
    return {name: column[start:stop] for name, column in BATCH.items()}


def quick_metrics() -> list[Metric | ParameterSet]:
    """All but those whose models take ten seconds to load; test_laws.py has the law that they see sentences alone."""
    return [listed for listed in every_metric() if getattr(listed, "name", "") not in ("lt", "grammaticality", "uot")]


@pytest.mark.parametrize("scored", quick_metrics(), ids=repr)
def test_a_row_scores_as_it_does_in_the_whole_corpus(scored: Metric, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bit for bit, however the rows are cut into batches; metrics that look at the whole corpus are refused."""
    stand_in(monkeypatch)
    edits = "plain" if needs_extractor(scored) else None
    if scored.whole_corpus:
        with pytest.raises(InputError, match="cannot score rows one by one") as refusal:
            batch_scorer(scored, edits=edits)
        assert scored.whole_corpus in str(refusal.value)
        return
    corpus = Corpus.from_texts(SOURCES, REFERENCES, language="en")
    mine = corpus.system("mine", HYPOTHESES)
    [prepared] = prepare(corpus, [mine], [scored], extractor=edits)
    whole = Evaluation.of(scored, prepared, mine).sentence_scores()
    scorer = pickle.loads(pickle.dumps(batch_scorer(scored, edits=edits, language="en")))
    for size in (6, 4, 1):
        batches = [scorer(part(start, start + size)) for start in range(0, 6, size)]
        assert [number for batch in batches for number in batch[repr(scored)]] == whole.tolist()
    assert scorer({name: [] for name in BATCH})[repr(scored)] == []
    assert scorer.names == (repr(scored),)


def test_which_metrics_look_at_the_whole_corpus() -> None:
    looking = {
        "cleme": "it takes a mean",
        'cleme2(weights="sentence")': "it takes a mean",
        'imeasure(optimise="corpus")': "the sentences before",
        'errant(average="macro")': "types of the whole corpus",
        'gotoscorer(pool="out")': "those of one corpus",
        'from-file(path="x")': "of one corpus",
        "interpolated(cleme, ld)": "it takes a mean",
    }
    for spelling, why in looking.items():
        assert why in (metric(spelling).whole_corpus or "")
    for spelling in ('cleme(weights="none")', 'imeasure(mix=False, optimise="corpus")', "gotoscorer", "cleme2", "m2"):
        assert metric(spelling).whole_corpus is None


def test_statistics_are_those_of_each_sentence() -> None:
    metrics = ("m2", 'errant(model="plain")', "sari", "gleu")
    scored = batch_scorer(*metrics, edits="plain", statistics=True)(BATCH)
    added = [name for name in scored if name not in BATCH]
    counts = ["precision", "recall", "tp", "fp", "fn"]
    assert added == [
        "m2", "m2.precision", "m2.recall", "m2.correct", "m2.proposed", "m2.gold", "m2.tp", "m2.fp", "m2.fn",
        "errant(model='plain')", *(f"errant(model='plain').{name}" for name in counts),
        "sari", "sari.keep", "sari.delete", "sari.add", "gleu",
    ]  # fmt: skip
    for i in range(6):  # a corpus of one sentence chooses as the sentence does
        corpus = Corpus.from_texts([SOURCES[i]], [REFERENCES[i]])
        [alone] = score_sentences(corpus, {"mine": [HYPOTHESES[i]]}, metrics[:2], edits="plain").sentences
        for name, of_metric in alone.scores.items():
            assert [scored[f"{name}.{count}"][i] for count in ("tp", "fp", "fn")] == [
                of_metric.tp,
                of_metric.fp,
                of_metric.fn,
            ]
    assert scored["m2.fp"][2] == 1.0
    assert scored["m2.fn"][1] == 1.0


def test_every_form_of_batch_comes_back_in_its_form() -> None:
    arrow, pandas = pytest.importorskip("pyarrow"), pytest.importorskip("pandas")
    scorer = batch_scorer("gleu", "ld", bad_rows="note")
    texts = {**BATCH, "number": [1, 2, 3, 4, 5, 6], "source": [*SOURCES[:5], None]}
    listed = scorer(texts)
    assert list(listed) == ["source", "hypothesis", "references", "number", "gleu", "ld", "note"]
    assert listed["gleu"][5] is None
    assert listed["note"] == [*[None] * 5, "the source is missing"]
    table = scorer(arrow.table(texts))
    assert isinstance(table, arrow.Table)
    assert table.to_pydict() == listed
    [batch] = arrow.table(texts).to_batches()
    assert isinstance(scorer(batch), arrow.RecordBatch)
    assert scorer(batch).to_pydict() == listed
    frame = pandas.DataFrame(texts, index=[3, 1, 4, 1, 5, 9])
    scored = scorer(frame)
    assert list(frame.columns) == ["source", "hypothesis", "references", "number"]  # it is not changed
    assert scored.index.tolist() == [3, 1, 4, 1, 5, 9]
    assert scored["gleu"].tolist()[:5] == listed["gleu"][:5]
    assert np.isnan(scored["gleu"].tolist()[5])
    assert scored["note"].tolist()[5] == "the source is missing"
    arrays = scorer({name: np.array(values, dtype=object) for name, values in texts.items() if name != "references"}
                    | {"reference": np.array([texts[0] for texts in REFERENCES])})  # fmt: skip
    assert isinstance(arrays["gleu"], np.ndarray)
    assert arrays["gleu"].dtype == np.float64
    assert np.isnan(arrays["gleu"][5])
    assert arrays["note"].tolist() == listed["note"]
    some = scorer({**texts, "hypothesis": np.array(HYPOTHESES, dtype=object)})  # one array among lists
    assert isinstance(some["gleu"], np.ndarray)
    assert [each.num_rows for each in scorer(iter([batch, batch]))] == [6, 6]


def test_columns_by_other_names() -> None:
    batch = {"in": SOURCES[:1], "out": HYPOTHESES[:1], "r0": ["He goes home now ."], "r1": [["He went home ."]]}
    names = {"source": "in", "hypothesis": "out", "references": ["r0", "r1"]}
    several = batch_scorer("gleu", columns=names, prefix="my ")(batch)
    assert several["my gleu"] == batch_scorer("gleu")(part(0, 1))["gleu"]
    one = batch_scorer("gleu", columns={**names, "references": "r0"})(batch)
    assert one["gleu"] != several["my gleu"]
    assert batch_scorer("ld", columns=names)(batch) == {**batch, "ld": [batch_scorer("ld")(part(0, 1))["ld"][0]]}
    with pytest.raises(InputError, match=r"^there is no column 'source'; there are in, out, r0, r1$"):
        batch_scorer("ld")(batch)
    for metrics in (["gleu"], ["ld", "gleu"]):
        with pytest.raises(InputError, match=r"^there is no column 'references'; there are source, hypothesis$"):
            batch_scorer(*metrics)({"source": ["a"], "hypothesis": ["a"]})
    assert batch_scorer("ld")({"source": ["a"], "hypothesis": ["a"]})["ld"] == [1.0]
    both = {**part(0, 1), "reference": ["Nonsense ."]}  # the first of the usual names counts
    assert batch_scorer("gleu")(both)["gleu"] == batch_scorer("gleu")(part(0, 1))["gleu"]
    for wrong, why in (
        ({"target": "x"}, "there is no 'target' in a row"),
        ({"source": ["a", "b"]}, "is a name"),
        ({"source": ""}, "the column of source is a name, not ''"),
        ({"references": ["a", 3]}, r"the column of references is a name, not \['a', 3\]"),
    ):
        with pytest.raises(InputError, match=why):
            batch_scorer("gleu", columns=wrong)
    with pytest.raises(InputError, match=r"^there is a column 'gleu' already: rename it, or give a prefix$"):
        batch_scorer("gleu")({**BATCH, "gleu": [0] * 6})


@pytest.mark.parametrize(
    ("column", "value", "why"),
    [
        ("source", None, "the source is missing"),
        ("source", float("nan"), "the source is missing"),
        ("source", 3, "the source is int, not text"),
        ("hypothesis", b"x", "the hypothesis is bytes, not text"),
        ("hypothesis", "\ud800", "the hypothesis holds half of a surrogate pair"),
        ("references", [], "there is no reference"),
        ("references", ["a", None], "the reference is missing"),
        ("references", None, "the reference is missing"),
        ("references", "['a b', 'a c']", "the reference is a list that was turned into text"),
        ("references", '["a b"]', "the reference is a list that was turned into text"),
    ],
)
def test_bad_rows(column: str, value: object, why: str) -> None:
    batch = {name: [*texts] for name, texts in part(0, 4).items()}
    batch[column][2] = value
    with pytest.raises(InputError) as refusal:
        batch_scorer("gleu")(batch)
    assert str(refusal.value) == f"row 3: {why}"
    noted = batch_scorer("gleu", bad_rows="note")(batch)
    assert noted["note"] == [None, None, why, None]
    good = batch_scorer("gleu")(BATCH)["gleu"]
    assert noted["gleu"] == [good[0], good[1], None, good[3]]


@pytest.mark.parametrize("reference", ["['tis a note", 'so he said "]', "[ 'a' ]"])
def test_brackets_of_a_sentence_are_no_list(reference: str) -> None:
    scored = batch_scorer("accuracy")({"source": ["a"], "hypothesis": [reference], "reference": [reference]})
    assert scored["accuracy"] == [1.0]


def picky(source: str, hypothesis: str, references: list[str]) -> float:
    if "cat" in source or "Fine" in source:
        raise ValueError("not this")
    return len(source)


def test_rows_that_a_metric_refuses() -> None:
    """They are looked for, and the others are scored; where no row at all can be scored, that is said."""
    mine = metric(f"{__name__}:picky")
    noted = batch_scorer(mine, "ld", bad_rows="note")(BATCH)
    assert [number is None for number in noted["ld"]] == [False, False, True, True, False, False]
    assert noted[repr(mine)] == [19.0, 16.0, None, None, 16.0, 0.0]
    assert "failed on sentence 1 of the batch: ValueError: not this" in noted["note"][3]
    with pytest.raises(InputError, match="failed on sentence 3 of the batch"):
        batch_scorer(mine)(BATCH)
    with pytest.raises(InputError, match="llm-judge"):  # no address: no row is to blame
        batch_scorer("llm-judge", bad_rows="note")(BATCH)


def test_what_a_scorer_refuses_at_once() -> None:
    refusals = {
        "name an extractor": lambda: batch_scorer("m2"),
        "no metrics": lambda: batch_scorer(),
        "asked for twice": lambda: batch_scorer("gleu", "gleu(n=4)"),
        "bad_rows is refuse or note": lambda: batch_scorer("gleu", bad_rows="skip"),
        "there is no metric 'glue'": lambda: batch_scorer("glue"),
        "jobs is a number": lambda: batch_scorer("gleu", run=Run(jobs=0)),
        "not list": lambda: batch_scorer("gleu")([1, 2]),
        "lengths: source 2, hypothesis 1": lambda: batch_scorer("ld")({"source": ["", ""], "hypothesis": [""]}),
    }  # fmt: skip
    for why, call in refusals.items():
        with pytest.raises(InputError, match=why):
            call()


def test_no_batch_is_looked_at_to_guess_its_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch of other words must not be refused in the middle of millions."""
    monkeypatch.setattr(PlainExtractor, "language", "en")
    german = {"source": ["Das ist nicht gut und ich weiß es nicht ."], "hypothesis": ["Das ist gut ."]}
    german |= {"references": ["Das ist nicht gut ."]}
    scorer = batch_scorer('errant(model="plain")')
    assert scorer.language == "en"
    assert len(scorer(german)) == 4
    with pytest.raises(InputError, match="judges English only"):
        batch_scorer('errant(model="plain")', language="de")(german)
    monkeypatch.setattr(LD, "language", "uk")
    with pytest.raises(InputError, match="these metrics judge en and uk: make a scorer for each language"):
        batch_scorer("ld", "m2", edits="plain")
    assert batch_scorer("ld", "m2", edits="plain", language="en").language == "en"
