"""Why two scores differ: fields of signatures, what can change a score, and the way from A to B."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gecval import Corpus, InputError, Resampling, explain_difference, metric, score
from gecval.metrics.gleu import GLEU
from gecval.results.signature import Signature
from gecval.runtime.run import Run
from gecval.studies.explain_difference.result import Step
from gecval.studies.explain_difference.settings import ScoreSettings, find_settings, list_corpora, load_first_corpus
from gecval.studies.explain_difference.study import apply_change, have_interactions, list_changes, score_steps

SOURCES = ["He go to home .", "She like apple .", "Fine .", "I has two cat ."]
TWO = Corpus.from_texts(
    SOURCES,
    [
        ["He goes home .", "He went home ."],
        ["She likes apples .", "She likes an apple ."],
        ["Fine .", "Fine ."],
        ["I have two cats .", "I have cats ."],
    ],
)
ONE = Corpus.from_texts(SOURCES, [texts[:1] for texts in map(TWO.texts_of, range(4))])
OUTPUTS = {
    "good": ["He goes home .", "She likes apple .", "Fine .", "I have two cats ."],
    "wild": ["They went away .", "She likes apples .", "Fine !", "I has two dog ."],
}
METRICS = (
    "gleu",
    "gleu(n=2, iterations=7)",
    "bleu(n=2)",
    "ibleu(alpha=0.3)",
    "accuracy",
    "sari",
    'm2(beta=1.0, level="detection")',
    "imeasure(mix=False)",
    "green(n=1)",
    "ld",
)


def signed(name: str, corpus: Corpus = TWO, aggregate: str = "corpus", resampling: Resampling | None = None) -> str:
    return str(Signature.of(metric(name), corpus, aggregate, resampling=resampling))


# What can change the score


def rows(a: str, b: str) -> dict[str, tuple[str | None, str | None, bool]]:
    return {row.field: (row.a, row.b, row.changes) for row in explain_difference(a, b)}


def test_intervals_cannot_change_the_score() -> None:
    few, many = Resampling(50, seed=3), Resampling(60, method="percentile", level=0.9)
    assert rows(signed("gleu", resampling=few), signed("gleu", resampling=many)) == {
        "interval": ("bca", "percentile", False),
        "level": ("0.95", "0.9", False),
        "resamples": ("50", "60", False),
        "seed": ("3", "1", False),
    }
    assert rows(signed("gleu"), signed("gleu", resampling=few)) == {"interval": (None, "bca", False)}


def test_draws_of_references_need_two_of_them() -> None:
    changed = ("iterations", "rule")
    for corpus, changes in ((TWO, True), (ONE, False)):
        found = rows(signed("gleu", corpus), signed("gleu(iterations=7)", corpus))
        assert {name: row[2] for name, row in found.items()} == dict.fromkeys(changed, changes)
    # Where one of the two has several references, both matter.
    found = rows(signed("gleu", ONE), signed("gleu(iterations=7)", TWO))
    assert all(found[name][2] for name in changed)


def test_fields_that_can_change_it() -> None:
    found = rows(
        signed("m2(beta=1.0)", aggregate="mean").replace(f"source:{TWO.source_hash}", "source:00000000"),
        signed("m2(level='detection')", ONE).replace("gecval:", "plain|lang:en|gecval:9"),
    )
    assert found["beta"] == ("1.0", "0.5", True)
    assert found["level"] == ("correction", "detection", True)
    assert found["aggregate"] == ("mean", "corpus", True)
    assert found["source"] == ("00000000", ONE.source_hash, True)
    assert found["refs"] == ("2", "1", True)
    assert found["references"] == (TWO.reference_hash, ONE.reference_hash, True)
    assert found["edits"] == (None, "plain", True)
    assert found["lang"] == (None, "en", False)
    assert found["gecval"][2]
    assert set(found) == {"beta", "level", "aggregate", "source", "refs", "references", "edits", "lang", "gecval"}


def test_another_metric_is_one_difference() -> None:
    [row] = explain_difference(signed("gleu"), signed("gleu").replace("gleu|", "green|", 1)).fields
    assert (row.metric, row.field, row.changes) == ("gleu → green", "metric", True)
    assert (row.a, row.b) == ("gleu|n:4|form:tool|iterations:500", "green|n:4|form:tool|iterations:500")


def test_seeds_of_studies_can_change_it() -> None:
    text = signed("gleu")
    assert rows(f"{text}|oracle:5|seed:1", f"{text}|oracle:5|seed:2") == {"seed": ("1", "2", True)}
    assert rows(f"{text}|oracle:5|seed:1", f"{text}|oracle:5") == {"seed": ("1", None, True)}


def test_why_a_field_can_change_it() -> None:
    text = signed("gleu", ONE)
    mean, drawn, studied = text.replace("aggregate:corpus", "aggregate:mean"), f"{text}|seed:1", f"{text}|oracle:5"
    whys = [row.why for other in (mean, drawn, studied) for row in explain_difference(text, other)]
    assert whys == [
        "all sentences together, the mean of sentence scores, or contests of systems",
        "the study that gave the score draws with it",
        "it says how a study used the score",
    ]


def test_another_rule_is_no_other_draw() -> None:
    """With one reference each, drawing more often changes nothing; not to draw at all is another metric's rule."""
    text = signed("gleu", ONE)
    assert "|rule:sampled(500)|" in text
    other = text.replace("rule:sampled(500)", "rule:best")
    assert rows(text, other) == {"rule": ("sampled(500)", "best", True)}


