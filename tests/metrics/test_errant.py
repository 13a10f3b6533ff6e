"""ERRANT's score against errant_compare: its goldens, and its own code as judge on corpora full of coincidences."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Edit, InputError, Reference, score_by_type
from gecval.corpus.references import offsets_of
from gecval.edits.extractors import Extractor
from gecval.formats import load_corpus, m2_lines, read_m2
from gecval.metrics import Statistics
from gecval.metrics.errant import LEVELS, SIZES, Errant
from gecval.metrics.error_types import DETAILS, TypeWeights
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.reference_rules import RunningBest
from gecval.runtime.run import SERIAL, Run

FLAGS = {"correction": "-cs", "classification": "-cse", "detection": "-ds", "token-detection": "-dt"}


@dataclass(frozen=True)
class Given:
    """An extractor that was told the edits of each hypothesis."""

    listed: tuple[tuple[Edit, ...], ...]
    language: str | None = None

    @property
    def signature(self) -> str:
        return f"given:{self.listed}"

    def edits(self, pairs: Sequence[tuple[str, str]], *, run: Run = SERIAL) -> list[tuple[Edit, ...]]:
        """A hypothesis is the number of its edits."""
        return [self.listed[int(number)] for _, number in pairs]


@dataclass(frozen=True, repr=False)
class ErrantOf(Errant):
    given: tuple[tuple[Edit, ...], ...] = ()

    @property
    def extractor(self) -> Extractor:
        return Given(self.given)


def test_edits_that_people_marked_are_said_to_be_theirs() -> None:
    """A program's edits may begin and end elsewhere than those of people, whose types show who found them."""

    def notes(kind: str) -> tuple[str, ...]:
        corpus = Corpus(["a b"], [[Reference(edits=(Edit(0, 1, ("x",), type=kind),))]])
        metric = ErrantOf(given=((Edit(0, 1, ("x",), type="R:NOUN"),),))
        return Evaluation.of(metric, corpus, corpus.system("s", ["0"])).statistics.notes

    assert notes("R:VERB") == ()
    [said] = notes("verb agreement")
    assert "types such as verb agreement, so " in said
    assert "right edits of an output that begin or end elsewhere count as wrong" in said


def test_scores_are_those_of_errant_compare(golden: Path, tmp_path: Path) -> None:
    """13 outputs, two references; the edits are those of errant_parallel."""

    def unpacked(name: str) -> Path:
        (tmp_path / f"{name}.m2").write_bytes(gzip.decompress((golden / f"errant/{name}.m2.gz").read_bytes()))
        return tmp_path / f"{name}.m2"

    expected = json.loads((golden / "errant/errant_golden.json").read_text())["scores"]
    corpus = load_corpus(None, [unpacked("nucle2_ref")])
    assert len(expected) == 13
    for name, scores in expected.items():
        hypotheses = [references[0].edits for references in read_m2(unpacked(f"hyp_{name}")).references()]
        metric = ErrantOf(given=tuple(edits or () for edits in hypotheses))
        evaluation = Evaluation.of(metric, corpus, corpus.system(name, list(map(str, range(len(corpus))))))
        parts = evaluation.parts()
        assert [parts["tp"], parts["fp"], parts["fn"]] == [scores["TP"], scores["FP"], scores["FN"]]
        rounded = [round(value, 4) for value in (parts["precision"], parts["recall"], evaluation.score())]
        assert rounded == [scores["P"], scores["R"], scores["F0.5"]]


# Few places and few corrections, so that edits meet and stand at one place.
CORRECTIONS = st.sampled_from(["", "a", "b", "a b"])
TYPES = st.sampled_from(["R:NOUN", "M:DET", "U:VERB:SVA", "UNK"])
EDITS = st.lists(
    st.builds(
        lambda start, length, correction, kind: Edit(start, start + length, (correction,), kind),
        st.integers(0, 2),
        st.integers(0, 2),
        CORRECTIONS,
        TYPES,
    ),
    max_size=3,
).map(tuple)
SENTENCES = st.lists(st.tuples(EDITS, st.lists(EDITS, min_size=1, max_size=3)), min_size=1, max_size=6)


