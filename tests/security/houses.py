"""Two accounts on one running product, each with everything that an account can own, and keys of every condition."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.api.files import file_server
from tests.product import Product, running_product, wait_until
from tests.security import rooms
from tests.security.town import CLOUD, FRESH_PHONES, PHONE, House, Town


@contextmanager
def town(database_url: str) -> Iterator[Town]:
    settings = {
        "TABLEGRAM_ALLOWED_PRIVATE_TARGETS": "127.0.0.0/8",
        # Nothing listens there: what the live lines are to send or to fetch waits.
        "TABLEGRAM_CLOUD_BASE_URL": "http://127.0.0.1:9",
    }
    with file_server() as files, running_product(database_url, sandbox_alone=True, settings=settings) as product:
        own = House(product.call("GET", "/me")[1]["account"]["name"], product.key)
        other = House("Other", _account(product, "Other"))
        _account(product, "Asleep")
        refused = {
            "account_suspended": _key(product, "Asleep"),
            "key_revoked": _key(product, own.name),
            "key_expired": _key(product, own.name, "--expires-in", "1s"),
        }
        product.cli("account", "suspend", "Asleep")
        product.cli("key", "revoke", "--account", own.name, refused["key_revoked"])
        built = Town(
            product, own, other, files, refused,
            narrow_key=_key(product, own.name, "--scope", "campaigns:manage"),
            other_narrow_key=_key(product, own.name, "--scope", "keys:manage"),
            test_key=_key(product, own.name, "--test"),
        )  # fmt: skip
        for house in (own, other):
            furnish(built, house)
        # The key's one second must be over before anything is asked with it.
        time.sleep(1.1)
        yield built


def _account(product: Product, name: str) -> str:
    product.cli("account", "create", name)
    return _key(product, name)


def _key(product: Product, account: str, *more: str) -> str:
    return str(product.cli("key", "create", "--account", account, *more)["key"])


def furnish(town: Town, house: House) -> None:
    """Give an account everything: lines, messages both ways, a file, contacts, endpoints, replies, keys, requests."""

    def made(path: str, body: Any) -> Any:
        status, answer = town.ask("POST", path, body, key=house.key)
        assert status in (200, 201, 202), answer
        return answer

    # An account has few imports open at once: those of an earlier furnishing are thrown away.
    for name in ("import_id", "spare_import_id"):
        if name in house.things:
            town.ask("PATCH", f"/contacts/imports/{house.things[name]}", {"state": "refused"}, key=house.key)
    line = made("/instances", {"kind": "sandbox", "name": f"{house.name} line"})["id"]
    wait_until(lambda: town.ask("GET", f"/instances/{line}", key=house.key)[1]["state"] == "connected", "the line")
    cloud = made("/instances", CLOUD)
    text = {"phone": PHONE, "message": f"from {house.name}", "instance_id": line}
    sent = made("/messages/send", text)["message_id"]
    later = made("/messages/send", {**text, **rooms.soon()})["message_id"]
    number = rooms.number_of(town, house)
    endpoint = {"url": f"{town.files}/hook", "events": ["*"]}
    webhook = made("/webhooks", endpoint)["id"]
    reply = {"kind": "keyword", "message": f"menu of {house.name}", "keywords": ["menu"]}
    house.things = {
        "instance_id": line,
        "cloud_id": cloud["id"],
        **rooms.live_of(town, house, cloud["callback_url"]),
        "webhook_id": webhook,
        "spare_webhook_id": made("/webhooks", endpoint)["id"],
        "delivery_id": made(f"/webhooks/{webhook}/test", None)["id"],
        "reply_id": made(f"/instances/{line}/auto-replies", reply)["id"],
        **{
            name: made("/canned-replies", {"shortcut": f"w{next(FRESH_PHONES)}", "text": f"open at {house.name}"})["id"]
            for name in ("canned_id", "spare_canned_id")
        },
        **{
            name: made("/segments", {"name": f"w{next(FRESH_PHONES)}", "rules": {"rule": "last_order", "never": True}})[
                "id"
            ]
            for name in ("segment_id", "spare_segment_id")
        },
        **{
            name: made("/contacts/import", {"csv": f"phone,name\n{next(FRESH_PHONES)},guest of {house.name}\n"})["id"]
            for name in ("import_id", "spare_import_id")
        },
        **{
            name: made("/team", {"email": f"w{next(FRESH_PHONES)}@example.com", "role": "staff"})["id"]
            for name in ("member_id", "spare_member_id")
        },
        **rooms.templates_of(town, house, line),
        "job_id": made("/contacts/jobs", {"act": "tag", "tag": "x", "contact_ids": ["nobody"]})["id"],
        "media_id": rooms.file_of(town, house, number),
        "message_id": sent,
        "queued_id": later,
        "key_id": made("/keys", {"scopes": ["messages:read"], "name": f"{house.name} spare"})["id"],
        "inbound_id": rooms.inbound_of(town, house, number),
        "request_id": rooms.request_of(town, house),
        **rooms.restaurant_of(town, house, made),
        **rooms.money_of(town, house, made),
        **rooms.shops_of(town, house, made),
        **rooms.campaigns_of(house, made),
        **rooms.automations_of(house, made),
        # Who wrote, and three who have not: one to merge, one to merge into, one to erase.
        "contact_id": town.ask("GET", f"/contacts?q={PHONE}", key=house.key)[1]["data"][0]["id"],
        **{
            name: made("/contacts", {"phone": next(FRESH_PHONES), "name": f"guest of {house.name}"})["id"]
            for name in ("doubled_id", "kept_id", "erasable_id")
        },
    }
    door = {"address": f"the door of {house.name}"}
    house.things["address_id"] = made(f"/contacts/{house.things['contact_id']}/addresses", door)["id"]
    house.things |= rooms.rewards_of(house, made)
    note = {"text": f"a note from {house.name}"}
    house.things["note_id"] = made(f"/conversations/{house.things['contact_id']}/notes", note)["id"]
