"""Files of pairs: every kind into every kind, kills in the middle, and files that do not fit."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gecval import InputError, batch_scorer, score_pairs
from gecval.formats.sentence_pairs import engines as units
from gecval.formats.sentence_pairs import open_pairs, text_files
from gecval.formats.sentence_pairs import parquet as parquet_files
from gecval.metrics.distance import LD
from gecval.runtime.run import Run
from gecval.sample import load_sample
from gecval.studies.pairs.scorer import TextColumns
from gecval.studies.pairs.study import Task, _first_rows

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
CORPUS, SYSTEMS = load_sample()
ROWS = [
    {
        "id": 100 * number + i,
        "source": CORPUS.sources[i],
        "hypothesis": system.hypotheses[i],
        "reference": CORPUS.texts_of(i)[0],
    }
    for number, system in enumerate(SYSTEMS)
    for i in range(24)
]
COLUMNS = {name: [row[name] for row in ROWS] for name in ROWS[0]}
METRICS = ("gleu", "m2")
SCORED = batch_scorer(*METRICS, edits="plain", statistics=True)(COLUMNS)
PER_UNIT = 20


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The rows in each kind of file, of five units; batches are smaller than units."""
    monkeypatch.setattr(text_files, "ROWS", PER_UNIT)
    monkeypatch.setattr(parquet_files, "ROWS", 7)
    monkeypatch.chdir(tmp_path)
    parquet.write_table(arrow.table(COLUMNS), "pairs.parquet", row_group_size=PER_UNIT)
    Path("pairs.jsonl").write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in ROWS))
    lines = ["\t".join(COLUMNS), *("\t".join(map(str, row.values())) for row in ROWS)]
    Path("pairs.tsv").write_text("".join(f"{line}\n" for line in lines))
    return tmp_path


def rows_of(path: str) -> dict[str, list]:
    if path.endswith(".parquet"):
        return parquet.read_table(path).to_pydict()
    lines = Path(path).read_text().splitlines()
    if path.endswith(".jsonl"):
        rows = [json.loads(line) for line in lines]
        return {name: [row[name] for row in rows] for name in rows[0]}
    head, *cells = (line.split("\t") for line in lines)
    texts = ("source", "hypothesis", "reference")
    return {n: [row[i] if n in texts else float(row[i]) for row in cells] for i, n in enumerate(head)}


@pytest.mark.parametrize("output", ["scored.parquet", "scored.jsonl", "scored.tsv"])
@pytest.mark.parametrize("kind", ["parquet", "jsonl", "tsv"])
def test_every_kind_into_every_kind(folder: Path, kind: str, output: str) -> None:
    assert len(ROWS) == 96
    pairs = open_pairs(Path(f"pairs.{kind}"))
    assert [(unit.first, unit.rows) for unit in pairs.units] == [(0, 20), (20, 20), (40, 20), (60, 20), (80, 16)]
    result = score_pairs(f"pairs.{kind}", METRICS, output, edits="plain", statistics=True, run=Run(jobs=1))
    expected = {**SCORED, "id": [str(number) for number in SCORED["id"]]} if kind == "tsv" else SCORED
    if output.endswith(".tsv"):
        expected = {**expected, "id": list(map(float, SCORED["id"]))}
    assert rows_of(output) == expected
    assert (result.rows, result.kept, result.bad, result.where, result.output) == (96, 96, 0, None, output)
    assert [(mean.metric, mean.rows) for mean in result.means] == [("gleu", 96), ("m2", 96)]
    assert result.means[1].mean == pytest.approx(sum(SCORED["m2"]) / 96, abs=1e-12)
    assert not list(folder.glob("*parts*"))


def test_processes_give_the_same_bytes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_files, "ROWS", units.ROWS)  # as other processes have it
    for jobs, output in ((1, "one.parquet"), (2, "two.parquet")):
        score_pairs("pairs.parquet", METRICS, output, edits="plain", run=Run(jobs=jobs))
    assert Path("one.parquet").read_bytes() == Path("two.parquet").read_bytes()


