"""A person on tickets: the paper's text is made nobody's."""

from __future__ import annotations

from tablegram.crm.own_data.erasing import Erased, PersonToErase, Reach
from tablegram.errors import NotFound
from tablegram.printing.tickets import erasing
from tablegram.restaurant.orders import keeping
from tablegram.storage.database import Tx


class TicketReach(Reach):
    """What was made stays, for the log; whose it was goes."""

    name = "tickets"

    async def finish(self, tx: Tx, person: PersonToErase, swept: Erased) -> Erased:
        count = 0
        # Their orders are among what they are known by.
        for trace in person.traces:
            try:
                order = await keeping.find(tx, person.account_id, trace)
            except NotFound:
                continue
            count += await erasing.forget(tx, person.account_id, order.id)
        return Erased(count)
