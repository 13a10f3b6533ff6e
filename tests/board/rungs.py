"""A board with a Ladder for tests: 40 sentences, outputs that get some of them right, and what is seen of them."""

from __future__ import annotations

import re

from sqlalchemy import select

from board.serving import Served
from gecval.board.access import NOBODY, Viewer
from gecval.board.benchmarks import Data, GivenFile
from gecval.board.database import Database
from gecval.board.database.models import Benchmark, Rung, SystemScore, User
from gecval.board.leaderboard import default_phase, leaderboard
from gecval.board.settings import Settings

SIZE = 40  # with m of them better, the score rises by √m standard errors
STEP = 2.0


def text(right: int, first: int = 0) -> str:
    """An output that gets so many sentences right, from the first on."""
    return "".join(f"He {'goes' if first <= number < first + right else 'go'} {number} .\n" for number in range(SIZE))


def hidden_data(metrics: str = "accuracy,gleu", **more: object) -> Data:
    return Data(
        source=GivenFile(name="src.txt", content=text(0).encode()),
        references=(GivenFile(name="ref.txt", content=text(SIZE).encode(), hidden=True),),
        metrics=metrics,
        decoys=(),
        **more,
    )


def rungs_board(database: Database, settings: Settings) -> Served:
    """A board whose benchmark ``rungs`` has hidden references and a Ladder."""
    made = Served(database, settings)
    made.benchmark(data=hidden_data(), name="Rungs", ladder=STEP, entry="team")
    return made


def submitted(served: Served, right: int, *, system: str = "", by: str = "anna", first: int = 0) -> str:
    """A submission that is scored at once."""
    answer = served.browser(by).submit("rungs", text=text(right, first), system=system or f"s{right}", seen="no")
    assert answer.status_code == 303, answer.text
    served.work()
    return answer.headers["location"].rpartition("/")[2]


def board_of(served: Served, viewer: Viewer = NOBODY):
    with served.database.read() as session:
        benchmark = session.scalar(select(Benchmark))
        return leaderboard(session, viewer, benchmark.versions[-1], default_phase(benchmark))


def shown_scores(served: Served, viewer: Viewer = NOBODY) -> dict[str, float]:
    return {line.system: line.cells["accuracy"].score.score for line in board_of(served, viewer).lines}


def numbers_of(served: Served, kept: set[str]) -> set[str]:
    """The numbers about some submissions, as they would be written, that are not those of another one too."""
    numbers: dict[bool, set[str]] = {True: set(), False: set()}
    with served.database.read() as session:
        for row in session.scalars(select(SystemScore)):
            numbers[row.submission_id in kept] |= {str(round(value, 3)) for value in (row.score, row.low, row.high)}
    return numbers[True] - numbers[False]


def numbers_in(body: str) -> set[str]:
    """The numbers of a page or file, whole, and without zeros at their ends."""
    return {str(float(number)) for number in re.findall(r"\d+\.\d+", body)}


def organiser(served: Served) -> Viewer:
    with served.database.read() as session:
        return Viewer.of(session, session.scalar(select(User).where(User.name == "olga")))


def climbed(served: Served) -> list[float]:
    with served.database.read() as session:
        return list(session.scalars(select(Rung.score).order_by(Rung.created)))
