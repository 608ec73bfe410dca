"""Events about what happens to messages and lines, in the shapes that the customer's server gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

from tablegram.events.planning import Planner, Statement
from tablegram.flows.gateway.answers.told import Edited, LineChanged, Place, Received, Reported, Rewritten, Whom
from tablegram.media.files import FileTold
from tablegram.messaging.incoming import InboundMessage, MessageChange, Notice
from tablegram.messaging.instances import Instance
from tablegram.messaging.ports import Fault
from tablegram.messaging.records.besides import beside
from tablegram.messaging.rows.messages import MessageRow
from tablegram.messaging.standing import Change
from tablegram.storage.database import Tx
from tablegram.values import Json, mapping
from tablegram.values.clock import Clock
from tablegram.values.coordinates import route_link
from tablegram.values.files.filenames import clean_filename
from tablegram.values.ids import gateway_id

# Kinds whose natural object is passed on under a name of its own.
_Object = Literal["contacts", "reaction", "button", "list", "order", "call"]
_OBJECTS: dict[str, _Object] = {name: name for name in get_args(_Object)}


class Announcer:
    def __init__(self, planner: Planner, clock: Clock, media_url: str) -> None:
        # Told which endpoint's delivery is complete and due; set once the couriers exist.
        self.hasten: Callable[[int, str, str], None] = lambda account_id, endpoint_id, event_id: None
        self._planner = planner
        self._clock = clock
        self._media_url = media_url
        planner.lacks = _lacks_file

    def received(
        self, account_id: int, instance_id: int, item: InboundMessage, contact_id: str, media_id: str
    ) -> list[Statement]:
        """A customer has written."""
        body = {
            "event": "messages.upsert",
            "instance_id": instance_id,
            "data": self._data(item, contact_id, media_id),
        }
        # What somebody writes in a group is theirs, and goes with them when they are erased.
        sender = item.address if item.group_id else contact_id
        return self._planner.plan(account_id, "messages.upsert", body, sender, waits=bool(media_id))

    async def complete(self, tx: Tx, account_id: int, event_id: str, media: FileTold) -> list[str]:
        """Tell what became of a message's file, in the event that waits for it; the endpoints that wait."""

        def add(body: Json) -> None:
            told = mapping(body.get("data")).get("media")
            if isinstance(told, dict):
                told.update(media)

        return await self._planner.complete(tx, account_id, event_id, add)

    def completed(self, account_id: int, event_id: str, endpoint_ids: list[str]) -> None:
        """Call after the commit of `complete`."""
        for endpoint_id in endpoint_ids:
            self.hasten(account_id, endpoint_id, event_id)

    def _data(self, item: InboundMessage, contact_id: str, media_id: str) -> Mapping[str, object]:
        data: Received = {
            "from": item.sender_phone or item.sender_user_id,
            "from_kind": "phone" if item.sender_phone else "user_id",
            "contact_id": contact_id,
            "sender_name": item.sender_name,
            "message_id": item.network_id,
            "timestamp": item.at_ms // 1_000,
            "type": item.type,
        }
        if item.text or item.type == "text":
            data["text"] = item.text
        if item.reply_to:
            data["reply_to"] = item.reply_to
        if item.media is not None and media_id:
            data["media"] = {
                "url": f"{self._media_url}/{media_id}",
                "mime_type": item.media.mime_type,
                "filename": clean_filename(item.media.filename),
                "size": None,
                "sha256": item.media.sha256,
                "caption": item.media.caption,
            }
        if item.type == "location":
            data["location"] = _location(item.body)
        elif item.type in _OBJECTS and item.body is not None:
            data[_OBJECTS[item.type]] = item.body
        if item.username:
            data["username"] = item.username
        if item.sender_user_id:
            data["user_id"] = item.sender_user_id
        if item.parent_user_id:
            data["parent_user_id"] = item.parent_user_id
        return {**data, **beside(item.type, item.raw)}

    def changed(
        self,
        account_id: int,
        instance_id: int,
        key: str,
        network_id: str | None,
        phone: str,
        contact_id: str,
        status: str,
        at_ms: int,
        error: Fault | None = None,
        trace: str | None = None,
    ) -> list[Statement]:
        """A message of ours has changed its state. `trace`: the request that began it."""
        own_id = gateway_id(key)
        data: Reported = {
            "message_id": network_id or own_id,
            "gateway_id": own_id,
            "to": phone,
            "status": status,
            "timestamp": at_ms // 1_000,
        }
        if error is not None:
            data["error"] = error
        body = {"event": "messages.update", "instance_id": instance_id, "data": data}
        return self._planner.plan(account_id, "messages.update", body, contact_id or phone, trace=trace)

    def consented(self, account_id: int, contact_id: str, phone: str, state: str) -> list[Statement]:
        """A customer wants to be written to, or does not any more. `phone` is empty where the network hides it."""
        kind = {"granted": "contact.opted_in", "denied": "contact.opted_out"}.get(state)
        if kind is None:
            return []
        data = {"contact_id": contact_id, "phone": phone, "timestamp": self._clock.now_ms() // 1_000}
        return self._planner.plan(account_id, kind, {"event": kind, "data": data}, contact_id)

    def message_changed(
        self, account_id: int, row: MessageRow, change: MessageChange, contact_id: str
    ) -> list[Statement]:
        """Somebody changed what they wrote, or took it back. `row` is as it was before."""
        item, kind = change.message, f"messages.{change.kind}"
        whom: Whom = {"to": row["phone"]} if row["direction"] == "out" else {"from": row["phone"]}
        data: Rewritten = {
            "message_id": item.network_id,
            "gateway_id": gateway_id(row["id"]),
            "direction": row["direction"],
            **whom,
            "contact_id": contact_id,
            "timestamp": item.at_ms // 1_000,
        }
        if change.kind == "edited":
            edited: Edited = {**data, "type": item.type, "text": item.text, "previous_text": row["text"]}
            data = edited
        body = {"event": kind, "instance_id": row["instance_id"], "data": data}
        return self._planner.plan(account_id, kind, body, contact_id or row["phone"])

    def noticed(self, account_id: int, line_id: int | None, notice: Notice, at_ms: int) -> list[Statement]:
        """The network has news that are nobody's message."""
        body: Json = {"event": "network.notice"}
        if line_id is not None:
            body["instance_id"] = line_id
        body["data"] = {"kind": notice.kind, "field": notice.field, "facts": notice.facts, "timestamp": at_ms // 1_000}
        return self._planner.plan(account_id, "network.notice", body, "" if line_id is None else f"instance:{line_id}")

    def line_stands(self, account_id: int, line_id: int, change: Change) -> list[Statement]:
        """The network holds something against a line, or no longer does."""
        return self._line(account_id, line_id, change.state, change.reason, change.previous)

    def line_changed(self, instance: Instance, state: str, reason: str, until_ms: int | None = None) -> list[Statement]:
        """A line has changed its state. `until_ms`: when that ends by itself."""
        if state == instance.state:
            return []
        return self._line(instance.account_id, instance.id, state, reason, instance.state, until_ms)

    def _line(
        self, account_id: int, line_id: int, state: str, reason: str, previous: str, until_ms: int | None = None
    ) -> list[Statement]:
        now_s = self._clock.now_ms() // 1_000
        data: LineChanged = {"state": state, "reason": reason, "previous": previous, "timestamp": now_s}
        if until_ms is not None:
            data["until"] = until_ms // 1_000
        body = {"event": "instance.status", "instance_id": line_id, "data": data}
        return self._planner.plan(account_id, "instance.status", body, f"instance:{line_id}")

    async def refresh(self, account_id: int) -> None:
        await self._planner.refresh(account_id)

    def planned(self, account_id: int, statements: list[Statement] | None = None) -> None:
        self._planner.planned(account_id, statements)


def _lacks_file(body: Json) -> bool:
    """Whether nothing is told of a message's file yet but what came with the message."""
    data = body.get("data")
    told = data.get("media") if isinstance(data, dict) else None
    return isinstance(told, dict) and told.get("size") is None and "error" not in told


def _location(body: Any) -> Place:
    """The place with a link that leads there; a place outside the world has none."""
    raw = body if isinstance(body, dict) else {}
    latitude, longitude = raw.get("latitude"), raw.get("longitude")
    return {
        "latitude": latitude,
        "longitude": longitude,
        "name": str(raw.get("name") or ""),
        "address": str(raw.get("address") or ""),
        "route_url": route_link(latitude, longitude),
    }