def test_labels_of_files_cannot_change_it() -> None:
    text = "from-file|path:x|label:{}|lower_is_better:{}|aggregate:corpus|source:9c912f65|gecval:0.1.0"
    found = rows(text.format("a", False), text.format("b", True))
    assert {name: row[2] for name, row in found.items()} == {"label": False, "lower_is_better": False}


def test_equal_signatures() -> None:
    result = explain_difference(signed("gleu"), signed("gleu"))
    assert len(result) == 0
    assert "only another output" in result.notes[0]


# The way from A to B


@settings(max_examples=30)
@given(data=st.data())
def test_the_way_ends_where_scoring_ends(data: st.DataObject) -> None:
    """Oracle: ``score`` at both ends, and at every step with the settings that the step says."""
    n = st.sampled_from([1, 2, 4])
    sides = []
    for _ in range(2):
        name = f"gleu(n={data.draw(n)}, iterations={data.draw(st.sampled_from([5, 9]))})"
        corpus = data.draw(st.sampled_from([ONE, TWO]))
        aggregate = data.draw(st.sampled_from(["corpus", "mean"]))
        sides.append((name, corpus, aggregate, score(corpus, OUTPUTS, [name], aggregate=aggregate)))
    (a, b) = sides
    result = explain_difference(a[3], b[3], corpora={"two": TWO, "one": ONE}, systems=OUTPUTS)
    assert result.complete
    corpora = {"two": TWO, "one": ONE}
    for name in OUTPUTS:
        steps = [step for step in result.steps if step.system == name]
        assert [step.step for step in steps] == list(range(len(steps)))
        assert steps[0].score == pytest.approx(a[3][0 if name == "good" else 1].score, abs=1e-12)
        assert steps[-1].score == pytest.approx(b[3][0 if name == "good" else 1].score, abs=1e-12)
        now = {"corpus": a[1], "aggregate": a[2], "metric": metric(a[0])}
        first = dict(now)
        for before, step in itertools.pairwise(steps):
            alone = dict(first)
            for settings_now in (now, alone):
                if step.setting == "references":
                    settings_now["corpus"] = corpora[step.b]
                elif step.setting == "aggregate":
                    settings_now["aggregate"] = step.b
                else:
                    old = settings_now["metric"].parameters()
                    assert str(metric(b[0]).parameters()[step.setting]) == step.b
                    values = {**old, step.setting: int(step.b)}
                    settings_now["metric"] = metric(f"gleu(n={values['n']}, iterations={values['iterations']})")
            expected, expected_alone = (
                score(s["corpus"], {name: OUTPUTS[name]}, [s["metric"]], aggregate=s["aggregate"])[0].score
                for s in (now, alone)
            )
            assert step.score == pytest.approx(expected, abs=1e-12)
            assert step.change == pytest.approx(step.score - before.score, abs=1e-12)
            assert step.alone == pytest.approx(expected_alone - steps[0].score, abs=1e-12)
    assert {step.setting for step in result.steps[1:]} <= {"all as in A", "references", "n", "iterations", "aggregate"}
    cannot = {row.field for row in result if not row.changes}
    assert all(abs(step.change) < 1e-12 for step in result.steps if step.setting in cannot)
    differs = any(step.change is not None and abs(step.change - step.alone) > 1e-9 for step in result.steps)
    assert result.interacts == (("gleu",) if differs else ())


