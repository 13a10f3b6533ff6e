"""Weighted edits against the public tool with a toy similarity, an oracle, and the bases themselves."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from gecval import Corpus, Edit, InputError, Metric, Reference, System, load_corpus, metric
from gecval.edits import plain_edits
from gecval.metrics import weighted
from gecval.metrics.errant import Errant
from gecval.metrics.evaluation import Evaluation
from gecval.models.text_model import TextModel
from gecval.models.text_similarity import BertScore
from oracles.weighted import errant_row
from strategies import corpora

WORDS = 'weighted(errant(model="plain"), by="words")'


def close(value: object) -> object:
    return pytest.approx(value, abs=1e-9, rel=0)


def test_the_tool(golden: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PT-ERRANT of gec-metrics, 120 sentences of CoNLL-14 with two references."""
    results = json.loads((golden / "modern" / "pluggable_toy.json").read_text())["results"]["pt-errant"]
    gold = load_corpus(None, [golden / "errant" / "nucle2_ref.m2.gz"])
    corpus = Corpus(gold.sources[:120], gold.references[:120])
    assert list(results) == ["AMU", "CAMB", "POST", "INPUT"]
    for name, expected in results.items():
        outputs = load_corpus(None, [golden / "errant" / f"hyp_{name}.m2.gz"])
        edits = [reference.edits for [reference] in outputs.references[:120]]
        monkeypatch.setattr(Errant, "hypothesis_edits", lambda *a, edits=edits, **named: edits)
        evaluation = Evaluation.of(metric(WORDS), corpus, corpus.system(name, outputs.reference_texts[:120]))
        assert evaluation.score() == close(expected["f05"])
        parts = evaluation.parts()
        assert parts == close({key: expected[key] for key in parts})
        assert evaluation.sentence_scores().tolist() == close([row[3] for row in expected["sentences"]])


@given(corpora())
def test_the_oracle(drawn: tuple[Corpus, System]) -> None:
    corpus, system = drawn
    rows = Evaluation.of(metric(WORDS), corpus, system).statistics.rows
    expected = []
    for i, (source, hypothesis) in enumerate(zip(corpus.sources, system.hypotheses, strict=True)):
        proposed = plain_edits(source.split(), hypothesis.split())
        for reference, text in zip(corpus.references[i], corpus.texts_of(i), strict=True):
            golds = [edit for edit in reference.edits or () if edit.type != "UNK"]
            expected.append(errant_row(source, text, proposed, golds))
    assert rows == pytest.approx(np.array(expected), abs=1e-12)


