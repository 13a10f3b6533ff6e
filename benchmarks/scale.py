"""A million sentence pairs under M², GLEU and SARI, by the command line: time, memory, cores."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import cycle, islice, pairwise
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

import gecval
from benchmarks import conll
from benchmarks.measure import CORES, Run, Section, Target, free_cores, run, table
from gecval.corpus.encoding import Encoded
from gecval.formats import load_corpus, load_systems
from gecval.metrics import metric
from gecval.metrics.evaluation import Evaluation

Result = TypeVar("Result")
METRICS = ("m2", "gleu", "sari")
SIZES = (125_000, 250_000, 500_000, 1_000_000)


def report() -> Section:
    section = Section("A million sentence pairs")
    with tempfile.TemporaryDirectory() as folder:
        runs, controls = {}, [free_cores()]
        for size in SIZES:
            runs[size] = score(Path(folder), size)
            controls.append(free_cores())
        write_files(Path(folder), SIZES[0], conll.amu())
        stages = breakdown(Path(folder))
    rows = [
        [
            f"{size:,}",
            f"{one.wall:.1f} s",
            f"{one.wall / size * 1e6:.1f} µs",
            f"{one.cpu / size * 1e6:.1f} µs",
            f"{one.cpu / one.wall:.2f}",
            f"{before:.2f}, {after:.2f}",
            f"{one.peak_mb / 1024:.2f} GB",
        ]
        for (size, one), (before, after) in zip(runs.items(), pairwise(controls), strict=True)
    ]
    section.text += [
        "`gecval score AMU.txt -r gold.m2 -m m2 -m gleu -m sari` from start to end of the process: the CoNLL-2014 "
        "source, AMU's output and both annotators' edits, repeated. So words and corrections recur more than in a "
        "million different sentences, which would take somewhat more memory. The control, before and after, is the "
        "cores that threads got which only hash, one per core: what the machine had to give.",
        table(["pairs", "time", "per pair", "CPU per pair", f"cores busy, of {CORES}", "control", "peak memory"], rows),
        f"Where the time goes, at {SIZES[0]:,} pairs.",
        table(["", "time", "CPU", f"cores busy, of {CORES}"], stages),
    ]
    smallest, largest = runs[SIZES[0]], runs[SIZES[-1]]
    # Other work on the machine stretches the time by the clock, differently in each run; CPU time it hardly touches.
    growth = (largest.cpu / SIZES[-1]) / (smallest.cpu / SIZES[0])
    by_clock = (largest.wall / SIZES[-1]) / (smallest.wall / SIZES[0])
    busy = largest.cpu / largest.wall
    section.targets += [
        Target(
            "A million pairs: linear time",
            f"{growth:.2f}× the CPU time per pair of 125,000 ({by_clock:.2f}× by the clock)",
            growth < 1.25,
        ),
        Target(
            "A million pairs: peak memory under 3 GB", f"{largest.peak_mb / 1024:.2f} GB", largest.peak_mb < 3 * 1024
        ),
        Target(
            "A million pairs: both cores busy",
            f"{busy:.2f} of {CORES} on average; control {controls[-2]:.2f} before, {controls[-1]:.2f} after",
            busy > 0.75 * CORES,
        ),
    ]
    return section


def slopes() -> Section:
    """Cost against size: CoNLL-2014 with AMU's output, again and again; for scribendi the outputs of other systems."""
    section = Section("Cost against size")
    rows = []
    for name, sizes in SLOPES.items():
        with tempfile.TemporaryDirectory() as folder:
            cache = {"GECVAL_CACHE": f"{folder}/cache"}
            if name in ASK_MODELS:  # spaCy's parses are cached, and the language model is read and stored
                score(Path(folder), 1312 if name == "errant" else 1, (name,), environment=cache)
            spent = [score(Path(folder), size, (name,), environment=cache).cpu for size in sizes]
        # To start takes as long at any size: only what a further sentence costs says how the cost grows.
        steps = zip(pairwise(sizes), pairwise(spent), strict=True)
        further = [(cpu - less) / (large - small) for (small, large), (less, cpu) in steps]
        growth = further[-1] / further[-2]
        by_size = dict(zip(sizes, spent, strict=True))
        cells = [f"{by_size[size]:.1f} s" if size in by_size else "" for size in (100, *SLOPES["m2"])]
        rows.append([name, *cells, f"{further[-1] * 1e6:.0f} µs", f"{growth:.2f}×"])
        section.targets.append(Target(f"{name}: no worse than linear", f"{growth:.2f}×", growth < 1.25))
    header = ["CPU", "10²", "10³", "10⁴", "10⁵", "10⁶", "a further sentence", "to one of ten times fewer"]
    section.text.append(table(header, rows))
    return section


SLOPES = dict.fromkeys(("m2", "gleu", "errant"), (1_000, 10_000, 100_000, 1_000_000)) | {
    "scribendi": (100, 1_000, 10_000)
}
ASK_MODELS = ("errant", "scribendi")


def score(
    folder: Path, size: int, metrics: Sequence[str] = METRICS, environment: Mapping[str, str] = MappingProxyType({})
) -> Run:
    """Score so many sentences by the command line."""
    write_files(folder, size, conll.outputs() if "scribendi" in metrics else conll.amu())
    metrics = [argument for name in metrics for argument in ("-m", name)]
    gold, output = str(folder / "gold.m2"), str(folder / "AMU.txt")
    return run([sys.executable, "-m", "gecval", "score", output, "-r", gold, *metrics], environment=environment)


def write_files(folder: Path, size: int, outputs: Sequence[str]) -> None:
    paragraphs = conll.GOLD.read_text(encoding="utf-8").strip("\n").split("\n\n")
    for name, parts, end in (("gold.m2", paragraphs, "\n\n"), ("AMU.txt", outputs, "\n")):
        with (folder / name).open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(part + end for part in islice(cycle(parts), size))


def breakdown(folder: Path) -> list[list[str]]:
    """Time of each stage, and how many cores it kept busy."""
    rows: list[list[str]] = []

    def stage(name: str, work: Callable[[], Result]) -> Result:
        wall, cpu = time.perf_counter(), time.process_time()
        result = work()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        rows.append([name, f"{wall:.2f} s", f"{cpu:.2f} s", f"{cpu / wall:.2f}"])
        return result

    rows.append(["control", "", "", f"{free_cores():.2f}"])
    corpus = stage("reading gold.m2", lambda: load_corpus(None, [folder / "gold.m2"]))
    [system] = stage("reading AMU.txt", lambda: load_systems([folder / "AMU.txt"], corpus))
    encoded = Encoded.of(corpus)
    run = gecval.Run(jobs=CORES)
    stage("source to tokens", partial(encoded.source_tokens, run=run))
    stage("laying out gold edits", lambda: encoded.gold_edits)
    stage("corrected sentences from edits", partial(encoded.reference_tokens, run=run))
    for judge in map(metric, METRICS):
        evaluation = stage(f"{judge!r}: statistics", partial(Evaluation.of, judge, corpus, system, run=run))
        stage(f"{judge!r}: score", evaluation.score)
    stage("hashes for signatures", lambda: corpus.source_hash + corpus.reference_hash)
    rows.append(["control", "", "", f"{free_cores():.2f}"])
    return rows