@given(
    sentences=SENTENCES,
    level=st.sampled_from(LEVELS),
    size=st.sampled_from(SIZES),
    ignore=st.sampled_from([(), ("R:NOUN",), ("M:DET", "U:VERB:SVA")]),
    beta=st.sampled_from([0.5, 1.0, 2.0]),
    category=st.integers(1, 3),
)
def test_errant_compare_is_the_judge(
    sentences: list[tuple[tuple[Edit, ...], list[tuple[Edit, ...]]]],
    level: str,
    size: str,
    ignore: tuple[str, ...],
    beta: float,
    category: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    reason = "needs the extra: pip install 'gecval[errant]'"
    compare_m2 = pytest.importorskip("errant.commands.compare_m2", reason=reason)
    sources = ["w x y z"] * len(sentences)
    gold = Corpus(sources, [[Reference(edits=e, annotator=str(a)) for a, e in enumerate(g)] for _, g in sentences])
    mine = Corpus(sources, [[Reference(edits=edits)] for edits, _ in sentences])
    arguments = ["errant_compare", FLAGS[level], "-b", str(beta), "-cat", str(category)]
    for flag, corpus in (("-hyp", mine), ("-ref", gold)):
        path = tmp_path / f"{flag}.m2"
        # errant writes nothing where a word is deleted, and compares it as text.
        path.write_text("\n".join(m2_lines(corpus)).replace("|||-NONE-|||REQUIRED", "||||||REQUIRED") + "\n")
        arguments += [flag, str(path)]
    arguments += {"any": [], "single": ["-single"], "multi": ["-multi"]}[size]
    arguments += ["-filt", *ignore] if ignore else []
    monkeypatch.setattr(sys, "argv", arguments)
    compare_m2.main()
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line and not line.startswith("=")]
    *by_type, total = [line for line in lines if line[0] not in ("Category", "TP")]

    metric = ErrantOf(beta, level, size=size, ignore=ignore, given=tuple(edits for edits, _ in sentences))
    system = gold.system("h", list(map(str, range(len(gold)))))
    evaluation = Evaluation.of(metric, gold, system)
    parts = evaluation.parts()
    values = [parts["tp"], parts["fp"], parts["fn"], parts["precision"], parts["recall"], evaluation.score()]
    assert [round(value, 4) for value in values] == [float(value) for value in total]
    listed = []
    counts = metric.counts_by_type(gold, system, evaluation.statistics, DETAILS[category - 1])
    for kind, of_type in counts.items():
        total = of_type.statistics.rows.sum(axis=0)
        shares = [metric.parts(total)[name] for name in ("precision", "recall")]
        listed.append([kind, *(round(float(value), 4) for value in (*total, *shares, metric.score(total)))])
    assert listed == [[name, *map(float, numbers)] for name, *numbers in by_type]


COUNTS = st.tuples(*[st.integers(0, 40)] * 3)


@given(st.lists(st.lists(COUNTS, min_size=1, max_size=4), min_size=1, max_size=30), st.sampled_from([0.5, 1.0, 2.0]))
def test_choice_of_annotator(sentences: list[list[tuple[int, int, int]]], beta: float) -> None:
    """Best F so far, to four decimals as Python rounds; then tp, fp, fn."""

    def rank(row: tuple[int, int, int]) -> tuple[float, int, int, int]:
        tp, fp, fn = (a + b for a, b in zip(totals, row, strict=True))
        precision, recall = tp / (tp + fp) if fp else 1.0, tp / (tp + fn) if fn else 1.0
        below = beta**2 * precision + recall
        return round((1 + beta**2) * precision * recall / below if below else 0.0, 4), row[0], -row[1], -row[2]

    rows = np.array([row for listed in sentences for row in listed], dtype=np.float64)
    statistics = Statistics(rows, offsets_of(map(len, sentences)))
    chosen = RunningBest(beta, "errant").choose_rows(statistics) - statistics.offsets[:-1]
    totals = [0, 0, 0]
    for listed, index in zip(sentences, chosen, strict=True):
        ranks = [rank(row) for row in listed]
        assert index == ranks.index(max(ranks))
        totals = [a + b for a, b in zip(totals, listed[index], strict=True)]
    draws = np.arange(len(sentences), dtype=np.int64)[None]
    assert Errant(beta).rule.scores_over(Errant(beta), statistics, draws)[0] == Errant(beta).score(
        np.array(totals) * 1.0
    )


