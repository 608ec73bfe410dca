"""Who is waited for passes first, and the others go on all the same."""

from __future__ import annotations

import asyncio
import time

import pytest

from tablegram.engine import courtesy
from tablegram.engine.courtesy import Courtesy


async def test_a_piece_waits_until_nobody_is_on_their_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courtesy, "AT_MOST_S", 600.0)
    one = Courtesy()
    await one.let_pass()
    one.passing(600.0)
    piece = asyncio.ensure_future(one.let_pass())
    done, _ = await asyncio.wait([piece], timeout=0.05)
    assert not done
    piece.cancel()
    one = Courtesy()
    one.passing(0.05)
    began = time.monotonic()
    await one.let_pass()
    assert time.monotonic() - began >= 0.05


async def test_who_comes_meanwhile_passes_too() -> None:
    one = Courtesy()
    one.passing(0.03)
    began = time.monotonic()
    piece = asyncio.ensure_future(one.let_pass())
    await asyncio.sleep(0)
    one.passing(0.06)
    await piece
    assert time.monotonic() - began >= 0.06


async def test_a_piece_goes_on_when_guests_never_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courtesy, "AT_MOST_S", 0.02)
    one = Courtesy()
    one.passing(600.0)
    async with asyncio.timeout(30):
        await one.let_pass()
    assert one.wait_s() > 0
