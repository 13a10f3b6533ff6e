"""A system's page: its scores, its history, errors by type, paired tests, sentences, its report."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response

from gecval.board import systems
from gecval.board.access import (
    find_system,
    is_kept_back,
    owns,
    sees_output,
    sees_submission,
    sees_submission_scores,
)
from gecval.board.database.models import REFERENCE
from gecval.board.errors import FailedError, NotFoundError
from gecval.board.public_scores import choose_digits, make_public, reveals
from gecval.board.submissions import load_scores
from gecval.board.system_report import Reports
from gecval.board.web.rendering import file_response
from gecval.board.web.request import Page, RequestContext, find_version
from gecval.board.web.security import REPORT_POLICY
from gecval.errors import InputError

reading = APIRouter()
PER_PAGE = 50


@reading.get("/b/{address}/systems/{system_id}")
def show(context: Page, address: str, system_id: str, version: int = 0) -> Response:
    with context.read_benchmark(address) as (session, benchmark):
        system = find_system(session, context.viewer, benchmark, system_id)
        chosen = find_version(benchmark, version)
        scores = load_scores(session, chosen, [row.id for row in system.submissions])
        seen = [row for row in system.submissions if sees_submission(context.viewer, row)]
        standing = systems.find_standing(context.viewer, system, chosen, scores)
        rows = scores.get(standing.id, {}) if standing else {}
        return context.page(
            "system.html",
            benchmark=benchmark,
            version=chosen,
            system=system,
            submissions=[row for row in reversed(seen) if row.version_id in (None, chosen.id)],
            history={
                row.id: {
                    name: make_public(context.viewer, chosen, row, score) for name, score in scores[row.id].items()
                }
                for row in seen
                if row.id in scores and sees_submission_scores(context.viewer, row, chosen.id)
            },
            kept_back={row.id for row in seen if is_kept_back(context.viewer, row, chosen.id)},
            standing=standing,
            scores=[make_public(context.viewer, chosen, standing, row) for row in rows.values()] if standing else [],
            types=systems.load_types(session, context.viewer, chosen, standing) if standing else None,
            others=systems.list_others(session, context.viewer, system, chosen),
            readable=standing is not None and sees_output(context.viewer, standing),
            reported=reveals(context.viewer, chosen) and system.name != REFERENCE,
            owner=owns(context.viewer, system),
            revealed=reveals(context.viewer, chosen),
            digits=choose_digits(context.viewer, chosen),
        )


@reading.get("/b/{address}/systems/{system_id}/against")
def against(context: Page, address: str, system_id: str, other: str = "", version: int = 0) -> Response:
    """Paired tests of a system against another, from the stored statistics."""
    with context.read_benchmark(address) as (session, benchmark):
        chosen = find_version(benchmark, version)
        pair = [find_system(session, context.viewer, benchmark, one) for one in (other, system_id)]
        if pair[0].id == pair[1].id:
            raise InputError("choose another system to test against")
        compared = systems.compare(session, context.viewer, chosen, *pair)
        return context.page(
            "against.html",
            benchmark=benchmark,
            version=chosen,
            baseline=pair[0],
            system=pair[1],
            pairs=compared,
            digits=choose_digits(context.viewer, chosen),
        )


@reading.get("/b/{address}/systems/{system_id}/sentences")
def sentences(context: Page, address: str, system_id: str, page: int = 1, version: int = 0) -> Response:
    """Source and output, and for public references these and the sentence scores."""
    with context.read_benchmark(address) as (session, benchmark):
        system = find_system(session, context.viewer, benchmark, system_id)
        chosen = find_version(benchmark, version)
        listed = systems.list_sentences(session, context.viewer, chosen, system)
    pages = max(1, -(-len(listed) // PER_PAGE))
    if not 1 <= page <= pages:
        raise InputError(f"there are {pages} pages")
    return context.page(
        "sentences.html",
        benchmark=benchmark,
        version=chosen,
        system=system,
        sentences=listed[(page - 1) * PER_PAGE : page * PER_PAGE],
        page=page,
        pages=pages,
    )


@reading.get("/b/{address}/systems/{system_id}/passport")
def passport(context: Page, address: str, system_id: str, version: int = 0) -> Response:
    """The file from which ``gecval explain verify`` computes a system's scores again."""
    with context.read_benchmark(address) as (session, benchmark):
        system = find_system(session, context.viewer, benchmark, system_id)
        made = systems.make_passport(session, context.viewer, find_version(benchmark, version), system)
        return file_response(made, f"{system.name}.passport")


@reading.get("/b/{address}/systems/{system_id}/report")
def report(context: Page, address: str, system_id: str, other: str = "", version: int = 0) -> Response:
    """The page of ``gecval report``, with an origin of its own; or word that it is being made, or could not be."""
    made, values = _report(context, address, system_id, other=other, version=version)
    if made is None:
        return context.page("report.html", status=500 if values["failed"] else 200, **values)
    # Pages that share an origin can be a group; this one cannot be in it.
    headers = {"Content-Security-Policy": REPORT_POLICY, "Cross-Origin-Opener-Policy": "unsafe-none"}
    return HTMLResponse(made, headers=headers)


@reading.get("/b/{address}/systems/{system_id}/report/state")
def report_state(context: Page, address: str, system_id: str, other: str = "", version: int = 0) -> Response:
    """What htmx asks while a report is being made: nothing changes; then it opens, or the asking ends."""
    made, values = _report(context, address, system_id, other=other, version=version)
    if made is not None:
        return Response(headers={"HX-Redirect": f"{values['place']}?{values['query']}"})
    return context.page("report_state.html", **values) if values["failed"] else Response(status_code=204)


def _report(
    context: RequestContext, address: str, system_id: str, *, other: str, version: int
) -> tuple[bytes | None, dict[str, Any]]:
    with context.read_benchmark(address) as (session, benchmark):
        chosen = find_version(benchmark, version)
        pair = [find_system(session, context.viewer, benchmark, one) for one in (system_id, other) if one]
        if len(pair) > 1 and pair[0].id == pair[1].id:
            raise InputError("choose another system to compare with")
        rows = systems.find_reported(session, context.viewer, chosen, pair)
        if not all(sees_output(context.viewer, row) for row in rows):
            raise NotFoundError("these outputs can be read when their phase is over")
        scoring = systems.hash_scores(session, chosen, rows)
    reports: Reports = context.request.app.state.reports
    made, failed = None, ""
    try:
        made = reports.page(chosen.id, [row.id for row in rows], scoring)
    except FailedError as error:
        failed = str(error)
    place = f"/b/{benchmark.address}/systems/{pair[0].id}/report"
    query = urlencode({"version": chosen.number, **({"other": other} if other else {})})
    return made, {"benchmark": benchmark, "system": pair[0], "place": place, "query": query, "failed": failed}
