"""The page says the same in each of its languages."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec.structs import replace

import tablegram.menu_page
from tablegram.flows.restaurant.answers.guests import GuestOrder, GuestVenue, GuestVenueStanding, PayingView
from tablegram.menu_page import assets
from tablegram.menu_page.drawing import Drawing, gone_words, money, progress, standing_words
from tablegram.menu_page.words import choose_language, offered, words
from tablegram.restaurant.menu.public import Closed

HERE = Path(tablegram.menu_page.__file__).parent


def test_every_word_that_the_scripts_say_is_known() -> None:
    said = set()
    for path in (HERE / "static").rglob("*.js"):
        said |= set(re.findall(r'\bsay\("([a-z_.]+)"', path.read_text()))
        said |= {f"{key}.one" for key in re.findall(r'\bcount\("([a-z_.]+)"', path.read_text())}
    assert len(said) > 50
    assert said <= words("en").keys(), said - words("en").keys()


def test_the_modules_become_one_file_that_imports_nothing() -> None:
    for name in ("menu.js", "status.js"):
        text = assets.SHELF.files[name].content.decode()
        assert not re.search(r"^(import|export)\b", text, re.MULTILINE)
        named = re.findall(r"^(?:const|let|class|(?:async )?function) (\w+)", text, re.MULTILINE)
        assert len(named) == len(set(named)), sorted(one for one in named if named.count(one) > 1)


def test_the_language_is_what_the_guest_asks_for_then_what_his_phone_likes_then_the_menus_own() -> None:
    assert choose_language("tr", "en", ["de", "tr"]) == "tr"
    assert choose_language("xx", "tr;q=0.5, en-GB", ["tr", "en"]) == "en"
    assert choose_language(None, "fr, ;q=, ja;q=x", ["tr", "en"]) == "tr"
    assert offered(["de", "tr"]) == ["de", "tr", "en"]


def test_prices_are_short_where_they_are_whole() -> None:
    assert money(13_000, "TRY", "tr") == "₺130"
    assert money(123_450, "TRY", "tr") == "₺1.234,50"
    assert money(100_000_00, "TRY", "en") == "₺100,000"
    assert money(1_000_000, "KWD", "en").endswith("1,000")
    assert money(500, "JPY", "en") == "¥500"


def test_a_closed_door_says_when_it_opens() -> None:
    shut = GuestVenueStanding(
        open=False, until_ms=None, opens_ms=4_102_476_000_000, takes_orders=False, orders_until_ms=None, reason="closed",
        order_types=["dine_in"], offers={}, payment_methods={}, rewards=False, gifts=False, closed={},
    )  # fmt: skip
    assert standing_words(shut, "en", "Europe/Istanbul").startswith("Closed, opens Friday ")
    assert standing_words(replace(shut, opens_ms=None), "tr", "Europe/Istanbul") == "Şu an kapalı"
    assert "kitchen" in standing_words(replace(shut, open=True), "en", "Europe/Istanbul")


def test_a_dish_that_is_gone_says_why_and_until_when() -> None:
    assert gone_words(Closed("not_available_now"), "tr", "UTC") == "Bu saatte yok"
    assert gone_words(Closed("sold_out"), "en", "UTC") == "Sold out"
    assert re.fullmatch(r"Sold out until \w+ 10:00", gone_words(Closed("sold_out", 36_000_000), "en", "UTC"))


def test_an_orders_steps_follow_its_state() -> None:
    steps = dict(progress("preparing", "takeaway"))
    assert (steps["sent_to_kitchen"], steps["preparing"], steps["picked_up"]) == ("done", "now", "later")
    assert set(dict(progress("completed", "delivery")).values()) == {"done"}
    assert progress("rejected", "dine_in") == []


def test_who_pays_for_what_is_cooked_already_is_not_told_that_the_kitchen_waits() -> None:
    waiting = GuestOrder(
        order_id="ORD-1", status="awaiting_payment", status_url="", order_type="takeaway", table="", name="", items=[],
        venue=GuestVenue(id="v", name="V", time_zone="UTC", phone=""), notes="", address="", subtotal=0, charges=[],
        discounts=[], total=100, currency="TRY", payment_method="cash", payment_status="link_sent", language="en",
        created_ms=0, promised_ms=None, updated_ms=0, may_cancel=False, reason="", history=[], courier="",
        paying=PayingView(state="open", url="http://pay.test", expires_ms=36_000_000, left=100), proof_link=None,
    )  # fmt: skip

    def told(order: GuestOrder, language: str) -> str:
        page = Drawing().status_page(order, "token", language).body.decode()
        return str(re.findall(r'<div class="waiting pay">\s*<p>(.*?)</p>', page)[0])

    cooked = replace(waiting, status="sent_to_kitchen")
    assert re.fullmatch(r"Pay by \w+ 10:00, and the kitchen begins\.", told(waiting, "en"))
    assert re.fullmatch(r"Pay by \w+ 10:00\.", told(cooked, "en"))
    assert "mutfak" in told(waiting, "tr")
    assert "mutfak" not in told(cooked, "tr")
