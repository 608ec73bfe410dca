"""Notices: planned with their event, sent once, and never silently dropped."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import msgspec
import pytest

from tablegram.accounts.accounts import STANDARD_FREE_MESSAGES
from tablegram.crm import contacts
from tablegram.crm.consent import ledger
from tablegram.crm.contacts import Sender
from tablegram.crm.own_data.erasing import Erased, PersonToErase
from tablegram.errors import Invalid
from tablegram.flows.files.attachments import make_lasting
from tablegram.flows.stores.notices.own_data import NoticeReach
from tablegram.media import store as media_store
from tablegram.media.files import UPLOADED
from tablegram.storage.database import Tx
from tablegram.stores.notifications import wordings
from tablegram.stores.ports import Good, Tracking
from tablegram.values.clock import DAY_MS
from tests.messaging.gateway import OTHER, PHONE
from tests.stores.shopfront import Shopfront, shopfront

pytestmark = pytest.mark.later

ORDER: dict[str, Any] = {
    "number": "#1001", "amount": 125_050, "currency": "TRY", "goods": (Good(name="Havlu", quantity=2),),
    "url": "https://shop.example/o/1",
}  # fmt: skip


async def test_an_order_is_confirmed_once_however_often_it_is_told_of(database_url: str) -> None:
    async with shopfront(database_url) as shop:
        await shop.set("order_confirmation", text="Hi {name}, {number}: {total}", buttons=[])
        first = await asyncio.gather(*(shop.tell("order_created", "1", **ORDER) for _ in range(20)))
        assert sorted({one.code for one in first if one}) == ["duplicate", "planned"]
        assert [await shop.look(), await shop.look()] == [1, 0]
        assert await shop.texts() == ["Hi Ayşe, #1001: ₺1,250.50"]
        (notice,) = await shop.notices()
        (message,) = await shop.one.rows()
        assert (notice["state"], notice["message_key"], message["phone"]) == ("sent", message["id"], PHONE)
        assert message["sent_by"].endswith("store")
        assert await shop.tell("order_created", "1", **ORDER) is not None
        assert await shop.look() == 0


async def test_why_nothing_is_sent_is_written_down(database_url: str) -> None:
    async with shopfront(database_url) as shop:
        await shop.tell("order_created", "off", **ORDER)
        await shop.set("order_confirmation")
        await shop.tell("order_created", "none", phone="", problem="no_phone")
        await shop.tell("order_created", "bad", phone="", problem="bad_number")
        await shop.tell("order_created", "old", at=shop.clock.now_ms() - 3 * DAY_MS)
        shop.instance_id = 4_711
        await shop.tell("order_created", "gone")
        shop.instance_id = None
        await shop.tell("order_created", "asked not to")
        await shop.db.write(lambda tx: _agree(tx, shop, "denied", "orders"))
        await shop.look()
        assert await shop.reasons() == [
            ("skipped", "off"), ("skipped", "no_phone"), ("skipped", "bad_number"), ("skipped", "too_old"),
            ("skipped", "line_gone"), ("skipped", "opted_out"),
        ]  # fmt: skip
        assert await shop.one.rows() == []


async def _agree(tx: Tx, shop: Shopfront, state: Any, purpose: Any = "marketing") -> None:
    now = shop.clock.now_ms()
    (known,) = await contacts.know(tx, [Sender(1, shop.line.instance.id, PHONE, "", "Ayşe", now)])
    word = ledger.Word(
        account_id=1, contact_id=known.contact_id, purpose=purpose, state=state, source="test", at=now
    )  # fmt: skip
    await ledger.note(tx, [word])


async def test_events_out_of_order_say_nothing_that_is_over(database_url: str) -> None:
    async with shopfront(database_url) as shop:
        for kind in ("order_confirmation", "shipping", "delivered", "cancellation"):
            await shop.set(kind, delay_min=10)
        parcel = {"tracking": Tracking(number="42", url="https://track.example/42")}
        await shop.tell("order_shipped", "1", **ORDER, **parcel)
        await shop.tell("order_shipped", "1", **ORDER, tracking=Tracking(number="43"))
        await shop.tell("order_created", "1", **ORDER)
        await shop.tell("order_delivered", "1", **ORDER)
        await shop.tell("order_cancelled", "2", **ORDER, reason="sold out")
        await shop.tell("order_created", "2", **ORDER)
        shop.clock.advance(601)
        assert await shop.look() == 3
        found = {(row["reference"], row["kind"], row["part"]): row["state"] for row in await shop.notices()}
        assert found == {
            ("1", "shipping", "42"): "cancelled",
            ("1", "shipping", "43"): "cancelled",
            ("1", "order_confirmation", ""): "sent",
            ("1", "delivered", ""): "sent",
            ("2", "cancellation", ""): "sent",
            ("2", "order_confirmation", ""): "skipped",
        }


async def test_quiet_hours_move_a_notice_and_off_stops_it(database_url: str) -> None:
    async with shopfront(database_url) as shop:
        # 2027-01-15 08:00 UTC is eleven o'clock in Istanbul.
        quiet: dict[str, Any] = {"quiet_from": "10:30", "quiet_until": "12:00", "time_zone": "Europe/Istanbul"}
        await shop.set("order_confirmation", **quiet)
        await shop.tell("order_created", "1", **ORDER)
        await shop.tell("order_created", "2", **ORDER, phone=OTHER)
        assert await shop.look() == 0
        assert await shop.reasons() == [("waiting", "quiet_hours")] * 2
        shop.clock.advance(3_601)
        assert await shop.look() == 2
        await shop.set("payment_received", **quiet, delay_min=5)
        await shop.tell("order_paid", "1", **ORDER)
        await shop.set("payment_received", enabled=False)
        shop.clock.advance(601)
        assert await shop.look() == 0
        assert (await shop.reasons())[-1] == ("skipped", "off")


async def test_languages_fall_back_to_one_that_is_on(database_url: str) -> None:
    async with shopfront(database_url) as shop:
        await shop.set("order_confirmation", "tr", text="Merhaba {name}", buttons=[])
        await shop.tell("order_created", "1", **ORDER)
        await shop.set("order_confirmation", "en", text="Hi {name}", buttons=[])
        await shop.tell("order_created", "2", **ORDER)
        await shop.look()
        # What is on when it goes counts.
        assert sorted(await shop.texts()) == ["Merhaba Ayşe", "Merhaba Ayşe"]


async def test_a_shop_with_words_of_its_own_says_those_and_else_what_all_say(database_url: str) -> None:
    async with shopfront(database_url) as shop:
        await shop.set("order_confirmation", text="From all, {number}", buttons=[], delay_min=0)
        await shop.set("order_confirmation", source="src_2", text="From two, {number}")
        # Off for one shop alone, and on for one alone.
        await shop.set("order_confirmation", source="src_3", enabled=False)
        await shop.set("payment_received", source="src_2", text="Two has it", buttons=[])
        await shop.set("abandoned_cart", source="src_2", text="Two waits", buttons=[], delay_min=5)
        for number in (1, 2, 3):
            which: dict[str, Any] = {"source": f"src_{number}", "phone": f"90555000000{number}"}
            await shop.tell("order_created", "o", number=f"#{number}", **which)
            await shop.tell("order_paid", "o", number=f"#{number}", **which)
            await shop.tell("checkout_changed", "c", **{**which, "phone": f"90555111000{number}"})
        await shop.look()
        shop.clock.advance(301)
        await shop.look()
        said = sorted(await shop.texts())
        assert said == ["From all, #1", "From two, #2", "Two has it", "Two waits"]
        # What it takes back it says as all do, also what waits already.
        await shop.set("order_confirmation", source="src_2", delay_min=10)
        await shop.tell("order_created", "late", number="#9", source="src_2", phone=OTHER)
        one = await shop.db.snapshot(lambda tx: wordings.get(tx, 1, "order_confirmation", 1, "en", "src_2"))
        assert (one.source_id, one.is_own, one.wording.text) == ("src_2", True, "From two, {number}")
        gone = [await shop.db.write(lambda tx: wordings.unset(tx, one, "src_2")) for _ in range(2)]
        assert gone == [True, False]
        shop.clock.advance(601)
        await shop.look()
        assert (await shop.texts()).count("From all, #9") == 1


async def test_the_networks_own_line_needs_a_template_outside_its_window(database_url: str) -> None:
    async with shopfront(database_url, "cloud") as shop:
        await shop.set("order_confirmation", text="Hi {name}", buttons=["talk"])
        await shop.tell("order_created", "1", **ORDER)
        await shop.look()
        template: dict[str, Any] = {
            "template_name": "order_ok",
            "template_language": "en",
            "template_variables": ["name", "number", "link"],
        }
        await shop.set("order_confirmation", **template)
        await shop.tell("order_created", "2", number="#2")
        await shop.look()
        line, now = shop.line.instance.id, shop.clock.now_ms()
        await shop.db.write(lambda tx: contacts.recognise(tx, [Sender(1, line, PHONE, "", "Ayşe", now)]))
        await shop.tell("order_created", "3", **ORDER)
        await shop.look()
        assert await shop.reasons() == [("skipped", "window_closed"), ("sent", ""), ("sent", "")]
        assert [row["type"] for row in await shop.one.rows()] == ["template", "buttons"]
        assert (
            '"parameters":[{"type":"text","text":"Ayşe"},{"type":"text","text":"#2"},{"type":"text","text":"-"}]'
            in (await shop.one.rows())[0]["content"]
        )


async def test_a_button_opens_the_address_where_the_line_has_one(database_url: str) -> None:
    parcel = {"tracking": Tracking(number="42", url="https://track.example/42")}
    async with shopfront(database_url) as shop:
        await shop.set("shipping", text="Hi {name}", buttons=["track", "talk"])
        await shop.set("order_confirmation", text="Thanks {name}", buttons=["pay", "track", "talk"])
        await shop.tell("order_shipped", "1", **ORDER, **parcel)
        # Nothing to open: then it answers.
        await shop.tell("order_shipped", "2", number="#2")
        await shop.tell("order_created", "3", **ORDER)
        # Too long for a button: then the address stands in the text.
        await shop.set("delivered", text="x" * 990, buttons=["talk"])
        await shop.set("payment_received", text="{number} " + "x" * 980, buttons=["track"])
        await shop.tell("order_paid", "4", **{**ORDER, "number": "#" + "4" * 60})
        await shop.look()
        found = [msgspec.json.decode(row["content"])["content"] for row in await shop.one.rows()]
        assert found[0] == {
            "type": "link_button",
            "body": "Hi Ayşe",
            "title": "Track",
            "url": "https://track.example/42",
        }
        assert (found[1]["type"], found[1]["buttons"][0]["title"]) == ("buttons", "Talk to us")
        # Two buttons of one address are one.
        assert found[2] == {"type": "link_button", "body": "Thanks Ayşe", "title": "Pay", "url": ORDER["url"]}
        assert found[3]["type"] == "text"
        assert found[3]["body"].endswith(f"\n\nTrack: {ORDER['url']}")
        shop.instance_id = (await shop.one.add_line("linked")).instance.id
        await shop.tell("order_shipped", "9", **ORDER, **parcel)
        await shop.look()
        assert (await shop.texts())[-1] == "Hi Ayşe\n\nTrack: https://track.example/42"


async def test_a_picture_that_was_uploaded_goes_with_each_message_and_stays(database_url: str) -> None:
    async with shopfront(database_url) as shop:
        now = shop.clock.now_ms()
        uploaded = {
            "account_id": 1, "id": "med_up", "message_key": "", "instance_id": UPLOADED, "event_id": "", "kind": "image",
            "network_media_id": "", "state": "kept", "mime_type": "image/png", "filename": "a.png", "sha256": "",
            "size": 9, "path": "1/med_up", "created_at": now, "kept_at": now,
        }  # fmt: skip
        await shop.db.put((media_store.INSERT_UPLOADED, uploaded))
        picture = await shop.db.write(lambda tx: make_lasting(tx, 1, "med_up", now))
        for strange, account in (("med_no", 1), ("med_up", 2)):
            with pytest.raises(Invalid, match="no such picture"):
                await shop.db.write(partial(lambda of, name, tx: make_lasting(tx, of, name, now), account, strange))
        await shop.set("order_confirmation", text="Hi {name}", image_id=picture)
        for number in (1, 2):
            await shop.tell("order_created", str(number), **ORDER)
        await shop.look()
        rows = await shop.one.rows()
        assert [(row["type"], row["text"]) for row in rows] == [("image", "Hi Ayşe")] * 2
        wanted = [{"account_id": 1, "message_key": row["id"]} for row in rows]
        files = await shop.db.snapshot(lambda tx: tx.gather(media_store.OF_MESSAGE, wanted))
        assert [row["path"] for row in files] == ["1/med_up"] * 2
        # An address in its place, and the picture is let go.
        await shop.set("order_confirmation", image_url="https://shop.example/a.jpg")
        one = await shop.db.snapshot(lambda tx: wordings.get(tx, 1, "order_confirmation", 1, "en"))
        assert (one.wording.image_id, one.wording.image_url) == ("", "https://shop.example/a.jpg")
        # Gone from the store: the words go without it.
        await shop.set("order_confirmation", image_id="med_gone", buttons=[])
        await shop.tell("order_created", "3", **ORDER)
        await shop.look()
        assert (await shop.one.rows())[-1]["type"] == "text"


async def test_forms_are_answered_and_the_team_hears_of_them(database_url: str) -> None:
    async with shopfront(database_url) as shop:
        with pytest.raises(Invalid, match="phone of the team"):
            await shop.set("form_alert")
        await shop.set("form_alert", text="{form}: {answers}", phones=[OTHER])
        await shop.set("form_reply", text="Thanks {name}", buttons=[])
        for number in range(5):
            fields = (("Message", "Call me"),)
            await shop.tell("form_sent", f"s{number}", title="Contact", name="win at evil.example", fields=fields)
            await shop.look()
        said = [(row["phone"], row["text"]) for row in await shop.one.rows()]
        assert said.count((OTHER, "Contact: Message: Call me")) == 5
        # Whoever fills in a form chooses the number: no words of theirs, and not again and again.
        assert said.count((PHONE, "Thanks")) == 3
        assert (await shop.reasons()).count(("skipped", "told_enough")) == 2


async def test_nobody_can_pay_for_it(database_url: str) -> None:
    async with shopfront(database_url, "cloud", billing="prepaid") as shop:
        assert STANDARD_FREE_MESSAGES
        await shop.one.spend_free_messages()
        await shop.set("order_confirmation", template_name="order_ok", template_language="en")
        await shop.tell("order_created", "1", **ORDER)
        await shop.look()
        assert await shop.reasons() == [("skipped", "no_balance")]


async def test_whoever_is_erased_hears_nothing_more_and_leaves_no_trace(database_url: str) -> None:
    async with shopfront(database_url) as shop:
        await shop.set("order_confirmation", delay_min=60)
        await shop.set("abandoned_cart", delay_min=60)
        await shop.tell("checkout_changed", "c1", at=shop.clock.now_ms() + 1, **{**ORDER, "number": ""})
        shop.clock.advance(3_000)
        await shop.tell("order_created", "1", phone=OTHER, **ORDER)
        await shop.tell("order_created", "2", **{**ORDER, "number": "#2"}, at=shop.clock.now_ms() - DAY_MS)
        person = PersonToErase(account_id=1, contact_id="c", ids=["c"], names=[PHONE])
        gone = await shop.db.write(lambda tx: NoticeReach(shop.clock).finish(tx, person, Erased()))
        assert gone.count == 1
        shop.clock.advance(4_000)
        assert await shop.look() == 1
        assert sorted((row["state"], row["reason"], row["phone"], row["name"]) for row in await shop.notices()) == [
            ("cancelled", "erased", "", ""), ("sent", "", OTHER, "Ayşe Yılmaz"),
        ]  # fmt: skip
        (cart,) = await shop.carts()
        assert (cart["state"], cart["phone"], cart["name"], cart["facts"]) == ("deleted", "", "", "{}")
