"""The server says when it begins and when it ends; the product follows."""

from __future__ import annotations

import logging

from tablegram.wiring.contribution import Receive, Send
from tablegram.wiring.roles import Step

log = logging.getLogger("tablegram")


async def follow_server(start: Step, stop: Step, receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            try:
                await start()
            except Exception as error:
                log.exception("could not start")
                await send({"type": "lifespan.startup.failed", "message": str(error)})
                return
            await send({"type": "lifespan.startup.complete"})
        else:
            await stop()
            await send({"type": "lifespan.shutdown.complete"})
            return
