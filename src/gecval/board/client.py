"""A board from outside: submitting and asking how it goes, over its API."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from gecval.errors import InputError
from gecval.formats.files import readable
from gecval.stats import Interval
from gecval.studies.scores.result import Score, Scores

PAUSE, MAX_PAUSE = 0.5, 5.0
KEPT_BACK = "it is not better than what its team has shown by more than chance, so that score stays (the Ladder)"
UNFINISHED = ("queued", "leased")


@dataclass(frozen=True)
class Board:
    """The board at an address. ``transport`` is for tests."""

    address: str
    token: str
    transport: httpx.BaseTransport | None = None

    def submit(
        self, benchmark: str, file: Path, *, system: str, team: str = "", sheet: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """Submit a file; what the board says of it."""
        with readable(file):
            content = file.read_bytes()
        fields = {"system": system, "team": team, **(sheet or {})}
        path = f"/api/benchmarks/{benchmark}/submissions"
        return self._call("POST", path, data=fields, files={"file": (file.name, content, "text/plain")})

    def submission(self, benchmark: str, submission_id: str) -> dict[str, Any]:
        return self._call("GET", f"/api/benchmarks/{benchmark}/submissions/{submission_id}")

    def wait(self, benchmark: str, submission: dict[str, Any], say: Callable[[str], None]) -> dict[str, Any]:
        """Ask until a submission is scored, has failed or was withdrawn; ``say`` hears of every change."""
        pause, said = PAUSE, ""
        while submission["state"] in UNFINISHED:
            line = f"waiting, number {submission['place']}" if submission["state"] == "queued" else "being scored"
            if line != said:
                say(line)
            said = line
            time.sleep(pause)
            pause = min(MAX_PAUSE, pause * 1.2)
            submission = self.submission(benchmark, submission["id"])
        if submission["state"] == "failed":
            raise InputError(f"it could not be scored: {submission['log'] or 'ask the organisers'}")
        return submission

    def _call(self, method: str, path: str, **body: Any) -> dict[str, Any]:
        if not self.address.startswith(("http://", "https://")):
            raise InputError("the address of a board starts with http:// or https://", parameter="board")
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        try:
            with httpx.Client(base_url=self.address.rstrip("/"), transport=self.transport, timeout=60) as client:
                answer = client.request(method, path, headers=headers, **body)
                content = answer.json()
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise InputError(f"the board at {self.address} does not answer: {error}", parameter="board") from None
        except ValueError:
            raise InputError(f"{self.address} does not answer like a board", parameter="board") from None
        if not isinstance(content, dict):
            raise InputError(f"{self.address} does not answer like a board", parameter="board")
        if answer.status_code >= 400:
            raise InputError(str(content.get("error", f"the board says {answer.status_code}")))
        return content


def as_scores(submission: Mapping[str, Any]) -> Scores:
    """What the board says of a submission as the result that ``gecval score`` gives."""
    return Scores(
        scores=tuple(
            Score(
                system=submission["system"],
                metric=row["metric"],
                score=row["score"],
                parts=row["parts"],
                interval=None if row["low"] is None else Interval(row["low"], row["high"]),
                level=row["level"],
                signature=row["signature"],
                notes=tuple(row["notes"]),
                higher_is_better=row["higher_is_better"],
            )
            for row in submission["scores"]
        ),
        notes=(KEPT_BACK,) if submission.get("kept_back") else (),
    )
