"""Scores of the board are those of ``gecval score``."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from sqlalchemy import select

from board import making
from board.serving import Served
from gecval.board import benchmark_data, queue, retention, submissions, systems
from gecval.board.access import NOBODY
from gecval.board.allowed_metrics import board_metric, board_metrics, list_metrics
from gecval.board.benchmark_data import VersionFiles, check_data
from gecval.board.clock import DAY
from gecval.board.database.models import (
    REFERENCE,
    Benchmark,
    Blob,
    Job,
    Phase,
    Submission,
    System,
    SystemScore,
    User,
    Version,
)
from gecval.board.leaderboard import find_default_phase, make_leaderboard
from gecval.board.public_scores import scoring_options
from gecval.board.scoring import pack_statistics, unpack_statistics
from gecval.board.worker import Worker
from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.metrics.base import Statistics
from gecval.stats import Resampling
from gecval.studies.compare.study import compare
from gecval.studies.scores.study import score

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
        board = make_leaderboard(session, NOBODY, version, find_default_phase(benchmark))
        corpus = VersionFiles.load(session, version).corpus()
    outputs = {system: text.splitlines() for system, text in TEXTS.items()}
    ours = score(corpus, outputs, METRICS.split(","), confidence=Resampling(), clusters=True)
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
    [alone] = score(benchmark_data.corpus_for(REFERENCE, corpus), [reference], ["gleu"])
    assert by_system["(reference)"].cells["gleu"].score.score == alone.score
    assert next(line.system for line in board.lines if not line.decoy) == "best"


def test_paired_tests_from_what_was_kept_are_those_of_the_study(filled) -> None:
    with filled.read() as session:
        version = session.scalar(select(Benchmark)).versions[-1]
        pair = [session.scalar(select(System).where(System.name == name)) for name in ("wild", "good")]
        kept = systems.compare(session, NOBODY, version, *pair)
        sentences = systems.list_sentences(session, NOBODY, version, pair[1])
        corpus = VersionFiles.load(session, version).corpus()
    wild, good = (corpus.system(name, TEXTS[name].splitlines()) for name in ("wild", "good"))
    theirs = compare(corpus, wild, [good], METRICS.split(","))
    assert [pair.test for pair in kept] == list(theirs)
    assert [(pair.baseline_score, pair.score, pair.difference) for pair in kept] == [
        (test.baseline_score, test.score, test.difference) for test in theirs
    ]
    alone = score(corpus, [good], ["gleu"], sentences=True)[0].sentences
    assert [sentence.scores["gleu"] for sentence in sentences] == alone.tolist()
    assert sentences[0].references == ("He goes home .", "He went home .")


def test_what_is_packed_comes_out_the_same() -> None:
    statistics = Statistics(np.random.default_rng(1).random((5, 3)), np.array([0, 2, 5], dtype=np.int64))
    again = unpack_statistics(pack_statistics(statistics))
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
        board = make_leaderboard(session, NOBODY, benchmark.versions[-1], find_default_phase(benchmark))
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
        board = make_leaderboard(session, NOBODY, benchmark.versions[-1], find_default_phase(benchmark))
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

    worker = Worker(database, replace(settings, pause=0.0))
    with monkeypatch.context() as patch:
        patch.setattr("gecval.board.worker.score_system", broken)
        while worker.work():
            pass
    assert len(tried) == settings.tries
    with database.write() as session:
        job = session.scalar(select(Job).where(Job.submission_id == submission_id))
        assert (job.state, job.log) == ("failed", "RuntimeError: out of luck")
        assert submissions.count_quota(session, session.get_one(Phase, phase), team.id).left == 1
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
    data = benchmark_data.load_no_comparison(settings)
    files, corpus = check_data(settings, data)
    assert (len(corpus), corpus.reference_count, len(files.references)) == (1312, "20", 20)
    # The copies of the first reference (A7 has other words in 6 sentences) are not among those that it is scored on.
    assert benchmark_data.find_copies(corpus) == [8]
    assert benchmark_data.corpus_for(REFERENCE, corpus).reference_count == "18"
    assert (data.aggregate, data.offered) == ("mean", False)
    assert board_metrics(data.metrics) == [
        "gleu",
        "m2(unchanged='zero')",
        "imeasure(mix=False, unchanged='zero')",
        "lt",
        "interpolated(gleu, lt, 0.36)",
        "interpolated(imeasure(mix=False, unchanged='zero'), lt, 0.08)",
    ]
    names = [file.name for file in data.references]
    assert names[:2] == ["official-2014.0.m2", "official-2014.1.m2"]
    assert names[2:12] == [f"A{annotator}.m2" for annotator in range(1, 11)]


def test_a_model_of_lfm_may_lie_in_the_folder_of_the_board(data: Path, settings, database) -> None:
    """By its name alone; then the 2016 board has it too."""
    mine = replace(settings, data=settings.data / "mine")
    mine.check()
    model = {"gecval": "lfm", "intercept": 4.0, "weights": {}, "judges": {}, "trained": {}}
    (mine.data / "lfm.json").write_text(json.dumps(model))
    assert benchmark_data.load_no_comparison(mine).metrics[-2:] == [
        "lfm(model='lfm.json')",
        "interpolated(gleu, lfm(model='lfm.json'), 0.23)",
    ]
    spelling = "lfm(model='lfm.json')"
    for wrong in ("../lfm.json", "/lfm.json", "more/lfm.json", "lfm.txt"):
        with pytest.raises(InputError, match="is not for a board"):
            board_metric(f"lfm(model={wrong!r})")
    with pytest.raises(InputError, match="is not for a board"):
        board_metric("errant(model='lfm.json')")
    with database.write() as session:
        organiser = making.user(session, mine, "olga", "organiser")
        user, team = making.participant(session, mine)
        made = making.benchmark(
            session, mine, organiser, data=making.small_data(metrics=f"gleu,{spelling}", language="en", decoys=())
        )
        making.submission(session, made, team, user)
    assert Worker(database, mine).work()
    with database.read() as session:
        row = session.scalar(select(SystemScore).where(SystemScore.metric == spelling))
        assert row is not None
        assert row.score == 1.0
        assert row.signature.startswith("lfm|model:lfm.json:")


def test_a_copy_of_the_reference_is_not_among_the_others(settings) -> None:
    """It would score nearly 1 against itself. In a few sentences two references may be equal by chance."""

    def corpus(*columns: list[str]) -> Corpus:
        return Corpus.from_texts(["a b"] * len(columns[0]), [list(row) for row in zip(*columns, strict=True)])

    first, other = ["a c"] * 100, ["a d"] * 100
    nearly = ["a c"] * 99 + ["a e"]
    assert benchmark_data.find_copies(corpus(first, other, nearly, first)) == [2, 3]
    assert benchmark_data.find_copies(corpus(first, other, [*nearly[:-2], "a e", "a e"])) == []
    assert benchmark_data.find_copies(corpus(first[:99], first[:99])) == []
    left = benchmark_data.corpus_for(REFERENCE, corpus(first, other, first))
    assert [left.texts_of(number) for number in (0, 99)] == [["a d"], ["a d"]]
    assert benchmark_data.decoy_outputs(REFERENCE, corpus(first, first)) is None


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
    assert "llm-judge" not in list_metrics()
    assert "gleu" in list_metrics()
    for spelling in ("errant('a.txt')", "gotoscorer(pool='names')", 'errant(weights="prices")'):
        with pytest.raises(InputError, match="is not for a board"):
            board_metric(spelling)
    for spelling in ("gotoscorer", "errant", "weighted(errant)", "interpolated(gleu, accuracy, 0.5)"):
        assert board_metric(spelling)


CHINESE_SOURCE = ["他明天昨天去。", "我很喜欢吃苹。"]
CHINESE = ["他昨天去了。", "我很喜欢吃苹果。"]
CHINESE_OUTPUT = ["他昨天去。", "我很喜欢吃苹果。"]


def text(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def test_from_the_form_to_the_leaderboard(database, settings) -> None:
    for library in ("pypinyin", "opencc"):
        pytest.importorskip(library, reason="needs the extra: pip install 'gecval[zh]'")
    served = Served(database, settings)
    files = [("source", ("src.txt", text(CHINESE_SOURCE))), ("public", ("ref.txt", text(CHINESE)))]
    metrics = ["gleu", "m2", "errant(lang='zh')"]
    fields = {"name": "Chinese", "metrics": ", ".join(metrics), "phase": "open", "language": "zh", "tokenize": "char"}
    olga = served.browser("olga")
    refused = olga.send("/new", {**fields, "tokenize": "word"}, form="/new", files=files)
    assert "or nothing, not &#39;word&#39;" in refused.text
    assert olga.send("/new", fields, form="/new", files=files).headers["location"] == "/b/chinese"
    anna = served.browser("anna")
    assert anna.submit("chinese", text=text(CHINESE_OUTPUT).decode(), seen="no").status_code == 303
    served.work()
    with database.read() as session:
        version = session.scalars(select(Version).join(Benchmark).where(Benchmark.slug == "chinese")).one()
        assert (version.tokenize, scoring_options(version)) == ("char", "--lang zh --tokenize char")
        of_mine = select(SystemScore).join(Submission).join(System).where(System.name == "mine")
        kept = {row.metric: (row.score, row.signature) for row in session.scalars(of_mine)}
    corpus = Corpus.from_texts(CHINESE_SOURCE, [[line] for line in CHINESE], language="zh", tokenize="char")
    ours = score(corpus, {"mine": CHINESE_OUTPUT}, metrics, confidence=Resampling())
    assert kept == {row.metric: (row.score, row.signature) for row in ours}
    assert [round(row.score, 3) for row in ours] == [0.76, 0.909, 0.909]  # one of three edits is missed
    assert "|tokenize:char|" in kept["gleu"][1]


def test_the_options_that_say_how_texts_are_judged() -> None:
    version = SimpleNamespace(missing="copy", language="a b", tokenize="char", edits="plain")
    assert scoring_options(version) == "--missing-annotator copy --lang 'a b' --tokenize char --edits plain"
    assert scoring_options(SimpleNamespace(missing="absent", language="", tokenize="", edits="")) == ""
