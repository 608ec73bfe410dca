from __future__ import annotations

import asyncio

import pytest

from tablegram.accounts.keys import keys as keys_module
from tablegram.accounts.keys.key_format import mint
from tablegram.accounts.scopes import SCOPES
from tablegram.errors import Conflict, Invalid, NotFound, ScopeMissing, Unauthorized
from tablegram.storage.database import Query
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import api_keys
from tablegram.values.secrets import SecretBox
from tests.accounts.opened import FORMER_SECRET, SECRET, opened

ALL_KEYS = Query(across_accounts(api_keys.select(), "a test looks at everything that is stored"))


async def code_of(ring: keys_module.KeyRing, token: str | None) -> str:
    try:
        await ring.authenticate(token)
    except Unauthorized as refusal:
        return refusal.code if refusal.status == 401 and refusal.detail else "a refusal without a reason"
    return "ok"


async def test_a_new_key_is_recognised_with_everything_about_it(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        made = await house.keys.create(account.id, name="till", scopes=["messages:send"], mode="test")
        caller = await house.keys.authenticate(made.token)
        assert (caller.account_id, caller.account_name, caller.key_id) == (account.id, "Meze", made.record.id)
        assert (caller.mode, caller.rate, caller.burst, caller.prepaid) == ("test", 50.0, 100, False)
        assert caller.has("messages:send")
        assert not caller.has("messages:read")
        with pytest.raises(ScopeMissing, match="messages:read"):
            caller.require("messages:read")


async def test_the_star_has_every_scope(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        caller = await house.keys.authenticate((await house.keys.create(account.id)).token)
        assert all(caller.has(scope) for scope in SCOPES)


async def test_the_key_itself_is_nowhere_in_the_store(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        token = (await house.keys.create(account.id)).token
        (row,) = await house.db.all(ALL_KEYS)
        stored = " ".join(str(row[name]) for name in row.keys())  # noqa: SIM118 (a row iterates over values)
        assert token not in stored
        assert token[8:48] not in stored


async def test_every_reason_for_refusal_has_its_code(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        token = (await house.keys.create(account.id)).token
        brief = (await house.keys.create(account.id, expires_at=house.clock.now_ms() + 1_000)).token
        ended = await house.keys.create(account.id)
        await house.keys.revoke(account.id, ended.record.id)
        house.clock.advance(1)
        assert await code_of(house.keys, None) == "key_missing"
        assert await code_of(house.keys, "") == "key_missing"
        assert await code_of(house.keys, token[:-1]) == "key_malformed"
        assert await code_of(house.keys, mint("live")) == "key_unknown"
        assert await code_of(house.keys, brief) == "key_expired"
        assert await code_of(house.keys, ended.token) == "key_revoked"
        assert await code_of(house.keys, token) == "ok"
        await house.accounts.suspend(account.id)
        house.keys.forget(account.id)
        assert await code_of(house.keys, token) == "account_suspended"


async def test_a_second_look_needs_no_store(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        token = (await house.keys.create(account.id)).token
        assert house.keys.cached(token) is None
        caller = await house.keys.authenticate(token)
        assert house.keys.cached(token) is caller
        house.clock.advance(keys_module.CALLER_LIFETIME_S)
        assert house.keys.cached(token) is None


async def test_a_revocation_elsewhere_acts_within_five_seconds(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        made = await house.keys.create(account.id)
        server = house.another_process()
        assert await code_of(server, made.token) == "ok"
        await house.keys.revoke(account.id, made.record.id)
        house.clock.advance(5)
        assert await code_of(server, made.token) == "key_revoked"


async def test_a_revocation_here_acts_at_once_even_with_a_look_up_under_way(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        made = await house.keys.create(account.id)
        under_way = asyncio.create_task(house.keys.authenticate(made.token))
        await asyncio.sleep(0)
        await house.keys.revoke(account.id, made.record.id)
        await asyncio.wait([under_way])
        assert await code_of(house.keys, made.token) == "key_revoked"


async def test_a_key_ends_at_its_expiry_although_it_is_remembered(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        token = (await house.keys.create(account.id, expires_at=house.clock.now_ms() + 1_500)).token
        assert await code_of(house.keys, token) == "ok"
        house.clock.advance(1.5)
        assert house.keys.cached(token) is None
        assert await code_of(house.keys, token) == "key_expired"


async def test_many_requests_at_once_ask_the_store_once(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        token = (await house.keys.create(account.id)).token
        asked = 0
        first = house.db.first

        async def counted(*arguments: object) -> object:
            nonlocal asked
            asked += 1
            return await first(*arguments)  # type: ignore[call-overload]

        monkeypatch.setattr(house.db, "first", counted)
        given_up = asyncio.create_task(house.keys.authenticate(token))
        others = [asyncio.create_task(house.keys.authenticate(token)) for _ in range(50)]
        await asyncio.sleep(0)
        given_up.cancel()
        assert {caller.account_id for caller in await asyncio.gather(*others)} == {account.id}
        assert asked == 1


async def test_memory_stays_bounded_under_wrong_keys(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys_module, "MAX_CACHED", 20)
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        for _ in range(30):
            assert await code_of(house.keys, mint("live")) == "key_unknown"
            assert await code_of(house.keys, (await house.keys.create(account.id)).token) == "ok"
        assert len(house.keys._denials) == 20
        assert len(house.keys._callers) == 20


async def test_last_use_is_noted_at_most_once_a_minute(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        made = await house.keys.create(account.id)

        async def use() -> int | None:
            await house.keys.authenticate(made.token)
            await house.keys.settle()
            return (await house.keys.get(account.id, made.record.id)).last_used_at

        first = await use()
        assert first == house.clock.now_ms()
        house.clock.advance(59)
        assert await use() == first
        house.clock.advance(3)
        assert await use() == house.clock.now_ms()


async def test_keys_survive_a_rotation_of_the_secret_key(database_url: str) -> None:
    async with opened(database_url, box=SecretBox(FORMER_SECRET)) as house:
        account = await house.accounts.create("Meze")
        token = (await house.keys.create(account.id)).token
        unused = (await house.keys.create(account.id)).token
        rotating = house.another_process(SecretBox(SECRET, FORMER_SECRET))
        assert await code_of(rotating, token) == "ok"
        await rotating.settle()
        rotated = house.another_process(SecretBox(SECRET))
        assert await code_of(rotated, token) == "ok"
        assert await code_of(rotated, unused) == "key_unknown"


async def test_an_account_may_have_limits_of_its_own(database_url: str) -> None:
    async with opened(database_url, rate_limit=7.0, rate_burst=9) as house:
        account = await house.accounts.create("Meze")
        token = (await house.keys.create(account.id)).token
        caller = await house.keys.authenticate(token)
        assert (caller.rate, caller.burst) == (7.0, 9)
        await house.accounts.set_limits(account.id, 0.5, 3)
        house.clock.advance(5)
        caller = await house.keys.authenticate(token)
        assert (caller.rate, caller.burst) == (0.5, 3)


async def test_a_caller_cannot_give_away_what_it_lacks(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        until = house.clock.now_ms() + 60_000
        token = (
            await house.keys.create(account.id, mode="test", scopes=["keys:manage", "messages:send"], expires_at=until)
        ).token
        caller = await house.keys.authenticate(token)

        async def refused(**wishes: object) -> str:
            wanted = {"mode": "test", "scopes": ["messages:send"], "expires_at": until, **wishes}
            with pytest.raises(Invalid) as refusal:
                await house.keys.create(account.id, granted_by=caller, **wanted)  # type: ignore[arg-type]
            return refusal.value.code

        assert await refused(scopes=["*"]) == "scope_beyond_caller"
        assert await refused(scopes=["messages:read"]) == "scope_beyond_caller"
        assert await refused(mode="live") == "mode_beyond_caller"
        assert await refused(expires_at=None) == "expiry_beyond_caller"
        assert await refused(expires_at=until + 1) == "expiry_beyond_caller"
        made = await house.keys.create(
            account.id, granted_by=caller, mode="test", scopes=["messages:send"], expires_at=until
        )
        assert made.record.scopes == ("messages:send",)


@pytest.mark.parametrize(
    ("wishes", "code"),
    [
        ({"scopes": ["messages:fly"]}, "scope_unknown"),
        ({"scopes": []}, "scopes_empty"),
        ({"mode": "prod"}, "mode_unknown"),
        ({"expires_at": 1}, "expiry_past"),
        ({"name": "x" * 101}, "name_too_long"),
        ({"name": "a\nb"}, "name_unprintable"),
    ],
)
async def test_a_wrong_wish_is_refused_and_nothing_is_made(
    database_url: str, wishes: dict[str, object], code: str
) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        with pytest.raises(Invalid) as refusal:
            await house.keys.create(account.id, **wishes)  # type: ignore[arg-type]
        assert refusal.value.code == code
        assert await house.keys.list_keys(account.id) == []


async def test_a_key_is_found_by_any_of_its_names_within_its_account_only(database_url: str) -> None:
    async with opened(database_url) as house:
        mine, other = await house.accounts.create("Meze"), await house.accounts.create("Kebap")
        made = await house.keys.create(mine.id)
        for reference in (made.record.id, made.record.id[:20], made.record.last4, made.token):
            assert (await house.keys.find(mine.id, reference)).id == made.record.id
            with pytest.raises(NotFound):
                await house.keys.find(other.id, reference)
        with pytest.raises(NotFound):
            await house.keys.find(mine.id, "")
        with pytest.raises(NotFound):
            await house.keys.revoke(other.id, made.record.id)
        assert await code_of(house.keys, made.token) == "ok"


async def test_a_reference_that_fits_two_keys_revokes_neither(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        # Made in the same millisecond: the first ten characters of their ids, the time, are the same.
        first, second = await house.keys.create(account.id), await house.keys.create(account.id)
        with pytest.raises(Conflict) as refusal:
            await house.keys.find(account.id, first.record.id[:10])
        assert refusal.value.code == "key_ambiguous"
        assert second.record.id in refusal.value.detail


async def test_revoking_twice_keeps_the_first_time(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        made = await house.keys.create(account.id)
        first = await house.keys.revoke(account.id, made.record.id)
        house.clock.advance(60)
        assert await house.keys.revoke(account.id, made.record.id) == first


async def test_keys_are_listed_in_pages(database_url: str) -> None:
    async with opened(database_url) as house:
        account = await house.accounts.create("Meze")
        made = {(await house.keys.create(account.id)).record.id for _ in range(5)}
        first = await house.keys.list_keys(account.id, limit=3)
        rest = await house.keys.list_keys(account.id, after=first[-1].id, limit=3)
        assert [len(first), len(rest)] == [3, 2]
        assert {key.id for key in first + rest} == made
