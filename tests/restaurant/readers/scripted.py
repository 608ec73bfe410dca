"""A server on loopback that speaks chat completions, and says what a test tells it to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec

Writer = asyncio.StreamWriter
Script = Callable[[dict[str, Any], Writer], Awaitable[None]]

OTHER = {"kind": "other", "lines": [], "table": "", "order_type": "", "address": "", "notes": ""}


def order(*lines: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**OTHER, "kind": "order", "lines": [{"options": [], "note": "", **line} for line in lines], **more}


class Scripted:
    """`says`: how the next questions are answered. `asked`: the bodies that came; `heads`: what stood above them."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.heads: list[str] = []
        self.says: Script = answer(OTHER)
        self.url = ""
        self._hands: set[asyncio.Task[None]] = set()

    @property
    def shown(self) -> dict[str, Any]:
        """The menu, the text and what else the model was shown last."""
        told: dict[str, Any] = msgspec.json.decode(self.asked[-1]["messages"][1]["content"])
        return told

    def dish(self, name: str) -> str:
        """The id that a dish had on the card."""
        (found,) = [one["id"] for one in self.shown["menu"]["dishes"] if name in (one["name"], one.get("also"))]
        return str(found)

    def option(self, name: str, dish: str = "") -> str:
        """The id of an option: of one of a dish's own groups, or of any."""
        menu = self.shown["menu"]
        (keys,) = [one["groups"] for one in menu["dishes"] if one["name"] == dish] if dish else [menu["groups"]]
        return next(str(one["id"]) for key in keys for one in menu["groups"][key]["options"] if one["name"] == name)

    async def serve(self, reader: asyncio.StreamReader, writer: Writer) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._hands.add(task)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                self.heads.append(head.decode())
                length = next(
                    int(line.split(b":")[1])
                    for line in head.split(b"\r\n")
                    if line.lower().startswith(b"content-length")
                )
                body = await reader.readexactly(length)
                self.asked.append(msgspec.json.decode(body) if body else {})
                await self.says(self.asked[-1], writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._hands.discard(task)
            writer.close()

    async def stop(self) -> None:
        for task in list(self._hands):
            task.cancel()
        await asyncio.gather(*self._hands, return_exceptions=True)


@asynccontextmanager
async def scripted() -> AsyncIterator[Scripted]:
    made = Scripted()
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield made
    finally:
        server.close()
        await made.stop()
        await server.wait_closed()


def raw(body: bytes, status: int = 200, fields: str = "") -> Script:
    async def say(_: dict[str, Any], writer: Writer) -> None:
        head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n{fields}\r\n"
        writer.write(head.encode() + body)

    return say


def completion(content: str, tokens: Any = 1_234) -> bytes:
    message = {"role": "assistant", "content": content}
    return msgspec.json.encode({"choices": [{"index": 0, "message": message}], "usage": {"total_tokens": tokens}})


def answer(content: Any, tokens: Any = 1_234) -> Script:
    """The content as JSON, or as it is where it is text."""
    return raw(completion(content if isinstance(content, str) else msgspec.json.encode(content).decode(), tokens))


def by_menu(made: Scripted, write: Callable[[Scripted], Any]) -> Script:
    """An answer that is written when the card is known."""

    async def say(asked: dict[str, Any], writer: Writer) -> None:
        await answer(write(made))(asked, writer)

    return say


async def hang(_: dict[str, Any], __: Writer) -> None:
    await asyncio.Event().wait()


async def endless(_: dict[str, Any], writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
        await writer.drain()


async def drop(_: dict[str, Any], writer: Writer) -> None:
    writer.close()
