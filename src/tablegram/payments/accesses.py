"""Accesses to providers: connected, changed, chosen, removed; and opened with their keys when money is to move."""

from __future__ import annotations

import base64
import re
import secrets
from collections.abc import Mapping

import msgspec

from tablegram.errors import Conflict, FieldError, Invalid, NotFound
from tablegram.payments.kinds import KINDS, Kind, problems_of
from tablegram.payments.model import ProviderRow, read_provider, write_provider
from tablegram.payments.ports import Mode, Opener, Provider
from tablegram.payments.store import links as link_store
from tablegram.payments.store import providers as store
from tablegram.storage.database import Database, Tx
from tablegram.values.ids import new_id, random_base62
from tablegram.values.secrets import SecretBox

PREFIX = "ppr_"
SANDBOX = "sandbox"
MAX_PROVIDERS = 20
HOOK_KEY_LENGTH = 32
_HOOK_KEY = re.compile(rf"[0-9A-Za-z]{{{HOOK_KEY_LENGTH}}}", re.ASCII)
# Accesses that are kept open: more than one installation's accounts use in an hour.
MAX_OPEN = 1_000

replace = msgspec.structs.replace
_encode = msgspec.json.Encoder().encode
_keys = msgspec.json.Decoder(dict[str, str]).decode


