"""Does a new board work? Signs up, makes a benchmark, submits, waits for the score, logs in again.

    python deploy/smoke.py http://127.0.0.1:8017/join/...      the link that the first start prints; it is used up

For an image that was just built, say. Needs httpx, which `gecval[board]` brings; nothing of gecval itself.
"""

import re
import secrets
import sys
import time
from urllib.parse import urlsplit

import httpx

SOURCE = "He go home .\nShe like it .\nI has two .\n"
REFERENCE = "He goes home .\nShe likes it .\nI have two .\n"
WAIT = 300.0  # seconds until the score must be there; the first job loads its models


def check(link: str) -> str:
    """The score that a perfect output got; an error tells what does not work."""
    at = urlsplit(link)
    password = secrets.token_urlsafe(12)
    with httpx.Client(base_url=f"{at.scheme}://{at.netloc}", timeout=60) as board:
        _send(board, at.path, at.path, name="smoke", password=password, team="smoke")
        files = {"source": ("src.txt", SOURCE), "public": ("ref.txt", REFERENCE)}
        there = _send(board, "/new", "/new", files=files, name="Smoke test", metrics="m2, errant, gleu")
        submitted = _send(
            board, f"{there}/submit", f"{there}/submit", files={"file": ("out.txt", REFERENCE)}, system="it"
        )
        deadline = time.monotonic() + WAIT
        while "To the leaderboard" not in (page := board.get(submitted).text):
            if "could not be scored" in page or time.monotonic() > deadline:
                raise SystemExit(f"{submitted}: it was not scored")
            time.sleep(1)
        _send(board, "/", "/logout")
        _send(board, "/login", "/login", name="smoke", password=password)
        healthy = board.get("/healthz").json()
        scores = re.findall(r'class="value">([\d.]+)<', page)
    return f"gecval {healthy['gecval']} scores {', '.join(scores)}; /healthz says {healthy['status']}"


def _send(
    board: httpx.Client, form: str, path: str, files: dict[str, tuple[str, str]] | None = None, **data: str
) -> str:
    """Send a form of a page; where it leads."""
    page = _refuse_other(board.get(form), 200)
    token = re.search(r'name="csrf" value="(\w+)"', page.text)
    data["csrf"] = token[1] if token else ""
    return _refuse_other(board.post(path, data=data, files=files), 303).headers["location"]


def _refuse_other(answer: httpx.Response, status: int) -> httpx.Response:
    if answer.status_code != status:
        said = re.sub(r"<[^>]+>|\s+", " ", answer.text.partition("<main")[2] or answer.text)
        raise SystemExit(f"{answer.request.method} {answer.url.path} answers {answer.status_code}: {said[-300:]}")
    return answer


if __name__ == "__main__":
    print(check(*sys.argv[1:]))
