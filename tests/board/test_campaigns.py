"""People rank outputs: blinded, shuffled, each answer once; the export through ``gecval human`` ranks the same."""

from __future__ import annotations

import csv
import dataclasses
import math
import random
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from gecval.board.database.storage import list_entries

pytest.importorskip("fastapi", reason="the board needs gecval[board]")
from board import making
from board.serving import Browser, Served
from gecval.board import campaign_results, campaigns, retention
from gecval.board.access import NOBODY
from gecval.board.campaign_results import compute_results, load_judgments
from gecval.board.campaigns import load_texts, make_campaign, make_labels, set_judges
from gecval.board.clock import DAY, now
from gecval.board.database import Database, open_database
from gecval.board.database.models import Benchmark, Campaign, Item, Phase, Submission, SystemScore, User
from gecval.board.settings import Settings
from gecval.errors import InputError
from gecval.formats.judgments import read_judgments
from gecval.studies.human.study import human

N = 30  # sentences
GOODNESS = {"good": 3, "fair": 2, "bad": 0, "same": 2}


def _texts() -> dict[str, str]:
    """Outputs with a number of mistakes each; ``same`` writes what ``fair`` writes, but for every third sentence."""
    lines = {name: [] for name in ("src", "ref", *GOODNESS)}
    for n in range(N):
        words = f"a{n} b{n} c{n}".split()
        lines["src"].append(" ".join(f"{word}x" for word in words) + " .")
        lines["ref"].append(" ".join(words) + " .")
        for name, right in GOODNESS.items():
            right = 1 if name == "same" and n % 3 == 0 else right
            lines[name].append(" ".join(words[:right] + [f"{word}x" for word in words[right:]]) + " .")
    return {name: "\n".join(listed) + "\n" for name, listed in lines.items()}


@pytest.fixture
def served(database, settings) -> Served:
    return thirty_sentences(database, settings)


@pytest.fixture(scope="module")
def thirty(tmp_path_factory, empty_file: Path) -> Path:
    """The same board in a SQLite file, and a campaign on it that jo judges."""
    path = tmp_path_factory.mktemp("thirty") / "board.sqlite"
    shutil.copy(empty_file, path)
    database = open_database(f"sqlite:///{path}")
    make(thirty_sentences(database, Settings(data=path.parent, password_cost=1)), "jo")
    database.close()
    return path


@pytest.fixture
def judged(thirty: Path, tmp_path: Path) -> Iterator[Session]:
    """A session on a copy of it."""
    shutil.copy(thirty, tmp_path / "copy.sqlite")
    database = open_database(f"sqlite:///{tmp_path / 'copy.sqlite'}")
    with database.write() as session:
        yield session
    database.close()


def thirty_sentences(database: Database, settings: Settings) -> Served:
    served = Served(database, settings)
    texts = _texts()
    data = making.VersionData(
        source=making.UploadedFile(name="src.txt", content=texts["src"].encode()),
        references=[making.UploadedFile(name="ref.txt", content=texts["ref"].encode())],
        metrics="gleu,accuracy",
    )
    served.benchmark(data=data, name="Thirty")
    for name in GOODNESS:
        assert served.browser("anna").submit("thirty", system=f"{name}, v1", text=texts[name]).status_code == 303
    with database.write() as session:
        making.user(session, settings, "jo", "judge")
        making.user(session, settings, "kim", "judge")
    served.work()
    return served


def make(served: Served, *judges: str) -> str:
    olga = served.browser("olga")
    page = olga.get("/b/thirty/campaigns")
    systems = re.findall(r'name="systems" value="(\w+)"', page)
    assert len(systems) == 5
    people = {name: one for one, name in re.findall(r'name="judges" value="(\w+)"> (\w+)', page)}
    fields = {"name": "Round 1", "systems": systems, "judges": [people[name] for name in judges]}
    answer = olga.send("/b/thirty/campaigns", fields, form="/b/thirty/campaigns")
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def shown(page: str) -> tuple[str, list[str]]:
    outputs = re.findall(r'<fieldset data-output>.*?<p class="text"[^>]*>(.*?)</p>', page, re.S)
    plain = [" ".join(re.sub(r"<del>.*?</del>|<[^>]*>", "", output).split()) for output in outputs]
    return re.search(r'name="number" value="(\d+)"', page)[1], plain