class Accesses:
    """`base_url` is the installation's own address. With the sandbox on, who has connected nothing pays in it."""

    def __init__(self, db: Database, box: SecretBox, opener: Opener, base_url: str, *, sandbox: bool) -> None:
        self._db = db
        self._box = box
        self._opener = opener
        self._base_url = base_url.rstrip("/")
        self._sandbox = sandbox
        # By id: when it was last changed, and the open access.
        self._open: dict[str, tuple[int, Provider]] = {}

    @property
    def kinds(self) -> dict[str, Kind]:
        """What can be connected here."""
        return {name: kind for name, kind in KINDS.items() if self._sandbox or name != SANDBOX}

    # Which one.

    async def every(self, tx: Tx, account_id: int) -> list[ProviderRow]:
        return [read_provider(row) for row in await tx.all(store.ALL, {"b_account": account_id})]

    async def get(self, tx: Tx, account_id: int, provider_id: str) -> ProviderRow:
        row = await tx.first(store.GET, {"b_account": account_id, "b_id": provider_id})
        if row is None:
            raise _unknown()
        return read_provider(row)

    async def lock(self, tx: Tx, account_id: int, provider_id: str) -> ProviderRow:
        row = await tx.first(store.LOCK, {"b_account": account_id, "b_id": provider_id})
        if row is None:
            raise _unknown()
        return read_provider(row)

    async def ready(self, tx: Tx, account_id: int) -> bool:
        """Whether the account can be paid by link."""
        return self._sandbox or bool(await self.every(tx, account_id))

    async def choose(self, tx: Tx, account_id: int, provider_id: str | None, now: int, *, is_test: bool) -> ProviderRow:
        """The access that a new link goes to. Who only plays never reaches real money."""
        if provider_id is not None:
            chosen = await self.get(tx, account_id, provider_id)
            if is_test and chosen.mode == "live":
                raise Conflict("A test key makes no links for real money. Use a live key.", code="live_with_test_key")
            return chosen
        kept = [one for one in await self.every(tx, account_id) if not is_test or one.mode == "test"]
        if kept:
            return next((one for one in kept if one.is_default), kept[0])
        if not self._sandbox:
            raise Conflict(
                "No payment provider is connected. Connect one in the panel under Payments, or with POST /payment-providers.",
                code="no_payment_provider",
            )
        return await self.add(tx, self.draft(account_id, SANDBOX, "test", {}, now), now)

    # Keeping.

    def draft(self, account_id: int, provider: str, mode: Mode, keys: Mapping[str, str], now: int) -> ProviderRow:
        """A new access with a hook of its own. Raises `Invalid` for keys that cannot be right."""
        if provider not in self.kinds:
            known = ", ".join(sorted(self.kinds))
            words = f"There is no provider {provider[:40]!r}. Choose from: {known}."
            raise Invalid.field("provider", "provider_unknown", words)
        hook = random_base62(HOOK_KEY_LENGTH)
        kept = ProviderRow(
            account_id=account_id,
            id=PREFIX + new_id(now),
            provider=provider,
            mode=mode,
            hook_hash=self._box.pepper_hash(hook),
            hook_sealed=self._box.seal(hook),
            keys_sealed="",
            created_at=now,
            updated_at=now,
        )
        # The sandbox's own secret is nobody's to choose.
        own = {"secret": "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()} if provider == SANDBOX else {}
        return self.with_keys(kept, mode, {**own, **keys})

    def with_keys(self, kept: ProviderRow, mode: Mode, keys: Mapping[str, str]) -> ProviderRow:
        """The access with other keys; those that are not given stay as they are, and an empty one is taken away."""
        merged = {**self.keys(kept), **{name: value.strip() for name, value in keys.items()}}
        merged = {name: value for name, value in merged.items() if value}
        wrong = problems_of(kept.provider, mode, merged)
        if wrong:
            errors = [FieldError(f"keys.{one.field[:40]}", _code(one.code), one.words) for one in wrong]
            raise Invalid.fields(errors)
        return replace(kept, mode=mode, keys_sealed=self._box.seal(_encode(merged).decode()), checked_at=None)

    async def add(self, tx: Tx, kept: ProviderRow, now: int) -> ProviderRow:
        """Keep a new access; the first one is the account's usual one, and a live one takes over from one that plays."""
        others = await self.every(tx, kept.account_id)
        if len(others) >= MAX_PROVIDERS:
            raise Conflict(f"An account has at most {MAX_PROVIDERS} payment providers.", code="providers_full")
        usual = next((one for one in others if one.is_default), None)
        takes_over = usual is None or (usual.mode == "test" and kept.mode == "live")
        if takes_over:
            await tx.run(store.NO_DEFAULT, {"b_account": kept.account_id, "now": now})
        kept = replace(kept, is_default=takes_over)
        await tx.run(store.INSERT, write_provider(kept))
        return kept

    async def change(self, tx: Tx, kept: ProviderRow, now: int) -> ProviderRow:
        values = {f"new_{name}": getattr(kept, name) for name in store.CHANGING}
        await tx.run(store.UPDATE, {**_one(kept), **values, "new_updated_at": _later(kept, now)})
        return await self.get(tx, kept.account_id, kept.id)

    async def make_default(self, tx: Tx, kept: ProviderRow, now: int) -> None:
        await tx.run(store.NO_DEFAULT, {"b_account": kept.account_id, "now": now})
        await tx.run(store.MAKE_DEFAULT, {**_one(kept), "now": now})

    async def remove(self, tx: Tx, kept: ProviderRow, now: int) -> None:
        """Take it away. What was paid with it can still be told and given back; what may still be paid stops that."""
        alive = await tx.first(link_store.ALIVE_OF_PROVIDER, {"b_account": kept.account_id, "b_provider": kept.id})
        if alive is not None and alive["n"]:
            raise Conflict(
                f"{alive['n']} links of this provider are still open. Cancel them first, or wait until they end.",
                code="provider_in_use",
            )
        await tx.run(store.REMOVE, {**_one(kept), "now": now})
        rest = await self.every(tx, kept.account_id)
        if kept.is_default and rest:
            await tx.run(store.MAKE_DEFAULT, {**_one(rest[0]), "now": now})

    # Opening.

    def keys(self, kept: ProviderRow) -> dict[str, str]:
        return _keys(self._box.open(kept.keys_sealed)) if kept.keys_sealed else {}

    def hook_url(self, kept: ProviderRow) -> str:
        return f"{self._base_url}/hooks/pay/{kept.provider}/{self._box.open(kept.hook_sealed)}"

    def connect(self, kept: ProviderRow) -> Provider:
        """The provider behind an access, kept open while nothing of it changes."""
        known = self._open.get(kept.id)
        if known is not None and known[0] == kept.updated_at:
            return known[1]
        provider = self._opener(kept.provider, kept.mode, self.keys(kept))
        while len(self._open) >= MAX_OPEN:
            del self._open[next(iter(self._open))]
        self._open[kept.id] = kept.updated_at, provider
        return provider

    async def open(self, account_id: int, provider_id: str) -> tuple[ProviderRow, Provider]:
        """Also one that was removed: its links are still to be ended."""
        row = await self._db.first(store.EVER, {"b_account": account_id, "b_id": provider_id})
        if row is None:
            raise _unknown()
        kept = read_provider(row)
        return kept, self.connect(kept)

    async def by_hook(self, key: str) -> ProviderRow | None:
        """Whose hook this key is; nothing for everybody else."""
        if _HOOK_KEY.fullmatch(key) is None:
            return None
        for hashed in self._box.hashes(key):
            row = await self._db.first(store.BY_HOOK, {"b_hash": hashed})
            if row is not None:
                return read_provider(row)
        return None


def _one(kept: ProviderRow) -> dict[str, object]:
    return {"b_account": kept.account_id, "b_id": kept.id}


def _later(kept: ProviderRow, now: int) -> int:
    # What is open is told from what was changed by this time: it grows with each change.
    return max(now, kept.updated_at + 1)


def _code(code: str) -> str:
    """Codes about keys are told apart from those about the keys of our own API."""
    return f"provider_{code}" if code.startswith("key_") else code


def _unknown() -> NotFound:
    return NotFound("There is no such payment provider.", code="payment_provider_unknown")