def test_steps_keep_their_order_and_join_what_makes_no_sense_alone() -> None:
    made = ScoreSettings(metric=metric("bleu"), data="x", corpus=TWO, extractor=None, aggregate="corpus")
    end = ScoreSettings(metric=metric("gleu(n=2)"), data="y", corpus=ONE, extractor=None, aggregate="mean")
    assert [change.setting for change in list_changes(made, end)] == ["references", "metric", "aggregate"]
    assert list_changes(made, made) == []
    other = Corpus.from_texts([*SOURCES[:3], "Other ."], [TWO.texts_of(i) for i in range(4)])
    there = ScoreSettings(metric=metric("bleu"), data="z", corpus=other, extractor=None, aggregate="corpus")
    assert [change.setting for change in list_changes(made, there)] == ["source and references"]


def test_what_makes_sense_only_together_is_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """A metric that refuses some parameters by themselves: they wait for the next, or join the step before."""
    allowed = {(4, 500), (2, 7), (4, 9)}

    def checked(self: GLEU) -> None:
        if (self.n, self.iterations) not in allowed:
            raise InputError("these do not go together")

    monkeypatch.setattr(GLEU, "__post_init__", checked)
    start = ScoreSettings(metric=GLEU(), data="x", corpus=TWO, extractor=None, aggregate="corpus")
    end = replace(start, metric=GLEU(n=2, iterations=7))
    [both] = list_changes(start, end)
    assert (both.setting, both.a, both.b) == ("n + iterations", "4 + 500", "2 + 7")
    assert apply_change(start, both) == end
    assert [change.setting for change in list_changes(start, replace(end, aggregate="mean"))] == [
        "n + iterations",
        "aggregate",
    ]
    counted: list[tuple[int, int]] = []
    good, there = TWO.system("good", OUTPUTS["good"]), replace(end, corpus=ONE, data="y")
    alone = score_steps(start, there, [good], run=Run(jobs=1, progress=lambda *numbers: counted.append(numbers)))
    assert counted[:2] == [(1, 3), (2, 3)]
    assert [(step.step, step.setting) for step in alone] == [
        (0, "all as in A"),
        (1, "references"),
        (2, "n + iterations"),
    ]
    # The last step makes no sense by itself: it joins the one before. With none before, it stands as it is.
    never = replace(start, metric=replace_unchecked(GLEU(), n=3))
    assert [change.setting for change in list_changes(start, replace(never, corpus=ONE, data="y"))] == [
        "references + n"
    ]
    assert [change.setting for change in list_changes(start, never)] == ["n"]


def replace_unchecked(made: GLEU, **values: int) -> GLEU:
    for name, value in values.items():
        object.__setattr__(made, name, value)
    return made


def test_a_metric_comes_back_from_its_signature() -> None:
    for name in METRICS:
        read = Signature.parse(signed(name))
        made = find_settings(read, None, {"two": lambda: TWO}, run=Run(jobs=1))
        assert made is not None or metric(name).needs == "edits"
        if made is not None:
            assert made.metric == metric(name)


def test_a_metric_is_made_as_its_result_spells_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpora = {"two": lambda: TWO}
    hybrid = "interpolated(gleu, ld, 0.5)"
    assert find_settings(Signature.parse(signed(hybrid)), hybrid, corpora, run=Run(jobs=1)).metric == metric(hybrid)
    with pytest.raises(
        InputError, match="cannot be made from its signature; give results of `gecval score --format js"
    ):
        find_settings(Signature.parse(signed(hybrid)), None, corpora, run=Run(jobs=1))
    for spelling in ("gleu(n=2)", "gleu(n=4, iterations=7)"):
        with pytest.raises(
            InputError, match=r"^no steps: the metric gleu\|n:4\|.* cannot be made .*; here it is gleu\|n:"
        ):
            find_settings(Signature.parse(signed("gleu")), spelling, corpora, run=Run(jobs=1))
    # A signature of the time when the metric had fewer parameters still says enough.
    short = Signature.parse(signed("gleu").replace("|form:tool|iterations:500", ""))
    assert (short.head, find_settings(short, "gleu", corpora, run=Run(jobs=1)).metric) == ("gleu|n:4", metric("gleu"))
    # What a result spells must not run code, or read files.
    (tmp_path / "strange.py").write_text("raise SystemExit")
    monkeypatch.syspath_prepend(tmp_path)
    for spelling in ("strange:f", "strange/f", "strange\\f"):
        assert find_settings(Signature.parse(signed("gleu")), spelling, corpora, run=Run(jobs=1)).metric == metric(
            "gleu"
        )


