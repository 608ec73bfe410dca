"""A menu small enough to know by heart."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from tablegram.restaurant.menu.model import Availability, Category, Group, Item, Menu, Option
from tablegram.values.opening_hours import DAYS, WeekSpan

ZONE = "Europe/Istanbul"


def at(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(ZONE)).timestamp() * 1_000)


NOON = at("2027-01-15 12:00")
MORNINGS = Availability([WeekSpan(day, "08:00", "11:00") for day in DAYS])


def small_menu(**changes: Any) -> Menu:
    size = Group(
        "g-size", "size", "Boy",
        [
            Option("o-small", "Küçük", opens=["g-extra"], translations={"en": {"name": "Small"}}),
            Option("o-large", "Büyük", price_delta=5_000, opens=["g-extra-large"], translations={"en": {"name": "Large"}}),
        ],
        required=True,
    )  # fmt: skip
    extra = Group(
        "g-extra", "extra", "Ekstra",
        [Option("o-cheese", "Kaşar", price_delta=2_000, most=2), Option("o-egg", "Yumurta", price_delta=1_000)],
        most=2,
    )  # fmt: skip
    large = Group(
        "g-extra-large", "extra-large", "Ekstra (büyük)", [Option("o-cheese-large", "Kaşar", price_delta=3_000)]
    )
    sauces = Group(
        "g-sauce", "sauce", "Sos",
        [Option("o-ketchup", "Ketçap"), Option("o-mayo", "Mayonez"), Option("o-hot", "Acı sos", price_delta=-500)],
        least=2, most=None,
    )  # fmt: skip
    pide = Item(
        "i-pide", "c-main", "pide", "Kaşarlı Pide", 20_000, kitchen_name="KASARLI", allergens=["gluten", "milk"],
        group_ids=["g-size"], translations={"en": {"name": "Cheese Pide"}},
    )  # fmt: skip
    fries = Item("i-fries", "c-main", "fries", "Patates", 9_000, group_ids=["g-sauce"])
    eggs = Item("i-eggs", "c-morning", "eggs", "Menemen", 15_000)
    tea = Item(
        "i-tea", "c-drinks", "tea", "Çay", 2_500, station="bar", availability=Availability(order_types=["dine_in"])
    )
    categories = [
        Category("c-main", "Ana", translations={"en": {"name": "Mains"}}),
        Category("c-morning", "Kahvaltı", availability=MORNINGS),
        Category("c-drinks", "İçecek"),
    ]
    whole: dict[str, Any] = {
        "categories": categories,
        "items": [pide, fries, eggs, tea],
        "groups": [size, extra, large, sauces],
    }
    return Menu("TRY", ZONE, ["tr", "en"], ["kitchen", "bar"], **{**whole, **changes})
