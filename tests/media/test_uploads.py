"""Files that a program uploads and sends: kept once, shared by their messages, and gone with the last of them."""

from __future__ import annotations

import hashlib
import json
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tablegram.values.clock import DAY_MS, HOUR_MS, iso
from tests.api.asking import Reply, ask
from tests.contract.wire import ask as ask_over_http
from tests.crm.pool import OTHER, PHONE, Pool, pool
from tests.product import Product, running_product, wait_until

pytestmark = pytest.mark.later

PDF = b"%PDF-1.7\n" + hashlib.shake_256(b"paper").digest(3_000_000)
WEBP = b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0"


async def upload(one: Pool, content: bytes = PDF[:900], name: str = "menu.pdf", **headers: str) -> Reply:
    key = one.keys[1]
    named = {field.replace("_", "-"): value for field, value in headers.items()}
    return await ask(one, "POST", f"/media?filename={name}", content, key=key, headers=named, content_type=None)


async def send(one: Pool, url: str, phone: str = PHONE, **fields: Any) -> Reply:
    return await one.call("POST", "/messages/send-media", {"phone": phone, "media_url": url, **fields})


async def media_of(one: Pool, reply: Reply) -> dict[str, Any]:
    assert reply.status == 200, reply.body
    return dict((await one.call("GET", f"/messages/{reply.json()['message_id']}")).json()["media"])


def files(one: Pool) -> list[Path]:
    return [path for path in (one.product.settings.data_dir / "media").rglob("*") if path.is_file()]


async def test_an_upload_is_told_as_it_is_and_can_be_downloaded(database_url: str) -> None:
    async with pool(database_url) as one:
        made = (await upload(one, name="..%2FMen%C3%BC.pdf")).json()
        assert made == {
            "id": made["id"], "url": f"{one.product.settings.base_url}/api/v1/media/{made['id']}",
            "mime_type": "application/pdf", "size": 900, "sha256": hashlib.sha256(PDF[:900]).hexdigest(),
            "filename": "Menü.pdf",
        }  # fmt: skip
        assert (await one.call("GET", f"/media/{made['id']}")).body == PDF[:900]
        assert (await one.call("GET", f"/media/{made['id']}", account=2)).status == 404


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"MZ\x90\0 a program", "media_type_unsupported"), (b"<html>", "media_type_unsupported"), (b"", "missing")],
)
async def test_what_cannot_be_sent_is_not_kept(database_url: str, content: bytes, code: str) -> None:
    async with pool(database_url) as one:
        reply = await upload(one, content)
        assert (reply.status, reply.json()["code"]) == (422, code)
        assert files(one) == []


async def test_the_same_key_keeps_the_same_file_once(database_url: str) -> None:
    async with pool(database_url) as one:
        first = await upload(one, Idempotency_Key="k")
        again = await upload(one, Idempotency_Key="k")
        assert (again.status, again.body) == (201, first.body)
        assert again.headers["idempotent-replayed"] == "true"
        for content, name in ((PDF[:901], "menu.pdf"), (PDF[:900], "other.pdf")):
            other = await upload(one, content, name, Idempotency_Key="k")
            assert (other.status, other.json()["code"]) == (422, "idempotency_key_reused")
        assert len(files(one)) == 1


async def test_one_upload_is_sent_to_many_and_kept_once(database_url: str) -> None:
    async with pool(database_url) as one:
        url = (await upload(one)).json()["url"]
        media = await media_of(one, await send(one, url))
        assert (media["state"], media["size"], media["filename"]) == ("kept", 900, "menu.pdf")
        entry = {"kind": "media", "media_url": url}
        many = {"messages": [{**entry, "phone": OTHER}, {**entry, "phone": PHONE}]}
        reply = await one.call("POST", "/messages/batch", many)
        assert [entry["status"] for entry in reply.json()["data"]] == ["success"] * 2
        ids = {row["media"]["id"] for row in (await one.call("GET", "/messages")).json()["data"]}
        assert len(ids) == 3
        assert len(files(one)) == 1


