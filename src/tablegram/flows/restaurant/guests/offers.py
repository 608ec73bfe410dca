"""The box on the menu page by which a guest asks for offers: the account's own sentence, never ticked beforehand.

What was ticked lies in the cart. It is a word of the guest once their own phone has sent the cart: a number that was only
typed may be anybody's.
"""

from __future__ import annotations

from tablegram.crm.consent import ledger, texts
from tablegram.crm.consent.ledger import Word
from tablegram.errors import Invalid
from tablegram.flows.gateway.announcing import Announcer
from tablegram.flows.restaurant.answers.guests import OfferSentence
from tablegram.restaurant.carts.codes import show
from tablegram.restaurant.carts.keeping import Cart
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx

SOURCE = "menu"


async def sentences(tx: Tx, venue: Venue) -> dict[str, OfferSentence]:
    """What guests of the venue are asked, by language, each with its version; nothing where it asks nobody."""
    if not venue.details.asks_for_offers:
        return {}
    found: dict[str, OfferSentence] = {}
    for text in await texts.listed(tx, venue.account_id):
        # The newest version of a language stands first.
        found.setdefault(text.language, OfferSentence(text.label, text.words))
    return found


async def check(tx: Tx, venue: Venue, version: str | None) -> str | None:
    """The version that a page says was agreed to: empty for none, nothing where it says nothing."""
    if version is None or version == "":
        return version
    known = await texts.listed(tx, venue.account_id) if venue.details.asks_for_offers else []
    if version not in [text.label for text in known]:
        raise Invalid.field("offers", "text_unknown", "There is no such sentence. Load the page again.")
    return version


class Offers:
    def __init__(self, announcer: Announcer) -> None:
        self._announcer = announcer

    async def proven(self, tx: Tx, cart: Cart, order: Order) -> None:
        """The guest's own phone has sent the cart: what they ticked is noted, as of the moment they did."""
        if not cart.offers_text or cart.offers_at is None or order.contact_id is None:
            return
        word = Word(
            account_id=order.account_id, contact_id=order.contact_id, state="granted", source=SOURCE,
            text_version=cart.offers_text, proof=f"order {order.order_id}, cart #{show(cart.code)}", at=cart.offers_at,
        )  # fmt: skip
        turn = await ledger.hear(tx, word)
        if turn is not None and turn.is_new:
            about = (order.account_id, order.contact_id, order.customer_phone, turn.after)
            for query, params in self._announcer.consented(*about):
                await tx.run(query, params)
