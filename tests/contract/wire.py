"""One HTTP call as any program would make it, with everything of the answer kept."""

from __future__ import annotations

import json
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    raw: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.raw)

    @property
    def pairs(self) -> list[tuple[str, Any]]:
        """The members of the answer's object in the order in which they were written."""
        pairs: list[tuple[str, Any]] = json.loads(self.raw, object_pairs_hook=list)
        return pairs

    def refused(self) -> tuple[int, str]:
        return self.status, self.json["code"]


def ask(
    url: str, *, method: str = "POST", body: Any = None, key: str | None = None, headers: dict[str, str] | None = None
) -> Answer:
    """`body` may be bytes, which go out as they are, or anything that JSON can hold."""
    parts = urlsplit(url)
    assert parts.hostname == "127.0.0.1"
    sent: dict[str, str] = {} if key is None else {"Authorization": f"Bearer {key}"}
    raw = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    if raw is not None:
        sent["Content-Type"] = "application/json"
    sent |= headers or {}
    connection = HTTPConnection(parts.hostname, parts.port, timeout=30)
    try:
        connection.request(method, parts.path + (f"?{parts.query}" if parts.query else ""), body=raw, headers=sent)
        answer = connection.getresponse()
        named = {name.lower(): value for name, value in answer.getheaders()}
        return Answer(answer.status, named, answer.read())
    finally:
        connection.close()
