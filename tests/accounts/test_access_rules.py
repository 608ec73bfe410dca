"""Who may do what, how guesses are slowed down, and which calls are shown."""

from __future__ import annotations

import asyncio
import gc

import pytest

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys import bodies, store
from tablegram.accounts.keys.calls import CallFilter
from tablegram.accounts.keys.denials import EXPIRED, REVOKED, SUSPENDED, denial_of
from tablegram.accounts.keys.key_format import mint
from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.people.throttle import FIRST_WAIT_S, FREE_PER_ADDRESS, FREE_PER_NAME, Throttle
from tablegram.accounts.roles import SCOPES, check_may_give
from tablegram.accounts.rows import Validity
from tablegram.accounts.scopes import ALL, OPERATE
from tablegram.errors import ScopeMissing, TooMany, Unauthorized, Unavailable
from tablegram.storage.database import Row
from tablegram.values.authors import MEMBER_PREFIX
from tests.accounts.opened import opened
from tests.engine.waiting import until


def _caller(*scopes: str, key_id: str = "k1") -> Caller:
    return Caller(1, "Meze", key_id, "till", "live", frozenset(scopes), 1.0, 1, "", False, None)


def test_a_scope_is_had_by_name_or_by_the_star_and_operating_by_name_alone() -> None:
    assert [_caller("a").has(scope) for scope in ("a", "b")] == [True, False]
    assert [_caller(ALL).has(scope) for scope in ("a", OPERATE)] == [True, False]
    assert _caller(OPERATE).has(OPERATE)
    _caller("b").require("a", "b")
    for caller, scope, words in (
        (_caller("a"), "b", "This key lacks"), (_caller("a", key_id=f"{MEMBER_PREFIX}7"), "b", "Your role"),
        (_caller(ALL), OPERATE, "--operator"),
    ):  # fmt: skip
        with pytest.raises(ScopeMissing, match=words):
            caller.require(scope)


def test_nobody_gives_a_role_that_may_do_more_than_they() -> None:
    check_may_give(SCOPES["kitchen"], "kitchen")
    check_may_give(frozenset({ALL}), "staff")
    for role in ("staff", "owner"):
        with pytest.raises(ScopeMissing) as refused:
            check_may_give(SCOPES["kitchen"], role)
        assert refused.value.code == "role_beyond_caller"


def test_a_success_takes_back_its_own_try_and_no_other_of_its_address() -> None:
    throttle = Throttle(lambda: 1_000.0)
    for number in range(FREE_PER_ADDRESS - 1):
        throttle.begin(f"guest {number}", "198.51.100.1")
    throttle.succeeded(throttle.begin("ayse", "198.51.100.1"))
    throttle.begin("mehmet", "198.51.100.1")
    with pytest.raises(TooMany):
        throttle.begin("one too many", "198.51.100.1")
    # Of two tries, the one that failed stays.
    other = Throttle(lambda: 1_000.0)
    other.begin("guest", "198.51.100.2")
    other.succeeded(other.begin("ayse", "198.51.100.2"))
    assert [known.count for known in other._failures.values()] == [1, 1]


def test_a_body_is_looked_into_up_to_its_limit() -> None:
    most = b'"' + b"x" * (bodies.MAX_RAW_BYTES - 2) + b'"'
    assert "too large" not in bodies.shown(most)
    assert "too large" in bodies.shown(most + b" ")


def test_why_a_key_does_not_work_is_told_in_the_order_that_matters() -> None:
    row: Validity = {"revoked_at": None, "expires_at": None, "state": "active"}
    assert denial_of(row, 100) is None
    assert [denial_of({**row, "expires_at": at}, 100) for at in (99, 100, 101)] == [EXPIRED, EXPIRED, None]
    assert denial_of({**row, "state": "suspended"}, 100) is SUSPENDED
    assert denial_of({"revoked_at": 1, "expires_at": 1, "state": "suspended"}, 100) is REVOKED


def test_a_status_is_one_or_a_hundred_and_nonsense_is_all() -> None:
    everything = CallFilter().bounds()
    assert [CallFilter(status=text).bounds() for text in ("404", "4xx", "5xx")] == [(404, 404), (400, 499), (500, 599)]
    assert {CallFilter(status=text).bounds() for text in ("", "40", "4040", "xxx", "4x4")} == {everything}


