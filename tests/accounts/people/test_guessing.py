"""Whoever guesses is slowed down however they go about it, learns nothing, and nothing that was used works again."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from tablegram.accounts.people import store
from tablegram.accounts.people.entrance import Admitted, Origin
from tablegram.accounts.people.passwords import Verdict
from tablegram.accounts.people.throttle import FREE_PER_ADDRESS, FREE_PER_NAME, SPREAD
from tablegram.errors import Problem, TooMany, Unauthorized
from tests.accounts.people.visitors import EMAIL, HERE, PASSWORD, Place, place, token_of

WRONG = "wrong words again"


def outcomes(found: list[Any]) -> Counter[str]:
    return Counter(one.code if isinstance(one, Problem) else type(one).__name__ for one in found)


async def at_once(*tries: Any) -> Counter[str]:
    return outcomes(await asyncio.gather(*tries, return_exceptions=True))


async def test_many_passwords_at_the_same_moment_are_no_more_than_a_few(database_url: str) -> None:
    async with place(database_url) as here:
        await here.come_in()
        tries = [here.sign_in(password=WRONG, origin=Origin(f"198.51.100.{one}")) for one in range(40)]
        assert await at_once(*tries) == {"sign_in_refused": SPREAD.burst, "too_many_attempts": 40 - SPREAD.burst}
        tries = [here.sign_in("bob@example.com", WRONG) for one in range(40)]
        assert await at_once(*tries) == {"sign_in_refused": FREE_PER_NAME, "too_many_attempts": 40 - FREE_PER_NAME}


async def test_many_codes_at_the_same_moment_are_no_more_than_a_few(database_url: str) -> None:
    async with place(database_url) as here:
        await here.enable_second(await here.come_in())
        half = (await here.sign_in()).token
        tries = [here.people.entrance.show_second(half, f"{one:06}", Origin(f"198.51.100.{one}")) for one in range(40)]
        found = await at_once(*tries)
        assert (found["too_many_attempts"], found["Admitted"]) == (40 - FREE_PER_NAME, 0)


async def test_another_way_to_write_an_address_is_no_other_name(database_url: str) -> None:
    async with place(database_url) as here:
        await here.come_in()
        spelled = (EMAIL, EMAIL.upper(), f" {EMAIL}", f"{EMAIL}\t", f"\u00a0{EMAIL.title()}\n")
        for email in spelled:
            with pytest.raises(Unauthorized):
                await here.sign_in(email, WRONG)
        with pytest.raises(TooMany):
            await here.sign_in()


async def test_all_addresses_of_one_household_count_together(database_url: str) -> None:
    async with place(database_url) as here:
        await here.come_in()
        for number in range(FREE_PER_ADDRESS):
            with pytest.raises(Unauthorized):
                await here.sign_in(f"guess{number}@example.com", WRONG, Origin(f"2001:db8:1:1::{number:x}"))
        with pytest.raises(TooMany):
            await here.sign_in(origin=Origin("2001:db8:1:1:ffff::1"))
        await here.sign_in(origin=Origin("2001:db8:1:2::1"))


async def test_a_team_behind_one_address_is_not_slowed_down_by_coming_in(database_url: str) -> None:
    async with place(database_url) as here:
        await here.come_in()
        for _ in range(FREE_PER_ADDRESS + 5):
            await here.sign_in()
        # Nor does coming in wipe out what was guessed from there.
        for number in range(FREE_PER_ADDRESS):
            with pytest.raises(Unauthorized):
                await here.sign_in(f"guess{number}@example.com", WRONG)
            if number == FREE_PER_ADDRESS // 2:
                await here.sign_in()
        with pytest.raises(TooMany):
            await here.sign_in()


async def test_a_code_at_the_same_moment_lets_one_in(database_url: str) -> None:
    async with place(database_url) as here:
        app, codes = await here.enable_second(await here.come_in())
        here.house.clock.advance(60)
        for code in (here.code(app), codes[0]):
            halves = [(await here.sign_in()).token for _ in range(4)]
            found = await at_once(*[here.people.entrance.show_second(half, code, HERE) for half in halves])
            assert found["Admitted"] == 1, found
            here.house.clock.advance(3_700)


async def test_a_link_at_the_same_moment_joins_once(database_url: str) -> None:
    async with place(database_url) as here:
        cookie = await here.come_in()
        other = await here.house.accounts.create("Other")
        link = await here.invite(EMAIL, "staff", other)
        session = await here.session(cookie)
        found = await at_once(*[here.people.entrance.join(link, session) for _ in range(4)])
        assert found == {"int": 1, "link_used": 3}


async def test_asking_for_a_new_password_does_the_same_work_for_everybody(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with place(database_url) as here:
        await here.come_in()
        asked: list[str] = []
        for name in ("first", "all", "put", "write"):
            usual = getattr(here.house.db, name)

            def counted(*given: Any, usual: Any = usual, name: str = name) -> Any:
                asked.append(name)
                return usual(*given)

            monkeypatch.setattr(here.house.db, name, counted)
        work = []
        for email in (EMAIL, "nobody@example.com"):
            asked.clear()
            await here.people.entrance.forgot(email, "en", HERE)
            work.append(list(asked))
            await here.settle()
        assert work[0] == work[1]
        work.clear()
        for email in (EMAIL, "nobody@example.com"):
            asked.clear()
            with pytest.raises(Unauthorized):
                await here.sign_in(email, WRONG)
            work.append(list(asked))
            await here.settle()
        assert work[0] == work[1]
        assert "sign_in.refused" in await here.actions()


async def sessions(here: Place) -> int:
    person = await here.people.register.find(EMAIL)
    assert person is not None
    return len(await here.people.sessions.list_sessions(person.id))


async def test_who_signs_in_while_the_password_changes_does_not_slip_through(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old password was checked just before a link set a new one."""
    async with place(database_url) as here:
        await here.come_in()
        reset = token_of(await here.people.links.make("reset", EMAIL, by="test"))
        passwords: Any = here.people.entrance._passwords
        usual = passwords.check

        async def check(stored: str | None, password: str) -> Verdict:
            verdict: Verdict = await usual(stored, password)
            here.house.clock.advance(1)
            await here.accept(reset, password="five words are even more")
            return verdict

        monkeypatch.setattr(passwords, "check", check)
        with pytest.raises(Unauthorized) as caught:
            await here.sign_in(password=PASSWORD)
        assert caught.value.code == "sign_in_changed"
        assert await sessions(here) == 1


