"""The pages as HTML: the whole menu readable before any script runs, an order's status page, and problems in words."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Container
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
from markupsafe import Markup

from tablegram.errors import Problem
from tablegram.flows.restaurant.answers.guests import GuestOrder, GuestVenueStanding
from tablegram.flows.restaurant.guests.guests import Seat
from tablegram.flows.restaurant.guests.looking import MenuEdition
from tablegram.menu_page import assets
from tablegram.menu_page.words import LANGUAGES, offered, words
from tablegram.restaurant.menu.public import Closed, PublicCategory, PublicItem, PublicMenu
from tablegram.restaurant.orders.states import OrderType, State
from tablegram.values.clock import DAY_MS
from tablegram.values.figures.writing import clock
from tablegram.values.money import exponent, written
from tablegram.values.opening_hours import zone
from tablegram.values.phone import example_phone
from tablegram.values.phone_rules import phone_rules
from tablegram.values.words import NAMES
from tablegram.web import STATIC as SHARED
from tablegram.web.assets import tag_of
from tablegram.web.compression import pack
from tablegram.web.plain.exchange import Answer
from tablegram.web.plain.problems import headers_of
from tablegram.web.plain.templates import late_templates

# So many of the newest pages are kept ready; a busy evening asks for one per table and language.
_KEPT = 128
# What the browser may read at once; pictures further down come when they are scrolled to.
_EAGER_PICTURES = 2
# More than these is a second menu above the menu.
_TAGS = 8
DIETS = ("vegan", "vegetarian", "gluten_free", "halal")


def _known() -> dict[str, Any]:
    # The style is our own file, with nothing of anybody else's in it.
    return {"asset": assets.address, "base": assets.BASE, "style": Markup(assets.style())}


_pages = late_templates(Path(__file__).parent / "templates", SHARED, known=_known)
_read_menu = msgspec.json.Decoder(PublicMenu).decode
_encode = msgspec.json.Encoder(order="deterministic").encode

STEPS = {
    "dine_in": ("awaiting_confirmation", "sent_to_kitchen", "preparing", "ready", "served"),
    "takeaway": ("awaiting_confirmation", "sent_to_kitchen", "preparing", "ready", "picked_up"),
    "delivery": ("awaiting_confirmation", "sent_to_kitchen", "preparing", "ready", "out_for_delivery", "delivered"),
}


class Drawing:
    """Keeps what it drew as long as neither the menu nor the hour has changed anything on it."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Any, ...], Answer] = {}

    def menu_page(
        self, seat: Seat, edition: MenuEdition, standing: GuestVenueStanding, language: str, query: dict[str, str]
    ) -> Answer:
        table = None if seat.table is None else seat.table.label
        place = _place(seat, query)
        # Words about times are true for the hour: `at 08:00` is `Monday 08:00` on the day before.
        told = _encode(standing), int(time.time() // 3_600)
        key = (
            seat.venue.id,
            seat.venue.updated_at,
            edition.etag,
            language,
            table,
            seat.signed,
            tuple(place.items()),
            told,
        )
        kept = self._kept.get(key)
        if kept is None:
            kept = self._draw_menu(seat, edition, standing, language, place)
            while len(self._kept) >= _KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = kept
        return kept

    def _draw_menu(
        self, seat: Seat, edition: MenuEdition, standing: GuestVenueStanding, language: str, place: dict[str, str]
    ) -> Answer:
        venue = seat.venue
        menu = _read_menu(edition.body)
        table = None if seat.table is None else seat.table.label
        order_type = first_order_type(standing, table)
        closed = standing.closed.get(order_type, {})
        data = _menu_data(seat, edition, standing, language, place, order_type)
        html = (
            _pages()
            .get_template("menu.html")
            .render(
                **_frame(language),
                venue=venue,
                table=table,
                signed=seat.signed,
                menu=menu,
                categories=within_reach_first(menu.categories, closed),
                tags=telling_tags(menu),
                standing=standing,
                closed=closed,
                reason=lambda closed: gone_words(closed, language, venue.time_zone),
                state=standing_words(standing, language, venue.time_zone),
                data=_safe(_encode(data)),
                menu_data=_safe(edition.body),
                languages=[
                    (one, NAMES.get(one, one.upper()), _query({**place, "lang": one}))
                    for one in offered(menu.languages)
                ],
                query=_query({**place, "lang": language}),
                price=lambda item: price_words(item, menu, language),
                eager=_EAGER_PICTURES,
            )
        )
        return _page(html, language)

    def status_page(self, order: GuestOrder, token: str, language: str) -> Answer:
        time_zone = order.venue.time_zone
        back = {"venue": order.venue.id, "lang": language}
        if order.table:
            back["table"] = order.table
        decimals = exponent(order.currency)
        data = {"order": order, "language": language, "token": token, "words": words(language), "decimals": decimals}
        html = (
            _pages()
            .get_template("status.html")
            .render(
                **_frame(language),
                order=order,
                token=token,
                progress=progress(order.status, order.order_type),
                times={
                    # Whatever state it began in, that was the moment it was received.
                    "awaiting_confirmation": moment(order.created_ms, language, time_zone),
                    **{step.status: moment(step.at_ms, language, time_zone) for step in order.history},
                },
                promised=moment(order.promised_ms, language, time_zone) if order.promised_ms else "",
                pay_until=_pay_until(order, language, time_zone),
                back=urlencode(back),
                data=_safe(_encode(data)),
                money=lambda amount: money(amount, order.currency, language),
            )
        )
        return _page(html, language, keep="no-store")

    def problem_page(self, problem: Problem, language: str, query: dict[str, str]) -> Answer:
        """What happened and what to do; who brings a code that no longer works may still read the menu."""
        spoken = words(language)
        again = {name: query[name] for name in ("venue", "lang") if query.get(name)}
        is_code = problem.code in ("table_code_invalid", "table_code_needed", "table_unknown")
        html = (
            _pages()
            .get_template("problem.html")
            .render(
                **_frame(language),
                heading=spoken.get(f"problem_title.{problem.code}", spoken["page.problem"]),
                text=spoken.get(f"problem.{problem.code}", problem.detail),
                link=f"{assets.BASE}?{urlencode(again)}" if is_code else "",
            )
        )
        return _page(html, language, status=problem.status, keep="no-store", headers=headers_of(problem))


def _menu_data(
    seat: Seat,
    edition: MenuEdition,
    standing: GuestVenueStanding,
    language: str,
    place: dict[str, str],
    order_type: str,
) -> dict[str, Any]:
    """What the page's script begins with."""
    venue, spoken = seat.venue, words(language)
    return {
        "venue": {
            "id": venue.id,
            "name": venue.name,
            "time_zone": venue.time_zone,
            "phone_example": example_phone(venue.country),
            "needs_code": venue.refuses_unsigned,
        },
        "phones": phone_rules(venue.country),
        "table": None if seat.table is None else seat.table.label,
        "place": {"venue": venue.id, "table": place.get("table"), "t": place.get("t")},
        "language": language,
        "etag": edition.etag,
        "standing": standing,
        "order_type": order_type,
        "words": {name: text for name, text in spoken.items() if not name.startswith("page.")},
    }


def manifest(seat: Seat, query: dict[str, str]) -> Answer:
    """What a phone needs to keep the page like an app. It opens at the same table."""
    place = {name: query[name] for name in ("table", "venue", "t", "lang") if query.get(name)}
    start = f"{assets.BASE}?{urlencode(place)}" if place else assets.BASE
    document = {
        "id": start,
        "name": seat.venue.name,
        "short_name": seat.venue.name[:24],
        "start_url": start,
        "scope": assets.BASE,
        "display": "standalone",
        "background_color": "#fbfaf7",
        "theme_color": "#fbfaf7",
        "icons": [
            {"src": assets.address("icon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any maskable"}
        ],
    }
    body = _encode(document)
    return Answer(body, "application/manifest+json", keep="no-cache", tag=tag_of(body))


def first_order_type(standing: GuestVenueStanding, table: str | None) -> str:
    """Who sits at a table eats here; others choose among what is offered, the first of it to begin with."""
    offered_types = standing.order_types or ["dine_in"]
    if table is not None and "dine_in" in offered_types:
        return "dine_in"
    return next((one for one in offered_types if one != "dine_in"), offered_types[0])


def within_reach_first(categories: list[PublicCategory], closed: Container[str]) -> list[PublicCategory]:
    """The same order, but what cannot be had at all right now, such as breakfast in the evening, comes last."""
    return sorted(categories, key=lambda one: all(item.id in closed for item in one.items))


def telling_tags(menu: PublicMenu) -> list[str]:
    """Tags that a guest may look for: what is eaten first, then the menu's own words; none that every dish has."""
    items = [item for category in menu.categories for item in category.items]
    count = Counter(tag for item in items for tag in dict.fromkeys(item.tags))
    telling = [tag for tag, times in count.most_common() if times < len(items)]
    return [*(tag for tag in DIETS if tag in telling), *(tag for tag in telling if tag not in DIETS)][:_TAGS]


def money(amount: int, currency: str, language: str) -> str:
    """A price as it stands on a menu: whole amounts without their zeros."""
    text, decimals = written(amount, currency, language), exponent(currency)
    return re.sub(rf"[.,]0{{{decimals}}}(?=\D*$)", "", text) if decimals else text


def price_words(item: PublicItem, menu: PublicMenu, language: str) -> str:
    """What a dish costs; with a choice that everybody makes and that is never free, what it costs at the least."""
    needed = [menu.groups[one] for one in item.groups if one in menu.groups]
    dearer = sum(one.fewest * max(0, min(option.price for option in one.options)) for one in needed if one.options)
    text = money(item.price + dearer, menu.currency, language)
    return words(language)["page.price_from"].format(price=text) if dearer else text


def standing_words(standing: GuestVenueStanding, language: str, time_zone: str) -> str:
    """`Orders until 23:30`, `Closed, opens Monday 08:00`, `The kitchen takes no more orders today`."""
    spoken = words(language)
    if standing.takes_orders:
        until = standing.orders_until_ms
        # Further than a day nobody plans their lunch.
        if until is None or until - time.time() * 1_000 > DAY_MS:
            return spoken["standing.open"]
        return spoken["standing.orders_until"].format(when=moment(until, language, time_zone))
    if standing.open:
        return spoken["standing.kitchen_closed"]
    opens = standing.opens_ms
    if opens is None:
        return spoken["standing.closed"]
    return spoken["standing.opens"].format(when=moment(opens, language, time_zone))


def gone_words(closed: Closed, language: str, time_zone: str) -> str:
    """Why a dish cannot be had right now."""
    spoken, until = words(language), closed.until_ms
    if closed.code == "sold_out" and until:
        return spoken["gone.sold_out_until"].format(time=moment(until, language, time_zone))
    return spoken.get(f"gone.{closed.code}", "")


def moment(at_ms: int, language: str, time_zone: str) -> str:
    """A time of today, or a day of the week and a time, by the venue's clock."""
    there = zone(time_zone)
    found, time = datetime.fromtimestamp(at_ms / 1_000, there).date(), clock(at_ms, there)
    return time if found == datetime.now(there).date() else f"{words(language)[f'day.{found.weekday()}']} {time}"


def _pay_until(order: GuestOrder, language: str, time_zone: str) -> str:
    paying = order.paying
    return moment(paying.expires_ms, language, time_zone) if paying and paying.expires_ms else ""


def progress(status: State, order_type: OrderType) -> list[tuple[str, str]]:
    """The steps of an order, each with `done`, `now` or `later`; none for one that was not made."""
    status = "awaiting_confirmation" if status == "awaiting_payment" else status
    steps = STEPS[order_type]
    if status == "completed":
        return [(step, "done") for step in steps]
    if status not in steps:
        return []
    place = steps.index(status)
    last = place == len(steps) - 1
    return [(step, "done" if at < place or (at == place and last) else "now" if at == place else "later")
            for at, step in enumerate(steps)]  # fmt: skip


def _frame(language: str) -> dict[str, Any]:
    spoken = words(language)
    return {
        "language": language,
        "page_language": language if language in LANGUAGES else "en",
        "t": lambda key, **values: spoken[key].format(**values) if values else spoken[key],
        "word": lambda key, fallback: spoken.get(key, fallback),
    }


def _place(seat: Seat, query: dict[str, str]) -> dict[str, str]:
    """What says where the guest sits, in one spelling: however else it was written, it is the same page."""
    place = {} if seat.table is None else {"table": seat.table.label}
    if query.get("venue"):
        place["venue"] = seat.venue.id
    if seat.signed:
        place["t"] = query["t"]
    return place


def _query(values: dict[str, str]) -> str:
    return f"?{urlencode(values)}"


def _safe(document: bytes) -> Markup:
    """JSON that cannot end the element it stands in."""
    return Markup(document.decode().replace("<", "\\u003c"))


def _page(
    html: str, language: str, *, status: int = 200, keep: str = "no-cache", headers: dict[str, str] | None = None
) -> Answer:
    body = html.encode()
    fields = {"Content-Language": language, "Vary": "Accept, Accept-Language", **(headers or {})}
    packed = pack(body) if status == 200 else None
    tag = tag_of(body) if keep != "no-store" else ""
    return Answer(body, "text/html; charset=utf-8", status=status, keep=keep, tag=tag, packed=packed, headers=fields)
