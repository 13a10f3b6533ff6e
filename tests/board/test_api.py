"""Schemathesis calls every route of the API with whatever its schema allows, and more: none answers with 500."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from sqlalchemy import select

from board.serving import Served
from gecval.board import tokens
from gecval.board.database import open_database
from gecval.board.database.models import User
from gecval.board.settings import Settings


@pytest.fixture
def calls(new_url: Callable[[], str], tmp_path: Path):
    served = Served(open_database(new_url()), Settings(data=tmp_path, password_cost=1, uploads=10_000))
    served.benchmark()
    served.browser("anna").submit("small")
    served.work()
    with served.database.write() as session:
        anna = session.scalar(select(User).where(User.name == "anna"))
        secret = tokens.make_token(session, anna, name="t", scope="submit", days=1)
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", served.app)
    yield schema, {"Authorization": f"Bearer {secret}"}
    served.database.close()


def test_no_call_breaks_the_board(calls) -> None:
    schema, headers = calls
    tried = []

    for operation in schema.get_all_operations():
        inner = operation.ok()

        @hypothesis_settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
        @given(case=inner.as_strategy())
        def of_operation(case) -> None:
            for named in ({}, headers):
                answer = case.call(headers=named)
                assert answer.status_code < 500, (case.method, case.path, answer.text)
            tried.append(case.path)

        of_operation()
    assert {"/api/benchmarks/{address}/submissions", "/api/benchmarks/{address}/leaderboard", "/metrics"} <= set(tried)
