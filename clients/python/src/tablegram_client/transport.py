"""How a call is made: one HTTP request, and again where that is safe."""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, TypeVar
from urllib.parse import quote

import httpx

from tablegram_client.errors import ApiError, NoAnswer
from tablegram_client.version import __version__

# `Self` is of Python 3.11.
Sync = TypeVar("Sync", bound="Transport")
Async = TypeVar("Async", bound="AsyncTransport")


class Unset:
    """The type of `UNSET`: an argument that was not given, which is not the same as None."""

    def __bool__(self) -> bool:
        return False


UNSET = Unset()
# Nothing was done yet, whatever was asked for.
_NOT_DONE = frozenset({408, 429, 503})
# Something between here and there is in trouble: whether it was done is not known.
_NOT_KNOWN = frozenset({500, 502, 504})


@dataclass(frozen=True)
class Retries:
    """How often a call is made again, and how long to wait between two tries."""

    most: int = 4
    first_wait_s: float = 0.5
    # Who is told to wait for longer than this is told so by the error.
    longest_wait_s: float = 30.0


def without_unset(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if not isinstance(value, Unset)}


@dataclass(frozen=True)
class _Try:
    """A call that is about to be made, and how safe it is to make it again."""

    method: str
    path: str
    arguments: dict[str, Any]
    is_repeatable: bool
    raw: bool


class _Base:
    def __init__(self, base_url: str, api_key: str, retries: Retries | None) -> None:
        if not api_key:
            raise ValueError("api_key is empty.")
        root = base_url.rstrip("/")
        self._root = root if root.endswith("/api/v1") else f"{root}/api/v1"
        self._headers = {"Authorization": f"Bearer {api_key}", "User-Agent": f"tablegram-python/{__version__}"}
        self._retries = retries or Retries()

    @staticmethod
    def quote(part: object) -> str:
        return quote(str(part), safe="")

    def _prepare(
        self, method: str, path: str, query: dict[str, Any] | None, body: Any, content: bytes | None,
        idempotency_key: str | None, wait: bool, raw: bool,
    ) -> _Try:  # fmt: skip
        headers = {} if wait else {"Prefer": "respond-async"}
        if method == "POST":
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        arguments: dict[str, Any] = {"headers": headers}
        if query:
            arguments["params"] = {
                name: _text(value) for name, value in without_unset(query).items() if value is not None
            }
        if body is not None:
            arguments["json"] = body
        elif content is not None:
            arguments["content"] = content
            headers["Content-Type"] = "application/octet-stream"
        return _Try(method, self._root + path, arguments, method in ("GET", "POST"), raw)

    def _wait_s(self, number: int, made: _Try, answer: httpx.Response | Exception) -> float | None:
        """How long to wait before the next try; None for none."""
        if number >= self._retries.most:
            return None
        wait_s = self._retries.first_wait_s * 2**number * random.uniform(0.5, 1.0)
        if isinstance(answer, Exception):
            return wait_s if made.is_repeatable or isinstance(answer, httpx.ConnectError) else None
        code = answer.status_code
        in_flight = code == 409 and _problem(answer).get("code") == "idempotency_in_flight"
        if code in _NOT_DONE or in_flight or (code in _NOT_KNOWN and made.is_repeatable):
            asked = answer.headers.get("Retry-After", "")
            wait_s = max(wait_s, float(asked)) if asked.isdigit() else wait_s
            return wait_s if wait_s <= self._retries.longest_wait_s else None
        return None

    @staticmethod
    def _read(made: _Try, answer: httpx.Response) -> Any:
        if not answer.is_success:
            raise ApiError(answer.status_code, _problem(answer))
        if made.raw:
            return answer.content
        return answer.json() if answer.content else None


def _problem(answer: httpx.Response) -> dict[str, Any]:
    try:
        told = answer.json()
    except ValueError:
        told = None
    # Something in between answered: a proxy, a wrong address.
    return told if isinstance(told, dict) else {"detail": answer.text[:200] or answer.reason_phrase}


def _text(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


class Transport(_Base):
    """Makes calls one after the other. Safe to use from several threads."""

    def __init__(
        self, base_url: str, api_key: str, *, timeout_s: float = 30.0, retries: Retries | None = None,
        http: httpx.Client | None = None,
    ) -> None:  # fmt: skip
        super().__init__(base_url, api_key, retries)
        self._http = http or httpx.Client(timeout=timeout_s)

    def __enter__(self: Sync) -> Sync:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def request(
        self, method: str, path: str, *, query: dict[str, Any] | None = None, body: Any = None,
        content: bytes | None = None, idempotency_key: str | None = None, wait: bool = True, raw: bool = False,
    ) -> Any:  # fmt: skip
        made = self._prepare(method, path, query, body, content, idempotency_key, wait, raw)
        headers = {**self._headers, **made.arguments.pop("headers")}
        number = 0
        while True:
            answer: httpx.Response | Exception
            try:
                answer = self._http.request(made.method, made.path, headers=headers, **made.arguments)
            except httpx.TransportError as error:
                answer = error
            wait_s = self._wait_s(number, made, answer)
            if wait_s is None:
                if isinstance(answer, Exception):
                    raise NoAnswer(f"{made.method} {path}: {answer}") from answer
                return self._read(made, answer)
            time.sleep(wait_s)
            number += 1

    def pages(self, path: str, query: dict[str, Any]) -> Iterator[Any]:
        cursor: Any = UNSET
        while cursor is not None:
            page = self.request("GET", path, query={**query, "cursor": cursor})
            yield from page["data"]
            cursor = page["next_cursor"]


class AsyncTransport(_Base):
    """Makes calls, as many at once as you await."""

    def __init__(
        self, base_url: str, api_key: str, *, timeout_s: float = 30.0, retries: Retries | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:  # fmt: skip
        super().__init__(base_url, api_key, retries)
        self._http = http or httpx.AsyncClient(timeout=timeout_s)

    async def __aenter__(self: Async) -> Async:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def request(
        self, method: str, path: str, *, query: dict[str, Any] | None = None, body: Any = None,
        content: bytes | None = None, idempotency_key: str | None = None, wait: bool = True, raw: bool = False,
    ) -> Any:  # fmt: skip
        made = self._prepare(method, path, query, body, content, idempotency_key, wait, raw)
        headers = {**self._headers, **made.arguments.pop("headers")}
        number = 0
        while True:
            answer: httpx.Response | Exception
            try:
                answer = await self._http.request(made.method, made.path, headers=headers, **made.arguments)
            except httpx.TransportError as error:
                answer = error
            wait_s = self._wait_s(number, made, answer)
            if wait_s is None:
                if isinstance(answer, Exception):
                    raise NoAnswer(f"{made.method} {path}: {answer}") from answer
                return self._read(made, answer)
            await asyncio.sleep(wait_s)
            number += 1

    async def pages(self, path: str, query: dict[str, Any]) -> AsyncIterator[Any]:
        cursor: Any = UNSET
        while cursor is not None:
            page = await self.request("GET", path, query={**query, "cursor": cursor})
            for entry in page["data"]:
                yield entry
            cursor = page["next_cursor"]
