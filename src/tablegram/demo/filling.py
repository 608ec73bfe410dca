"""Writes the demo's past into the store: once, in a second, and only where nothing happened yet."""

from __future__ import annotations

import json
import random
from typing import Any

from tablegram.accounts.money.rate_card import RateCard
from tablegram.crm import profiles
from tablegram.crm.contacts import new_contact
from tablegram.crm.rows import NewContact
from tablegram.demo import store, story
from tablegram.demo.stage import Stage
from tablegram.messaging.model import NORMAL
from tablegram.storage.database import Params, Query, Statement, Tx
from tablegram.values.clock import DAY_MS, HOUR_MS, MINUTE_MS
from tablegram.values.folding import fold
from tablegram.values.http.signing import new_secret
from tablegram.values.ids import first_id
from tablegram.values.phone import calling_code

DAYS = 14
WINDOW_MS = 24 * HOUR_MS
_LUCK = "0123456789abcdefghjkmnpqrstvwxyz"
# Guests write at noon and in the evening.
_HOURS = (11, 12, 12, 13, 13, 15, 17, 18, 19, 19, 20, 20, 21)
_ERRORS = (
    ("not_on_network", "The number is not on the messaging network.", 131026),
    ("window_closed", "More than 24 hours have passed since the customer last wrote.", 131047),
)

Rows = list[Statement]


async def fill(stage: Stage) -> None:
    """Two weeks of conversations, states, costs, calls and failures."""
    account_id = stage.account_id
    if not stage.filled or await stage.db.first(store.ANY_MESSAGE, {"account_id": account_id}) is not None:
        return
    past = _Past(account_id, stage.line_id, stage.clock.now_ms(), RateCard.load(stage.settings.rate_card or None))
    past.tell()
    past.fail(stage.box.seal(new_secret()))
    past.log(stage.key_id)
    past.hear()

    async def write(tx: Tx) -> None:
        groups: dict[Query, list[Params]] = {}
        for query, row in past.rows:
            groups.setdefault(query, []).append(row)
        for query, rows in groups.items():
            await tx.many(query, rows)
        await profiles.add_terms(tx, past.contacts)

    await stage.db.write(write)


