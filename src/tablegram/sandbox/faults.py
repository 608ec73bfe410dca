"""Everything that can be made to go wrong on the network, on purpose.

A fault says what, for whom (`number_id`, `phone`; nobody named means everybody), how often
(`times`; null until deleted) and how surely (`probability`). Faults survive a restart.
"""

from __future__ import annotations

import random

import msgspec

from tablegram.errors import Invalid, NotFound
from tablegram.sandbox.store import Store
from tablegram.values.ids import new_id

# kind → what it does, in words; {ms}, {code} and {http_status} are filled in from the fault.
WAITS = {"latency": "answers {ms} ms late"}
REFUSALS = {
    "http_500": "answers HTTP 500 without a Graph body; nothing is accepted",
    "http_502": "answers HTTP 502 without a Graph body; nothing is accepted",
    "http_503": "answers HTTP 503 without a Graph body; nothing is accepted",
    "rate_limit": "refuses with HTTP 429, code 130429: too many messages from this line",
    "pair_rate": "refuses with code 131056: too many messages to this recipient",
    "window_closed": "refuses with code 131047: more than 24 hours since the customer wrote",
    "undeliverable": "refuses with code 131026: the recipient cannot be reached on the network",
    "graph_error": "refuses with HTTP {http_status}, code {code}",
    "dropped_request": "drops the connection before accepting the message",
}
ANSWERS = {
    "lost_answer": "accepts the message, then drops the connection without an answer",
    "held": "accepts the message as held for a quality check; it reaches the phone {ms} ms later",
    "failed_status": "accepts the message, then reports it failed with code {code}",
}
CALLBACKS = {
    "duplicated": "posts every callback of a message twice",
    "reordered": "posts the callbacks of a message in the wrong order",
    "batched": "posts several callbacks in one body, up to {ms} ms late",
    "delayed_callbacks": "posts callbacks {ms} ms late",
    "no_callbacks": "posts no callbacks at all",
    "millisecond_timestamps": "writes timestamps in milliseconds instead of seconds",
}
SENDERS = {
    "missing_profile": "leaves the sender's profile out of a customer's message",
    "sender_without_phone": "hides the sender's phone number: only the business-scoped user id is told",
}
KINDS = {**WAITS, **REFUSALS, **ANSWERS, **CALLBACKS, **SENDERS}

_DEFAULT_MS = {"latency": 500, "held": 3_000, "batched": 300, "delayed_callbacks": 3_000}
_MAX_MS = 3_600_000


class Fault(msgspec.Struct, kw_only=True):
    id: str
    kind: str
    times: int | None = None
    number_id: str | None = None
    phone: str | None = None
    probability: float = 1.0
    ms: int = 0
    code: int = 0
    http_status: int = 0
    detail: str = ""
    description: str = ""


