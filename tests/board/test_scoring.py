"""Scores on the board are those of the studies, and what is kept gives rankings, tests and sentence scores again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import select

from board import making
from gecval.board import decoys, presets, queue, retention, submissions, systems
from gecval.board.access import NOBODY
from gecval.board.benchmarks import checked
from gecval.board.clock import DAY
from gecval.board.data import Files
from gecval.board.database.models import Benchmark, Blob, Job, Phase, Submission, System, SystemScore, User
from gecval.board.leaderboard import default_phase, leaderboard
from gecval.board.metrics import board_metric, board_metrics, choosable
from gecval.board.scoring import pack, unpack
from gecval.board.worker import Worker
from gecval.errors import InputError
from gecval.metrics.base import Statistics
from gecval.stats import Resampling
from gecval.studies.scores.comparison import compare
from gecval.studies.scores.scoring import score

METRICS = "gleu,min-ld"
TEXTS = {"good": making.GOOD, "wild": making.WILD, "copy": making.SOURCE, "best": making.FIRST}


@pytest.fixture
def filled(database, settings):
    """Four systems of a team, scored."""
    with database.write() as session:
        organiser = making.user(session, settings, "olga", "organiser")
        user, team = making.participant(session, settings)
        made = making.benchmark(session, settings, organiser, data=making.small_data(metrics=METRICS))
        for system, text in TEXTS.items():
            making.submission(session, made, team, user, system=system, text=text)
    worker = Worker(database, settings)
    while worker.work():
        pass
    return database


def test_scores_intervals_ranks_and_clusters_are_those_of_the_study(filled) -> None:
    with filled.read() as session:
        benchmark = session.scalar(select(Benchmark))
        version = benchmark.versions[-1]
        board = leaderboard(session, NOBODY, version, default_phase(benchmark))
        corpus = Files.of(session, version).corpus()
    outputs = {system: text.splitlines() for system, text in TEXTS.items()}
    ours = score(corpus, outputs, METRICS.split(","), resampling=Resampling(), clusters=True)
    for line in board.lines:
        for metric, cell in line.cells.items():
            if line.decoy:
                assert cell.rank is None
                continue
            expected = ours[line.system, metric]
            assert cell.score.score == expected.score
            assert (cell.score.low, cell.score.high) == tuple(expected.interval)
            assert cell.score.signature == expected.signature
            assert (cell.ranks, cell.cluster) == (tuple(expected.ranks), expected.cluster)
    by_system = {line.system: line for line in board.lines}
    reference = corpus.system("r", making.FIRST.splitlines())
    [alone] = score(decoys.judged_by(decoys.REFERENCE, corpus), [reference], ["gleu"])
    assert by_system["(reference)"].cells["gleu"].score.score == alone.score
    assert next(line.system for line in board.lines if not line.decoy) == "best"


def test_paired_tests_from_what_was_kept_are_those_of_the_study(filled) -> None:
    with filled.read() as session:
        version = session.scalar(select(Benchmark)).versions[-1]
        pair = [session.scalar(select(System).where(System.name == name)) for name in ("wild", "good")]
        kept = systems.compare(session, NOBODY, version, *pair)
        sentences = systems.sentences(session, NOBODY, version, pair[1])
        corpus = Files.of(session, version).corpus()
    wild, good = (corpus.system(name, TEXTS[name].splitlines()) for name in ("wild", "good"))
    theirs = compare(corpus, wild, [good], METRICS.split(","))
    assert kept == list(theirs)
    alone = score(corpus, [good], ["gleu"], sentences=True)[0].sentences
    assert [sentence.scores["gleu"] for sentence in sentences] == alone.tolist()
    assert sentences[0].references == ("He goes home .", "He went home .")


def test_what_is_packed_comes_out_the_same() -> None:
    statistics = Statistics(np.random.default_rng(1).random((5, 3)), np.array([0, 2, 5], dtype=np.int64))
    again = unpack(pack(statistics))
    assert (again.rows == statistics.rows).all()
    assert (again.offsets == statistics.offsets).all()


@pytest.mark.parametrize(
    ("rule", "entry", "standing"),
    [
        ("best", "system", {"good", "wild", "copy", "best"}),
        ("best", "team", {"best"}),
        ("last", "team", {"best"}),
        ("chosen", "team", {"wild"}),
    ],
)
def test_the_rule_of_the_phase_decides_what_stands(filled, rule: str, entry: str, standing: set[str]) -> None:
    with filled.write() as session:
        phase = session.scalar(select(Phase))
        phase.rule, phase.entry = rule, entry
        wild = session.scalar(select(Submission).join(System).where(System.name == "wild"))
        submissions.choose(session, wild, session.scalar(select(User).where(User.name == "anna")))
    with filled.read() as session:
        benchmark = session.scalar(select(Benchmark))
        board = leaderboard(session, NOBODY, benchmark.versions[-1], default_phase(benchmark))
    assert {line.system for line in board.lines if not line.decoy} == standing


def test_a_metric_that_ranks_a_decoy_high_is_marked(database, settings) -> None:
    with database.write() as session:
        organiser = making.user(session, settings, "olga", "organiser")
        user, team = making.participant(session, settings)
        made = making.benchmark(session, settings, organiser, data=making.small_data(metrics="ld,accuracy"))
        making.submission(session, made, team, user, text=making.GOOD)
    worker = Worker(database, settings)
    while worker.work():
        pass
    with database.read() as session:
        benchmark = session.scalar(select(Benchmark))
        board = leaderboard(session, NOBODY, benchmark.versions[-1], default_phase(benchmark))
    assert {column.metric: column.deceived for column in board.columns} == {"ld": ("(source)",), "accuracy": ()}


def test_an_error_is_tried_again_and_then_costs_nothing(database, settings, monkeypatch) -> None:
    with database.write() as session:
        organiser = making.user(session, settings, "olga", "organiser")
        user, team = making.participant(session, settings)
        made = making.benchmark(session, settings, organiser, data=making.small_data(decoys=()), per_day=1)
        row = making.submission(session, made, team, user)
        phase, submission_id = made.phases[0].id if made.phases else row.phase_id, row.id
    tried = []

    def broken(*_: object, **__: object) -> None:
        tried.append(1)
        raise RuntimeError("out of luck")

    worker = Worker(database, settings)
    with monkeypatch.context() as patch:
        patch.setattr("gecval.board.worker.score_system", broken)
        while worker.work():
            pass
    assert len(tried) == settings.tries
    with database.write() as session:
        job = session.scalar(select(Job).where(Job.submission_id == submission_id))
        assert (job.state, job.log) == ("failed", "RuntimeError: out of luck")
        assert submissions.quota(session, session.get_one(Phase, phase), team.id).left == 1
        assert queue.requeue(session, submission_id, "failed") == 1
    assert worker.work()
    with database.read() as session:
        assert session.scalar(select(Job.state)) == "done"


def test_deleted_submissions_are_forgotten_when_undo_is_over(filled, settings) -> None:
    with filled.write() as session:
        wild = session.scalar(select(Submission).join(System).where(System.name == "wild"))
        user = session.scalar(select(User).where(User.name == "anna"))
        submissions.delete(session, wild, user)
        retention.forget(session, settings)
        assert session.get(Submission, wild.id) is not None
        wild.deleted -= 31 * DAY
        session.flush()
        with pytest.raises(InputError, match="for 30 days"):
            submissions.undo(session, wild, user, days=30)
        digest, key = wild.blob, wild.id
        retention.forget(session, replace(settings, undo_days=30))
    with filled.read() as session:
        assert session.get(Submission, key) is None
        assert session.get(Blob, digest) is None
        assert session.scalars(select(SystemScore).where(SystemScore.submission_id == key)).all() == []


def test_the_board_of_the_2016_paper(data: Path, settings) -> None:
    files, corpus = checked(settings, presets.no_comparison())
    assert (len(corpus), corpus.reference_count, len(files.references)) == (1312, "20", 20)
    data = presets.no_comparison()
    assert board_metrics(data.metrics)[:4] == ["gleu", "m2", "imeasure(mix=False)", "lt"]
    # The weights of the paper's Table 2.
    assert data.metrics[4:] == [
        "interpolated(gleu, lt, 0.04)",
        "interpolated(m2, lt, 0.0)",
        "interpolated(imeasure(mix=False), lt, 0.01)",
    ]
    names = [file.name for file in data.references]
    assert names[:2] == ["official-2014.0.m2", "official-2014.1.m2"]
    assert names[2:12] == [f"A{annotator}.m2" for annotator in range(1, 11)]


@pytest.mark.parametrize(
    "spelling",
    [
        "errant(ignore=('R:SPELL', 'M:PUNCT'))",
        "errant(ignore=('R:VERB:SVA',))",
        "errant(weights={'R:SPELL': 0.5, 'OTHER': 2})",
        "weighted(errant(ignore=('R:SPELL',)))",
    ],
)
def test_types_of_errors_have_colons(spelling: str) -> None:
    assert board_metrics([spelling]) == [spelling]


def test_extractors_read_no_files_of_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tmp_path / "here"
    for folder in (here / "gold", here / "model"):
        folder.mkdir(parents=True)
    for folder in (tmp_path, here, here / "gold"):
        (folder / "gold.m2").write_text("S a\n\n")
    (here / "model/meta.json").write_text('{"version": "1"}')
    (here / "BAD.py").write_text("raise SystemExit")
    monkeypatch.chdir(here)
    monkeypatch.syspath_prepend(here)
    for spelling in (
        *('cleme(edits=".")', 'cleme(edits="..")', 'cleme(edits="gold")', 'errant(model="gold")'),
        *('errant(model="model")', "cleme(edits='errant(model=\"model\")')"),
        *('errant(model="BAD:X")', 'errant(model="BAD:X" "y")'),
        "errant(model='cherrant(resources=\"gold\")')",
        'interpolated(gleu, cleme(edits="gold"))',
    ):
        with pytest.raises(InputError, match="is not for a board: it reads files"):
            board_metrics([spelling])
    split = "errant(model='errant(merging=\"all-split\")')"
    assert board_metrics([split]) == [split]


def test_spellings_have_a_bound() -> None:
    """300 letters, blanks among them; an error shows 60 of them."""
    padded = "gleu(" + " " * 293 + ")"
    assert len(padded) == 299
    assert board_metrics([f"{padded} "]) == ["gleu"]
    with pytest.raises(InputError, match="is spelled with more than 300 letters"):
        board_metric("gleu(" + " " * 295 + ")")
    assert repr(board_metric("gleu(" + " " * 294 + ")")) == "gleu"
    assert board_metrics([f"gleu(n={n})" for n in (1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13)])[-1] == "gleu(n=13)"
    assert "llm-judge" not in choosable()
    assert "gleu" in choosable()
    for spelling in ("errant('a.txt')", "gotoscorer(pool='names')", 'errant(weights="prices")'):
        with pytest.raises(InputError, match="is not for a board"):
            board_metric(spelling)
    for spelling in ("gotoscorer", "errant", "weighted(errant)", "interpolated(gleu, accuracy, 0.5)"):
        assert board_metric(spelling)
