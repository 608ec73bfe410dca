"""A guest takes an order back: it is said which one, and what of theirs still comes; or all of them, where that is wanted."""

from __future__ import annotations

from collections.abc import Sequence

from tablegram.events.planning import Statement
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.flows.restaurant.orders.telling import short
from tablegram.flows.restaurant.texts.said import Said
from tablegram.restaurant.guests import SITS_MS
from tablegram.restaurant.lines import tidy
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.event import UPDATED
from tablegram.restaurant.orders.model import Order, from_row
from tablegram.restaurant.orders.states import OrderRefusal, move
from tablegram.restaurant.reading.sentences import wishes
from tablegram.restaurant.store import orders as order_store
from tablegram.restaurant.texts import requests
from tablegram.restaurant.texts.words import speak
from tablegram.storage.database import Tx

# So many dishes tell which order is meant.
_SHOWN = 4


class Cancelling:
    def __init__(self, ordering: Ordering) -> None:
        self._ordering = ordering
        self._telling = ordering.telling

    async def cancel(self, tx: Tx, said: Said, newest: Order) -> tuple[list[Statement], bool]:
        """The newest order, the one whose number is said, or all that are open. And whether all of that is done."""
        opened = await self._opened(tx, said)
        told = said.text.upper()
        meant = [one for one in opened if one.order_id in told] or [newest]
        meant = opened if wishes.cancels_every(said.text) and opened else meant
        ids = {one.order_id for one in meant}
        rest = [one for one in opened if one.order_id not in ids]
        statements: list[Statement] = []
        gone: list[Order] = []
        asked: list[Order] = []
        for order in meant:
            if not may_cancel(order):
                await requests.ask(tx, order, "cancel", tidy(said.text), (), said.now)
                statements += self._ordering.plan(order, UPDATED)
                asked.append(order)
                continue
            change = await orders.happen(tx, order.account_id, order.order_id, "cancel", "guest", "guest", said.now)
            statements += await self._ordering.follow(tx, said.venue, change, "cancel", said.now, tells=False)
            gone.append(order)
        await self._tell(tx, said, gone, asked, rest)
        return statements, not asked

    async def tell_open(self, tx: Tx, said: Said, language: str) -> None:
        words, opened = speak(language), await self._opened(tx, said)
        if opened:
            await self._telling.say(tx, said.venue, said.phone, _still(opened, words), said.now)

    async def _opened(self, tx: Tx, said: Said) -> list[Order]:
        rows = await tx.all(order_store.OPEN_OF_GUEST, {**said.whose, "since": said.now - SITS_MS})
        return [from_row(row) for row in rows]

    async def _tell(
        self, tx: Tx, said: Said, gone: Sequence[Order], asked: Sequence[Order], rest: Sequence[Order]
    ) -> None:
        language = (*gone, *asked)[0].language
        words = speak(language)
        parts = [words["cancelled_what"].format(order=one.order_id, dishes=_dishes(one, words)) for one in gone]
        parts += [words["cancel_asked"].format(order=one.order_id) for one in asked]
        parts += [_still(rest, words)] if rest else []
        await self._telling.say(tx, said.venue, said.phone, "\n\n".join(parts), said.now)


def _still(rest: Sequence[Order], words: dict[str, str]) -> str:
    told = [words["still_coming"].format(order=one.order_id, dishes=_dishes(one, words)) for one in rest]
    return "\n".join([*told, words["cancel_rest"]])


def may_cancel(order: Order) -> bool:
    refused = isinstance(move(order.standing, "cancel", "guest"), OrderRefusal)
    return not refused and order.payment_state in ("unpaid", "failed")


def _dishes(order: Order, words: dict[str, str]) -> str:
    return ", ".join(short(order.lines, words, with_notes=False, most=_SHOWN))
