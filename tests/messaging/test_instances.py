"""Lines as an account makes, changes and loses them; their secrets never come out."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from sqlalchemy import Table, select

from tablegram.errors import LeaseLost, Misconfigured, NotFound
from tablegram.messaging.instances import Config, Instance, Instances, Secrets
from tablegram.messaging.links import Links, Shown
from tablegram.messaging.records.line_changes import LineChange
from tablegram.messaging.store.links import EVERY_SEALED
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import instances, metadata
from tablegram.values.secrets import SecretBox
from tests.accounts.opened import FORMER_SECRET, SECRET
from tests.messaging.gateway import Gateway, body, gateway

CANARY = "canary-that-must-stay-inside"
SECRETS = Secrets(f"{CANARY}-token", f"{CANARY}-secret", f"{CANARY}-verify")


async def create(
    one: Gateway, kind: str = "cloud", name: str = "", account_id: int = 1, pace: int | None = None
) -> Instance:
    return await one.db.write(
        lambda tx: one.instances.create(tx, account_id, kind, name, Config("1065", "waba"), SECRETS, pace)
    )


def columns_of(table: Table) -> list[str]:
    return [column.name for column in table.columns]


async def everything_stored(one: Gateway) -> str:
    """Every row of every table, as text."""
    rows: list[Any] = []
    for table in metadata.tables.values():
        statement = across_accounts(select(table), "a test searches everything")
        rows += [tuple(row[name] for name in columns_of(table)) for row in await one.db.all(statement)]
    return repr(rows)


async def test_the_first_line_of_an_account_is_its_default(database_url: str) -> None:
    async with gateway(database_url) as one:
        made = [await create(one), await create(one, "sandbox"), await create(one, account_id=2)]
        assert [line.is_default for line in made] == [True, False, True]
        assert [line.state for line in made] == ["created"] * 3


async def test_a_line_without_a_name_gets_one(database_url: str) -> None:
    async with gateway(database_url) as one:
        assert (await create(one, name="Till")).name == "Till"
        assert (await create(one, "sandbox")).name == "sandbox 2"


async def test_a_linked_device_is_made_without_a_phone_and_runs_in_one_place_only(database_url: str) -> None:
    async with gateway(database_url) as one:
        made = await create(one, "linked")
        assert (made.state, made.is_exclusive) == ("created", True)
        assert one.instances.view(made).phone is None
        assert not (await create(one, "sandbox")).is_exclusive


async def test_a_session_is_sealed_moved_to_a_new_key_and_gone_with_its_pairing(database_url: str) -> None:
    async with gateway(database_url) as one:
        made = await create(one, "linked")
        lease = await one.leases.hold("a line")
        assert lease is not None
        link = Links(one.db, SecretBox(FORMER_SECRET), one.clock).of(1, made.id)
        await link.read()
        await link.keep_session(lease, 0, CANARY)
        rotating = Links(one.db, SecretBox(SECRET, FORMER_SECRET), one.clock)
        assert (await rotating.reseal(), await rotating.reseal()) == (1, 0)
        link = one.links.of(1, made.id)
        assert (await link.read()).session == CANARY
        (row,) = await one.db.all(EVERY_SEALED)
        assert CANARY not in row["session"]
        await link.end(lease, 0, "logged_out_here")
        assert ((await link.read()).session, (await link.read()).ended) == ("", "logged_out_here")
        assert await one.db.all(EVERY_SEALED) == []
        # Who lost the line meanwhile keeps nothing.
        await one.leases.free(one.owner.id)
        with pytest.raises(LeaseLost):
            await link.keep_session(lease, 1, CANARY)


async def test_what_belongs_to_a_pairing_that_is_over_changes_nothing_of_the_next(database_url: str) -> None:
    async with gateway(database_url) as one:
        made = await create(one, "linked")
        lease = await one.leases.hold("a line")
        assert lease is not None
        link = one.links.of(1, made.id)
        first = await link.read()
        await link.keep_session(lease, first.epoch, CANARY)
        # Logged out here while the phone ends it too, and somebody wants to pair again between the two.
        await link.log_out()
        wished = await link.read()
        await link.end(lease, first.epoch, "logged_out_by_phone")
        assert (await link.read()).wish == ""
        await link.seek("905551112233")
        for _ in range(2):
            await link.end(lease, first.epoch, "logged_out_here")
            await link.granted(wished.wish_at)
            await link.hide_codes(lease, first.epoch)
        known = await link.read()
        assert (known.wish, known.wish_phone, known.ended) == ("pair", "905551112233", "logged_out_by_phone")
        assert await one.links.wished() == {made.id}
        # The program of before goes on to speak after the next pairing has begun.
        await link.begin_anew(lease, known.epoch)
        late = Shown("late", one.clock.now_ms() + 60_000)
        await link.keep_session(lease, first.epoch, CANARY)
        await link.show_code(lease, first.epoch, late)
        await link.show_typed(lease, first.epoch, late)
        await link.end(lease, first.epoch, "logged_out_by_phone")
        known = await link.read()
        assert (known.session, known.code, known.typed, known.ended, known.is_sought) == ("", None, None, "", True)
        # Two wishes of one moment are two.
        before = known.wish_at
        await link.seek("905551112244")
        await link.granted(before)
        assert (await link.read()).wish_phone == "905551112244"
        one.clock.advance(11 * 60)
        assert not (await link.read()).is_sought


async def test_a_sandbox_line_makes_up_its_own_credentials(database_url: str) -> None:
    async with gateway(database_url) as one:
        first, second = await create(one, "sandbox"), await create(one, "sandbox")
        assert first.secrets.app_secret
        assert CANARY not in repr(first)
        assert first.config != second.config
        assert first.secrets != second.secrets
        assert first.hook_key != second.hook_key


async def test_exactly_one_line_is_the_default(database_url: str) -> None:
    async with gateway(database_url) as one:
        lines = [await create(one) for _ in range(3)]
        await one.db.write(lambda tx: one.instances.make_default(tx, 1, lines[2].id))
        assert [line.is_default for line in await one.instances.of_account(1)] == [False, False, True]


async def test_when_the_default_goes_the_oldest_other_line_takes_over(database_url: str) -> None:
    async with gateway(database_url) as one:
        lines = [await create(one) for _ in range(3)]
        await one.instances.delete(1, lines[1].id)
        assert [line.is_default for line in await one.instances.of_account(1)] == [True, False]
        await one.instances.delete(1, lines[0].id)
        assert [(line.id, line.is_default) for line in await one.instances.of_account(1)] == [(lines[2].id, True)]
        await one.instances.delete(1, lines[2].id)
        assert await one.instances.of_account(1) == []
        assert (await create(one)).is_default


async def test_a_number_is_never_used_again(database_url: str) -> None:
    async with gateway(database_url) as one:
        gone = await create(one)
        await one.instances.delete(1, gone.id)
        assert (await create(one)).id > gone.id


async def test_another_accounts_line_is_as_good_as_none(database_url: str) -> None:
    async with gateway(database_url) as one:
        foreign = await create(one, account_id=2)
        for attempt in (
            lambda: one.instances.get(1, foreign.id),
            lambda: one.instances.update(1, foreign.id, LineChange(name="mine")),
            lambda: one.instances.delete(1, foreign.id),
            lambda: one.db.write(lambda tx: one.instances.make_default(tx, 1, foreign.id)),
        ):
            with pytest.raises(NotFound) as caught:
                await attempt()
            assert caught.value.code == "instance_unknown"
        assert await one.instances.get(2, foreign.id) == foreign


async def test_secrets_are_sealed_in_the_store_and_never_in_a_view(database_url: str) -> None:
    async with gateway(database_url) as one:
        made = await create(one)
        await one.instances.update(1, made.id, LineChange(name="renamed"))
        again = await one.instances.get(1, made.id)
        assert again.secrets == SECRETS
        assert CANARY not in await everything_stored(one)
        assert CANARY not in repr(one.instances.view(again))
        for kind in ("cloud", "sandbox"):
            view = one.instances.view(await create(one, kind))
            assert not {"access_token", "app_secret", "verify_token", "secrets"} & set(body(view))


async def test_a_deleted_line_leaves_no_secret_behind(database_url: str) -> None:
    async with gateway(database_url) as one:
        made = await create(one)
        await one.instances.delete(1, made.id)
        row = await one.db.first(select(instances).where(instances.c.account_id == 1, instances.c.id == made.id))
        assert row is not None
        assert row["secrets"] == ""
        assert await one.instances.by_hook_key(made.hook_key) is None
        with pytest.raises(NotFound):
            await one.instances.get(1, made.id)


async def test_a_change_touches_what_it_names_and_nothing_else(database_url: str) -> None:
    async with gateway(database_url) as one:
        made = await create(one, name="Till", pace=5_000)
        await one.instances.set_state(made, "connected", "")
        renamed = await one.instances.update(1, made.id, LineChange(name="Kitchen"))
        assert (renamed.name, renamed.state, renamed.pace_milli) == ("Kitchen", "connected", 5_000)
        assert renamed.secrets == SECRETS
        resealed = await one.instances.update(1, made.id, LineChange(access_token="new"))
        assert resealed.secrets == msgspec.structs.replace(SECRETS, access_token="new")
        # New credentials deserve a new look.
        assert resealed.state == "created"
        assert (await one.instances.update(1, made.id, LineChange(pace_milli=None))).pace_milli is None


async def test_a_line_that_gets_another_number_forgets_the_one_it_had(database_url: str) -> None:
    async with gateway(database_url) as one:
        made = await create(one)
        assert await one.instances.learn_phone(made, "905551110001")
        assert not await one.instances.learn_phone(made, "905551110009"), "who comes with an old look is not heard"
        known = await one.instances.get(1, made.id)
        assert not await one.instances.learn_phone(known, "905551110001")
        renamed = await one.instances.update(1, made.id, LineChange(name="Till", waba_id="7"))
        assert renamed.config.phone == "905551110001"
        moved = await one.instances.update(1, made.id, LineChange(phone_number_id="1066"))
        assert (moved.config.phone, moved.state) == ("", "created")
        assert not await one.instances.learn_phone(renamed, "905551110009")
        await one.instances.delete(1, made.id)
        assert not await one.instances.learn_phone(moved, "905551110009")


async def test_a_view_tells_what_the_network_has_to_know(database_url: str) -> None:
    async with gateway(database_url, public_url="https://gateway.example") as one:
        cloud = await create(one, name="Till", pace=2_500)
        view = body(one.instances.view(cloud))
        assert view["callback_url"] == f"https://gateway.example/hooks/cloud/{cloud.hook_key}"
        assert {name: view[name] for name in ("id", "kind", "name", "state", "is_default", "pace_per_s")} == {
            "id": cloud.id, "kind": "cloud", "name": "Till", "state": "created", "is_default": True, "pace_per_s": 2.5,
        }  # fmt: skip
        assert len(cloud.hook_key) >= 32
        assert "callback_url" not in body(one.instances.view(await create(one, "sandbox")))


async def test_pages_go_on_where_they_ended(database_url: str) -> None:
    async with gateway(database_url) as one:
        made = [(await create(one)).id for _ in range(5)]
        first = await one.instances.page(1, 0, 3)
        rest = await one.instances.page(1, first[-1].id, 3)
        assert [line.id for line in first + rest] == made


async def test_resealing_moves_every_secret_to_the_present_key(database_url: str) -> None:
    async with gateway(database_url) as one:
        former = Instances(one.db, SecretBox(FORMER_SECRET), one.clock, "")
        made = await one.db.write(lambda tx: former.create(tx, 1, "cloud", "", Config(), SECRETS, None))
        with pytest.raises(Misconfigured):
            await one.instances.get(1, made.id)
        rotating = Instances(one.db, SecretBox(SECRET, FORMER_SECRET), one.clock, "")
        assert await rotating.reseal() == 1
        assert await rotating.reseal() == 0
        assert (await one.instances.get(1, made.id)).secrets == SECRETS
