"""Where programs call: whoever guesses is not heard for a moment, and no refusal leaves without an answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablegram.errors import Conflict, NotFound, Unauthorized
from tablegram.settings import Settings
from tablegram.web.bodies import ClientGone
from tablegram.web.plain.hook import TEXT, Hook, Reply

pytestmark = pytest.mark.once


class Rack(Hook):
    """Answers with what it was told to, or refuses."""

    said: Reply | Exception = Reply(200, TEXT, b"ok")

    async def listen(self, scope: Any, receive: Any) -> Reply:
        if isinstance(self.said, Exception):
            raise self.said
        return self.said


@pytest.fixture
def rack(tmp_path: Path) -> Rack:
    return Rack(Settings(data_dir=tmp_path, anonymous_rate_limit=0.01, anonymous_rate_burst=2))


async def call(rack: Rack, method: str = "POST", address: str = "192.0.2.1") -> list[Any]:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    scope = {"type": "http", "method": method, "path": "/", "headers": [], "client": (address, 1)}
    await rack(scope, receive, send)
    return sent


async def statuses(rack: Rack, times: int) -> list[int]:
    return [(await call(rack))[0]["status"] for _ in range(times)]


@pytest.mark.parametrize("refusal", [NotFound("no such hook"), Unauthorized("the signature is wrong")])
async def test_who_guesses_is_told_so_and_then_not_heard_for_a_moment(rack: Rack, refusal: Exception) -> None:
    rack.said = refusal
    first = await statuses(rack, 2)
    assert set(first) <= {401, 404}
    assert await statuses(rack, 2) == [429, 429]
    rack.said = Reply(200, TEXT, b"ok")
    assert await statuses(rack, 1) == [429]
    assert (await call(rack, address="198.51.100.7"))[0]["status"] == 200


async def test_who_shows_the_right_key_may_call_as_often_as_they_like(rack: Rack) -> None:
    assert await statuses(rack, 8) == [200] * 8
    rack.said = Conflict("it is over")
    assert await statuses(rack, 8) == [409] * 8


async def test_who_has_gone_hears_nothing_and_head_hears_no_body(rack: Rack) -> None:
    start, body = await call(rack, "HEAD")
    assert (start["status"], body["body"]) == (200, b"")
    assert (await call(rack))[1]["body"] == b"ok"
    rack.said = ClientGone()
    assert await call(rack) == []