def test_outputs_that_came_as_edits_have_no_steps() -> None:
    text = signed("gleu").replace("|gecval:", "|hypotheses:given|gecval:")
    result = explain_difference(text, text, corpora=TWO, systems=OUTPUTS)
    assert "no steps: the outputs came with their edits, and steps find edits in texts" in result.notes


def test_data_that_are_not_at_hand() -> None:
    a, b = (score(corpus, OUTPUTS, ["gleu"]) for corpus in (TWO, ONE))
    result = explain_difference(a, b, corpora=TWO, systems=OUTPUTS)
    assert result.complete is False
    assert "the data of B are not given; its settings are scored on the corpus" in result.notes
    assert any(note.startswith("B states ") for note in result.notes)
    assert [pair.a_again == pair.a for pair in result.pairs] == [True, True]
    # Where its data are not given, B keeps its own way to aggregate.
    mean = score(ONE, OUTPUTS, ["gleu"], aggregate="mean")
    result = explain_difference(a, mean, corpora=TWO, systems=OUTPUTS)
    expected = [row.score for row in score(TWO, OUTPUTS, ["gleu"], aggregate="mean")]
    assert [pair.b_again for pair in result.pairs] == expected
    # ld needs no references, so its data are given; that does not make the whole complete.
    both = [score(corpus, OUTPUTS, ["ld", "gleu"]) for corpus in (TWO, ONE)]
    assert explain_difference(*both, corpora=TWO, systems=OUTPUTS).complete is False
    with pytest.raises(InputError, match=f"none of the given data is that of A or B .*{TWO.reference_hash}"):
        explain_difference(a, a, corpora=ONE, systems=OUTPUTS)
    with pytest.raises(InputError, match="steps need the data and the outputs"):
        explain_difference(a, b, systems=OUTPUTS)
    with pytest.raises(InputError, match="steps need the data and the outputs"):
        explain_difference(a, b, corpora=TWO)


def test_stated_scores_stand_next_to_those_of_the_steps() -> None:
    """Steps are of the systems that the results have, whatever else is given."""
    good = {"good": OUTPUTS["good"]}
    a, b = (score(TWO, good, [name]) for name in ("gleu", "gleu(n=2)"))
    result = explain_difference(a, b, corpora=TWO, systems=OUTPUTS)
    assert {step.system for step in result.steps} == {"good"}
    [pair] = result.pairs
    assert (pair.a, pair.b) == (a[0].score, b[0].score)
    assert (pair.a_again, pair.b_again) == (pytest.approx(pair.a), pytest.approx(pair.b))
    assert pair.a != pytest.approx(pair.b)
    bare = explain_difference(a[0].signature, b, corpora=TWO, systems=OUTPUTS).pairs[0]
    assert (bare.a, bare.a_again, bare.b_again) == (None, None, pytest.approx(pair.b))


def test_another_output_or_version_is_noticed() -> None:
    a = score(TWO, OUTPUTS, ["gleu"])
    result = explain_difference(a, a, corpora=TWO, systems={**OUTPUTS, "good": OUTPUTS["wild"]})
    noted = [note for note in result.notes if note.startswith(("A states", "B states"))]
    assert [note.split(" for ")[1].split(",")[0] for note in noted] == ["good", "good"]
    old = a[0].signature.rpartition("gecval:")[0] + "gecval:0.0.1"
    result = explain_difference(old, a[0].signature, corpora=TWO, systems=OUTPUTS)
    assert any("A was scored by gecval 0.0.1" in note for note in result.notes)
    assert [row.field for row in result] == ["gecval"]


