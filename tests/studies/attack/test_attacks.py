"""Adversaries hand in exactly what they say, and their points are those that `score` gives."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from math import isnan
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Edit, Reference, attack, load_corpus, load_sample, load_systems, score
from gecval.errors import InputError
from gecval.metrics import metric
from gecval.metrics.accuracy import Accuracy
from gecval.runtime.run import SERIAL, Run
from gecval.studies.attack import study as run
from gecval.studies.attack.adversaries import ADVERSARIES, CONSTANT, Climber, Halves, Replacements
from gecval.studies.attack.study import CONLL14, PUBLISHED
from oracles.replacements import pair, share

SOURCES = ["He go to home .", "She go home", "They go .", "Fine ."]
REFERENCES = [["He goes home ."], ["She goes home"], ["They went ."], ["Fine ."]]


def outputs(corpus: Corpus) -> dict[str, list[str]]:
    made, _ = run._make_outputs(corpus, 1)
    return {system.name: list(system.hypotheses) for system in made}


def test_outputs_are_as_defined() -> None:
    made = outputs(Corpus.from_texts(SOURCES, REFERENCES))
    assert list(made) == [adversary.name for adversary in ADVERSARIES]
    assert made["source"] == SOURCES
    assert made["empty"] == ["", "", "", ""]
    assert made["constant"] == [CONSTANT] * 4
    assert [sorted(text.split()) for text in made["shuffled"]] == [sorted(text.split()) for text in SOURCES]
    assert made["shuffled"] != SOURCES
    assert made["repeated"][0] == "He He go go to to home home . ."
    assert made["capitals"] == ["HE GO TO HOME .", "SHE GO HOME", "THEY GO .", "FINE ."]
    assert made["unrelated"] == ["She goes home", "They went .", "Fine .", "He goes home ."]
    assert made["needless edit"] == ["He go to home !", "She go home .", "They go !", "Fine !"]
    shortest = outputs(Corpus.from_texts([".", ""], [["."], [""]]))
    assert (shortest["needless edit"], shortest["unrelated"]) == (["!", "."], ["", "."])


def test_frequent_replacements_come_first() -> None:
    corpus = Corpus.from_texts(["a", "a", "a", "b"], [["x", "y"], ["y", "y"], ["a", "z"], ["b", "b"]])
    table = Replacements.of(corpus)
    assert [variant.text for variant in table.variants(["b", "a"])] == ["b y", "b x", "b z"]
    assert [variant.text for variant in table.frequent(3).variants(["a"])] == ["y"]
    assert (table.uses((("a",), ("y",))), table.share((("a",), ("y",)))) == (3, 3 / 6)
    assert table.share((("c",), ("d",))) == 0.0
    # References that were annotated keep their edits; plain rules would cut this one in two.
    whole = Corpus(["a b c"], [[Reference(edits=(Edit(0, 3, ("x b y",)),)), Reference(edits=())]])
    assert list(Replacements.of(whole).made) == [(("a", "b", "c"), ("x", "b", "y"))]


def test_shuffled_words_hang_on_the_seed_alone() -> None:
    corpus, _ = load_sample()
    assert outputs(corpus) == outputs(corpus)
    other, _ = run._make_outputs(corpus, 2)
    assert list(other[3].hypotheses) != outputs(corpus)["shuffled"]


def test_a_safe_edit_is_what_other_sentences_teach() -> None:
    sources = ["I has it .", "You has it .", "We has it .", "He has it ."]
    references = [["I have it ."], ["You have it ."], ["We have it ."], ["He has it ."]]
    made = outputs(Corpus.from_texts(sources, references))["safe edit"]
    # The first three learn from two of three others, the last from all three others.
    assert made == ["I have it .", "You have it .", "We have it .", "He have it ."]
    # Own references teach nothing: made once elsewhere is no habit.
    assert outputs(Corpus.from_texts(sources[:2], references[:2]))["safe edit"] == sources[:2]


def test_the_safest_edit_is_right_in_half_of_its_places_or_more() -> None:
    """In other sentences "has" is mended in 2 of 3 places, "go" and "see" in 2 of 4, and "run" in 2 of 5."""
    corrections = {"go": "went", "has": "have", "see": "saw", "run": "ran"}
    places = {"go": 4, "has": 3, "see": 4, "run": 5}
    sources = [f"{who} {verb}" for verb, times in places.items() for who in ("I", "we", "you", "they", "he")[:times]]
    references = [
        [source if source[0] in "yth" else source.replace(verb, corrections[verb])]
        for source in sources
        for verb in [source.split()[1]]
    ]
    corpus = Corpus.from_texts([*sources, "go has", "see", "run"], [*references, ["go has"], ["see"], ["run"]])
    assert outputs(corpus)["safe edit"][-3:] == ["go have", "saw", "run"]


def test_the_source_attack_has_a_known_accuracy() -> None:
    result = attack(Corpus.from_texts(SOURCES, REFERENCES), ["accuracy"], systems={"right": [r[0] for r in REFERENCES]})
    assert result["source", "accuracy"].score == 0.25
    assert result["source", "accuracy"].gain == 0
    assert result["empty", "accuracy"].gain == -0.25
    assert result["unrelated", "accuracy"].score == 0
    assert result["source", "accuracy"].beats == ()
    [price] = result.prices
    assert (price.adversary, price.points, price.source) == ("source", 0.0, 0.25)
    assert [(mark.system, mark.score) for mark in result.systems] == [("right", 1.0)]


def test_scores_are_those_of_score() -> None:
    corpus, systems = load_sample()
    result = attack(corpus, ["m2", "gleu", "ld"], systems=systems)
    texts = outputs(corpus)
    expected = score(corpus, texts, ["m2", "gleu", "ld"])
    of_systems = score(corpus, systems, ["m2", "gleu", "ld"])
    for row in result:
        if row.against != "all" or row.adversary == run.HILL_CLIMBING:
            continue
        assert row.score == expected[row.adversary, row.metric].score
        assert row.signature == expected[row.adversary, row.metric].signature
        beats = [name.name for name in systems if of_systems[name.name, row.metric].score < row.score]
        assert list(row.beats) == beats
        assert row.gain == row.score - expected["source", row.metric].score
    # M² rewards one wrong sentence for all, GLEU does not.
    m2, gleu, ld = result.prices
    assert (m2.adversary, round(m2.points, 4)) == ("constant", 0.2762)
    assert (gleu.adversary, gleu.points) == ("source", 0)
    assert ld.beats == ("timid", "thorough", "overeager", "rewriter")
    assert ld.luck is None


def test_people_are_annotators_against_each_other() -> None:
    corpus, _ = load_sample()
    [mark] = attack(corpus, ["accuracy"]).people
    texts = [corpus.texts_of(i) for i in range(len(corpus))]
    hits = [listed[a] in listed[:a] + listed[a + 1 :] for a in range(3) for listed in texts]
    assert mark.score == pytest.approx(np.mean(hits), abs=1e-12)
    assert mark.sentences == 72


def test_lower_is_better_turns_gains_round(monkeypatch: pytest.MonkeyPatch) -> None:
    lower = type(metric("accuracy"))
    monkeypatch.setattr(lower, "higher_is_better", False)
    result = attack(Corpus.from_texts(SOURCES, REFERENCES), ["accuracy"], systems={"right": [r[0] for r in REFERENCES]})
    assert result["empty", "accuracy"].gain == 0.25
    assert result["empty", "accuracy"].beats == ("right",)
    assert result.prices[0].adversary == "empty"
    assert str(result["source", "accuracy"].gain) == "0.0"  # and not −0.0


def test_an_equal_score_is_not_beaten() -> None:
    result = attack(Corpus.from_texts(SOURCES, REFERENCES), ["accuracy"], systems={"copy": SOURCES})
    assert (result["source", "accuracy"].beats, result["empty", "accuracy"].beats) == ((), ())


def test_a_metric_that_fails_on_an_adversary_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fragile.py").write_text("def f(source, hypothesis, references):\n    return 1 / len(hypothesis)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    result = attack(Corpus.from_texts(SOURCES, REFERENCES), ["fragile:f"])
    assert isnan(result["empty", "fragile:f"].score)
    assert not isnan(result["source", "fragile:f"].score)
    assert any("has no score of the adversary 'empty'" in note for note in result.notes)
    assert result.to_dict()["attacks"][1]["score"] is None


def test_what_cannot_be_made_is_left_out_with_a_note() -> None:
    result = attack(Corpus.from_texts(["He go ."], [["He goes ."]]), ["gleu(n=1)"])
    assert "unrelated" not in [row.adversary for row in result]
    assert "the adversary 'unrelated' is left out: it takes two sentences or more" in result.notes
    assert any("'hill climbing' is left out" in note for note in result.notes)
    assert result.people == ()


def test_a_system_may_not_be_named_like_an_adversary() -> None:
    with pytest.raises(InputError, match="'empty' is the name of an adversary"):
        attack(Corpus.from_texts(["a"], [["a"]]), ["accuracy"], systems={"empty": ["a"]})


@pytest.mark.parametrize(("sentences", "each"), [(1, 6), (666, 6), (667, 5), (2000, 2), (2001, 1), (5000, 1)])
def test_hill_climbing_draws_six_variants_or_as_many_as_4000_allow(sentences: int, each: int) -> None:
    table = SimpleNamespace(variants=lambda words: [SimpleNamespace(text=f"{words[0]} {v}") for v in range(9)])
    corpus = Corpus.from_texts(["a"], [["b"]])
    climber = Climber(metric=metric("gleu"), seen=corpus)
    places, texts = climber._draw(table, [f"s{i}" for i in range(sentences)], np.random.default_rng(1))
    assert np.bincount(places).tolist() == [each] * sentences
    assert len(set(texts)) == each * sentences
    assert all(text.startswith(f"s{place} ") for place, text in zip(places, texts, strict=True))


def test_hill_climbing_gains_on_what_it_sees_and_never_looks_at_the_rest() -> None:
    corpus, _ = load_sample()
    halves = Halves.of(corpus)
    climber = Climber(metric=metric("gleu"), seen=halves.seen)
    texts = climber.climb(np.random.default_rng(5))
    assert texts == climber.climb(np.random.default_rng(5))
    seen = score(halves.seen, {"climbed": texts, "source": corpus.sources}, ["gleu"], sentences=True)
    assert (seen["climbed", "gleu"].sentences >= seen["source", "gleu"].sentences).all()
    assert (seen["climbed", "gleu"].sentences > seen["source", "gleu"].sentences).sum() > 20
    # Other held-out references, the same bets.
    texts_of = [corpus.texts_of(i) for i in range(len(corpus))]
    plain = Corpus.from_texts(corpus.sources, texts_of)
    spoilt = Corpus.from_texts(corpus.sources, [[first, "nonsense", third] for first, _, third in texts_of])
    result, other = attack(plain, ["gleu"]), attack(spoilt, ["gleu"])
    assert result["hill climbing", "gleu", "seen"].score == other["hill climbing", "gleu", "seen"].score
    assert result["hill climbing", "gleu", "held out"].score > other["hill climbing", "gleu", "held out"].score


def test_hill_climbing_takes_four_steps_with_replacements_made_twice() -> None:
    """Five words are wrong, each here and in another sentence: four are mended. "g" is wrong in one place alone."""
    corpus = Corpus.from_texts(
        ["a x b x c x d x e", *"abcde", "g"], [["A x B x C x D x E"], *[[word] for word in "ABCDE"], ["G"]]
    )
    climber = Climber(metric=metric("m2"), seen=corpus, extractor="plain")
    first, *others = climber.climb(np.random.default_rng(1))
    assert (sum(map(str.isupper, first)), others) == (4, ["A", "B", "C", "D", "E", "g"])


def test_a_step_that_gains_nothing_is_not_taken() -> None:
    corpus = Corpus.from_texts(["a", "a", "a"], [["b", "a"], ["b", "a"], ["a", "b"]])
    assert Climber(metric=metric("accuracy"), seen=corpus).climb(np.random.default_rng(1)) == ["a", "a", "a"]


def test_hill_climbing_is_played_where_there_are_two_references() -> None:
    references = [["a x", "a y"], ["b x"], ["c x", "c y"], ["d x", "d y"]]
    corpus = Corpus.from_texts(["a b", "b b", "c b", "d b"], references)
    given = [[Edit(1, 2, ("x",))], [Edit(1, 2, ("q",))], [Edit(1, 2, ("y",))], [Edit(1, 2, ("x",))]]
    mine = replace(corpus.system("mine", ["a x", "b q", "c y", "d x"]), edits=given)
    for system in (mine, replace(mine, edits=None)):
        result = attack(corpus, ["accuracy", "ld"], systems=[system])
        assert "hill climbing: over the 3 sentences with two references or more" in result.notes
        # The climber sees "x" everywhere; "mine" has it in two of these three sentences.
        seen, held_out = result["hill climbing", "accuracy", "seen"], result["hill climbing", "accuracy", "held out"]
        assert (seen.score, seen.source, seen.beats) == (1.0, 0.0, ("mine",))
        assert (held_out.score, held_out.beats) == (0.0, ())
        accuracy, ld = result.prices
        assert (accuracy.luck, ld.luck) == (1.0, None)
        assert (accuracy.adversary, accuracy.points) == ("safe edit", 0.75)
    [row] = attack(Corpus.from_texts(["a b"], [["a x", "a y"]]), ["accuracy"]).people
    assert (row.sentences, row.score) == (1, 0.0)
    assert not any("over the" in note for note in attack(Corpus.from_texts(["a b"], [["a x"] * 2]), ["ld"]).notes)


def test_people_are_those_of_the_sentences_with_most_annotators() -> None:
    corpus = Corpus.from_texts(["a", "b", "c"], [["a", "a", "x"], ["b", "b"], ["c", "c", "c"]])
    [row] = attack(corpus, ["accuracy"]).people
    assert (row.sentences, row.score) == (2, pytest.approx((2 / 3 + 1) / 2))


def test_halves_take_turns_and_leave_out_single_references() -> None:
    corpus = Corpus.from_texts(["a", "b", "c"], [["a1", "a2", "a3"], ["b1"], ["c1", "c2"]])
    halves = Halves.of(corpus)
    assert halves.sentences.tolist() == [0, 2]
    assert [halves.seen.texts_of(i) for i in range(2)] == [["a1", "a3"], ["c1"]]
    assert [halves.held_out.texts_of(i) for i in range(2)] == [["a2"], ["c2"]]


WORDS = st.sampled_from(["a", "b", "c"])


@st.composite
def annotated(draw: st.DrawFn) -> list[tuple[list[str], list[list[Edit]]]]:
    sentences = []
    for _ in range(draw(st.integers(1, 4))):
        words = draw(st.lists(WORDS, min_size=1, max_size=5))
        references = []
        for _ in range(draw(st.integers(1, 3))):
            start = draw(st.integers(0, len(words)))
            end = draw(st.integers(start, len(words)))
            correction = " ".join(draw(st.lists(WORDS, max_size=2)))
            references.append([Edit(start, end, (correction,))])
        sentences.append((words, references))
    return sentences


@given(annotated(), st.integers(0, 3))
def test_shares_of_replacements_like_the_oracle(sentences: list[tuple[list[str], list[list[Edit]]]], left: int) -> None:
    corpus = Corpus(
        [" ".join(words) for words, _ in sentences],
        [[Reference(edits=tuple(edits)) for edits in references] for _, references in sentences],
    )
    table, without = Replacements.of(corpus), left % len(sentences)
    for words, references in sentences:
        for edits in references:
            replacement = pair(words, edits[0])
            if replacement[0] != replacement[1]:
                assert table.share(replacement, without=without) == share(sentences, replacement, without)
    pairs = {pair(words, edits[0]) for words, references in sentences for edits in references}
    for words, _ in sentences:
        assert Counter(table.variants(words)) == Counter(
            ((before, after), " ".join([*words[:i], *after, *words[i + len(before) :]]))
            for before, after in pairs
            if before != after
            for i in range(len(words))
            if tuple(words[i : i + len(before)]) == before
        )


def test_published_attacks_get_what_the_original_tool_gives_them(data: Path, golden: Path) -> None:
    """Which file is which, and that the study scores it whole: GREEN by its own authors' programs."""
    expected = json.loads((golden / "modern" / "attacks_green.json").read_text())["results"]
    references = [data / "references" / name for name in ("NUCLEA", "NUCLEB")]
    corpus = load_corpus(data / "conll14" / "source.txt", references)
    assert corpus.source_hash == CONLL14
    published, lacking = run.load_published_attacks(corpus)
    assert lacking is None
    scores = score(corpus, published, ["green"])
    for system in published:
        name = PUBLISHED[system.name][0].removesuffix(".txt")
        assert list(system.hypotheses) == list(load_systems([data / "attacks" / f"{name}.txt"], corpus)[0].hypotheses)
        golden_score = expected[name]["green gec-metrics beta=2"]["corpus"]
        assert scores[system.name, "green"].score == pytest.approx(golden_score, abs=1e-9)


