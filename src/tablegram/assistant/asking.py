"""Requests to the API, with the key of whoever asks."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

import aiohttp
import msgspec

TIMEOUT = aiohttp.ClientTimeout(total=30)
# What got no answer is asked once more; a POST under the same idempotency key.
TRIES = 2
PAUSE_S = 0.5


class ApiRefused(Exception):
    """The API said no, or gave no answer. The words are for the assistant, who tells them on."""


class Asking:
    """The API at one address."""

    def __init__(self, url: str, session: aiohttp.ClientSession) -> None:
        self._url = f"{url.rstrip('/')}/api/v1"
        self._session = session

    async def ask(
        self, key: str, method: str, path: str, *, query: dict[str, object] | None = None, body: Any = None
    ) -> Any:
        """The decoded answer. Raises `ApiRefused`."""
        headers = {"Authorization": f"Bearer {key}"}
        if method == "POST":
            headers["Idempotency-Key"] = str(uuid.uuid4())
        params = {name: str(value) for name, value in (query or {}).items() if value not in (None, "")}
        for number in range(TRIES):
            if number:
                await asyncio.sleep(PAUSE_S)
            try:
                async with self._session.request(
                    method, self._url + path, params=params, json=body, headers=headers, timeout=TIMEOUT
                ) as answer:
                    raw, status = await answer.read(), answer.status
            except (aiohttp.ClientError, TimeoutError):
                continue
            if status < 500:
                return _read(status, raw)
        raise ApiRefused("Tablegram gave no answer. Whether it was done is not known; look before you ask again.")


def _read(status: int, raw: bytes) -> Any:
    try:
        told = msgspec.json.decode(raw) if raw else None
    except msgspec.DecodeError:
        told = None
    if status < 400:
        return told
    problem = told if isinstance(told, dict) else {}
    wrong = [f"{one.get('field')}: {one.get('detail')}" for one in problem.get("errors", [])]
    detail = "; ".join(wrong) or problem.get("detail") or f"Tablegram answered {status}."
    raise ApiRefused(f"{detail} ({problem.get('code') or status})")