def test_metrics_that_no_stranger_may_name() -> None:
    text = signed("gleu").replace("gleu|", "os:system|", 1)
    result = explain_difference(text, text, corpora=TWO, systems=OUTPUTS)
    assert result.steps == ()
    assert "no steps: os:system is no metric of gecval's own" in result.notes
    lost = signed("gleu").replace("n:4", "n:four")
    result = explain_difference(lost, signed("gleu"), corpora=TWO, systems=OUTPUTS)
    assert any(note.startswith("no steps: the metric gleu|n:four") for note in result.notes)
    unusual = signed("gleu").replace("|gecval", "|given:abc|gecval")
    result = explain_difference(unusual, unusual, corpora=TWO, systems=OUTPUTS)
    assert any("given:abc, which is not what is installed here" in note for note in result.notes)


def test_a_signature_runs_no_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "strange.py").write_text("raise SystemExit")
    monkeypatch.syspath_prepend(tmp_path)
    text = signed("errant").replace("model:en_core_web_sm", "model:strange:Extractor")
    result = explain_difference(text, text, corpora=TWO, systems=OUTPUTS)
    assert any("|model:strange:Extractor|" in note and "cannot be made" in note for note in result.notes)


def test_the_ways_of_errant_are_steps() -> None:
    pytest.importorskip("errant", reason="needs the extra: pip install 'gecval[errant]'")
    outputs = {"good": ["He goes home .", "She like an apples .", "Fine .", "I have cats two ."]}
    spellings = ('errant(alignment="levenshtein", merging="all-split")', "errant")
    a, b = (score(ONE, outputs, ["m2"], edits=spelling) for spelling in spellings)
    assert (a[0].score, b[0].score) == pytest.approx((2 / 3, 0.6))
    result = explain_difference(a, b, corpora=ONE, systems=outputs)
    assert [step.score for step in result.steps] == [a[0].score, b[0].score]
    assert result.steps[1].a == a[0].signature.partition("|references:")[2].partition("|")[2].partition("|gecval")[0]


# Which scores belong together


def test_scores_are_paired_by_system_and_metric() -> None:
    a = score(TWO, OUTPUTS, ["gleu", "gleu(n=2)", "ld"])
    b = score(TWO, OUTPUTS, ["gleu(n=2)", "gleu(n=3)", "sari"])
    result = explain_difference(a, b)
    assert {(pair.system, pair.metric) for pair in result.pairs} == {
        (name, metrics) for name in OUTPUTS for metrics in ("gleu(n=2)", "gleu → gleu(n=3)", "ld → sari")
    }
    only = score(TWO, {"mine": OUTPUTS["good"]}, ["gleu"])
    other = score(TWO, {"theirs": OUTPUTS["wild"]}, ["gleu", "ld"])
    result = explain_difference(only, other)
    assert [pair.system for pair in result.pairs] == ["mine → theirs"]
    assert [pair.system for pair in explain_difference(other, only).pairs] == ["theirs → mine"]
    assert any("left out" in note and "theirs under ld" in note for note in result.notes)
    with pytest.raises(InputError, match="no system is in both"):
        explain_difference(a, other)
    with pytest.raises(InputError, match="no metric is in both"):
        explain_difference(score(TWO, OUTPUTS, ["ld", "bleu"]), score(TWO, OUTPUTS, ["gleu", "sari"]))
    bare = explain_difference(a[0].signature, b)
    assert {pair.metric for pair in bare.pairs} == {"gleu → gleu(n=2)", "gleu → gleu(n=3)"}
    bare = explain_difference(b, a[0].signature)
    assert {(pair.metric, pair.b) for pair in bare.pairs} == {("gleu(n=2) → gleu", None), ("gleu(n=3) → gleu", None)}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "holds no scores with signatures"),
        (b"\xff\xfe", "holds no scores with signatures"),
        (b"[]", "holds no scores with signatures"),
        (b'{"scores": []}', "holds no scores; give"),
        (b'{"scores": [{"signature": "x"}]}', "'x' is no signature"),
        (b'{"scores": [{"signature": 3}]}', "holds no scores with signatures"),
        (
            b'{"scores": [{"signature": "ld|aggregate:corpus|source:9c912f65|gecval:0.1.0", "system": "a", '
            b'"metric": "ld", "score": 1%s}]}' % (b"0" * 400),
            "holds no scores with signatures",
        ),
        (b"[" * 100_000, "holds no scores with signatures"),
    ],
)
def test_files_that_are_no_results(tmp_path: Path, content: bytes, says: str) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(content)
    with pytest.raises(InputError, match=says) as error:
        explain_difference(file, signed("gleu"))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("field", ["system", "metric", "score"])
