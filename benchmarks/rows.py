"""``python -m benchmarks rows``: what people wait for, each next to what they use today, in one run.

Both sides of a row are programs of their own that start from files. CPU seconds are those of all their processes. A
busy machine stretches them by up to a factor of two, and seconds by the clock by any factor.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import conll, errant, scale
from benchmarks.language_model import new_sentence, perplexities
from benchmarks.measure import CORES, Run, Section, Target, run, table, times
from gecval.errors import InputError, shorten

SYSTEMS = sorted(map(str, (conll.FOLDER / "systems").glob("*")))
GOLD = str(conll.GOLD)
LOOPED = 500  # sentences that the loop over a checker reads: its cost for all is in proportion

TRUESKILL = """
import numpy as np, sys
from pathlib import Path
from gecval.formats.judgments import read_judgments
from gecval.stats.ranking import HeadToHead
from tests.oracles.trueskill import sampled
judgments = read_judgments(Path(sys.argv[1]))
head, rng = HeadToHead.of(judgments.systems, judgments.preferences), np.random.default_rng(1)
sampled(head, rng)
sampled(head, rng, again=head.resample(200, rng))
"""
CHECKED_ONE_BY_ONE = """
import sys
from pathlib import Path
from gecval.corpus.tokenization import detokenize
from gecval.models.checkers import LingoTweaker
checker = LingoTweaker()
texts = [line for path in sys.argv[2:] for line in Path(path).read_text().splitlines()]
for line in texts[:: len(texts) // int(sys.argv[1])]:
    checker.find(detokenize(line.split()).text)
"""


def report() -> Section:
    section = Section("Where people wait")
    rows = []
    for row in (scribendi, likelihood, typed_edits, lattices, rankings, page, million, card, grammar):
        print(f"  {row.__doc__} ...", file=sys.stderr)
        try:
            for work, today, ours, ratio, target in row():
                rows.append([work, today, ours, ratio])
                section.targets.append(target)
        except (RuntimeError, InputError) as error:  # what it needs is not installed: the others are measured
            rows.append([str(row.__doc__), "", f"not measured: {shorten(str(error), 100)}", ""])
    section.text.append(table(["work", "today", "gecval", "ratio"], rows))
    return section


Row = tuple[str, str, str, str, Target]


def scribendi() -> Iterator[Row]:
    """a new sentence"""
    theirs, ours = new_sentence()
    yield compare("`scribendi`, a new sentence", "transformers reads the .gguf", theirs, ours, goal=4)


def likelihood() -> Iterator[Row]:
    """perplexities"""
    theirs, ours, apart = perplexities()
    ratio = theirs / ours
    target = Target(
        "perplexity: 5.5× a plain loop, 1e-4 nats", f"{ratio:.1f}×, {apart:.0e}", ratio >= 5.5 and apart < 1e-4
    )
    yield (
        "`perplexity`, a distinct text of 13 outputs",
        f"transformers' loop: {theirs * 1e3:.0f} ms CPU",
        f"{ours * 1e3:.0f} ms CPU, {apart:.0e} nats apart",
        f"{ratio:.1f}×",
        target,
    )


def typed_edits() -> Iterator[Row]:
    """errant"""
    theirs, cold, warm = errant.measure()
    yield compare("`errant`, 13 outputs, nothing cached", "errant's commands", theirs, cold)
    yield compare("`errant`, 13 outputs, again", "errant's commands", theirs, warm)


def lattices() -> Iterator[Row]:
    """maege"""
    references = [part for i in (1, 2) for part in ("-r", str(conll.DATA / "references" / f"BN{i}"))]
    command = ["maege", GOLD, *references, "-m", "m2", "--quiet", "--edits"]
    with tempfile.TemporaryDirectory() as folder:
        plain, typed = (gecval(*command, edits, GECVAL_CACHE=folder) for edits in ("plain", "errant"))
    yield compare("`maege -m m2`, ERRANT's edits, nothing cached", "plain edits", plain, typed, goal=12)


def rankings() -> Iterator[Row]:
    """human"""
    judgments = str(conll.DATA / "gjg15" / "judgments.xml")
    theirs = run([sys.executable, "-c", TRUESKILL, judgments])
    yield compare("`human` on GJG15", "TrueSkill alone, each step in numpy", theirs, gecval("human", judgments), goal=3)


def page() -> Iterator[Row]:
    """report"""
    metrics = ["-r", GOLD, "-m", "m2,errant,gleu,imeasure,sari", "--quiet"]
    with tempfile.TemporaryDirectory() as folder:
        cache = {"GECVAL_CACHE": folder}
        cold = gecval("report", *SYSTEMS, *metrics, "-o", f"{folder}/report.html", **cache)
        warm = gecval("report", *SYSTEMS, *metrics, "-o", f"{folder}/report.html", **cache)
        scores = gecval("score", *SYSTEMS, *metrics, "--ci", **cache)
    with tempfile.TemporaryDirectory() as folder:
        cold_scores = gecval("score", *SYSTEMS, *metrics, "--ci", GECVAL_CACHE=folder)
    yield compare("`report`, 13 systems × 5 metrics, warm", "`score` with intervals", scores, warm, goal=12)
    goal = round(1.3 * cold_scores.wall, 1)
    yield compare("the same, nothing cached", "`score` with intervals, nothing cached", cold_scores, cold, goal=goal)


def million() -> Iterator[Row]:
    """a million sentences"""
    with tempfile.TemporaryDirectory() as folder:
        done = scale.score(Path(folder), 1_000_000, metrics=("m2",))
    busy, memory = done.cpu / done.wall, done.peak_mb / 1024
    target = Target(
        "10⁶ sentences of M²: ≤ 0.7 GB, ≥ 1.8 cores",
        f"{memory:.2f} GB, {busy:.2f} cores",
        memory <= 0.7 and busy >= 1.8,
    )
    yield "`score -m m2`, 10⁶ sentences", "", f"{show(done)}, {memory:.2f} GB, {busy:.2f} of {CORES} cores", "", target


def card() -> Iterator[Row]:
    """validate"""
    with tempfile.TemporaryDirectory() as folder:
        first, again = (gecval("validate", "-m", "gleu", "--quiet", GECVAL_CACHE=folder) for _ in range(2))
    yield compare("`validate -m gleu`, a card, again", "the first time, when ERRANT's edits are found", first, again)


def grammar() -> Iterator[Row]:
    """lt"""
    one_by_one = run([sys.executable, "-c", CHECKED_ONE_BY_ONE, str(LOOPED), *SYSTEMS])
    sentences = sum(len(Path(path).read_text(encoding="utf-8").splitlines()) for path in SYSTEMS)
    share = sentences / LOOPED
    theirs = Run(one_by_one.wall * share, one_by_one.cpu * share, one_by_one.peak_mb, "")
    with tempfile.TemporaryDirectory() as folder:
        ours = gecval("score", *SYSTEMS, "-r", GOLD, "-m", "lt", "--quiet", GECVAL_CACHE=folder)
    yield compare("`lt`, 13 outputs, nothing cached", f"lingotweaker, {sentences:,} sentences one by one", theirs, ours)


def gecval(*arguments: str, **environment: str) -> Run:
    """A command, measured with all its processes."""
    return run([sys.executable, "-m", "gecval", *arguments], environment=environment)


def compare(work: str, other: str, theirs: Run, ours: Run, *, goal: float | None = None) -> Row:
    """A row whose goal, if it has one, is in seconds by the clock."""
    target = Target(f"{work}: {f'≤ {goal} s' if goal else 'faster'}", show(ours), ours.wall <= (goal or theirs.wall))
    return work, f"{other}: {show(theirs)}", show(ours), times(theirs.cpu, ours.cpu), target


def show(measured: Run) -> str:
    return f"{measured.wall:.1f} s, {measured.cpu:.1f} CPU s"