def begin(browser: Browser, path: str) -> None:
    """What *Begin* does."""
    assert browser.send(f"{path}/judge/next", {}).headers["location"] == f"{path}/judge"


def judge(browser: Browser, path: str, *, times: int) -> list[list[str]]:
    """Rank by the number of mistakes, as a good judge does."""
    begin(browser, path)
    seen = []
    for _ in range(times):
        page = browser.get(f"{path}/judge")
        if "Which correction" not in page:
            break
        number, outputs = shown(page)
        seen.append(outputs)
        worth = [output.count("x") for output in outputs]
        ranks = {f"rank{n}": sorted(set(worth)).index(value) + 1 for n, value in enumerate(worth)}
        assert browser.send(f"{path}/judge", {"number": number, **ranks}, form=f"{path}/judge").status_code == 303
    return seen


def test_two_judges_rank_and_the_export_gives_the_same_ranking(served, tmp_path: Path) -> None:
    path = make(served, "jo", "kim")
    jo, kim = served.browser("jo"), served.browser("kim")
    assert "Round 1" in jo.get("/campaigns")
    seen = judge(jo, path, times=12) + judge(kim, path, times=9)
    assert all(2 <= len(outputs) <= 5 for outputs in seen)
    assert all(len(set(outputs)) == len(outputs) for outputs in seen)  # equal ones once
    assert {len(outputs) for outputs in seen} <= {3, 4}  # all of them, where five or fewer differ
    page = jo.get(f"{path}/judge")
    for name in (*GOODNESS, "Thirty", "team anna", "INPUT"):
        assert not re.search(rf"\b{name}\b", page)  # as a word: the letters may stand in a random address
    assert jo.send(f"{path}/judge", {"number": shown(page)[0], "skip": "true"}, form="/account").status_code == 303

    olga = served.browser("olga")
    page = olga.get(path)
    assert "21 rankings of" in page
    assert "Expected Wins" in page
    assert "TrueSkill" in page
    assert re.search(r"within a judge 1\.00 \([36] comparisons\)", page)
    assert "Do the metrics agree" in page
    files = {}
    for kind in ("xml", "jsonl", "csv"):
        answer = olga.client.get(f"{path}/judgments.{kind}")
        assert "attachment" in answer.headers["content-disposition"]
        (tmp_path / f"judgments.{kind}").write_bytes(answer.content)
        files[kind] = human(read_judgments(tmp_path / f"judgments.{kind}"))
    with served.database.read() as session:
        campaign = session.scalar(select(Campaign))
        live = compute_results(session, NOBODY, campaign).result
        wanted = {row.metric: row.spearman.value for row in compute_results(session, NOBODY, campaign).correlations}
    assert set(wanted) == {"gleu", "accuracy"}
    for read in files.values():
        for ranking, ours in zip(read.rankings, live.rankings, strict=True):
            assert ranking.systems == ours.systems
    for ranking in live.rankings:
        assert ranking.systems[0].system == "good_v1"
        assert {standing.system for standing in ranking.systems[-2:]} == {"INPUT", "bad_v1"}
    assert live.judgments[0].output_pairs < live.judgments[0].pairs  # some systems wrote the same
    for read in files.values():  # what was skipped counts in none of them
        exported, shown_here = (
            {**dataclasses.asdict(counts), "judgments": ""} for counts in (read.judgments[0], live.judgments[0])
        )
        for name in ("within_judges", "between_judges"):  # undefined where the two were never given the same sentence
            assert exported.pop(name) == pytest.approx(shown_here.pop(name), rel=0, abs=0, nan_ok=True)
        assert exported == shown_here


