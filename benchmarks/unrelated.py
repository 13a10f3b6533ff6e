"""M² between unrelated sentences, where the original takes minutes or never ends."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchmarks import conll
from benchmarks.measure import Section, Target, fastest, run, seconds, table
from gecval.corpus import Corpus
from gecval.metrics.m2 import M2

LINES = (*range(38, 44), *range(165, 168))  # of NTHU: they stand next to another sentence's source


def report() -> Section:
    section = Section("M² between unrelated sentences")
    shifted_lines(section)
    long_sentences(section)
    return section


def shifted_lines(section: Section) -> None:
    corpus = conll.with_edits()
    nthu = next(system for system in conll.systems(corpus) if system.name == "NTHU")
    lines = [number - 1 for number in LINES]
    few = Corpus([corpus.sources[i] for i in lines], [corpus.references[i] for i in lines])
    system = few.system("NTHU", [nthu.hypotheses[i] for i in lines])
    time = fastest(lambda: M2().statistics(few, system))
    section.text.append(
        f"NTHU's lines 38-43 and 165-167, unrelated to their sources: {seconds(time)} on one thread "
        "(the original takes over 240 s, most of it for three of them)."
    )
    section.targets.append(Target("NTHU's unrelated sentences under 0.5 s", seconds(time), time < 0.5))


def long_sentences(section: Section) -> None:
    rows = []
    worst = [0.0, 0.0]
    for golds in (0, 100):
        done = run([sys.executable, str(Path(__file__).with_name("long_pair.py")), str(golds)])
        time, counts = json.loads(done.output)
        rows.append([f"{golds} gold edits", seconds(time), f"{done.peak_mb:.0f} MB", counts])
        worst = [max(worst[0], time), max(worst[1], done.peak_mb)]
    section.text += [
        "Two unrelated sentences of 500 tokens, in a process of its own (memory includes Python and numpy):",
        table(["", "time", "peak memory", "correct, proposed, gold"], rows),
    ]
    section.targets.append(
        Target("500 unrelated tokens: seconds, bounded memory", f"{seconds(worst[0])}, {worst[1]:.0f} MB", worst[0] < 5)
    )
