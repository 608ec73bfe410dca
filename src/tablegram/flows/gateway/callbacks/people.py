"""What the network tells of persons who wrote nothing: wishes, other names, the phone's address book."""

from __future__ import annotations

from collections.abc import Sequence

from tablegram.automations import people as automations
from tablegram.campaigns import people as campaigns
from tablegram.crm.consent import ledger
from tablegram.crm.consent.ledger import Word
from tablegram.crm.contacts import Recognised, Sender, are_known, know, known_phones, name_unnamed
from tablegram.delivery.addresses import keeping as addresses
from tablegram.flows.gateway.announcing import Announcer
from tablegram.flows.gateway.callbacks.arrivals import Arrival
from tablegram.loyalty import people as loyalty
from tablegram.messaging.incoming import AddressCard, IdentityChange, Preference
from tablegram.restaurant import customers
from tablegram.storage.database import Statement, Tx
from tablegram.stores import people as stores

# Where the ledger says that a word of a customer came from.
SOURCE = "network"


async def apply(tx: Tx, announcer: Announcer, arrivals: Sequence[Arrival]) -> list[Statement]:
    """Work all of it in, in the order in which it came; the events that follow."""
    statements: list[Statement] = []
    for arrival in arrivals:
        if arrival.role != "other" or arrival.is_strangers:
            continue
        match arrival.item:
            case Preference():
                statements += await _note_wish(tx, announcer, arrival, arrival.item)
            case IdentityChange():
                await _follow(tx, arrival, arrival.item)
            case AddressCard():
                await _add(tx, arrival, arrival.item)
    return statements


async def move_joined(tx: Tx, account_id: int, contact: Recognised) -> None:
    """What else is kept under the ids of contacts that turned out to be the same person."""
    for gone in contact.joined:
        await customers.move(tx, account_id, gone, contact.contact_id)
        await addresses.move(tx, account_id, gone, contact.contact_id)
        await stores.move(tx, account_id, gone, contact.contact_id)
        await loyalty.move(tx, account_id, gone, contact.contact_id)
        await campaigns.move(tx, account_id, gone, contact.contact_id)
        await automations.move(tx, account_id, gone, contact.contact_id)


async def _note_wish(tx: Tx, announcer: Announcer, arrival: Arrival, item: Preference) -> list[Statement]:
    at = item.at_ms or arrival.received_at
    sender = Sender(
        arrival.account_id, arrival.instance_id, item.phone, item.user_id, item.name, at,
        parent_user_id=item.parent_user_id,
    )  # fmt: skip
    (contact,) = await know(tx, [sender])
    await move_joined(tx, arrival.account_id, contact)
    state: ledger.State = "granted" if item.wants else "denied"
    word = Word(
        account_id=arrival.account_id, contact_id=contact.contact_id, state=state, source=SOURCE, proof=item.detail, at=at
    )  # fmt: skip
    turn = await ledger.hear(tx, word)
    if turn is None or not turn.is_new:
        return []
    who = (arrival.account_id, contact.contact_id)
    phone = item.phone or (await known_phones(tx, [who])).get(who, "")
    return announcer.consented(arrival.account_id, contact.contact_id, phone, turn.after)


async def _follow(tx: Tx, arrival: Arrival, item: IdentityChange) -> None:
    """Everything that the network calls a person leads to one contact; nobody is added who was never heard of."""
    names = (*item.user_ids, "", "")
    parents = (*item.parent_user_ids, "", "")
    sender = Sender(
        arrival.account_id, arrival.instance_id, item.phone, names[0], item.name, item.at_ms or arrival.received_at,
        parent_user_id=parents[0], new_user_id=names[1], new_parent_user_id=parents[1],
    )  # fmt: skip
    if await are_known(tx, sender):
        (contact,) = await know(tx, [sender])
        await move_joined(tx, arrival.account_id, contact)


async def _add(tx: Tx, arrival: Arrival, item: AddressCard) -> None:
    """Somebody whom the owner has in their phone. A name that is known already stays."""
    if not item.name:
        return
    sender = Sender(
        arrival.account_id, arrival.instance_id, item.phone, item.user_id, item.name, arrival.received_at,
        username=item.username,
    )  # fmt: skip
    (contact,) = await know(tx, [sender])
    await move_joined(tx, arrival.account_id, contact)
    await name_unnamed(tx, arrival.account_id, contact.contact_id, item.name)
