"""LanguageTool behind its HTTP API v2: a server of the user's, or our own (models/languagetool_process.py)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from http.client import HTTPException
from typing import Any, ClassVar
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import ProxyHandler, build_opener, urlopen

from gecval.errors import InputError
from gecval.models.grammar import KEPT, LANGUAGE, Finding

SERVER_PATIENCE_S = 60.0
_NEARBY = build_opener(ProxyHandler({}))  # a proxy elsewhere knows nothing of this machine's ports


@dataclass(frozen=True)
class LanguageToolServer:
    """A server such as ``http://localhost:8081``, and whether it is our own, on whatever port was free."""

    isolated: ClassVar[bool] = True
    language: ClassVar[str | None] = "en"
    url: str
    ours: bool = False

    @property
    def signature(self) -> str:
        """Our own server is the same on any port. What another server finds depends on how it was set up."""
        name = f"languagetool:{_version(self.url)}"
        return name if self.ours else f"{name}|{self.url}"

    def find(self, text: str) -> list[Finding]:
        units = text.encode("utf-16-le")  # Java counts in these

        def characters(size: int) -> int:
            return len(units[: 2 * size].decode("utf-16-le", errors="ignore"))

        return [
            Finding(
                characters(match["offset"]),
                characters(match["offset"] + match["length"]),
                rule=match["rule"]["id"],
                category=match["rule"]["category"]["id"],
            )
            for match in _ask(self.url, text)["matches"]
        ]


@lru_cache
def _version(url: str) -> str:
    software = _ask(url, "A").get("software", {})
    return f"{software.get('version', 'unknown')}-{software.get('buildDate', 'unknown')}"


def _ask(url: str, text: str) -> Any:
    form = urlencode({"language": LANGUAGE, "text": text}).encode()
    nearby = urlsplit(url).hostname in ("localhost", "127.0.0.1", "::1")
    try:
        with (_NEARBY.open if nearby else urlopen)(f"{url}/v2/check", form, timeout=SERVER_PATIENCE_S) as response:
            answer = json.load(response)
    except HTTPError as error:
        raise InputError(f"the LanguageTool server {url} answers {error.code} at {text[:60]!r}; {KEPT}") from None
    except (OSError, HTTPException, ValueError) as error:
        reason = str(getattr(error, "reason", error)) or type(error).__name__
        raise InputError(f"no LanguageTool server answers at {url} ({reason}); {KEPT}") from None
    if not (isinstance(answer, dict) and "matches" in answer):
        raise InputError(f"what answers at {url} is no LanguageTool server")
    return answer
