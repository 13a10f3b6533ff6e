"""A system's page: its scores, its history, errors by type, paired tests, sentences."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response

from gecval.board import decoys, passports, systems
from gecval.board.access import benchmark_at, kept_back, owns, sees_scores_of, sees_submission, system_of
from gecval.board.entries import current_scores
from gecval.board.errors import FailedError
from gecval.board.shown import reveals, shown
from gecval.board.web.asking import Asked, Page
from gecval.board.web.choosing import version_of
from gecval.board.web.files import text_answer
from gecval.board.web.reports import Reports
from gecval.board.web.security import REPORT_POLICY
from gecval.errors import InputError

reading = APIRouter()
PER_PAGE = 50


@reading.get("/b/{address}/systems/{system_id}")
def show(asked: Page, address: str, system_id: str, version: int = 0) -> Response:
    with asked.database.read() as session:
        benchmark = benchmark_at(session, asked.viewer, address)
        system = system_of(session, asked.viewer, benchmark, system_id)
        chosen = version_of(benchmark, version)
        scores = current_scores(session, chosen)
        seen = [row for row in system.submissions if sees_submission(asked.viewer, row)]
        standing = systems.standing_submission(session, asked.viewer, system, chosen, scores)
        rows = scores.get(standing.id, {}) if standing else {}
        return asked.page(
            "system.html",
            benchmark=benchmark,
            version=chosen,
            system=system,
            submissions=[row for row in reversed(seen) if row.version_id in (None, chosen.id)],
            history={
                row.id: {name: shown(asked.viewer, chosen, row, score) for name, score in scores[row.id].items()}
                for row in seen
                if row.id in scores and sees_scores_of(asked.viewer, row, chosen.id)
            },
            kept_back={row.id for row in seen if kept_back(asked.viewer, row, chosen.id)},
            standing=standing,
            scores=[shown(asked.viewer, chosen, standing, row) for row in rows.values()] if standing else [],
            types=systems.types(session, asked.viewer, chosen, standing) if standing else None,
            others=systems.others(session, asked.viewer, system, chosen, scores),
            reported=reveals(asked.viewer, chosen) and system.name != decoys.REFERENCE,
            owner=owns(asked.viewer, system),
            revealed=reveals(asked.viewer, chosen),
            digits=4 if reveals(asked.viewer, chosen) else chosen.digits,
        )


@reading.get("/b/{address}/systems/{system_id}/against")
def against(asked: Page, address: str, system_id: str, other: str = "", version: int = 0) -> Response:
    """Paired tests of a system against another, from the statistics that were kept."""
    with asked.database.read() as session:
        benchmark = benchmark_at(session, asked.viewer, address)
        chosen = version_of(benchmark, version)
        pair = [system_of(session, asked.viewer, benchmark, one) for one in (other, system_id)]
        if pair[0].id == pair[1].id:
            raise InputError("choose another system to test against")
        comparisons = systems.compare(session, asked.viewer, chosen, *pair)
        return asked.page(
            "against.html",
            benchmark=benchmark,
            version=chosen,
            baseline=pair[0],
            system=pair[1],
            comparisons=comparisons,
            digits=4 if reveals(asked.viewer, chosen) else chosen.digits,
        )


@reading.get("/b/{address}/systems/{system_id}/sentences")
def sentences(asked: Page, address: str, system_id: str, page: int = 1, version: int = 0) -> Response:
    """Source and output, and for public references these and the sentence scores."""
    with asked.database.read() as session:
        benchmark = benchmark_at(session, asked.viewer, address)
        system = system_of(session, asked.viewer, benchmark, system_id)
        chosen = version_of(benchmark, version)
        listed = systems.sentences(session, asked.viewer, chosen, system)
    pages = max(1, -(-len(listed) // PER_PAGE))
    if not 1 <= page <= pages:
        raise InputError(f"there are {pages} pages")
    return asked.page(
        "sentences.html",
        benchmark=benchmark,
        version=chosen,
        system=system,
        sentences=listed[(page - 1) * PER_PAGE : page * PER_PAGE],
        page=page,
        pages=pages,
    )


@reading.get("/b/{address}/systems/{system_id}/passport")
def passport(asked: Page, address: str, system_id: str, version: int = 0) -> Response:
    """The file from which ``gecval verify`` computes a system's scores again."""
    with asked.database.read() as session:
        benchmark = benchmark_at(session, asked.viewer, address)
        system = system_of(session, asked.viewer, benchmark, system_id)
        made = passports.passport(session, asked.viewer, version_of(benchmark, version), system)
        return text_answer(made, f"{system.name}.passport")


@reading.get("/b/{address}/systems/{system_id}/report")
def report(asked: Page, address: str, system_id: str, other: str = "", version: int = 0) -> Response:
    """The page of ``gecval report``, with an origin of its own; or word that it is being made, or could not be."""
    made, values = _report(asked, address, system_id, other=other, version=version)
    if made is None:
        return asked.page("report.html", status=500 if values["failed"] else 200, **values)
    # Pages that share an origin can be a group; this one cannot be in it.
    headers = {"Content-Security-Policy": REPORT_POLICY, "Cross-Origin-Opener-Policy": "unsafe-none"}
    return HTMLResponse(made, headers=headers)


@reading.get("/b/{address}/systems/{system_id}/report/state")
def report_state(asked: Page, address: str, system_id: str, other: str = "", version: int = 0) -> Response:
    """What htmx asks while a report is being made: nothing changes; then it opens, or the asking ends."""
    made, values = _report(asked, address, system_id, other=other, version=version)
    if made is not None:
        return Response(headers={"HX-Redirect": f"{values['place']}?{values['query']}"})
    return asked.page("report_state.html", **values) if values["failed"] else Response(status_code=204)


def _report(
    asked: Asked, address: str, system_id: str, *, other: str, version: int
) -> tuple[bytes | None, dict[str, Any]]:
    with asked.database.read() as session:
        benchmark = benchmark_at(session, asked.viewer, address)
        chosen = version_of(benchmark, version)
        pair = [system_of(session, asked.viewer, benchmark, one) for one in (system_id, other) if one]
        if len(pair) > 1 and pair[0].id == pair[1].id:
            raise InputError("choose another system to look at beside it")
        rows = systems.reported(session, asked.viewer, chosen, pair)
        scoring = systems.scoring_of(session, chosen, rows)
    reports: Reports = asked.request.app.state.reports
    made, failed = None, ""
    try:
        made = reports.page(chosen.id, [row.id for row in rows], scoring)
    except FailedError as error:
        failed = str(error)
    place = f"/b/{benchmark.address}/systems/{pair[0].id}/report"
    query = urlencode({"version": chosen.number, **({"other": other} if other else {})})
    return made, {"benchmark": benchmark, "system": pair[0], "place": place, "query": query, "failed": failed}