def test_every_tenth_item_comes_back_shuffled_and_a_reload_shows_the_same(database, settings, served) -> None:
    make(served, "jo")
    with database.write() as session:
        jo, campaign = session.scalar(select(User).where(User.name == "jo")), session.scalar(select(Campaign))
        chance = random.Random(1)
        for number in range(1, 31):
            item = campaigns.next_item(session, campaign, jo, chance)
            assert item.number == number
            assert campaigns.next_item(session, campaign, jo, chance) is item
            assert (item.repeats is not None) == (number % 10 == 0)
            campaigns.answer(session, campaign, jo, number=number, ranks=list(range(1, len(item.shown) + 1)))
        rows = {item.number: item for item in session.scalars(select(Item))}
        assert [rows[n].repeats for n in (10, 20, 30)] == [1, 2, 3]
        for n in (10, 20, 30):
            first = rows[rows[n].repeats]
            assert rows[n].sentence == first.sentence
            assert sorted(rows[n].shown) == sorted(first.shown)
        assert any(rows[n].shown != rows[rows[n].repeats].shown for n in (10, 20, 30))  # shuffled again
        fresh = [item.sentence for item in rows.values() if item.repeats is None]
        assert len(set(fresh)) == len(fresh) == 27
        assert fresh != sorted(fresh)  # drawn at random
        answered = rows[1].answered
        campaigns.answer(session, campaign, jo, number=1, ranks=[])  # a form sent twice
        assert (rows[1].answered, len(rows[1].ranks)) == (answered, len(rows[1].shown))
        for number in (31, 32, 33):
            campaigns.next_item(session, campaign, jo, chance)
            campaigns.answer(session, campaign, jo, number=number, ranks=[])
        assert campaigns.next_item(session, campaign, jo, chance) is None  # all 30 sentences were seen


def test_the_systems_that_met_least_are_shown(database, served) -> None:
    """Two outputs at a time: of all pairs of the sentence, none is worth more, counted by hand."""
    make(served, "jo")
    with database.write() as session:
        jo, campaign = session.scalar(select(User).where(User.name == "jo")), session.scalar(select(Campaign))
        campaign.most, chance, met = 2, random.Random(1), Counter()
        texts = load_texts(session, campaign)

        def worth(one: list[str], other: list[str]) -> float:
            return sum(1 / (1 + met[frozenset((a, b))]) for a in one for b in other)

        for number in range(1, 10):
            item = campaigns.next_item(session, campaign, jo, chance)
            best = max(worth(*pair) for pair in combinations(texts.groups(item.sentence), 2))
            assert len(item.shown) == 2
            assert worth(*item.shown) == pytest.approx(best)
            campaigns.answer(session, campaign, jo, number=number, ranks=[1, 2])
            session.flush()
            met.update(frozenset(pair) for pair in combinations([label for group in item.shown for label in group], 2))
        assert len(met) == 10  # of five systems, all have met


def test_judges_who_begin_at_once_do_not_all_see_the_same_systems(database, served) -> None:
    """Nobody has answered yet. Where bad leaves the source, and the others differ, each beside it is worth most."""
    make(served, "jo")
    with database.write() as session:
        jo, campaign = session.scalar(select(User).where(User.name == "jo")), session.scalar(select(Campaign))
        campaign.most, beside = 2, set()
        texts = load_texts(session, campaign)
        for seed in range(100):
            item = campaigns.next_item(session, campaign, jo, random.Random(seed))
            if len(texts.groups(item.sentence)) == 4:
                [[other]] = [group for group in item.shown if len(group) == 1]
                beside.add(other)
            session.delete(item)
            session.flush()
        assert beside == {"good_v1", "fair_v1", "same_v1"}


