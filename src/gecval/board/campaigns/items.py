"""What a judge sees next, and the answer.

Every tenth item is an earlier one of the same judge, shuffled anew: it tells how far judges agree with themselves. Any
other is a sentence drawn at random, with the outputs of those systems that were compared least (``stats/choosing.py``).
The sentence is not chosen: a replay of GJG15 (``benchmarks/judgments.py``) then tells systems apart that are not.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from gecval.board.campaigns.results import judgments_of
from gecval.board.campaigns.texts import Texts, texts_of
from gecval.board.clock import now
from gecval.board.database.models import Campaign, Item, Juror, User
from gecval.board.database.session import locked
from gecval.board.errors import ForbiddenError
from gecval.errors import InputError
from gecval.stats.choosing import most_needed, need
from gecval.stats.ranking import HeadToHead


def next_item(session: Session, campaign: Campaign, user: User, chance: random.Random | None = None) -> Item | None:
    """The item that this judge has before them; None where they have seen all sentences."""
    chance = chance or random.Random()
    _lock(session, campaign, user)
    texts, own = texts_of(session, campaign), _items(session, campaign, user)
    if own and own[-1].answered is None:
        if _shows(texts, own[-1]):
            return own[-1]
        session.delete(own.pop())  # an output that it shows was deleted meanwhile
        session.flush()
    number = len(own) + 1
    earlier = _earlier([item for item in own if _shows(texts, item)], own) if number % campaign.again == 0 else None
    if earlier is not None:
        shown = [list(group) for group in earlier.shown]
        sentence = earlier.sentence
    else:
        chosen = _needed(session, campaign, texts, {item.sentence for item in own}, chance)
        if chosen is None:
            return None
        sentence, shown = chosen
    chance.shuffle(shown)
    item = Item(
        campaign_id=campaign.id,
        user_id=user.id,
        number=number,
        sentence=sentence,
        shown=shown,
        repeats=earlier.number if earlier else None,
    )
    session.add(item)
    session.flush()
    return item


def answer(session: Session, campaign: Campaign, user: User, *, number: int, ranks: Sequence[int]) -> None:
    """Take the ranks of an item's outputs, in the order shown; none is to skip it. A second answer changes nothing."""
    if campaign.closed is not None:
        raise ForbiddenError("this campaign is closed")
    _lock(session, campaign, user)
    item = next((item for item in _items(session, campaign, user) if item.number == number), None)
    if item is None:
        raise InputError("there is no such item; load the page again")
    if item.answered is not None:
        return
    if ranks and (len(ranks) != len(item.shown) or not all(1 <= rank <= len(item.shown) for rank in ranks)):
        raise InputError("give every output a rank, or skip the sentence")
    item.ranks, item.answered = list(ranks), now()


def _lock(session: Session, campaign: Campaign, user: User) -> None:
    """Two windows of one judge come one after the other."""
    session.scalar(locked(select(Juror).where(Juror.campaign_id == campaign.id, Juror.user_id == user.id)))


def _items(session: Session, campaign: Campaign, user: User) -> list[Item]:
    own = select(Item).where(Item.campaign_id == campaign.id, Item.user_id == user.id).order_by(Item.number)
    return list(session.scalars(own))


def _shows(texts: Texts, item: Item) -> bool:
    """Whether all outputs of an item are there."""
    return all(label in texts.outputs for group in item.shown for label in group)


def _earlier(showable: Sequence[Item], own: Sequence[Item]) -> Item | None:
    """The oldest item that was ranked and not shown again yet."""
    again = {item.repeats for item in own}
    fresh = [item for item in showable if item.ranks and item.repeats is None and item.number not in again]
    return fresh[0] if fresh else None


def _needed(
    session: Session, campaign: Campaign, texts: Texts, seen: set[int], chance: random.Random
) -> tuple[int, list[list[str]]] | None:
    left = [sentence for sentence in range(len(texts.sources)) if sentence not in seen]
    chance.shuffle(left)
    drawn = ((sentence, texts.groups(sentence)) for sentence in left)
    sentence, groups = next(((sentence, groups) for sentence, groups in drawn if len(groups) > 1), (0, []))
    if not groups:
        return None
    chance.shuffle(groups)  # of those that are worth the same the first are taken: not the same for all judges
    column = {label: place for place, label in enumerate(texts.labels)}
    judged = judgments_of(session, campaign)
    preferences = np.full((len(judged.items), len(column)), np.nan)
    known = [place for place, label in enumerate(judged.systems) if label in column]
    preferences[:, [column[judged.systems[place]] for place in known]] = judged.preferences[:, known]
    worth = need(HeadToHead.of(tuple(texts.labels), preferences))
    chosen = most_needed([[column[label] for label in group] for group in groups], worth, most=campaign.most)
    return sentence, [groups[place] for place in chosen]
