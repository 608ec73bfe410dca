"""iyzico's checkout form, refunds and reports: it checks the signature of a request over its exact bytes, and signs answers."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.payments.fakes.serving import Fake

FORM = "/payment/iyzipos/checkoutform"
BUYER = ("id", "name", "surname", "identityNumber", "email", "registrationAddress", "city", "country", "ip")


class FakeIyzico(Fake):
    def __init__(self, api_key: str, secret: str) -> None:
        super().__init__()
        self.api_key, self.secret = api_key, secret
        self.forms: dict[str, dict[str, Any]] = {}
        self.refunds: list[dict[str, Any]] = []
        # Who stands between us and changes what it says.
        self.lies: dict[str, Any] = {}

    async def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, Any]:
        plain = urlsplit(path).path
        if not self._is_signed(headers, plain, body):
            return 200, {"status": "failure", "errorCode": "1000", "errorMessage": f"Invalid signature {self.secret}"}
        asked = json.loads(body) if body else {name: value[0] for name, value in parse_qs(urlsplit(path).query).items()}
        try:
            found = {
                f"{FORM}/initialize/auth/ecom": self._make,
                f"{FORM}/auth/ecom/detail": self._detail,
                "/v2/payment/refund": self._refund,
                "/v2/reporting/payment/details": self._report,
            }[plain](asked)
        except (KeyError, ValueError) as wrong:
            words = f"{wrong} refused for {self.api_key}"
            return 200, {"status": "failure", "errorCode": "11", "errorMessage": words}
        return 200, {"status": "success", "systemTime": 1, **found, **self.lies}

    def _is_signed(self, headers: dict[str, str], path: str, body: bytes) -> bool:
        scheme, _, encoded = headers.get("authorization", "").partition(" ")
        told = dict(part.split(":", 1) for part in base64.b64decode(encoded).decode().split("&"))
        chance = headers.get("x-iyzi-rnd", "")
        wanted = self.sign(chance + path, body)
        return (
            scheme == "IYZWSv2"
            and bool(chance)
            and told == {"apiKey": self.api_key, "randomKey": chance, "signature": wanted}
        )

    def sign(self, text: str, body: bytes = b"") -> str:
        return hmac.new(self.secret.encode(), text.encode() + body, hashlib.sha256).hexdigest()

    def _make(self, asked: dict[str, Any]) -> dict[str, Any]:
        items = asked["basketItems"]
        if sum(Decimal(one["price"]) for one in items) != Decimal(asked["price"]):
            raise ValueError("the sum of the items is not the price")
        if any(Decimal(one["price"]) <= 0 or not one["name"] or not one["category1"] for one in items):
            raise ValueError("an item is incomplete")
        if any(not asked["buyer"][name] for name in BUYER) or not asked["billingAddress"]["address"]:
            raise ValueError("the buyer is incomplete")
        if asked["currency"] not in ("TRY", "USD", "EUR", "GBP") or not asked["callbackUrl"].startswith("http"):
            raise ValueError("currency or callback")
        token = f"token-{len(self.forms) + 1}"
        self.forms[token] = asked | {"paymentStatus": "INIT_THREEDS", "paymentId": ""}
        return {
            "conversationId": asked["conversationId"],
            "token": token,
            "tokenExpireTime": 1800,
            "checkoutFormContent": "<script></script>",
            "paymentPageUrl": f"https://sandbox-cpp.iyzipay.example?token={token}&lang={asked['locale']}",
            "signature": self.sign(f"{asked['conversationId']}:{token}"),
        }

    def _detail(self, asked: dict[str, Any]) -> dict[str, Any]:
        form, token = self.forms[asked["token"]], asked["token"]
        found = {
            "conversationId": asked["conversationId"],
            "paymentStatus": form["paymentStatus"],
            "paymentId": form["paymentId"],
            "currency": form["currency"],
            "basketId": form["basketId"],
            "paidPrice": float(form["paidPrice"]),
            "price": float(form["price"]),
            "token": token,
        }
        signed = [found[name] for name in ("paymentStatus", "paymentId", "currency", "basketId", "conversationId")]
        figures = [str(Decimal(form[name]).normalize()) for name in ("paidPrice", "price")]
        figures = [f"{Decimal(one):f}" for one in figures]
        return found | {"signature": self.sign(":".join([*map(str, signed), *figures, token]))}

    def _refund(self, asked: dict[str, Any]) -> dict[str, Any]:
        form = next(
            one for one in self.forms.values() if one["paymentId"] and str(one["paymentId"]) == asked["paymentId"]
        )
        if self.refunded(asked["paymentId"]) + Decimal(asked["price"]) > Decimal(form["paidPrice"]):
            raise ValueError("more than was paid")
        self.refunds.append(asked)
        host = f"host-{len(self.refunds)}"
        return {"paymentId": asked["paymentId"], "price": float(asked["price"]), "refundHostReference": host}

    def _report(self, asked: dict[str, Any]) -> dict[str, Any]:
        wanted = asked.get("paymentId")
        refunds = [
            {"refundConversationId": one["conversationId"], "hostReference": f"host-{place + 1}", "refundStatus": 1}
            for place, one in enumerate(self.refunds)
            if one["paymentId"] == wanted
        ]
        forms = [one for one in self.forms.values() if wanted and str(one["paymentId"]) == wanted]
        return {
            "payments": [{"paymentId": one["paymentId"], "itemTransactions": [{"refunds": refunds}]} for one in forms]
        }

    # What people and banks do.

    def refunded(self, payment_id: str) -> Decimal:
        return sum((Decimal(one["price"]) for one in self.refunds if one["paymentId"] == payment_id), Decimal())

    def pay(self, token: str) -> None:
        number = 22_480_000 + int(token.rpartition("-")[2])
        self.forms[token].update(paymentStatus="SUCCESS", paymentId=number)

    def callback(self, token: str, status: str = "SUCCESS", secret: str | None = None) -> tuple[dict[str, str], bytes]:
        form, key = self.forms[token], self.secret if secret is None else secret
        number, link = form["paymentId"] or 1, form["conversationId"]
        text = f"{key}CHECKOUT_FORM_AUTH{number}{token}{link}{status}"
        signature = hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()
        body = {
            "paymentConversationId": link, "merchantId": 1, "token": token, "status": status,
            "iyziReferenceCode": f"ref-{token}", "iyziEventType": "CHECKOUT_FORM_AUTH", "iyziEventTime": 1,
            "iyziPaymentId": number,
        }  # fmt: skip
        return {"x-iyz-signature-v3": signature}, json.dumps(body).encode()
