"""gecval score, as typed: numbers, formats, intervals, a user's own metric."""

from __future__ import annotations

import json
import math

import pytest

from gecval import __version__, metric_names

KEYS = {
    "system", "metric", "score", "parts", "interval", "level", "signature", "notes", "higher_is_better", "sentences",
    "ranks", "cluster",
}  # fmt: skip
SCORE = "score good.txt copy.txt wild.txt -r gold.m2"


def scores(result) -> list[dict]:
    assert result.status == 0, result.err
    printed = result.json
    assert set(printed) == {"schema", "notes", "scores"}
    assert printed["schema"] == "gecval.scores/1"
    return printed["scores"]


def test_the_numbers_that_the_literature_reports(gecval, data):
    conll = data / "conll14"
    result = gecval("score --format json -m m2", conll / "systems" / "AMU", "-r", conll / "official-2014.combined.m2")
    [entry] = scores(result)
    assert result.err == ""
    assert set(entry) == KEYS
    assert (entry["system"], entry["metric"], entry["interval"]) == ("AMU", "m2", None)
    assert round(entry["score"], 5) == 0.35007
    assert entry["parts"] == {
        "precision": pytest.approx(509 / 1223),
        "recall": pytest.approx(509 / 2378),
        "correct": 509,
        "proposed": 1223,
        "gold": 2378,
    }
    assert entry["signature"].startswith("m2|beta:0.5|max_unchanged:2|")
    assert entry["signature"].endswith(f"|gecval:{__version__}")


def test_m2_by_hand(gecval, folder):
    listed = {entry["system"]: entry for entry in scores(gecval(f"{SCORE} -m m2 --format json --sentences"))}
    # good makes 5 of annotator 0's 6 edits and no other.
    assert listed["good"]["parts"] == {
        "precision": 1.0, "recall": pytest.approx(5 / 6), "correct": 5, "proposed": 5, "gold": 6,
    }  # fmt: skip
    assert listed["good"]["score"] == pytest.approx(1.25 * (5 / 6) / (0.25 + 5 / 6))
    assert listed["good"]["sentences"] == pytest.approx([1, 1.25 * 0.5 / 0.75, 1, 1])
    assert set(listed["good"]) == KEYS
    assert listed["copy"]["score"] == 0
    assert listed["copy"]["parts"]["precision"] == 1  # nothing proposed, nothing wrong
    assert listed["copy"]["parts"]["proposed"] == 0


def test_accuracy_by_hand_with_several_texts(gecval, folder):
    command = "score good.txt copy.txt wild.txt -s src.txt -r ref0.txt -r ref1.txt -m accuracy -m ld --format json"
    listed = {(entry["system"], entry["metric"]): entry["score"] for entry in scores(gecval(command))}
    assert listed["good", "accuracy"] == 0.75
    assert listed["copy", "accuracy"] == 0.25
    assert listed["wild", "accuracy"] == 0.25
    assert listed["copy", "ld"] == 1.0
    # characters: 2 + 3 of 15 deleted and written anew ("go to" → "goes" by 3), "s", none, "ve" for "s" and "s"
    assert listed["good", "ld"] == pytest.approx(1 - (3 / 15 + 1 / 16 + 0 / 6 + 3 / 15) / 4)


def test_a_metric_that_needs_no_reference(gecval, folder):
    assert [entry["score"] for entry in scores(gecval("score copy.txt -s src.txt -m ld --format json"))] == [1.0]


def test_mean_of_sentence_scores(gecval, folder):
    both = [
        scores(gecval(f"{SCORE} -m m2 -m gleu --format json --sentences --aggregate {how}"))
        for how in ("corpus", "mean")
    ]
    for corpus, mean in zip(*both, strict=True):
        assert mean["score"] == pytest.approx(sum(mean["sentences"]) / 4)
        assert mean["sentences"] == corpus["sentences"]
        assert mean["parts"] == {}
        assert "|aggregate:mean|" in mean["signature"]
        assert "|aggregate:corpus|" in corpus["signature"]
    assert both[0][0]["score"] != pytest.approx(both[1][0]["score"])


