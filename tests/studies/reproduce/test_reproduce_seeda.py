"""SEEDA's tables: gec-metrics' own figures to the last digit, with its false references and with true ones."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import numpy as np
import pytest

from gecval.cli.output import FORMATS
from gecval.metrics import metric, metric_names
from gecval.results.schemas import load_schema
from gecval.runtime.run import Run
from gecval.stats.correlation import coefficients, williams_test
from gecval.studies.reproduce import seeda
from gecval.studies.reproduce.charts import paper_charts
from gecval.studies.reproduce.conll14 import SeedaCorpus
from gecval.studies.reproduce.result import Reproduction
from gecval.studies.reproduce.seeda import (
    GEC_METRICS,
    ONE_PASS,
    README_SCORES,
    against_the_best,
    library_accuracy,
    library_skills,
)
from gecval.studies.reproduce.study import reproduce
from gecval.studies.validate.people import ALL, NOT_BY_NAME, list_default_metrics

SETS = {"base": "base", "with fluent": "+fluency"}
KINDS = {"S": "sent", "E": "edit"}


@pytest.fixture(scope="module")
def bench(data: Path) -> SeedaCorpus:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("GECVAL_DATA", str(data))
        return SeedaCorpus.load()


@pytest.fixture(scope="module")
def stored(golden: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((golden / "modern" / "gec-metrics_seeda.json").read_text())
    loaded["results"] = dict(zip(("false", "true"), loaded["results"].values(), strict=True))
    return loaded


def test_false_references(bench: SeedaCorpus, stored: dict[str, Any]) -> None:
    assert bench.sentences.tolist() == stored["inputs"]["judged_indices_0based"]
    texts = {which: [corpus.texts_of(i) for i in range(391)] for which, corpus in bench.texts.items()}
    differ = [i for i in range(391) if texts["true"][i] != texts["false"][i]]
    assert len(differ) == 22
    for i in differ:
        assert texts["false"][i] == [texts["true"][i][0], bench.texts["true"].sources[i]]
        assert texts["true"][i][1] == texts["true"][i][0] != bench.texts["true"].sources[i]


@pytest.mark.parametrize(
    ("spelling", "label", "within"),
    [
        ("green", "GREEN", 1e-9),
        ("errant", "ERRANT", 1e-9),
        ("gleu(form='paper')", "GLEU", 3e-3),  # references of systems are drawn at random
        ("gotoscorer(pool='none', form='gec-metrics')", "GoToScorer (no weights, reference 0)", 1e-9),
    ],
)
def test_gec_metrics(bench: SeedaCorpus, stored: dict[str, Any], spelling: str, label: str, within: float) -> None:
    """Scores, both correlations with both human scores, accuracy and TrueSkill."""
    if spelling in ("errant", "gotoscorer(pool='none', form='gec-metrics')"):
        pytest.importorskip("spacy")
    sentences = np.arange(391)
    for references in ("true", "false"):
        everything = bench.evaluate(metric(spelling), references, run=Run(jobs=2))
        of_systems = dict(zip(everything.systems, everything.scores(sentences), strict=True))
        for setting in bench.settings:
            expected, kind = stored["results"][references][SETS[setting.outputs]][label], KINDS[setting.kind]
            evaluations = everything.only(setting.systems)
            scores = np.array([of_systems[name] for name in setting.systems])
            assert scores == pytest.approx([expected["scores"][name] for name in setting.systems], abs=within)
            for short, people in (("ts", setting.trueskill), ("ew", setting.expected_wins)):
                known = expected["system, default aggregation"][f"{short}_{kind}"]
                assert coefficients(people, scores) == pytest.approx(known["pearson"], abs=within)
                assert coefficients(people, scores, "spearman") == pytest.approx(known["spearman"], abs=1e-9)
            # A sentence's score takes no draws.
            accuracy = library_accuracy(setting.judgments, evaluations)
            assert accuracy == pytest.approx(expected["sentence"][kind]["accuracy"], abs=1e-9)
            if "trueskill scores" in expected:
                # The library computes Φ by a formula that is good to seven digits only.
                skills, known = library_skills(evaluations), expected["trueskill scores"]
                assert skills == pytest.approx([known[name] for name in setting.systems], abs=5e-8)
                rho = expected["system, trueskill aggregation"][f"ts_{kind}"]["spearman"]
                assert coefficients(setting.trueskill, skills, "spearman") == pytest.approx(rho, abs=1e-9)


def test_published_figures_are_those_of_the_false_references(stored: dict[str, Any]) -> None:
    labels = {"green": "GREEN", "errant": "ERRANT", "gleu(form='paper')": "GLEU"}
    seen = 0
    for place, published in GEC_METRICS.items():
        kind, outputs = place.removeprefix("SEEDA-").split(", ")
        for name in set(labels) & set(published):
            known = stored["results"]["false"][SETS[outputs]][labels[name]]
            over_systems = known["system, default aggregation"][f"ts_{KINDS[kind]}"]
            by_contest = known["system, trueskill aggregation"][f"ts_{KINDS[kind]}"]
            figures = {"r": over_systems["pearson"], "ρ": over_systems["spearman"], ONE_PASS: by_contest["spearman"],
                       "accuracy": known["sentence"][KINDS[kind]]["accuracy"]}  # fmt: skip
            for column, value in published[name].items():
                assert figures[column] == pytest.approx(value, abs=6e-4)
                seen += 1
    assert seen == 18


@pytest.fixture(scope="module")
def result(data: Path) -> Reproduction:
    """The tables, with few metrics that are quick."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("GECVAL_DATA", str(data))
        patched.setattr(seeda, "METRICS", ("green",))
        patched.setattr(seeda, "ORDERS", 40)
        patched.setattr(
            seeda, "list_default_metrics", lambda: [metric(name) for name in ("m2", "green", "gleu", "ld", "some")]
        )
        return reproduce("seeda")


