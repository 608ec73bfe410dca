"""Where plugins for WooCommerce write the number of a parcel: in the order's metadata, each in its own way."""

from __future__ import annotations

import msgspec

from tablegram.stores.platforms import picking as pick
from tablegram.stores.ports import Tracking

# Lists of parcels: Shipment Tracking and Advanced Shipment Tracking, AfterShip, Orders Tracking.
_LISTS = frozenset(("_wc_shipment_tracking_items", "_aftership_tracking_items", "_vi_wot_order_item_tracking_data"))
# One fact to a row: YITH and the many that write plain fields.
_NUMBERS = frozenset(
    ("ywot_tracking_code", "_tracking_number", "tracking_number", "_aftership_tracking_number", "kargo_takip_no")
)
_CARRIERS = frozenset(
    ("ywot_carrier_name", "ywot_carrier_id", "_tracking_provider", "tracking_provider", "tracking_company",
     "_aftership_tracking_provider_name", "kargo_firmasi")
)  # fmt: skip
_LINKS = frozenset(("ywot_carrier_url", "_tracking_url", "tracking_url", "_tracking_link", "kargo_takip_linki"))
# A list that was written as a text has a few hundred characters; longer ones are not looked into.
_MAX_WRITTEN = 20_000


def tracking_in(meta: object) -> Tracking | None:
    """The latest parcel that an order's metadata tells of."""
    rows = [one for one in meta[:500] if isinstance(one, dict)] if isinstance(meta, list) else []
    carrier = number = url = ""
    for row in rows:
        key, value = row.get("key"), row.get("value")
        if not isinstance(key, str):
            continue
        if key in _LISTS:
            if (found := _latest(value)) is not None:
                return found
        elif key in _NUMBERS:
            number = pick.text(value) or number
        elif key in _CARRIERS:
            carrier = pick.text(value) or carrier
        elif key in _LINKS:
            url = pick.link(value) or url
    return Tracking(carrier=carrier, number=number, url=url) if number or url else None


def _latest(value: object) -> Tracking | None:
    if isinstance(value, str) and len(value) <= _MAX_WRITTEN:
        try:
            value = msgspec.json.decode(value.encode("utf-8", "replace"))
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return None
    if isinstance(value, dict):
        # A list of PHP with gaps is written as an object.
        value = list(value.values())
    for one in reversed(value[:50] if isinstance(value, list) else []):
        if not isinstance(one, dict):
            continue
        found = Tracking(
            carrier=pick.first(
                one.get("formatted_tracking_provider"), one.get("custom_tracking_provider"),
                one.get("tracking_provider"), one.get("carrier_name"), one.get("slug"),
            ),
            number=pick.text(one.get("tracking_number")),
            url=next(filter(None, map(pick.link, (
                one.get("formatted_tracking_link"), one.get("ast_tracking_link"), one.get("custom_tracking_link"),
                one.get("tracking_url"), one.get("carrier_url"),
            ))), ""),
        )  # fmt: skip
        if found.number or found.url:
            return found
    return None
