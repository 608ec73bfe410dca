"""What somebody wants of a line that another process has is done there, at once, and once."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from tablegram.engine.idempotency import Call
from tablegram.engine.leases import Lease
from tablegram.engine.together import questions
from tablegram.errors import Conflict, Unavailable
from tablegram.flows.files.fetching import Fetching
from tablegram.flows.gateway import lines
from tablegram.media.files import want
from tablegram.media.spool import Spool
from tablegram.media.vaults.folder import FolderVault
from tablegram.messaging.links import Shown
from tablegram.messaging.ports import Health, NetworkRefused, Pairing
from tablegram.messaging.switchboard import LiveLine
from tablegram.messaging.transmission import holders
from tablegram.storage.database import Query, Row
from tablegram.storage.tables import events, media, messages
from tests.engine.carriers import Carried, carrier
from tests.engine.waiting import until
from tests.messaging.gateway import Gateway, gateway

__all__ = ["carrier"]

pytestmark = pytest.mark.shared

CALL = Call("/messages/read")
PNG = b"\x89PNG\r\n\x1a\n" + bytes(200)


class Two:
    """The second process runs the line, and looks at it by itself once in an hour."""

    def __init__(self, one: Gateway, holder: Gateway, line: LiveLine) -> None:
        self.one, self.holder, self.line = one, holder, line
        self.here, self.there = one.drivers[line.instance.id], holder.drivers[line.instance.id]

    @property
    def theirs(self) -> LiveLine:
        (line,) = self.holder.switchboard.known()
        return line

    async def until_heard(self) -> None:
        """Both are on the bus."""
        for listener, teller in ((self.one, self.holder), (self.holder, self.one)):
            rung = asyncio.Event()
            listener.bus.listen("ping", lambda _, rung=rung: rung.set())  # type: ignore[misc]

            def told(teller: Gateway = teller, rung: asyncio.Event = rung) -> bool:
                teller.bus.tell("ping", "")
                return rung.is_set()

            await until(told, "a word to be heard")


@asynccontextmanager
async def two(url: str, carrier: Carried, monkeypatch: pytest.MonkeyPatch, kind: str = "linked") -> AsyncIterator[Two]:
    for name in ("SILENT_S", "BEGIN_WITHIN_S"):
        monkeypatch.setattr(questions, name, 60.0)
    monkeypatch.setattr(lines, "PAIR_WITHIN_S", 60.0)
    monkeypatch.setattr(holders, "CODE_EVERY_S", 0.01)
    nats_url = carrier.settings(url).nats_url
    async with (
        gateway(url, on_bus=True, nats_url=nats_url) as one,
        gateway(url, beside=one, on_bus=True, nats_url=nats_url) as holder,
    ):
        made = await one.add_line(kind)
        for each in (holder, one):
            # Nobody renews leases here: however long a test takes, it holds what it holds.
            monkeypatch.setattr(each.leases, "_lease_s", 600.0)
            each.watch.hold, each.watch.wished, each.watch.look_s = each.drains.renewed_lease, each.links.wished, 3_600
            await each.watch.look()
            each.tasks.keep("lines", each.watch.watch_forever)
        stage = Two(one, holder, made)
        await stage.until_heard()
        yield stage


async def incoming(stage: Two) -> str:
    """A customer has written; the network's name of it."""
    row = {
        "account_id": 1, "id": "in1", "instance_id": stage.line.instance.id, "direction": "in", "phone": "905551112233",
        "state": "received", "network_id": "wamid.in1", "type": "text", "text": "Hi", "created_at": 1, "content": "{}",
        "attempts": 0, "priority": 5, "category": "service",
    }  # fmt: skip
    known = {name: value for name, value in row.items() if name in messages.c}
    await stage.one.db.put((Query(insert(messages).values(known)), {}))
    return "wamid.in1"


