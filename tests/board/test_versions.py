"""A benchmark with two versions: every page, file and call shows the last one, unless another is asked for."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from sqlalchemy import func, select

from board import making
from board.serving import Served
from gecval.board import benchmark_data, benchmarks, leaderboard, public_scores, system_report, systems
from gecval.board.access import NOBODY, Viewer
from gecval.board.benchmark_data import UploadedFile, VersionData, VersionFiles, read_output
from gecval.board.database.models import (
    Benchmark,
    Blob,
    Job,
    ReferenceSet,
    Submission,
    System,
    SystemScore,
    User,
    Version,
)
from gecval.board.errors import NotFoundError
from gecval.board.scoring import pack_array, score_system
from gecval.board.submissions import load_scores
from gecval.board.web.rendering import format_number, format_part, web_address
from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.runtime.run import SERIAL
from gecval.stats import Interval, Resampling
from gecval.studies.compare.result import Comparison


@pytest.fixture
def served(on_sqlite, settings) -> Served:
    return Served(on_sqlite, settings)


def second(**more: object) -> VersionData:
    """The same sentences with one reference, the second one."""
    return replace(
        making.small_data(), references=(UploadedFile(name="ref.txt", content=making.SECOND.encode()),), **more
    )


def test_the_last_version_is_shown(served) -> None:
    address = served.benchmark()
    anna = served.browser("anna")
    page = anna.submit(address).headers["location"]
    served.work()
    with served.database.write() as session:
        olga = session.scalar(select(User).where(User.name == "olga"))
        benchmarks.add_version(session, served.settings, olga, session.scalar(select(Benchmark)), second())
    served.work()
    client = served.browser().client
    with served.database.read() as session:
        mine = session.scalars(select(System.id).where(System.name == "mine")).one()
        source = session.scalars(select(System.id).where(System.name == "(source)")).one()
        old, new = session.scalars(select(Version).order_by(Version.number)).all()
        gleu = {
            row.version_id: row.score
            for row in session.scalars(select(SystemScore).join(Submission).where(Submission.system_id == mine))
            if row.metric == "gleu"
        }
        assert gleu[old.id] != gleu[new.id]
    place = f"/b/{address}/systems/{mine}"
    told = f"/api{page.replace('/b/', '/benchmarks/')}"
    assert [row["score"] for row in client.get(told).json()["scores"] if row["metric"] == "gleu"] == [gleu[new.id]]
    for path in (f"/b/{address}", f"/b/{address}/leaderboard.csv", place, f"/api/benchmarks/{address}/leaderboard"):
        for query, version in (("", new), ("?version=1", old), ("?version=2", new)):
            text = client.get(path + query).text
            assert (str(gleu[version.id]) in text or f"{gleu[version.id]:.4f}" in text) is True, path + query
            other = gleu[old.id if version is new else new.id]
            assert str(other) not in text
    pages = [client.get(f"{place}/sentences{query}").text for query in ("", "?version=2", "?version=1")]
    assert ["She likes apples ." in page for page in pages] == [False, False, True]
    for path in (f"{place}/against?other={source}&", f"{place}/passport?"):
        pages = [client.get(path + query).text for query in ("", "version=2", "version=1")]
        assert pages[0] == pages[1] != pages[2]
    assert client.get(f"/b/{address}/files/ref.txt").text == making.SECOND
    assert client.get(f"/b/{address}/files/ref.txt?version=1").status_code == 404
    asked = []
    served.app.state.reports.page = lambda version_id, ids, scoring: asked.append(version_id)
    for path in ("report", "report/state"):
        for query in ("", "?version=1"):
            client.get(f"{place}/{path}{query}")
    assert asked == [new.id, old.id] * 2
    # A decoy is of one version: its page tells of that one.
    with served.database.read() as session:
        first = session.scalars(
            select(Submission.id).where(Submission.system_id == source).where(Submission.version_id == old.id)
        ).one()
        kept = session.scalars(select(SystemScore).where(SystemScore.submission_id == first)).all()
    scores = client.get(f"/api/benchmarks/{address}/submissions/{first}").json()["scores"]
    assert {row["metric"]: row["score"] for row in scores} == {row.metric: row.score for row in kept}


def test_an_output_fits_the_last_version(served) -> None:
    address = served.benchmark(data=making.small_data(decoys=()))
    with served.database.write() as session:
        olga = session.scalar(select(User).where(User.name == "olga"))
        short = VersionData(
            source=UploadedFile(name="src.txt", content=b"He go .\n"),
            references=(UploadedFile(name="ref.txt", content=b"He goes .\n"),),
            metrics="gleu,accuracy",
            decoys=(),
        )
        benchmarks.add_version(session, served.settings, olga, session.scalar(select(Benchmark)), short)
    anna = served.browser("anna")
    assert "mine.txt has 4 lines, src.txt 1" in anna.submit(address).text
    assert anna.submit(address, text="He goes .\n").status_code == 303
    served.work()
    with served.database.read() as session:
        rows = session.scalars(select(SystemScore)).all()
        # One sentence does not show what chance can do; it has no four words, so that GLEU is 0.
        assert {(row.metric, row.score, row.low, row.level, row.resampled) for row in rows} == {
            ("gleu", 0.0, None, None, None),
            ("accuracy", 1.0, None, None, None),
        }
        version = rows[0].version_id
        row = session.scalars(select(Submission)).one()
        lines = list(systems._make_lines(session, session.get_one(Version, version), row))
        assert {row["interval"] for row in map(json.loads, lines) if "interval" in row} == {None}


def test_two_sentences_have_intervals() -> None:
    for count, known in ((1, False), (2, True)):
        corpus = Corpus.from_texts(["a b"] * count, [["a c"]] * count)
        [kept] = score_system(
            corpus,
            corpus.system("s", ["a c"] * count),
            ["accuracy"],
            aggregate="corpus",
            edits=None,
            resampling=Resampling(),
            run=SERIAL,
        )
        assert (kept.resampled is not None) == (kept.score.interval is not None) == known


def test_the_files_of_an_output() -> None:
    corpus = Corpus.from_texts(["a b", "c d"], [["a c"], ["c d"]])
    for name in ("mine.txt", "mine.out", "mine.tok", "mine.hyp", "mine.pred", "mine", "mine.m2", ".txt", "mine.v2"):
        assert list(read_output(corpus, "s", name, b"a c\nc d\n").hypotheses) == ["a c", "c d"]
    many = b"".join(b'{"source": "%s", "hypotheses": {"x": "a", "y": "b"}}\n' % text for text in (b"a b", b"c d"))
    with pytest.raises(InputError, match=r"^many\.jsonl holds the outputs of 2 systems; submit them one by one$"):
        read_output(corpus, "s", "many.jsonl", many)


def test_decoys_of_a_corpus() -> None:
    two = Corpus.from_texts(["a b c d", "e f"], [["a c", "a d"], ["e g", "e h"]])
    assert benchmark_data.decoy_outputs("(reference)", two) == ["a c", "e g"]
    assert benchmark_data.decoy_outputs("(source)", two) == ["a b c d", "e f"]
    judged = benchmark_data.corpus_for("(reference)", two)
    assert [judged.texts_of(number) for number in range(2)] == [["a d"], ["e h"]]
    assert benchmark_data.corpus_for("(source)", two) is two
    uneven = Corpus.from_texts(["a b", "e f"], [["a c", "a d"], ["e g"]])
    assert benchmark_data.decoy_outputs("(reference)", uneven) is None
    three = Corpus.from_texts(["a b", "e f"], [["a c", "a d", "a e"], ["e g", "e h", "e i"]])
    assert [benchmark_data.corpus_for("(reference)", three).texts_of(number) for number in range(2)] == [
        ["a d", "a e"],
        ["e h", "e i"],
    ]
    shuffled = [benchmark_data.decoy_outputs("(shuffled)", two) for _ in range(2)]
    assert shuffled[0] == shuffled[1]  # the same on every machine
    assert [sorted(text.split()) for text in shuffled[0]] == [["a", "b", "c", "d"], ["e", "f"]]


def test_what_hidden_references_leave_of_a_test() -> None:
    comparison = Comparison(
        metric="gleu",
        baseline="b",
        system="s",
        baseline_score=0.12378,
        score=0.45678,
        difference=0.33301,
        interval=Interval(0.12367, 0.56789),
        p=0.0487,
        p_studentised=0.0487,
        p_bootstrap=0.0487,
        p_randomisation=0.0312,
        level=0.95,
        higher_is_better=True,
        signature="s",
    )
    hidden = Version(digits=3, references=[ReferenceSet(hidden=True)])
    rounded = systems._round(comparison, hidden)
    assert (rounded.baseline_score, rounded.score, rounded.difference) == (0.124, 0.457, 0.333)
    assert tuple(rounded.interval) == (0.103, 0.563)  # half of it is rounded up, .2221 to .23
    assert (rounded.p, rounded.p_bootstrap, rounded.p_randomisation) == (0.05, 0.05, 0.03)


def test_what_is_shown_of_a_score(served) -> None:
    address = served.benchmark(data=making.small_data(decoys=("(reference)",), missing="absent"))
    served.browser("anna").submit(address)
    served.work()
    with served.database.read() as session:
        version = session.scalars(select(Version)).one()
        olga = Viewer.load(session, session.scalar(select(User).where(User.name == "olga")))
        rows = {
            row.submission_id: row for row in session.scalars(select(SystemScore).where(SystemScore.metric == "gleu"))
        }
        of = {row.system.name: row for row in session.scalars(select(Submission))}
        mine = public_scores.make_public(NOBODY, version, of["mine"], rows[of["mine"].id])
        assert mine.command == "gecval score mine.txt -s src.txt -r ref0.txt -r ref1.txt -m gleu --ci"
        assert mine.score == rows[of["mine"].id].score
        reference = public_scores.make_public(NOBODY, version, of["(reference)"], rows[of["(reference)"].id])
        assert reference.command is None
        rows[of["mine"].id].low = rows[of["mine"].id].high = None
        mine = public_scores.make_public(NOBODY, version, of["mine"], rows[of["mine"].id])
        assert (mine.low, mine.high) == (None, None)
        # All references hidden, and no source beside them: the source sentences are still seen.
        assert systems.load_visible_corpus(session, NOBODY, version).texts_of(1) == [
            "She likes apples .",
            "She likes an apple .",
        ]
        for reference_set in version.references:
            reference_set.hidden = reference_set.position == 0
        assert systems.load_visible_corpus(session, NOBODY, version).texts_of(1) == ["She likes an apple ."]
        assert len(systems.load_visible_corpus(session, olga, version).texts_of(1)) == 2
        # Intervals on hidden references are coarse, but end where the scale does.
        row = rows[of["mine"].id]
        for metric, expected in (("gleu", (0.26, 1.0)), ("imeasure", (0.26, 1.0)), ("reward", (0.26, 1.24))):
            row.metric, row.score, row.low, row.high = metric, 0.75, 0.5, 1.471
            mine = public_scores.make_public(NOBODY, version, of["mine"], row)
            assert (mine.score, (mine.low, mine.high)) == (0.75, expected)
        row.metric, row.score = "imeasure", -0.8
        mine = public_scores.make_public(NOBODY, version, of["mine"], row)
        assert (mine.score, mine.low, mine.high) == (-0.8, -1.0, -0.31)
        session.rollback()


def test_sources_that_come_with_hidden_references_are_seen(on_sqlite, settings) -> None:
    served = Served(on_sqlite, settings)
    gold = b"S He go .\nA 1 2|||R:V|||goes|||REQUIRED|||-NONE-|||0\n\nS Fine .\n\n"
    data = VersionData(
        source=None, references=(UploadedFile(name="g.m2", content=gold, hidden=True),), metrics="m2", decoys=()
    )
    address = served.benchmark(data=data, private=False)
    anna = served.browser("anna")
    anna.submit(address, text="He goes .\nFine .\n")
    served.work()
    with served.database.read() as session:
        system = session.scalars(select(System)).one()
        version = session.scalars(select(Version)).one()
        listed = systems.list_sentences(session, NOBODY, version, system)
        assert [(row.number, row.source, row.references, row.scores) for row in listed] == [
            (1, "He go .", (), {}),
            (2, "Fine .", (), {}),
        ]
        with pytest.raises(NotFoundError, match="the references are hidden, so there is no report"):
            systems.find_reported(session, NOBODY, version, [system])
        assert VersionFiles.load(session, version).source is None


def test_a_comparison_needs_two_scores(served) -> None:
    address = served.benchmark(data=making.small_data(decoys=()))
    for name in ("anna", "ben"):
        served.browser(name).submit(address, system=name)
    served.work()
    with served.database.read() as session:
        version = session.scalars(select(Version)).one()
        pair = [session.scalars(select(System).where(System.name == name)).one() for name in ("anna", "ben")]
        compared = systems.compare(session, NOBODY, version, *pair)
        assert [(row.metric, row.test.baseline, row.test.system) for row in compared if row.test] == [
            ("gleu", "anna", "ben"),
            ("accuracy", "anna", "ben"),
        ]
        assert systems.list_sentences(session, NOBODY, version, pair[0])[0].number == 1
    for one in (0, 1):
        for change in ("resampled", "metric", "state"):
            with served.database.read() as session:
                version = session.scalars(select(Version)).one()
                pair = [session.scalars(select(System).where(System.name == name)).one() for name in ("anna", "ben")]
                rows = load_scores(session, version)[pair[one].submissions[0].id]
                if change == "state":
                    pair[one].submissions[0].withdrawn = 1.0
                    session.flush()
                    with pytest.raises(NotFoundError, match="one of the systems has no scores here"):
                        systems.compare(session, NOBODY, version, *pair)
                else:
                    setattr(rows["gleu"], change, None if change == "resampled" else "other")
                    session.flush()
                    assert [row.metric for row in systems.compare(session, NOBODY, version, *pair)] == ["accuracy"]
                session.rollback()


def test_the_report_of_submissions_under_the_metrics_that_all_have(served, monkeypatch) -> None:
    address = served.benchmark(data=making.small_data(decoys=()))
    for name in ("anna", "ben"):
        served.browser(name).submit(address, system=name, name=f"{name}.txt")
    served.work()
    seen = []

    def looked(corpus: Corpus, outputs: list, metrics: list, **more: object) -> SimpleNamespace:
        return SimpleNamespace(systems=[row.name for row in outputs], metrics=[row.name for row in metrics], **more)

    monkeypatch.setattr(system_report, "overview", looked)
    monkeypatch.setattr(system_report, "page", lambda overview, **more: seen.append(overview) or "page")
    with served.database.read() as session:
        version = session.scalars(select(Version)).one()
        rows = [row.submissions[0] for row in session.scalars(select(System).order_by(System.name))]
        session.delete(load_scores(session, version)[rows[1].id]["accuracy"])
        session.flush()
        assert system_report.report_page(session, version, rows) == "page"
        [overview] = seen
        assert (overview.systems, overview.metrics) == (["anna", "ben"], ["gleu"])
        assert overview.inputs == "anna.txt ben.txt -s src.txt -r ref0.txt -r ref1.txt"
        assert [[row.system for row in listed] for listed in overview.evaluations] == [["anna", "ben"]]
        session.delete(load_scores(session, version)[rows[1].id]["gleu"])
        session.flush()
        with pytest.raises(InputError, match=r"^there are no scores yet$"):
            system_report.report_page(session, version, rows)
        session.rollback()


def test_numbers_and_links_of_pages() -> None:
    assert (format_number(0.45678912), format_number(0.45678912, 2), format_number(None)) == ("0.4568", "0.46", "–")
    assert [format_part(value) for value in (12.0, -3.0, 1.0, 0.0, 0.25, 2.5)] == [
        *("12", "-3", "1.0000", "0.0000", "0.2500", "2.5000")
    ]
    assert web_address(" http://example.org ") == "http://example.org"
    for wrong in ("https://example.org/a b", "see https://", "ftp://example.org"):
        assert web_address(wrong) is None


def test_ranks_follow_the_level(on_sqlite) -> None:
    rows = [
        SimpleNamespace(id=name, score=score, higher_is_better=True, level=0.2)
        for name, score in (("a", 0.6), ("b", 0.5))
    ]
    chance = np.random.default_rng(1).normal(0, 0.1, 1000)
    packed = {"a": 0.6 + chance, "b": 0.5 - chance}
    session = SimpleNamespace(execute=lambda _: [(name, pack_array(values)) for name, values in packed.items()])
    version = Version()
    narrow = leaderboard.compute_ranking(session, version, rows)["places"]
    for row in rows:
        row.level = 0.95
    wide = leaderboard.compute_ranking(session, version, rows)["places"]
    assert (narrow["a"][:2], wide["a"][:2]) == ([1, 1], [1, 2])


def test_a_page_asks_again_while_a_submission_waits(served) -> None:
    address = served.benchmark(data=making.small_data(decoys=()))
    anna = served.browser("anna")
    page = anna.submit(address).headers["location"]
    assert f'hx-get="{page}/status" hx-trigger="every 1500ms"' in anna.get(page)
    served.work()
    assert "hx-get" not in anna.get(page)


def longer(**more: object) -> VersionData:
    """One sentence more than everybody has submitted."""
    more_lines = UploadedFile(name="src.txt", content=(making.SOURCE + "One more .\n").encode())
    reference = UploadedFile(name="ref.txt", content=(making.FIRST + "One more .\n").encode())
    return replace(making.small_data(), source=more_lines, references=(reference,), **more)


def test_a_version_of_another_length_is_refused_once_there_are_submissions(served) -> None:
    address = served.benchmark()

    def add(data: VersionData) -> int:
        with served.database.write() as session:
            olga = session.scalar(select(User).where(User.name == "olga"))
            return benchmarks.add_version(
                session, served.settings, olga, session.scalar(select(Benchmark)), data
            ).number

    assert add(longer()) == 2
    with served.database.write() as session:
        made = session.scalar(select(Benchmark))
        benchmarks.remove_version(session, session.scalar(select(User)), made, made.versions[-1])
    served.browser("anna").submit(address)
    why = "the source has 5 sentences, that of version 1 has 4, so no output that was submitted fits it; make a new"
    with pytest.raises(InputError, match=why):
        add(longer())
    assert add(second()) == 2


def test_the_latest_version_is_removed_with_all_that_came_from_it(served) -> None:
    address = served.benchmark()
    anna, olga = served.browser("anna"), served.browser("olga")
    anna.submit(address)
    served.work()
    before = served.browser().get(f"/b/{address}/leaderboard.csv")

    def count() -> list[int]:
        with served.database.read() as session:
            return [
                session.scalar(select(func.count()).select_from(table))
                for table in (Version, ReferenceSet, Job, SystemScore, Blob, Submission)
            ]

    first = count()
    page = f"/b/{address}/settings"
    only = olga.send(f"/b/{address}/versions/1/remove", {}, form=page)
    assert (only.status_code, "only the latest version can be removed" in only.text) == (400, True)
    files = [("source", ("src.txt", making.SOURCE.encode())), ("public", ("new.txt", making.WILD.encode()))]
    assert olga.send(f"/b/{address}/versions", {"metrics": "gleu"}, form=page, files=files).status_code == 303
    anna.submit(address, system="late", text=making.WILD)  # it was never asked to be scored on version 1
    served.work()
    assert count() != first
    assert anna.send(f"/b/{address}/versions/2/remove", {}, form="/account").status_code == 403
    assert olga.send(f"/b/{address}/versions/2/remove", {}, form=page).headers["location"] == page
    served.work()
    with served.database.read() as session:
        late = session.scalars(select(System).where(System.name == "late")).one()
        assert [job.state for job in late.submissions[0].jobs] == ["done"]
    after = served.browser().get(f"/b/{address}/leaderboard.csv")
    assert "late" in after
    mine = [line for line in before.splitlines() if line.startswith("mine,")]
    assert [line.split(",")[:7] for line in mine] == [
        line.split(",")[:7] for line in after.splitlines() if line.startswith("mine,")
    ]
    olga.get(f"/b/{address}?version=2", 404)
    assert [now - then for now, then in zip(count(), first, strict=True)] == [0, 0, 1, 2, 1, 1]  # those of ``late``
