"""HEAD wherever GET is answered (RFC 9110, 9.3.2): the same fields, and no body.

One place for every listener: whoever answers is asked for GET, and what it says after its fields is dropped.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from tablegram.web.asgi import App, Message, Receive, Scope, Send


async def answer_head(app: App, scope: Scope, receive: Receive, send: Send) -> None:
    streams = asyncio.Event()
    ended = False

    async def fields_only(message: Message) -> None:
        nonlocal ended
        if message["type"] == "http.response.start":
            await send(message)
            return
        if not ended:
            ended = True
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        if message.get("more_body"):
            # Nobody listens to what is still to come, and a live stream never ends by itself.
            streams.set()

    answering = asyncio.ensure_future(app({**scope, "method": "GET"}, receive, fields_only))
    cut = asyncio.ensure_future(streams.wait())
    try:
        await asyncio.wait((answering, cut), return_when=asyncio.FIRST_COMPLETED)
    finally:
        cut.cancel()
        if not answering.done():
            answering.cancel()
            with suppress(asyncio.CancelledError):
                await answering
    if not answering.cancelled():
        answering.result()
