"""Bodies that are too large, too slow, or broken off, for whoever reads them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest

from tablegram.errors import BodyTooLarge, TooSlow
from tablegram.web.asgi import Receive
from tablegram.web.bodies import LEAST_BYTES_PER_S, BodyReader, ClientGone

LIMIT = 1_000


def coming(parts: Iterable[bytes], *, pause_s: float = 0.0, then: str = "whole") -> Receive:
    """A caller who sends these, one by one, and then is done, falls silent or hangs up."""
    left = list(parts)

    async def receive() -> Any:
        await asyncio.sleep(pause_s)
        if left:
            part = left.pop(0)
            return {"type": "http.request", "body": part, "more_body": bool(left) or then != "whole"}
        if then == "silent":
            await asyncio.sleep(3_600)
        return {"type": "http.disconnect"}

    return receive


async def read(how: str, bodies: BodyReader, receive: Receive, announced: int = -1) -> bytes:
    if how == "whole":
        return await bodies.whole(receive, LIMIT, announced)
    if how == "pieces":
        return b"".join([part async for part in bodies.pieces(receive, LIMIT, announced)])
    found, more, timed = b"", True, bodies.in_time(receive)
    while more:
        message = await timed()
        if message["type"] == "http.disconnect":
            raise ClientGone
        found, more = found + message["body"], message["more_body"]
    return found


ALL = ("whole", "pieces", "in_time")


@pytest.mark.parametrize("how", ALL)
async def test_a_body_is_read_however_it_is_cut(how: str) -> None:
    for parts in ([b"abc"], [b"a", b"", b"bc"], [b""]):
        assert await read(how, BodyReader(), coming(parts)) == b"".join(parts)


@pytest.mark.parametrize("how", ["whole", "pieces"])
async def test_the_last_byte_that_fits_is_taken_and_one_more_is_413(how: str) -> None:
    assert len(await read(how, BodyReader(), coming([b"x" * LIMIT]), LIMIT)) == LIMIT
    for parts in ([b"x" * (LIMIT + 1)], [b"x" * LIMIT, b"x"], [b"x"] * (LIMIT + 1)):
        with pytest.raises(BodyTooLarge):
            await read(how, BodyReader(), coming(parts, then="silent"))


@pytest.mark.parametrize("how", ["whole", "pieces"])
async def test_a_body_that_says_it_is_too_large_is_refused_unread(how: str) -> None:
    async def receive() -> Any:
        raise AssertionError("it was read")

    with pytest.raises(BodyTooLarge):
        await read(how, BodyReader(), receive, LIMIT + 1)


@pytest.mark.parametrize("how", ALL)
@pytest.mark.parametrize("parts", [[], [b"x"]], ids=["no byte", "one byte"])
async def test_silence_is_408_and_the_connection_ends(how: str, parts: list[bytes]) -> None:
    with pytest.raises(TooSlow, match=r"Nothing of the body came for 0\.05 seconds") as told:
        await read(how, BodyReader(idle_s=0.05), coming(parts, then="silent"))
    assert told.value.headers == {"Connection": "close"}


@pytest.mark.parametrize("how", ALL)
async def test_a_byte_now_and_then_does_not_keep_a_body_open(how: str) -> None:
    # Whoever is late by a moment, on a busy machine, is not silent yet.
    bodies = BodyReader(idle_s=5, within_s=0.3)
    with pytest.raises(TooSlow, match=r"longer than 0\.3 seconds"):
        await read(how, bodies, coming([b"x"] * 500, pause_s=0.02, then="silent"))


async def test_a_large_body_gets_the_time_that_its_bytes_need() -> None:
    part = b"x" * (LEAST_BYTES_PER_S // 4)
    bodies = BodyReader(idle_s=0.6, within_s=0.6)
    # Each part comes after 0.07 s and earns 0.25 s: it may go on after the first limit.
    receive = coming([part] * 10, pause_s=0.07)
    assert len(await bodies.whole(receive, len(part) * 10)) == len(part) * 10


@pytest.mark.parametrize("how", ALL)
async def test_who_hangs_up_is_not_waited_for(how: str) -> None:
    with pytest.raises(ClientGone):
        await read(how, BodyReader(), coming([b"x"], then="gone"))


async def test_a_framework_may_wait_for_the_end_of_a_caller_without_a_clock() -> None:
    timed = BodyReader(idle_s=0.05).in_time(coming([b"x"]))
    assert (await timed())["body"] == b"x"
    assert (await timed())["type"] == "http.disconnect"


async def test_who_is_cancelled_for_another_reason_is_not_told_that_he_is_late() -> None:
    task = asyncio.ensure_future(BodyReader(idle_s=5).whole(coming([], then="silent"), LIMIT))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
