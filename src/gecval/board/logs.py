"""Structured logs: one JSON object a line on stderr, so that any log collector can read them."""

from __future__ import annotations

import json
import logging
import sys
from datetime import datetime, timezone

_KNOWN = set(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


class JsonLines(logging.Formatter):
    """When, how bad, who, what; then whatever ``extra`` names. What libraries add for themselves begins with _."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, timezone.utc).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        others = ((name, value) for name, value in record.__dict__.items() if name not in _KNOWN)
        entry |= {name: value for name, value in others if not name.startswith("_")}
        if record.exc_info:
            entry["error"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False, default=str)


def log_to_stderr() -> None:
    """From now on, what the board and its server say goes to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name, level in (("gecval", logging.INFO), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level)