def test_rows_of_a_file_are_checked(tmp_path: Path, field: str) -> None:
    content = json.loads(score(TWO, OUTPUTS, ["gleu"]).to_json())
    (tmp_path / "good.json").write_text(json.dumps(content))
    assert len(explain_difference(tmp_path / "good.json", tmp_path / "good.json").pairs) == 2
    content["scores"][1][field] = True
    (tmp_path / "bad.json").write_text(json.dumps(content))
    with pytest.raises(InputError, match="holds no scores with signatures"):
        explain_difference(tmp_path / "bad.json", signed("gleu"))


def test_files_at_hand(tmp_path: Path) -> None:
    for name, lines in (("s", SOURCES), ("r0", ONE.reference_texts), ("r1", OUTPUTS["good"])):
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    files = [tmp_path / "r0.txt", tmp_path / "r1.txt"]
    made = list_corpora(tmp_path / "s.txt", files)
    assert list(made) == ["r0.txt + r1.txt", "r0.txt", "r1.txt"]
    assert made["r0.txt"]().reference_hash == ONE.reference_hash
    assert list(list_corpora(tmp_path / "s.txt", [])) == ["s.txt"]
    with pytest.raises(InputError, match="up to 6 files"):
        list_corpora(None, [tmp_path / str(i) for i in range(7)])
    with pytest.raises(InputError, match="given twice"):
        list_corpora(None, [files[0], files[0]])
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "r0.txt").write_text("x\n" * 4)
    assert len(list_corpora(tmp_path / "s.txt", [files[0], tmp_path / "deep" / "r0.txt"])) == 3


def test_names_of_what_is_at_hand(tmp_path: Path) -> None:
    text, gold, deep = tmp_path / "r0.txt", tmp_path / "gold.m2", tmp_path / "deep" / "r0.txt"
    deep.parent.mkdir()
    for path in (text, deep):
        path.write_text("He goes .\nFine .\n")
    edit = "A 1 2|||R|||goes|||REQUIRED|||-NONE-|||"
    gold.write_text(f"S He go .\n{edit}0\n{edit}1\n\nS We go .\n{edit}0\n")
    made = list_corpora(None, [text, gold])
    meant = ["", *(f" (missing annotators: {how})" for how in ("unchanged", "agreed", "inferred"))]
    assert list(made) == [*(f"r0.txt + gold.m2{how}" for how in meant), "r0.txt", *(f"gold.m2{how}" for how in meant)]
    assert [made[f"gold.m2{how}"]().reference_count for how in meant] == ["1-2", "2", "2", "2"]
    assert list(list_corpora(None, [text, deep])) == [f"{text} + {deep}", str(text), str(deep)]
    assert len(list_corpora(None, [tmp_path / str(i) for i in range(6)])) == 2**6 - 1
    with pytest.raises(InputError, match=r"none\.txt: no such file"):
        load_first_corpus(list_corpora(text, [tmp_path / "none.txt"]))


def test_large_files_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(500_000_001)  # it takes no place on the disk
    with pytest.raises(InputError, match=r"large.json has more than 500,000,000 bytes; give a file that"):
        explain_difference(large, signed("gleu"))
    large.write_text("{}")
    monkeypatch.setattr("gecval.studies.explain_difference.settings.MAX_BYTES", 2)
    with pytest.raises(InputError, match="holds no scores with signatures"):
        explain_difference(large, signed("gleu"))


def test_scores_that_differ_by_rounding_are_the_same() -> None:
    outputs = {"mine": ["x"] * 4}
    [a] = score(TWO, outputs, ["accuracy"])
    for stated, noted in ((1e-9, 0), (1.5e-9, 1), (-1.5e-9, 1)):
        result = explain_difference(replace(a, score=stated), a, corpora=TWO, systems=outputs)
        assert len([note for note in result.notes if note.startswith("A states")]) == noted
    step = Step(system="mine", metric="gleu", step=1, setting="n", score=0.5, change=0.0, alone=0.0)
    for change, interacts in ((1e-9, False), (1.5e-9, True), (-1.5e-9, True)):
        assert have_interactions([step, replace(step, change=change)]) is interacts
    assert not have_interactions([replace(step, change=None), replace(step, alone=None)])


