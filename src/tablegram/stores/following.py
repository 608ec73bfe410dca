"""Who has something of their own to do whenever a shop or a form tells of something: a follower.

A follower is called inside the transaction that keeps the event, each time the event comes: also when people replay it, and
when its delivery is worked on again after a crash. It must find by its own unique keys what it has done already, and answer
`Followed(code="duplicate")` for that. It has no effect outside the transaction. A replay that only asks what would happen is
rolled back.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from tablegram.storage.database import Tx
from tablegram.stores.model import Delivery, Followed, ToldEvent

Follower = Callable[[Tx, ToldEvent], Awaitable[Followed | None]]
# What a follower wants to read before the transaction, by the account.
Prepare = Callable[[int], Awaitable[None]]
# After the commit.
Listener = Callable[[ToldEvent], None]
Keeper = Callable[[Delivery], None]


class StoreEvents:
    """Where followers join. The order in which they join is the order in which they are asked."""

    def __init__(self) -> None:
        self.preparing: list[Prepare] = []
        self.followers: list[Follower] = []
        self.listeners: list[Listener] = []
        # Told of deliveries that meant nothing.
        self.keepers: list[Keeper] = []

    async def prepare(self, account_id: int) -> None:
        for prepare in self.preparing:
            await prepare(account_id)

    async def follow(self, tx: Tx, told: ToldEvent) -> tuple[Followed, ...]:
        found = [await follower(tx, told) for follower in self.followers]
        return tuple(outcome for outcome in found if outcome is not None)

    def told(self, told: ToldEvent) -> None:
        for listener in self.listeners:
            listener(told)

    def kept(self, delivery: Delivery) -> None:
        for keeper in self.keepers:
            keeper(delivery)
