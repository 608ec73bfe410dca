"""Templates that lines hand over: looked at after a moment, approved, rejected, paused, rated; and who is told.

A new one is decided upon by its name, so that anything can be tried on a laptop: with `reject` in it, it is rejected; with
`pending`, it waits until somebody decides; any other is approved. Whoever holds the network decides otherwise at any time.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any, TypedDict

import msgspec

from tablegram.sandbox.delivery.outbox import Outbox, Planned
from tablegram.sandbox.graph.errors import GraphError, missing, wrong
from tablegram.sandbox.graph.fields import fields, text_of
from tablegram.sandbox.graph.templates import HANDLE, TEMPLATES, Template, TemplateRecord
from tablegram.sandbox.store import Number, Store
from tablegram.values import Json
from tablegram.values.clock import DAY_MS, Clock

# How long the network looks at a template: soon enough for a demo, late enough to be seen waiting.
DECIDES_AFTER_MS = 1_000
RESTS_MS = 30 * DAY_MS
EVENTS = ("APPROVED", "REJECTED", "PENDING", "PAUSED", "DISABLED", "FLAGGED", "REINSTATED", "PENDING_DELETION")
SCORES = ("GREEN", "YELLOW", "RED", "UNKNOWN")
_NAME = re.compile(r"[a-z0-9_]{1,512}", re.ASCII)
_LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z]{2,3})?", re.ASCII)
_PLACE = re.compile(r"\{\{(\w{1,60})\}\}", re.ASCII)
_CATEGORIES = ("MARKETING", "UTILITY", "AUTHENTICATION")
_STATUS_OF = {"FLAGGED": "APPROVED", "REINSTATED": "APPROVED"}


class CreatedTemplate(TypedDict):
    id: str
    status: str
    category: str


class TemplateDesk:
    def __init__(self, store: Store, outbox: Outbox, clock: Clock, wake: Callable[[str], None]) -> None:
        self._store, self._outbox, self._clock, self._wake = store, outbox, clock, wake

    def of(self, waba_id: str) -> list[Template]:
        """A business account's templates as they stand now: those that every line has, and its own."""
        return [_shown(record) for record in self._records(waba_id).values() if not record.get("deleted_ms")]

    def create(self, number: Number, asked: Json) -> CreatedTemplate:
        name = text_of(asked, "name", "template", 512)
        language = text_of(asked, "language", "template", 20)
        category = str(asked.get("category", "")).upper()
        if not _NAME.fullmatch(name):
            raise wrong("name", "can only have lowercase letters, digits and underscores")
        if not _LANGUAGE.fullmatch(language):
            raise wrong("language", "is not a language of the network")
        if category not in _CATEGORIES:
            raise wrong("category", f"must be one of {', '.join(_CATEGORIES)}")
        components = _components(asked.get("components"))
        self._must_be_free(number, name, language)
        now_ms = self._clock.now_ms()
        record: TemplateRecord = {
            "id": str(secrets.randbelow(9 * 10**14) + 10**14),
            "name": name,
            "language": language,
            "status": "PENDING",
            "category": category,
            "parameter_format": "NAMED" if asked.get("parameter_format") == "NAMED" else "POSITIONAL",
            "components": components,
        }
        with self._store.transaction():
            self._look_at(number, record, now_ms)
        self._wake(number.id)
        return {"id": record["id"], "status": "PENDING", "category": category}

    def edit(self, number: Number, template_id: str, asked: Json) -> None:
        record = self._find(number, template_id)
        status = _shown(record)["status"]
        if status not in ("APPROVED", "REJECTED", "PAUSED"):
            raise GraphError(100, f"A template that is {status} cannot be edited.")
        category = str(asked.get("category") or record["category"]).upper()
        if category not in _CATEGORIES:
            raise wrong("category", f"must be one of {', '.join(_CATEGORIES)}")
        if category != record["category"] and status == "APPROVED":
            raise GraphError(100, "The category of an approved template cannot be changed.")
        components = _components(asked["components"]) if "components" in asked else record["components"]
        changed: TemplateRecord = {
            **_undecided(record), "status": "PENDING", "category": category, "components": components,
        }  # fmt: skip
        with self._store.transaction():
            self._look_at(number, changed, self._clock.now_ms())
        self._wake(number.id)

    def delete(self, number: Number, name: str, template_id: str) -> None:
        """One language of it, or all where no id is given."""
        records = self._records(number.waba_id).values()
        gone = [
            one
            for one in records
            if one["name"] == name and template_id in ("", one["id"]) and not one.get("deleted_ms")
        ]
        if not gone:
            raise GraphError(100, f"Message template {name[:80]} does not exist.", http_status=404)
        with self._store.transaction():
            for one in gone:
                self._drop_waiting(one["id"])
                self._save(number, {**one, "deleted_ms": self._clock.now_ms()})

    def decide(self, number: Number, template_id: str, event: str, reason: str = "") -> Template:
        """What becomes of it, whoever says so; its line is told."""
        record = self._find(number, template_id)
        now_ms = self._clock.now_ms()
        changed: TemplateRecord = {**_undecided(record), "status": _STATUS_OF.get(event, event)}
        if reason:
            changed["rejected_reason"] = reason
        with self._store.transaction():
            self._drop_waiting(template_id)
            self._save(number, changed)
            self._tell(number, changed, event, reason, now_ms)
        self._wake(number.id)
        return _shown(changed)

    def rate(self, number: Number, template_id: str, score: str) -> Template:
        record = self._find(number, template_id)
        rated = record.get("quality_score")
        before = rated["score"] if rated else "UNKNOWN"
        now_ms = self._clock.now_ms()
        changed: TemplateRecord = {**record, "quality_score": {"score": score, "date": now_ms // 1_000}}
        value = {"previous_quality_score": before, "new_quality_score": score, **_names(record)}
        with self._store.transaction():
            self._save(number, changed)
            self._plan(number, record, "message_template_quality_update", value, now_ms)
        self._wake(number.id)
        return _shown(self._now(changed))

    def _look_at(self, number: Number, record: TemplateRecord, now_ms: int) -> None:
        """It waits; and unless its name says otherwise, what is decided is planned now."""
        self._drop_waiting(record["id"])
        if "pending" in record["name"]:
            self._save(number, record)
            return
        at_ms = now_ms + DECIDES_AFTER_MS
        rejected = "reject" in record["name"]
        event, reason = ("REJECTED", "INVALID_FORMAT") if rejected else ("APPROVED", "")
        self._save(number, {**record, "decides_ms": at_ms, "decision": {"status": event, "rejected_reason": reason}})
        self._tell(number, record, event, reason, at_ms)

    def _tell(self, number: Number, record: TemplateRecord, event: str, reason: str, at_ms: int) -> None:
        value = {"event": event, **_names(record), "reason": reason or "NONE"}
        self._plan(number, record, "message_template_status_update", value, at_ms)

    def _plan(
        self, number: Number, record: TemplateRecord, field: str, value: Mapping[str, object], at_ms: int
    ) -> None:
        planned = Planned(
            number_id=number.id,
            order_key=f"template:{record['id']}",
            kind="news",
            message_id=f"template:{record['id']}",
            status=None,
            value={"field": field, "time": at_ms // 1_000, "value": value},
            due_ms=at_ms,
        )
        self._outbox.add([planned], self._clock.now_ms())

    def _drop_waiting(self, template_id: str) -> None:
        """What was planned to be told of it is no longer so."""
        self._store.execute(
            "DELETE FROM callbacks WHERE message_id = ? AND kind = 'news' AND ended_ms IS NULL AND due_ms > ?",
            (f"template:{template_id}", self._clock.now_ms()),
        )

    def _must_be_free(self, number: Number, name: str, language: str) -> None:
        for one in self._records(number.waba_id).values():
            if (one["name"], one["language"]) != (name, language):
                continue
            if not one.get("deleted_ms"):
                raise GraphError(100, f"There is already {language} content for this template.", subcode=2388024)
            if self._clock.now_ms() - one["deleted_ms"] < RESTS_MS:
                raise GraphError(100, f"{language} content of {name[:80]} is being deleted.", subcode=2388023)

    def _records(self, waba_id: str) -> dict[str, TemplateRecord]:
        """By id; what is decided by now is decided."""
        rows = self._store.execute("SELECT record FROM templates WHERE waba_id = ? ORDER BY rowid", (waba_id,))
        own = [msgspec.json.decode(record) for (record,) in rows.fetchall()]
        return {one["id"]: one for one in TEMPLATES} | {one["id"]: self._now(one) for one in own}

    def _now(self, record: TemplateRecord) -> TemplateRecord:
        if "decision" in record and record["decides_ms"] <= self._clock.now_ms():
            decided = record["decision"]
            changed: TemplateRecord = {**record, "status": decided["status"]}
            if decided["rejected_reason"]:
                changed["rejected_reason"] = decided["rejected_reason"]
            return changed
        return record

    def _find(self, number: Number, template_id: str) -> TemplateRecord:
        record = self._records(number.waba_id).get(template_id)
        if record is None or record.get("deleted_ms"):
            raise GraphError(100, f"Object with ID '{template_id[:80]}' does not exist.", subcode=33)
        return record

    def _save(self, number: Number, record: TemplateRecord) -> None:
        self._store.execute(
            "INSERT INTO templates VALUES (?, ?, ?, ?, ?) ON CONFLICT (waba_id, id) DO UPDATE SET record = excluded.record",
            (
                number.waba_id, record["id"], record["name"], record["language"],
                msgspec.json.encode(record).decode(),
            ),
        )  # fmt: skip


def _names(record: TemplateRecord) -> dict[str, int | str]:
    return {
        "message_template_id": int(record["id"]),
        "message_template_name": record["name"],
        "message_template_language": record["language"],
    }


def _shown(record: TemplateRecord) -> Template:
    return _open(record)


def _undecided(record: TemplateRecord) -> TemplateRecord:
    """Without what was said of it before."""
    rest = _open(record)
    rest.pop("rejected_reason", None)
    return rest


def _open(record: TemplateRecord) -> TemplateRecord:
    """Without what is the desk's own."""
    rest: TemplateRecord = {**record}
    rest.pop("decides_ms", None)
    rest.pop("decision", None)
    rest.pop("deleted_ms", None)
    return rest


def _components(value: Any) -> list[Json]:
    """Looked at as the network does before anybody reads them."""
    if not isinstance(value, list) or not all(isinstance(part, dict) for part in value):
        raise wrong("components", "must be a list of objects")
    parts = {str(part.get("type", "")).upper(): part for part in value}
    if len(parts) != len(value) or parts.keys() - {"HEADER", "BODY", "FOOTER", "BUTTONS"}:
        raise wrong("components", "must be of the types HEADER, BODY, FOOTER and BUTTONS, each once")
    if "BODY" not in parts:
        raise missing("components['BODY']")
    body = parts["BODY"]
    text = text_of(body, "text", "components['BODY']", 1_000_000) or ""
    if len(text) > 1_024:
        raise GraphError(100, "The body is longer than 1024 characters.", subcode=2388040)
    if text.strip().startswith("{{") or text.strip().endswith("}}"):
        raise GraphError(100, "Variables can't be at the start or end of the template.", subcode=2388299)
    given = _given(body, "body_text")
    if len(set(_PLACE.findall(text))) != given:
        raise GraphError(100, "The body must have an example for each variable.", subcode=2388072)
    if "HEADER" in parts:
        _header(parts["HEADER"])
    if "FOOTER" in parts:
        text_of(parts["FOOTER"], "text", "components['FOOTER']", 60)
    _buttons(parts.get("BUTTONS"))
    return value


def _header(part: Json) -> None:
    kind = str(part.get("format", "")).upper()
    if kind == "TEXT":
        text = text_of(part, "text", "components['HEADER']", 60) or ""
        if len(set(_PLACE.findall(text))) != _given(part, "header_text"):
            raise GraphError(100, "The header must have an example for its variable.", subcode=2388047)
    elif kind in ("IMAGE", "VIDEO", "DOCUMENT"):
        example = part.get("example")
        handles = example.get("header_handle") if isinstance(example, dict) else None
        if not isinstance(handles, list) or not handles or not str(handles[0]).startswith(HANDLE):
            raise GraphError(100, "The header must have a sample file.", subcode=2388047)
    elif kind != "LOCATION":
        raise GraphError(100, "The header has an unknown format.", subcode=2388047)


def _buttons(part: Json | None) -> None:
    if part is None:
        return
    buttons = part.get("buttons")
    if not isinstance(buttons, list) or not 1 <= len(buttons) <= 10:
        raise wrong("components['BUTTONS']['buttons']", "must be a list of 1 to 10 buttons")
    for number, button in enumerate(buttons):
        path = f"components['BUTTONS']['buttons'][{number}]"
        asked = fields(button, path)
        kind = asked.get("type")
        if kind not in ("QUICK_REPLY", "URL", "PHONE_NUMBER", "COPY_CODE"):
            raise wrong(f"{path}['type']", "is not a type of button")
        if kind != "COPY_CODE":
            text_of(asked, "text", path, 25)
        if kind == "URL":
            text_of(asked, "url", path, 2_000)
        if kind == "PHONE_NUMBER":
            text_of(asked, "phone_number", path, 20)


def _given(part: Json, name: str) -> int:
    """How many examples there are."""
    example = part.get("example")
    if not isinstance(example, dict):
        return 0
    given = example.get(f"{name}_named_params") or example.get(name) or []
    if isinstance(given, list) and given and isinstance(given[0], list):
        given = given[0]
    return len(given) if isinstance(given, list) else 0
