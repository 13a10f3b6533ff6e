"""python -m kills --kills 20 --seed 1 [VERB ...]: exits with 1 where a killed command left anything behind.

Each long verb runs once undisturbed. Then it is killed (kill -9) at random moments, each time in a fresh folder, and
run again. Three things must hold:

    resumed equals uninterrupted    what the second run prints and writes is what the undisturbed run does
    no orphan                       five seconds after the kill none of its processes runs
    no leftover                     after the second run there is no file that the undisturbed run did not leave
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gecval.sample import load_sample
from mirror import serve
from toy_dataset import COMMIT, facts

PROGRAM = (sys.executable, "-m", "gecval")
LIMIT_S = 5.0  # after which a killed command's processes must be gone
MARK = "GECVAL_KILLS"  # in the environment of all processes of a command
SAMPLE = Path(sys.modules[load_sample.__module__].__file__ or "").parent
OUTPUTS = ("thorough.txt", "timid.txt", "rewriter.txt", "overeager.txt")


@dataclass(frozen=True, kw_only=True)
class LongVerb:
    """A command that takes long. ``prepare`` puts its files into an empty folder. What ``unequal`` names is not
    compared: checkpoints, whose lines stand in the order in which they came, and what a command prints where it says
    what it found done. Neither are caches, which say when."""

    name: str
    words: str
    prepare: Callable[[Path], None]
    program: tuple[str, ...] = PROGRAM
    needs: tuple[str, ...] = ()  # modules
    unequal: tuple[str, ...] = ()
    around: Callable[[], Any] = nullcontext  # gives further environment variables


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of the kills of a verb: in how many it still ran, and what was wrong."""

    verb: str
    seconds: float
    killed: int
    longest: float  # seconds after a kill in which one of its processes still ran
    faults: tuple[str, ...]


def kill_verb(verb: LongVerb, folder: Path, *, kills: int, seed: int) -> Outcome:
    """Kill a verb so many times. Everything happens below ``folder``."""
    draw = random.Random(f"{verb.name}:{seed}")
    faults: list[str] = []
    killed, longest = 0, 0.0
    with verb.around() as more:
        template = folder / "template"
        template.mkdir(parents=True)
        verb.prepare(template)
        places = _Places.made(template, folder / "whole")
        begun = time.monotonic()
        whole = places.run(verb, more or {})
        seconds = time.monotonic() - begun
        if whole["exit status"] != (0,):
            return Outcome(verb=verb.name, seconds=seconds, killed=0, longest=0.0, faults=(str(whole["exit status"]),))
        for number in range(kills):
            places = _Places.made(template, folder / f"kill-{number}")
            moment = draw.uniform(0.0, seconds)
            ran, lived, orphans = places.kill(verb, more or {}, after=moment)
            killed, longest = killed + ran, max(longest, lived)
            again = places.run(verb, more or {})
            wrong = [*orphans, *_differences(whole, again, verb.unequal)]
            faults += [f"kill {number} after {moment:.2f} s: {fault}" for fault in wrong]
            if not wrong:
                shutil.rmtree(places.root)
    return Outcome(verb=verb.name, seconds=seconds, killed=killed, longest=longest, faults=tuple(faults))