class FaultOrder(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A fault as it is asked for."""

    kind: str
    times: int | None = None
    number_id: str | None = None
    phone: str | None = None
    probability: float = 1.0
    ms: int | None = None
    code: int | None = None
    http_status: int | None = None
    detail: str = ""


class Faults:
    def __init__(self, store: Store) -> None:
        self._store = store
        rows = store.execute("SELECT record FROM faults ORDER BY seq").fetchall()
        self._active = [msgspec.json.decode(record, type=Fault) for (record,) in rows]
        self._chance = random.Random()

    def active(self) -> list[Fault]:
        return list(self._active)

    def inject(self, order: FaultOrder) -> Fault:
        _check(order)
        fault = Fault(
            id="fault_" + new_id(),
            kind=order.kind,
            times=order.times,
            number_id=order.number_id,
            phone=order.phone,
            probability=order.probability,
            detail=order.detail,
            ms=order.ms if order.ms is not None else _DEFAULT_MS.get(order.kind, 0),
            code=order.code if order.code is not None else (131026 if order.kind == "failed_status" else 0),
            http_status=order.http_status if order.http_status is not None else 400,
        )
        fault.description = _describe(fault)
        record = msgspec.json.encode(fault).decode()
        self._store.execute("INSERT INTO faults (id, record) VALUES (?, ?)", (fault.id, record))
        self._active.append(fault)
        return fault

    def lift(self, fault_id: str | None = None) -> int:
        """Take one fault away, or all of them; how many went."""
        gone = [fault for fault in self._active if fault_id is None or fault.id == fault_id]
        if fault_id is not None and not gone:
            raise NotFound(f"There is no fault {fault_id}; GET /sandbox/faults lists the active ones.")
        for fault in gone:
            self._store.execute("DELETE FROM faults WHERE id = ?", (fault.id,))
            self._active.remove(fault)
        return len(gone)

    def take(self, kinds: dict[str, str], number_id: str, phone: str) -> Fault | None:
        """The oldest active fault of one of these kinds that strikes now; it has one time less after."""
        for fault in self._active:
            if fault.kind in kinds and self._strikes(fault, number_id, phone):
                self._spend(fault)
                return fault
        return None

    def take_each(self, kinds: dict[str, str], number_id: str, phone: str) -> dict[str, Fault]:
        """Every kind that strikes now: these can be had together."""
        if not self._active:
            return {}
        found = {kind: self.take({kind: ""}, number_id, phone) for kind in kinds}
        return {kind: fault for kind, fault in found.items() if fault is not None}

    def _strikes(self, fault: Fault, number_id: str, phone: str) -> bool:
        meant = fault.number_id in (None, number_id) and fault.phone in (None, phone)
        return meant and (fault.probability >= 1 or self._chance.random() < fault.probability)

    def _spend(self, fault: Fault) -> None:
        if fault.times is None:
            return
        fault.times -= 1
        if fault.times <= 0:
            self._active.remove(fault)
            self._store.execute("DELETE FROM faults WHERE id = ?", (fault.id,))
            return
        self._store.execute(
            "UPDATE faults SET record = ? WHERE id = ?", (msgspec.json.encode(fault).decode(), fault.id)
        )


class FaultKind(msgspec.Struct, frozen=True):
    kind: str
    description: str
    default_ms: int | None


def catalogue() -> list[FaultKind]:
    """Every kind with its words, for the page's drawer and for who asks the API."""
    return [FaultKind(kind, words, _DEFAULT_MS.get(kind)) for kind, words in KINDS.items()]


def _describe(fault: Fault) -> str:
    words = KINDS[fault.kind].format(ms=fault.ms, code=fault.code, http_status=fault.http_status)
    whom = f" on line {fault.number_id}" if fault.number_id else ""
    whom += f" for phone {fault.phone}" if fault.phone else ""
    surely = "" if fault.probability >= 1 else f", {fault.probability:.0%} of the time"
    return f"The network {words}{whom}{surely}."


def _check(order: FaultOrder) -> None:
    if order.kind not in KINDS:
        raise Invalid.field("kind", "kind_unknown", f"Unknown fault {order.kind!r}. Use one of: {', '.join(KINDS)}.")
    if order.times is not None and not 1 <= order.times <= 1_000_000:
        raise Invalid.field("times", "times_invalid", "Give times from 1 to 1000000, or null for until deleted.")
    if not 0 < order.probability <= 1:
        raise Invalid.field("probability", "probability_invalid", "Give a probability above 0 and at most 1.")
    if order.ms is not None and not 0 <= order.ms <= _MAX_MS:
        raise Invalid.field("ms", "ms_invalid", f"Give ms from 0 to {_MAX_MS}.")
    if order.http_status is not None and not 400 <= order.http_status <= 599:
        raise Invalid.field("http_status", "http_status_invalid", "Give an http_status from 400 to 599.")
    if order.kind == "graph_error" and order.code is None:
        raise Invalid.field("code", "code_missing", "A graph_error needs the network's code, for example 131048.")
    if order.code is not None and not 0 <= order.code <= 10_000_000:
        raise Invalid.field("code", "code_invalid", "Give a code from 0 to 10000000.")
