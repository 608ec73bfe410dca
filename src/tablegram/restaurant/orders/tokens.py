"""The link to a guest's own order: its id and a signature by the venue's key, so that no other order can be opened."""

from __future__ import annotations

import base64
import hashlib
import hmac

from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.venues import Venue
from tablegram.values.secrets import SecretBox

# 96 bits, written as 16 characters.
_BYTES = 12
_ID_LENGTH = 26


def order_token(box: SecretBox, venue: Venue, order: Order) -> str:
    return order.id + _sign(box, venue, order.id)


def order_key(token: str) -> str:
    """The id of the order that a token names; nothing is proved by it yet."""
    return token[:_ID_LENGTH]


def is_right(box: SecretBox, venue: Venue, token: str) -> bool:
    signature = _sign(box, venue, order_key(token))
    return hmac.compare_digest(signature.encode(), token[_ID_LENGTH:].encode("utf-8", "replace"))


def _sign(box: SecretBox, venue: Venue, key: str) -> str:
    # Parts are told apart by their lengths, and the first word from what is signed for tables.
    text = "".join(f"{len(part)}:{part}" for part in ("order", str(venue.account_id), venue.id, key))
    digest = hmac.new(box.open(venue.signing_key).encode(), text.encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest[:_BYTES]).decode()