def test_a_condition(folder: Path) -> None:
    where = "gleu > 0.4 and m2.fp < 1"
    result = score_pairs("pairs.jsonl", ["ld"], "kept.jsonl", where=where, edits="plain", run=Run(jobs=1))
    chosen = [i for i in range(96) if SCORED["gleu"][i] > 0.4 and SCORED["m2.fp"][i] < 1]
    assert 0 < len(chosen) < 96
    assert rows_of("kept.jsonl")["id"] == [SCORED["id"][i] for i in chosen]
    assert rows_of("kept.jsonl")["m2.fp"] == [SCORED["m2.fp"][i] for i in chosen]
    assert (result.rows, result.kept, result.where) == (96, len(chosen), where)
    assert [mean.metric for mean in result.means] == ["ld", "gleu", "m2"]
    again = score_pairs(
        "kept.jsonl", [], "fewer.parquet", where="gleu > 0.9 or id < 0", run=Run(jobs=1)
    )  # nothing is computed
    assert again.means == ()
    assert rows_of("fewer.parquet")["id"] == [SCORED["id"][i] for i in chosen if SCORED["gleu"][i] > 0.9]
    score_pairs("pairs.tsv", [], "none.tsv", where="ld > 2", run=Run(jobs=1))
    assert Path("none.tsv").read_text() == "id\tsource\thypothesis\treference\tld\n"
    score_pairs("pairs.parquet", ["gleu"], "n3.jsonl", where="`gleu(n=3)` >= gleu", run=Run(jobs=1))
    assert {"gleu", "gleu(n=3)"} <= set(rows_of("n3.jsonl"))
    score_pairs("pairs.tsv", [], "beta.tsv", where="`m2(beta=1.0).fp` < 1 and m2 > 0", edits="plain", run=Run(jobs=1))
    assert rows_of("beta.tsv")["id"] == [
        SCORED["id"][i] for i in range(96) if SCORED["m2.fp"][i] < 1 and SCORED["m2"][i]
    ]


@pytest.mark.usefixtures("folder")
def test_scores_in_tsv_are_numbers() -> None:
    score_pairs("pairs.tsv", ["gleu", "m2"], "scored.tsv", edits="plain", run=Run(jobs=1))
    again = score_pairs("scored.tsv", [], "kept.tsv", where="gleu > 0.4 and gleu > m2", run=Run(jobs=1))
    chosen = [i for i in range(96) if SCORED["gleu"][i] > 0.4 and SCORED["gleu"][i] > SCORED["m2"][i]]
    assert 0 < len(chosen) < 96
    assert again.means == ()  # nothing is computed
    assert rows_of("kept.tsv")["id"] == [SCORED["id"][i] for i in chosen]
    with pytest.raises(InputError, match=r"^scored.tsv: row 1: '.*' in the column 'source' is no number; put"):
        score_pairs("scored.tsv", [], "none.tsv", where="source > 0.4", run=Run(jobs=1))


class Asked(LD):
    """Asks a model before it scores."""

    name = "asked"

    def prepare(self, *_: object, **__: object) -> None:
        """Models stay in one process."""


@pytest.mark.parametrize(
    ("metrics", "jobs", "processes"),
    [(["ld"], 2, [2]), (["ld"], 9, [5]), (["ld"], 1, []), ([Asked()], 2, []), (["ld", Asked()], 2, [])],
)
def test_how_many_processes(folder: Path, monkeypatch, metrics: list, jobs: int, processes: list[int]) -> None:
    """As many as are asked for, but not more than units; one where a model is asked."""
    started: list[int] = []

    def here(task: Task, units: list, *, jobs: int) -> Iterator[object]:
        started.append(jobs)
        return map(task, units)

    monkeypatch.setattr("gecval.studies.pairs.study.in_processes", here)
    assert score_pairs("pairs.jsonl", metrics, "out.jsonl", run=Run(jobs=jobs)).rows == 96
    assert started == processes


