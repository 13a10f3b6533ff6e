"""The tables of `reproduce maege` from a study of the sample corpus: what is at hand is filled in, the rest is not."""

from gecval import metric
from gecval.sample import load_sample
from gecval.studies.maege import maege
from gecval.studies.reproduce import maege as tables


def test_rows_of_metrics_at_hand() -> None:
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
