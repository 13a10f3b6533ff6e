"""Campaigns: people rank outputs, as the judgments behind GJG15 were made.

What is compared, who judges, and what a judge sees next.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from gecval.board import submissions as entries
from gecval.board.benchmark_data import VersionFiles, read_output, without_references
from gecval.board.campaign_results import load_judgments
from gecval.board.clock import now
from gecval.board.database.models import Benchmark, Campaign, Contestant, Item, Juror, Submission, User, Version
from gecval.board.database.session import lock_rows
from gecval.board.database.storage import read_file, record
from gecval.board.errors import ForbiddenError
from gecval.board.form_fields import clean_name, clean_text
from gecval.board.recent_cache import RecentCache
from gecval.edits.extractors import extract, extractor
from gecval.errors import InputError
from gecval.stats.ranking import HeadToHead
from gecval.stats.resampling import Array

SOURCE, SOURCE_LABEL = "(source)", "INPUT"  # the decoy, and what sets of judgments call it
MAX_SYSTEMS, MAX_GOAL = 40, 100_000
SHARED = 3  # every third sentence of a judge is one that all judges get


def list_candidates(session: Session, version: Version) -> list[Submission]:
    """The submissions that a campaign may compare: those that stand in some phase, and the source itself."""
    scores = entries.load_scores(session, version)
    submissions = entries.list_scored(session, version, scores)
    standing = [
        submission
        for phase in version.benchmark.phases
        for submission in entries.choose_standing(submissions, phase, version, scores)
        if not submission.system.decoy
    ]
    source = [one for one in entries.list_decoys(submissions, version) if one.system.name == SOURCE]
    return list({submission.id: submission for submission in [*standing, *source]}.values())


def make_campaign(
    session: Session,
    user: User,
    benchmark: Benchmark,
    *,
    name: str,
    submissions: Sequence[str],
    judges: Sequence[str] = (),
    about: str = "",
    goal: int | None = None,
) -> Campaign:
    """A campaign on the latest version of a benchmark. Its outputs never change."""
    version = benchmark.versions[-1]
    candidates = {submission.id: submission for submission in list_candidates(session, version)}
    chosen = [candidates[one] for one in dict.fromkeys(submissions) if one in candidates]
    if len(chosen) < 2 or len(chosen) < len(set(submissions)):
        raise InputError("choose two systems or more that stand on the leaderboard")
    return add_campaign(session, user, version, chosen, name=name, about=about, judges=judges, goal=goal)


def add_campaign(
    session: Session,
    user: User,
    version: Version,
    submissions: Sequence[Submission],
    *,
    name: str,
    about: str = "",
    judges: Sequence[str] = (),
    goal: int | None = None,
) -> Campaign:
    """A campaign that compares these submissions to a version. ``goal`` is how many sentences a judge should rank."""
    if len(submissions) > MAX_SYSTEMS:
        raise InputError(f"a campaign compares at most {MAX_SYSTEMS} systems")
    campaign = Campaign(
        benchmark_id=version.benchmark_id,
        version_id=version.id,
        name=clean_name(name, "a campaign"),
        about=clean_text(about, "what judges are told"),
    )
    session.add(campaign)
    session.flush()
    for label, submission in zip(make_labels([row.system.name for row in submissions]), submissions, strict=True):
        session.add(Contestant(campaign_id=campaign.id, label=label, submission_id=submission.id))
    record(session, user.name, "make campaign", f"campaign {campaign.id}", name=campaign.name)
    set_judges(session, user, campaign, judges, goal=goal)
    return campaign


def make_labels(names: Sequence[str]) -> list[str]:
    """Names as judgments write them: Appraise's XML separates systems by blanks or commas.

    >>> make_labels(["AMU v2", "AMU, v2", "(source)"])
    ['AMU_v2', 'AMU_v2.2', 'INPUT']
    """
    made: list[str] = []
    for name in names:
        plain = SOURCE_LABEL if name == SOURCE else re.sub(r"[\s,]+", "_", name)
        taken = sum(1 for label in made if label == plain or label.startswith(f"{plain}."))
        made.append(f"{plain}.{taken + 1}" if plain in made else plain)
    return made


def set_judges(
    session: Session, user: User, campaign: Campaign, judges: Sequence[str], *, goal: int | None = None
) -> None:
    """Let these people judge, and nobody else from now on. What others judged stays."""
    if goal is not None and not 1 <= goal <= MAX_GOAL:
        raise InputError(f"a goal is a number of sentences from 1 to {MAX_GOAL}, or nothing")
    campaign.goal = goal
    wanted = set(judges)
    if len(wanted) != len(session.scalars(select(User.id).where(User.id.in_(wanted))).all()):
        raise InputError("one of the judges has no account")
    jurors = session.scalars(select(Juror).where(Juror.campaign_id == campaign.id)).all()
    for juror in jurors:
        juror.left = None if juror.user_id in wanted else (juror.left or now())
    new = [one for one in dict.fromkeys(judges) if one not in {juror.user_id for juror in jurors}]
    for number, user_id in enumerate(new, start=len(jurors) + 1):
        session.add(Juror(campaign_id=campaign.id, user_id=user_id, number=number))
    record(session, user.name, "set judges", f"campaign {campaign.id}", judges=len(wanted))
    session.flush()


def close(session: Session, user: User, campaign: Campaign, *, closed: bool) -> None:
    """No more judgments; the results are shown to whoever may see the benchmark. Or open it again."""
    campaign.closed = now() if closed else None
    record(session, user.name, "close campaign" if closed else "open campaign", f"campaign {campaign.id}")


# The sentences and outputs of a campaign, and the edits of an output as marks.


@dataclass(frozen=True)
class CampaignTexts:
    """Sources, and the outputs of each label."""

    sources: tuple[str, ...]
    outputs: dict[str, tuple[str, ...]]

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(sorted(self.outputs))

    def groups(self, sentence: int) -> list[list[str]]:
        """The labels by equal outputs of a sentence; blanks alone make no difference."""
        groups: dict[tuple[str, ...], list[str]] = {}
        for label in self.labels:
            groups.setdefault(tuple(self.outputs[label][sentence].split()), []).append(label)
        return list(groups.values())


_texts: RecentCache[CampaignTexts] = RecentCache(8)


def load_texts(session: Session, campaign: Campaign) -> CampaignTexts:
    """The texts. A submission that was deleted, for now or for good, has none."""
    rows = {one.label: session.get(Submission, one.submission_id) for one in campaign.contestants if one.submission_id}
    there = {label: row for label, row in rows.items() if row is not None and row.deleted is None}

    def read() -> CampaignTexts:
        corpus = without_references(VersionFiles.load(session, campaign.version).corpus())
        systems = {
            label: read_output(corpus, label, row.file_name, read_file(session, row.blob))
            for label, row in there.items()
        }
        outputs = {label: tuple(system.hypotheses) for label, system in systems.items()}
        return CampaignTexts(tuple(corpus.sources), outputs)

    return _texts.get((campaign.id, *there), read)


class Piece(NamedTuple):
    """A part of an output: ``same``, ``added`` or ``taken``, which is in the source only."""

    kind: str
    text: str


def mark_edits(source: str, corrected: str) -> list[Piece]:
    """An output with its edits.

    >>> [tuple(piece) for piece in mark_edits("He go home", "He goes home .")]
    [('same', 'He'), ('taken', 'go'), ('added', 'goes'), ('same', 'home'), ('added', '.')]
    """
    [edits] = extract(extractor("plain"), [(source, corrected)])
    words, at = source.split(), 0
    pieces: list[Piece] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        pieces += [
            Piece("same", " ".join(words[at : edit.start])),
            Piece("taken", " ".join(words[edit.start : edit.end])),
            Piece("added", edit.correction),
        ]
        at = edit.end
    return [piece for piece in [*pieces, Piece("same", " ".join(words[at:]))] if piece.text]


# What a judge sees next, and the answer.
#
# Every tenth item is an earlier one of the same judge, shuffled again: it shows how far judges agree with themselves.
# Of the others every third is the next of the shared sentences, the same for all judges, with the outputs that the
# first of them saw: it shows how far judges agree with each other. The id of the campaign draws the shared ones, a
# third of all sentences, or of the goal. Any other is a sentence drawn at random, with the outputs of the systems that
# were compared least so far. The sentence is not chosen: a replay of GJG15 (``benchmarks/judgments.py``) then separates
# systems that are equal.


def find_open_item(session: Session, campaign: Campaign, user: User) -> Item | None:
    """The item that this judge has before them. Where one of its outputs was deleted meanwhile, it is none."""
    own = list_items(session, campaign, user)
    is_open = bool(own) and own[-1].answered is None
    return own[-1] if is_open and _is_complete(load_texts(session, campaign), own[-1]) else None


def next_item(session: Session, campaign: Campaign, user: User, chance: random.Random | None = None) -> Item | None:
    """The item that this judge has before them, or a new one; None where they have seen all sentences."""
    _lock(session, campaign, user)
    item = find_open_item(session, campaign, user) or propose_item(session, campaign, user, chance)
    if item is not None and item not in session:
        stale = select(Item).where(Item.campaign_id == campaign.id, Item.user_id == user.id, Item.number == item.number)
        for row in session.scalars(stale).all():  # an output that it shows was deleted meanwhile
            session.delete(row)
        session.flush()
        session.add(item)
        session.flush()
    return item


def propose_item(session: Session, campaign: Campaign, user: User, chance: random.Random | None = None) -> Item | None:
    """An item that this judge could get next; nothing is written. None where they have seen all sentences."""
    chance = chance or random.Random()
    texts, own = load_texts(session, campaign), list_items(session, campaign, user)
    if own and own[-1].answered is None:
        own.pop()
    number = len(own) + 1
    earlier = (
        _find_earlier([item for item in own if _is_complete(texts, item)], own)
        if number % campaign.again == 0
        else None
    )
    if earlier is not None:
        shown = [list(group) for group in earlier.shown]
        sentence = earlier.sentence
    else:
        chosen = _choose_item(session, campaign, texts, own, chance)
        if chosen is None:
            return None
        sentence, shown = chosen
    chance.shuffle(shown)
    return Item(
        campaign_id=campaign.id,
        user_id=user.id,
        number=number,
        sentence=sentence,
        shown=shown,
        repeats=earlier.number if earlier else None,
    )


def answer(
    session: Session, campaign: Campaign, user: User, *, number: int, ranks: Sequence[int], correct: bool = False
) -> None:
    """Take the ranks of an item's outputs, in the order shown; none is to skip it.

    A second answer changes nothing, unless it is to ``correct`` the last one.
    """
    if campaign.closed is not None:
        raise ForbiddenError("this campaign is closed")
    _lock(session, campaign, user)
    own = list_items(session, campaign, user)
    item = next((item for item in own if item.number == number), None)
    if item is None:
        raise InputError("there is no such item; load the page again")
    if correct and item is not find_last_answer(own):
        raise InputError("only the last answer can be corrected")
    if item.answered is not None and not correct:
        return
    if ranks and (len(ranks) != len(item.shown) or not all(1 <= rank <= len(item.shown) for rank in ranks)):
        raise InputError("give every output a rank, or skip the sentence")
    item.ranks, item.answered = list(ranks), now()


def list_items(session: Session, campaign: Campaign, user: User) -> list[Item]:
    """What a judge was shown, oldest first."""
    own = select(Item).where(Item.campaign_id == campaign.id, Item.user_id == user.id).order_by(Item.number)
    return list(session.scalars(own))


def find_last_answer(own: Sequence[Item]) -> Item | None:
    """The item that a judge answered last, which they may correct."""
    return next((item for item in reversed(own) if item.answered is not None), None)


def _lock(session: Session, campaign: Campaign, user: User) -> None:
    """Two windows of one judge come one after the other."""
    session.scalar(lock_rows(select(Juror).where(Juror.campaign_id == campaign.id, Juror.user_id == user.id)))


def _is_complete(texts: CampaignTexts, item: Item) -> bool:
    """Whether all outputs of an item are there."""
    return all(label in texts.outputs for group in item.shown for label in group)


def _find_earlier(showable: Sequence[Item], own: Sequence[Item]) -> Item | None:
    """The oldest item that was ranked and not shown again yet."""
    again = {item.repeats for item in own}
    fresh = [item for item in showable if item.ranks and item.repeats is None and item.number not in again]
    return fresh[0] if fresh else None


def _choose_item(
    session: Session, campaign: Campaign, texts: CampaignTexts, own: Sequence[Item], chance: random.Random
) -> tuple[int, list[list[str]]] | None:
    """A sentence that the judge has not seen, and the outputs to show."""
    seen = {item.sentence for item in own}
    shared = [sentence for sentence in _plan_shared(campaign, texts) if sentence not in seen]
    rest = [sentence for sentence in range(len(texts.sources)) if sentence not in seen | set(shared)]
    chance.shuffle(rest)
    turn = len([item for item in own if item.repeats is None]) % SHARED == SHARED - 1
    drawn = ((sentence, texts.groups(sentence)) for sentence in ([*shared, *rest] if turn else [*rest, *shared]))
    sentence, groups = next(((sentence, groups) for sentence, groups in drawn if len(groups) > 1), (0, []))
    if not groups:
        return None
    if sentence in shared:
        others = select(Item).where(Item.campaign_id == campaign.id, Item.sentence == sentence).order_by(Item.created)
        first = next((item for item in session.scalars(others) if _is_complete(texts, item)), None)
        if first is not None:
            return sentence, [list(group) for group in first.shown]
    chance.shuffle(groups)  # of those that are worth the same the first are taken: not the same for all judges
    column = {label: place for place, label in enumerate(texts.labels)}
    judged = load_judgments(session, campaign)
    preferences = np.full((len(judged.items), len(column)), np.nan)
    present = [place for place, label in enumerate(judged.systems) if label in column]
    preferences[:, [column[judged.systems[place]] for place in present]] = judged.preferences[:, present]
    worth = compute_need(HeadToHead.of(tuple(texts.labels), preferences))
    chosen = choose_outputs([[column[label] for label in group] for group in groups], worth, limit=campaign.most)
    return sentence, [groups[place] for place in chosen]


def _plan_shared(campaign: Campaign, texts: CampaignTexts) -> list[int]:
    """The sentences that all judges get, in their order."""
    sentences = len(texts.sources)
    order = random.Random(campaign.id).sample(range(sentences), sentences)
    differing = (sentence for sentence in order if len(texts.groups(sentence)) > 1)
    return list(islice(differing, min(campaign.goal or sentences, sentences) // SHARED))


# Which outputs to show next:
#
#     need(i, j) = 1 / (1 + n)        n is how often i and j were ranked next to each other
#
# An item is worth the sum over all pairs of systems in different outputs. Several systems may share an output: one
# judgment then counts for all of them. On the judgments of GJG15, rules that also use how certain the order of two
# systems is did no better (``benchmarks/judgments.py``).


def compute_need(head: HeadToHead) -> Array:
    """[system, system]: how much a comparison of two systems is worth after those so far.

    >>> head = HeadToHead.of(("a", "b", "c"), np.array([[-1.0, -2.0, np.nan], [-1.0, -1.0, np.nan]]))
    >>> compute_need(head).round(2).tolist()
    [[0.0, 0.33, 1.0], [0.33, 0.0, 1.0], [1.0, 1.0, 0.0]]
    """
    worth: Array = 1 / (1 + head.wins + head.wins.T + head.ties)
    np.fill_diagonal(worth, 0.0)
    return worth


def choose_outputs(outputs: Sequence[Sequence[int]], worth: Array, *, limit: int = 5) -> list[int]:
    """Up to ``limit`` of the outputs, greedily: the best two, then whatever adds most. An output is that of systems.

    >>> worth = np.array([[0, 2, 2, 3], [2, 0, 0, 1], [2, 0, 0, 1], [3, 1, 1, 0.0]])
    >>> choose_outputs([[0], [1, 2], [3]], worth, limit=2)
    [0, 1]
    """
    size = len(outputs)
    between = np.full((size, size), -1.0)  # no output next to itself, even where no other pair is worth anything
    for a, b in combinations(range(size), 2):
        between[a, b] = between[b, a] = worth[np.ix_(outputs[a], outputs[b])].sum()
    chosen = list(map(int, np.unravel_index(between.argmax(), between.shape))) if size > 1 else []
    while len(chosen) < min(limit, size) and chosen:
        gain = between[chosen].sum(axis=0)
        gain[chosen] = -1.0
        chosen.append(int(gain.argmax()))
    return sorted(chosen)