def test_columns_are_those_that_were_asked_for(folder: Path) -> None:
    given = ["id", "source", "hypothesis", "reference"]
    for where, added in (("m2 >= 0", ["m2"]), ("m2.fp >= 0 and m2 >= 0", ["m2", "m2.precision"]), ("id != 'x'", [])):
        score_pairs("pairs.tsv", [], "out.tsv", where=where, edits="plain", run=Run(jobs=1))
        header = Path("out.tsv").read_text().partition("\n")[0].split("\t")
        assert header[: len(given) + len(added)] == [*given, *added]
        assert len(header) == len(given) + (0 if not added else 9 if ".fp" in where else 1)


def test_a_column_of_notes_of_ones_own(folder: Path) -> None:
    Path("noted.tsv").write_text("source\thypothesis\tnote\na\tb\tmine\n")
    result = score_pairs("noted.tsv", ["ld"], "out.tsv", run=Run(jobs=1))
    assert (result.rows, result.bad, result.notes) == (1, 0, ())
    with pytest.raises(InputError, match=r"^noted.tsv: there is a column 'note' already; rename it$"):
        score_pairs("noted.tsv", ["ld"], "other.tsv", bad_rows="note", run=Run(jobs=1))
    kept = score_pairs("noted.tsv", [], "kept.tsv", where="note == 'mine'", bad_rows="note", run=Run(jobs=1))
    assert (kept.kept, kept.bad) == (1, 0)


def test_another_language_is_refused_before_the_first_unit(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LD, "language", "en")
    monkeypatch.setattr(Task, "__call__", lambda *_: pytest.fail("scored"))
    with pytest.raises(InputError, match=r"^pairs.tsv: ld judges English only, and the source is Ukrainian"):
        score_pairs("pairs.tsv", ["ld"], "out.tsv", language="uk", run=Run(jobs=1))
    assert not list(folder.glob("out*"))


@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
def test_a_kill_in_the_middle(folder: Path, kind: str) -> None:
    """kill -9 when some units are done: the same command goes on, does no unit again, and gives the same bytes."""
    score_pairs(f"pairs.{kind}", METRICS, f"whole.{kind}", edits="plain", run=Run(jobs=1))
    slow = (
        "import time, sys\n"
        "import gecval\n"
        "from gecval.studies.pairs import study as files\n"
        "from gecval.formats.sentence_pairs import parquet, text_files as texts\n"
        f"texts.ROWS, parquet.ROWS = {PER_UNIT}, 7\n"
        "finish = files.Task.__call__\n"
        "def slowly(self, unit):\n"
        "    if unit.number == 2: print('ready', flush=True); time.sleep(60)\n"
        "    return finish(self, unit)\n"
        "files.Task.__call__ = slowly\n"
        f"files.score_pairs('pairs.{kind}', {METRICS!r}, 'scored.{kind}', edits='plain', run=gecval.Run(jobs=1))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", slow], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    parts = folder / f"scored.{kind}.parts"
    done = sorted(path.name for path in parts.glob("0*.json"))
    assert done == ["00000.json", "00001.json"]
    assert not Path(f"scored.{kind}").exists()
    (parts / f"00002.{kind}").write_text("half of a part, without its counts")
    before = {name: (parts / name).stat().st_mtime_ns for name in done}
    with pytest.raises(InputError, match="was begun with another file or other options"):
        score_pairs(f"pairs.{kind}", ["gleu"], f"scored.{kind}", run=Run(jobs=1))
    counted: list[tuple[int, int]] = []

    def progress(rows: int, total: int) -> None:
        if not counted:
            assert {name: (parts / name).stat().st_mtime_ns for name in done} == before
        counted.append((rows, total))

    result = score_pairs(f"pairs.{kind}", METRICS, f"scored.{kind}", edits="plain", run=Run(jobs=1, progress=progress))
    assert counted == [(40, 96), (60, 96), (80, 96), (96, 96)]
    assert result.rows == 96
    assert Path(f"scored.{kind}").read_bytes() == Path(f"whole.{kind}").read_bytes()
    assert not parts.exists()