def test_who_may_judge_and_see(served) -> None:
    path = make(served, "jo")
    for name in ("", "anna", "kim"):
        visitor = served.browser(name)
        visitor.get(f"{path}/judge", 404 if name else 303)  # to the log-in, whatever is there
        visitor.get(path, 404)
        visitor.get(f"{path}/judgments.xml", 404)
        assert "Round 1" not in visitor.get("/b/thirty/campaigns")
    jo = served.browser("jo")
    judge(jo, path, times=3)
    jo.get(path, 404)  # live standings are for organisers
    page = f"{path}/judge"
    number, _ = shown(jo.get(page))
    assert jo.client.post(page, data={"number": number, "rank0": "1", "rank1": "2"}).status_code == 403  # no token
    for bad in ({"rank0": "9"}, {"rank0": "1"}, {"rank0": "x", "rank1": "1"}, {}, {"number": "77", "rank0": "1"}):
        assert jo.send(page, {"number": number, **bad}, form=page).status_code == 400, bad
    assert served.browser("anna").send(f"{path}/close", {}).status_code == 403
    olga = served.browser("olga")
    assert olga.send(f"{path}/close", {"closed": "true"}, form=path).status_code == 303
    assert "closed" in jo.get(page)
    assert jo.send(page, {"number": number, "skip": "true"}).status_code == 403
    assert "3 rankings" in served.browser().get(path)
    served.browser().get(f"{path}/judgments.txt", 404)
    with served.database.read() as session:
        actions = [entry.action for entry in list_entries(session)]
    assert {"make campaign", "set judges", "close campaign"} <= set(actions)


def test_in_a_blind_phase_nobody_reads_from_the_judges_how_metrics_rank(served) -> None:
    path = make(served, "jo")
    judge(served.browser("jo"), path, times=9)
    olga = served.browser("olga")
    olga.send(f"{path}/close", {"closed": "true"}, form=path)
    assert "Do the metrics agree" in served.browser().get(path)
    board = served.browser().get("/b/thirty")
    assert "by Expected Wins: 9 rankings" in board
    assert "So few systems say little" in board
    with served.database.write() as session:
        phase = session.scalar(select(Phase))
        phase.blind, phase.closes = True, now() + DAY
    for name in ("", "anna", "jo"):
        page = served.browser(name).get(path)
        assert "Expected Wins" in page
        assert "Do the metrics agree" not in page
        if name:  # who is not logged in may see a page that is some seconds old
            assert "So few systems say little" not in served.browser(name).get("/b/thirty")
    assert "Do the metrics agree" in olga.get(path)


def test_an_output_that_was_deleted_is_shown_no_more(served, settings) -> None:
    make(served, "jo")
    with served.database.write() as session:
        campaign, jo = session.scalar(select(Campaign)), session.scalar(select(User).where(User.name == "jo"))
        item = campaigns.next_item(session, campaign, jo, random.Random(3))
        campaigns.answer(session, campaign, jo, number=1, ranks=list(range(1, len(item.shown) + 1)))
        campaigns.next_item(session, campaign, jo, random.Random(3))
        label = item.shown[0][0]
        contestant = next(one for one in campaign.contestants if one.label == label)
        submission = session.get(Submission, contestant.submission_id)
        submission.deleted = 1.0  # long ago
        session.flush()
        retention.forget(session, settings)
        session.flush()
        session.expire_all()
        assert label not in load_texts(session, campaign).outputs
        assert label in load_judgments(session, campaign).systems
        assert compute_results(session, NOBODY, campaign).by_judge == (("judge1", 1),)
        after = campaigns.next_item(session, campaign, jo, random.Random(3))
        assert label not in [name for group in after.shown for name in group]