async def test_a_message_is_marked_read_by_who_has_its_line(
    make_database_url: Callable[..., str], carrier: Carried, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two(make_database_url(), carrier, monkeypatch) as stage:
        name = await incoming(stage)
        told = await stage.one.lookups.mark_read(stage.one.caller, name, CALL)
        assert told.value.status == "success"
        assert (stage.here.read, stage.there.read) == ([], [name])
        stage.there.script.append(NetworkRefused("too_old", "It is too old.", 7))
        with pytest.raises(Exception, match="too old"):
            await stage.one.lookups.mark_read(stage.one.caller, name, CALL)
        # Who has it asks nobody.
        await stage.holder.lookups.mark_read(stage.holder.caller, name, CALL)
        assert stage.holder.holders._questions.asked == 0
        # Who has it hangs: nothing is done here in its place.
        monkeypatch.setattr(questions, "SILENT_S", 0.2)
        await stage.holder.tasks.stop()
        with pytest.raises(Unavailable) as away:
            await stage.one.lookups.mark_read(stage.one.caller, name, CALL)
        assert away.value.code == "line_unreachable"
        assert stage.here.read == []


async def test_a_code_is_asked_of_who_runs_the_line_and_read_from_its_row(
    make_database_url: Callable[..., str], carrier: Carried, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two(make_database_url(), carrier, monkeypatch) as stage:
        one = stage.one
        words: list[str] = []
        for process in (one, stage.holder):
            _overhear(process, words, monkeypatch)
        monkeypatch.setattr(stage.there, "pair", _shows(stage.holder, stage.line), raising=False)
        monkeypatch.setattr(stage.here, "pair", lambda phone: _refused("lines_full"), raising=False)
        assert (await one.lines.pair(one.caller, stage.line.instance.id)).code == "CODE-OF-SCAN"
        assert (await one.lines.pair(one.caller, stage.line.instance.id, "905551112233")).code == "CODE-OF-typed"
        # What the one that runs it refuses is refused, whatever holds here.
        monkeypatch.setattr(stage.there, "pair", lambda phone: _refused("engine_missing"), raising=False)
        with pytest.raises(Conflict) as refused:
            await one.lines.pair(one.caller, stage.line.instance.id)
        assert refused.value.code == "engine_missing"
        assert not [word for word in words if "CODE" in word or "905551112233" in word]


def _overhear(process: Gateway, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    tell = process.bus.tell

    def overheard(topic: str, word: str) -> None:
        words.append(word)
        tell(topic, word)

    monkeypatch.setattr(process.bus, "tell", overheard)


async def _refused(code: str) -> NetworkRefused:
    return NetworkRefused(code, "No.")


def _shows(process: Gateway, paired: LiveLine) -> Callable[[str], Awaitable[Pairing | NetworkRefused]]:
    """As a line that runs: the code stands in the row when it is told of."""
    link = process.links.of(1, paired.instance.id)

    async def pair(phone: str) -> Pairing | NetworkRefused:
        known = await link.read()
        assert known.is_sought
        (lease,) = [line.lease for line in process.switchboard.known() if line.instance.id == paired.instance.id]
        if lease is None:
            # It is about to run it.
            return NetworkRefused("pairing_soon", "Soon.")
        shown = Shown(f"CODE-OF-{phone or 'SCAN'}", process.clock.now_ms() + 60_000)
        await (link.show_typed if phone else link.show_code)(lease, known.epoch, shown)
        return Pairing(shown.code, shown.until_ms)

    return pair


async def test_a_line_that_nobody_has_yet_is_paired_by_who_takes_it(
    make_database_url: Callable[..., str], carrier: Carried, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = make_database_url()
    async with two(url, carrier, monkeypatch) as stage, gateway(url, beside=stage.one) as alone:
        one, holder = stage.one, stage.holder
        asked = asyncio.Event()

        async def not_here(phone: str) -> NetworkRefused:
            asked.set()
            return NetworkRefused("engine_missing", "The engine is not installed here.")

        async def not_ours(line: LiveLine) -> Lease | None:
            return None

        async def refusal(by: Gateway, line: LiveLine) -> str:
            with pytest.raises(Conflict) as refused:
                await by.lines.pair(by.caller, line.instance.id)
            return refused.value.code

        monkeypatch.setattr(one.watch, "hold", not_ours)
        fresh = await one.add_line("linked")
        for driver in (one.drivers[fresh.instance.id], stage.here):
            monkeypatch.setattr(driver, "pair", not_here, raising=False)
        pairing = asyncio.create_task(one.lines.pair(one.caller, fresh.instance.id))
        await until(asked.is_set, "this one to be asked")
        await holder.switchboard.reload(1)
        monkeypatch.setattr(holder.drivers[fresh.instance.id], "pair", _shows(holder, fresh), raising=False)
        holder.watch.look_soon()
        assert (await pairing).code == "CODE-OF-SCAN"
        # Who has it hangs: that it cannot run here is no answer.
        monkeypatch.setattr(questions, "SILENT_S", 0.2)
        await holder.tasks.stop()
        assert await refusal(one, stage.line) == "pairing_soon"
        # Nobody takes it; and who is alone waits for nobody.
        monkeypatch.setattr(lines, "PAIR_WITHIN_S", 0.2)
        never = await one.add_line("linked")
        monkeypatch.setattr(one.drivers[never.instance.id], "pair", not_here, raising=False)
        assert await refusal(one, never) == "engine_missing"
        monkeypatch.setattr(lines, "PAIR_WITHIN_S", 3_600.0)
        await alone.switchboard.reload(1)
        monkeypatch.setattr(alone.drivers[never.instance.id], "pair", not_here, raising=False)
        assert await refusal(alone, never) == "engine_missing"


async def test_a_wish_is_seen_at_once_by_who_runs_the_line(
    make_database_url: Callable[..., str], carrier: Carried, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two(make_database_url(), carrier, monkeypatch) as stage:
        one, line = stage.one, stage.line.instance
        link = stage.holder.links.of(1, line.id)

        async def start(hear: object) -> str | None:
            """As a line that runs: a wish is granted when it is looked at."""
            known = await link.read()
            if known.wish == "logout" and stage.theirs.lease is not None:
                await link.end(stage.theirs.lease, known.epoch, "logged_out_here")
                stage.there.health = Health("logged_out", "Logged out here.")
            return None

        monkeypatch.setattr(stage.there, "start", start, raising=False)
        view = await one.lines.log_out(one.caller, line.id)
        assert view.state == "logged_out"
        # Started anew: what held it up there is forgotten, and it is asked how it is.
        stage.theirs.hold(600, time.monotonic())
        stage.there.health = Health("connected", "")
        await one.lines.restart(one.caller, line.id)

        async def is_well() -> bool:
            return (await one.instances.get(1, line.id)).state == "connected"

        await until(is_well, "the line to be asked")
        await until(lambda: (stage.theirs.strikes, stage.theirs.held_until) == (0, 0.0), "it to be let go of")


async def test_a_line_of_the_network_that_another_process_sends_for_is_let_go_of_there(
    make_database_url: Callable[..., str], carrier: Carried, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two(make_database_url(), carrier, monkeypatch, "sandbox") as stage:
        assert await stage.holder.drains.renewed_lease(stage.theirs) is not None
        stage.theirs.hold(600, time.monotonic())
        await stage.one.lines.restart(stage.one.caller, stage.line.instance.id)
        await until(lambda: not stage.theirs.strikes, "it to be let go of")
        assert stage.theirs.held_until == 0.0


async def test_a_file_comes_from_where_its_line_is_and_is_kept_once(
    make_database_url: Callable[..., str], carrier: Carried, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with two(make_database_url(), carrier, monkeypatch) as stage:
        fetching = [_fetching(each, tmp_path) for each in (stage.one, stage.holder)]
        # The phone has the other one no more.
        stage.there.files["file1"] = PNG
        for number, digest in ((2, ""), (1, hashlib.sha256(PNG).hexdigest())):
            await _want(stage, f"med_{number}", f"file{number}", digest)
        # The one without the line does the work of all files.
        await fetching[0].drain.hold()
        stage.one.tasks.keep("media", fetching[0].drain.run)

        async def settled() -> bool:
            return not [row for row in await _files(stage) if row["state"] == "wanted"]

        await until(settled, "the files to be fetched")
        states = {row["id"]: (row["state"], row["error_code"], row["size"]) for row in await _files(stage)}
        assert sorted(state for state, _, _ in states.values()) == ["failed", "kept"]
        assert ("kept", None, len(PNG)) in states.values()
        assert stage.here.fetched == []
        assert sorted(stage.there.fetched) == ["file1", "file2"]
        # They are counted after they were written down.
        counts = [{"kept": 0, "failed": 1}, {"kept": 1, "failed": 0}]
        await until(lambda: [each.counts for each in fetching] == counts, "both to be counted")


def _fetching(one: Gateway, folder: Path) -> Fetching:
    # Servers share the place for files.
    vault = FolderVault(folder / "media")
    return Fetching(
        one.db, one.switchboard, vault, Spool(folder / one.owner.id), one.announcer, one.leases, one.tasks, one.clock,
        one.holders,
    )  # fmt: skip


async def _want(stage: Two, media_id: str, network_id: str, digest: str) -> None:
    now = stage.one.clock.now_ms()
    event = {"account_id": 1, "id": f"evt_{media_id}", "type": "messages.upsert", "sender": "s", "body": '{"data":{"media":{}}}', "created_at": now, "trace": None}  # fmt: skip
    await stage.one.db.put(
        (Query(insert(events).values(event)), {}),
        want(
            account_id=1, media_id=media_id, instance_id=stage.line.instance.id, message_key=f"m{media_id}",
            event_id=f"evt_{media_id}", kind="image", network_media_id=network_id, mime_type="image/png", filename="",
            sha256=digest, now_ms=now,
        ),
    )  # fmt: skip


async def _files(stage: Two) -> list[Row]:
    return await stage.one.db.all(Query(select(media).where(media.c.account_id == 1)))
