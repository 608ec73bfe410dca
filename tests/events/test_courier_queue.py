"""A courier by itself: what it takes over at once, and what it leaves in the store until it has read that."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tablegram.engine.timers import Tasks
from tablegram.events import courier as module
from tablegram.events.courier import Courier
from tablegram.events.rows import NewDelivery, PendingRow
from tests.accounts.opened import MovableClock


def _row(number: int, created_at: int, wait_ms: int = 0) -> PendingRow:
    return {
        "event_id": f"e{number}", "sender": "a", "body": "{}", "attempts": 0, "due_at": created_at + wait_ms,
        "created_at": created_at, "trace": "", "last_status": None,
    }  # fmt: skip


def _new(number: int, created_at: int) -> NewDelivery:
    return {
        "account_id": 1, "webhook_id": "h", "event_id": f"e{number}", "sender": "a", "state": "pending",
        "due_at": created_at, "created_at": created_at,
    }  # fmt: skip


class _Store:
    """Answers the same rows again and again; `meanwhile` is done while it is read."""

    def __init__(self, *rows: PendingRow) -> None:
        self.rows = list(rows)
        self.meanwhile: list[Any] = []

    async def all(self, query: Any, params: Any = None) -> list[PendingRow]:
        while self.meanwhile:
            self.meanwhile.pop(0)()
        return self.rows


def _courier(store: _Store, clock: MovableClock) -> Any:
    return Courier(SimpleNamespace(db=store, clock=clock, tasks=Tasks(), is_alone=True), 1, "w1")  # type: ignore[arg-type]


async def test_what_became_due_while_the_store_was_read_does_not_wait() -> None:
    clock = MovableClock()
    store = _Store(_row(1, clock.now_ms(), wait_ms=60_000))
    one = _courier(store, clock)
    store.meanwhile.append(lambda: one.hasten("e1"))
    await one._load()
    assert one.lanes.known["e1"].due_at == clock.now_ms()
    # One that nobody has read yet is looked for.
    await one.bell.wait(0)
    assert (one._unseen, one.bell.has_rung) == (False, False)
    one.hasten("e2")
    assert (one._unseen, one.bell.has_rung) == (True, True)


async def test_what_is_handed_over_goes_behind_what_the_store_still_has(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = MovableClock()
    one = _courier(_Store(), clock)
    one.hand_over(_new(2, clock.now_ms()), "{}", None)
    assert not one.lanes.known, "others may be before it, in the store"
    await one._load()
    one.hand_over(_new(3, clock.now_ms()), "{}", None)
    assert (list(one.lanes.known), one._unseen) == (["e3"], False)
    # No more than it may know.
    monkeypatch.setattr(module, "MAX_KNOWN", 1)
    one.hand_over(_new(4, clock.now_ms()), "{}", None)
    assert (list(one.lanes.known), one._unseen) == (["e3"], True)


def test_what_was_just_read_is_sent_as_it_is_and_is_read_again_later() -> None:
    clock = MovableClock()
    read = module._item(_row(1, clock.now_ms()), clock.now_ms())
    asked = [
        module._may_have_changed(read, clock.now_ms() + ms) for ms in (-1, 0, module.TRUST_MS - 1, module.TRUST_MS)
    ]
    assert asked == [True, False, False, True]