def test_csv_is_guarded_and_names_cannot_break_the_xml(database, settings, served, tmp_path: Path) -> None:
    texts = _texts()
    assert served.browser("ben").submit("thirty", system='=cmd|"<&>', text=texts["bad"]).status_code == 303
    served.work()
    with database.write() as session:
        olga, jo = (session.scalar(select(User).where(User.name == name)) for name in ("olga", "jo"))
        benchmark = session.scalar(select(Benchmark))
        chosen = [one.id for one in session.scalars(select(Submission)) if one.system.name in ('=cmd|"<&>', "good, v1")]
        campaign = make_campaign(session, olga, benchmark, name="Two", submissions=chosen)
        set_judges(session, olga, campaign, [jo.id])
        item = campaigns.next_item(session, campaign, jo)
        campaigns.answer(session, campaign, jo, number=1, ranks=[2, 1])
    olga = served.browser("olga")
    rows = list(csv.reader(olga.client.get(f"/c/{campaign.id}/judgments.csv").text.splitlines()))
    assert {row[3] for row in rows[1:]} == {"good_v1", "'=cmd|\"<&>"}
    (tmp_path / "j.xml").write_text(olga.client.get(f"/c/{campaign.id}/judgments.xml").text, "utf-8")
    assert read_judgments(tmp_path / "j.xml").systems == ('=cmd|"<&>', "good_v1")
    assert item.shown[0][0] in ('=cmd|"<&>', "good_v1")
    assert "&lt;&amp;&gt;" in olga.get(f"/c/{campaign.id}")


def test_ranks_that_are_refused_and_items_that_do_not_come_back(judged: Session) -> None:
    session = judged
    jo, campaign = session.scalar(select(User).where(User.name == "jo")), session.scalar(select(Campaign))
    item = campaigns.next_item(session, campaign, jo, random.Random(1))
    count = len(item.shown)
    for ranks in ([1] * (count - 1), [1] * (count + 1), [0] + [1] * (count - 1), [1] * (count - 1) + [count + 1]):
        with pytest.raises(InputError, match=r"^give every output a rank, or skip the sentence$"):
            campaigns.answer(session, campaign, jo, number=1, ranks=ranks)
    campaigns.answer(session, campaign, jo, number=1, ranks=[])  # skipped
    campaign.again = 3
    for number in (2, 3):
        item = campaigns.next_item(session, campaign, jo, random.Random(number))
        campaigns.answer(session, campaign, jo, number=number, ranks=[1] + [len(item.shown)] * (len(item.shown) - 1))
    rows = {item.number: item for item in session.scalars(select(Item))}
    assert [rows[number].repeats for number in (1, 2, 3)] == [None, None, 2]  # what was skipped is not shown again
    assert rows[3].sentence == rows[2].sentence


def test_a_sentence_on_which_all_agree_is_not_shown(judged: Session, monkeypatch) -> None:
    session = judged
    jo, campaign = session.scalar(select(User).where(User.name == "jo")), session.scalar(select(Campaign))
    texts = load_texts(session, campaign)
    outputs = {label: ("same  words", "same words", label) for label in texts.outputs}
    outputs[texts.labels[0]] = ("same words", "other", "x")
    small = campaigns.CampaignTexts(("same words", "s", "s"), outputs)
    monkeypatch.setattr(campaigns, "load_texts", lambda *_: small)
    seen = []
    for number in (1, 2):
        item = campaigns.next_item(session, campaign, jo, random.Random(number))
        seen.append((item.sentence, len(item.shown)))
        campaigns.answer(session, campaign, jo, number=number, ranks=[])
    assert sorted(seen) == [(1, 2), (2, 5)]
    assert campaigns.next_item(session, campaign, jo, random.Random(3)) is None
    assert small.groups(1) == [[texts.labels[0]], list(texts.labels[1:])]


