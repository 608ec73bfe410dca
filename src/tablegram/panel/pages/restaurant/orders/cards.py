"""Orders as the board shows them: which column, what comes next, how late it is."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from tablegram.flows.delivery.words import distance_words
from tablegram.flows.printing.ticket_desk import StationPaper
from tablegram.flows.restaurant.answers.calls import TableCall
from tablegram.flows.restaurant.answers.venues import VenueView
from tablegram.flows.restaurant.kitchen.answers import LineProgress
from tablegram.flows.restaurant.orders.answers import OrderDestination, OrderItem, OrderRequestView, OrderView
from tablegram.panel.frame.handling import PageRequest
from tablegram.panel.frame.listing import at_ms
from tablegram.panel.pages.restaurant.venues import price
from tablegram.panel.visitor import Visitor
from tablegram.restaurant.kitchen.progress import IN_KITCHEN, LineState, summed
from tablegram.values.clock import MINUTE_MS

Progress = dict[str, list[LineProgress]]
Papers = Mapping[str, Sequence[StationPaper]]

# The columns from left to right, with the states that stand in them.
COLUMNS: dict[str, tuple[str, ...]] = {
    "new": ("awaiting_confirmation",),
    "kitchen": ("sent_to_kitchen",),
    "preparing": ("preparing",),
    "ready": ("ready",),
    "out": ("out_for_delivery", "served", "picked_up", "delivered"),
}
# Beside the columns: what waits for money is nobody's work yet.
PAYING = "paying"
_COLUMN_OF_SHARE: dict[LineState, str] = {"waiting": "kitchen", "cooking": "preparing", "done": "ready"}
_COLUMN_OF = {state: column for column, states in COLUMNS.items() for state in states} | {"awaiting_payment": PAYING}
# The one tap, tried in this order; an order offers what its state allows.
_FORWARD = ("accept", "start", "finish", "serve", "pick_up", "dispatch", "deliver", "complete")
# The guest has their food: what is left is the money, which is noted with the same tap.
_SERVED = ("served", "picked_up", "delivered")
# Where a card goes when it is tapped, so that it can go there before the server has answered.
_LEADS_TO = {
    "accept": "kitchen",
    "start": "preparing",
    "finish": "ready",
    "serve": "out",
    "pick_up": "out",
    "dispatch": "out",
    "deliver": "out",
}
# A guest waits for food; once it is on the table the clock only tells.
_TIMED = ("awaiting_confirmation", "sent_to_kitchen", "preparing", "ready", "out_for_delivery")
# What else can be done, in the order of the sheet.
OTHERS = ("reject", "delay", "recall", "bring_back", "send_link", "pay", "pay_in_person", "cancel")
# Where nobody notes that guests have paid, the last column would grow for ever.
MAX_OUT = 60
# More than a board has.
MAX_KNOWN = 500
# A guest who calls looks around for somebody after so long.
CALL_WAITS_MIN = 3
DELAYS_MIN = (5, 10, 15, 30)
# Ready-made words for the guest; `other` is typed.
REJECT_REASONS = ("busy", "sold_out", "closing", "address", "other")
CANCEL_REASONS = ("guest", "sold_out", "mistake", "other")
PAID_BY = ("pos_at_table", "cash", "card_on_delivery")


@dataclass(frozen=True, slots=True)
class Card:
    order: OrderView
    column: str
    # The address of the table, or what kind of order it is.
    place: str
    # The count of the day, which people call out: 0042.
    number: str
    created_at: int
    # Amber from here on, and red after twice the time that was promised.
    promised_at: int
    late_at: int
    # An order that waits to be accepted ends by itself then; 0 for any other.
    expires_at: int
    minutes_left: int
    minutes: int
    tone: str
    # The one tap; empty where nothing is to be tapped.
    next_action: str
    # The tap also notes that the guest has paid.
    takes_money: bool
    # How the guest may have paid, the order's own way first.
    paid_by: tuple[str, ...]
    leads_to: str
    others: tuple[str, ...]
    # Of a station's board: its own share is moved on, and nobody else's.
    station: str
    items: list[OrderItem]
    # How far each of the items is.
    states: list[LineState]
    # How far the paper is at each station that has some.
    papers: list[StationPaper]
    # Lines of other stations, which are left out.
    elsewhere: int
    # Nothing for who does not see money.
    total: str
    # Of a delivery: the zone and how far it is, in words; nothing for who does not see where guests live.
    zone: str

    @property
    def mark(self) -> str:
        """Changes whenever the card shows something else."""
        order = msgspec.structs.replace(self.order, age_s=0, late_s=None)
        shown = (order, self.states, self.papers, self.column, self.next_action, self.station)
        return hashlib.sha256(msgspec.json.encode(shown)).hexdigest()[:10]

    @property
    def is_printed(self) -> bool:
        """Whether all of its paper is there."""
        return all(one.paper == "printed" for one in self.papers)

    @property
    def is_stations(self) -> bool:
        """Whether the tap moves a station's share, and not the whole order."""
        return bool(self.station) and self.next_action in ("start", "finish")


@dataclass(frozen=True, slots=True)
class Ring:
    """A guest who calls."""

    call: TableCall | OrderRequestView
    created_at: int
    minutes: int
    # As on a card: amber from here on, and then red.
    promised_at: int
    late_at: int
    tone: str


