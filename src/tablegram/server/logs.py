"""What the log looks like: lines for people, or one JSON object a line for programs."""

from __future__ import annotations

import logging
import re
from datetime import UTC, datetime
from typing import Any

import msgspec

from tablegram.settings import Settings
from tablegram.values.watching import trail

# Whoever pastes a key or a secret where it does not belong must not find it in the log.
_SECRET = re.compile(r"\b(tg_(?:live|test)_|whsec_)[\w+/=-]+")
_encode = msgspec.json.Encoder().encode


def configure(settings: Settings) -> None:
    """Set up the log of this process."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if settings.log_format == "json" else TextLines())
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler])
    # Quiet unless it is asked for, whatever the level of the rest; then heard, whatever the level.
    trail.log.setLevel(logging.INFO if settings.log_trail else logging.CRITICAL)


class TextLines(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:
        facts = "".join(f" {name}={value}" for name, value in _facts(record).items())
        return super().formatMessage(record) + facts

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_facts(record),
        }
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        return without_secrets(_encode(said).decode())


def without_secrets(text: str) -> str:
    return _SECRET.sub(r"\1…", text)


def _facts(record: logging.LogRecord) -> dict[str, Any]:
    """What a line says beside its words; the request that it belongs to first."""
    request_id = getattr(record, "request_id", None)
    request_id = trail.followed() if request_id is None else request_id
    # A span may be named behind the id.
    request_id = request_id.partition(" ")[0]
    return {**({"request_id": request_id} if request_id else {}), **getattr(record, "facts", {})}
