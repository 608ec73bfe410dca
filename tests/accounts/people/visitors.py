"""People over a real database: an account with an owner, a clock that a test can move, and letters that are kept."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pyotp
from argon2 import PasswordHasher

from tablegram.accounts.accounts import Account
from tablegram.accounts.people.entrance import Admitted, Origin
from tablegram.accounts.people.house import People, gather_people
from tablegram.accounts.people.model import Session
from tablegram.accounts.people.passwords import Passwords
from tablegram.accounts.ports import Letter
from tablegram.values.secrets import SecretBox
from tests.accounts.opened import SECRET, Opened, opened

EMAIL = "ada@example.com"
PASSWORD = "four words are enough"
HERE = Origin("192.0.2.7", "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0")


class Mailbox:
    """A mail server whose letters can be read."""

    def __init__(self) -> None:
        self.letters: list[Letter] = []

    async def send(self, letter: Letter) -> None:
        self.letters.append(letter)


@dataclass
class Place:
    house: Opened
    people: People
    account: Account
    mailbox: Mailbox
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def invite(self, email: str = EMAIL, role: str = "owner", account: Account | None = None) -> str:
        """A member who has not accepted yet; the token of the link that lets them in."""
        account = account or self.account
        await self.house.team.add(account.id, email, role)
        purpose: Any = "owner" if role == "owner" else "invite"
        address = await self.people.links.make(purpose, email, by="test", account_id=account.id, role=role)
        return token_of(address)

    async def come_in(self, email: str = EMAIL, role: str = "owner") -> str:
        """Somebody new, all the way in; returns the cookie."""
        return (await self.accept(await self.invite(email, role))).token

    async def accept(self, token: str, name: str = "Ada", password: str = PASSWORD) -> Admitted:
        return await self.people.entrance.accept(token, name, password, "", HERE)

    async def sign_in(self, email: str = EMAIL, password: str = PASSWORD, origin: Origin = HERE) -> Admitted:
        return await self.people.entrance.sign_in(email, password, origin)

    async def session(self, cookie: str) -> Session:
        found = await self.people.sessions.find(cookie)
        assert found is not None
        return found

    async def enable_second(
        self, cookie: str, password: str = PASSWORD, origin: Origin = HERE
    ) -> tuple[pyotp.TOTP, list[str]]:
        session = await self.session(cookie)
        offered = self.people.second_factor.offer(session.person)
        app = pyotp.TOTP(offered.secret)
        enable = self.people.entrance.enable_second_factor
        return app, await enable(session, cookie, offered.ticket, self.code(app), password, origin)

    def code(self, app: pyotp.TOTP, steps: int = 0) -> str:
        return app.generate_otp(self.house.clock.now_ms() // 30_000 + steps)

    async def settle(self) -> None:
        if self.tasks:
            await asyncio.wait(self.tasks)

    async def actions(self) -> list[str]:
        return [entry.action for entry in (await self.people.audit.page(self.account.id, limit=100)).data]


def token_of(address: str) -> str:
    return address.rpartition("/")[2]


@asynccontextmanager
async def place(database_url: str, **settings: Any) -> AsyncIterator[Place]:
    async with opened(database_url, **settings) as house:
        mailbox = Mailbox()
        tasks: list[asyncio.Task[None]] = []

        def spawn(name: str, work: Coroutine[Any, Any, None]) -> None:
            tasks.append(asyncio.create_task(work, name=name))

        people = gather_people(
            house.db,
            SecretBox(SECRET),
            house.clock,
            house.settings,
            mail=mailbox,
            spawn=spawn,
            passwords=Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)),
            steady_s=house.clock.steady_s,
        )
        yield Place(house, people, await house.accounts.create("Meze"), mailbox, tasks)