@pytest.mark.parametrize("style", ["text", "json", "tsv", "markdown", "latex"])
def test_to_a_file(gecval, folder, style):
    printed = gecval(f"{SCORE} -m m2 -m sari --format {style}")
    (folder / "new").mkdir()
    assert gecval(f"{SCORE} -m m2 -m sari --format {style} -o new/out") == (0, "", "")
    assert (folder / "new" / "out").read_text() == printed.out
    assert [path.name for path in (folder / "new").iterdir()] == ["out"]


class TestIntervals:
    COMMAND = "score -m m2 -m gleu --format json --ci --resamples 200"

    @pytest.fixture
    def run(self, gecval, data):
        conll = data / "conll14"
        files = [conll / "systems" / "AMU", "-r", conll / "official-2014.combined.m2"]
        return lambda more="": scores(gecval(f"{self.COMMAND} {more}", *files))

    def test_the_same_for_the_same_seed_and_any_number_of_threads(self, run):
        first = run("--seed 7")
        assert run("--seed 7 --jobs 1") == first
        assert run("--seed 8")[0]["interval"] != first[0]["interval"]
        for entry in first:
            low, high = entry["interval"]
            assert low < entry["score"] < high
            assert "|bca:0.95|resamples:200|seed:7|" in entry["signature"]

    def test_wider_for_a_higher_level(self, run):
        by_level = [run(f"--level {level}")[0]["interval"] for level in (0.5, 0.9, 0.99)]
        assert by_level[2][0] < by_level[1][0] < by_level[0][0] < by_level[0][1] < by_level[1][1] < by_level[2][1]

    def test_percentile(self, run):
        [m2, _] = run("--interval-method percentile")
        assert "|percentile:0.95|" in m2["signature"]
        assert m2["interval"] != run()[0]["interval"]
        # The standard error of F0.5 on these 1312 sentences is about 0.011, so 95% are some ±0.022.
        assert m2["interval"] == pytest.approx([0.328, 0.372], abs=0.008)


OWN = '''
from dataclasses import dataclass

import numpy as np

from gecval import Metric, Statistics
from gecval.metrics.reference_rules import Pooled


def kept(source, hypothesis, references):
    """Share of source words that are still there."""
    words = source.split()
    return sum(word in hypothesis.split() for word in words) / len(words)


def references_seen(source, hypothesis, references):
    return len(references)


@dataclass(frozen=True, repr=False)
class Length(Metric):
    """Words written per word read."""
    name = "length"
    summary = "relative length"
    paper = ""
    needs = None
    weight: float = 1.0

    @property
    def rule(self):
        return Pooled()

    def statistics(self, corpus, system, *, run=None):
        pairs = zip(system.hypotheses, corpus.sources, strict=True)
        return Statistics.one_per_sentence(np.array([[len(h.split()), len(s.split())] for h, s in pairs], dtype=float))

    def score(self, totals):
        return self.weight * totals[..., 0] / totals[..., 1]
'''


