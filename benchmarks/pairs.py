"""Pairs from a Parquet file by the command line: time and memory as files grow, and what each metric costs.

``GECVAL_PAIRS=10000000 python -m benchmarks pairs`` adds a larger file.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from functools import partial
from itertools import islice
from pathlib import Path

from benchmarks import conll
from benchmarks.measure import CORES, Section, Target, free_cores, table
from benchmarks.tree import TreeRun, run_tree
from gecval import batch_scorer, load_corpus
from gecval.formats.sentence_pairs import open_pairs
from gecval.studies.validate.measuring import measure_time

SIZES = (100_000, 1_000_000)
ROW_GROUP = 50_000
MOST_MB = 1000
METRICS = ("m2", "gleu", "sari")
# How many pairs tell what a metric costs. Models take longer.
COSTS = {
    **dict.fromkeys(("gleu", "bleu", "sari", "ld", "green", "accuracy", "token-sort"), 20_000),
    **dict.fromkeys(("m2", 'errant(model="plain")', 'cleme2(edits="plain")', "imeasure"), 5_000),
    **dict.fromkeys(("errant", "lt"), 500),
    **dict.fromkeys(("perplexity", "scribendi"), 50),
}
MANY = 100_000_000


def report() -> Section:
    section = Section("Pairs from Parquet")
    sizes = [*SIZES, *(int(size) for size in os.environ.get("GECVAL_PAIRS", "").split(",") if size)]
    with tempfile.TemporaryDirectory() as name:
        folder, runs, controls = Path(name), dict[int, TreeRun](), [free_cores()]
        for size in sizes:
            write_pairs(folder / "pairs.parquet", size)
            runs[size] = score(folder)
            controls.append(free_cores())
        costs = cost_of_metrics(folder / "pairs.parquet")
    rows = [
        [f"{size:,}", f"{run.wall:.0f} s", f"{run.cpu / size * 1e6:.1f} µs", f"{run.peak_mb:.0f} MB"]
        for size, run in runs.items()
    ]
    section.text += [
        "`gecval score pairs.parquet -m m2 -m gleu -m sari --edits plain -o scored.parquet`: CoNLL-2014's sentences, "
        "AMU's output and one reference, each with a number of its own, so no pair is seen twice. CPU and memory are "
        f"those of all processes together. Threads that only hash got {min(controls):.2f} to {max(controls):.2f} of "
        f"{CORES} cores meanwhile.",
        table(["pairs", "time", "CPU per pair", "peak memory"], rows),
        "What each metric costs by itself, in one thread, and what 10⁸ pairs then take.",
        table(["", "CPU per pair", "32 cores", "1,024 cores"], [cost_row(*cost) for cost in costs.items()]),
    ]
    first, last = sizes[0], sizes[-1]
    growth = (runs[last].cpu / last) / (runs[first].cpu / first)
    section.targets += [
        Target(f"{last:,} pairs: memory under 1 GB", f"{runs[last].peak_mb:.0f} MB", runs[last].peak_mb < MOST_MB),
        Target(f"{last:,} pairs: linear", f"{growth:.2f}× the CPU time per pair of {first:,}", growth < 1.25),
    ]
    return section


def cost_row(name: str, seconds: float) -> list[str]:
    """CPU time of a pair, and the time that 10⁸ take on so many cores, if nothing but the cores is short."""
    return [name, f"{seconds * 1e6:,.0f} µs", *(duration(seconds * MANY / cores) for cores in (32, 1024))]


def duration(seconds: float) -> str:
    for size, unit in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s"


def score(folder: Path) -> TreeRun:
    metrics = [word for name in METRICS for word in ("-m", name)]
    command = [sys.executable, "-m", "gecval", "score", str(folder / "pairs.parquet"), *metrics]
    return run_tree([*command, "--edits", "plain", "--quiet", "-o", str(folder / "scored.parquet")])


def write_pairs(path: Path, size: int) -> None:
    """Pairs that all differ, a row group at a time."""
    import pyarrow as arrow
    from pyarrow.parquet import ParquetWriter

    corpus, outputs, rng = load_corpus(None, [conll.GOLD]), conll.amu(), random.Random(1)
    words = [word for source in corpus.sources for word in source.split()]
    references = [corpus.texts_of(i)[0] for i in range(len(corpus))]
    texts = {"source": corpus.sources, "hypothesis": outputs, "reference": references}
    schema = arrow.schema({name: arrow.string() for name in texts})
    with ParquetWriter(path, schema) as writer:
        for first in range(0, size, ROW_GROUP):
            numbers = range(first, min(size, first + ROW_GROUP))
            own = [f"{rng.choice(words)} {number}" for number in numbers]
            columns = {
                name: [f"{listed[i % len(corpus)]} {end}" for i, end in zip(numbers, own, strict=True)]
                for name, listed in texts.items()
            }
            writer.write_table(arrow.table(columns, schema=schema))


def cost_of_metrics(path: Path) -> dict[str, float]:
    """Seconds of CPU for a pair; reading and writing are a line of their own."""
    pairs = open_pairs(path)
    _, batch = next(islice(pairs.batches(pairs.units[0]), 1))
    costs = {}
    for name, count in COSTS.items():
        os.environ["GECVAL_CACHE"] = tempfile.mkdtemp(dir=path.parent)  # nothing is known, from other metrics neither
        scorer = batch_scorer(name, edits="plain" if name in ("m2", "imeasure") else None)
        scorer(batch.slice(0, 5))  # models load
        costs[name] = measure_time(partial(scorer, batch.slice(5, count))).cpu / count  # checkers are other processes
    return costs
