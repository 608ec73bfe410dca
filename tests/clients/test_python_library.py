"""The Python client as people install it, against the running server."""

from __future__ import annotations

import asyncio
import importlib
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from tablegram.values.http import signing
from tests.api.document import document
from tests.clients.flaky import flaky_way
from tests.product import running_product, wait_until
from tools.packages import writing
from tools.packages.reading import read

PHONE = "905551112299"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The wheel, installed beside everything else."""
    tmp_path = tmp_path_factory.mktemp("library")
    wheel = writing.build_python(writing.write_python(document(), tmp_path), tmp_path)
    place = tmp_path / "installed"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
    subprocess.run([*pip, "--target", str(place), str(wheel)], check=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(place)
        yield importlib.import_module("tablegram_client")
    for name in [name for name in sys.modules if name.partition(".")[0] == "tablegram_client"]:
        del sys.modules[name]


@pytest.mark.slow
def test_the_client_sends_once_over_a_bad_way_pages_uploads_and_names_what_is_wrong(
    library: Any, database_url: str
) -> None:
    quick = library.Retries(first_wait_s=0.01)
    with running_product(database_url) as product:
        where = urlsplit(product.url)
        with (
            flaky_way((where.hostname or "", where.port or 0), loses=2) as way,
            library.Tablegram(way.url, api_key=product.key, retries=quick) as tablegram,
        ):
            sent = tablegram.send_text(phone=PHONE, message="Once")
            assert way.lost == 2
            assert sent["status"] == "success"
        with library.Tablegram(product.url, api_key=product.key, retries=quick) as tablegram:
            again = [
                tablegram.send_text(phone=PHONE, message="Keyed", idempotency_key="order-1042", wait=False)
                for _ in range(2)
            ]
            assert again[0]["message_id"] == again[1]["message_id"]
            upload = tablegram.upload_media(b"%PDF-1.4\n%%EOF\n", filename="menu.pdf")
            assert tablegram.get_media(upload["id"]) == b"%PDF-1.4\n%%EOF\n"
            page = tablegram.list_messages(limit=1)
            assert len(page["data"]) == 1
            assert page["next_cursor"]
            listed = list(tablegram.iter_messages(direction="out"))
            assert sorted(one["text"] for one in listed) == ["Keyed", "Once"]
            contact = tablegram.create_contact(phone="905551112300", name="Elif")
            changed = tablegram.update_contact(contact["id"], tags=["regular"])
            assert (changed["name"], changed["tags"]) == ("Elif", ["regular"])
            with pytest.raises(library.ApiError) as refused:
                tablegram.send_text(phone="+90 555", message="Hello")
            assert refused.value.status == 422
            assert [one["field"] for one in refused.value.errors] == ["phone"]
            with pytest.raises(library.ApiError) as unknown:
                tablegram.get_contact("../me")
            assert unknown.value.status == 404
        wait_until(lambda: len(product.on_phone(PHONE)) == 2)
        asyncio.run(_same_for_asyncio(library, product.url, product.key))
    with (
        pytest.raises(library.NoAnswer),
        library.Tablegram(product.url, api_key="tg_live_x", retries=library.Retries(most=1, first_wait_s=0)) as nobody,
    ):
        nobody.get_me()


async def _same_for_asyncio(library: Any, url: str, key: str) -> None:
    async with library.AsyncTablegram(url, api_key=key) as tablegram:
        await asyncio.gather(*(tablegram.send_text(phone=PHONE, message=f"Number {n}") for n in range(3)))
        listed = [one["text"] async for one in tablegram.iter_messages(direction="out")]
        assert len(listed) == 5
        with pytest.raises(library.ApiError):
            await tablegram.get_message("nothing")


@pytest.mark.slow
def test_a_webhook_is_read_only_with_the_right_signature_in_time(library: Any) -> None:
    secret, body, now = signing.new_secret(), b'{"event": "messages.upsert", "id": "evt_1"}', int(time.time())
    old = signing.new_secret()
    signature = signing.sign([signing.prepare(secret), signing.prepare(old)], "evt_1", now, body)
    headers = {"Webhook-Id": "evt_1", "Webhook-Timestamp": str(now), "Webhook-Signature": signature}

    def read_it(**changes: Any) -> Any:
        return library.read_webhook(**{"secret": secret, "headers": headers, "body": body, **changes})

    assert read_it()["event"] == "messages.upsert"
    assert read_it(secret=old)["id"] == "evt_1"
    changes: list[dict[str, Any]] = [
        {"secret": signing.new_secret()},
        {"secret": ""},
        {"secret": "whsec_"},
        {"secret": "whsec_not base64"},
        {"body": body + b" "},
        {"headers": {}},
        {"headers": headers | {"Webhook-Signature": ""}},
        {"headers": headers | {"Webhook-Signature": "v1,AAAA v2," + signature[3:]}},
        {"headers": headers | {"Webhook-Timestamp": "soon"}},
        {"headers": headers | {"Webhook-Id": "evt_2"}},
        {"now_s": now + 301},
        {"now_s": now - 301},
    ]
    for wrong in changes:
        with pytest.raises(library.WrongSignature):
            read_it(**wrong)


def test_every_call_has_one_name_and_no_field_is_lost() -> None:
    api = read(document())
    names = [call.snake for call in api.calls]
    assert len(names) == len(set(names)) > 150
    for call in api.calls:
        taken = [one.name for one in (*call.path_fields, *call.query)]
        assert len(taken) == len(set(taken)), call.id
        assert not {one.name for one in call.query} & {one.name for one in call.body}, call.id
        assert {f"{{{one.name}}}" for one in call.path_fields} == {
            part for part in call.path.split("/") if part.startswith("{")
        }, call.id
