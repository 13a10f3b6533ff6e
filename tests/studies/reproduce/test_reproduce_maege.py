"""The tables of `reproduce maege` from a study of the sample corpus: available figures are filled in, others not."""

from typing import Any

import pytest

from gecval import metric
from gecval.runtime.run import HERE
from gecval.sample import load_sample
from gecval.studies.maege.lattices import MaegeSettings
from gecval.studies.maege.study import maege
from gecval.studies.reproduce import maege as tables


def test_rows_of_metrics_available() -> None:
    corpus, _ = load_sample()
    study = maege(corpus, corpus, [metric("gleu"), metric("bleu")], replicates=2, by_type=True)
    levels = tables._levels("Table 2", study, tables.TABLE_2)
    assert set(levels.rows) == set(tables.METRICS)
    gleu = levels.rows["GLEU"]["corpus ρ"]
    assert gleu.published == 0.736
    assert gleu.ours is not None
    assert gleu.interval is not None
    assert levels.rows["LT"]["sentence τ"].published == 0.222
    assert levels.rows["LT"]["sentence τ"].ours is None
    assert levels.rows["I-measure"]["corpus ρ"].published is None
    types = tables._types(study)
    assert types.rows["SVA"]["SARI"].published == 0.015
    assert types.rows["SVA"]["LT"].published == -0.001
    spelling = [row for row in study.types if (row.type, row.metric) == ("R:SPELL", "gleu")]
    assert len(spelling) == 1
    assert all(len(row) == len(tables.TABLE_3_METRICS) for row in tables.TABLE_3.values())


@pytest.mark.parametrize("lt", [True, False])
def test_what_the_study_is_given(monkeypatch: pytest.MonkeyPatch, lt: bool) -> None:
    """Lattices by both official annotators, references by eight of Bryant & Ng's; LT only where it is installed."""
    loaded = {
        (None, "conll14/official-2014.combined.m2"): "gold",
        ("gold", *(f"references/BN{i}" for i in (1, 2, 4, 5, 6, 8, 9, 10))): "references",
    }
    given: list[Any] = []
    monkeypatch.setattr(tables, "dataset_file", lambda dataset, file: f"{dataset}/{file}")
    monkeypatch.setattr(tables, "load_corpus", lambda source, paths: loaded[(source, *paths)])
    monkeypatch.setattr(tables, "find_spec", lambda name: (name == "lt_py" and lt) or None)
    monkeypatch.setattr(tables, "maege", lambda *corpora, **options: given.append((corpora, options)) or "study")
    monkeypatch.setattr(tables, "_levels", lambda title, study, published: (title, study, published))
    monkeypatch.setattr(tables, "_types", lambda study: ("Table 3", study))
    monkeypatch.setattr(tables, "_findings", lambda study: ("Findings", study))
    monkeypatch.setattr(tables, "make_reference_tables", lambda run: ["Figure 1", "§4"])
    assert [table for part in tables.parts().values() for table in part(HERE)] == [
        ("Table 2: random source, preset paper", "study", tables.TABLE_2),
        ("Table 3", "study"),
        ("Findings", "study"),
        ("Table 2: random source, preset code", "study", tables.TABLE_2),
        ("Table 4: original as source, preset paper", "study", tables.TABLE_4),
        "Figure 1",
        "§4",
    ]
    settings = (("paper", "random"), ("code", "random"), ("paper", "original"))
    for (corpora, options), (preset, source) in zip(given, settings, strict=True):
        gold, references, metrics = corpora
        assert (gold, references) == ("gold", "references")
        assert [item.name for item in metrics] == [
            "ibleu", "m2", "bleu", "min-ld", "gleu", "max-sari", "sari", "ld", "imeasure", *(["lt"] if lt else []),
        ]  # fmt: skip
        assert options["settings"] == MaegeSettings.preset(preset, source=source)
        assert (options["replicates"], options["by_type"], options["edits"]) == (4, True, "errant")


def test_every_figure_of_a_metric_available() -> None:
    corpus, _ = load_sample()
    study = maege(corpus, corpus, [metric("gleu")], replicates=2, by_type=True)
    row = tables._levels("Table 2", study, tables.TABLE_2).rows["GLEU"]
    [summary] = study
    for column, ours, published in (
        ("corpus ρ", summary.corpus_spearman, 0.736),
        ("sentence r", summary.sentence_pearson, 0.189),
        ("sentence τ", summary.sentence_tau, -0.028),
    ):
        assert (row[column].ours, row[column].interval, row[column].published) == (ours.mean, ours.interval, published)
