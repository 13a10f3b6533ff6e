"""Campaigns: organisers make them, judges rank outputs, results are live for organisers and open when it is closed."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form
from fastapi.responses import Response
from sqlalchemy import func, select

from gecval.board.access import (
    benchmark_at,
    campaign_to_judge,
    campaigns_to_judge,
    must_organise,
    seen_campaign,
    seen_campaigns,
)
from gecval.board.campaigns import exporting, items, making
from gecval.board.campaigns.results import answered_items, results
from gecval.board.campaigns.texts import marked, texts_of
from gecval.board.database.models import Item, User
from gecval.board.errors import NotFoundError
from gecval.board.web.asking import Page, form
from gecval.board.web.files import guarded, text_answer
from gecval.errors import InputError

reading = APIRouter()
writing = APIRouter(dependencies=[Depends(form)])
Text = Annotated[str, Form()]
Texts = Annotated[list[str] | None, Form()]


@reading.get("/b/{address}/campaigns")
def listed(asked: Page, address: str) -> Response:
    with asked.database.read() as session:
        benchmark = benchmark_at(session, asked.viewer, address)
        organiser = asked.viewer.organiser
        return asked.page(
            "campaigns.html",
            benchmark=benchmark,
            campaigns=seen_campaigns(session, asked.viewer, benchmark),
            candidates=making.candidates(session, benchmark.versions[-1]) if organiser else [],
            people=session.scalars(select(User).order_by(User.folded)).all() if organiser else [],
        )


@writing.post("/b/{address}/campaigns")
def make(
    asked: Page, address: str, name: Text = "", about: Text = "", systems: Texts = None, judges: Texts = None
) -> Response:
    user = must_organise(asked.viewer)
    with asked.database.write() as session:
        campaign = making.make_campaign(
            session,
            session.merge(user),
            benchmark_at(session, asked.viewer, address),
            name=name,
            about=about,
            submissions=systems or [],
            judges=judges or [],
        )
    return asked.go(f"/c/{campaign.id}")


@reading.get("/campaigns")
def mine(asked: Page) -> Response:
    with asked.database.read() as session:
        return asked.page("judging_list.html", campaigns=campaigns_to_judge(session, asked.viewer))


@reading.get("/c/{campaign_id}")
def show(asked: Page, campaign_id: str) -> Response:
    with asked.database.read() as session:
        campaign = seen_campaign(session, asked.viewer, campaign_id)
        organiser = asked.viewer.organiser
        return asked.page(
            "campaign.html",
            campaign=campaign,
            benchmark=campaign.benchmark,
            found=results(session, asked.viewer, campaign),
            judging={juror.user_id for juror in campaign.jurors if juror.left is None},
            people=session.scalars(select(User).order_by(User.folded)).all() if organiser else [],
        )


@writing.post("/c/{campaign_id}/judges")
def judges(asked: Page, campaign_id: str, judges: Texts = None) -> Response:
    user = must_organise(asked.viewer)
    with asked.database.write() as session:
        campaign = seen_campaign(session, asked.viewer, campaign_id)
        making.set_judges(session, session.merge(user), campaign, judges or [])
    return asked.go(f"/c/{campaign_id}")


@writing.post("/c/{campaign_id}/close")
def close(asked: Page, campaign_id: str, closed: Annotated[bool, Form()] = True) -> Response:
    user = must_organise(asked.viewer)
    with asked.database.write() as session:
        campaign = seen_campaign(session, asked.viewer, campaign_id)
        making.close(session, session.merge(user), campaign, closed=closed)
    return asked.go(f"/c/{campaign_id}")


@reading.get("/c/{campaign_id}/judge")
def judge(asked: Page, campaign_id: str, edits: bool = False) -> Response:
    """The judge's next item: no names, nothing that tells who wrote an output."""
    with asked.database.write() as session:  # what is shown is written down, so that a reload shows the same
        campaign, user = campaign_to_judge(session, asked.viewer, campaign_id)
        item = items.next_item(session, campaign, user) if campaign.closed is None else None
        answered = select(func.count()).where(
            Item.campaign_id == campaign.id, Item.user_id == user.id, Item.answered.is_not(None)
        )
        done = session.scalar(answered) or 0
        if item is None:
            return asked.page("judged.html", campaign=campaign, done=done)
        texts = texts_of(session, campaign)
        source = texts.sources[item.sentence]
        return asked.page(
            "judge.html",
            campaign=campaign,
            item=item,
            source=source,
            outputs=[marked(source, texts.outputs[group[0]][item.sentence]) for group in item.shown],
            language=campaign.version.language or "",
            done=done,
            edits=edits,
        )


@writing.post("/c/{campaign_id}/judge")
def take(
    asked: Page,
    campaign_id: str,
    number: Text = "",
    skip: Text = "",
    edits: Text = "",
    rank0: Text = "",
    rank1: Text = "",
    rank2: Text = "",
    rank3: Text = "",
    rank4: Text = "",
) -> Response:
    given = [] if skip else [rank for rank in (rank0, rank1, rank2, rank3, rank4) if rank]
    if not given and not skip:
        raise InputError("give every output a rank, or skip the sentence")
    with asked.database.write() as session:
        campaign, user = campaign_to_judge(session, asked.viewer, campaign_id)
        items.answer(session, campaign, user, number=_whole(number), ranks=[_whole(rank) for rank in given])
    marks = "?edits=true" if edits == "true" else ""
    return asked.go(f"/c/{campaign_id}/judge{marks}")


@reading.get("/c/{campaign_id}/judgments.{kind}")
def judgments(asked: Page, campaign_id: str, kind: str) -> Response:
    """All judgments, for ``gecval human``."""
    with asked.database.read() as session:
        campaign = seen_campaign(session, asked.viewer, campaign_id)
        answers = answered_items(session, campaign)
    if kind == "jsonl":
        return text_answer(exporting.as_jsonl(answers).encode(), "judgments.jsonl")
    if kind == "csv":
        rows = ([guarded(cell) for cell in row] for row in exporting.csv_rows(answers))
        return text_answer(exporting.as_csv(rows).encode(), "judgments.csv", "text/csv")
    if kind == "xml":
        return text_answer(exporting.as_xml(answers).encode(), "judgments.xml")
    raise NotFoundError("judgments are .jsonl, .csv or .xml")


def _whole(value: object) -> int:
    text = str(value)
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise InputError("a rank is a number")
    return int(text)
