"""What a run may spend on a chat model: requests and tokens, counted for this process.

before a request    its prompt and the longest answer are reserved
after it            what the server says it used takes their place, else an estimate: a token is about 4 bytes
"""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

from gecval.errors import InputError

BYTES_PER_TOKEN = 4  # of English; other languages have more bytes a letter, and more tokens too


def estimated_tokens(text: str) -> int:
    """About how many tokens a text has.

    >>> estimated_tokens("He goes home .")
    4
    """
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)


@dataclass
class Budget:
    """``most_requests`` counts every try. None is no limit."""

    most_requests: int | None = None
    most_tokens: int | None = None
    requests: int = 0
    tokens: int = 0
    _lock: Lock = field(default_factory=Lock, repr=False)

    def check(self, prompts: int, tokens: int) -> None:
        """Refuse so many prompts, with so many tokens together, before any is asked."""
        limits = (self.most_requests, self.requests, prompts), (self.most_tokens, self.tokens, tokens)
        if any(most is not None and spent + wanted > most for most, spent, wanted in limits):
            raise InputError(
                f"{prompts:,} prompts of about {tokens:,} tokens remain to be asked, which is over the budget of "
                f"{self._limits()} ({self._spent()}): nothing more is asked. Allow more with most_requests or "
                "most_tokens"
            )

    def reserve(self, tokens: int) -> None:
        """Take one request of so many tokens off the budget, or refuse it."""
        with self._lock:
            over = self.most_requests is not None and self.requests + 1 > self.most_requests
            if over or (self.most_tokens is not None and self.tokens + tokens > self.most_tokens):
                raise InputError(
                    f"the budget of {self._limits()} does not allow another request ({self._spent()}). Allow more "
                    "with most_requests or most_tokens"
                )
            self.requests += 1
            self.tokens += tokens

    def settle(self, reserved: int, used: int) -> None:
        """Put what was used in the place of what was reserved."""
        with self._lock:
            self.tokens += used - reserved

    def _limits(self) -> str:
        limits = {"requests": self.most_requests, "tokens": self.most_tokens}
        return " and ".join(f"{most:,} {what}" for what, most in limits.items() if most is not None)

    def _spent(self) -> str:
        return f"spent in this run: {self.requests:,} requests, {self.tokens:,} tokens"
