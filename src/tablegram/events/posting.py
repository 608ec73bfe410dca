"""One attempt: a signed POST, and what came of it."""

from __future__ import annotations

import functools
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from hmac import HMAC
from typing import Literal

from yarl import URL

from tablegram.values.http.outbound import GuardedClient, ParsedTarget, TargetForbidden
from tablegram.values.http.signing import sign
from tablegram.values.http.wire import Lost, Overtaken, Unsent, head
from tablegram.web.version import API_VERSION

USER_AGENT = f"Tablegram/{API_VERSION}"
ANSWER_KEPT_BYTES = 2_048
# The status has decided already; the answer's text is only for the log and is not waited for any longer.
ANSWER_S = 2.0


@dataclass(frozen=True, slots=True)
class Patience:
    """How long an endpoint may take."""

    connect_s: float = 5.0
    total_s: float = 15.0


@dataclass(frozen=True, slots=True)
class Result:
    """What one attempt came to."""

    status: int | None
    error: str
    answer: str = ""
    latency_ms: int = 0
    retry_after_s: float | None = None

    @property
    def taken(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    @property
    def outcome(self) -> Literal["taken", "refused", "unreachable"]:
        return "taken" if self.taken else "unreachable" if self.status is None else "refused"

    @property
    def asks_for_patience(self) -> bool:
        """Whether the endpoint wants to be left alone altogether, not only with this event."""
        return self.status == 429 or (self.status == 503 and self.retry_after_s is not None)


async def post(
    client: GuardedClient, url: str, keys: list[HMAC], event_id: str, body: bytes, now_s: int, patience: Patience
) -> Result:
    """Post the body as it is, signed for this very moment. Nothing that an endpoint can do raises here, but `Overtaken` may."""
    started = time.monotonic()
    try:
        target = client.target(url)
        reply = await client.wire(target).ask(
            _request(target, keys, event_id, body, now_s),
            patience.total_s,
            keep_bytes=ANSWER_KEPT_BYTES,
            linger_s=ANSWER_S,
            connect_s=patience.connect_s,
        )
    except TargetForbidden as error:
        return Result(None, f"It may not be called: {error.reason}."[:500], "", _since(started))
    except Overtaken:
        raise
    except (Unsent, Lost) as error:
        return Result(None, f"Not delivered: {error}."[:500], "", _since(started))
    words = "" if 200 <= reply.status < 300 else f"HTTP {reply.status}"
    retry_after = reply.headers.get(b"retry-after", b"").decode("latin-1")
    answer = reply.body.decode("utf-8", "replace").replace("\x00", "")
    return Result(reply.status, words, answer, _since(started), seconds(retry_after, now_s))


def _request(target: ParsedTarget, keys: list[HMAC], event_id: str, body: bytes, now_s: int) -> bytes:
    signature = sign(keys, event_id, now_s, body)
    # Names and values of our own making, in which nothing can hide that would begin another header.
    own = f"webhook-id: {event_id}\r\nwebhook-timestamp: {now_s}\r\nwebhook-signature: {signature}\r\n\r\n"
    return b"%b%d\r\n%b%b" % (_opening(target.url), len(body), own.encode(), body)


@functools.lru_cache(maxsize=1_024)
def _opening(url: URL) -> bytes:
    """The part of a request that is the same for all events of an endpoint."""
    return head("POST", url, {"Content-Type": "application/json", "User-Agent": USER_AGENT})


def seconds(retry_after: str | None, now_s: int) -> float | None:
    """The header in either of its forms; nonsense is no header."""
    if not retry_after:
        return None
    text = retry_after.strip()
    if text.isascii() and text.isdigit() and len(text) < 10:
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now_s)
    except (ValueError, TypeError, OverflowError):
        return None


def _since(started: float) -> int:
    return int((time.monotonic() - started) * 1_000)