def test_an_error_leaves_what_was_done(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call = Task.__call__

    def failing(self, unit):
        if unit.number == 3:
            raise InputError("the server is gone")
        return call(self, unit)

    monkeypatch.setattr(Task, "__call__", failing)
    with pytest.raises(InputError, match="the server is gone"):
        score_pairs("pairs.tsv", ["ld"], "scored.tsv", run=Run(jobs=1))
    assert len(list((folder / "scored.tsv.parts").glob("0*.json"))) == 3
    monkeypatch.undo()
    monkeypatch.setattr(text_files, "ROWS", PER_UNIT)
    monkeypatch.chdir(folder)
    (folder / "scored.tsv.parts" / "00001.json").write_text("{")
    with pytest.raises(InputError, match=r"00001.json is damaged: delete the folder"):
        score_pairs("pairs.tsv", ["ld"], "scored.tsv", run=Run(jobs=1))


def test_folders_are_made_and_parts_without_a_plan_are_nobodys(folder: Path) -> None:
    parts = folder / "new" / "deep" / "out.tsv.parts"
    assert score_pairs("pairs.tsv", ["ld"], "new/deep/out.tsv", run=Run(jobs=1)).rows == 96
    parts.mkdir()
    (parts / "00000.json").write_text('{"rows": 7, "kept": 7, "bad": 0, "sums": {}, "scored": {}}')
    assert score_pairs("pairs.tsv", ["ld"], "new/deep/out.tsv", run=Run(jobs=1)).rows == 96
    assert not parts.exists()


def test_two_runs_at_once(folder: Path) -> None:
    def progress(rows: int, total: int) -> None:
        with pytest.raises(InputError, match=r"another run is at work in .*scored\.tsv\.parts"):
            score_pairs("pairs.tsv", ["ld"], folder / "scored.tsv", run=Run(jobs=1))

    assert score_pairs("pairs.tsv", ["ld"], folder / "scored.tsv", run=Run(jobs=1, progress=progress)).rows == 96


def test_rows_without_texts(folder: Path) -> None:
    table = arrow.table({**COLUMNS, "source": [*COLUMNS["source"][:50], None, *COLUMNS["source"][51:]]})
    parquet.write_table(table, "bad.parquet", row_group_size=PER_UNIT)
    with pytest.raises(InputError, match=r"^bad.parquet: row 51: the source is missing$"):
        score_pairs("bad.parquet", ["ld"], "out.parquet", run=Run(jobs=1))
    assert not list(folder.glob("out*"))  # two units were done, but no run could go on with them
    result = score_pairs("bad.parquet", ["ld"], "noted.parquet", bad_rows="note", run=Run(jobs=1))
    assert (result.rows, result.bad, result.means[0].rows) == (96, 1, 95)
    assert result.notes == ("1 rows have no scores; the column note says why",)
    noted = rows_of("noted.parquet")
    assert (noted["ld"][50], noted["note"][50], noted["note"][49]) == (None, "the source is missing", None)


@pytest.mark.parametrize(
    ("content", "name", "why"),
    [
        ("", "a.jsonl", "a.jsonl has no rows"),
        ("source\thypothesis\n", "a.tsv", "a.tsv has no rows"),
        ('{"source": "a", "hypothesis": "b"}\n[]\n', "a.jsonl", "a.jsonl: line 2: expected an object"),
        ('{"source": "a", "hypothesis": "b"}\n{\n', "a.jsonl", "a.jsonl: line 2 is not JSON"),
        ('{"source": "a", "source": "b"}\n', "a.jsonl", "a.jsonl: line 1: a key stands twice"),
        ("source\thypothesis\na\tb\nc\n", "a.tsv", "a.tsv: line 3 has 1 columns, the header 2"),
        ("source\ta\nb\tc\n", "a.tsv", "there is no column 'hypothesis'; there are source, a"),
        ("source\tsource\na\tb\n", "a.tsv", "a.tsv: two columns have the same name"),
        ("PAR1", "a.parquet", "a.parquet cannot be read as Parquet"),
        ("x", "a.txt", "a.txt: pairs are in a .parquet, .jsonl or .tsv file"),
        (None, "a.jsonl", "a.jsonl: no such file"),
        (None, "a.parquet", "a.parquet: no such file"),
    ],
)
def test_files_that_do_not_fit(folder: Path, content: str | None, name: str, why: str) -> None:
    if content is not None:
        Path(name).write_text(content)
    with pytest.raises(InputError) as refusal:
        score_pairs(name, ["ld"], "out.jsonl", run=Run(jobs=1))
    assert str(refusal.value).startswith(why) or why in str(refusal.value)
    assert not list(folder.glob("out*"))


def test_what_an_output_cannot_hold(folder: Path) -> None:
    lists = [{**ROWS[0], "references": ["a", "b"]}]
    Path("lists.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in lists))
    with pytest.raises(InputError, match="a column holds lists, which TSV cannot hold"):
        score_pairs("lists.jsonl", ["ld"], "out.tsv", run=Run(jobs=1))
    parquet.write_table(arrow.table({"source": ["a\tb"], "hypothesis": ["a"]}), "tab.parquet")
    with pytest.raises(InputError, match="a text holds a tab or a line break, which TSV cannot hold"):
        score_pairs("tab.parquet", ["ld"], "out.tsv", run=Run(jobs=1))
    other = [{"source": "a", "hypothesis": "a", "x": value} for value in [1] * 20 + ["text"] * 3]
    Path("other.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in other))
    with pytest.raises(InputError, match="the types of a column differ"):
        score_pairs("other.jsonl", ["ld"], "out.parquet", run=Run(jobs=1))
    later = [{"source": "a", "hypothesis": "a", "x": None}] * 20 + [
        {"source": "é", "hypothesis": "b", "x": "y", "z": 1}
    ]
    Path("later.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in later))
    score_pairs(
        "later.jsonl", ["ld"], "later.parquet", run=Run(jobs=1)
    )  # a column that begins later, and nulls before texts
    assert rows_of("later.parquet")["x"][19:] == [None, "y"]
    assert rows_of("later.parquet")["z"][19:] == [None, 1]
    with pytest.raises(InputError, match="rows have different columns"):
        score_pairs("later.jsonl", ["ld"], "later.tsv", run=Run(jobs=1))
    for output, why in (("out.csv", "name the output .parquet"), ("pairs.tsv", "pairs.tsv is the input")):
        with pytest.raises(InputError, match=why):
            score_pairs("pairs.tsv", ["ld"], output, run=Run(jobs=1))


@pytest.mark.parametrize("value", [{}, 2**70, "\ud800"])
def test_values_that_parquet_cannot_hold(folder: Path, value: object) -> None:
    row = json.dumps({"source": "a", "hypothesis": "a", "x": value})
    Path("odd.jsonl").write_text(f"{row}\n")
    with pytest.raises(InputError, match=r"cannot|too large|can't"):
        score_pairs("odd.jsonl", ["ld"], "out.parquet", run=Run(jobs=1))
    assert not list(folder.glob("out*"))
    score_pairs("odd.jsonl", ["ld"], "out.jsonl", run=Run(jobs=1))  # JSON can
    assert json.loads(Path("out.jsonl").read_text())["x"] == value


def test_half_of_a_surrogate_pair(folder: Path) -> None:
    Path("odd.jsonl").write_text('{"source": "\\ud800", "hypothesis": "é"}\n')
    assert score_pairs("odd.jsonl", ["ld"], "out.jsonl", bad_rows="note", run=Run(jobs=1)).bad == 1
    assert json.loads(Path("out.jsonl").read_text())["source"] == "\ud800"
    with pytest.raises(InputError, match="half of a surrogate pair"):
        score_pairs("odd.jsonl", ["ld"], "out.tsv", bad_rows="note", run=Run(jobs=1))


def test_parquet_that_is_damaged_within(folder: Path) -> None:
    content = bytearray(Path("pairs.parquet").read_bytes())
    content[4:400] = bytes(396)
    Path("bad.parquet").write_bytes(content)
    with pytest.raises(InputError, match=r"^bad.parquet cannot be read as Parquet: \w.+$"):
        score_pairs("bad.parquet", ["ld"], "out.jsonl", run=Run(jobs=1))
    latin = arrow.array([b"caf\xe9"]).cast(arrow.string(), safe=False)
    parquet.write_table(arrow.table({"source": latin, "hypothesis": ["a"]}), "latin.parquet")
    with pytest.raises(InputError, match=r"^latin.parquet: the column 'source' holds bytes that are not UTF-8$"):
        score_pairs("latin.parquet", ["ld"], "out.jsonl", run=Run(jobs=1))


def test_names_of_columns_in_refusals(folder: Path) -> None:
    with pytest.raises(InputError, match=r"'gleu\(n=4\)' has the column 'gleu': write so"):
        score_pairs("pairs.jsonl", [], "out.jsonl", where="`gleu(n=4)` > 0.5", run=Run(jobs=1))
    score_pairs("pairs.tsv", ["ld"], "scored.tsv", run=Run(jobs=1))
    with pytest.raises(InputError, match=r"^scored.tsv: there is a column 'ld' already; rename it$"):
        score_pairs("scored.tsv", ["ld"], "out.tsv", run=Run(jobs=1))


def test_the_first_rows_tell_the_language(folder: Path) -> None:
    """A file chooses once what finds edits, for all of its batches."""
    result = score_pairs("pairs.parquet", ["m2"], "out.parquet", language="uk", run=Run(jobs=1))
    assert result.notes == ("edits are found by plain rules, since the text is Ukrainian",)
    assert rows_of("out.parquet")["m2"] == SCORED["m2"]
    both = score_pairs("pairs.tsv", ["gleu", "m2"], "both.tsv", language="uk", run=Run(jobs=1))
    assert (both.notes, [mean.metric for mean in both.means]) == (result.notes, ["gleu", "m2"])
    with pytest.raises(InputError, match="no metrics are given"):
        score_pairs("pairs.tsv", [], "none.tsv", run=Run(jobs=1))


def test_odd_parquet_files(folder: Path) -> None:
    schema = arrow.schema({"source": arrow.string(), "hypothesis": arrow.string()})
    with parquet.ParquetWriter("gaps.parquet", schema) as writer:
        for texts in (["a"], [], ["b", "c"]):
            writer.write_table(arrow.table({"source": texts, "hypothesis": texts}, schema=schema))
    result = score_pairs("gaps.parquet", ["ld"], "out.parquet", run=Run(jobs=1))
    assert (result.rows, [(mean.rows, mean.mean) for mean in result.means]) == (3, [(3, 1.0)])
    assert rows_of("out.parquet")["source"] == ["a", "b", "c"]
    parquet.write_table(arrow.table({"source": [], "hypothesis": []}), "none.parquet")
    with pytest.raises(InputError, match=r"^none.parquet has no rows$"):
        score_pairs("none.parquet", ["ld"], "out.parquet", run=Run(jobs=1))
    twice = arrow.table([["a"], ["b"], ["c"]], names=["source", "hypothesis", "source"])
    with pytest.raises(InputError, match="there are two columns 'source'; rename one"):
        batch_scorer("ld")(twice)


def test_how_many_rows_are_held() -> None:
    assert units.ROWS == 25_000


def test_a_thousand_rows_tell_the_language(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_text("".join(f'{{"source": "{i}", "hypothesis": "a"}}\n' for i in range(1001)))
    assert _first_rows(open_pairs(path), TextColumns()).sources == [str(i) for i in range(1000)]
