"""How long a session lasts, who sees it, and what ends it."""

from __future__ import annotations

import pytest

from tablegram.accounts.people import store
from tablegram.accounts.people.entrance import Origin
from tablegram.accounts.people.sessions import LONGEST_MS, SLIDING_MS, TOUCH_EVERY_MS
from tablegram.errors import Gone, Invalid, NotFound, Unauthorized
from tablegram.storage.database import Row
from tests.accounts.people.visitors import EMAIL, HERE, PASSWORD, Place, place, token_of

pytestmark = pytest.mark.later


async def test_a_new_password_ends_every_other_session_and_the_old_password(database_url: str) -> None:
    async with place(database_url) as here:
        here_cookie = await here.come_in()
        elsewhere = (await here.sign_in()).token
        session = await here.session(here_cookie)
        change = here.people.entrance.change_password
        with pytest.raises(Invalid):
            await change(session, here_cookie, "not it", "five words are even more", HERE)
        await change(session, here_cookie, PASSWORD, "five words are even more", HERE)
        assert await here.people.sessions.find(elsewhere) is None
        assert await here.people.sessions.find(here_cookie) is not None
        with pytest.raises(Unauthorized):
            await here.sign_in()
        await here.sign_in(password="five words are even more")


async def test_a_reset_ends_every_session_and_every_other_reset_link(database_url: str) -> None:
    async with place(database_url) as here:
        cookie = await here.come_in()
        links = [token_of(await here.people.links.make("reset", EMAIL, by="test")) for _ in range(2)]
        await here.accept(links[0], name="", password="five words are even more")
        assert await here.people.sessions.find(cookie) is None
        with pytest.raises(Gone):
            await here.accept(links[1], password="and six words are the most")


async def test_a_session_slides_on_and_ends_when_nobody_comes(database_url: str) -> None:
    async with place(database_url) as here:
        cookie = await here.come_in()
        for _ in range(5):
            here.house.clock.advance(SLIDING_MS / 1_000 - 60)
            assert await here.people.sessions.find(cookie) is not None
            await here.people.sessions.settle()
        here.house.clock.advance(SLIDING_MS / 1_000)
        assert await here.people.sessions.find(cookie) is None
        again = (await here.sign_in()).token
        for _ in range(LONGEST_MS // SLIDING_MS + 2):
            here.house.clock.advance(SLIDING_MS / 1_000 - 60)
            await here.people.sessions.find(again)
            await here.people.sessions.settle()
        assert await here.people.sessions.find(again) is None


async def test_looking_costs_no_write_but_one_in_minutes(database_url: str) -> None:
    async with place(database_url) as here:
        cookie = await here.come_in()
        row = await _row(here, cookie)
        for _ in range(10):
            here.house.clock.advance(10)
            await here.session(cookie)
        await here.people.sessions.settle()
        assert (await _row(here, cookie))["last_seen_at"] == row["last_seen_at"]
        here.house.clock.advance(TOUCH_EVERY_MS / 1_000)
        await here.session(cookie)
        await here.people.sessions.settle()
        assert (await _row(here, cookie))["last_seen_at"] == here.house.clock.now_ms()


async def _row(here: Place, cookie: str) -> Row:
    person = (await here.session(cookie)).person.id
    return (await here.house.db.all(store.SESSIONS_OF, {"person_id": person, "now": 0}))[0]


async def test_who_is_removed_or_changed_elsewhere_is_so_within_five_seconds(database_url: str) -> None:
    async with place(database_url) as here:
        await here.come_in()
        cookie = await here.come_in("bob@example.com", "manager")
        assert (await here.session(cookie)).caller.has("webhooks:manage")
        await here.house.team.change_role(here.account.id, "bob@example.com", "kitchen")
        here.house.clock.advance(5)
        assert not (await here.session(cookie)).caller.has("webhooks:manage")
        await here.house.accounts.suspend(here.account.id)
        here.house.clock.advance(5)
        assert (await here.session(cookie)).caller.scopes == frozenset()
        await here.house.team.remove(here.account.id, "bob@example.com")
        here.house.clock.advance(5)
        assert await here.people.sessions.find(cookie) is None
        with pytest.raises(Unauthorized) as caught:
            await here.sign_in("bob@example.com")
        assert caught.value.code == "no_account"


async def test_own_sessions_are_listed_and_ended_and_nobody_elses(database_url: str) -> None:
    async with place(database_url) as here:
        one = await here.come_in()
        two = (await here.sign_in(origin=Origin("192.0.2.8", "Phone"))).token
        bob = await here.come_in("bob@example.com", "staff")
        mine = await here.session(one)
        listed = await here.people.sessions.list_sessions(mine.person.id, mine.id)
        assert {(record.remote, record.current) for record in listed} == {("192.0.2.7", True), ("192.0.2.8", False)}
        foreign = (await here.session(bob)).id
        with pytest.raises(NotFound):
            await here.people.sessions.close_one(mine.person.id, foreign)
        await here.people.sessions.close_one(mine.person.id, (await here.session(two)).id)
        assert await here.people.sessions.find(two) is None
        await here.people.sessions.close_others(mine.person.id)
        assert await here.people.sessions.find(one) is None
        assert await here.people.sessions.find(bob) is not None
