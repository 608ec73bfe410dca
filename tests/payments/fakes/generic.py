"""A provider of somebody's own: signatures by the standard's own library, on both sides."""

from __future__ import annotations

import datetime
import json
from typing import Any

from standardwebhooks import Webhook, WebhookVerificationError

from tests.payments.fakes.serving import Fake


class FakeGeneric(Fake):
    def __init__(self, secret: str) -> None:
        super().__init__()
        self.secret = secret
        # By the link's id: amount and currency as we were told in the page's address, and how it stands.
        self.links: dict[str, dict[str, Any]] = {}
        self.refunds: dict[str, dict[str, Any]] = {}

    async def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, Any]:
        try:
            asked = Webhook(self.secret).verify(body.decode(), headers)
        except WebhookVerificationError:
            return 401, {"detail": f"wrong signature, mine is {self.secret}"}
        data = asked["data"]
        if asked["type"] == "payment.check":
            return 200, {}
        link = self.links.get(data["link_id"])
        if link is None:
            return 404, {"detail": f"no such link for {self.secret}"}
        if asked["type"] == "payment.cancel" and link["state"] == "open":
            link["state"] = "cancelled"
        if asked["type"] == "payment.refund":
            back = sum(one["amount"] for one in self.refunds.values() if one["link_id"] == data["link_id"])
            if data["refund_id"] not in self.refunds and (
                link["state"] != "paid" or back + data["amount"] > link["amount"]
            ):
                return 409, {"detail": "more than was paid"}
            self.refunds.setdefault(data["refund_id"], data)
            return 200, {"reference": f"back-{data['refund_id']}"}
        return 200, {**link, "payment_reference": data["link_id"]}

    def event(self, kind: str, link_id: str, **more: Any) -> bytes:
        link = self.links[link_id]
        data = {"link_id": link_id, "amount": link["amount"], "currency": link["currency"], **more}
        return json.dumps({"type": kind, "data": data}).encode()

    def sign(self, body: bytes, at_s: int, secret: str | None = None) -> dict[str, str]:
        moment = datetime.datetime.fromtimestamp(at_s, datetime.UTC)
        name = f"msg_{hash(body) & 0xFFFF}"
        signature = Webhook(self.secret if secret is None else secret).sign(name, moment, body.decode())
        return {"webhook-id": name, "webhook-timestamp": str(at_s), "webhook-signature": signature}
