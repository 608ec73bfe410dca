"""Every network that a line driver can stand on, made to misbehave in the same words.

A new driver joins the contract by adding a way to open its network here.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import ipaddress
import socket
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import uvicorn
from aiohttp import web

from tablegram.engine.leases import steady_s
from tablegram.errors import LeaseLost
from tablegram.messaging.lines.cloud.driver import CloudLine
from tablegram.messaging.lines.linked.driver import LinkedLine, Way
from tablegram.messaging.lines.linked.room import Room
from tablegram.messaging.lines.outgoing_files import OutgoingFiles
from tablegram.messaging.lines.sandbox.driver import SandboxLine, SandboxNumber
from tablegram.messaging.links import Links
from tablegram.messaging.ports import Line, Pairing
from tablegram.sandbox import app as sandbox
from tablegram.storage.database import Database, Tx
from tablegram.storage.sqlite import SqliteDatabase
from tablegram.values.clock import Clock
from tablegram.values.http.network import Session
from tablegram.values.http.outbound import GuardedClient, Targets
from tablegram.values.secrets import SecretBox
from tests.databases import migrate
from tests.messaging.lines.stub_graph import Step, respond, stub_graph

LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)
NUMBER_ID = "1065403522"
JSON = {"Content-Type": "application/json"}


@dataclass
class Stage:
    """A line on its network. `misbehave` strikes the next call; `accepted` lists what the network took."""

    line: Line
    stranger: Line
    misbehave: Callable[[str], Awaitable[None]]
    accepted: Callable[[], Awaitable[list[str]]]
    # Lets the network have a file, as if a customer had sent it; gives its id.
    have_file: Callable[[bytes, str], Awaitable[str]]


# The words of the contract: an error code, or a way to lose an answer.
ERRORS = {
    "undeliverable": (400, 131026),
    "window_closed": (400, 131047),
    "rate_limit": (429, 130429),
    "pair_rate": (400, 131056),
    "token_rejected": (401, 190),
    "spam_limit": (400, 131048),
    "unwell": (500, 131000),
    "new_code": (400, 139999),
}


@asynccontextmanager
async def on_cloud(folder: Path) -> AsyncIterator[Stage]:
    fetcher = GuardedClient(Targets(LOOPBACK))
    async with stub_graph() as stub, Session() as session:

        async def misbehave(word: str) -> None:
            if word in ERRORS:
                stub.error(*ERRORS[word])
            elif word in ("lost_answer", "dropped_request"):
                stub.drop()
            else:
                stub.answer(502, b"")

        def line(number_id: str) -> CloudLine:
            return CloudLine(session, stub.url, "v25.0", number_id, "token", fetcher=fetcher, budget_s=5)

        async def accepted() -> list[str]:
            return [seen.body["biz_opaque_callback_data"] for seen in stub.seen if seen.body and "to" in seen.body]

        files: dict[str, tuple[bytes, str]] = {}

        async def have_file(content: bytes, mime_type: str) -> str:
            files[f"file{len(files)}"] = (content, mime_type)
            return f"file{len(files) - 1}"

        def answer(request: web.Request, raw: bytes) -> Step | None:
            return _answer_for_file(request, files, stub.url) or _answer_like_the_network(request, raw)

        stub.otherwise = answer
        yield Stage(line(NUMBER_ID), line("404"), misbehave, accepted, have_file)
        await fetcher.close()


def _answer_for_file(request: web.Request, files: dict[str, tuple[bytes, str]], url: str) -> Step | None:
    name = request.path.rpartition("/")[2]
    if name not in files:
        return None
    content, mime_type = files[name]
    if request.path.startswith("/lookaside/"):
        if request.headers.get("Authorization") != "Bearer token":
            return respond(401, b"")
        return respond(200, content, {"Content-Type": mime_type})
    digest = hashlib.sha256(content).hexdigest()
    place = {"url": f"{url}/lookaside/{name}", "mime_type": mime_type, "sha256": digest, "file_size": len(content)}
    return respond(200, {"messaging_product": "whatsapp", "id": name, **place})


def _answer_like_the_network(request: web.Request, raw: bytes) -> Step | None:
    """What the stub must know beyond scripted answers: its number, other numbers, templates, read marks."""
    if request.path.endswith("404") or "/404/" in request.path:
        return respond(400, {"error": {"code": 100, "error_subcode": 33, "message": "no such object"}})
    if request.path.endswith("/message_templates"):
        template = {"name": "hello", "language": "en", "status": "APPROVED", "category": "UTILITY", "components": []}
        return respond(200, {"data": [template]})
    if request.method == "GET":
        number = {"id": NUMBER_ID, "display_phone_number": "+1 555", "whatsapp_business_account": {"id": "77"}}
        return respond(200, number)
    if request.path.endswith("/media"):
        return respond(200, {"id": "media-1"})
    if b'"status":"read"' in raw:
        return respond(200, {"success": True})
    return None


async def _hear_nothing(body: bytes, external_id: str) -> None:
    raise AssertionError("the sandbox calls the hook")


@asynccontextmanager
async def on_sandbox(folder: Path) -> AsyncIterator[Stage]:
    fetcher = GuardedClient(Targets(LOOPBACK))
    async with running_sandbox(folder / "sandbox.db") as url, Session() as session:
        number = SandboxNumber(
            NUMBER_ID, "token", "secret", "verify", "http://127.0.0.1:1/hooks", "15550783881", "Demo"
        )
        line = SandboxLine(session, url, NUMBER_ID, "token", fetcher=fetcher, budget_s=5, number=number)
        assert await line.start(_hear_nothing) is None

        async def misbehave(word: str) -> None:
            order: dict[str, object] = {"kind": word, "times": 1}
            if word in ERRORS:
                status, code = ERRORS[word]
                order = {"kind": "graph_error", "http_status": status, "code": code, "times": 1}
            async with session.post(f"{url}/faults", data=msgspec.json.encode(order), headers=JSON) as response:
                assert response.status in (200, 201), await response.text()

        async def accepted() -> list[str]:
            async with session.get(f"{url}/accepted") as response:
                return [row["correlation"] for row in msgspec.json.decode(await response.read())["data"]]

        async def have_file(content: bytes, mime_type: str) -> str:
            form = aiohttp.FormData({"messaging_product": "whatsapp", "type": mime_type})
            form.add_field("file", content, filename="file", content_type=mime_type)
            headers = {"Authorization": "Bearer token"}
            async with session.post(f"{url}/graph/v25.0/{NUMBER_ID}/media", data=form, headers=headers) as response:
                return str(msgspec.json.decode(await response.read())["id"])

        stranger = SandboxLine(session, url, "404", "token", fetcher=fetcher, budget_s=5)
        yield Stage(line, stranger, misbehave, accepted, have_file)
        await fetcher.close()


@asynccontextmanager
async def running_sandbox(store: Path) -> AsyncIterator[str]:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        app = sandbox.create(store)
        config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            while not server.started:
                await asyncio.sleep(0.01)
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/sandbox"
        finally:
            app.end_streams()
            server.should_exit = True
            await task


class Led:
    """A lease that nobody takes away, unless the test does."""

    fence = 1

    def __init__(self) -> None:
        self.until = steady_s() + 3_600

    def is_sure(self) -> bool:
        return steady_s() < self.until

    def left_s(self) -> float:
        return self.until - steady_s()

    async def guard(self, tx: Tx) -> None:
        if not self.is_sure():
            raise LeaseLost("taken away")


@asynccontextmanager
async def on_linked(folder: Path) -> AsyncIterator[Stage]:
    """A phone's own number on the sandbox network, by a real host process."""
    fetcher = GuardedClient(Targets(LOOPBACK))
    path = folder / "links.db"
    path.write_bytes(_empty_database())
    db = Database(SqliteDatabase(path))
    await db.open()
    async with running_sandbox(folder / "sandbox.db") as url, Session() as session:
        links = Links(db, SecretBox("k" * 43), Clock())
        lines = []

        def line(line_id: int) -> LinkedLine:
            way = Way(
                engine="sandbox", settings={"url": url, "name": "Demo"}, folder=folder / str(line_id), max_mb=200,
                room=Room(10),
            )  # fmt: skip
            care, files = links.care(1, line_id, 0), OutgoingFiles(fetcher, None)
            lines.append(LinkedLine(line_id, way, links.of(1, line_id), care, files, lambda: None))
            return lines[-1]

        async def post(path: str, body: object) -> Any:
            async with session.post(f"{url}{path}", data=msgspec.json.encode(body), headers=JSON) as response:
                assert response.status in (200, 201), await response.text()
                return msgspec.json.decode(await response.read())

        paired, stranger = line(1), line(2)
        for one in (paired, stranger):
            await one.led_by(Led())  # type: ignore[arg-type]
        await links.of(1, 1).seek()
        await paired.start(_keep_nothing)
        await post("/phones/905550001122/devices", {"code": (await pairing(paired)).code})
        await until_state(paired, "connected")

        async def misbehave(word: str) -> None:
            order: dict[str, object] = {"kind": word, "times": 1}
            if word in ERRORS:
                status, code = ERRORS[word]
                order = {"kind": "graph_error", "http_status": status, "code": code, "times": 1}
            await post("/faults", order)

        async def accepted() -> list[str]:
            async with session.get(f"{url}/accepted") as response:
                return [row["correlation"] for row in msgspec.json.decode(await response.read())["data"]]

        async def have_file(content: bytes, mime_type: str) -> str:
            file = {"type": "image", "mime_type": mime_type, "data": base64.b64encode(content).decode()}
            told = await post("/phones/905551112233/messages", {**file, "to": "905550001122"})
            return str(told["media"]["id"])

        try:
            yield Stage(paired, stranger, misbehave, accepted, have_file)
        finally:
            for one in lines:
                await one.stop()
            await fetcher.close()
            await db.close()


@cache
def _empty_database() -> bytes:
    with tempfile.TemporaryDirectory() as made:
        path = Path(made) / "empty.db"
        migrate(f"sqlite:///{path}")
        return path.read_bytes()


async def _keep_nothing(body: bytes, external_id: str) -> None:
    pass


async def pairing(line: LinkedLine) -> Pairing:
    async with asyncio.timeout(60):
        while not isinstance(told := await line.pair(""), Pairing):
            await asyncio.sleep(0.05)
    return told


async def until_state(line: LinkedLine, state: str) -> None:
    async with asyncio.timeout(60):
        while (await line.probe()).state != state:
            await asyncio.sleep(0.05)


NETWORKS: dict[str, Callable[[Path], AbstractAsyncContextManager[Stage]]] = {
    "cloud": on_cloud,
    "sandbox": on_sandbox,
    "linked": on_linked,
}
