"""The attacker of ``benchmarks.ladder`` against a real board: 1,000 uploads over HTTP, and all that is seen there.

The benchmark has the board's defaults for hidden references, two metrics and the other twelve systems of CoNLL-2014.
After each upload the attacker reads what its submission, the leaderboard and the comparison with one of the twelve say.
A change is kept where anything looks better: the shown score first; among equal ones the other metric, intervals, ranks
and their ranges, places in the order, clusters, warnings, differences to others. Where the board says that a submission
is kept back, the leaderboard must be the same to the byte; every tenth time all other pages are compared as well.
Uploads are a minute apart on the board's clock, as its limit of 60 an hour asks.

Before the attacks, 61 uploads go to this board and to the simulated one of ``benchmarks.ladder``: those of an honest
team and small changes of them. If both show the same after each, and no page tells more, then what the simulation
measures holds for the board.
"""

from __future__ import annotations

import re
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from fastapi.testclient import TestClient

from benchmarks import conll
from benchmarks.boards import PASSWORD
from benchmarks.ladder import (
    BETTER,
    DIGITS,
    HONEST,
    METRIC,
    START,
    SUBMISSIONS,
    Board,
    Choice,
    Judge,
    Random,
    World,
    climbing,
    creeping,
    voting,
)
from benchmarks.measure import Section, table
from gecval.board import accounts, benchmarks, clock, submissions
from gecval.board.benchmark_data import UploadedFile, VersionData
from gecval.board.benchmarks import DEFAULT_LADDER, PhaseRules
from gecval.board.database import open_database
from gecval.board.settings import Settings
from gecval.board.web.app import make_app
from gecval.board.worker import Worker
from gecval.formats import read_sentences
from gecval.formats.datasets import data_folder

DEFENCES = {"3 decimals": 0.0, "the defaults": None}
ATTACKS, SEEDS = ("4", "16", "creeping(16)", "voting"), (1, 2, 3)
MINUTE = 61.0
NUMBER = re.compile(r'class="number">\s*([-+]?\d+\.\d+)')


