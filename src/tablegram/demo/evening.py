"""What the demo's orders are like: who comes, what becomes of an order, and how the room stands right now."""

from __future__ import annotations

import random
from typing import Literal

from tablegram.restaurant.orders.states import Event, OrderType

# What happens, how many minutes after the order, by whom, and why. "wait" is an order that nobody has looked at yet.
Step = tuple[Event | Literal["wait"], int, str, str]
Steps = tuple[Step, ...]

# Fewest and most orders of a day, from Monday on.
NIGHTS = ((16, 22), (16, 24), (18, 26), (20, 28), (30, 42), (34, 46), (26, 36))

CUSTOMERS = (
    ("Hakan Öztürk", "905550003001"),
    ("Selin Koç", "905550003002"),
    ("Can Yıldız", "905550003003"),
    ("Merve Aksoy", "905550003004"),
    ("Oğuz Kaplan", "905550003005"),
    ("Buse Erdem", "905550003006"),
    ("Kerem Polat", "905550003007"),
    ("İrem Güneş", "905550003008"),
)

NOTES = {
    "tr": (
        "Servis ekmeği bol olsun.",
        "Çocuk için ekstra tabak.",
        "Acısı az olsun lütfen.",
        "Zil çalmasın, bebek uyuyor.",
    ),
    "en": ("No onions, please.", "We are in a bit of a hurry.", "An extra plate for the child, please."),
}

_REASONS = ("Mutfak kapandı.", "Bu bölgeye teslimat yapamıyoruz.")


def steps_of(kind: OrderType, chance: random.Random) -> Steps:
    """The life of an order of some day that is over."""
    luck = chance.random()
    if luck < 0.015:
        return (("reject", 3, "staff", _REASONS[kind == "delivery"]),)
    if luck < 0.03:
        return (("expire", 30, "clock", ""),)
    if luck < 0.06:
        return (("cancel", 2, "guest", ""),)
    start, cooked = chance.randint(1, 4), chance.randint(12, 24)
    begun: Steps = (("start", start, "staff", ""), ("finish", cooked, "staff", ""))
    if luck < 0.2:
        begun = (("accept", 1, "staff", ""), *begun)
    if luck > 0.94:
        begun = (*begun[:-1], ("delay", start + 6, "staff", ""), begun[-1])
    served = cooked + chance.randint(1, 4)
    if kind == "dine_in":
        paid = served + chance.randint(25, 60)
        return (*begun, ("serve", served, "staff", ""), ("pay", paid, "staff", ""), ("complete", paid, "staff", ""))
    if kind == "takeaway":
        return (
            *begun,
            ("pay", served, "staff", ""),
            ("pick_up", served, "staff", ""),
            ("complete", served, "staff", ""),
        )
    there = served + chance.randint(10, 22)
    return (
        *begun, ("dispatch", served, "staff", ""), ("deliver", there, "staff", ""), ("pay", there, "staff", ""),
        ("complete", there, "staff", ""),
    )  # fmt: skip


_START: Step = ("start", 2, "staff", "")
# Right now: minutes ago, the kind, and how far it is. One waits for a nod, two are late.
RUNNING: tuple[tuple[int, OrderType, Steps], ...] = (
    (1, "delivery", (("wait", 0, "", ""),)),
    (2, "dine_in", ()),
    (4, "takeaway", ()),
    (9, "dine_in", (_START,)),
    (14, "delivery", (_START,)),
    (31, "dine_in", (_START,)),
    (18, "dine_in", (_START, ("finish", 15, "staff", ""))),
    (22, "takeaway", (_START, ("finish", 19, "staff", ""))),
    (38, "delivery", (_START, ("finish", 20, "staff", ""), ("dispatch", 24, "staff", ""))),
    (47, "dine_in", (_START, ("finish", 16, "staff", ""), ("serve", 18, "staff", ""))),
)