def test_judges_keep_their_numbers(judged: Session) -> None:
    session = judged
    olga, jo, kim, ben = (
        session.scalar(select(User).where(User.name == name)) for name in ("olga", "jo", "kim", "ben")
    )
    campaign = session.scalar(select(Campaign))
    set_judges(session, olga, campaign, [kim.id])
    session.expire_all()
    left = {juror.user_id: juror.left for juror in campaign.jurors}
    set_judges(session, olga, campaign, [kim.id, ben.id])
    session.expire_all()
    assert [(juror.number, juror.user_id) for juror in campaign.jurors] == [(1, jo.id), (2, kim.id), (3, ben.id)]
    assert left[jo.id] is not None
    assert {juror.user_id: juror.left for juror in campaign.jurors} == {**left, ben.id: None}  # since when, stays
    set_judges(session, olga, campaign, [jo.id])
    assert [juror.left is None for juror in campaign.jurors] == [True, False, False]


def test_labels_are_unique() -> None:
    assert make_labels(["a", "a", "b", "a", "a.2"]) == ["a", "a.2", "b", "a.3", "a.2.2"]


def test_three_systems_are_the_fewest_of_a_correlation(judged: Session) -> None:
    session = judged
    olga, jo = (session.scalar(select(User).where(User.name == name)) for name in ("olga", "jo"))
    benchmark = session.scalar(select(Benchmark))
    ids = {row.system.name: row.id for row in session.scalars(select(Submission))}
    counts = []
    for names in (("good, v1", "bad, v1"), ("good, v1", "fair, v1", "bad, v1")):
        campaign = make_campaign(
            session, olga, benchmark, name="few", submissions=[ids[name] for name in names], judges=[jo.id]
        )
        item = campaigns.next_item(session, campaign, jo)
        campaigns.answer(session, campaign, jo, number=1, ranks=list(range(1, len(item.shown) + 1)))
        session.flush()
        counts.append(len(compute_results(session, NOBODY, campaign).correlations))
        item = campaigns.next_item(session, campaign, jo)
        campaigns.answer(session, campaign, jo, number=2, ranks=[1] * len(item.shown))
        session.flush()
        assert compute_results(session, NOBODY, campaign).result.judgments[0].rankings == 2
        before = compute_results(session, NOBODY, campaign).result.rankings[0].scores
        for row in session.scalars(select(Item).where(Item.campaign_id == campaign.id, Item.number == 1)):
            row.ranks = row.ranks[::-1]
        session.flush()  # others win: as many rankings, of the same sum
        after = compute_results(session, NOBODY, campaign).result.rankings[0].scores
        assert after == {system: 1 - score for system, score in before.items()}
    assert counts == [0, 4]  # two metrics, two rankings


def test_where_lower_is_better_scores_are_turned() -> None:
    row = SimpleNamespace(higher_is_better=False, signature="s")
    turned = campaign_results._system_scores("m", ("a", "b"), [0.1, 0.3], row)
    assert (turned.scores.tolist(), turned.rising.tolist()) == ([0.1, 0.3], [-0.1, -0.3])
    assert (turned.higher_is_better, turned.intervals, turned.signature) == (False, [None, None], "s")
    row.higher_is_better = True
    assert campaign_results._system_scores("m", ("a", "b"), [0.1, 0.3], row).rising.tolist() == [0.1, 0.3]


def test_metrics_on_hidden_references_agree_with_people_by_what_is_shown(judged: Session) -> None:
    """Two systems that differ behind the last digit are tied: else the correlation would tell which is better."""
    jo, campaign = judged.scalar(select(User).where(User.name == "jo")), judged.scalar(select(Campaign))
    for number in range(1, 6):
        item = campaigns.next_item(judged, campaign, jo, random.Random(number))
        campaigns.answer(judged, campaign, jo, number=number, ranks=list(range(1, len(item.shown) + 1)))
    judged.flush()
    for reference in campaign.version.references:
        reference.hidden = True
    rows = judged.scalars(select(SystemScore).where(SystemScore.metric == "gleu")).all()
    correlations = []
    for sign in (1, -1):
        for place, row in enumerate(sorted(rows, key=lambda row: row.submission_id)):
            row.score = 0.5 + sign * 1e-5 * place
        judged.flush()
        found = compute_results(judged, NOBODY, campaign).correlations
        correlations += [row.spearman.value for row in found if row.metric == "gleu"]
    assert len(correlations) == 4
    assert all(map(math.isnan, correlations))