def cards(
    visitor: Visitor, venue: VenueView, orders: list[OrderView], progress: Progress, papers: Papers, station: str,
    now_ms: int,
) -> dict[str, list[Card]]:  # fmt: skip
    """By column, the oldest first; with a station, only what is made there. What waits for money stands apart."""
    found: dict[str, list[Card]] = {column: [] for column in (*COLUMNS, PAYING)}
    for order in orders:
        number = order.order_id
        card = card_of(visitor, venue, order, station, now_ms, progress.get(number), papers.get(number, ()))
        if card is not None:
            found[card.column].append(card)
    # What is done stands with the latest on top: nobody looks for the first guest of the evening there.
    found["out"].sort(key=lambda card: (card.order.status != "out_for_delivery", -(at_ms(card.order.updated_at) or 0)))
    del found["out"][MAX_OUT:]
    return found


def card_of(
    visitor: Visitor, venue: VenueView, order: OrderView, station: str, now_ms: int,
    lines: list[LineProgress] | None = None, papers: Sequence[StationPaper] = (),
) -> Card | None:  # fmt: skip
    """Nothing where the order is over, or has nothing for this station."""
    places = [place for place, one in enumerate(order.items) if not station or one.station == station]
    items = [order.items[place] for place in places]
    column = _COLUMN_OF.get(order.status)
    if column is None or not items:
        return None
    states: list[LineState] = [lines[place].state for place in places] if lines else []
    share = summed(states) if states and station and order.status in IN_KITCHEN else None
    if share is not None:
        column = _COLUMN_OF_SHARE[share]
    created = at_ms(order.created_at) or now_ms
    promised = at_ms(order.promised_at) or created + venue.preparation_min * MINUTE_MS
    late = promised + max(promised - created, MINUTE_MS)
    expires = 0
    if order.status == "awaiting_confirmation":
        # Who waits to hear whether there will be food at all is urgent well before the order ends by itself.
        patience = venue.answer_within_min * MINUTE_MS
        expires, promised, late = created + patience, created + patience // 3, created + 2 * patience // 3
    forward = _next_action(order, share)
    return Card(
        order=order,
        column=column,
        place=order.table_number or visitor.t(f"order.type_{order.order_type}"),
        number=order.order_id.rpartition("-")[2],
        created_at=created,
        promised_at=promised,
        late_at=late,
        expires_at=expires,
        minutes_left=max(0, expires - now_ms) // MINUTE_MS,
        minutes=max(0, now_ms - created) // MINUTE_MS,
        tone=tone_at(now_ms, promised, late) if order.status in _TIMED else "still",
        next_action=forward,
        takes_money=forward == "complete" and "complete" not in order.actions,
        paid_by=_paid_by(order.order_type, order.payment_method),
        leads_to=_LEADS_TO.get(forward, ""),
        others=tuple(one for one in OTHERS if one in order.actions),
        station=station,
        items=items,
        states=states,
        papers=[one for one in papers if one.paper != "none" and (not station or one.station == station)],
        elsewhere=len(order.items) - len(items),
        total=price(visitor, venue.currency, order.total_amount) if visitor.can("payments:manage") else "",
        zone=zone_words(visitor, order.destination),
    )


def _next_action(order: OrderView, share: LineState | None) -> str:
    forward = next((one for one in _FORWARD if one in order.actions), "")
    if share is not None:
        # A station moves its own share on; the order is carried out when the last of them is done.
        forward = {"waiting": "start", "cooking": "finish", "done": forward if order.status == "ready" else ""}[share]
    if order.status in _SERVED:
        forward = "complete" if "complete" in order.actions or "pay" in order.actions else ""
    return forward


def zone_words(visitor: Visitor, to: OrderDestination | None) -> str:
    """The zone of a delivery and how far it is; that staff decide, where no zone reaches there or nobody knows the place."""
    if to is None:
        return ""
    told = to.zone if to.standing == "inside" else visitor.t(f"zones.order_{to.standing}")
    if to.distance_m is None:
        return told
    far = distance_words(to.distance_m, visitor.language)
    return f"{told} · {visitor.t('zones.away', distance=far)}"


def rings(calls: Sequence[TableCall | OrderRequestView], now_ms: int) -> list[Ring]:
    return [_ring(call, at_ms(call.created_at) or now_ms, now_ms) for call in calls]


def _ring(call: TableCall | OrderRequestView, created: int, now_ms: int) -> Ring:
    promised, late = created + CALL_WAITS_MIN * MINUTE_MS, created + 2 * CALL_WAITS_MIN * MINUTE_MS
    minutes = max(0, now_ms - created) // MINUTE_MS
    return Ring(call, created, minutes, promised, late, tone_at(now_ms, promised, late))


def known_marks(request: PageRequest) -> frozenset[str]:
    """Of the cards that the browser has as they are: they are named in the answer, and not drawn again."""
    return frozenset(str(request.query_params.get("known", "")).split(".")[:MAX_KNOWN])


def tone_at(now_ms: int, promised: int, late: int) -> str:
    return "red" if now_ms >= late else "amber" if now_ms >= promised else "calm"


def _paid_by(order_type: str, usual: str) -> tuple[str, ...]:
    card = "card_on_delivery" if order_type == "delivery" else "pos_at_table"
    return ("cash", card) if usual == "cash" else (card, "cash")
