"""Campaigns: organisers make them, judges rank outputs, results are live for organisers and open when it is closed."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form
from fastapi.responses import Response
from sqlalchemy import select

from gecval.board import campaign_results, campaigns
from gecval.board.access import (
    find_campaign,
    find_campaign_to_judge,
    list_campaigns,
    list_campaigns_to_judge,
    must_log_in,
    must_organise,
)
from gecval.board.campaign_results import compute_results
from gecval.board.campaigns import CampaignTexts, Piece, load_texts, mark_edits
from gecval.board.database.models import User
from gecval.board.errors import NotFoundError
from gecval.board.form_fields import parse_count
from gecval.board.web.rendering import csv_response, file_response
from gecval.board.web.request import Page, Text, require_form_token
from gecval.errors import InputError

reading = APIRouter()
writing = APIRouter(dependencies=[Depends(require_form_token)])
Texts = Annotated[list[str] | None, Form()]


@reading.get("/b/{address}/campaigns")
def show_list(context: Page, address: str) -> Response:
    with context.read_benchmark(address) as (session, benchmark):
        organiser = context.viewer.organiser
        return context.page(
            "campaigns.html",
            benchmark=benchmark,
            campaigns=list_campaigns(session, context.viewer, benchmark),
            candidates=campaigns.list_candidates(session, benchmark.versions[-1]) if organiser else [],
            people=session.scalars(select(User).order_by(User.folded)).all() if organiser else [],
        )


@writing.post("/b/{address}/campaigns")
def make(
    context: Page,
    address: str,
    name: Text = "",
    about: Text = "",
    goal: Text = "",
    systems: Texts = None,
    judges: Texts = None,
) -> Response:
    user = must_organise(context.viewer)
    sentences = _parse_goal(goal)
    with context.write_benchmark(address) as (session, benchmark):
        campaign = campaigns.make_campaign(
            session,
            session.merge(user),
            benchmark,
            name=name,
            about=about,
            submissions=systems or [],
            judges=judges or [],
            goal=sentences,
        )
    return context.go(f"/c/{campaign.id}")


@reading.get("/campaigns")
def show_own_list(context: Page) -> Response:
    with context.database.read() as session:
        return context.page("judging_list.html", campaigns=list_campaigns_to_judge(session, context.viewer))


@reading.get("/c/{campaign_id}")
def show(context: Page, campaign_id: str) -> Response:
    with context.database.read() as session:
        campaign = find_campaign(session, context.viewer, campaign_id)
        organiser = context.viewer.organiser
        return context.page(
            "campaign.html",
            campaign=campaign,
            benchmark=campaign.benchmark,
            found=compute_results(session, context.viewer, campaign),
            judging={juror.user_id for juror in campaign.jurors if juror.left is None},
            people=session.scalars(select(User).order_by(User.folded)).all() if organiser else [],
        )


@writing.post("/c/{campaign_id}/judges")
def judges(context: Page, campaign_id: str, judges: Texts = None, goal: Text = "") -> Response:
    user = must_organise(context.viewer)
    sentences = _parse_goal(goal)
    with context.database.write() as session:
        campaign = find_campaign(session, context.viewer, campaign_id)
        campaigns.set_judges(session, session.merge(user), campaign, judges or [], goal=sentences)
    return context.go(f"/c/{campaign_id}")


@writing.post("/c/{campaign_id}/close")
def close(context: Page, campaign_id: str, closed: Annotated[bool, Form()] = True) -> Response:
    user = must_organise(context.viewer)
    with context.database.write() as session:
        campaign = find_campaign(session, context.viewer, campaign_id)
        campaigns.close(session, session.merge(user), campaign, closed=closed)
    return context.go(f"/c/{campaign_id}")


@reading.get("/c/{campaign_id}/judge")
def judge(context: Page, campaign_id: str, edits: bool = False, correct: bool = False) -> Response:
    """The judge's next item, or the last one to ``correct``: no names, nothing that shows who wrote an output."""
    must_log_in(context.viewer)
    with context.database.read() as session:
        campaign, user = find_campaign_to_judge(session, context.viewer, campaign_id)
        own = campaigns.list_items(session, campaign, user)
        last, done = campaigns.find_last_answer(own), sum(1 for item in own if item.ranks)
        item = None
        if campaign.closed is None:
            item = (last if correct else None) or campaigns.find_open_item(session, campaign, user)
        values: dict[str, Any] = {"campaign": campaign, "done": done, "last": last}
        if item is None:
            more = campaign.closed is None and campaigns.propose_item(session, campaign, user) is not None
            return context.page("judged.html", more=more, **values)
        texts = load_texts(session, campaign)
        source = texts.sources[item.sentence]
        return context.page(
            "judge.html",
            item=item,
            source=source,
            outputs=[_show_output(texts, source, item.sentence, group) for group in item.shown],
            language=campaign.version.language or "",
            edits=edits,
            **values,
        )


@writing.post("/c/{campaign_id}/judge/next")
def begin(context: Page, campaign_id: str) -> Response:
    """Write down what the judge is shown next, so that a reload shows the same."""
    with context.database.write() as session:
        campaign, user = find_campaign_to_judge(session, context.viewer, campaign_id)
        if campaign.closed is None:
            campaigns.next_item(session, campaign, user)
    return context.go(f"/c/{campaign_id}/judge")


def _show_output(texts: CampaignTexts, source: str, sentence: int, group: list[str]) -> list[Piece]:
    """An output with its edits. One that was deleted since is shown no more."""
    output = next((texts.outputs[label][sentence] for label in group if label in texts.outputs), None)
    return [Piece("same", "(this output was deleted)")] if output is None else mark_edits(source, output)


@writing.post("/c/{campaign_id}/judge")
def answer(
    context: Page,
    campaign_id: str,
    number: Text = "",
    skip: Text = "",
    edits: Text = "",
    correct: Annotated[bool, Form()] = False,
    rank0: Text = "",
    rank1: Text = "",
    rank2: Text = "",
    rank3: Text = "",
    rank4: Text = "",
) -> Response:
    ranks = [] if skip else [rank for rank in (rank0, rank1, rank2, rank3, rank4) if rank]
    if not ranks and not skip:
        raise InputError("give every output a rank, or skip the sentence")
    with context.database.write() as session:
        campaign, user = find_campaign_to_judge(session, context.viewer, campaign_id)
        campaigns.answer(
            session,
            campaign,
            user,
            number=parse_count(number, "a rank"),
            ranks=[parse_count(rank, "a rank") for rank in ranks],
            correct=correct,
        )
        campaigns.next_item(session, campaign, user)
    marks = "?edits=true" if edits == "true" else ""
    return context.go(f"/c/{campaign_id}/judge{marks}")


@reading.get("/c/{campaign_id}/judgments.{kind}")
def judgments(context: Page, campaign_id: str, kind: str) -> Response:
    """All judgments, for ``gecval human``."""
    with context.database.read() as session:
        campaign = find_campaign(session, context.viewer, campaign_id)
        answers = campaign_results.list_ranked(session, campaign)
    if kind == "jsonl":
        return file_response(campaign_results.write_jsonl(answers).encode(), "judgments.jsonl")
    if kind == "csv":
        return csv_response(campaign_results.list_csv_rows(answers), "judgments.csv")
    if kind == "xml":
        return file_response(campaign_results.write_xml(answers).encode(), "judgments.xml")
    raise NotFoundError("judgments are .jsonl, .csv or .xml")


def _parse_goal(text: str) -> int | None:
    return parse_count(text, "a goal") if text.strip() else None
