"""Shops and forms in the panel: connected in steps, tried out, mapped on a sample, replayed, and seen to."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tablegram.stores.ports import Setup
from tablegram.stores.samples import sample
from tests.panel.visiting import House, house
from tests.stores.shops import Shop

NEW = {"name": "Online shop", "country": "tr", "currency": "TRY", "instance_id": ""}


def shop_at(one: House, page: Any, secret: str = "") -> Shop:
    """The shop behind the address that a page shows."""
    found = re.search(r'data-copy="([^"]+/hooks/[^"]+)"', page.text)
    assert found is not None
    return Shop(one.running, {"hook_url": found[1], "secret": secret})


async def test_a_shop_is_found_connected_tried_paused_and_removed(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        assert "Nothing is connected yet" in (await owner.get("/panel/stores")).words
        found = (await owner.get("/panel/stores/new?q=jotform")).words
        assert "Typeform" in found
        assert "Trendyol" not in found
        tools = (await owner.get("/panel/stores/new?q=zapier")).words
        assert [name in tools for name in ("Zapier", "n8n", "Shopify")] == [True, False, False]
        assert "There is no such integration" in (await owner.get("/panel/stores/new?q=nowhere")).words
        wrong = await owner.post("/panel/stores", {**NEW, "platform": "woocommerce", "country": "Turkey"})
        assert (wrong.status, "country-error" in wrong.text) == (422, True)
        made = await owner.post("/panel/stores", {**NEW, "platform": "woocommerce"})
        assert made.status == 200
        secret = re.search(r'data-copy="(whsec_[^"]+)"', made.text)
        assert secret is not None
        shop = shop_at(one, made, secret[1])
        source = re.search(r"/panel/stores/sources/(src_\w+)/test", made.text)
        assert source is not None
        path = f"/panel/stores/sources/{source[1]}"
        again = await owner.get(path)
        assert secret[1] not in again.text
        assert "Nothing came yet" in again.words
        refused = await owner.post(f"{path}/test", {"phone": "12"})
        assert (refused.status, "phone-error" in refused.text) == (422, True)
        tried = await owner.post(f"{path}/test", {"phone": "0532 000 00 01"})
        assert tried.status == 303
        await shop.work()
        listed = (await owner.get(f"/panel/stores/log?source={source[1]}")).words
        assert "New order" in listed
        assert "Test" in listed
        assert "Nothing fits" in (await owner.get("/panel/stores/log?q=nothing")).words
        assert "Works" in (await owner.get("/panel/stores")).words
        assert "Test Order" in (await owner.get("/panel/stores/orders")).words
        # Whoever ordered is a contact, and their page shows the order.
        contact = (await one.running.ask("GET", "/stores/orders")).json()["data"][0]["contact_id"]
        assert "Online shop" in (await owner.get(f"/panel/contacts/{contact}")).words
        await shop.deliver("order.created", b'{"id": ')
        await shop.work()
        (broken,) = await shop.deliveries("?state=unreadable")
        page = await owner.get(f"/panel/stores/log/{broken['id']}")
        assert "It could not be understood" in page.words
        assert '{"id": ' in page.words
        assert "Nothing was changed" in (await owner.get(f"/panel/stores/log/{broken['id']}?rehearse=1")).words
        assert (await owner.post(f"/panel/stores/log/{broken['id']}/replay")).status == 303
        assert (await owner.post(f"{path}/pause")).status == 303
        assert await shop.deliver("order.created", {"id": 2}) == (202, "paused")
        assert (await owner.post(f"{path}/resume")).status == 303
        turned = await owner.post(f"{path}/rotate")
        assert re.search(r'data-copy="(whsec_[^"]+)"', turned.text)
        assert (await shop.deliver("order.created", {"id": 3}))[0] == 401
        assert (await owner.post(path, {**NEW, "name": "Other"})).status == 303
        turkish = await one.person(language="tr")
        for address in ("/panel/stores", "/panel/stores/new", "/panel/stores/new?platform=shopify", path,
                        "/panel/stores/log", f"/panel/stores/log/{broken['id']}", "/panel/stores/orders"):  # fmt: skip
            assert (await turkish.get(address)).status == 200, address
        assert (await owner.post(f"{path}/delete", {"confirm": "wrong"})).status == 422
        assert (await owner.post(f"{path}/delete", {"confirm": "Other"})).status == 303
        assert (await shop.knock(method="GET"))[0] == 404


async def test_a_form_is_mapped_on_its_last_sample_and_what_came_before_is_replayed(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        made = await owner.post("/panel/stores", {**NEW, "platform": "form", "name": "Form"})
        form = shop_at(one, made)
        (source,) = (await form.api("GET", "/stores/sources"))["data"]
        path = f"/panel/stores/sources/{source['id']}"
        assert "There is no sample yet" in (await owner.get(f"{path}/mapping")).words
        body = json.dumps({"who": "Defne", "<b>reach</b>": "0532 000 00 01"}).encode()
        assert await form.knock(body, {"Content-Type": "application/json"}) == (200, "ok")
        await form.work()
        (before,) = await form.deliveries()
        assert before["events"][0]["phone_problem"] == "no_phone"
        page = await owner.get(f"{path}/mapping")
        assert "&lt;b&gt;reach&lt;/b&gt;" in page.text
        # Fields stand in pairs: the place, and what lies there.
        assert page.text.count('name="place"') == page.text.count('name="fact"') == 2
        mapping = {"mapping": {"name": "who", "phone": "<b>reach</b>"}}
        await form.api("PATCH", f"/stores/sources/{source['id']}", mapping)
        assert '<option value="phone" selected>' in (await owner.get(f"{path}/mapping")).text
        would = await form.api("GET", f"/stores/deliveries/{before['id']}/replay")
        assert (would["events"][0]["phone"], would["replays"]) == ("905320000001", 0)
        assert (await form.deliveries())[0]["events"][0]["phone"] == ""
        assert (await owner.post(f"/panel/stores/log/{before['id']}/replay")).status == 303
        (after,) = await form.deliveries()
        assert (after["events"][0]["phone"], after["replays"]) == ("905320000001", 1)
        assert urlsplit(source["hook_url"]).path.startswith("/hooks/form/")
        # Files: at an address that is opened, or in the form itself, whence they are saved and never shown.
        address = "https://files.example/plan.pdf?" + "a" * 300
        await form.knock(
            json.dumps({"Plan": address, "Bad": "javascript:alert(1)"}).encode(), {"Content-Type": "application/json"}
        )
        head = '--x\r\nContent-Disposition: form-data; name="{}"{}\r\n\r\n{}\r\n'
        upload = (
            head.format("cv", '; filename="../<b>cv.html"', "<script>x</script>")
            + head.format("Ad", "", "Ece")
            + "--x--\r\n"
        )
        await form.knock(upload.encode(), {"Content-Type": "multipart/form-data; boundary=x"})
        await form.work()
        found = {each["events"][0]["fields"][0]["name"]: each for each in await form.deliveries()}
        kept, linked = found["cv"], found["Plan"]
        shown = (await owner.get(f"/panel/stores/log/{linked['id']}")).text
        assert f'<a href="{address}" target="_blank" rel="noopener noreferrer nofollow">' in shown
        assert 'href="javascript' not in shown
        assert "Files of the form" in (await owner.get(f"/panel/stores/log/{kept['id']}")).words
        saved = await owner.get(f"/panel/stores/log/{kept['id']}/files/0")
        assert (saved.raw, saved.headers["content-type"]) == (b"<script>x</script>", "application/octet-stream")
        assert saved.headers["content-disposition"].startswith("attachment")
        assert (await owner.get(f"/panel/stores/log/{kept['id']}/files/1")).status == 404


async def test_what_a_customer_asks_for_by_law_waits_until_somebody_has_seen_to_it(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        made = await owner.post("/panel/stores", {**NEW, "platform": "generic"})
        secret = re.search(r'data-copy="(whsec_[^"]+)"', made.text)
        assert secret is not None
        shop = shop_at(one, made, secret[1])
        wish = sample("generic", secret[1], "905320000001", Setup(mapping={"kind": "=erasure_asked"}), 1)
        (source,) = (await shop.api("GET", "/stores/sources"))["data"]
        await shop.api("PATCH", f"/stores/sources/{source['id']}", {"mapping": {"kind": "=erasure_asked"}})
        assert await shop.knock(wish.body, wish.headers) == (200, "ok")
        await shop.work()
        (asked,) = await shop.deliveries("?attention=true")
        assert (asked["attention"], asked["events"][0]["contact_id"]) == ("erasure_asked", None)
        page = await owner.get(f"/panel/stores/log/{asked['id']}")
        assert "A customer asks to be erased" in page.words
        assert (await owner.post(f"/panel/stores/log/{asked['id']}/settle")).status == 303
        assert await shop.deliveries("?attention=true") == []