def test_halves_are_rounded_to_even() -> None:
    """F = 0.03125 rounds to 0.0312, not 0.0313: it ties with F = 0.03124, and the smaller number of fp decides."""
    rule = RunningBest(1.0, "errant")
    half, less = (2.0, 62.0, 62.0), (2.0, 61.0, 63.04)
    metric = Errant(1.0)
    assert metric.score(np.array(half)) == 0.03125
    assert round(float(metric.score(np.array(less))), 4) == 0.0312
    assert rule.choose_rows(Statistics(np.array([half, less]), np.array([0, 2]))).tolist() == [1]


def test_nothing_proposed_and_nothing_to_correct() -> None:
    metric = Errant()
    assert metric.parts(np.array([0.0, 0.0, 5.0]))["precision"] == 1.0
    assert metric.score(np.array([0.0, 0.0, 5.0])) == 0.0
    assert metric.score(np.array([0.0, 0.0, 0.0])) == 1.0
    nothing = {"precision": 1.0, "recall": 1.0, "tp": 0, "fp": 0, "fn": 0}
    assert metric.parts(np.array([0.0, 0.0, 0.0])) == nothing


INSERTED = Edit(1, 1, ("v",))


@pytest.mark.parametrize(
    ("mine", "gold", "counts"),
    [
        (INSERTED, Edit(1, 1, ("u",)), [1, 0, 0]),
        (INSERTED, Edit(1, 2, ("u",)), [1, 0, 0]),  # an insertion marks the token on its right,
        (INSERTED, Edit(0, 1, ("u",)), [0, 1, 1]),  # and only that
        (INSERTED, Edit(2, 3, ("u",)), [0, 1, 1]),
        (INSERTED, Edit(1, 3, ("u",)), [1, 0, 1]),
        (Edit(1, 3, ("",)), Edit(1, 3, ("u",)), [2, 0, 0]),
        (Edit(1, 3, ("",)), Edit(2, 2, ("u",)), [1, 1, 0]),
        (Edit(4, 4, ("!",)), Edit(4, 4, (".",)), [1, 0, 0]),  # at the end, too
    ],
)
def test_tokens_that_are_detected(mine: Edit, gold: Edit, counts: list[int]) -> None:
    corpus = Corpus(["w x y z"], [[Reference(edits=(gold,))]])
    metric = ErrantOf(level="token-detection", given=((mine,),))
    evaluation = Evaluation.of(metric, corpus, corpus.system("h", ["0"]))
    assert evaluation.statistics.rows.tolist() == [[float(count) for count in counts]]


def test_plain_edits_serve_any_language() -> None:
    corpus = Corpus(["Я любить читать книга ."], [[Reference(edits=(Edit(1, 2, ("люблю",)), Edit(3, 4, ("книги",))))]])
    parts = Evaluation.of(Errant(model="plain"), corpus, corpus.system("h", ["Я люблю читать книга ."])).parts()
    assert (parts["tp"], parts["fp"], parts["fn"]) == (1, 0, 1)


@pytest.mark.parametrize("wrong", [{"level": "span"}, {"size": "huge"}, {"beta": 0.0}, {"ignore": "R:SPELL"}])
def test_parameters_that_cannot_be_meant(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match="errant: "):
        Errant(**wrong)  # type: ignore[arg-type]