@dataclass
class HttpBoard:
    """What ``benchmarks.ladder`` calls a board: ``submit`` gives all that is seen as one number, the score first."""

    judge: Judge
    steps: float  # 0 where every score is shown
    folder: Path
    standing: Choice | None = None
    shown: float = 0.0
    told: int = 0  # pages of everybody that changed although nothing was shown
    _count: int = 0
    _public: tuple[str, ...] = ()
    _seen: float = 0.0
    _lines: list[list[str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._moment = 1_800_000_000.0
        clock.read_clock = lambda: self._moment
        settings = Settings(data=self.folder, password_cost=1)
        database = open_database(settings.url)
        self._lines = [read_sentences(conll.FOLDER / "systems" / name) for name in self.judge.systems]
        hidden = [data_folder() / "bryant-ng-2015" / f"A{number}.m2" for number in (1, 2)]
        data = VersionData(
            source=None,
            references=[UploadedFile(name=path.name, content=path.read_bytes(), hidden=True) for path in hidden],
            metrics=["m2", "accuracy"],
        )
        rules = PhaseRules() if self.steps else PhaseRules(ladder=0.0, entry="team")
        hashed = accounts.hash_password(PASSWORD, cost=1)
        with database.write() as session:
            olga = accounts.make_user(session, name="olga", hashed=hashed, role="organiser")
            made = benchmarks.make_benchmark(session, settings, olga, name="Hidden", data=data, phase=rules)
            for name, lines in zip(self.judge.systems, self._lines, strict=True):
                if name != START:
                    user = accounts.make_user(session, name=name, hashed=hashed, role="participant")
                    team = accounts.make_team(session, name, user)
                    text = "".join(f"{line}\n" for line in lines).encode()
                    submissions.submit(session, made, team.id, user, system=name, name=f"{name}.txt", content=text)
            mallory = accounts.make_user(session, name="mallory", hashed=hashed, role="participant")
            accounts.make_team(session, "mallory", mallory)
            token = accounts.make_token(session, mallory, name="attack", scope="submit", days=90)
        self._worker = Worker(database, settings)
        while self._worker.work():
            pass
        self._api = TestClient(make_app(settings, database), base_url="http://localhost")
        self._web = TestClient(self._api.app, base_url="http://localhost")
        form = re.search(r'name="csrf" value="(\w+)"', self._web.get("/login").text)
        assert form
        self._web.post("/login", data={"csrf": form[1], "name": "mallory", "password": PASSWORD})
        self._api.headers["Authorization"] = f"Bearer {token}"

    def submit(self, choice: Choice) -> float:
        self._moment += MINUTE
        self._count += 1
        text = "".join(f"{self._lines[system][place]}\n" for place, system in enumerate(choice))
        answer = self._api.post(
            "/api/benchmarks/hidden/submissions", data={"system": "mine"}, files={"file": ("mine.txt", text.encode())}
        )
        if answer.status_code != 201:  # this very file was submitted before: all that it shows is known
            assert "before" in answer.text, answer.text
            return self._seen
        while self._worker.work():
            pass
        return self._look(answer.json()["id"], choice)

    def _look(self, submission: str, choice: Choice) -> float:
        said = self._api.get(f"/api/benchmarks/hidden/submissions/{submission}").json()
        answer = self._api.get("/api/benchmarks/hidden/leaderboard")
        board, shows = answer.json(), bool(said["scores"])
        mine = next(line for line in board["lines"] if line["team"] == "mallory")
        self.shown = mine["cells"]["m2"]["score"]["score"]
        if mine["submission_id"] == submission:
            self.standing = choice.copy()
        others = [line["system_id"] for line in board["lines"] if line["team"] not in (None, "mallory")]
        base = f"/b/hidden/systems/{mine['system_id']}/against?other="
        if shows or self._count % 10 == 0:
            pages = ("/b/hidden", "/b/hidden/leaderboard.csv", "/b/hidden/changes", "/", base + others[0])
            public = (answer.text, *map(self._page, pages))
        else:
            public = (answer.text, *self._public[1:])
        self.told += not shows and public != self._public
        self._public = public
        if shows:
            compared = NUMBER.findall(self._page(base + others[self._count % len(others)]))
            self._seen = _weigh(said["scores"], mine, board, [float(number) for number in compared])
        return self._seen

    def _page(self, path: str) -> str:
        answer = self._web.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        return re.sub(r'value="\w{64}"', "", answer.text)


def _weigh(scores: list[dict[str, Any]], mine: dict[str, Any], board: dict[str, Any], compared: list[float]) -> float:
    """The submission's own main score; then, among equal ones, all else that is better when it is larger."""
    main = next(score for score in scores if score["metric"] == "m2")
    rest = sum(score["score"] for score in scores) + sum(score["low"] + score["high"] for score in scores)
    cells = mine["cells"].values()
    places = sum(cell["rank"] + sum(cell["ranks"]) + cell["cluster"] for cell in cells if cell["rank"])
    order = board["lines"].index(mine) + sum(len(column["deceived"]) for column in board["columns"])
    return float(main["score"] + 1e-5 * rest + 1e-7 * sum(compared) - 1e-9 * (places + order))


def attack(world: World, kind: str, steps: float, seed: int) -> tuple[float, float, int]:
    """What was gained as shown, and on fresh references; and how often a page told more than the submission's own."""
    rng: Random = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory(prefix="gecval-attack-") as folder:
        board: Any = HttpBoard(world.hidden, steps, Path(folder))
        if kind == "voting":
            choice, _ = voting(board, world.start, rng)
        elif kind.startswith("creeping"):
            choice, _ = creeping(board, world.start, rng, int(kind.strip("creping()")))
        else:
            choice, _ = climbing(board, world.start, rng, int(kind))
        shown = board.shown
        standing = choice if board.standing is None else board.standing
        before = round(world.hidden.score(world.start), 3)
        return shown - before, world.true(standing) - world.true(world.start), board.told


def compare(world: World) -> str:
    """Whether the board and the simulated one show the same after each of 61 uploads."""
    rng: Random = np.random.default_rng(5)
    systems, size = world.hidden.rows.shape[:2]
    choice, uploads = world.start.copy(), [world.start]
    for part in np.array_split(rng.permutation(size), HONEST):
        choice = choice.copy()
        choice[part] = world.hidden.systems.index(BETTER)
        uploads.append(choice)
        for changes in (1, 16):
            tried = choice.copy()
            tried[rng.choice(size, changes, replace=False)] = rng.integers(systems, size=changes)
            uploads.append(tried)
    simulated = Board(world.hidden, DEFAULT_LADDER, DIGITS)
    expected = [simulated.submit(one) for one in uploads]
    with tempfile.TemporaryDirectory(prefix="gecval-attack-") as folder:
        board, shown = HttpBoard(world.hidden, DEFAULT_LADDER, Path(folder)), []
        for one in uploads:
            board.submit(one)
            shown.append(board.shown)
    same = sum(one == other for one, other in zip(shown, expected, strict=True))
    rungs = ", ".join(f"{score:.3f}" for score in sorted(set(shown)))
    return f"{same} of {len(uploads)} shown scores are those of the simulation ({rungs}); {board.told} pages told more."


def report() -> Section:
    world, section = World(), Section("A real board against an attacker who submits 1,000 times and sees everything")
    section.text.append(compare(world))
    rows = []
    for name, steps in DEFENCES.items():
        for kind in ATTACKS:
            runs = []
            for seed in SEEDS if steps is None else SEEDS[:1]:
                runs.append(attack(world, kind, DEFAULT_LADDER if steps is None else steps, seed))
                print(name, kind, seed, runs[-1], file=sys.stderr, flush=True)
            gaps = [shown - fresh for shown, fresh, _ in runs]
            gained = np.mean([run[:2] for run in runs], axis=0)
            told = sum(run[2] for run in runs)
            rows.append(
                [
                    name,
                    kind,
                    len(runs),
                    f"{gained[0]:+.4f} / {gained[1]:+.4f}",
                    f"{np.mean(gaps):+.4f}",
                    f"{max(gaps):+.4f}",
                    told,
                ]
            )
    header = ["defence", "attack", "runs", "gained, shown / fresh", "mean gap", "largest gap", "pages that told more"]
    section.text += [f"{METRIC} of {START}, {SUBMISSIONS} submissions each.", table(header, rows)]
    return section


if __name__ == "__main__":
    print("\n\n".join(report().text))
