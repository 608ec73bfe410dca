"""Strangers who guess keep nobody out: not from elsewhere, not from a device that is known, not who has a second factor."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablegram.accounts.people.devices import LASTS_MS
from tablegram.accounts.people.entrance import Origin
from tablegram.accounts.people.throttle import FREE_PER_NAME, LONGEST_WAIT_S, SPREAD, Throttle
from tablegram.errors import Problem, TooMany, Unauthorized
from tests.accounts.people.visitors import EMAIL, HERE, PASSWORD, Place, place

WRONG = "wrong words again"
ELSEWHERE = Origin("203.0.113.50")


async def guess(here: Place, times: int, *, spread: bool = False, email: str = EMAIL) -> list[str]:
    """A stranger's tries: from one address, or each from another."""
    told = []
    for number in range(times):
        with pytest.raises(Problem) as caught:
            await here.sign_in(email, WRONG, Origin(f"198.51.100.{number if spread else 1}"))
        told.append(caught.value.code)
    return told


async def test_one_stranger_keeps_out_nobody_but_himself(database_url: str) -> None:
    async with place(database_url) as here:
        await here.come_in()
        # As long as an evening, with every try as early as it may be.
        for _ in range(60):
            told = await guess(here, 9)
            assert told[-1] == "too_many_attempts"
            here.house.clock.advance(LONGEST_WAIT_S)
            await here.sign_in(origin=ELSEWHERE)


async def test_many_strangers_are_slowed_down_together_and_who_is_known_gets_in(database_url: str) -> None:
    async with place(database_url) as here:
        await here.come_in()
        device = (await here.sign_in()).device
        told = await guess(here, SPREAD.burst + 20, spread=True)
        assert told == ["sign_in_refused"] * SPREAD.burst + ["too_many_attempts"] * 20

        # Nothing tells whether the password was right, or whether there is such a person.
        await guess(here, SPREAD.burst + 20, spread=True, email="nobody@example.com")
        refusals = set()
        for email, password in ((EMAIL, PASSWORD), (EMAIL, WRONG), ("nobody@example.com", PASSWORD)):
            with pytest.raises(TooMany) as caught:
                await here.sign_in(email, password, ELSEWHERE)
            refusals.add((caught.value.code, caught.value.detail, caught.value.retry_after_s))
        assert len(refusals) == 1

        known = Origin(ELSEWHERE.remote, device=device)
        cookie = (await here.sign_in(origin=known)).token
        app, _ = await here.enable_second(cookie)
        # With the right password the second factor is asked for; a wrong one learns nothing of that.
        half = await here.sign_in(origin=Origin("203.0.113.51"))
        assert half.needs_second
        assert half.device == ""
        with pytest.raises(TooMany):
            await here.sign_in(password=WRONG, origin=Origin("203.0.113.52"))
        here.house.clock.advance(60)
        whole = await here.people.entrance.show_second(half.token, here.code(app), Origin("203.0.113.51"))
        assert (await here.sign_in(origin=Origin("203.0.113.53", device=whole.device))).needs_second


async def test_a_device_has_tries_of_its_own_and_cannot_be_made_up(database_url: str) -> None:
    async with place(database_url) as here:
        await here.come_in()
        device = (await here.sign_in()).device
        await here.come_in("bob@example.com", "staff")
        shared = (await here.sign_in("bob@example.com", origin=Origin(HERE.remote, device=device))).device
        await guess(here, SPREAD.burst + 5, spread=True)

        nothing: dict[str, str] = {
            "none": "",
            "made up": "x" * 200,
            "endless": device * 100,
            "damaged": device[:-2] + ("AA" if device[-2:] != "AA" else "BB"),
            "another's": (await here.sign_in("bob@example.com")).device,
        }
        for shown in nothing.values():
            with pytest.raises(TooMany):
                await here.sign_in(origin=Origin(ELSEWHERE.remote, device=shown))
        # A tablet is known for everybody who came in with it.
        for shown in (device, shared):
            await here.sign_in(origin=Origin(ELSEWHERE.remote, device=shown))

        for _ in range(FREE_PER_NAME):
            with pytest.raises(Unauthorized):
                await here.sign_in(password=WRONG, origin=Origin("192.0.2.99", device=device))
        with pytest.raises(TooMany):
            await here.sign_in(origin=Origin("192.0.2.99", device=device))
        here.house.clock.advance(LASTS_MS / 1_000)
        await guess(here, SPREAD.burst + 5, spread=True)
        with pytest.raises(TooMany):
            await here.sign_in(origin=Origin("192.0.2.99", device=device))


async def test_the_same_work_is_done_while_many_guess(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with place(database_url) as here:
        await here.enable_second(await here.come_in())
        await guess(here, SPREAD.burst + 1, spread=True)
        await guess(here, SPREAD.burst + 1, spread=True, email="nobody@example.com")
        await here.settle()
        done: list[str] = []
        passwords: Any = here.people.entrance._passwords
        for holder, name in ((here.house.db, "first"), (here.house.db, "put"), (passwords, "check")):
            usual = getattr(holder, name)

            def counted(*given: Any, usual: Any = usual, name: str = name) -> Any:
                done.append(name)
                return usual(*given)

            monkeypatch.setattr(holder, name, counted)
        work = []
        for email in (EMAIL, "nobody@example.com"):
            done.clear()
            with pytest.raises(TooMany):
                await here.sign_in(email, WRONG, ELSEWHERE)
            work.append(list(done))
        assert work[0] == work[1] == ["first", "check"]


TRIES = st.lists(
    st.tuples(
        st.sampled_from(["alone", "10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.5", "device"]),
        st.booleans(),
        st.sampled_from([0, 0, 0, 0, 1, 5, 61, 301]),
    ),
    max_size=150,
)


@given(tries=TRIES)
def test_whatever_strangers_do_the_known_are_heard_and_guesses_are_few(tries: list[tuple[str, bool, int]]) -> None:
    now_s = 1_000.0
    throttle = Throttle(lambda: now_s)
    began_s, heard, waits = now_s, 0, [1]
    for who, right, pause_s in tries:
        now_s += pause_s
        if who in ("alone", "device"):
            # They never err, so whatever the others do they are heard: by their device, or until too many guess.
            made = throttle.begin_sign_in("ada", "192.0.2.7", device="d" if who == "device" else "")
            assert who == "alone" or not made.wait_s
            throttle.succeeded(made)
            continue
        try:
            made = throttle.begin_sign_in("ada", who)
        except TooMany as problem:
            waits.append(problem.retry_after_s or 0)
            continue
        if made.wait_s:
            continue
        if right:
            throttle.succeeded(made)
        else:
            heard += 1
    assert 0 < min(waits) <= max(waits) <= LONGEST_WAIT_S
    assert heard <= SPREAD.burst + (now_s - began_s) * SPREAD.rate + 1
