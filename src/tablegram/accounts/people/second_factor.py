"""The second factor: a code from an app on the phone, or one of ten recovery codes. Each works once."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass

import msgspec
import pyotp

from tablegram.accounts.people import store
from tablegram.accounts.people.model import Person
from tablegram.accounts.rows import SecretRow
from tablegram.engine.sealing.resealing import again, seal_again
from tablegram.errors import Conflict, Invalid, Misconfigured
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import MINUTE_MS, SECOND_MS, Clock
from tablegram.values.qr import draw_qr
from tablegram.values.secrets import SecretBox

STEP_MS = 30 * SECOND_MS
# A phone's clock may be off by one step, or the code was typed slowly.
DRIFT = 1
RECOVERY_CODES = 10
# How long the picture may wait to be photographed.
DRAFT_MS = 30 * MINUTE_MS
ISSUER = "Tablegram"

_APP_CODE = re.compile(r"[0-9]{6}", re.ASCII)
# Without letters and figures that look alike.
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_HALF = 5


@dataclass(frozen=True, slots=True)
class Enrolment:
    """A second factor that is offered and not yet confirmed."""

    # For who cannot photograph the picture.
    secret: str
    # The picture as SVG, without a size of its own; dark modules have the class `qr`.
    svg: str
    # Comes back with the first code; sealed, so that nobody else's secret can be smuggled in.
    ticket: str


class SecondFactor:
    def __init__(self, db: Database, box: SecretBox, clock: Clock) -> None:
        self._db = db
        self._box = box
        self._clock = clock

    def offer(self, person: Person, secret: str = "") -> Enrolment:
        """Something to photograph. Nothing is stored before the first code shows that it arrived."""
        secret = secret or pyotp.random_base32(32)
        uri = pyotp.TOTP(secret).provisioning_uri(name=person.email, issuer_name=ISSUER)
        ticket = {"person": person.id, "secret": secret, "until": self._clock.now_ms() + DRAFT_MS}
        return Enrolment(secret, draw_qr(uri), self._box.seal(msgspec.json.encode(ticket).decode()))

    def offer_again(self, person: Person, ticket: str) -> Enrolment:
        """The same picture once more, after a wrong code."""
        return self.offer(person, self._read_ticket(person, ticket))

    async def enable(self, person: Person, ticket: str, code: str) -> list[str]:
        """Switch it on with a first code. Returns the recovery codes, which are shown this once."""
        secret = self._read_ticket(person, ticket)
        step = _step_of(secret, code, self._clock.now_ms())
        if step is None:
            raise _wrong_code()
        codes = [_draw_code() for _ in range(RECOVERY_CODES)]

        async def work(tx: Tx) -> None:
            row = await tx.first(store.LOCK_PERSON, {"id": person.id})
            if row is None or row["totp_secret"] is not None:
                raise Conflict("The second factor is on already. Switch it off first.", code="second_factor_on")
            await tx.run(store.SET_TOTP, {"which": person.id, "secret": self._box.seal(secret), "step": step})
            await self._replace_codes(tx, person.id, codes)

        await self._db.write(work)
        return codes

    async def disable(self, person_id: str) -> None:
        await self._db.put(
            (store.SET_TOTP, {"which": person_id, "secret": None, "step": 0}),
            (store.FORGET_CODES, {"which": person_id}),
        )

    async def renew_codes(self, person_id: str) -> list[str]:
        """Ten new recovery codes; the former ones end."""
        codes = [_draw_code() for _ in range(RECOVERY_CODES)]
        await self._db.write(lambda tx: self._replace_codes(tx, person_id, codes))
        return codes

    async def reseal(self) -> int:
        """Seal every secret with the present key; returns how many it was not yet."""

        def fresh(row: SecretRow) -> dict[str, object]:
            old = row["totp_secret"]
            return {"which": row["id"], "old": old, "secret": again(self._box, old)}

        return await seal_again(
            self._db, self._box, store.WITH_TOTP, store.RESEAL_TOTP, lambda row: (row["totp_secret"],), fresh
        )

    async def codes_left(self, person_id: str) -> int:
        return len(await self._db.all(store.UNUSED_CODES, {"which": person_id}))

    async def accept(self, person_id: str, code: str) -> bool:
        """Whether the code is right; if so it is used up, whoever else shows it at the same moment."""
        typed = code.replace(" ", "").replace("-", "").lower()
        now = self._clock.now_ms()
        hashes = self._box.hashes(_recovery_text(person_id, typed))

        async def work(tx: Tx) -> bool:
            row = await tx.first(store.PERSON, {"id": person_id})
            if row is None or row["totp_secret"] is None:
                return False
            if _APP_CODE.fullmatch(typed):
                step = _step_of(self._box.open(row["totp_secret"]), typed, now)
                return step is not None and await tx.run(store.USE_STEP, {"which": person_id, "step": step}) == 1
            which = {"which": person_id, "hash": hashes[0], "previous_hash": hashes[-1]}
            return await tx.run(store.USE_CODE, {**which, "now": now}) == 1

        return await self._db.write(work)

    async def _replace_codes(self, tx: Tx, person_id: str, codes: list[str]) -> None:
        await tx.run(store.FORGET_CODES, {"which": person_id})
        for code in codes:
            hashed = self._box.pepper_hash(_recovery_text(person_id, code.replace("-", "")))
            await tx.run(store.ADD_CODE, {"person_id": person_id, "hash": hashed})

    def _read_ticket(self, person: Person, ticket: str) -> str:
        try:
            found = msgspec.json.decode(self._box.open(ticket))
        except (Misconfigured, msgspec.DecodeError, UnicodeError):
            raise _stale() from None
        if not isinstance(found, dict) or found.get("person") != person.id or found["until"] <= self._clock.now_ms():
            raise _stale()
        return str(found["secret"])


def _step_of(secret: str, code: str, now_ms: int) -> int | None:
    """The time step that the code belongs to; nothing when it is no code of these minutes."""
    typed = code.replace(" ", "")
    if not _APP_CODE.fullmatch(typed):
        return None
    present = now_ms // STEP_MS
    found = None
    totp = pyotp.TOTP(secret)
    for step in range(present - DRIFT, present + DRIFT + 1):
        # Every step is compared, in the same time whether it fits or not.
        if secrets.compare_digest(totp.generate_otp(step), typed):
            found = step
    return found


def _draw_code() -> str:
    half = ["".join(secrets.choice(_ALPHABET) for _ in range(_HALF)) for _ in range(2)]
    return "-".join(half)


def _recovery_text(person_id: str, code: str) -> str:
    return f"recovery {person_id} {code}"


def _wrong_code() -> Invalid:
    return Invalid.field(
        "code", "code_wrong", "This code does not fit. Look at the app again: the code changes every 30 seconds."
    )


def _stale() -> Conflict:
    return Conflict("This page was open for too long. Start again with a new picture.", code="enrolment_expired")
