"""What guests and waiters are told about orders, in their language, by a message of the venue's line.

Every message is queued in the transaction of what it tells of, so that it is told once or not at all. Nobody to tell,
no line, or nothing to pay it with: then it is left out, and the order stands all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from tablegram.flows.gateway.queueing import Queueing, Way
from tablegram.flows.restaurant.texts.said import is_told_enough
from tablegram.messaging.model import URGENT, Button, Buttons, Content, PlaceRequest, Text
from tablegram.messaging.store import instances as line_store
from tablegram.restaurant.calls import GuestCall
from tablegram.restaurant.carts.codes import show
from tablegram.restaurant.hours import Opening
from tablegram.restaurant.lines import PricedLine, Trouble, tidy
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.tokens import order_token
from tablegram.restaurant.orders.totals import Extra
from tablegram.restaurant.tables import Table
from tablegram.restaurant.texts.words import on_day, speak
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.figures.writing import clock
from tablegram.values.money import written
from tablegram.values.opening_hours import local_day, zone
from tablegram.values.secrets import SecretBox

# A message is read on a phone; who wants every line opens the status page.
MAX_LINES = 12
_MAX_NAME = 40
# These say that somebody of the team will answer; until then the guest waits.
_PASSED_ON = frozenset({"last_word", "last_complaint", "last_allergy"})
# Lines whose messages may have buttons, and how long such a message may be.
_HAS_BUTTONS = frozenset({"cloud", "sandbox"})
_MAX_WITH_BUTTONS = 1_024


class Telling:
    """`api_url` is the API's own address, version included. Call `sent` after the commit."""

    def __init__(self, queue: Queueing, box: SecretBox, api_url: str) -> None:
        self._queue = queue
        self._box = box
        self._api_url = api_url.rstrip("/")

    def status_url(self, venue: Venue, order: Order) -> str:
        return f"{self._api_url}/menu/orders/{order_token(self._box, venue, order)}"

    def menu_url(self, venue: Venue, table_label: str = "") -> str:
        """The venue's menu; at a named table where that needs no signature."""
        query = {"venue": venue.id}
        if table_label and not venue.refuses_unsigned:
            query["table"] = table_label
        return f"{self._api_url}/menu?{urlencode(query)}"

    async def say(
        self,
        tx: Tx,
        venue: Venue,
        phone: str,
        text: str,
        now: int,
        *,
        buttons: Sequence[Button] = (),
        asks: str = "",
        by: str = "order",
    ) -> bool:
        """Queue a message to somebody, if there is a line for it. The text says enough where there are no buttons.

        `asks` ends it with a question for a place, which the network's own button answers.
        """
        if not phone or venue.instance_id is None:
            return False
        line = await tx.first(line_store.GET, {"b_account": venue.account_id, "b_id": venue.instance_id})
        if line is None or line["deleted_at"] is not None:
            return False
        way = Way(venue.account_id, venue.instance_id, line["kind"])
        if asks:
            whole = f"{text}\n\n{asks}"
            parts: list[Content] = [PlaceRequest(whole)]
            if len(whole) > _MAX_WITH_BUTTONS:
                parts = [Text(text), PlaceRequest(asks)]
            came = [await self._queue.put(tx, way, phone, part, now, by=by, priority=URGENT) for part in parts]
            return came[-1] is not None
        can_tap = buttons and line["kind"] in _HAS_BUTTONS and len(text) <= _MAX_WITH_BUTTONS
        content: Content = Buttons(text, list(buttons)) if can_tap else Text(text)
        return await self._queue.put(tx, way, phone, content, now, by=by, priority=URGENT) is not None

    def sent(self, venue: Venue) -> None:
        """What was said is committed: the line may send it."""
        if venue.instance_id is not None:
            self._queue.wake(venue.account_id, venue.instance_id)

    # Orders.

    async def placed(self, tx: Tx, venue: Venue, order: Order, now: int) -> None:
        # Of what waits for money the guest hears with the link.
        if order.state != "awaiting_payment":
            kind = "received" if order.state == "awaiting_confirmation" else "confirmed"
            await self.say_whole(tx, venue, order, kind, now)

    async def happened(self, tx: Tx, venue: Venue, order: Order, event: str, reason: str, now: int) -> None:
        """Tell of what staff or the clock did, as far as the guest cares. What they did themselves they know."""
        if event in ("accept", "revise"):
            if event == "revise" or order.state != "awaiting_payment":
                await self.say_whole(tx, venue, order, "changed" if event == "revise" else "accepted", now)
            return
        kinds = {"reject": "rejected", "delay": "delayed", "dispatch": "dispatched", "expire": "expired_unpaid" if order.payment_state == "failed" else "expired",
                 "bring_back": "brought_back", "cancel": "cancelled_why" if reason else "cancelled"}  # fmt: skip
        if order.order_type == "takeaway":
            kinds["finish"] = "ready"
        if event not in kinds:
            return
        words = speak(order.language)
        text = words[kinds[event]].format(
            order=order.order_id, reason=reason, time=_time(order.promised_at, venue), menu=self.menu_url(venue)
        )
        if event == "dispatch":
            text = f"{text}\n{words['follow'].format(url=self.status_url(venue, order))}"
        await self.tell(tx, venue, order, text, now)

    async def tell(
        self, tx: Tx, venue: Venue, order: Order, text: str, now: int, *, buttons: Sequence[Button] = (), asks: str = ""
    ) -> None:
        """A number that a visitor only typed may be anybody's: nothing is sent to it before it has written itself.

        What staff typed is sent, but not again and again.
        """
        phone = order.customer_phone
        if order.is_typed:
            return
        if order.contact_id is not None or not phone or not await is_told_enough(tx, venue.account_id, phone, now):
            await self.say(tx, venue, phone, text, now, buttons=buttons, asks=asks)

    async def say_whole(
        self, tx: Tx, venue: Venue, order: Order, kind: str, now: int, *, more: Sequence[str] = ()
    ) -> None:
        """All of an order; `more` comes before the link to its page."""
        words = speak(order.language)
        # To a number that was only typed we write nothing in a guest's own words: it may be a stranger's.
        is_known = order.contact_id is not None
        name = tidy(order.customer_name)[:_MAX_NAME] if is_known else ""
        # Who has told no name goes by their number; nobody is thanked by it.
        if not any(letter.isalpha() for letter in name):
            name = ""
        place = words["where_table"].format(table=order.table_label) if order.table_label else ""
        sums = [
            *charge_lines(order.charges, order.currency, order.language),
            *(f"{tidy(one.name)}: -{written(one.amount, order.currency, order.language)}" for one in order.discounts),
        ]
        total = words["total"].format(total=written(order.total, order.currency, order.language))
        parts = [
            words[kind].format(order=order.order_id, name=f", {name}" if name else ""),
            "",
            place or _brought_to(order, words) if is_known else words[f"where_{order.order_type}"],
            *short(order.lines, words, with_notes=is_known),
            *sums,
            f"*{total}*",
            "",
        ]
        if order.promised_at is not None and kind in ("confirmed", "accepted", "paid_confirmed"):
            is_brought = order.destination is not None and order.destination.minutes is not None
            parts.append(words["arrives" if is_brought else "promised"].format(time=_time(order.promised_at, venue)))
        parts += [line for one in more for line in (one, "")]
        parts.append(words["follow"].format(url=self.status_url(venue, order)))
        asks = ""
        if order.order_type == "delivery" and not order.address and not order.route_url and kind != "changed":
            asks = words["ask_address"]
        elif _waits_for_place(order) and kind != "changed":
            asks = words["ask_place_order"]
        await self.tell(tx, venue, order, "\n".join(parts), now, asks=asks)

    async def again(self, tx: Tx, venue: Venue, order: Order, now: int) -> None:
        """The text of an order that is known came once more."""
        words = speak(order.language)
        text = words["again"].format(order=order.order_id, state=words[f"state_{order.state}"])
        total = words["total"].format(total=written(order.total, venue.currency, order.language))
        follow = words["follow"].format(url=self.status_url(venue, order))
        lines = short(order.lines, words)
        await self.say(tx, venue, order.customer_phone, "\n".join([text, *lines, total, follow]), now)

    # What stands in the way of an order.

    async def sold_out(
        self, tx: Tx, venue: Venue, phone: str, language: str, now: int, troubles: Sequence[Trouble],
        rest: Sequence[PricedLine], total: int, code: str,
    ) -> None:  # fmt: skip
        """Some of the cart cannot be had; what remains is ready to be sent under its code."""
        words = speak(language)
        parts = [*_gone(troubles, words), ""]
        menu = self.menu_url(venue)
        if rest:
            amount = written(total, venue.currency, language)
            parts += [words["rest"], *short(rest, words), f"*{words['total'].format(total=amount)}*", ""]
            parts.append(words["send_rest"].format(code=show(code), menu=menu))
        else:
            parts.append(words["nothing_left"].format(menu=menu))
        await self.say(tx, venue, phone, "\n".join(parts), now)

    async def nothing_left(
        self, tx: Tx, venue: Venue, phone: str, language: str, now: int, troubles: Sequence[Trouble]
    ) -> None:
        words = speak(language)
        parts = [*_gone(troubles, words), "", words["nothing_left"].format(menu=self.menu_url(venue))]
        await self.say(tx, venue, phone, "\n".join(parts), now)

    async def closed(
        self, tx: Tx, venue: Venue, phone: str, language: str, now: int, standing: Opening, *, keeps_cart: bool
    ) -> None:
        words = speak(language)
        kind = "last_order_passed" if standing.reason == "last_order_passed" else "closed"
        next_ms = standing.next_slot_ms
        text = (
            words[kind]
            if next_ms is None
            else words[f"{kind}_until"].format(time=moment(next_ms, now, venue, language))
        )
        await self.say(tx, venue, phone, f"{text} {words['kept']}" if keeps_cart else text, now)

    async def word(self, tx: Tx, venue: Venue, phone: str, language: str, now: int, kind: str, **facts: str) -> None:
        """One of the plain sentences."""
        facts.setdefault("menu", self.menu_url(venue))
        by = "passed_on" if kind in _PASSED_ON else "order"
        await self.say(tx, venue, phone, speak(language)[kind].format(**facts), now, by=by)

    async def ask_where(
        self, tx: Tx, venue: Venue, phone: str, language: str, now: int, *, unknown_table: str = "",
        lines: Sequence[PricedLine] = (),
    ) -> None:  # fmt: skip
        """The lines are understood; it is not known where they go. They are shown, so that nobody sends less than they meant."""
        text = self.where_question(venue, language, unknown_table)
        shown = [*short(lines, speak(language)), ""] if lines else []
        await self.say(tx, venue, phone, "\n".join([*shown, text]), now)

    def where_question(self, venue: Venue, language: str, unknown_table: str = "") -> str:
        words = speak(language)
        needs_code = "dine_in" in venue.order_types and venue.refuses_unsigned
        ways = [words[f"way_{one}"] for one in venue.order_types if one != "dine_in" or not needs_code]
        kind = "ask_where" if not needs_code else "ask_scan" if ways else "only_scan"
        text = words[kind].format(ways=words["or"].join(ways))
        if unknown_table:
            text = f"{words['table_unknown'].format(table=tidy(unknown_table)[:_MAX_NAME])} {text}"
        return text

    async def ask(
        self, tx: Tx, venue: Venue, phone: str, language: str, now: int, questions: Sequence[str],
        *, answer: str = "", leads: str = "", is_talk: bool = False,
    ) -> None:  # fmt: skip
        """Questions about a text, and how to answer them; the whole order once more where no answer completes it.

        `is_talk`: it is no order at all, and the guest is only told who sees to it.
        """
        words = speak(language)
        kinds = ("or_menu",) if is_talk else (f"answer_{answer}", "or_menu") if answer else ("write_again",)
        how = " ".join(words[kind] for kind in kinds).format(menu=self.menu_url(venue))
        parts = [words[leads], ""] if leads else []
        parts += [] if is_talk else [words["questions"], ""]
        parts.append("\n\n".join(dict.fromkeys(questions)))
        by = "passed_on" if is_talk else "order"
        await self.say(tx, venue, phone, "\n".join([*parts, "", how]), now, by=by)

    # Waiters.

    async def called(self, tx: Tx, venue: Venue, table: Table, call: GuestCall, now: int) -> None:
        """The waiter of the table hears of it on their phone, when they have one with them."""
        words = speak(venue.languages[0])
        text = words[f"call_{call.kind}"].format(table=table.label)
        await self.say(tx, venue, table.waiter_phone, f"{text}\n{call.note}" if call.note else text, now)


