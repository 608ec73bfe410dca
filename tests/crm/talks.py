"""Conversations, as the API lists, shows and changes them."""

from __future__ import annotations

from typing import Any

from tests.crm.pool import PHONE, Pool


async def listed(place: Pool, **query: Any) -> list[str]:
    reply = await place.call("GET", "/conversations", **query)
    assert reply.status == 200, reply.body
    return [one["name"] for one in reply.json()["data"]]


async def conversation(place: Pool, phone: str = PHONE) -> dict[str, Any]:
    contact = await place.contact(phone)
    reply = await place.call("GET", f"/conversations/{contact['id']}")
    assert reply.status == 200, reply.body
    return dict(reply.json())


async def change(place: Pool, fields: dict[str, Any], phone: str = PHONE) -> dict[str, Any]:
    contact = await place.contact(phone)
    reply = await place.call("PATCH", f"/conversations/{contact['id']}", fields)
    assert reply.status == 200, reply.body
    return dict(reply.json())
