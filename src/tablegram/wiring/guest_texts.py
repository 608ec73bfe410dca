"""Who answers what guests write: loaded when somebody writes first, for a server to which nobody does needs no reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tablegram.flows.gateway.answering import LAST_WORD, ORDERS, Answered, Answerer, Heard, Written
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.storage.database import Tx
from tablegram.web.framework.late import Late
from tablegram.wiring.part import Ground

if TYPE_CHECKING:
    from tablegram.flows.restaurant.texts.after.last_word import LastWord
    from tablegram.flows.restaurant.texts.order_texts import OrderTexts
    from tablegram.flows.restaurant.texts.second_reading import SecondReading
    from tablegram.restaurant.readers.model import ModelReader
    from tablegram.restaurant.readers.spending import Caps


class GuestTexts:
    def __init__(self, ground: Ground, ordering: Ordering) -> None:
        self._ground = ground
        self._ordering = ordering
        self._second: SecondReading | None = None
        self._late: Late[tuple[OrderTexts, LastWord]] = Late(self._build)

    @property
    def answerers(self) -> tuple[Answerer, Answerer]:
        return _Answerer(ORDERS, self._late, lambda both: both[0]), _Answerer(
            LAST_WORD, self._late, lambda both: both[1]
        )

    def read_again(self, reader: ModelReader, caps: Caps) -> SecondReading:
        """A language model reads what the rules do not. What a dead process left to it is looked for at once."""
        from tablegram.flows.restaurant.texts.second_reading import SecondReading

        ground = self._ground
        self._second = SecondReading(ground.db, ground.clock, self._ordering, reader, caps, ground.tasks.spawn)
        self._second.answer_with(self._late.now()[1].hear_second)
        return self._second

    def look_again(self, account_id: int) -> None:
        if self._late.made is not None:
            self._late.made[0].look_again(account_id)

    def _build(self) -> tuple[OrderTexts, LastWord]:
        from tablegram.flows.restaurant.texts.after.last_word import LastWord
        from tablegram.flows.restaurant.texts.order_texts import OrderTexts

        texts = OrderTexts(self._ground.db, self._ground.clock, self._ordering, self._second)
        return texts, LastWord(self._ordering, texts)


class _Answerer:
    """One of both, once they are there."""

    max_failures = 3

    def __init__(
        self,
        precedence: int,
        late: Late[tuple[OrderTexts, LastWord]],
        pick: Callable[[tuple[OrderTexts, LastWord]], Answerer],
    ) -> None:
        self.precedence = precedence
        self._late = late
        self._pick = pick

    async def prepare(self, written: Sequence[Written]) -> None:
        await self._pick(await self._late.get()).prepare(written)

    async def answer(self, tx: Tx, heard: Heard) -> Answered | None:
        return await self._pick(self._late.now()).answer(tx, heard)

    def committed(self) -> None:
        if self._late.made is not None:
            self._pick(self._late.made).committed()
