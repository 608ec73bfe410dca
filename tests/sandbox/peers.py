"""A request straight into the application, from whatever peer."""

from __future__ import annotations

from typing import Any


async def ask(
    app: Any, client: str, headers: dict[str, str], method: str = "GET", path: str = "/sandbox/phones"
) -> int:
    """One request straight into the application, with the peer's address of our choice."""
    answers: list[dict[str, Any]] = []
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "client": (client, 5000),
        "server": ("127.0.0.1", 8000),
        "state": {},
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        answers.append(message)

    await app(scope, receive, send)
    return int(answers[0]["status"])
