"""Which payment providers there are, what each needs to be connected, and which mode its keys are of.

It holds no way to reach any of them: pages and programs ask here what to ask people for, and whether it can be right.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

import msgspec

from tablegram.payments.ports import Mode

# Longer than any key that a provider gives.
MAX_KEY = 500
_KEY = re.compile(r"[\x21-\x7e]+")
_STRIPE_KEY = re.compile(r"(?:sk|rk)_(test|live)_[0-9A-Za-z]+")
_WEBHOOK_SECRET = "whsec_"
_LEAST_SECRET = 24
_IYZICO_TEST = "sandbox-"


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a person enters. What is `secret` is never shown again."""

    name: str
    secret: bool = True
    required: bool = True
    example: str = ""


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    fields: tuple[Field, ...]
    # What it takes; nothing means whatever it will take, which it says itself.
    currencies: frozenset[str] = frozenset()
    # Whether the mode can be read from the keys; else a person says which it is.
    tells_mode: bool = True


class KeyProblem(msgspec.Struct, frozen=True):
    """What is wrong with one field, and what to do."""

    field: str
    code: str
    words: str


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            name="stripe",
            fields=(
                Field(name="secret_key", example="sk_test_…"),
                # Stripe makes it for an address of ours, which there is only when it is connected.
                Field(name="webhook_secret", required=False, example="whsec_…"),
            ),
        ),
        Kind(
            name="iyzico",
            fields=(Field(name="api_key", example="sandbox-…"), Field(name="secret_key", example="sandbox-…")),
            currencies=frozenset(("TRY", "USD", "EUR", "GBP", "RUB", "CHF", "NOK")),
        ),
        Kind(
            name="generic",
            fields=(
                Field(name="secret", example="whsec_…"),
                Field(name="pay_url", secret=False, example="https://pay.example/?ref={link_id}&amount={amount}"),
                Field(name="ask_url", secret=False, required=False, example="https://pay.example/ask"),
            ),
            tells_mode=False,
        ),
        Kind(name="sandbox", fields=(Field(name="secret", example="whsec_…"),)),
    )
}


def mode_of(name: str, keys: Mapping[str, str]) -> Mode | None:
    """The mode that the keys are of; nothing where keys do not tell, or are none."""
    if name == "sandbox":
        return "test"
    if name == "iyzico":
        of_test = {keys.get(field, "").startswith(_IYZICO_TEST) for field in ("api_key", "secret_key")}
        return None if len(of_test) > 1 else "test" if True in of_test else "live"
    if name == "stripe" and (found := _STRIPE_KEY.fullmatch(keys.get("secret_key", ""))):
        return "live" if found[1] == "live" else "test"
    return None


def problems_of(name: str, mode: Mode, keys: Mapping[str, str]) -> list[KeyProblem]:
    """Everything that is wrong with what was entered; nothing when a provider can be made of it."""
    kind = KINDS[name]
    wrong = [problem for field in kind.fields if (problem := _problem(field, keys.get(field.name, "")))]
    known = {field.name for field in kind.fields}
    wrong += [KeyProblem(key, "key_unknown", f"{name} has no key {key[:40]!r}.") for key in keys if key not in known]
    if wrong:
        return wrong
    return [*_PROBLEMS[name](keys), *_problems_of_mode(kind, mode, keys)]


def _problem(field: Field, value: str) -> KeyProblem | None:
    if not value:
        return KeyProblem(field.name, "key_missing", f"Give the {field.name}.") if field.required else None
    if len(value) > MAX_KEY:
        return KeyProblem(field.name, "key_too_long", f"{field.name} has at most {MAX_KEY} characters.")
    if _KEY.fullmatch(value) is None:
        return KeyProblem(field.name, "key_invalid", f"{field.name} is one word of plain characters, without spaces.")
    return None


def _problems_of_mode(kind: Kind, mode: Mode, keys: Mapping[str, str]) -> list[KeyProblem]:
    if not kind.tells_mode or (found := mode_of(kind.name, keys)) == mode:
        return []
    words = f"This is a {found} key, and the provider is connected in {mode} mode. Enter a {mode} key."
    return [KeyProblem(kind.fields[0].name, "key_of_other_mode", words)]


def _stripe(keys: Mapping[str, str]) -> list[KeyProblem]:
    wrong = []
    if _STRIPE_KEY.fullmatch(keys["secret_key"]) is None:
        words = "Enter a secret or restricted key: it begins with sk_test_, rk_test_, sk_live_ or rk_live_."
        wrong.append(KeyProblem("secret_key", "key_invalid", words))
    secret = keys.get("webhook_secret", "")
    if secret and (not secret.startswith(_WEBHOOK_SECRET) or len(secret) < 16):
        words = "Enter the signing secret of the webhook endpoint: it begins with whsec_."
        wrong.append(KeyProblem("webhook_secret", "key_invalid", words))
    return wrong


def _iyzico(keys: Mapping[str, str]) -> list[KeyProblem]:
    if mode_of("iyzico", keys) is None:
        words = "One key is of the sandbox and the other is not. Enter both of the same account."
        return [KeyProblem("secret_key", "key_of_other_mode", words)]
    return []


def _generic(keys: Mapping[str, str]) -> list[KeyProblem]:
    wrong = _signing(keys)
    for name in ("pay_url", "ask_url"):
        if keys.get(name) and not _is_address(keys[name]):
            wrong.append(KeyProblem(name, "url_invalid", f"{name} must be an address that begins with https://."))
    if "{link_id}" not in keys["pay_url"]:
        wrong.append(
            KeyProblem("pay_url", "url_invalid", "pay_url must hold {link_id}, so that signals find their link.")
        )
    return wrong


def _signing(keys: Mapping[str, str]) -> list[KeyProblem]:
    try:
        key = base64.b64decode(keys["secret"].removeprefix(_WEBHOOK_SECRET), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) >= _LEAST_SECRET:
        return []
    words = f"secret is whsec_ and then at least {_LEAST_SECRET} bytes in base64."
    return [KeyProblem("secret", "key_invalid", words)]


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        own = parts.scheme == "http" and parts.hostname in ("localhost", "127.0.0.1", "::1")
        return bool(parts.hostname) and (parts.scheme == "https" or own)
    except ValueError:
        return False


_PROBLEMS = {"stripe": _stripe, "iyzico": _iyzico, "generic": _generic, "sandbox": _signing}
