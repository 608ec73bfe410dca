"""An order as it is read back: dishes with their options, where it goes, notes, what was not understood, and the total."""

from __future__ import annotations

from collections.abc import Sequence

from tablegram.flows.restaurant.orders.telling import charge_lines, explain, short
from tablegram.messaging.model import Button
from tablegram.restaurant.lines import PricedLine, Trouble, tidy
from tablegram.restaurant.orders.states import PaymentMethod
from tablegram.restaurant.orders.totals import Extra
from tablegram.restaurant.reading.sentences.details import detail_in
from tablegram.restaurant.texts import ways
from tablegram.restaurant.texts.drafts import OrderDraft
from tablegram.restaurant.texts.words import speak
from tablegram.restaurant.venues import Venue
from tablegram.values.money import written

# Every dish is read back; nobody confirms what they have not seen.
MAX_LINES = 60
_MAX_MISSED = 200
# What begins the id of our buttons.
MARK = "draft"


def render(
    venue: Venue, draft: OrderDraft, lines: Sequence[PricedLine], charges: Sequence[Extra], lead: str,
    troubles: Sequence[Trouble] = (), offered: Sequence[PaymentMethod] = (),
) -> str:  # fmt: skip
    """The whole text; without the question that ends it."""
    words, language = speak(draft.language), draft.language
    parts: list[str] = []
    if troubles:
        parts += [words["gone"], *dict.fromkeys(f"– {explain(trouble)}" for trouble in troubles), ""]
    if draft.is_placed or lead != "read_back":
        parts += [words[lead], ""]
    parts += short(lines, words, most=MAX_LINES)
    if place := where(draft):
        parts.append(place)
    notes, pays = ways.said_of(draft, offered)
    parts += [words["noted"].format(notes=tidy(notes))] if notes else []
    parts += [pays] if pays else []
    if draft.order_type:
        parts += charge_lines(charges, venue.currency, language)
        total = written(draft.total, venue.currency, language)
        parts.append(f"*{words['total'].format(total=total)}*")
    if draft.order_type == "delivery" and draft.destination is not None and draft.destination.minutes is not None:
        parts.append(words["arrives_in"].format(minutes=draft.destination.minutes))
    if draft.missed:
        missed = ", ".join(f"“{tidy(one)}”" for one in draft.missed)[:_MAX_MISSED]
        parts += ["", words["missed"].format(words=missed)]
    return "\n".join(parts)


def where(draft: OrderDraft) -> str:
    words = speak(draft.language)
    if draft.table_label:
        return words["where_table"].format(table=draft.table_label)
    if draft.order_type == "delivery" and draft.route_url and detail_in(draft.address):
        # A flat alone is no address: the place was shared.
        return f"{words['where_shared']}, {draft.address}"
    if draft.order_type == "delivery" and draft.address:
        return words["where_address"].format(address=draft.address)
    if draft.order_type == "delivery" and draft.route_url:
        return words["where_shared"]
    return words[f"where_{draft.order_type}"] if draft.order_type else ""


def buttons(draft: OrderDraft, *, online: bool = False) -> list[Button]:
    words = speak(draft.language)
    signs = [("yes", "confirm"), *([("online", "online")] if online else []), ("change", "change")]
    return [Button(f"{MARK}:{draft.id}:{draft.revision}:{sign}", words[f"button_{name}"]) for sign, name in signs]


def read_button(button_id: str) -> tuple[str, int, str] | None:
    """The draft that a button was under, as which it was shown, and what was tapped."""
    mark, *parts = button_id.split(":")
    if mark != MARK or len(parts) != 3 or not parts[1].isascii() or not parts[1].isdecimal():
        return None
    return parts[0], int(parts[1]), parts[2]