def short(
    lines: Sequence[PricedLine], words: dict[str, str], *, with_notes: bool = True, most: int = MAX_LINES
) -> list[str]:
    """The lines of an order for a chat."""
    shown = [_line(line, with_notes) for line in lines[:most]]
    left = len(lines) - most
    return [*shown, words["more"].format(count=left)] if left > 0 else shown


def _line(line: PricedLine, with_notes: bool) -> str:
    text = f"{line.quantity} × {tidy(line.name)}"
    if line.options:
        text += f" ({', '.join(tidy(option) for option in line.options)})"
    return f"{text} [{line.note}]" if line.note and with_notes else text


def _brought_to(order: Order, words: dict[str, str]) -> str:
    """Where it goes, with the address in full."""
    if order.order_type == "delivery" and order.address:
        return words["where_address"].format(address=order.address)
    return words[f"where_{order.order_type}"]


def _gone(troubles: Sequence[Trouble], words: dict[str, str]) -> list[str]:
    return [words["gone"], *dict.fromkeys([f"– {explain(trouble)}" for trouble in troubles][:MAX_LINES])]


def explain(trouble: Trouble) -> str:
    """Why a line cannot be had; with the dish's name where the sentence is about one of its options."""
    problem = trouble.problems[0]
    return problem.detail if problem.name in problem.detail else f"{problem.name}: {problem.detail}"


def charge_lines(charges: Sequence[Extra], currency: str, language: str) -> list[str]:
    """What comes on top, each by what it is for."""
    words = speak(language)
    return [
        words["delivery_charge" if one.kind == "delivery" else "charges"].format(
            amount=written(one.amount, currency, language)
        )
        for one in charges
    ]


def _waits_for_place(order: Order) -> bool:
    """Whether the venue has zones, and nobody knows yet in which of them the guest is."""
    where = order.destination
    return where is not None and where.point is None and where.standing == "unknown"


def _time(at_ms: int | None, venue: Venue) -> str:
    if at_ms is None:
        return ""
    return clock(at_ms, zone(venue.time_zone))


def moment(at_ms: int, now: int, venue: Venue, language: str) -> str:
    """The time of day, and the day where it is not today."""
    then, today = local_day(at_ms, venue.time_zone), local_day(now, venue.time_zone)
    time = clock(at_ms, zone(venue.time_zone))
    return time if then == today else on_day(then, time, language)
