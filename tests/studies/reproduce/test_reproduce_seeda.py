"""SEEDA's tables: gec-metrics' own figures to the last digit, with its false references and with true ones."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gecval.metrics import metric, metric_names
from gecval.runtime.run import Run
from gecval.stats.correlation import coefficients, williams_test
from gecval.studies.reproduce import seeda
from gecval.studies.reproduce.conll14 import SeedaCorpus
from gecval.studies.reproduce.seeda import (
    GEC_METRICS,
    ONE_PASS,
    against_the_best,
    library_accuracy,
    library_skills,
)
from gecval.studies.validate.people import ALL, list_default_metrics

SETS = {"base": "base", "with fluent": "+fluency"}
KINDS = {"S": "sent", "E": "edit"}
# Metrics that a table over all metrics leaves out unless they are named.
NOT_BY_NAME = {
    "lfm": "it needs a model that `gecval lfm train` makes",
    "some": "it needs the folder of its models",
    "impara": "it needs its model, from the model hub",
    "reward": "it needs a model",
    "llm-judge": "it needs the address of a server",
    "from-file": "it needs files of scores",
    "grammaticality": "its default is lt",
    "interpolated": "it mixes two other metrics",
}


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
    assert seeda._rename_runs(runs, "scribendi") == {("scribendi", "true"): 1, ("scribendi", "false"): 2}


def test_no_metric_is_forgotten() -> None:
    by_name = {spelling.partition("(")[0] for spelling in ALL}
    assert not by_name & set(NOT_BY_NAME)
    ours = [name for name in metric_names() if ":" not in name]
    assert set(ours) <= by_name | set(NOT_BY_NAME)
    listed = list_default_metrics()
    assert len({repr(wanted) for wanted in listed}) == len(listed) > 20
