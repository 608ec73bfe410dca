"""Forms behind the port. The address is a secret of its own; where the builder can show another, it has to."""

from __future__ import annotations

from collections.abc import Mapping

from tablegram.stores.platforms.decoding import digest_of
from tablegram.stores.platforms.forms.bodies import body_in
from tablegram.stores.platforms.forms.finding import person_in
from tablegram.stores.platforms.forms.shapes import Form, form_of
from tablegram.stores.platforms.proving import bearer_token, is_same, is_signed, keys_in
from tablegram.stores.ports import Setup, StoreEvent, Unreadable, Unverified

# Typeform, Tally, and whoever signs plainly.
_SIGNATURES = ("typeform-signature", "tally-signature", "x-signature", "x-hub-signature-256")
# Builders that cannot sign can send a header with the secret itself.
_TOKENS = ("x-api-key", "x-webhook-secret", "x-tablegram-secret")


class Forms:
    platform = "form"

    def prove(self, secret: str, headers: Mapping[str, str], body: bytes) -> None:
        keys = keys_in(secret)
        if not keys:
            return
        signatures = [headers[name] for name in _SIGNATURES if headers.get(name)]
        if any(is_signed(keys, given, body) for given in signatures[:4]):
            return
        tokens = [bearer_token(headers.get("authorization", "")), *(headers.get(name, "") for name in _TOKENS)]
        if not any(is_same(keys, given) for given in tokens):
            raise Unverified("the form shows neither a signature nor the secret")

    def name(self, headers: Mapping[str, str], body: bytes) -> str:
        form = _form(headers, body)
        return f"{form.reference}:{digest_of(form.title)[:8]}"[:200] if form and form.reference else digest_of(body)

    def topic(self, headers: Mapping[str, str], body: bytes) -> str:
        form = _form(headers, body)
        return form.title if form else ""

    def read(self, headers: Mapping[str, str], body: bytes, setup: Setup) -> tuple[StoreEvent, ...]:
        form = form_of(body_in(headers, body))
        fields = tuple((one.label or one.name, one.value) for one in form.fields)
        return (
            StoreEvent(
                kind="form_sent", reference=form.reference or digest_of(body), at=form.at, title=form.title,
                person=person_in(form.fields, setup.mapping), fields=fields,
            ),
        )  # fmt: skip


def _form(headers: Mapping[str, str], body: bytes) -> Form | None:
    try:
        return form_of(body_in(headers, body))
    except Unreadable:
        return None


def answers(headers: Mapping[str, str], body: bytes) -> tuple[tuple[str, str], ...]:
    """Every field under the name that a mapping says, with what was written. Raises `Unreadable`."""
    return tuple((one.name, one.value) for one in form_of(body_in(headers, body)).fields)
