"""A person in what couriers were told: where to bring an order and whom to ring up goes, and who brought it stays."""

from __future__ import annotations

from tablegram.crm.own_data.erasing import Erased, PersonToErase, Reach
from tablegram.delivery.tours import keeping as tours
from tablegram.delivery.tours.reading import short_number
from tablegram.engine.kept_answers import KeptAnswers
from tablegram.errors import NotFound
from tablegram.messaging.store import erasure
from tablegram.restaurant.orders import keeping
from tablegram.storage.database import Tx
from tablegram.values.authors import AUTOMATIC
from tablegram.values.clock import MINUTE_MS, Clock
from tablegram.values.ids import first_id, time_of

# By what the order is called.
_ANSWERS = (
    KeptAnswers(["POST /restaurant/deliveries", "panel give delivery"], below="POST /restaurant/deliveries/"),
    KeptAnswers([], below="panel delivery "),
)


class CourierReach(Reach):
    """A courier is told in the transaction in which the order is given to them."""

    name = "courier_messages"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def finish(self, tx: Tx, person: PersonToErase, swept: Erased) -> Erased:
        count, now = 0, self._clock.now_ms()
        # Their orders are among what they are known by.
        for trace in person.traces:
            try:
                order = await keeping.find(tx, person.account_id, trace)
            except NotFound:
                continue
            for one in await tours.of_order(tx, person.account_id, order.id):
                await tours.forget_reasons(tx, one)
                told = {"after": one.id, "before": first_id(time_of(one.id) + MINUTE_MS)}
                words = {"b_by": f"{AUTOMATIC}courier", "words": f" {short_number(order.order_id)}*"}
                which = {"b_account": person.account_id, **told, **words, "now": now}
                count += await tx.run(erasure.EMPTY_ABOUT, which)
        for kept in _ANSWERS:
            await kept.forget(tx, person.account_id, person.known_as)
        return Erased(count)
