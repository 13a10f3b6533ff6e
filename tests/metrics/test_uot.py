"""UOT-ERRANT against the authors' tool with a toy encoder, the transport against an oracle, and edges."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gecval import Corpus, Edit, InputError, Reference, load_corpus, metric
from gecval.edits import plain_edits
from gecval.metrics import uot
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.uot import UOT, plan
from gecval.models.text_model import TextModel
from oracles import uot as oracle
from tiny_models import tiny_bert

pytest.importorskip("ot", reason="needs the extra: pip install 'gecval[uot]'")


def close(value: object) -> object:
    return pytest.approx(value, abs=1e-9, rel=0)


def letters(self: object, texts: list[str], **options: object) -> np.ndarray:
    """The toy encoder: how often each letter stands in a text, divided by 10."""
    return np.array([[text.lower().count(letter) / 10 for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts])


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TextModel, "numbers", letters)


def without_letters(golden: Path, name: str, corpus: Corpus) -> set[int]:
    """Sentences with an edit that the toy encoder does not see, in the output or a reference."""
    outputs = load_corpus(None, [golden / "errant" / f"hyp_{name}.m2.gz"])
    sides = [
        (i, reference.edits or ())
        for texts in (corpus.references, outputs.references[:120])
        for i, references in enumerate(texts)
        for reference in references
    ]
    return {
        i for i, edits in sides for edit in edits if _unseen(corpus.sources[i].split()[edit.start : edit.end], edit)
    }


def _unseen(before: list[str], edit: Edit) -> bool:
    was, is_now = (
        sorted(filter(str.isascii, filter(str.isalpha, text.lower()))) for text in ("".join(before), edit.correction)
    )
    return was == is_now


@pytest.mark.usefixtures("toy")
def test_the_tool(golden: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = json.loads((golden / "modern" / "pluggable_toy.json").read_text())["results"]["uot-errant"]
    gold = load_corpus(None, [golden / "errant" / "nucle2_ref.m2.gz"])
    corpus = Corpus(gold.sources[:120], gold.references[:120])
    assert len(results) == 4
    unseen = {name: without_letters(golden, name, corpus) for name in ("AMU", "CAMB")}
    for label, by_system in results.items():
        given_by_tool = dict(part.split("=") for part in label.split(", "))
        kinds = {"vectors": given_by_tool["vectorize"], "cost": given_by_tool["cost"], "mass": given_by_tool["mass"]}
        assert list(by_system) == ["AMU", "CAMB"]
        for name, expected in by_system.items():
            outputs = load_corpus(None, [golden / "errant" / f"hyp_{name}.m2.gz"])
            edits = [reference.edits for [reference] in outputs.references[:120]]
            monkeypatch.setattr(UOT, "hypothesis_edits", lambda *a, edits=edits, **named: edits)
            system = corpus.system(name, outputs.reference_texts[:120])
            evaluation = Evaluation.of(UOT(**kinds, edits="plain", form="tool"), corpus, system)
            sentences = expected["sentences"]
            if kinds["cost"] == "cosine":  # an edit without a letter makes a row of the tool NaN, and the corpus score
                assert expected["f05"] is None
                sentences = [[None] if i in unseen[name] else row for i, row in enumerate(sentences)]
            else:
                parts = evaluation.parts()
                assert evaluation.score() == close(expected["f05"])
                assert [parts[key] for key in ("tp", "fp", "fn")] == close(
                    [expected[key] for key in ("tp", "fp", "fn")]
                )
            compared = [i for i, row in enumerate(sentences) if None not in row]
            assert len(compared) > 80
            assert evaluation.sentence_scores()[compared] == close(np.array([sentences[i][3] for i in compared]))


def test_a_problem_of_the_library(golden: Path) -> None:
    problem = json.loads((golden / "modern" / "pluggable_toy.json").read_text())["results"]["uot_problem"]
    a, b, cost = (np.array(problem[key]) for key in ("a", "b", "M"))
    assert plan(a, b, cost, reg=0.1, reg_m=0.1) == close(np.array(problem["plan"]))
    assert np.array(oracle.plan(a, b, cost, 0.1, 0.1)) == pytest.approx(np.array(problem["plan"]), abs=1e-6)


MASS = st.floats(0.01, 3.0)


@settings(max_examples=30)
@given(st.lists(MASS, min_size=1, max_size=4), st.lists(MASS, min_size=1, max_size=4), st.data())
def test_the_oracle(a: list[float], b: list[float], data: st.DataObject) -> None:
    row = st.lists(st.floats(0, 3), min_size=len(b), max_size=len(b))
    cost = data.draw(st.lists(row, min_size=len(a), max_size=len(a)))
    reg, reg_m = data.draw(st.sampled_from([(0.1, 0.1), (0.5, 0.1), (0.5, 0.5), (0.5, 1.0)]))
    # The library stops when u moves by less than 1e-6.
    ours = plan(np.array(a), np.array(b), np.array(cost), reg=reg, reg_m=reg_m)
    assert ours == pytest.approx(np.array(oracle.plan(a, b, cost, reg, reg_m)), abs=1e-5)


def test_places_without_mass_take_no_part() -> None:
    alone = plan(np.array([0.5]), np.array([0.4]), np.array([[0.1]]), reg=0.1, reg_m=0.1)
    among = plan(np.array([0.5, 0.0]), np.array([0.0, 0.4]), np.array([[9.0, 0.1], [0.0, 0.0]]), reg=0.1, reg_m=0.1)
    assert among.tolist() == [[0.0, close(alone[0, 0])], [0.0, 0.0]]


SOURCE = "He go home ."
REFERENCE = Reference("He goes home now .", (Edit(1, 2, ("goes",)), Edit(3, 3, ("now",))))


def parts(spelling: str, output: str, reference: Reference = REFERENCE) -> dict[str, float]:
    corpus = Corpus([SOURCE], [[reference]], language="en")
    return Evaluation.of(metric(spelling), corpus, corpus.system("mine", [output])).parts()


@pytest.mark.usefixtures("toy")
def test_by_hand() -> None:
    """*goes* adds an e and an s: a vector of length √2/10. *now* adds n, o and w: √3/10."""
    nothing = parts('uot(edits="plain")', SOURCE)
    assert nothing == pytest.approx(
        {"precision": 1, "recall": 0, "tp": 0, "fp": 0, "fn": (2**0.5 + 3**0.5) / 10}, abs=1e-12
    )
    needless = parts('uot(edits="plain", mass="uniform")', "He go home now .", Reference(SOURCE, ()))
    assert (needless["tp"], needless["fp"], needless["fn"]) == (0, 1, 0)
    [[carried]] = oracle.plan([1.0], [1.0], [[0.0]], 0.1, 0.1)
    right = parts(
        'uot(edits="plain", mass="uniform")', "He goes home .", Reference("He goes home .", (Edit(1, 2, ("goes",)),))
    )
    assert right["tp"] == pytest.approx(carried)


def test_differences_as_small_as_a_network_s_noise_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def numbers(self: object, texts: list[str], **options: object) -> np.ndarray:
        return np.array([[3.0, len(text), 1e-6 * text.count("!")] for text in texts])

    monkeypatch.setattr(TextModel, "numbers", numbers)
    assert parts('uot(edits="plain")', "He go home !", Reference(SOURCE, ()))["fp"] == 0
    assert parts('uot(edits="plain")', "He go homes .", Reference(SOURCE, ()))["fp"] == 1


@pytest.mark.usefixtures("toy")
def test_annotations_that_correct_nothing_are_no_edits() -> None:
    unknown = Reference(SOURCE, (Edit(1, 2, ("went",), "UNK"),))
    assert parts('uot(edits="plain")', SOURCE, unknown)["fn"] == 0


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("mass", ["norm", "uniform"])
def test_an_edit_that_the_encoder_does_not_see(mass: str) -> None:
    """A full stop has no letters. By angle it cannot be compared, and the rest still can."""
    both = parts(f'uot(edits="plain", cost="cosine", mass="{mass}")', "He goes home !")
    assert all(np.isfinite(value) for value in both.values())
    stops = Reference("He go home !", (Edit(3, 4, ("!",)),))
    unseen = parts(f'uot(edits="plain", cost="cosine", mass="{mass}")', "He go home !", stops)
    assert unseen["tp"] == 0
    assert unseen["fp"] == unseen["fn"] == (0 if mass == "norm" else 1)


@pytest.mark.usefixtures("toy")
def test_what_is_not_seen_stops_the_tool() -> None:
    """The same right edit beside an exclamation mark: it is carried as if it were alone, but hardly by the tool."""
    gold = Reference("He goes home !", (Edit(1, 2, ("goes",)), Edit(3, 4, ("!",))))
    alone = parts('uot(edits="plain")', "He goes home .", Reference("He goes home .", gold.edits[:1]))
    ours = parts('uot(edits="plain")', "He goes home .", gold)
    tool = parts('uot(edits="plain", form="tool")', "He goes home .", gold)
    mass = 2**0.5 / 10
    assert ours["tp"] == pytest.approx(alone["tp"])
    assert tool["tp"] == pytest.approx(mass**2)


def test_a_small_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GECVAL_CACHE", str(tmp_path / "cache"))
    encoder = tiny_bert(tmp_path / "encoder", labels=None)
    sources, outputs, golds = (
        ["he go home .", "she like it"],
        ["he goes home !", "she like it"],
        ["he went home .", "she likes it"],
    )
    edits = [plain_edits(s.split(), g.split()) for s, g in zip(sources, golds, strict=True)]
    corpus = Corpus(sources, [[Reference(g, e)] for g, e in zip(golds, edits, strict=True)], language="en")
    scored = metric(f'uot(model="{encoder}", edits="plain")')
    rows = Evaluation.of(scored, corpus, corpus.system("mine", outputs)).statistics.rows

    def vector(text: str) -> np.ndarray:
        return TextModel(encoder, "mean-pooled").numbers([text])[0]

    ours = [vector("he goes home !") - vector(text) for text in ("he go home !", "he goes home .")]
    theirs = vector("he went home .") - vector("he go home .")
    a, b = [float(np.linalg.norm(x)) for x in ours], [float(np.linalg.norm(theirs))]
    carried = sum(map(sum, oracle.plan(a, b, [[float(np.linalg.norm(x - theirs))] for x in ours], 0.1, 0.1)))
    assert rows[0] == pytest.approx([carried, sum(a) - carried, sum(b) - carried], abs=1e-5)
    assert rows[1] == pytest.approx([0, 0, np.linalg.norm(vector("she likes it") - vector("she like it"))], abs=1e-5)
    assert scored.parameters()["model"].startswith("encoder:")
    assert scored.parameters()["POT"]


@pytest.mark.parametrize(
    ("spelling", "said"),
    [
        ('uot(vectors="both")', "vectors must be one of ref-remove, src-add"),
        ('uot(cost="manhattan")', "cost must be one of euclidean, cosine"),
        ('uot(mass="one")', "mass must be one of norm, uniform"),
        ("uot(reg=0)", "reg must be a number above 0"),
        ("uot(model=1)", "model must be a text in quotes"),
    ],
)
def test_what_is_refused(spelling: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        metric(spelling)


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uot, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"uot \(POT\) needs an optional part: pip install 'gecval\[uot\]'"):
        parts('uot(edits="plain")', SOURCE)
