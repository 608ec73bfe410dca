"""A domain is its folder, its table, its part, and one line in the list: all that it contributes works."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import select

from tablegram.messaging.instances import Config, Secrets
from tablegram.settings import Settings
from tablegram.storage.database import Query
from tablegram.storage.migrate import on_connection
from tablegram.storage.tables import messages
from tablegram.values.clock import DAY_MS
from tablegram.wiring.parts import PARTS
from tests.accounts.opened import MovableClock
from tests.api.product_in_process import Running, product
from tests.cli.program import Program
from tests.engine.waiting import until
from tests.opened_product import OpenedProduct
from tests.panel.visiting import House
from tests.wiring.cloakroom import store
from tests.wiring.cloakroom.coats import CloakroomServices, CoatAnswers
from tests.wiring.cloakroom.part import PART

PHONE = "905551112233"
OUT = Query(select(messages).where(messages.c.account_id == 1, messages.c.direction == "out"))


@pytest.fixture
def cloakroom_url(database_url: str) -> str:
    """A real domain has a migration; this one has its table made here."""
    on_connection(database_url, store.metadata.create_all)
    return database_url


@asynccontextmanager
async def running_with_coats(url: str, folder: Path, **settings: Any) -> AsyncIterator[Running]:
    async with product(url, folder, parts=[*PARTS, PART], **settings) as running:
        yield running


async def hang(one: Running, colour: str = "red", phone: str = PHONE) -> None:
    reply = await one.ask("POST", "/coats", {"phone": phone, "colour": colour})
    assert reply.status == 201, reply.body


async def coats(one: Running, account: int = 1) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await one.ask("GET", "/coats", account=account)).json()["data"]
    return found


async def test_its_route_writes_its_table_for_its_own_account(cloakroom_url: str, tmp_path: Path) -> None:
    async with running_with_coats(cloakroom_url, tmp_path) as one:
        await hang(one)
        assert [coat["colour"] for coat in await coats(one)] == ["red"]
        assert await coats(one, account=2) == []
        document = (await one.ask("GET", "/openapi.json")).json()
        assert {"get", "post"} <= set(document["paths"]["/coats"])
        narrow = (await one.ask("POST", "/keys", {"scopes": ["messages:read"]})).json()["key"]
        assert (await one.ask("GET", "/coats", key=narrow)).status == 403


async def test_its_page_is_part_of_the_panel(cloakroom_url: str, tmp_path: Path) -> None:
    async with running_with_coats(cloakroom_url, tmp_path) as one:
        await hang(one)
        house = House(one)
        page = await (await house.person("owner")).get("/panel/coats")
        assert (page.status, page.text) == (200, "red")
        assert "content-security-policy" in page.headers


async def test_what_it_has_is_found_from_every_page(cloakroom_url: str, tmp_path: Path) -> None:
    async with running_with_coats(cloakroom_url, tmp_path) as one:
        await hang(one, "crimson")
        house = House(one)
        owner, kitchen = await house.person("owner"), await house.person("kitchen")
        page = await owner.get("/panel/find?part=choices&q=crim")
        assert 'href="/panel/coats"' in page.text
        assert "crimson" in page.words
        # Who may not read it is not told of it, and another account has none.
        assert "/panel/coats" not in (await kitchen.get("/panel/find?part=choices&q=crim")).text
        stranger = await house.person("owner", account=2)
        assert "/panel/coats" not in (await stranger.get("/panel/find?part=choices&q=crim")).text


async def test_its_task_works_by_itself(cloakroom_url: str, tmp_path: Path) -> None:
    async with running_with_coats(cloakroom_url, tmp_path) as one:
        await hang(one)
        await until(lambda: one.api.of(CloakroomServices).coats.brushed == 1)
        assert (await coats(one))[0]["is_brushed"]


async def test_its_hook_is_kept_answered_and_worked_on(cloakroom_url: str, tmp_path: Path) -> None:
    async with running_with_coats(cloakroom_url, tmp_path) as one:
        sent: list[Any] = []
        body = msgspec.json.encode({"phone": PHONE, "colour": "blue"})
        scope: dict[str, object] = {"type": "http", "method": "POST", "path": "/hooks/cloakroom/rack", "headers": []}

        async def receive() -> Any:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        await one.api(scope, receive, send)
        assert sent[0]["status"] == 200
        # The store is looked through while the body is worked on: it may be met twice, and hangs once.
        await until(lambda: one.api.of(CloakroomServices).coats.hung >= 1)
        assert [coat["colour"] for coat in await coats(one)] == ["blue"]


async def test_its_event_is_in_the_feed(cloakroom_url: str, tmp_path: Path) -> None:
    async with running_with_coats(cloakroom_url, tmp_path) as one:
        await hang(one)
        (event,) = (await one.ask("GET", "/events")).json()["data"]
        assert event["body"]["data"] == {"phone": PHONE, "colour": "red"}


async def test_it_answers_what_customers_write_before_others_do(cloakroom_url: str, tmp_path: Path) -> None:
    async with running_with_coats(cloakroom_url, tmp_path) as one:
        line = await one.api.db.write(
            lambda tx: one.api.instances.create(tx, 1, "cloud", "", Config("1", ""), Secrets(), None)
        )
        reply = {"kind": "keyword", "message": "We will write back.", "keywords": ["coat", "hello"]}
        assert (await one.ask("POST", f"/instances/{line.id}/auto-replies", reply)).status == 201
        for number, text in enumerate(("My coat, please", "Hello")):
            message = {
                "from": PHONE, "id": f"wamid.{number}", "type": "text", "text": {"body": text},
                "timestamp": str(one.api.clock.now_ms() // 1_000),
            }  # fmt: skip
            value = {"metadata": {"phone_number_id": "1"}, "messages": [message]}
            document = {"object": "x", "entry": [{"id": "1", "changes": [{"field": "messages", "value": value}]}]}
            await one.api.inbox.store(1, f"cloud:{line.id}", msgspec.json.encode(document))
        await until(lambda: one.api.of(CoatAnswers).heard == 2)
        assert one.api.of(CoatAnswers).asked == [PHONE]
        assert [row["text"] for row in await one.api.db.all(OUT)] == ["We will write back."]


async def test_erasure_reaches_it_and_the_export_shows_it(cloakroom_url: str, tmp_path: Path) -> None:
    async with running_with_coats(cloakroom_url, tmp_path) as one:
        contact = (await one.ask("POST", "/contacts", {"phone": PHONE, "name": "Ayşe"})).json()
        await hang(one)
        await hang(one, "black", "905551119999")
        (shown,) = (await one.ask("GET", "/contacts/export")).json()["data"]
        assert [coat["colour"] for coat in shown["coats"]] == ["red"]
        table = (await one.ask("GET", "/contacts/export?format=csv")).body.decode("utf-8-sig")
        assert next(csv.DictReader(io.StringIO(table)))["coats"] == "1"
        receipt = (await one.ask("DELETE", f"/contacts/{contact['id']}")).json()
        assert receipt["counts"]["coats"] == 1
        assert receipt["counts"]["events"] == 1
        assert [coat["colour"] for coat in await coats(one)] == ["black"]


async def test_its_figures_are_shown_and_its_old_rows_forgotten(cloakroom_url: str, tmp_path: Path) -> None:
    clock = MovableClock()
    async with running_with_coats(cloakroom_url, tmp_path, clock=clock) as one:
        await hang(one)
        assert (await one.api.whole.figures())["coats_hung_total"] == 1
        assert (await one.api.retention.purge())["coats"] == 0
        clock.at_ms += 8 * DAY_MS
        # The product's own round may have come first.
        assert (await one.api.retention.purge())["coats"] <= 1
        assert await coats(one) == []


def test_the_commands_know_it(
    cloakroom_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TABLEGRAM_DATABASE_URL", cloakroom_url)
    monkeypatch.setenv("TABLEGRAM_DATA_DIR", str(tmp_path / "data"))
    # Some commands load the list only when they run.
    for module in ("cli.doctor.command", "cli.serving", "wiring.parts"):
        monkeypatch.setattr(f"tablegram.{module}.PARTS", [*PARTS, PART])
    program = Program(capsys)
    program.json("demo")
    found = {one["about"]: one["detail"] for one in program.json("doctor")}
    assert found["coats"] == "1 coats hang"
    assert program.json("purge")["coats"] == 0


async def test_a_part_that_stands_too_early_is_told(database_url: str, tmp_path: Path) -> None:
    made = OpenedProduct(Settings(database_url=database_url, data_dir=tmp_path), parts=[PART, *PARTS])
    try:
        with pytest.raises(LookupError, match="The part cloakroom stands too early"):
            await made.open()
    finally:
        await made.stop()
