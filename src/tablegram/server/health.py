"""/healthz, /readyz and /metrics, and a plain 404 for what is nowhere."""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable
from typing import Any

from tablegram.settings import Settings

# Why the product cannot work, in a few words; empty when it can.
Trouble = Callable[[], Awaitable[str]]
# The page of figures.
Page = Callable[[], Awaitable[str]]

# What /readyz says of a server that is about to end, and still answers.
LEAVING = "leaving"

_TEXT = "text/plain; charset=utf-8"
# Prometheus' text form.
_FIGURES = "text/plain; version=0.0.4; charset=utf-8"


class Health:
    def __init__(self, settings: Settings, trouble: Trouble, figures: Page) -> None:
        self._settings = settings
        self._trouble = trouble
        self._figures = figures

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        status, kind, text = await self._answer(scope)
        body = text.encode()
        headers = [
            (b"content-type", kind.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
            (b"x-content-type-options", b"nosniff"),
        ]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})

    async def _answer(self, scope: Any) -> tuple[int, str, str]:
        path, method = scope["path"], scope["method"]
        if path not in ("/healthz", "/readyz", "/metrics"):
            return 404, _TEXT, "Nothing is here. The API is at /api/v1, its docs at /api/v1/docs, all docs at /docs/.\n"
        if method not in ("GET", "HEAD"):
            return 405, _TEXT, "Use GET.\n"
        if path == "/healthz":
            return 200, _TEXT, "up\n"
        if path == "/readyz":
            trouble = await self._trouble()
            return (503, _TEXT, f"{trouble}\n") if trouble else (200, _TEXT, "ready\n")
        if not (self._settings.metrics_public or _is_loopback(scope)):
            return 403, _TEXT, "Metrics are for this machine only. TABLEGRAM_METRICS_PUBLIC=1 changes that.\n"
        return 200, _FIGURES, await self._figures()


def _is_loopback(scope: Any) -> bool:
    """Whether the caller sits on this machine, and not behind a proxy that does."""
    if any(name in (b"x-forwarded-for", b"forwarded", b"x-real-ip") for name, _ in scope["headers"]):
        return False
    client = scope.get("client")
    try:
        return client is not None and ipaddress.ip_address(client[0]).is_loopback
    except ValueError:
        return False