class TestOwnMetric:
    @pytest.fixture(autouse=True)
    def _module(self, folder):
        (folder / "mine.py").write_text(OWN)

    def test_a_function(self, gecval):
        command = f"{SCORE} -m mine:kept --format json --sentences --ci"
        listed = {entry["system"]: entry for entry in scores(gecval(command))}
        assert listed["good"]["metric"] == "mine:kept"
        assert listed["good"]["sentences"] == pytest.approx([3 / 5, 3 / 4, 1, 3 / 5])
        assert listed["good"]["score"] == pytest.approx((3 / 5 + 3 / 4 + 1 + 3 / 5) / 4)
        assert listed["good"]["interval"][0] < listed["good"]["score"] < listed["good"]["interval"][1]
        assert listed["copy"]["interval"] == [1.0, 1.0]
        assert "mine:kept" in listed["good"]["signature"]

    def test_a_function_sees_the_references(self, gecval):
        command = "score good.txt -s src.txt -r ref0.txt -r ref1.txt -m mine:references_seen --format json"
        assert scores(gecval(command))[0]["score"] == 2

    def test_a_class_with_a_parameter(self, gecval):
        [entry] = scores(gecval("score good.txt -s src.txt -m 'mine:Length(weight=2)' --format json --ci --sentences"))
        assert entry["score"] == 2 * 15 / 16
        assert entry["sentences"] == [2 * 4 / 5, 2, 2, 2]
        assert entry["interval"][0] < entry["score"] <= entry["interval"][1]
        assert "weight:2" in entry["signature"]

    def test_comparisons(self, gecval):
        result = gecval("compare copy.txt good.txt -s src.txt -m mine:kept -m mine:Length --format json")
        kept, length = result.json["comparisons"]
        assert kept["difference"] == pytest.approx((3 / 5 + 3 / 4 + 1 + 3 / 5) / 4 - 1)
        assert length["difference"] == pytest.approx(15 / 16 - 1)
        # Of the 16 ways to swap 4 sentences 12 change a sum in which only one sentence differs: none is larger.
        assert length["p_randomisation"] == 1.0
        assert 0 < kept["p_bootstrap"] < 0.3

    def test_beside_built_in_ones(self, gecval):
        result = gecval(f"{SCORE} -m mine:kept -m m2 -m 'gleu(n=2)'")
        assert result.out.splitlines()[1].split() == ["system", "mine:kept", "m2", "gleu(n=2)"]


def write(folder, **texts: list[str]) -> None:
    for name, lines in texts.items():
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), newline="")


# All but those that ask a model, read files of scores, or align 5000 words three ways.
MODELS = (
    *("errant", "lt", "grammaticality", "lfm", "scribendi", "graded-scribendi", "perplexity"),
    *("some", "impara", "reward", "llm-judge", "uot"),
)
OTHERS = ("imeasure", "from-file")
PLAIN = {name: f"'{name}(edits=\"plain\")'" for name in ("cleme", "cleme2", "gotoscorer")}
PLAIN["weighted"] = '\'weighted(errant(model="plain"), by="words")\''
ALL = " ".join(f"-m {PLAIN.get(name, name)}" for name in metric_names() if name not in (*MODELS, *OTHERS))
STRANGE = {
    "right to left": ("הוא הולך הביתה .", "הוא הלך הביתה ."),
    "emoji": ("I 👩🏽‍💻 code 🇫🇷 .", "I 👩🏽‍💻 codes 🇫🇷 ."),
    "combining marks": ("Cafe\u0301 are goo\u0308d .", "Cafe\u0301 is goo\u0308d ."),
    "zero width": ("a\u200bb c\u200dd \ufeff .", "a\u200bb cd \ufeff ."),
    "tabs": ("He\tgo\t\thome .", "He goes home ."),
    "no-break space": ("He\u00a0go home .", "He\u00a0goes home ."),
    "line separators": ("He go\u2028home .", "He goes\u2028home ."),
    "one word": ("Go", "Goes"),
    "markup": ("[bold] a | b & c_d % <x> :smile:", "[bold] A | b & c_d % <x> :smile:"),
}


@pytest.mark.parametrize("name", STRANGE)
def test_strange_but_valid_text(gecval, folder, name):
    source, corrected = STRANGE[name]
    write(folder, src=[source], ref=[corrected], perfect=[corrected], copy=[source], empty=[""])
    if "|" in source:
        result = gecval(
            f"score perfect.txt copy.txt empty.txt -s src.txt -r ref.txt {ALL} --format json".replace("-m m2 ", "")
        )
    else:
        assert gecval("convert src.txt ref.txt -o own.m2").status == 0
        result = gecval(f"score perfect.txt copy.txt empty.txt -r own.m2 {ALL} --format json")
    listed = {(entry["system"], entry["metric"]): entry["score"] for entry in scores(result)}
    assert all(map(math.isfinite, listed.values()))
    assert listed["perfect", "accuracy"] == 1
    assert listed["perfect", "index-match"] == 1
    assert listed["copy", "accuracy"] == 0
    assert listed.get(("perfect", "m2"), 1) == 1
    assert listed.get(("copy", "m2"), 0) == 0
    assert listed["empty", "gleu"] == 0