def test_tables_as_the_library_has_them(result: Reproduction) -> None:
    in_sentences, *_ = result
    assert in_sentences.title == "SEEDA-S, base: as gec-metrics computes it"
    false, true = (in_sentences.rows[f"green, {which} references"] for which in ("false", "true"))
    assert (false["ρ"].published, true["ρ"].published) == (0.881, None)
    ours = ["green, false references", "green, true references"]
    assert list(in_sentences.rows) == [
        *ours, "errant", "gleu(form='paper')", "PT-ERRANT", "scribendi", "SOME", "IMPARA",
    ]  # fmt: skip
    assert [false[column].ours for column in in_sentences.columns] == pytest.approx(
        [0.925, 0.881, 0.600, 0.846], abs=6e-4
    )
    assert [true[column].ours for column in in_sentences.columns] == pytest.approx(
        [0.919, 0.895, 0.613, 0.888], abs=6e-4
    )
    assert in_sentences.rows["SOME"]["accuracy"].published == 0.778
    assert in_sentences.rows["SOME"]["accuracy"].ours is None


def test_tables_of_all_metrics(result: Reproduction) -> None:
    tables = {table.title: table for table in result}
    assert len(tables) == 13
    edits = tables["SEEDA-E, base: all metrics"]
    assert list(edits.rows)[:7] == ["m2, false references", "m2", "green, false references", "green",
                                    "gleu, false references", "gleu", "ld"]  # fmt: skip
    assert edits.rows["m2"]["r"].published == 0.791
    assert edits.rows["m2"]["r"].ours == pytest.approx(0.767, abs=1e-3)
    assert edits.rows["m2, false references"]["r"].published is None
    assert edits.rows["m2"]["r"].interval == pytest.approx((0.345, 0.932), abs=2e-3)
    assert edits.rows["GPT-4-S"]["accuracy"].published == 0.798
    assert any(note.startswith("some is left out: some needs the folder") for note in edits.notes)
    orders = tables["SEEDA-S: ρ of TrueSkill over sentence scores, and the order of the sentences"].rows["green"]
    assert orders["base, one pass"].ours == pytest.approx(0.888, abs=1e-3)
    low, high = orders["base, 40 orders"].interval or (0, 0)
    assert 0.80 < low < 0.85
    assert 0.87 < high < 0.90