def test_every_third_sentence_is_one_that_all_judges_get(judged: Session) -> None:
    """Of 30 sentences ten are shared. Who comes later sees the same outputs of them, and no other sentence twice."""
    olga, jo, kim = (judged.scalar(select(User).where(User.name == name)) for name in ("olga", "jo", "kim"))
    campaign = judged.scalar(select(Campaign))
    set_judges(judged, olga, campaign, [jo.id, kim.id], goal=18)
    campaign.again, campaign.most, items = 100, 2, {}
    for judge in (jo, kim):
        for number in range(1, 19):
            campaigns.next_item(judged, campaign, judge, random.Random(f"{judge.name} {number}"))
            campaigns.answer(judged, campaign, judge, number=number, ranks=[1, 2])
            judged.flush()
        items[judge.name] = campaigns.list_items(judged, campaign, judge)
    places = [2, 5, 8, 11, 14, 17]
    shared = [[items[name][place] for place in places] for name in ("jo", "kim")]
    for one, other in zip(*shared, strict=True):
        assert one.sentence == other.sentence
        assert sorted(one.shown) == sorted(other.shown)
    planned = {item.sentence for item in shared[0]}
    for name in ("jo", "kim"):
        assert len({item.sentence for item in items[name]}) == 18
        assert not planned & {item.sentence for place, item in enumerate(items[name]) if place not in places}
    counts = compute_results(judged, NOBODY, campaign).result.judgments[0]
    assert counts.between_judges.comparisons >= 6


def test_a_judge_corrects_the_last_answer_and_sees_the_goal(served) -> None:
    path = make(served, "jo")
    jo, olga = served.browser("jo"), served.browser("olga")
    assert "0 sentences ranked" in jo.get(f"{path}/judge")
    assert "Correct the last answer" not in jo.get(f"{path}/judge")
    judges = re.findall(r'name="judges" value="(\w+)" checked', olga.get(path))
    assert olga.send(f"{path}/judges", {"judges": judges, "goal": "2"}, form=path).status_code == 303
    for wrong in ("0", "x", "100001"):
        assert olga.send(f"{path}/judges", {"judges": judges, "goal": wrong}, form=path).status_code == 400
    judge(jo, path, times=2)
    assert "2 of 2 sentences ranked: you have reached the goal" in jo.get(f"{path}/judge")
    page = jo.get(f"{path}/judge?correct=true")
    number, outputs = shown(page)
    assert number == "2"
    assert len(re.findall(r" checked>", page)) == len(outputs)
    ranks = {f"rank{n}": "1" for n in range(len(outputs))}
    form = f"{path}/judge"
    assert jo.send(form, {"number": "2", **ranks}, form=form).status_code == 303  # a form sent twice
    with served.database.read() as session:
        assert set(session.scalar(select(Item).where(Item.number == 2)).ranks) != {1}
    assert jo.send(form, {"number": "2", "correct": "true", **ranks}, form=form).status_code == 303
    with served.database.read() as session:
        assert set(session.scalar(select(Item).where(Item.number == 2)).ranks) == {1}
    for old in ("1", "3"):  # an earlier one, and one that has no answer yet
        answer = jo.send(form, {"number": old, "correct": "true", **ranks}, form=form)
        assert answer.status_code == 400
        assert "only the last answer can be corrected" in answer.text
    assert "judge1: 2 of 2" in olga.get(path)


