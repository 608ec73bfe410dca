"""The protocol itself: one assistant on standard input and output, or many over HTTP."""

from __future__ import annotations

from typing import Any

import aiohttp
import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from tablegram.assistant import tools
from tablegram.assistant.asking import ApiRefused, Asking

NO_KEY = "Send your API key with every request: Authorization: Bearer tg_live_…"


class Door:
    """Whose key a call is made with: the program's own, or over HTTP that of the caller, who is to have one."""

    def __init__(self, asking: Asking, own_key: str) -> None:
        self._asking = asking
        self._own_key = own_key

    async def ask(self, context: Context[Any, Any], method: str, path: str, **wishes: Any) -> Any:
        key = self._own_key or _key_of(context)
        if not key:
            raise ToolError(NO_KEY)
        try:
            return await self._asking.ask(key, method, path, **wishes)
        except ApiRefused as refused:
            raise ToolError(str(refused)) from None


def build(asking: Asking, own_key: str, version: str, *, may_write: bool) -> MCPServer[Any]:
    """All tools, or those that change nothing."""
    server: MCPServer[Any] = MCPServer("tablegram", title="Tablegram", version=version, instructions=tools.INSTRUCTIONS)
    door = Door(asking, own_key)
    tools.add_reading(server, door.ask)
    if may_write:
        tools.add_writing(server, door.ask)
    return server


def run(url: str, own_key: str, version: str, *, may_write: bool, host: str = "", port: int = 0) -> None:
    """Serve until the end: over HTTP where a port is given, and then never with a key of the program's own."""

    async def work() -> None:
        async with aiohttp.ClientSession() as session:
            key = "" if port else own_key
            server = build(Asking(url, session), key, version, may_write=may_write)
            if port:
                await server.run_streamable_http_async(host=host, port=port, stateless_http=True, json_response=True)
            else:
                await server.run_stdio_async()

    anyio.run(work)


def _key_of(context: Context[Any, Any]) -> str:
    given = (context.headers or {}).get("authorization", "")
    scheme, _, key = given.partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""