# gecval explain difference, as typed.


SCORE = "score good.txt wild.txt -s src.txt"


@pytest.fixture
def results(gecval, folder: Path) -> Path:
    for file, line in (
        ("a.json", f"{SCORE} -r ref0.txt -r ref1.txt -m gleu"),
        ("b.json", f"{SCORE} -r ref1.txt -m 'gleu(n=3)' --aggregate mean --ci"),
        ("m2.json", "score good.txt -r gold.m2 -m m2"),
        ("agreed.json", "score good.txt -r gold.m2 -m 'm2(beta=1.0)' --missing-annotator agreed"),
    ):
        assert gecval(f"{line} --format json -o {file}").status == 0
    return folder


def test_what_differs_and_the_steps(gecval, results: Path) -> None:
    result = json.loads(gecval("explain difference a.json b.json --format json").out)
    assert {row["field"]: row["changes"] for row in result["fields"]} == {
        "n": True,
        "aggregate": True,
        "refs": True,
        "references": True,
        "interval": False,
    }
    assert (result["steps"], result["complete"]) == ([], None)
    line = "explain difference a.json b.json good.txt wild.txt -s src.txt -r ref0.txt -r ref1.txt --format json"
    result = json.loads(gecval(line).out)
    stated = {pair["system"]: (pair["a"], pair["b"]) for pair in result["pairs"]}
    for system in ("good", "wild"):
        steps = [step for step in result["steps"] if step["system"] == system]
        assert [step["setting"] for step in steps] == ["all as in A", "references", "n", "aggregate"]
        assert (steps[1]["a"], steps[1]["b"]) == ("ref0.txt + ref1.txt", "ref1.txt")
        assert (steps[0]["score"], steps[-1]["score"]) == stated[system]
    assert result["complete"] is True
    assert result["notes"] == []


def test_the_meaning_of_a_missing_line_is_found(gecval, results: Path) -> None:
    result = json.loads(gecval("explain difference m2.json agreed.json good.txt -r gold.m2 --format json").out)
    assert [(step["setting"], step["b"]) for step in result["steps"]] == [
        ("all as in A", None),
        ("references", "gold.m2 (missing annotators: agreed)"),
        ("beta", "1.0"),
    ]
    assert result["complete"] is True


def test_signatures_as_typed(gecval, results: Path) -> None:
    a, b = (json.loads((results / name).read_text())["scores"][0]["signature"] for name in ("a.json", "b.json"))
    shown = gecval("explain difference", a, b, "--format", "tsv")
    assert shown.status == 0
    assert "\ngleu\tn\t4\t3\tcan change it\ta parameter of gleu\n" in shown.out
    assert "\ngleu\tinterval\t\tbca\tcannot\t" in shown.out


def test_refusals(answered, refused, results: Path) -> None:
    assert "nothing.json is neither a signature nor a file" in refused("explain difference nothing.json b.json")
    assert "src.txt holds no scores with signatures" in refused("explain difference src.txt b.json")
    assert "'gleu|n:4' is no signature of a score" in refused("explain difference 'gleu|n:4' b.json")
    assert "is no signature of a score" in refused(f"explain difference a.json '{'gleu|' * 999}'")
    assert "give the data: -r, and -s" in refused("explain difference a.json b.json good.txt")
    assert "--jobs changes nothing without data" in answered("explain difference a.json b.json --jobs 1")
    assert "steps need the data and the outputs" in refused("explain difference a.json b.json -s src.txt -r ref0.txt")
    line = "explain difference a.json b.json good.txt -s copy.txt -r good.txt"
    assert "none of the given data is that of A or B" in refused(line)