def test_a_sentence_of_5000_words(gecval, folder):
    words = [f"w{i % 700}" for i in range(5000)]
    changed = [f"x{word}" if i % 50 == 0 else word for i, word in enumerate(words)]
    write(folder, perfect=[" ".join(changed)], half=[" ".join(changed[:2500] + words[2500:])], empty=[""])
    edits = [f"A {i} {i + 1}|||R|||{changed[i]}|||REQUIRED|||-NONE-|||0" for i in range(0, 5000, 50)]
    (folder / "own.m2").write_text("\n".join([f"S {' '.join(words)}", *edits, ""]))
    result = gecval(f"score perfect.txt half.txt empty.txt -r own.m2 {ALL} --format json")
    listed = {(entry["system"], entry["metric"]): entry for entry in scores(result)}
    assert listed["perfect", "m2"]["parts"]["correct"] == listed["perfect", "m2"]["parts"]["proposed"] == 100
    assert listed["half", "m2"]["parts"]["correct"] == listed["half", "m2"]["parts"]["proposed"] == 50
    assert listed["empty", "m2"]["parts"]["correct"] == 0
    assert listed["perfect", "gleu"]["score"] == 1
    assert all(math.isfinite(entry["score"]) for entry in listed.values())


def test_empty_source_lines(gecval, folder):
    write(folder, src=["", "a b", ""], ref=["", "a c", "d"], out=["", "a c", ""])
    assert gecval("convert src.txt ref.txt -o own.m2").status == 0
    listed = scores(gecval(f"score out.txt -r own.m2 {ALL} --format json --ci --sentences"))
    assert all(math.isfinite(entry["score"]) for entry in listed)
    by_name = {entry["metric"]: entry for entry in listed}
    assert by_name["accuracy"]["sentences"] == [1, 1, 0]
    assert by_name["m2"]["parts"]["correct"] == 1
    assert by_name["m2"]["parts"]["gold"] == 2


def test_a_system_from_another_editor(gecval, folder):
    plain = scores(gecval("score good.txt -r gold.m2 -m m2 -m gleu -m ld --format json"))
    text = (folder / "good.txt").read_text()
    (folder / "good.txt").write_bytes(("\ufeff" + text.replace("\n", "  \r\n")).encode().removesuffix(b"\r\n"))
    assert scores(gecval("score good.txt -r gold.m2 -m m2 -m gleu -m ld --format json")) == plain


def test_a_folder_of_systems(gecval, folder):
    (folder / "out").mkdir()
    for name in ("b", "a"):
        (folder / "out" / name).write_text((folder / "good.txt").read_text())
    (folder / "out" / ".DS_Store").write_bytes(b"\xff\0")
    listed = scores(gecval("score out -r gold.m2 -m m2 --format json"))
    assert [entry["system"] for entry in listed] == ["a", "b"]


def test_systems_and_references_in_one_jsonl_file(gecval, folder):
    lines = [
        {"source": "a b", "references": ["a c"], "hypotheses": {"x": "a c", "y\u2028z": "a b"}},
        {"source": "d", "references": ["d", "e"], "hypotheses": {"x": "e", "y\u2028z": ""}},
    ]
    (folder / "all.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    listed = scores(gecval("score all.jsonl -r all.jsonl -m accuracy --format json"))
    assert [(entry["system"], entry["score"]) for entry in listed] == [("x", 1.0), ("y\u2028z", 0.0)]
    assert gecval("score all.jsonl -r all.jsonl -m accuracy --format json -o out.json").status == 0
    assert json.loads((folder / "out.json").read_text())["scores"] == listed
    assert "refs:1-2" in listed[0]["signature"]


def test_a_note_follows_the_scores(gecval, data):
    result = gecval("score -m m2", data / "conll14" / "systems" / "AMU", "-r", data / "bryant-ng-2015" / "BN.m2")
    assert result.status == 0
    assert result.err.splitlines()[0].startswith("gecval: note: ")
    assert "choose 'unchanged' for missing annotators" in result.err
    assert "note" not in result.out
