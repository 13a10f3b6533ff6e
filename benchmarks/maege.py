"""MAEGE with nine metrics: what 100 replicates cost, in runs of one."""

from __future__ import annotations

import json
import sys

from benchmarks import conll
from benchmarks.measure import Run, Section, Target, run, table

REPLICATES = 100
MOST = 40  # times the CPU time of one replicate
METRICS = (
    "m2(ignore_whitespace_casing=True)", "imeasure", "gleu", "bleu", "ibleu", "sari", "max-sari", "ld", "min-ld"
)  # fmt: skip
REFERENCES = (1, 2, 4, 5, 6, 8, 9, 10)  # annotators of Bryant & Ng who are not CoNLL-2014's own


def report() -> Section:
    section = Section(f"{REPLICATES} replicates of MAEGE")
    once, often = study(1), study(REPLICATES)
    ratio = often.cpu / once.cpu
    section.text += [
        "`gecval maege official-2014.combined.m2 -r BN… -m … --edits plain --by-type`, the whole process: "
        f"lattices of CoNLL-2014, eight references, {', '.join(METRICS)}. A pair of source and correction that an "
        "earlier replicate had is not scored again.",
        table(
            ["replicates", "CPU", "CPU of each", "peak memory"],
            [
                [count, f"{of.cpu:.1f} s", f"{of.cpu / count:.2f} s", f"{of.peak_mb:.0f} MB"]
                for count, of in ((1, once), (REPLICATES, often))
            ],
        ),
    ]
    section.targets.append(
        Target(
            f"MAEGE, nine metrics: {REPLICATES} replicates within {MOST}× the CPU time of one",
            f"{ratio:.0f}×",
            ratio <= MOST,
        )
    )
    return section


def study(replicates: int) -> Run:
    """The study by the command line."""
    folder = conll.GOLD.parent.parent / "references"
    references = [argument for i in REFERENCES for argument in ("-r", str(folder / f"BN{i}"))]
    metrics = [argument for name in METRICS for argument in ("-m", name)]
    options = ["--edits", "plain", "--by-type", "--replicates", str(replicates), "--quiet", "--format", "json"]
    measured = run([sys.executable, "-m", "gecval", "maege", str(conll.GOLD), *references, *metrics, *options])
    if json.loads(measured.output)["replicates"] != replicates:
        raise RuntimeError("another number of replicates")
    return measured
