"""A benchmark in Chinese: every character is a token, from the form to the command that prints its scores."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from sqlalchemy import select

from board.serving import Served
from gecval import Corpus, Resampling, score
from gecval.board.database.models import Benchmark, Submission, System, SystemScore, Version
from gecval.board.shown import judging

SOURCE = ["他明天昨天去。", "我很喜欢吃苹。"]
REFERENCE = ["他昨天去了。", "我很喜欢吃苹果。"]
MINE = ["他昨天去。", "我很喜欢吃苹果。"]


def text(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def test_from_the_form_to_the_leaderboard(database, settings) -> None:
    for library in ("pypinyin", "opencc"):
        pytest.importorskip(library, reason="needs the extra: pip install 'gecval[zh]'")
    served = Served(database, settings)
    files = [("source", ("src.txt", text(SOURCE))), ("public", ("ref.txt", text(REFERENCE)))]
    metrics = ["gleu", "m2", "errant(lang='zh')"]
    fields = {"name": "Chinese", "metrics": ", ".join(metrics), "phase": "open", "language": "zh", "tokenize": "char"}
    olga = served.browser("olga")
    refused = olga.send("/new", {**fields, "tokenize": "word"}, form="/new", files=files)
    assert "tokenize is char or nothing, not" in refused.text
    assert olga.send("/new", fields, form="/new", files=files).headers["location"] == "/b/chinese"
    anna = served.browser("anna")
    assert anna.submit("chinese", text=text(MINE).decode(), seen="no").status_code == 303
    served.work()
    with database.read() as session:
        version = session.scalars(select(Version).join(Benchmark).where(Benchmark.slug == "chinese")).one()
        assert (version.tokenize, judging(version)) == ("char", "--lang zh --tokenize char")
        of_mine = select(SystemScore).join(Submission).join(System).where(System.name == "mine")
        kept = {row.metric: (row.score, row.signature) for row in session.scalars(of_mine)}
    corpus = Corpus.from_texts(SOURCE, [[line] for line in REFERENCE], language="zh", tokenize="char")
    ours = score(corpus, {"mine": MINE}, metrics, resampling=Resampling())
    assert kept == {row.metric: (row.score, row.signature) for row in ours}
    assert [round(row.score, 3) for row in ours] == [0.76, 0.909, 0.909]  # one of three edits is missed
    assert "|tokenize:char|" in kept["gleu"][1]


def test_the_options_that_say_how_texts_are_judged() -> None:
    version = SimpleNamespace(missing="copy", language="a b", tokenize="char", edits="plain")
    assert judging(version) == "--missing-annotator copy --lang 'a b' --tokenize char --edits plain"
    assert judging(SimpleNamespace(missing="absent", language="", tokenize="", edits="")) == ""
