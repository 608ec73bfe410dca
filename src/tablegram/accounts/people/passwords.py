"""Passwords: hashed with argon2id, checked in a thread, and refused where anybody would guess them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tablegram.errors import Invalid
from tablegram.values.folding import fold

if TYPE_CHECKING:
    from argon2 import PasswordHasher

MIN_LENGTH = 10
MAX_LENGTH = 200
# Each check takes this much memory; more than a few at once would only make all of them late.
AT_ONCE = 2
MEMORY_KIB = 65_536
ROUNDS = 3

# What is tried first, as far as it is long enough to get here at all.
_WORST = (
    "1234567890", "0123456789", "0987654321", "1111111111", "qwertyuiop", "password12", "password123", "passw0rd123",
    "iloveyou123", "qwerty12345", "1q2w3e4r5t", "1qaz2wsx3edc", "administrator", "letmein123", "welcome123",
    "galatasaray", "fenerbahce1907", "besiktas1903", "sifre12345", "parola1234", "tablegram", "abcdefghij",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Verdict:
    fits: bool
    # The stored hash was made with other figures; store this one instead.
    better_hash: str = ""


class Passwords:
    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._given = hasher
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._nobodys = ""

    @cached_property
    def _hasher(self) -> PasswordHasher:
        """What hashes is loaded with the first password, in the thread that hashes it."""
        from argon2 import PasswordHasher

        return self._given or PasswordHasher(time_cost=ROUNDS, memory_cost=MEMORY_KIB, parallelism=1)

    async def hash(self, password: str) -> str:
        async with self._turn:
            return await asyncio.to_thread(lambda: self._hasher.hash(password))

    async def check(self, stored: str | None, password: str) -> Verdict:
        """Whether the password is the one behind the hash. Where there is no hash, the same work is done for nothing,
        so that the time it takes tells nobody whether the address is known."""
        if not self._nobodys:
            self._nobodys = await self.hash(secrets.token_urlsafe(24))
        async with self._turn:
            fits = await asyncio.to_thread(self._fits, stored or self._nobodys, password[: MAX_LENGTH * 4])
        if not stored or not fits:
            return Verdict(False)
        return Verdict(True, await self.hash(password) if self._hasher.check_needs_rehash(stored) else "")

    def _fits(self, stored: str, password: str) -> bool:
        from argon2.exceptions import Argon2Error, InvalidHashError

        try:
            return self._hasher.verify(stored, password)
        except (Argon2Error, InvalidHashError):
            return False


def check_strength(password: str, email: str, name: str = "", field: str = "password") -> None:
    """Refuse what is short or easily guessed. Length does the work; no rules about signs and figures."""
    if len(password) < MIN_LENGTH:
        raise Invalid.field(field, "password_short", f"Use at least {MIN_LENGTH} characters; a few words do well.")
    if len(password) > MAX_LENGTH:
        raise Invalid.field(field, "password_long", f"Use at most {MAX_LENGTH} characters.")
    plain = fold(password).replace(" ", "")
    if len(set(plain)) < 5 or _rest(plain, _WORST) < MIN_LENGTH // 2:
        raise Invalid.field(
            field, "password_common", "This password is among the first that are tried. Choose another."
        )
    own = (fold(email), fold(email).partition("@")[0], *fold(name).split())
    if _rest(plain, [word for word in own if len(word) >= 4]) < MIN_LENGTH // 2:
        raise Invalid.field(field, "password_own_name", "Do not build the password from your name or e-mail address.")


def _rest(plain: str, words: Iterable[str]) -> int:
    """How many characters are left when the words are taken out of it."""
    for word in sorted(words, key=len, reverse=True):
        plain = plain.replace(word, "")
    return len(plain)
