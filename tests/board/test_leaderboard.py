"""Leaderboards of scores that are made up, so that every rank, mark and order can be told by hand."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from board import making
from gecval.board import accounts, benchmarks, clock, leaderboard, submissions, systems
from gecval.board.access import NOBODY, Viewer
from gecval.board.benchmarks import PhaseRules
from gecval.board.database.models import (
    Benchmark,
    Detail,
    Job,
    Phase,
    Ranking,
    Submission,
    System,
    SystemScore,
    Version,
)
from gecval.board.leaderboard import (
    compare_signatures,
    find_default_phase,
    list_changes,
    make_leaderboard,
    prepare_rankings,
)
from gecval.board.queue import count_waiting, queue_rescoring
from gecval.board.scoring import pack_array
from gecval.board.settings import SOFTWARE
from gecval.board.web.pages.benchmark import Bar, Bars, make_bars
from gecval.board.web.rendering import csv_response, list_csv_rows
from gecval.studies.scores.by_type import TypeScores

TIME = 1_800_000_000.0
CHANCE = np.random.default_rng(1).normal(0, 0.001, 1000)


@dataclass
class Made:
    """A benchmark whose scores are written by hand."""

    session: Session
    settings: object
    benchmark: Benchmark
    time: float = TIME

    @property
    def version(self) -> Version:
        return self.benchmark.versions[-1]

    @property
    def phase(self) -> Phase:
        return self.benchmark.phases[0]

    def entered(self, system: str, *, by: str = "anna", **scores: float | None) -> Submission:
        """A submission with these scores; metrics without one are left out."""
        self.time += 1
        user = self.session.scalar(select(making.User).where(making.User.name == by))
        team = accounts.list_teams(self.session, user)[0]
        text = making.GOOD.replace("Fine", f"Fine {self.time:.0f}")
        row = making.submission(self.session, self.benchmark, team, user, system=system, text=text)
        self.session.flush()
        self.session.refresh(row)
        self.scored(row, **scores)
        return row

    def scored(self, row: Submission, *, lower: bool = False, version: Version | None = None, **scores: float) -> None:
        self.time += 1
        version = version or self.version
        job = next((job for job in row.jobs if job.version_id == version.id and job.state == "queued"), None)
        if job is None:
            job = Job(submission_id=row.id, version_id=version.id, software=f"gecval {self.time}")
            self.session.add(job)
        job.state = "done"
        self.session.flush()
        for metric, score in scores.items():
            self.session.add(
                SystemScore(
                    job_id=job.id,
                    submission_id=row.id,
                    version_id=version.id,
                    metric=metric,
                    score=score,
                    low=score - 0.1,
                    high=score + 0.2,
                    level=0.95,
                    parts={},
                    higher_is_better=not lower,
                    signature=f"{metric}|aggregate:corpus|source:00000000|references:abc|gecval:{self.time:.0f}",
                    notes=[],
                    statistics=b"",
                    resampled=pack_array(score + np.roll(CHANCE, int(self.time) % 997)),
                )
            )
        self.session.flush()
        self.session.refresh(row)

    def board(self, viewer: Viewer = NOBODY, sort: str = ""):
        self.session.flush()
        self.session.expire_all()
        return make_leaderboard(self.session, viewer, self.version, self.phase, sort)

    def lines(self, sort: str = "", viewer: Viewer = NOBODY) -> list[str]:
        return [line.system for line in self.board(viewer, sort).lines]


@pytest.fixture
def made(on_sqlite, settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Made]:
    with Session(on_sqlite.engine.execution_options(write=True), expire_on_commit=False) as session:
        made = Made(session, settings, None)
        monkeypatch.setattr(clock, "read_clock", lambda: made.time)
        olga = making.user(session, settings, "olga", "organiser")
        for name in ("anna", "ben"):
            making.participant(session, settings, name)
        data = making.small_data(decoys=("(source)", "(reference)"))
        made.benchmark = making.benchmark(session, settings, olga, data=data, opens=0.0)
        session.refresh(made.benchmark)
        yield made


def decoy(made: Made, name: str) -> Submission:
    return made.session.scalars(select(Submission).join(System).where(System.name == name)).one()


def test_the_best_the_last_or_the_chosen_one_stands(made: Made) -> None:
    first, second, third = (made.entered("mine", gleu=score) for score in (0.5, 0.7, 0.6))
    others = made.entered("other", gleu=0.9), made.entered("bens", by="ben", gleu=0.1)

    def stands():
        return {line.submission_id for line in made.board().lines}

    assert stands() == {second.id, *(row.id for row in others)}
    made.phase.entry = "team"
    assert stands() == {row.id for row in others}
    made.phase.rule = "last"
    assert stands() == {row.id for row in others}
    made.phase.entry = "system"
    assert stands() == {third.id, *(row.id for row in others)}
    made.phase.rule = "chosen"
    assert stands() == {third.id, *(row.id for row in others)}  # nothing is chosen yet
    first.chosen = True
    assert stands() == {first.id, *(row.id for row in others)}
    made.phase.rule = "best"
    fourth = made.entered("mine", gleu=0.7)
    assert fourth.id in stands()  # of equal ones, the new one
    made.entered("mine", accuracy=0.99)
    assert fourth.id in stands()  # what the main metric does not score comes last
    for row in made.session.scalars(select(SystemScore)):
        row.higher_is_better = False
    assert stands() == {first.id, *(row.id for row in others)}


def test_the_latest_scores_stand(made: Made) -> None:
    row = made.entered("mine", gleu=0.7, accuracy=0.2)
    made.scored(row, gleu=0.6)
    [line] = made.board().lines
    assert {metric: cell.score.score for metric, cell in line.cells.items()} == {"gleu": 0.6, "accuracy": 0.2}
    for score in made.session.scalars(select(SystemScore).where(SystemScore.metric == "gleu")):
        score.id = "0" * 16 if score.score == 0.6 else "f" * 16  # their ids do not decide
    assert made.board().lines[0].cells["gleu"].score.score == 0.6


def test_lines_are_sorted_by_a_metric(made: Made) -> None:
    for system, gleu, accuracy in (("b", 0.5, 0.1), ("a", 0.5, 0.3), ("c", 0.7, 0.2)):
        made.entered(system, gleu=gleu, accuracy=accuracy)
    made.entered("d", accuracy=0.0)
    made.scored(decoy(made, "(source)"), gleu=0.5, accuracy=0.25)
    assert made.lines() == ["c", "a", "b", "(source)", "d"]  # what has no score is last
    assert made.lines("accuracy") == ["a", "(source)", "c", "b", "d"]
    assert made.lines("nothing") == made.lines()
    assert made.board().sort == "gleu"
    for row in made.session.scalars(select(SystemScore)):
        row.higher_is_better = False
    assert made.lines("accuracy") == ["d", "b", "c", "(source)", "a"]


def test_a_metric_is_marked_where_a_decoy_is_as_good_as_the_middle(made: Made) -> None:
    for system, score in (("a", 0.2), ("b", 0.4), ("c", 0.8)):
        made.entered(system, gleu=score, accuracy=score)
    assert [column.deceived for column in made.board().columns] == [(), ()]
    made.scored(decoy(made, "(source)"), gleu=0.4, accuracy=0.39)
    made.scored(decoy(made, "(reference)"), gleu=0.9)  # it may be as good as it is
    columns = made.board().columns
    assert [(column.metric, column.deceived) for column in columns] == [("gleu", ("(source)",)), ("accuracy", ())]
    assert all(column.higher_is_better for column in columns)
    for row in made.session.scalars(select(SystemScore)):
        row.higher_is_better = False
    columns = made.board().columns
    assert [column.deceived for column in columns] == [("(source)",), ("(source)",)]
    assert not any(column.higher_is_better for column in columns)


def test_a_board_without_systems(made: Made) -> None:
    assert [(column.higher_is_better, column.deceived) for column in made.board().columns] == [(True, ())] * 2
    assert make_bars(made.board()) == Bars({}, ())
    made.scored(decoy(made, "(source)"), gleu=0.4, lower=True)
    board = made.board()
    assert [(column.higher_is_better, column.deceived) for column in board.columns] == [(False, ()), (True, ())]
    assert [(line.system, line.decoy, line.team) for line in board.lines] == [("(source)", "the source as it is", None)]
    assert board.lines[0].cells["gleu"].rank is None


def test_a_blind_phase_shows_decoys_alone(made: Made) -> None:
    made.entered("a", gleu=0.2)
    made.scored(decoy(made, "(source)"), gleu=0.4)
    assert (made.board().blind, made.lines()) == (False, ["(source)", "a"])
    made.phase.blind, made.phase.closes = True, made.time + 10_000
    made.session.flush()
    assert (made.board().blind, made.lines()) == (True, ["(source)"])
    assert [column.deceived for column in made.board().columns] == [(), ()]


def test_the_phase_that_opened_last_is_shown(made: Made) -> None:
    olga = made.session.get_one(making.User, made.benchmark.owner_id)
    benchmarks.add_phase(made.session, olga, made.benchmark, PhaseRules(name="next", opens=TIME + 50))
    made.session.refresh(made.benchmark)
    made.time = TIME + 49.9
    assert find_default_phase(made.benchmark).name == "open"
    made.time = TIME + 50.0
    assert find_default_phase(made.benchmark).name == "next"
    made.time = -1.0
    assert find_default_phase(made.benchmark).name == "open"  # none has begun


def test_a_range_of_ranks_says_what_chance_decides(made: Made, on_sqlite) -> None:
    for system, score in (("a", 0.8), ("b", 0.80001), ("c", 0.5), ("d", 0.3)):
        made.entered(system, gleu=score)
    made.entered("e", gleu=0.1)
    alone = made.session.scalars(select(SystemScore).where(SystemScore.score == 0.1)).one()
    alone.level = None  # chance cannot be told
    places = {line.system: line.cells["gleu"] for line in made.board().lines}
    assert {system: (cell.rank, cell.ranks, cell.cluster) for system, cell in places.items()} == {
        "a": (2, (1, 2), 1),
        "b": (1, (1, 2), 1),
        "c": (3, (3, 3), 2),
        "d": (4, (4, 4), 3),
        "e": (None, None, None),
    }
    for row in made.session.scalars(select(SystemScore)):
        row.higher_is_better = False
    made.session.flush()
    assert {line.system: line.cells["gleu"].rank for line in made.board().lines} == {
        "d": 1,
        "c": 2,
        "a": 3,
        "b": 4,
        "e": None,
    }


def test_one_score_has_no_rank(made: Made) -> None:
    made.entered("a", gleu=0.8)
    assert made.board().lines[0].cells["gleu"].rank is None
    row = made.session.scalars(select(SystemScore)).one()
    assert leaderboard.find_places(made.session, made.version, [row]) == {}
    assert leaderboard.make_ranking_key([row]) == leaderboard.digest(row.id)


def test_rankings_are_kept(on_sqlite, made: Made) -> None:
    for system, score in (("a", 0.8), ("b", 0.5)):
        made.entered(system, gleu=score, accuracy=score)
    only = made.entered("c", gleu=0.1, accuracy=0.1)
    rows = {row.metric: row for row in made.session.scalars(select(SystemScore)) if row.submission_id == only.id}
    rows["gleu"].level = None
    version_id = made.version.id
    board = made.board()
    made.session.commit()
    prepare_rankings(on_sqlite, version_id)
    kept = made.session.scalars(select(Ranking)).all()
    assert sorted(len(row.body["places"]) for row in kept) == [2, 3]
    assert made.board() == board
    for row in kept:
        row.body = {"places": {key: [7, 8, 9, 7] for key in row.body["places"]}}
    made.session.commit()
    prepare_rankings(on_sqlite, version_id)  # what is kept stays
    cells = [line.cells["gleu"] for line in made.board().lines]
    assert [(cell.rank, cell.ranks, cell.cluster) for cell in cells] == [(7, (7, 8), 9)] * 2 + [(None, None, None)]


def test_one_system_needs_no_ranking(on_sqlite, made: Made) -> None:
    made.entered("a", gleu=0.8)
    made.session.commit()
    prepare_rankings(on_sqlite, made.version.id)
    assert made.session.scalar(select(func.count()).select_from(Ranking)) == 0


def test_bars_share_one_width(made: Made) -> None:
    high, low = made.entered("high", gleu=0.6), made.entered("low", gleu=0.3, accuracy=0.5)
    none = made.entered("none", gleu=0.4)
    row = made.session.scalars(select(SystemScore).where(SystemScore.submission_id == none.id)).one()
    row.low = row.high = None
    # From 0.2 to 0.8 on 152 of 176 units, that begin at 12: a quarter of a tenth is 6⅓.
    drawn = make_bars(made.board())
    assert drawn.of == {
        high.id: Bar(start=88.0, width=76.0, point=113.33),
        low.id: Bar(start=12.0, width=76.0, point=37.33),
        none.id: Bar(start=62.67, width=0, point=62.67),
    }
    assert drawn.ticks == ((12.0, "0.2"), (62.67, "0.4"), (113.33, "0.6"), (164.0, "0.8"))
    assert set(make_bars(made.board(sort="accuracy")).of) == {low.id}
    made.scored(decoy(made, "(source)"), gleu=0.05)  # beyond the systems: it has no bar, and theirs stay as wide
    assert make_bars(made.board()) == drawn
    for score in made.session.scalars(select(SystemScore)):
        score.score, score.low, score.high = 0.5, None, None
    assert make_bars(made.board()) == Bars({}, ())


def test_the_leaderboard_as_csv(made: Made) -> None:
    made.entered("=a", gleu=0.5)
    made.entered("b", by="ben", gleu=0.25)
    made.scored(decoy(made, "(source)"), gleu=0.125)
    row = made.session.scalars(select(SystemScore).where(SystemScore.score == 0.125)).one()
    row.low = row.high = row.level = None
    answer = csv_response(list_csv_rows(made.board()), "small.csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="small.csv"'
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    header, *rows = csv.reader(io.StringIO(answer.body.decode(), newline=""))
    assert " ".join(header) == (
        "system team decoy metric score low high level best_rank worst_rank cluster submitted signature"
    )
    moment = "2027-01-15 08:00 UTC"
    assert rows == [
        ["'=a", "team anna", "", "gleu", "0.5", "0.4", "0.7", "0.95", "1", "1", "1", moment, rows[0][-1]],
        ["b", "team ben", "", "gleu", "0.25", "0.15", "0.45", "0.95", "2", "2", "2", moment, rows[1][-1]],
        ["(source)", "", "the source as it is", "gleu", "0.125", "", "", "", "", "", "", rows[2][-2], rows[2][-1]],
    ]
    assert rows[0][-1].startswith("gleu|aggregate:corpus|source:00000000|references:abc|gecval:18")


def test_what_changed_is_told_with_the_reason_and_the_latest_first(made: Made) -> None:
    row = made.entered("mine", gleu=0.5, accuracy=0.5)
    made.scored(row, gleu=0.6, accuracy=0.5)
    second = made.time
    olga = made.session.get_one(making.User, made.benchmark.owner_id)
    new = benchmarks.add_version(made.session, made.settings, olga, made.benchmark, making.small_data(decoys=()))
    made.session.refresh(made.benchmark)
    made.scored(row, version=new, gleu=0.7)
    gone = made.entered("gone", gleu=0.1)
    made.scored(gone, gleu=0.2)
    submissions.withdraw(made.session, gone, olga)
    made.scored(decoy(made, "(source)"), gleu=0.1, version=made.benchmark.versions[0])
    made.scored(decoy(made, "(source)"), gleu=0.2, version=made.benchmark.versions[0])
    made.session.flush()
    changes = list_changes(made.session, NOBODY, made.benchmark)
    assert [(one.system, one.metric, one.before, one.after, one.versions) for one in changes] == [
        ("mine", "gleu", 0.6, 0.7, (1, 2)),
        ("mine", "gleu", 0.5, 0.6, (1, 1)),
    ]
    assert changes[1].when == second
    assert changes[1].why == (f"gecval:{second - 1:.0f} → gecval:{second:.0f}",)
    made.phase.blind, made.phase.closes = True, made.time + 10_000
    assert list_changes(made.session, NOBODY, made.benchmark) == []
    plain, typed = (f"m2|aggregate:corpus|source:00000000|{finder}|gecval:1" for finder in ("plain", "errant:3"))
    assert compare_signatures(plain, typed) == ("plain → nothing", "nothing → errant:3")


def test_what_another_gecval_scored_is_scored_again_on_the_latest_version(made: Made) -> None:
    session = made.session
    row, fresh = made.entered("mine", gleu=0.5), made.entered("fresh", gleu=0.5)
    gone, deleted = made.entered("gone", gleu=0.5), made.entered("deleted", gleu=0.5)
    for job in session.scalars(select(Job)):
        job.state, job.software = "done", "0.0.1"
    fresh.jobs[0].software = SOFTWARE
    gone.withdrawn, deleted.deleted = TIME, TIME
    session.flush()
    assert count_waiting(session, made.benchmark) == 0
    assert queue_rescoring(session) == 3  # mine and two decoys
    session.flush()
    assert count_waiting(session, made.benchmark) == 3
    session.scalars(select(Job).where(Job.state == "queued")).first().state = "leased"
    session.flush()
    assert count_waiting(session, made.benchmark) == 3
    session.flush()
    session.expire_all()
    assert queue_rescoring(session) == 0
    assert [job.software for job in row.jobs] == ["0.0.1", SOFTWARE]
    made.benchmark.deleted = TIME
    for job in session.scalars(select(Job)):
        job.software = f"0.0.{job.id}"
    session.flush()
    session.flush()
    session.expire_all()
    assert queue_rescoring(session) == 0


def test_the_submission_that_stands_for_a_system(made: Made) -> None:
    session = made.session
    row, better = made.entered("mine", gleu=0.5), made.entered("mine", gleu=0.7)
    scores = submissions.load_scores(session, made.version)

    def stands(system: System) -> str | None:
        session.flush()
        found = systems.find_standing(NOBODY, system, made.version, scores)
        return found.id if found else None

    session.expire_all()
    assert stands(row.system) == better.id
    olga = session.get_one(making.User, made.benchmark.owner_id)
    benchmarks.add_phase(session, olga, made.benchmark, PhaseRules(name="next", opens=made.time))
    session.refresh(made.benchmark)
    late = made.entered("mine", gleu=0.1)
    scores = submissions.load_scores(session, made.version)
    session.expire_all()
    assert stands(row.system) == late.id  # that of the last phase
    late.withdrawn = TIME
    assert stands(row.system) == better.id
    better.deleted = TIME
    assert stands(row.system) == row.id
    row.withdrawn = TIME
    assert stands(row.system) is None
    source = decoy(made, "(source)")
    assert stands(source.system) is None
    made.scored(source, gleu=0.3)
    scores = submissions.load_scores(session, made.version)
    session.expire_all()
    assert stands(source.system) == source.id
    source.version_id = None
    assert stands(source.system) is None


def test_others_to_test_against_come_by_name_and_decoys_last(made: Made) -> None:
    rows = [made.entered(name, gleu=0.5) for name in ("b", "C", "a")]
    made.entered("late", gleu=0.5).withdrawn = TIME
    made.scored(decoy(made, "(source)"), gleu=0.5)
    made.session.flush()

    def others(viewer: Viewer = NOBODY) -> list[str]:
        made.session.flush()
        made.session.expire_all()
        return [row.name for row in systems.list_others(made.session, viewer, rows[0].system, made.version)]

    assert others() == ["a", "C", "(source)"]
    made.phase.blind, made.phase.closes = True, made.time + 10_000
    made.session.flush()
    assert others() == ["(source)"]
    olga = made.session.get_one(making.User, made.benchmark.owner_id)
    assert others(Viewer.load(made.session, olga)) == ["a", "C", "(source)"]


def _type(name: str, tp: int, fn: int, fp: int = 0) -> dict[str, object]:
    return {"type": name, "tp": tp, "fp": fp, "fn": fn}


def test_errors_by_type_are_the_last_that_were_found(made: Made) -> None:
    row = made.entered("mine", gleu=0.5)
    job = row.jobs[0]
    for number, kind in enumerate((TypeScores.kind, TypeScores.kind, "other")):
        again = Job(submission_id=row.id, version_id=made.version.id, software=f"g{number}", state="done")
        made.session.add(again)
        made.time += 1
        made.session.flush()
        body = {"number": number, "types": [_type("R:VERB", 1, 1), _type("M:DET", 0, 0, 9), _type("U:PREP", 3, 2)]}
        made.session.add(Detail(job_id=again.id, submission_id=row.id, version_id=job.version_id, kind=kind, body=body))
        made.session.flush()
    loaded = systems.load_types(made.session, NOBODY, made.version, row)
    assert loaded["number"] == 1
    assert [kind["type"] for kind in loaded["types"]] == ["U:PREP", "R:VERB", "M:DET"]  # 5, 2 and no corrections
    for reference in made.version.references:
        reference.hidden = True
    assert systems.load_types(made.session, NOBODY, made.version, row) is None


def test_another_scoring_is_told_from_the_one_before(made: Made) -> None:
    row, other = made.entered("mine", gleu=0.5), made.entered("other", gleu=0.5)

    def told(*rows):
        return systems.hash_scores(made.session, made.version, rows)

    before = told(row)
    assert before == told(row) != told(other)
    made.scored(other, gleu=0.6)
    assert told(row) == before
    made.scored(row, gleu=0.6)
    assert told(row) != before