def test_a_signature_is_enough(gecval, refused, folder: Path) -> None:
    line = "score good.txt -r gold.m2 -m 'gleu(n=3)' --ci --resamples 50 --format json"
    [row] = json.loads(gecval(line).out)["scores"]
    again = gecval(f"explain '{row['signature']}' good.txt -r gold.m2 --format json")
    assert (again.status, json.loads(again.out)["scores"][0]) == (0, row)
    assert (
        "note: the settings and the data are those of the signature (gold.m2); it does not name the output" in again.err
    )
    other = gecval(f"explain '{row['signature']}' good.txt -r ref0.txt -s src.txt")
    assert other.status == 1
    assert "this is not the score that the signature names: refs is 1-2 there and 1 here" in other.err
    assert "references is " in other.err
    assert refused(f"explain '{row['signature']}' good.txt") == (
        "to compute the score of a signature, give the data (options -r and -s)"
    )
    said = refused(f"explain '{row['signature']}'")
    assert said.startswith("this names gleu|n:3|form:tool|iterations:500 on a source with the hash ")
    assert said.endswith("to compute it, give the output and the data: gecval explain SIGNATURE NUMBER OUT -r GOLD")
    assert "on the CoNLL-2014 test set, by gecval" in refused(
        "explain 'gleu|aggregate:corpus|source:4c12b583|gecval:1'"
    )
    assert "Missing argument 'B|SYSTEM'" in refused("explain difference a.json")
    assert "'gleu|n:3' is no signature of a score" in refused("explain 'gleu|n:3' .5 good.txt -r gold.m2")


def test_a_number_of_another_beta_is_named(gecval, folder: Path) -> None:
    [one] = json.loads(gecval("score wild.txt -r gold.m2 -m 'm2(beta=1)' --format json").out)["scores"]
    [half] = json.loads(gecval("score wild.txt -r gold.m2 -m m2 --format json").out)["scores"]
    assert one["score"] != half["score"]
    said = gecval(f"explain '{half['signature']}' {one['score']:.4f} wild.txt -r gold.m2")
    assert said.status == 1
    claimed = f"{one['score']:.4f}"
    assert said.out.startswith(
        f"not equal: {claimed} is claimed, and wild gives {half['score']:.4f}; with m2(beta=1.0) "
    )
    assert f"it gives {claimed}, the claimed number" in said.out
    printed = json.loads(
        gecval(f"explain '{half['signature']}' {half['score']:.4f} wild.txt -r gold.m2 --format json").out
    )
    assert printed["notes"][0].startswith("equal: ")


def test_a_claimed_number_is_compared_with_the_score(gecval, refused, folder: Path) -> None:
    """However a paper prints it: rounded, in percent, before or after the signature, escaped, broken over lines."""
    [row] = json.loads(gecval("score good.txt -r gold.m2 -m 'gleu(n=3)' --format json").out)["scores"]
    signature, score = row["signature"], row["score"]
    wrong = f"{score - 0.01:.3f}".lstrip("0")
    escaped = signature.replace("|", r"\|").replace("_", r"\_")
    (folder / "broken.txt").write_text("\n".join(re.findall(".{1,40}", signature)))
    (folder / "paper.tex").write_text(f"\\bottomrule\n% {signature}\n")
    (folder / "both.txt").write_text(f"{signature}\n{signature.replace('n:3', 'n:4')}\n")
    for claim in (
        f"'{signature}' {score:.4f}",
        f"'{signature} = {100 * score:.1f}'",
        f"'{100 * score:.2f}% {escaped}'",
        f"broken.txt {score:.2f}",
        f"paper.tex {score:.6f}",
    ):
        said = gecval(f"explain {claim} good.txt -r gold.m2")
        assert (said.status, said.out.startswith("equal: ")) == (0, True), (claim, said.out)
    said = gecval(f"explain '{signature}' good.txt -r gold.m2 {wrong}")
    assert said.out.startswith(
        f"not equal: {wrong} is claimed, and good gives {score:.4f}: another output, or a mistake"
    )
    assert said.status == 1
    said = gecval(f"explain '{signature}' {wrong} good.txt -s src.txt -r ref0.txt")
    assert said.out.startswith(f"not equal: {wrong} is claimed, and good gives ")
    assert "refs is 1-2 there and 1 here" in said.err
    assert "both.txt holds 2 signatures (gleu, gleu); give one" in refused("explain both.txt good.txt -r gold.m2")


def test_a_public_corpus_is_named_by_its_hash(gecval, folder: Path) -> None:
    [row] = json.loads(gecval("score good.txt -r gold.m2 -m m2 --format json").out)["scores"]
    signature = re.sub("source:[0-9a-f]{8}", "source:4c12b583", row["signature"])
    said = gecval(f"explain '{signature}' good.txt -r gold.m2")
    assert said.status == 1
    assert "source is 4c12b583, the CoNLL-2014 test set there and " in said.err