class _Past:
    """The same story every time: chance is seeded."""

    def __init__(self, account_id: int, line_id: int, now: int, card: RateCard) -> None:
        self._account_id = account_id
        self._line_id = line_id
        self._now = now
        self._card = card
        self._chance = random.Random(4)
        self.rows: Rows = []
        self.contacts: list[tuple[NewContact, list[tuple[str, str]]]] = []
        self._events: list[tuple[str, str, int]] = []

    def tell(self) -> None:
        for guest in story.GUESTS:
            self._guest(guest)
        for days_ago in range(DAYS, 0, -1):
            for _ in range(self._chance.randint(22, 46)):
                hour = self._chance.choice(_HOURS)
                midnight = (self._now // DAY_MS - days_ago) * DAY_MS
                self._anything(midnight + hour * HOUR_MS + self._chance.randrange(HOUR_MS))
        for _ in range(18):
            self._anything(self._now - self._chance.randrange(10 * MINUTE_MS, 9 * HOUR_MS))
        for shortcut, text in story.CANNED:
            at = self._now - 9 * DAY_MS
            self._add(store.CANNED, id=self._id(at), shortcut=shortcut, text=text, updated_at=at, updated_by="command")

    def fail(self, secret: str) -> None:
        """A webhook endpoint whose server has been down since two days."""
        since, made = self._now - 2 * DAY_MS, self._now - 12 * DAY_MS
        endpoint_id = self._id(made)
        self._add(
            store.ENDPOINT, id=endpoint_id, url=story.ENDPOINT_URL, description="Kasa / till", events="messages.upsert",
            state="disabled", reason="Disabled by its owner.", secret=secret, previous_secret=None,
            previous_until=None, failing_since=since, warned_at=since, created_at=made, deleted_at=None,
        )  # fmt: skip
        for sender, body, at in sorted(self._events, key=lambda told: told[2])[-30:]:
            event_id = "evt_" + self._id(at)
            self._add(store.EVENT, id=event_id, type="messages.upsert", sender=sender, body=body, created_at=at)
            is_down = at > since
            self._add(
                store.DELIVERY, webhook_id=endpoint_id, event_id=event_id, sender=sender,
                state="dead" if is_down else "delivered", attempts=4 if is_down else 1, due_at=at, created_at=at,
                delivered_at=None if is_down else at + 340, last_status=503 if is_down else 200,
                last_error="The endpoint answered 503." if is_down else None,
            )  # fmt: skip
            for number in range(4 if is_down else 1):
                tried = at + (0, 2_000, 7_000, 22_000)[number]
                self._add(
                    store.ATTEMPT, webhook_id=endpoint_id, event_id=event_id, id=self._id(tried), at=tried,
                    latency_ms=self._chance.randint(40, 900), status=503 if is_down else 200,
                    error="The endpoint answered 503." if is_down else None,
                    answer="Service Unavailable" if is_down else "ok",
                )  # fmt: skip

    def hear(self) -> None:
        """What the network told besides messages, and something that nobody understood."""
        for number, (kind, field, facts, hours_ago) in enumerate(story.NEWS):
            at, source = self._now - hours_ago * HOUR_MS, f"cloud:{self._line_id}"
            change = {"field": field, "value": facts}
            body = json.dumps({"object": "whatsapp_business_account", "entry": [{"id": "1", "changes": [change]}]})
            kept = {"source": source, "external_id": f"demo-{self._account_id}-{number}"}
            self._add(store.CALLBACK, **kept, body=body.encode(), received_at=at, done_at=at, due_at=at)
            self._add(
                store.NOTICE, **kept, id=self._id(at), instance_id=self._line_id, kind=kind, field=field,
                facts=json.dumps(facts), words=fold(" ".join([field, kind, *facts.values()])), key=f"demo:{number}", at=at,
            )  # fmt: skip

    def log(self, key_id: str) -> None:
        """API calls and doings of the last days."""
        calls = (
            ("POST", "/api/v1/messages/send", 200, None, None),
            ("POST", "/api/v1/messages/send", 422, "phone_invalid", "Write the number with its country code."),
            ("GET", "/api/v1/contacts", 200, None, None),
            ("POST", "/api/v1/messages/send", 200, None, None),
            ("GET", "/api/v1/messages/gw.0000", 404, "message_unknown", "No message has this identifier."),
        )
        for number in range(40):
            at = self._now - number * 47 * MINUTE_MS - 5 * MINUTE_MS
            method, path, status, code, detail = calls[number % len(calls)]
            self._add(
                store.CALL, id=self._id(at), request_id=f"req_{self._id(at)}", key_id=key_id, method=method, path=path,
                status=status, code=code, detail=detail, duration_us=self._chance.randint(900, 14_000),
                remote="127.0.0.1", created_at=at,
            )  # fmt: skip
        doings = (("contacts.imported", "import"), ("line.changed", "line"), ("webhook.created", "webhook"))
        for number, (action, kind) in enumerate(doings):
            at = self._now - (number + 3) * DAY_MS
            self._add(
                store.AUDIT, id=self._id(at), actor_kind="command", actor_id="demo", actor_name="demo", action=action,
                object_kind=kind, object_id=str(number + 1), detail="{}", remote="", created_at=at,
            )  # fmt: skip

    def _guest(self, guest: story.Guest) -> None:
        end = self._now - int(guest.hours_ago * HOUR_MS)
        met = self._now - self._chance.randint(20, 200) * DAY_MS
        contact_id = self._id(met)
        talk = story.TALKS[guest.talk]
        heard = [end - minutes * MINUTE_MS for way, _, minutes in talk if way == "in"][-1]
        row: NewContact = {
            **new_contact(self._account_id, contact_id, guest.name, met),
            "name_is_own": 1,
            "language": guest.language,
            "tags": json.dumps(list(guest.tags), ensure_ascii=False),
            "notes": guest.notes,
            "consent": guest.consent,
            "consent_at": None if guest.consent == "unknown" else met,
            "consent_source": "" if guest.consent == "unknown" else "panel",
            "last_instance_id": self._line_id,
            "last_seen_at": heard,
            "window_until": heard + WINDOW_MS,
        }
        self._add(store.CONTACT, **row, merged_into=None)
        if guest.consent != "unknown":
            self._add(
                store.CONSENT, id=self._id(met), contact_id=contact_id, purpose="marketing", state=guest.consent,
                source="panel", text_version="", proof="", by="", at=met,
            )  # fmt: skip
        self._add(store.ALIAS, kind="phone", value=guest.phone, contact_id=contact_id)
        self.contacts.append((row, [("phone", guest.phone)]))
        unread = guest.unread
        seen = [end - minutes * MINUTE_MS for way, _, minutes in talk if way == "in"]
        self._add(
            store.CONVERSATION, contact_id=contact_id, seen_until=seen[-unread] - 1 if unread else self._now,
            assigned_to=None, closed_at=heard if guest.closed else None, updated_at=end, updated_by="command",
            snoozed_until=None, snoozed_seen=None,
        )  # fmt: skip
        for way, text, minutes in talk:
            self._message(way, guest.phone, text, end - minutes * MINUTE_MS, "service", contact_id)

    def _anything(self, at: int) -> None:
        """A message of an ordinary day: a notice that goes out, or a word that comes in."""
        phone = f"{self._chance.choice(('90555', '90555', '90555', '4477009', '491555'))}{self._chance.randrange(10**6):06d}"
        if self._chance.random() < 0.3:
            self._message("in", phone, "👍", at, "service", "")
        else:
            category = self._chance.choice(("utility", "utility", "service", "marketing"))
            self._message("out", phone, self._chance.choice(story.NOTICES), at, category, "")

    def _message(self, way: str, phone: str, text: str, at: int, category: str, contact_id: str) -> None:
        luck = self._chance.random()
        state = "received" if way == "in" else "failed" if luck < 0.04 and not contact_id else _state(luck)
        error = self._chance.choice(_ERRORS) if state == "failed" else (None, None, None)
        price = self._card.price_micros("sandbox", calling_code(phone), category, at) if way == "out" else 0
        key = self._id(at)
        content: dict[str, Any] = {"content": {"type": "text", "body": text}, "reply_to": ""}
        if way == "in":
            content = {"type": "text", "text": {"body": text}}
            data = {
                "from": phone, "sender_name": "", "message_id": f"demo.{key}", "timestamp": at // 1_000, "type": "text",
                "text": text, "contact_id": contact_id, "from_kind": "phone",
            }  # fmt: skip
            body = {"event": "messages.upsert", "instance_id": self._line_id, "data": data}
            if contact_id:
                # Only of the story's people more is known than a number, and no event is without its contact.
                self._events.append((contact_id, json.dumps(body, ensure_ascii=False), at))
        self._add(
            store.MESSAGE, id=key, instance_id=self._line_id, direction=way, phone=phone, type="text", text=text,
            content=json.dumps(content, ensure_ascii=False), state=state, priority=0 if way == "in" else NORMAL,
            due_at=None, expires_at=None, attempts=0 if way == "in" else 1, claimed_by=None, claimed_at=None,
            doubt_at=None, network_id=f"demo.{key}", error_code=error[0], error_detail=error[1],
            error_network_code=error[2], category=category, cost_micros=0 if state == "failed" else price,
            cost_final_micros=None, created_at=at,
            sent_at=at + 300 if state in ("sent", "delivered", "read") else None,
            delivered_at=at + 1_400 if state in ("delivered", "read") else None,
            read_at=at + 60_000 if state == "read" else None,
            failed_at=at + 900 if state == "failed" else None, edited_at=None, deleted_at=None, sent_by=None,
            trace=None,
        )  # fmt: skip

    def _add(self, query: Query, **row: Any) -> None:
        self.rows.append((query, {"account_id": self._account_id, **row}))

    def _id(self, at: int) -> str:
        """An id of the past; the product's own clock only knows the present."""
        return first_id(at) + "".join(self._chance.choices(_LUCK, k=16))


def _state(luck: float) -> str:
    return "sent" if luck < 0.07 else "delivered" if luck < 0.35 else "read"
