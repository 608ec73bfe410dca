"""A second factor: who switches it on, which codes count, and what a session is without it."""

from __future__ import annotations

import asyncio

import pyotp
import pytest

from tablegram.accounts.people.sessions import HALFWAY_MS
from tablegram.errors import Conflict, Invalid, Unauthorized
from tests.accounts.people.visitors import EMAIL, HERE, PASSWORD, place, token_of

pytestmark = pytest.mark.later


async def test_without_the_second_factor_a_session_is_only_halfway(database_url: str) -> None:
    async with place(database_url) as here:
        cookie = await here.come_in()
        app, codes = await here.enable_second(cookie)
        here.house.clock.advance(60)
        half = await here.sign_in()
        assert half.needs_second
        assert not (await here.session(half.token)).passed_second
        with pytest.raises(Invalid):
            await here.people.entrance.show_second(half.token, "000000", HERE)
        whole = await here.people.entrance.show_second(half.token, here.code(app), HERE)
        assert (await here.session(whole.token)).passed_second
        # The cookie from before is worth nothing: whoever planted it holds nothing.
        assert await here.people.sessions.find(half.token) is None
        assert len(codes) == len(set(codes)) == 10


async def test_each_code_works_once(database_url: str) -> None:
    async with place(database_url) as here:
        cookie = await here.come_in()
        app, codes = await here.enable_second(cookie)
        person = (await here.session(cookie)).person.id
        second = here.people.second_factor
        assert not await second.accept(person, here.code(app)), "it was used to switch it on"
        here.house.clock.advance(90)
        fresh = here.code(app)
        assert sorted(await asyncio.gather(*[second.accept(person, fresh) for _ in range(4)])) == [False] * 3 + [True]
        assert not await second.accept(person, here.code(app, -1)), "an older step than the last used one"
        written = codes[0].upper().replace("-", " ")
        assert sorted(await asyncio.gather(*[second.accept(person, written) for _ in range(4)])) == [False] * 3 + [True]
        assert await second.codes_left(person) == 9


async def test_a_code_of_the_step_before_or_after_is_taken_and_no_other(database_url: str) -> None:
    async with place(database_url) as here:
        app, _ = await here.enable_second(await here.come_in())
        found = await here.people.register.find(EMAIL)
        assert found is not None
        for steps, good in ((-2, False), (2, False), (-1, True), (0, True), (1, True)):
            here.house.clock.advance(300)
            assert await here.people.second_factor.accept(found.id, here.code(app, steps)) is good, steps


async def test_somebody_elses_picture_or_an_old_one_switches_nothing_on(database_url: str) -> None:
    async with place(database_url) as here:
        ada, bob = await here.come_in(), await here.come_in("bob@example.com", "staff")
        mine, theirs = await here.session(ada), await here.session(bob)
        offered = here.people.second_factor.offer(theirs.person)
        code = here.code(pyotp.TOTP(offered.secret))
        for ticket in (offered.ticket, "nonsense", ""):
            with pytest.raises(Conflict):
                await here.people.entrance.enable_second_factor(mine, ada, ticket, code, PASSWORD, HERE)
        here.house.clock.advance(3_600)
        with pytest.raises(Conflict):
            await here.people.entrance.enable_second_factor(theirs, bob, offered.ticket, code, PASSWORD, HERE)


async def test_an_open_browser_alone_switches_no_second_factor_on(database_url: str) -> None:
    async with place(database_url) as here:
        ada = await here.come_in()
        for password in ("", "not the password", PASSWORD + " "):
            with pytest.raises(Invalid) as refused:
                await here.enable_second(ada, password)
            assert refused.value.errors[0].field == "password"
        assert not (await here.session(ada)).person.has_second_factor
        assert not (await here.sign_in()).needs_second


async def test_a_reset_does_not_get_around_the_second_factor(database_url: str) -> None:
    async with place(database_url) as here:
        await here.enable_second(await here.come_in())
        link = token_of(await here.people.links.make("reset", EMAIL, by="test"))
        admitted = await here.accept(link, password="five words are even more")
        assert admitted.needs_second
        assert not (await here.session(admitted.token)).passed_second


async def test_a_halfway_session_ends_after_minutes(database_url: str) -> None:
    async with place(database_url) as here:
        app, _ = await here.enable_second(await here.come_in())
        half = await here.sign_in()
        here.house.clock.advance(HALFWAY_MS / 1_000)
        with pytest.raises(Unauthorized):
            await here.people.entrance.show_second(half.token, here.code(app), HERE)
