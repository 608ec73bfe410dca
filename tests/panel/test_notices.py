"""Pages of notifications: worded beside a phone, carts with their timers, and a log that says why."""

from __future__ import annotations

import re
from pathlib import Path

from tablegram.flows.files.services import FileServices
from tablegram.stores.model import Delivery, SourceRow, ToldEvent
from tablegram.stores.ports import Good, ShopCustomer, StoreEvent
from tablegram.values.clock import DAY_MS
from tablegram.wiring.areas.stores.notices import NoticeWorks
from tests.panel.visiting import House, house

PNG = b"\x89PNG\r\n\x1a\n" + bytes(200)
ONE = "/panel/notices/wording/order_confirmation-1-en"
WORDS = {
    "enabled": "1", "text": "Hello {name}, {number} is ours!", "delay_min": "0", "quiet_from": "", "quiet_until": "",
    "time_zone": "", "template_name": "", "template_language": "", "template_variables": "", "image_url": "",
    "buttons": "talk",
}  # fmt: skip


async def tell(here: House, kind: str, reference: str, phone: str = "905551112233", **fields: object) -> None:
    works, now = here.running.api.of(NoticeWorks), here.running.api.clock.now_ms()
    source = SourceRow(
        account_id=1,
        id="src_1",
        platform="generic",
        name="Pamuk",
        hook_hash="",
        hook_sealed="",
        created_at=1,
        updated_at=1,
    )
    person = ShopCustomer(name="Ayşe <b>Yılmaz", consents=True)
    event = StoreEvent(kind=kind, reference=reference, person=person, at=now, **fields)  # type: ignore[arg-type]
    delivery = Delivery(account_id=1, id="d", source_id="src_1", name="n", received_at=now)
    told = ToldEvent(source=source, delivery=delivery, event=event, phone=phone, at=now,
                phone_problem="" if phone else "no_phone")  # fmt: skip
    await here.running.api.db.write(lambda tx: works.reminding.follow(tx, told, now))


async def test_a_notification_is_worded_and_what_came_of_it_is_shown(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        assert "Off" in (await owner.get("/panel/notices")).words
        assert "Nothing was sent yet" in (await owner.get("/panel/notices/log")).words
        assert "No cart yet" in (await owner.get("/panel/notices/carts")).words
        assert "Hi Emma, thank you for your order #1001" in (await owner.get(ONE)).words
        drawn = await owner.post(f"{ONE}/preview", WORDS)
        assert drawn.status == 200
        assert "Hello Emma, #1001 is ours!" in drawn.words
        wrong = await owner.post(ONE, {**WORDS, "text": "Hi {nmae}"})
        assert wrong.status == 422
        assert "There is no {nmae} here" in wrong.words
        assert (await owner.post(ONE, {**WORDS, "delay_min": "x"})).status == 422
        assert "Thank you" not in (await owner.post(f"{ONE}/preview", {**WORDS, "text": " "})).words
        # It is due in an hour: nobody has looked at it yet, however slow the machine is.
        assert (await owner.post(ONE, {**WORDS, "delay_min": "60"})).status == 303
        assert "On" in (await owner.get("/panel/notices")).words
        await tell(here, "order_created", "1", number="#1")
        await tell(here, "order_created", "2", phone="", number="#2")
        cart = {"goods": (Good(name="Havlu"),), "amount": 5_000, "currency": "EUR"}
        await tell(here, "checkout_changed", "c1", phone="905551112244", **cart)
        log = await owner.get("/panel/notices/log")
        assert "No phone number" in log.words
        assert "Ayşe &lt;b&gt;Yılmaz" in log.text
        assert "#1" not in (await owner.get("/panel/notices/log?state=skipped&kind=order_confirmation")).words.replace(
            "#2", ""
        )
        assert "Nothing found" in (await owner.get("/panel/notices/log?q=nobody")).words
        carts = await owner.get("/panel/notices/carts?state=open&q=Ay")
        assert "€50.00" in carts.words
        assert (await owner.get("/panel/notices/wording/nothing-1-en")).status == 404
        # A picture of one's own: shown, sent, kept beside the shop that took it over, and let go.
        assert (await owner.upload(ONE, WORDS, "picture", "a.pdf", b"%PDF-1.7 x")).status == 422
        assert (await owner.upload(ONE, WORDS, "picture", "thanks.png", PNG)).status == 303
        assert await owner.read(f"{ONE}/picture") == PNG
        assert "Take the picture away" in (await owner.get(ONE)).words
        # Words of one shop.
        made = (await owner.post("/panel/stores", {"platform": "woocommerce", "name": "İkinci", "once": "1"})).text
        shop = re.findall(r"/panel/stores/sources/(src_\w+)", made)[0]
        assert "For all shops" in (await owner.get("/panel/notices")).words
        of_shop = f"{ONE}?source={shop}"
        assert "says what all shops say" in (await owner.get(of_shop)).words
        assert (await owner.post(of_shop, {**WORDS, "text": "Only here, {name}"})).status == 303
        seen = await owner.get(of_shop)
        assert "Only here, Emma" in seen.words
        assert "Say what all shops say" in seen.words
        assert "Words of its own" in (await owner.get(f"/panel/notices?source={shop}")).words
        assert "Hello Emma" in (await owner.get(ONE)).words
        # What is old is forgotten, but no picture that is still sent.
        library, later = here.running.api.of(FileServices).library, here.running.api.clock.now_ms() + DAY_MS
        await library.forget_all(later)
        assert (await owner.post(ONE, {**WORDS, "picture_gone": "1"})).status == 303
        assert (await owner.get(f"{ONE}/picture")).status == 404
        assert await library.forget_unsent(later) == 1
        assert await owner.read(f"{ONE}/picture?source={shop}") == PNG
        assert (await owner.post(f"{ONE}/unset?source={shop}", {})).status == 303
        assert await library.forget_unsent(later) == 1
        assert "Hello Emma" in (await owner.get(of_shop)).words
        assert (await owner.get(f"{ONE}?source=src_other")).status == 404
        assert "The one with the same name" in (await owner.get("/panel/stores/new?platform=gloriafood")).words
        staff = await here.person(role="staff")
        assert (await staff.get("/panel/notices")).status == 403
