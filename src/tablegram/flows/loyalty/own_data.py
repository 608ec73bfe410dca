"""A person's points: what an export shows of them, and what an erasure leaves."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tablegram.crm.own_data.erasing import Erased, PersonToErase, Reach
from tablegram.crm.own_data.exports import Holding
from tablegram.engine.kept_answers import KeptAnswers
from tablegram.flows.loyalty.answers.own_data import ContactGiftCard, ContactStamps
from tablegram.flows.loyalty.answers.rewards import LoyaltyMovement
from tablegram.flows.loyalty.views import movement_view
from tablegram.loyalty import ledger, people, stamps
from tablegram.loyalty.gifts import codes
from tablegram.loyalty.gifts import keeping as gifts
from tablegram.storage.database import Tx
from tablegram.values.clock import Clock, iso
from tablegram.values.money import to_wire

_ANSWERS = KeptAnswers([], below="POST /loyalty/")


async def _held(tx: Tx, account_id: int, contact_ids: list[str]) -> dict[str, list[LoyaltyMovement]]:
    found: dict[str, list[LoyaltyMovement]] = {}
    for one in await ledger.of_contacts(tx, account_id, contact_ids):
        found.setdefault(one.contact_id, []).append(movement_view(one))
    return found


def _balance(movements: Sequence[msgspec.Struct]) -> int:
    last = movements[-1] if movements else None
    return last.balance if isinstance(last, LoyaltyMovement) else 0


HOLDING = Holding("points", _held, {"points": _balance}, scope="loyalty:read")


async def _stamped(tx: Tx, account_id: int, contact_ids: list[str]) -> dict[str, list[ContactStamps]]:
    found: dict[str, list[ContactStamps]] = {}
    for one in await stamps.of_contacts(tx, account_id, contact_ids):
        moved = ContactStamps(
            card_id=one.card_id, kind=one.kind, stamps=one.stamps, short=one.short, order_id=one.order_id,
            created_at=iso(one.created_at),
        )  # fmt: skip
        found.setdefault(one.contact_id, []).append(moved)
    return found


STAMPS = Holding("stamps", _stamped, scope="loyalty:read")


async def _gifts(tx: Tx, account_id: int, contact_ids: list[str]) -> dict[str, list[ContactGiftCard]]:
    """Without codes: a file that lies somewhere must not be spent."""
    found: dict[str, list[ContactGiftCard]] = {}
    for contact_id in contact_ids:
        held = await gifts.of_contact(tx, account_id, contact_id)
        if held:
            found[contact_id] = [
                ContactGiftCard(
                    code=codes.hint(one.code), value=to_wire(one.value, one.currency),
                    balance=to_wire(one.balance, one.currency), currency=one.currency, from_name=one.from_name,
                    greeting=one.greeting, expires_at=iso(one.expires_at), created_at=iso(one.created_at),
                )
                for one in held
            ]  # fmt: skip
    return found


GIFTS = Holding("gift_cards", _gifts, scope="loyalty:read")


class LoyaltyReach(Reach):
    """What points came to stays as figures; whose they were does not."""

    name = "points"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def finish(self, tx: Tx, person: PersonToErase, swept: Erased) -> Erased:
        await _ANSWERS.forget(tx, person.account_id, person.known_as)
        return Erased(await people.forget(tx, person.account_id, person.ids, self._clock.now_ms()))
