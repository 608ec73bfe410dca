"""Stripe's Checkout Sessions and refunds, as its API reference has them."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.payments.fakes.serving import Fake

THREE = frozenset(("bhd", "jod", "kwd", "omr", "tnd"))


class FakeStripe(Fake):
    def __init__(self, key: str, webhook_secret: str) -> None:
        super().__init__()
        self.key, self.secret = key, webhook_secret
        self.sessions: dict[str, dict[str, Any]] = {}
        self.refunds: list[dict[str, Any]] = []
        # What was asked under a key, and answered.
        self.kept: dict[str, tuple[bytes, dict[str, Any]]] = {}

    async def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, Any]:
        if headers.get("authorization") != f"Bearer {self.key}":
            given = headers.get("authorization", "").removeprefix("Bearer ")
            return 401, _error("invalid_request_error", f"Invalid API Key provided: {given}")
        key = headers.get("idempotency-key", "")
        if method == "POST" and key in self.kept:
            asked, answered = self.kept[key]
            if asked != body:
                words = (
                    "Keys for idempotent requests can only be used with the same parameters they were first used with."
                )
                return 400, _error("idempotency_error", words)
            return 200, answered
        try:
            found = self._do(method, urlsplit(path).path, _nested(body.decode()), _nested(urlsplit(path).query))
        except KeyError:
            return 404, _error("invalid_request_error", "No such thing", "resource_missing")
        except ValueError as wrong:
            return 400, _error("invalid_request_error", str(wrong))
        if method == "POST" and key:
            self.kept[key] = body, found
        return 200, found

    def _do(self, method: str, path: str, form: dict[str, Any], query: dict[str, Any]) -> dict[str, Any]:
        parts = path.strip("/").split("/")
        if parts[:3] == ["v1", "checkout", "sessions"]:
            if len(parts) == 3:
                return self._make(form) if method == "POST" else _list(list(self.sessions.values())[:1])
            session = self.sessions[parts[3]]
            if parts[4:] == ["expire"]:
                if session["status"] != "open":
                    raise ValueError('Only Checkout Sessions with a status in ["open"] can be expired.')
                session["status"] = "expired"
                return session
            return self._expanded(session) if "expand" in query else session
        if parts == ["v1", "refunds"]:
            if method == "GET":
                wanted, most = query["payment_intent"], int(query.get("limit", 10))
                if not 1 <= most <= 100:
                    raise ValueError("This value must be greater than or equal to 1 and at most 100.")
                return _list([one for one in self.refunds if one["payment_intent"] == wanted][-most:])
            return self._refund(form)
        raise KeyError(path)

    def _make(self, form: dict[str, Any]) -> dict[str, Any]:
        lines = [line["price_data"] | {"quantity": int(line["quantity"])} for line in form["line_items"].values()]
        now = time.time()
        if not now + 1_800 <= int(form["expires_at"]) <= now + 86_400:
            raise ValueError("The `expires_at` timestamp must be between 30 minutes and 24 hours from now.")
        currencies = {line["currency"] for line in lines}
        if len(currencies) != 1 or form["mode"] != "payment":
            raise ValueError("Invalid currency")
        currency = currencies.pop()
        for line in lines:
            amount = int(line["unit_amount"])
            if amount <= 0 or not line["product_data"]["name"]:
                raise ValueError("Invalid amount")
            if (currency in THREE and amount % 10) or (currency in ("isk", "ugx") and amount % 100):
                raise ValueError("Amount must be a multiple")
        session_id = f"cs_test_{len(self.sessions) + 1}"
        self.sessions[session_id] = {
            "id": session_id,
            "object": "checkout.session",
            "livemode": "_live_" in self.key,
            "url": f"https://checkout.stripe.example/{session_id}",
            "status": "open",
            "payment_status": "unpaid",
            "amount_total": sum(int(line["unit_amount"]) * line["quantity"] for line in lines),
            "currency": currency,
            "expires_at": int(form["expires_at"]),
            "client_reference_id": form["client_reference_id"],
            "metadata": form["metadata"],
            "payment_intent": None,
            "lines": [line["product_data"]["name"] for line in lines],
        }
        return self.sessions[session_id]

    def _expanded(self, session: dict[str, Any]) -> dict[str, Any]:
        intent = session["payment_intent"]
        if intent is None:
            return session
        charge = {"id": f"ch_{intent}", "object": "charge", "amount_refunded": self.refunded(intent)}
        status = "succeeded" if session["payment_status"] == "paid" else "requires_payment_method"
        return session | {
            "payment_intent": {"id": intent, "object": "payment_intent", "status": status, "latest_charge": charge}
        }

    def _refund(self, form: dict[str, Any]) -> dict[str, Any]:
        intent, amount = form["payment_intent"], int(form["amount"])
        session = next(one for one in self.sessions.values() if one["payment_intent"] == intent)
        if session["payment_status"] != "paid" or self.refunded(intent) + amount > session["amount_total"]:
            raise ValueError("Refund amount is greater than unrefunded amount on charge")
        made = {
            "id": f"re_{len(self.refunds) + 1}", "object": "refund", "amount": amount, "payment_intent": intent,
            "metadata": form.get("metadata", {}), "status": "succeeded",
        }  # fmt: skip
        self.refunds.append(made)
        return made

    # What people and banks do.

    def refunded(self, intent: str) -> int:
        return sum(one["amount"] for one in self.refunds if one["payment_intent"] == intent)

    def pay(self, session_id: str) -> None:
        session = self.sessions[session_id]
        assert session["status"] == "open"
        session.update(status="complete", payment_status="paid", payment_intent=f"pi_{session_id}")

    def event(self, kind: str, session_id: str, **more: Any) -> bytes:
        session = self.sessions[session_id]
        thing = session
        if kind.startswith("charge."):
            intent = session["payment_intent"]
            thing = {
                "object": "charge", "payment_intent": intent, "currency": session["currency"],
                "amount_refunded": self.refunded(intent), "metadata": session["metadata"],
            }  # fmt: skip
        event = {
            "id": f"evt_{kind}_{session_id}", "object": "event", "type": kind, "livemode": session["livemode"],
            "data": {"object": thing}, **more,
        }  # fmt: skip
        return json.dumps(event, indent=2).encode()

    def sign(self, body: bytes, at_s: int, secret: str | None = None) -> dict[str, str]:
        key = (self.secret if secret is None else secret).encode()
        signature = hmac.new(key, f"{at_s}.".encode() + body, hashlib.sha256).hexdigest()
        return {"stripe-signature": f"t={at_s},v1={signature},v0={'0' * 64}"}


def _nested(text: str) -> dict[str, Any]:
    """`a[b][0][c]=d` as dictionaries."""
    found: dict[str, Any] = {}
    for name, value in parse_qsl(text, keep_blank_values=True):
        keys = name.replace("]", "").split("[")
        inner = found
        for key in keys[:-1]:
            inner = inner.setdefault(key, {})
        inner[keys[-1]] = value
    return found


def _list(data: list[dict[str, Any]]) -> dict[str, Any]:
    return {"object": "list", "data": data, "has_more": False, "url": "/v1/x"}


def _error(kind: str, message: str, code: str = "") -> dict[str, Any]:
    return {"error": {"type": kind, "message": message, **({"code": code} if code else {})}}