def test_an_ignored_type_that_no_edit_has_is_noted() -> None:
    """It may be a misprint: nothing is ignored then. Types are those of the corpus, not of errant alone."""
    corpus = Corpus(["a b c"], [[Reference(edits=(Edit(0, 1, ("x",), "Vt"), Edit(1, 2, ("y",), "R")))]])
    system = corpus.system("h", ["x y c"])

    def evaluation(*ignore: str) -> Evaluation:
        return Evaluation.of(Errant(model="plain", level="detection", ignore=ignore), corpus, system)

    assert evaluation().statistics.rows.tolist() == [[2.0, 0.0, 0.0]]
    known = evaluation("Vt", "R")
    assert known.statistics.rows.tolist() == [[0.0, 0.0, 0.0]]
    assert known.statistics.notes == ()
    unknown = evaluation("Vt", "R:NOPE", "VT")
    assert unknown.statistics.notes == ("errant is to ignore the type R:NOPE or VT, and no reference has such an edit",)
    assert unknown.statistics.rows.tolist() == [[1.0, 1.0, 0.0]]


def test_a_detail_that_there_is_not() -> None:
    corpus = Corpus(["a b"], [[Reference(edits=(Edit(0, 1, ("x",)),))]])
    with pytest.raises(InputError, match="errant: detail must be one of operation, category, full, not 'word'"):
        score_by_type(corpus, {"h": ["x b"]}, ['errant(model="plain")'], detail="word")  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [{"parses": ("src.conllu",)}, {"words": "words.txt"}])
@pytest.mark.parametrize("lang", ["", "en"])
def test_parses_and_words_are_for_other_languages(given: dict[str, object], lang: str) -> None:
    with pytest.raises(InputError, match="parses and words go with lang, for a language other than English"):
        Errant(lang=lang, **given)  # type: ignore[arg-type]


# What edits are worth: which prices are refused, and which keys no edit fits.


@pytest.mark.parametrize("value", [["R"], "R", None, 3, {1: 2.0}, {"R": 1.0, 2: 1.0}])
def test_what_are_no_prices(value: object) -> None:
    with pytest.raises(InputError) as error:
        TypeWeights.check("errant: weights", value)
    assert str(error.value) == (
        f'errant: weights must be prices such as {{"R:SPELL": 2}}, or a JSON file with them, not {value!r}'
    )


@pytest.mark.parametrize("price", [-0.1, 1_000_001, True, "2", None, float("nan"), float("inf")])
def test_a_price_is_a_number_up_to_a_million(price: object) -> None:
    with pytest.raises(InputError) as error:
        TypeWeights.check("weights", {"M": 1, "R": price})
    assert str(error.value) == f"weights: the price of R must be a number from 0 to a million, not {price!r}"
    assert TypeWeights.check("weights", {"M": 0, "R": 1_000_000}) == {"M": 0, "R": 1_000_000}


def test_keys_that_fit_no_type() -> None:
    """A key is a whole type, its operation or its category."""
    prices = TypeWeights({"R:NOUN:NUM": 1, "R": 2, "NOUN:NUM": 3, "NOUN": 4, "M": 5, "R:NOUN": 6})
    assert prices.unused({"R:NOUN:NUM"}) == ["NOUN", "M", "R:NOUN"]
    assert prices.unused({"R:NOUN:NUM", "M:DET", "U:NOUN"}) == ["R:NOUN"]


def test_equal_prices_are_spelled_alike() -> None:
    for weights in ({"R": 2, "M:DET": 0.5}, {"M:DET": 0.5, "R": 2.0}):
        assert TypeWeights(weights).spelling() == "M:DET=0.5,R=2"
    assert TypeWeights().spelling() == ""


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"R": 1,\n}', "line 2 is no JSON"),
        (b"\xff", "is not UTF-8"),
        (b"[" * 100_000, "is no JSON with prices: "),
        (b'{"R": 1' + b"0" * 5000 + b"}", "is no JSON with prices: "),
        (b'{"R": -1}', "the price of R must be a number from 0 to a million, not -1"),
    ],
    ids=range(5),
)
def test_files_without_prices(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "prices.json").write_bytes(content)
    with pytest.raises(InputError, match=reason):
        TypeWeights.read(tmp_path / "prices.json")
