"""A customer's file is fetched, checked and kept; or it is said why not."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any

import pytest

from tablegram.engine.leases import Leases
from tablegram.engine.owners import Owner
from tablegram.errors import Conflict, Gone, NotFound
from tablegram.media import store
from tablegram.media.files import RETRY_S
from tablegram.messaging.ports import Delayed, NetworkRefused
from tablegram.values.clock import HOUR_MS
from tests.engine.waiting import settle, until
from tests.media.mailroom import PNG, mailroom

pytestmark = pytest.mark.once

AWAY = Delayed("media_unreachable", "The file cannot be fetched: the connection was refused.", 2.0, "line")
BROKEN = Delayed("media_unreachable", "The file cannot be fetched: the answer broke off.", 2.0, "message")


@pytest.mark.later
async def test_a_file_is_wanted_with_its_message_and_then_kept_byte_for_byte(database_url: str, tmp_path: Path) -> None:
    async with mailroom(database_url, tmp_path) as one:
        line = await one.add_line()
        await one.write(line, PNG, caption="Menü", filename="../../menu.png")
        wanted = await one.row()
        assert (wanted["state"], wanted["filename"], wanted["size"]) == ("wanted", "menu.png", None)
        assert [wanted["message_key"]] == await one.message_keys()
        with pytest.raises(Conflict) as pending:
            await one.read(wanted["id"])
        assert (pending.value.code, pending.value.retry_after_s) == ("media_pending", 2)
        await one.fetch()
        kept = await one.row()
        assert (kept["state"], kept["size"], kept["sha256"]) == ("kept", len(PNG), hashlib.sha256(PNG).hexdigest())
        assert (kept["mime_type"], kept["claimed_type"]) == ("image/png", None)
        assert await one.read(kept["id"]) == PNG
        assert len(one.kept_files()) == 1
        (event,) = await one.events()
        told = event["data"]["media"]
        assert (told["size"], told["sha256"], told["caption"]) == (len(PNG), kept["sha256"], "Menü")
        assert told["url"] == f"http://gateway.example/api/v1/media/{kept['id']}"
        assert "error" not in told


@pytest.mark.later
async def test_a_clock_that_is_set_back_leaves_no_file_waiting(database_url: str, tmp_path: Path) -> None:
    async with mailroom(database_url, tmp_path) as one:
        line = await one.add_line()
        one.network(line).file_script.append(BROKEN)
        await one.write(line, PNG)
        await one.fetch()
        assert (await one.row())["attempts"] == 1
        one.clock.at_ms -= 2 * HOUR_MS
        await one.fetch()
        assert (await one.row())["state"] == "kept"


@pytest.mark.later
async def test_the_same_message_again_wants_nothing_more(database_url: str, tmp_path: Path) -> None:
    async with mailroom(database_url, tmp_path) as one:
        line = await one.add_line()
        part = {"type": "image", "image": {"id": "f1", "mime_type": "image/png"}}
        for _ in range(3):
            await one.receive(line, part, wamid="wamid.same")
        assert len(await one.rows()) == 1


async def test_another_account_never_sees_a_file(database_url: str, tmp_path: Path) -> None:
    async with mailroom(database_url, tmp_path) as one:
        await one.write(await one.add_line())
        await one.fetch()
        row = await one.row()
        with pytest.raises(NotFound):
            await one.read(row["id"], account_id=2)
        await one.library.delete_media_of(2, await one.message_keys())
        assert await one.read(row["id"]) == PNG


@pytest.mark.later
async def test_a_hash_in_either_form_is_checked_and_a_damaged_file_is_never_kept(
    database_url: str, tmp_path: Path
) -> None:
    async with mailroom(database_url, tmp_path) as one:
        line = await one.add_line()
        await one.write(line, sha256=base64.b64encode(hashlib.sha256(PNG).digest()).decode())
        await one.fetch()
        assert (await one.row())["state"] == "kept"
        await one.write(line, PNG, sha256=base64.b64encode(hashlib.sha256(b"other").digest()).decode())
        for wait_s in (0, *RETRY_S):
            one.clock.advance(wait_s)
            assert (await one.rows())[1]["state"] == "wanted"
            await one.fetch()
        failed = (await one.rows())[1]
        assert (failed["state"], failed["error_code"]) == ("failed", "media_damaged")
        assert len(one.kept_files()) == 1
        with pytest.raises(Gone) as gone:
            await one.read(failed["id"])
        assert gone.value.code == "media_failed"
        assert (await one.events())[1]["data"]["media"]["error"]["code"] == "media_damaged"


async def test_a_damaged_file_that_comes_whole_the_next_time_is_kept(database_url: str, tmp_path: Path) -> None:
    async with mailroom(database_url, tmp_path) as one:
        line = await one.add_line()
        one.network(line).file_script.extend([PNG[:-1], b"", BROKEN])
        await one.write(line)
        for wait_s in (0, *RETRY_S[:3]):
            one.clock.advance(wait_s)
            await one.fetch()
        assert (await one.row())["state"] == "kept"
        assert await one.read((await one.row())["id"]) == PNG


@pytest.mark.parametrize("code", ["media_gone", "media_too_large"])
async def test_what_is_not_to_be_had_fails_at_once(database_url: str, tmp_path: Path, code: str) -> None:
    async with mailroom(database_url, tmp_path) as one:
        line = await one.add_line()
        one.network(line).file_script.append(NetworkRefused(code, "No."))
        await one.write(line)
        await one.fetch()
        row = await one.row()
        assert (row["state"], row["error_code"]) == ("failed", code)
        (event,) = await one.events()
        assert event["data"]["media"]["size"] is None
        assert event["data"]["media"]["error"] == {"code": code, "detail": "No."}


@pytest.mark.later
@pytest.mark.parametrize("answer", [NetworkRefused("media_gone", "No."), BROKEN], ids=["refused", "broken"])
async def test_who_lost_the_files_gives_none_up_and_postpones_none(
    database_url: str, tmp_path: Path, answer: NetworkRefused | Delayed
) -> None:
    async with mailroom(database_url, tmp_path) as one:
        line = await one.add_line()
        await one.write(line)
        assert await one.fetching.drain.hold()
        before = await one.row()
        one.network(line).file_script.append(answer)
        # Another process takes this one for dead, which does not hear of it.
        other = Leases(one.db, Owner(one.db))
        await other.free(one.owner.id)
        assert await other.hold(one.fetching.drain._lease)
        await one.fetch()
        assert await one.row() == before


@pytest.mark.parametrize(("kind", "size"), [("sticker", 500 * 1024), ("image", 5 * 1_048_576)])
async def test_each_kind_has_its_own_largest_size(database_url: str, tmp_path: Path, kind: str, size: int) -> None:
    async with mailroom(database_url, tmp_path) as one:
        line = await one.add_line()
        await one.write(line, bytes(size), kind)
        await one.write(line, bytes(size + 1), kind)
        await one.fetch()
        assert [row["state"] for row in await one.rows()] == ["kept", "failed"]


async def test_a_network_that_is_away_for_hours_costs_no_file(database_url: str, tmp_path: Path) -> None:
    async with mailroom(database_url, tmp_path) as one:
        line = await one.add_line()
        await one.write(line)
        for _ in range(200):
            one.network(line).file_script.append(AWAY)
            one.clock.advance(300)
            await one.fetch()
        assert ((await one.row())["state"], (await one.row())["attempts"]) == ("wanted", 0)
        one.network(line).file_script.clear()
        one.clock.advance(300)
        await one.fetch()
        assert (await one.row())["state"] == "kept"


async def test_a_network_that_is_away_for_more_than_a_week_is_given_up(database_url: str, tmp_path: Path) -> None:
    async with mailroom(database_url, tmp_path) as one:
        line = await one.add_line()
        await one.write(line)
        one.clock.advance(7 * 86_400 + 1)
        one.network(line).file_script.append(AWAY)
        await one.fetch()
        assert ((await one.row())["state"], (await one.row())["error_code"]) == ("failed", "media_unreachable")


async def test_a_file_is_what_its_bytes_say_and_a_wrong_claim_is_noted(database_url: str, tmp_path: Path) -> None:
    async with mailroom(database_url, tmp_path) as one:
        line = await one.add_line()
        await one.write(line, b"<html><script>alert(1)</script>", mime_type="image/jpeg")
        await one.write(line, b"MZ" + bytes(100), "document", mime_type="application/pdf", filename="bill.pdf")
        await one.write(line, b"OggS" + bytes(50), "audio", mime_type="audio/ogg; codecs=opus")
        await one.fetch()
        rows = await one.rows()
        assert [(row["mime_type"], row["claimed_type"]) for row in rows] == [
            ("text/html", "image/jpeg"), ("application/x-msdownload", "application/pdf"), ("audio/ogg; codecs=opus", None),
        ]  # fmt: skip
        told = [event["data"]["media"] for event in await one.events()]
        assert [(item["mime_type"], item.get("claimed_type")) for item in told] == [
            (row["mime_type"], row["claimed_type"]) for row in rows
        ]


@pytest.mark.later
async def test_a_line_with_many_files_does_not_keep_another_waiting(database_url: str, tmp_path: Path) -> None:
    async with mailroom(database_url, tmp_path) as one:
        busy, other = await one.add_line(), await one.add_line(account_id=2)
        one.network(busy).gate.clear()
        for _ in range(20):
            await one.write(busy)
        await one.write(other)
        one.begin()

        async def is_kept() -> bool:
            return [row["state"] for row in await one.rows(2)] == ["kept"]

        await until(is_kept, "the other line's file")
        assert one.network(busy).most_fetching == 4
        one.network(busy).gate.set()

        async def all_kept() -> bool:
            return {row["state"] for row in await one.rows()} == {"kept"}

        await until(all_kept, "the busy line's files")
        assert len(one.network(busy).fetched) == 20
        assert one.network(busy).most_fetching == 4


@pytest.mark.later
async def test_a_file_that_two_processes_fetch_at_once_is_kept(database_url: str, tmp_path: Path) -> None:
    async with mailroom(database_url, tmp_path) as one:
        line = await one.add_line()
        await one.write(line)
        row = await one.db.first(store.GET, {"b_account": 1, "b_id": (await one.row())["id"]})
        assert row is not None
        assert await one.fetching.drain.hold()
        await one.fetching._fetch(row, one.fetching.lease)
        await one.fetching._fetch(row, one.fetching.lease)
        assert (await one.row())["state"] == "kept"
        assert await one.read(row["id"]) == PNG


@pytest.mark.later
async def test_a_deleted_line_ends_the_waiting_for_its_files(database_url: str, tmp_path: Path) -> None:
    async with mailroom(database_url, tmp_path) as one:
        line = await one.add_line()
        await one.write(line)
        one.switchboard._lines[1].pop(line.instance.id)
        await one.fetch()
        assert (await one.row())["error_code"] == "media_gone"


async def test_a_media_folder_that_cannot_be_written_loses_nothing(database_url: str, tmp_path: Path) -> None:
    async with mailroom(database_url, tmp_path) as one:
        line = await one.add_line()
        await one.write(line)
        one.folder.parent.mkdir(exist_ok=True)
        one.folder.write_text("a file where the folder should be")
        await one.fetch()
        row = await one.row()
        assert (row["state"], row["attempts"], row["error_code"]) == ("wanted", 0, "media_store_down")
        one.folder.unlink()
        one.clock.advance(10)
        await one.fetch()
        assert (await one.row())["state"] == "kept"


@pytest.mark.later
async def test_files_of_erased_messages_are_gone_whatever_state_they_were_in(database_url: str, tmp_path: Path) -> None:
    async with mailroom(database_url, tmp_path) as one:
        line = await one.add_line()
        await one.write(line)
        await one.fetch()
        # One is under way while its message is erased, and another is not even begun.
        await one.write(line)
        one.network(line).gate.clear()
        await one.fetching.drain.look()
        await one.write(line)
        assert await one.library.delete_media_of(1, await one.message_keys()) == 3
        assert await one.library.delete_media_of(1, await one.message_keys()) == 0
        one.network(line).gate.set()
        await until(lambda: not one.fetching.flight, "the file under way")
        await settle()
        assert await one.rows() == []
        assert one.kept_files() == []


@pytest.mark.later
async def test_files_are_kept_for_their_days_and_then_said_to_be_gone(database_url: str, tmp_path: Path) -> None:
    async with mailroom(database_url, tmp_path) as one:
        line = await one.add_line()
        for _ in range(3):
            await one.write(line)
        await one.fetch()
        one.clock.advance(86_400)
        await one.write(line)
        assert await one.library.forget_files(one.clock.now_ms()) == 3
        assert await one.library.forget_files(one.clock.now_ms()) == 0
        assert one.kept_files() == []
        assert [row["state"] for row in await one.rows()] == ["gone", "gone", "gone", "wanted"]
        with pytest.raises(Gone) as gone:
            await one.read((await one.rows())[0]["id"])
        assert gone.value.code == "media_expired"
        assert await one.library.forget_all(one.clock.now_ms()) == 3
        assert [row["state"] for row in await one.rows()] == ["wanted"]


async def test_a_file_that_vanished_from_the_store_is_said_to_be_lost(database_url: str, tmp_path: Path) -> None:
    async with mailroom(database_url, tmp_path) as one:
        await one.write(await one.add_line())
        await one.fetch()
        for path in one.kept_files():
            path.unlink()
        with pytest.raises(Gone) as gone:
            await one.read((await one.row())["id"])
        assert gone.value.code == "media_lost"


@pytest.mark.parametrize(
    "told",
    [
        {"mime_type": "image/png\r\nX-Evil: 1"}, {"mime_type": 7}, {"filename": "\x00" * 50}, {"filename": ["a"]},
        {"sha256": "not a hash"}, {"sha256": 5}, {"id": "a\x00b"}, {"mime_type": "x" * 10_000},
    ],
    ids=str,
)  # fmt: skip
async def test_nonsense_in_a_callback_does_not_cost_the_file(
    database_url: str, tmp_path: Path, told: dict[str, Any]
) -> None:
    async with mailroom(database_url, tmp_path) as one:
        line = await one.add_line()
        one.network(line).file_script.append(PNG)
        await one.write(line, PNG, **told)
        await one.fetch()
        row = await one.row()
        assert row["state"] == "kept"
        assert row["mime_type"] == "image/png"
        assert "\r" not in row["mime_type"] + row["filename"]