def test_to_look_writes_nothing(served) -> None:
    path = make(served, "jo")
    jo = served.browser("jo")

    def items() -> list[tuple[int, bool]]:
        with served.database.read() as session:
            return [(item.number, bool(item.ranks)) for item in session.scalars(select(Item).order_by(Item.number))]

    for _ in range(2):
        assert "Begin" in jo.get(f"{path}/judge")
    assert items() == []
    begin(jo, path)
    assert shown(jo.get(f"{path}/judge")) == shown(jo.get(f"{path}/judge"))
    assert items() == [(1, False)]
    begin(jo, path)
    assert items() == [(1, False)]
    judge(jo, path, times=1)
    assert items() == [(1, True), (2, False)]
    assert served.browser("anna").send(f"{path}/judge/next", {}).status_code == 404


def test_agreement_that_chance_explains_is_said_to_be_so(served) -> None:
    """The judge likes one mistake best, then three, none, two. Of five systems, only ρ = ±1 is beyond chance."""
    path, taste = make(served, "jo"), [1, 3, 0, 2]
    jo, olga = served.browser("jo"), served.browser("olga")
    begin(jo, path)
    for _ in range(12):
        number, outputs = shown(jo.get(f"{path}/judge"))
        ranks = {f"rank{n}": str(1 + taste.index(output.count("x")) % len(outputs)) for n, output in enumerate(outputs)}
        assert jo.send(f"{path}/judge", {"number": number, **ranks}, form=f"{path}/judge").status_code == 303
    olga.send(f"{path}/close", {"closed": "true"}, form=path)
    for page in (served.browser().get(path), served.browser().get("/b/thirty")):
        assert "not distinguishable from chance" in page
        assert "agrees with people" not in page
        assert "12 rankings" in page


def test_judgments_that_distinguish_nothing_say_so(served) -> None:
    path = make(served, "jo")
    jo = served.browser("jo")
    begin(jo, path)
    for _ in range(3):
        number, outputs = shown(jo.get(f"{path}/judge"))
        jo.send(f"{path}/judge", {"number": number, **{f"rank{n}": "1" for n in range(len(outputs))}}, form="/account")
    assert "These judgments do not distinguish the systems" in served.browser("olga").get(path)


def test_judgments_as_files() -> None:
    ranked = SimpleNamespace(sentence=4, number=7, ranks=[2, 1], placements=[(["ä", "b"], 2), (["c"], 1)])
    answers = [(ranked, "judge1")]
    assert (
        campaign_results.write_jsonl(answers)
        == '{"sentence": 5, "judge": "judge1", "ranks": {"ä": 2, "b": 2, "c": 1}, "equal": [["ä", "b"]]}\n'
    )
    assert list(campaign_results.list_csv_rows(answers)) == [
        ["sentence", "judge", "item", "system", "rank", "output"],
        [5, "judge1", 7, "ä", 2, 1],
        [5, "judge1", 7, "b", 2, 1],
        [5, "judge1", 7, "c", 1, 2],
    ]
    assert campaign_results.write_xml(answers).splitlines() == [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<appraise-results>",
        "<error-correction-ranking-result>",
        '<ranking-item id="7" src-id="4" user="judge1">',
        '  <translation rank="2" system="ä b"/>',
        '  <translation rank="1" system="c"/>',
        "</ranking-item>",
        "</error-correction-ranking-result>",
        "</appraise-results>",
    ]


def test_answers_are_told_in_the_order_in_which_they_were_given(judged: Session, monkeypatch) -> None:
    jo, campaign = judged.scalar(select(User).where(User.name == "jo")), judged.scalar(select(Campaign))
    for number in range(1, 5):
        monkeypatch.setattr("gecval.board.clock.read_clock", lambda number=number: 1_800_000_000.0 + number)
        campaigns.next_item(judged, campaign, jo, random.Random(number)).id = f"{9 - number:016}"
        campaigns.answer(judged, campaign, jo, number=number, ranks=[])
    judged.flush()
    assert [item.number for item, _ in campaign_results.list_answers(judged, campaign)] == [1, 2, 3, 4]