@pytest.mark.parametrize("style", FORMATS)
def test_every_format(result: Reproduction, style: str) -> None:
    assert "GPT-4-S" in result.render(style)


def test_json_follows_the_schema(result: Reproduction) -> None:
    jsonschema.validate(json.loads(result.to_json()), load_schema("reproduction"))


def test_charts(result: Reproduction) -> None:
    pytest.importorskip("altair")
    names = [name for name, _ in paper_charts(result)]
    assert len(set(names)) == len(names) == 13


def test_tests(result: Reproduction) -> None:
    readme, differences, best = result[-3], result[-2], result[-1]
    assert set(readme.rows) == set(README_SCORES)
    assert readme.rows["ERRANT"]["SEEDA-E, with fluent"].ours == pytest.approx(-0.55, abs=0.05)
    row = differences.rows["SEEDA-E, base: m2 − gleu"]
    assert row["difference of r"].published == pytest.approx(0.791 - 0.911)
    edits = next(table for table in result if table.title == "SEEDA-E, base: all metrics").rows
    r = {name: edits[name]["r"].ours or 0 for name in ("m2", "gleu")}
    assert row["difference of r"].ours == pytest.approx(r["m2"] - r["gleu"])
    assert 0 < (row["p"].ours or 0) <= (row["p, Holm"].ours or 0) <= 1
    assert "SEEDA-E, base: gleu − SOME" in differences.rows  # one of ours, one by the README's scores
    larger = sum((cells["p, Holm"].ours or 0) < 0.05 for cells in differences.rows.values())
    assert f"of {len(differences.rows)} published differences, {larger} are larger than chance" in differences.notes[0]
    assert best.rows["ld"]["SEEDA-S, base"].ours == pytest.approx(0, abs=1e-3)
    assert "SEEDA-S, base" not in best.rows["green"]
    assert best.notes[1].startswith("SEEDA-S, base: green is best, r 0.919; not worse beyond chance: ")


def test_a_metric_without_a_correlation_is_not_the_best() -> None:
    people = np.arange(8.0)
    near, far = people + np.array([0, 1, 0, 0, 0, 0, 1, 0]), people[[3, 1, 4, 0, 6, 5, 2, 7]]
    given = {"far": far, "none": np.zeros(8), "near": near}
    setting: Any = SimpleNamespace(name="S", trueskill=people)
    scored: Any = {name: SimpleNamespace(on=lambda _, scores=scores: scores) for name, scores in given.items()}
    table = against_the_best([setting], scored)
    p = williams_test(people, near, far)
    assert p < 0.05
    assert {name: {column: figure.ours for column, figure in row.items()} for name, row in table.rows.items()} == {
        "far": {"S": pytest.approx(p)},
        "none": {},
        "near": {},
    }
    r = np.corrcoef(people, near)[0, 1]
    assert table.notes[1] == f"S: near is best, r {r:.3f}; not worse beyond chance: none"


def test_one_metric_of_many_with_all_its_references() -> None:
    runs: Any = {("scribendi", "true"): 1, ("scribendi", "false"): 2, ("true", "false"): 3}
    assert seeda._named(runs, "scribendi") == {("scribendi", "true"): 1, ("scribendi", "false"): 2}


def test_no_metric_is_forgotten() -> None:
    by_name = {spelling.partition("(")[0] for spelling in ALL}
    assert not by_name & set(NOT_BY_NAME)
    ours = [name for name in metric_names() if ":" not in name]
    assert set(ours) <= by_name | set(NOT_BY_NAME)
    listed = list_default_metrics()
    assert len({repr(wanted) for wanted in listed}) == len(listed) > 20
