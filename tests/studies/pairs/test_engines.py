"""One scorer in the engines that people have: each gives the scores of the plain call, bit for bit."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from shutil import which

import pytest

from gecval import InputError, batch_scorer
from gecval.sample import load_sample

CORPUS, SYSTEMS = load_sample()
ROWS = {
    "source": list(CORPUS.sources),
    "hypothesis": list(SYSTEMS[0].hypotheses),
    "references": [CORPUS.texts_of(i) for i in range(len(CORPUS))],
}
SCORER = batch_scorer("gleu", "m2", "sari", edits="plain", statistics=True, bad_rows="note")
SCORED = SCORER(ROWS)
NEW = [name for name in SCORED if name not in ROWS]


def test_datasets() -> None:
    datasets = pytest.importorskip("datasets")
    made = datasets.Dataset.from_dict(ROWS)
    for given in (made, made.with_format("arrow"), made.with_format("pandas")):
        mapped = given.map(SCORER, batched=True, batch_size=7, load_from_cache_file=False)
        assert mapped.with_format(None).to_dict() == SCORED


def test_dask() -> None:
    pandas, dask = pytest.importorskip("pandas"), pytest.importorskip("dask.dataframe")
    single = {**ROWS, "references": [texts[0] for texts in ROWS["references"]]}
    frame = pandas.DataFrame(single)
    lazy = dask.from_pandas(frame, npartitions=3).map_partitions(SCORER)  # Dask asks a made-up row for the columns
    assert list(lazy.columns) == [*frame.columns, *NEW]
    assert lazy.compute(scheduler="threads")[NEW].equals(SCORER(frame)[NEW])


def test_dask_turns_lists_into_texts() -> None:
    """This would give other scores without a word, so it is refused; Dask can be told to leave them."""
    pandas, dask = pytest.importorskip("pandas"), pytest.importorskip("dask.dataframe")
    lists, config = pandas.DataFrame(ROWS), import_module("dask").config
    with pytest.raises(InputError, match="row 1: the reference is a list that was turned into text"):
        batch_scorer("gleu")(dask.from_pandas(lists, npartitions=1).compute())
    with config.set({"dataframe.convert-string": False}):
        scored = dask.from_pandas(lists, npartitions=2).map_partitions(SCORER, meta=SCORER(lists[:0])).compute()
    assert scored["gleu"].tolist() == SCORED["gleu"]


@pytest.mark.filterwarnings("ignore")
def test_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")
    monkeypatch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    data = pytest.importorskip("ray.data")
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    try:
        made = data.from_items([dict(zip(ROWS, row, strict=True)) for row in zip(*ROWS.values(), strict=True)])
        rows = made.map_batches(SCORER, batch_size=7).take_all()  # dicts of numpy arrays
    finally:
        ray.shutdown()
    by_texts = {(row["source"], row["hypothesis"]): row["gleu"] for row in rows}
    assert [by_texts[pair] for pair in zip(ROWS["source"], ROWS["hypothesis"], strict=True)] == SCORED["gleu"]


@pytest.mark.filterwarnings("ignore")
def test_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    sql = pytest.importorskip("pyspark.sql", reason="needs pyspark and Java")
    if which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("needs pyspark and Java")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
    session = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        frame = session.createDataFrame([*zip(*ROWS.values(), strict=True)], list(ROWS)).repartition(3)
        scored = frame.mapInArrow(SCORER, SCORER.spark_schema(frame.schema)).collect()
    finally:
        session.stop()
    by_texts = {(row["source"], row["hypothesis"]): row for row in scored}
    for i, pair in enumerate(zip(ROWS["source"], ROWS["hypothesis"], strict=True)):
        assert [by_texts[pair][name] for name in NEW] == [SCORED[name][i] for name in NEW]