@dataclass(frozen=True)
class _Places:
    """The folders of one run: where it works, and where its temporary files and its cache are."""

    root: Path

    @classmethod
    def made(cls, template: Path, root: Path) -> _Places:
        shutil.copytree(template, root / "work")
        for name in ("temporary", "cache"):
            (root / name).mkdir()
        return cls(root)

    def environment(self, more: Mapping[str, str]) -> dict[str, str]:
        """That of all processes of a run."""
        own = {"TMPDIR": "temporary", "JOBLIB_TEMP_FOLDER": "temporary", "GECVAL_CACHE": "cache"}
        places = {name: str(self.root / folder) for name, folder in own.items()}
        return {**os.environ, **places, "GECVAL_QUIET": "1", "no_proxy": "127.0.0.1", **more, MARK: str(self.root)}

    def start(self, verb: LongVerb, more: Mapping[str, str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*verb.program, *verb.words.split()],
            cwd=self.root / "work",
            env=self.environment(more),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def run(self, verb: LongVerb, more: Mapping[str, str]) -> dict[str, object]:
        """What a run to the end prints and leaves."""
        out, err = (process := self.start(verb, more)).communicate()
        left = {
            path.relative_to(self.root).as_posix(): _content(path)
            for path in sorted(self.root.rglob("*"))
            if path.is_file() or (path.parent != self.root and not any(path.iterdir()))
        }
        said = err.decode(errors="replace").strip().splitlines()[-1:] if process.returncode else []
        return {"exit status": (process.returncode, *said), "standard output": _stable(out), **left}

    def kill(self, verb: LongVerb, more: Mapping[str, str], *, after: float) -> tuple[bool, float, list[str]]:
        """Whether the command still ran, how long its processes lived on, and which of them did for too long."""
        process = self.start(verb, more)
        try:
            process.communicate(timeout=after)
            return False, 0.0, []
        except subprocess.TimeoutExpired:
            process.kill()
        begun = time.monotonic()
        while (alive := _processes(str(self.root))) and time.monotonic() < begun + LIMIT_S:
            time.sleep(0.1)
        lived = time.monotonic() - begun
        for orphan in alive:
            os.kill(orphan, signal.SIGKILL)
        process.communicate()
        return True, lived, [f"orphan: {' '.join(command)[:200]}" for command in alive.values()]


def _processes(mark: str) -> dict[int, list[str]]:
    """The processes with this mark in their environment, and their commands."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (folder / "environ").read_bytes().split(b"\0"):
                found[int(folder.name)] = (folder / "cmdline").read_text(errors="replace").split("\0")
        except OSError:  # it has ended, or is another user's
            continue
    return {number: command for number, command in found.items() if any(command)}  # a zombie has no command


def _content(path: Path) -> object:
    """What is in a file, but for what two undisturbed runs differ in, too."""
    if path.is_dir():
        return "a folder"
    if path.suffix == ".sqlite":
        with closing(sqlite3.connect(path)) as database:
            return sorted(database.iterdump())
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            return {name: _stable(archive.read(name)) for name in sorted(archive.namelist())}
    return _stable(path.read_bytes())


def _stable(content: bytes) -> object:
    """JSON without what says when, and how fast."""
    try:
        value = json.loads(content)
    except ValueError:
        return content
    return _without(value, ("exported", "measured", "time")) if isinstance(value, dict) else value


def _without(value: Any, names: tuple[str, ...]) -> Any:
    if isinstance(value, dict):
        return {name: _without(item, names) for name, item in value.items() if name not in names}
    return [_without(item, names) for item in value] if isinstance(value, list) else value


def _differences(whole: Mapping[str, object], again: Mapping[str, object], unequal: tuple[str, ...]) -> Iterator[str]:
    for name in sorted({*whole, *again}):
        if name not in again:
            yield f"missing: {name}"
        elif name not in whole:
            yield f"leftover: {name}"
        elif whole[name] != again[name] and not name.startswith("cache/") and not name.endswith(unequal):
            shown = f": {again[name]!r}, not {whole[name]!r}" if name == "exit status" else ""
            yield f"different: {name}{shown}"


# The verbs, and what they work on.


def _sample(folder: Path) -> None:
    for name in ("learners.m2", *OUTPUTS):
        shutil.copyfile(SAMPLE / name, folder / name)


def _pairs(folder: Path) -> None:
    """A Parquet file with row groups enough for a kill between them."""
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    corpus, systems = load_sample()
    sources = [f"{source} {i}" for i in range(30) for source in corpus.sources]
    texts = [f"{text} {i}" for i in range(30) for text in systems[1].hypotheses]
    references = [[f"{text} {i}" for text in corpus.texts_of(k)] for i in range(30) for k in range(len(corpus))]
    table = pyarrow.table({"source": sources, "hypothesis": texts, "reference": references})
    with ParquetWriter(folder / "pairs.parquet", table.schema) as writer:
        writer.write_table(table, row_group_size=100)


def _judgments(folder: Path) -> None:
    draw = random.Random(1)
    lines = [
        {"sentence": i % 70, "judge": f"j{i % 5}", "ranks": {name: draw.randint(1, 4) for name in "ABCDEFGH"}}
        for i in range(300)
    ]
    (folder / "judgments.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def _ratings(folder: Path) -> None:
    corpus, _ = load_sample()
    draw = random.Random(1)
    rows = [
        f"{i}\t{text}\t{draw.randint(1, 4)}\t{draw.uniform(1, 4):.1f}\t{('train', 'train', 'dev', 'test')[i % 4]}"
        for i, text in enumerate([*corpus.sources, *(corpus.texts_of(k)[0] for k in range(len(corpus)))])
    ]
    (folder / "ratings.tsv").write_text("\n".join(["Id\tSentence\tExpert Judgement\tAverage\tDataset", *rows]) + "\n")


def _few_lines(folder: Path) -> None:
    corpus, systems = load_sample()
    (folder / "source.txt").write_text("".join(f"{text}\n" for text in corpus.sources[:12]))
    (folder / "output.txt").write_text("".join(f"{text}\n" for text in systems[1].hypotheses[:12]))


CONTENTS = {f"part{i}.txt": (f"line {i} " * 40_000).encode() for i in range(8)}
FETCH = """\
import sys
from pathlib import Path
from gecval.formats.datasets import catalog
catalog.FOLDER = Path("registry")
from gecval.__main__ import main
sys.argv[0] = "gecval"
main()
"""


def _registry(folder: Path) -> None:
    (folder / "registry").mkdir()
    (folder / "registry/toy.json").write_text(json.dumps(facts(CONTENTS)))


@contextmanager
def _slow_server() -> Iterator[dict[str, str]]:
    """It breaks a connection now and then, so that fetching takes a while."""
    with serve() as mirror:
        mirror.files = {f"/owner/repo/{COMMIT}/data/{name}": text for name, text in CONTENTS.items()}
        yield {"GECVAL_MIRROR": mirror.address, "GECVAL_DATA": "data"}


def _board(folder: Path) -> None:
    """A board with submissions that nobody has scored yet."""
    from board import making
    from gecval.board.database.session import open_database
    from gecval.board.settings import Settings

    (folder / "board").mkdir()
    settings = Settings(data=folder / "board", password_cost=1)
    database = open_database(settings.url)
    with database.write() as session:
        anna, team = making.participant(session, settings)
        made = making.benchmark(session, settings, making.user(session, settings, "ben", role="organiser"))
        for i in range(100):
            making.submission(session, made, team, anna, system=f"system {i}")
    database.close()


def _exported(folder: Path) -> None:
    from gecval.board.database.session import open_database
    from gecval.board.export_import import export_board

    _board(folder)
    database = open_database(f"sqlite:///{folder}/board/board.sqlite")
    export_board(database, folder / "export.zip", secrets=True)
    database.close()
    shutil.rmtree(folder / "board")


VERBS = (
    LongVerb(
        name="score-pairs",
        words="score pairs.parquet -m gleu,m2 --edits plain -o scored.parquet --jobs 2",
        prepare=_pairs,
        needs=("pyarrow",),
    ),
    LongVerb(
        name="filter",
        words="files filter pairs.parquet --where gleu>0.6 -o kept.parquet --jobs 2",
        prepare=_pairs,
        needs=("pyarrow",),
    ),
    LongVerb(
        name="maege",
        words="maege learners.m2 -r learners.m2 -m gleu,ld --replicates 12 --backend processes:2 --checkpoint kept "
        "--format json",
        prepare=_sample,
        unequal=("kept",),
    ),
    LongVerb(
        name="human",
        words="human judgments.jsonl --ranking trueskill --checkpoint kept --format json",
        prepare=_judgments,
        unequal=("kept",),
    ),
    LongVerb(
        name="validate",
        words="validate -m gleu --sample --checkpoint kept --format json",
        prepare=_sample,
        unequal=("kept",),
    ),
    LongVerb(
        name="report",
        words=f"report {' '.join(OUTPUTS)} -r learners.m2 -m gleu,m2 -o page.html",
        prepare=_sample,
    ),
    LongVerb(
        name="lfm",
        words="lfm train ratings.tsv -o lfm.json --features spelling,ngrams --jobs 2",
        prepare=_ratings,
        needs=("pocketsphinx", "sklearn"),
    ),
    LongVerb(
        name="scribendi",
        words="score output.txt -s source.txt -m scribendi --device cpu --jobs 2 --format json",
        prepare=_few_lines,
        needs=("transformers",),
    ),
    LongVerb(
        name="lt",
        words="score output.txt -s source.txt -m lt --jobs 2 --format json",
        prepare=_few_lines,
        needs=("lt_py",),
    ),
    LongVerb(
        name="track",
        words="track add scores.history thorough.txt -r learners.m2 -m gleu,m2 --commit a1 --time 2026-11-16 "
        "--format json",
        prepare=_sample,
        unequal=("standard output",),
    ),
    LongVerb(
        name="fetch",
        words="data fetch toy",
        prepare=_registry,
        unequal=("standard output",),
        program=(sys.executable, "-c", FETCH),
        around=_slow_server,
    ),
    LongVerb(
        name="export-folder",
        words="board export out --data board",
        prepare=_board,
        needs=("sqlalchemy",),
    ),
    LongVerb(
        name="export-zip",
        words="board export out.zip --data board",
        prepare=_board,
        needs=("sqlalchemy",),
    ),
    LongVerb(
        name="import",
        words="board import export.zip --data board",
        prepare=_exported,
        needs=("sqlalchemy",),
    ),
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="kills", description=__doc__)
    parser.add_argument("verbs", nargs="*", metavar="VERB", help="by default all")
    parser.add_argument("--kills", type=int, default=20, help="of each verb")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    count = 0
    for verb in VERBS:
        if options.verbs and verb.name not in options.verbs:
            continue
        if missing := [name for name in verb.needs if not find_spec(name)]:
            print(f"{verb.name}: left out, as {', '.join(missing)} is not installed", flush=True)
            continue
        with tempfile.TemporaryDirectory(prefix="kills-") as folder:
            outcome = kill_verb(verb, Path(folder), kills=options.kills, seed=options.seed)
        print(
            f"{verb.name}: {options.kills} kills, {outcome.killed} while it ran ({outcome.seconds:.1f} s), the last "
            f"process ended {outcome.longest:.1f} s later, {len(outcome.faults)} faults",
            flush=True,
        )
        for fault in outcome.faults:
            print(f"  {fault}", flush=True)
        count += len(outcome.faults)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