def test_without_data_published_attacks_are_named(data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    corpus = load_corpus(data / "conll14" / "source.txt", [])
    monkeypatch.setenv("GECVAL_DATA", str(tmp_path))
    systems, lacking = run.load_published_attacks(corpus)
    assert systems == []
    assert "gecval data fetch attacks" in (lacking or "")


class Asking(Accuracy):
    """A metric that asks a model, and says how far it is."""

    def prepare(
        self,
        corpus,
        systems,
        *,
        run: Run = SERIAL,
    ):
        run.progress(len(corpus), sum(len(system.hypotheses) for system in systems))


def test_what_a_model_is_asked_shows_as_progress() -> None:
    corpus = Corpus.from_texts(SOURCES[:3], [["He goes home .", "He went home ."]] * 3)
    reports: list[tuple[int, int]] = []
    attack(corpus, [Asking()], systems={"mine": SOURCES[:3]}, run=Run(progress=lambda *report: reports.append(report)))
    asked = [report for report in reports if report[1] > 1]  # the other reports count metrics: 0 and 1 of 1
    of_field = [(3, 6)]  # the source and the system at once
    of_climbing = [(3, 3), *[(count, count) for count, _ in asked[len(ADVERSARIES) + 2 : -4]]]
    assert asked == of_field + [(3, 3)] * len(ADVERSARIES) + of_climbing + [(3, 6), (3, 3)] * 2


# gecval attack as it is typed.


def test_json_has_every_attack(gecval, folder: Path) -> None:
    result = gecval("attack accuracy,ld good.txt wild.txt -s src.txt -r ref0.txt -r ref1.txt --format json")
    assert result.status == 0, result.err
    printed = result.json
    assert printed["schema"] == "gecval.attacks/1"
    scores = {(row["adversary"], row["metric"], row["against"]): row for row in printed["attacks"]}
    assert scores["source", "accuracy", "all"]["score"] == 0.25
    assert scores["empty", "ld", "all"]["gain"] == -1.0
    assert scores["source", "ld", "all"]["beats"] == ["good", "wild"]
    assert [price["metric"] for price in printed["prices"]] == ["accuracy", "ld"]
    assert {row["against"] for row in printed["attacks"] if row["adversary"] == "hill climbing"} == {
        "seen",
        "held out",
        "all",
    }


def test_a_metric_of_ones_own(gecval, folder: Path) -> None:
    (folder / "mine.py").write_text("def longest(source, hypothesis, references):\n    return len(hypothesis)\n")
    result = gecval("attack mine:longest good.txt -s src.txt --format json")
    assert result.status == 0, result.err
    [price] = result.json["prices"]
    assert (price["adversary"], price["beats"]) == ("repeated", ["good"])


def test_seed_moves_what_is_drawn(gecval, folder: Path) -> None:
    command = "attack 'gleu(n=2)' -s src.txt -r ref0.txt --format json"
    first, again, other = (gecval(command, *more) for more in ([], [], ["--seed", "9"]))
    assert first.out == again.out != other.out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("attack gleu -s src.txt", "gleu needs references (option -r)"),
        ("attack nonsense -s src.txt", "nonsense"),
        ("attack ld source.txt -s src.txt", "source.txt"),
    ],
)
def test_refusals(refused, line: str, said: str) -> None:
    assert said in refused(line)