@pytest.mark.parametrize("base", ['errant(model="plain")', "m2", "m2(beta=1.0, max_unchanged=1)"])
def test_equal_weights_are_the_base(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from gecval.sample import load_sample

    monkeypatch.setattr(weighted, "edit_weights", lambda f, rows, **named: [[1.0] * len(row.texts) for row in rows])
    corpus, systems = load_sample()
    for system in systems:
        ours = Evaluation.of(metric(f'weighted({base}, by="words")'), corpus, system)
        plain = Evaluation.of(metric(base), corpus, system)
        assert ours.statistics.rows.tolist() == plain.statistics.rows.tolist()
        assert ours.sentence_scores() == pytest.approx(plain.sentence_scores())


def scored(spelling: str, source: str, output: str, reference: Reference) -> dict[str, float]:
    corpus = Corpus([source], [[reference]])
    return Evaluation.of(metric(spelling), corpus, corpus.system("mine", [output])).parts()


GOES = Reference("He goes home now .", (Edit(1, 2, ("goes",)), Edit(3, 3, ("now",))))


def test_by_hand() -> None:
    """f(source) = 6/9. With *goes* 8/9, with *now* 8/10, with *gone* 6/9: a weight of 0."""
    parts = scored(WORDS, "He go home .", "He goes home .", GOES)
    assert parts == pytest.approx({"precision": 1, "recall": 0.625, "tp": 2 / 9, "fp": 0, "fn": 8 / 10 - 6 / 9})
    assert scored(WORDS, "He go home .", "He gone home .", GOES)["precision"] == 1.0
    parts = scored('weighted(m2, by="words")', "He go home .", "He goes home .", GOES)
    assert parts == pytest.approx(
        {"precision": 1, "recall": 0.625, "correct": 2 / 9, "proposed": 2 / 9, "gold": 2 / 9 + 2 / 15}
    )


def test_of_alternatives_the_one_that_was_chosen_weighs() -> None:
    """The text of the reference has the first alternative, so *goes* brings it nearer and *is going* does not."""
    either = Reference("He goes home .", (Edit(1, 2, ("goes", "is going")),))
    first, second = (
        scored('weighted(m2, by="words")', "He go home .", f"He {verb} home .", either) for verb in ("goes", "is going")
    )
    assert (first["correct"], first["gold"]) == pytest.approx((0.25, 0.25))
    assert (second["correct"], second["gold"]) == pytest.approx((abs(6 / 9 - 6 / 8),) * 2)


def test_a_function_of_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_likeness_of_test.py").write_text(
        "def same(texts, references):\n    return [float(t == r) for t, r in zip(texts, references)]\n"
        "def one(texts, references):\n    return 1.0\n"
        "def odd(texts, references):\n    return [float('nan') for text in texts]\n"
        "def broken(texts, references):\n    raise KeyError('layer')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    near = Reference("He goes home .", (Edit(1, 2, ("goes",)),))
    spelled = 'weighted(errant(model="plain"), by="own_likeness_of_test:{}")'
    parts = scored(spelled.format("same"), "He go home .", "He goes home .", near)
    assert (parts["tp"], parts["fp"], parts["fn"]) == (1.0, 0.0, 0.0)
    assert metric(spelled.format("same")).parameters()["by"] == "own_likeness_of_test:same"
    for name, said in [
        ("one", "must give one number for each of 2 texts"),
        ("odd", "gives nan for 'He go home .'"),
        ("broken", "failed: KeyError: 'layer'"),
        ("none", "cannot load the similarity 'own_likeness_of_test:none'"),
    ]:
        with pytest.raises(InputError, match=said):
            scored(spelled.format(name), "He go home .", "He goes home .", near)


@pytest.mark.parametrize("by", ["minilm", "bert-base-uncased"])
def test_what_a_network_does_not_see_weighs_nothing(by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its numbers differ in the last digits where a text is read in another batch."""

    def numbers(self: object, texts: list[str], *others: object, **options: object) -> np.ndarray:
        vectors = np.array([[1.0, len(text), 1e-7 * text.count("HOME")] for text in texts])
        return vectors @ [0, 0.1, 1] if others else vectors

    monkeypatch.setattr(TextModel, "numbers", numbers)
    monkeypatch.setattr(BertScore, "of", numbers)
    spelled = f'weighted(errant(model="plain"), by="{by}")'
    parts = scored(spelled, "He go home .", "He go HOME .", GOES)
    assert (parts["fp"], parts["precision"]) == (0.0, 1.0)
    parts = scored(spelled, "He go home .", "He go homes .", GOES)
    assert parts["fp"] > 1e-6


@pytest.mark.parametrize(
    ("spelling", "said"),
    [
        ("weighted(gleu)", "the base must be errant or m2, not gleu"),
        ("weighted(cleme2)", r"for CLEME2.0 write cleme2\(weights=\"similarity\"\)"),
        ('weighted(errant(level="detection"))', "neither average nor weights"),
        ('weighted(errant(average="macro"))', "neither average nor weights"),
        ("weighted(m2(bonus=True))", "m2 takes beta and max_unchanged"),
        ("weighted(by=3)", "by must be a text in quotes"),
    ],
)
def test_what_is_refused(spelling: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        metric(spelling)


def test_spelling_and_signature() -> None:
    made = metric('weighted(m2(beta=1.0), by="words")')
    assert repr(made) == "weighted(m2(beta=1.0), by='words')"
    assert repr(metric("weighted")) == "weighted(errant)"
    assert made.parameters() == {
        "base": "m2(beta:1.0,max_unchanged:2,ignore_whitespace_casing:False,level:correction,bonus:False)",
        "by": "words",
    }


def test_an_encoder_that_learned_english_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighted, "edit_weights", lambda f, rows, **named: [[1.0] * len(row.texts) for row in rows])
    corpus = Corpus.from_texts(["Вона любить яблука і груші ."] * 3, [["Вона їсть яблука і груші ."]] * 3)
    made: Metric = metric("weighted(m2)")
    corpus = Corpus(corpus.sources, [[Reference(r.text, ()) for r in refs] for refs in corpus.references])
    notes = made.statistics(corpus, corpus.system("mine", corpus.sources)).notes
    assert notes == ("weighted: minilm learned English, and the text looks Ukrainian; choose a model for Ukrainian",)


def test_what_was_asked_for_all_systems_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows are those that each system gets alone, and the encoder is asked once."""
    asked = []

    def numbers(self: TextModel, texts: list[str], **named: object) -> np.ndarray:
        asked.append(len(texts))
        return np.array([[text.count(letter) + 1.0 for letter in "aehos"] for text in texts])

    monkeypatch.setattr(TextModel, "numbers", numbers)
    judge = metric('weighted(errant(model="plain"))')
    references = [[Reference("He goes home now .", GOES.edits)], [Reference("Fine .", ())]]
    corpus, again = (Corpus(["He go home .", "Fine ."], references) for _ in range(2))
    outputs = {"a": ["He goes home .", "Fine ."], "b": ["He gone home now .", "So fine ."]}
    systems = [corpus.system(name, lines) for name, lines in outputs.items()]
    alone = [judge.statistics(again, system).rows.tolist() for system in systems]
    assert len(asked) == 2
    judge.prepare(corpus, systems)
    assert [judge.statistics(corpus, system).rows.tolist() for system in systems] == alone
    assert len(asked) == 3
    assert alone[0] != alone[1]
    other = corpus.system("a", outputs["b"])  # the same name, another output
    assert judge.statistics(corpus, other).rows.tolist() == alone[1]
    assert len(asked) == 4
    harsher = metric('weighted(errant(0.25, model="plain"))')
    assert harsher.statistics(corpus, systems[0]).rows.tolist() == alone[0]
    assert len(asked) == 5