async def test_who_signs_in_while_the_second_factor_comes_shows_it(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with place(database_url) as here:
        cookie = await here.come_in()
        passwords: Any = here.people.entrance._passwords
        usual = passwords.check

        async def check(stored: str | None, password: str) -> Verdict:
            verdict: Verdict = await usual(stored, password)
            monkeypatch.setattr(passwords, "check", usual)
            await here.enable_second(cookie)
            return verdict

        monkeypatch.setattr(passwords, "check", check)
        with pytest.raises(Unauthorized):
            await here.sign_in()
        assert await sessions(here) == 1


async def test_a_reset_by_two_at_once_leaves_one_password_and_one_session(database_url: str) -> None:
    async with place(database_url) as here:
        await here.come_in()
        reset = token_of(await here.people.links.make("reset", EMAIL, by="test"))
        words = [f"{word} words are even more" for word in ("five", "nine", "sixty")]
        found = await asyncio.gather(*[here.accept(reset, password=one) for one in words], return_exceptions=True)
        assert outcomes(found) == {"Admitted": 1, "link_used": 2}
        works = [isinstance(one, Admitted) for one in found]
        for password, fits in zip(words, works, strict=True):
            if fits:
                await here.sign_in(password=password)
            else:
                with pytest.raises(Unauthorized):
                    await here.sign_in(password=password)
        row = await here.house.db.first(store.PERSON_BY_EMAIL, {"email": EMAIL})
        assert row is not None