async def test_what_a_file_is_decides_what_it_can_be_sent_as(database_url: str) -> None:
    async with pool(database_url) as one:
        paper, sticker = (await upload(one)).json()["url"], (await upload(one, WEBP, "hi.webp")).json()["url"]
        large = (await upload(one, WEBP + bytes(600_000), "hi.webp")).json()["url"]
        for url, wanted, code in (
            (paper, "image", "media_type_unsupported"), (large, "sticker", "media_too_large"), (sticker, "sticker", ""),
            (sticker, None, ""), (large, None, ""), (paper, "document", ""),
        ):  # fmt: skip
            reply = await send(one, url, type=wanted)
            assert reply.json().get("code", "") == code, (url, wanted)
        types = [row["type"] for row in await one.messages("out")]
        assert types == ["sticker", "sticker", "document", "document"]


async def test_an_upload_can_be_sent_for_a_day_and_its_messages_keep_it(database_url: str) -> None:
    async with pool(database_url) as one:
        url = (await upload(one)).json()["url"]
        sent = await send(one, url)
        spare = await upload(one, PDF[:800])
        one.clock.at_ms += DAY_MS
        assert (await send(one, url)).status == 200
        one.clock.at_ms += 1
        late = await send(one, url)
        assert (late.status, late.json()["code"]) == (422, "media_unknown")
        one.clock.at_ms += HOUR_MS
        await one.product.retention.purge()
        assert (await one.call("GET", f"/media/{spare.json()['id']}")).status == 404
        assert len(files(one)) == 1
        media = await media_of(one, sent)
        assert (await one.call("GET", f"/media/{media['id']}")).body == PDF[:900]


async def test_erasing_one_recipient_leaves_the_file_to_the_others(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write(phone=PHONE)
        await one.write(phone=OTHER)
        url = (await upload(one)).json()["url"]
        mine, theirs = await send(one, url, OTHER), await send(one, url, PHONE)
        kept = (await media_of(one, mine))["id"]
        assert (await media_of(one, theirs))["id"] != kept
        one.clock.at_ms += DAY_MS + HOUR_MS + 1
        await one.product.retention.purge()
        assert (await one.call("DELETE", f"/contacts/{(await one.contact(PHONE))['id']}")).status == 200
        assert (await one.call("GET", f"/media/{kept}")).body == PDF[:900]
        assert (await one.call("DELETE", f"/contacts/{(await one.contact(OTHER))['id']}")).status == 200
        assert files(one) == []


async def test_a_message_that_goes_later_keeps_its_file_until_then(database_url: str) -> None:
    async with pool(database_url, media_days=5) as one:
        url = (await upload(one)).json()["url"]
        later = await send(one, url, send_at=iso(one.clock.now_ms() + 10 * DAY_MS))
        one.clock.at_ms += 9 * DAY_MS
        await one.product.retention.purge()
        assert (await media_of(one, later))["state"] == "kept"
        one.clock.at_ms += 6 * DAY_MS + 1
        await one.product.retention.purge()
        assert (await media_of(one, later))["state"] == "gone"
        assert files(one) == []


@pytest.mark.slow
def test_an_uploaded_file_arrives_on_the_phone_as_it_was(database_url: str) -> None:
    # No private address may be called, our own included.
    with running_product(database_url) as product:
        made = raw_upload(product, PDF)
        body = {"phone": PHONE, "media_url": made["url"], "caption": "Our menu"}
        status, answer = product.call("POST", "/messages/send-media", body)
        assert status == 200, answer
        wait_until(lambda: product.on_phone(PHONE), "the message")
        (shown,) = product.on_phone(PHONE)
        assert (shown["media"]["filename"], shown["media"]["mime_type"]) == ("menu.pdf", "application/pdf")
        address = shown["media"]["url"]
        content = ask_over_http(product.url + address if address.startswith("/") else address, method="GET")
        assert content.raw == PDF


def raw_upload(product: Product, content: bytes) -> dict[str, Any]:
    headers = {**product.headers(), "Content-Type": "application/pdf"}
    request = urllib.request.Request(f"{product.api}/media?filename=menu.pdf", data=content, headers=headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert answer.status == 201
        return dict(json.loads(answer.read()))