def test_after_a_few_failures_each_try_waits_longer_by_name_by_address_and_by_device() -> None:
    now = 1_000.0
    throttle = Throttle(lambda: now)
    for number in range(FREE_PER_NAME):
        throttle.begin("ayse", f"192.0.2.{number}")
        throttle.begin("ayse", "", device="phone")
    for place in ({"remote": "192.0.2.200"}, {"remote": "", "device": "phone"}):
        with pytest.raises(TooMany):
            throttle.begin("ayse", **place)
    # Others are not kept waiting, and neither is who waited.
    throttle.begin("mehmet", "192.0.2.201")
    throttle.begin("ayse", "", device="tablet")
    now += FIRST_WAIT_S
    throttle.begin("ayse", "192.0.2.202")
    throttle.begin("ayse", "", device="phone")
    with pytest.raises(TooMany):
        throttle.begin("ayse", "192.0.2.203")
    for number in range(FREE_PER_ADDRESS):
        throttle.begin(f"guest {number}", "198.51.100.1")
    with pytest.raises(TooMany):
        throttle.begin("somebody new", "198.51.100.1")


async def test_who_switches_bodies_off_takes_away_what_was_kept(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        token = (await house.keys.create(account.id)).token
        caller = await house.keys.authenticate(token)
        desk = bodies.Bodies(house.db, house.keys, Audit(house.db, house.clock))
        row = {"account_id": account.id, "id": "r1", "request": "a", "answer": "b", "created_at": 1}
        for wanted in (True, False):
            await desk.keep(caller, wanted)
            # Here it acts at once, although the key is remembered.
            assert (await house.keys.authenticate(token)).keeps_bodies == wanted
            if wanted:
                await house.db.put((store.INSERT_BODIES, row))
            assert (await desk.of(caller, "r1") is not None) == wanted


async def test_a_key_that_was_refused_is_refused_again_without_a_look(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(database_url) as house:
        token, looks = mint("live"), 0
        look = house.keys._row_of

        async def counted(token: str) -> Row | None:
            nonlocal looks
            looks += 1
            return await look(token)

        monkeypatch.setattr(house.keys, "_row_of", counted)
        for wanted in (1, 1, 2):
            with pytest.raises(Unauthorized):
                await house.keys.authenticate(token)
            assert looks == wanted
            # For a second; a key that is made meanwhile works soon.
            house.clock.advance(0.6)


async def test_a_look_that_fails_when_nobody_waits_any_more_is_no_ones_error(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(database_url) as house:
        gate, told = asyncio.Event(), list[object]()

        async def fail(token: str) -> Row | None:
            await gate.wait()
            raise Unavailable("the store is down")

        monkeypatch.setattr(house.keys, "_row_of", fail)
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context))
        for ends in ("is given up", "fails"):
            request = asyncio.create_task(house.keys.authenticate(mint("live")))
            await until(lambda: bool(house.keys._lookups))
            request.cancel()
            if ends == "fails":
                gate.set()
            else:
                (look,) = house.keys._lookups.values()
                look.cancel()
            await until(lambda: not house.keys._lookups)
            await asyncio.sleep(0)
            gc.collect()
            assert told == [], ends


async def test_a_look_that_read_the_key_before_it_was_revoked_is_not_remembered(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        made = await house.keys.create(account.id)
        look, has_read, gate = house.keys._row_of, asyncio.Event(), asyncio.Event()

        async def slow(token: str) -> Row | None:
            row = await look(token)
            has_read.set()
            await gate.wait()
            return row

        with monkeypatch.context() as slowly:
            slowly.setattr(house.keys, "_row_of", slow)
            under_way = asyncio.create_task(house.keys.authenticate(made.token))
            await has_read.wait()
            await house.keys.revoke(account.id, made.record.id)
            gate.set()
            assert (await under_way).account_id == account.id, "it came before"
        with pytest.raises(Unauthorized):
            await house.keys.authenticate(made.token)
