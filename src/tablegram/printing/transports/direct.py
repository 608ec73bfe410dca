"""ESC/POS over TCP to a printer that the installation itself reaches.

Guarded as every outgoing call: the name is resolved once, every address that it has must be one that the operator has
listed, and that very address is dialled.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

from tablegram.printagent.devices.state import QUESTIONS, UNKNOWN, Broken, State, Unreachable, read
from tablegram.values.http.targets import TargetForbidden, Targets
from tablegram.values.http.wire import Overtaken

CONNECT_S = 3.0
WRITE_S = 15.0
ANSWER_S = 1.5


class DirectLink:
    """An open connection to a printer. Close it by leaving it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answer_s: float) -> None:
        self._reader = reader
        self._writer = writer
        self._answer_s = answer_s
        self._wrote = False

    async def __aenter__(self) -> DirectLink:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._writer.close()
        try:
            await asyncio.wait_for(self._writer.wait_closed(), self._answer_s)
        except (OSError, TimeoutError):
            pass

    async def state(self) -> State:
        """One question after another; unknown for a printer that answers none."""
        answers = b""
        try:
            async with asyncio.timeout(self._answer_s):
                for question in QUESTIONS:
                    self._writer.write(question)
                    await self._writer.drain()
                    answers += await self._reader.readexactly(1)
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            return UNKNOWN
        return read(answers)

    async def print(self, content: bytes, before: State, may_go: Callable[[], bool]) -> None:
        """Raises `Overtaken` when it may not go any more and no byte went out.

        Raises `Broken` when bytes went out and nobody knows what became of them.
        """
        if not may_go():
            raise Overtaken("this process hung, and another may have printed it meanwhile")
        try:
            async with asyncio.timeout(WRITE_S):
                self._writer.write(content)
                await self._writer.drain()
        except (OSError, TimeoutError) as error:
            raise Broken("broke_off") from error
        if before.known:
            after = await self.state()
            if not after.known or after.error:
                raise Broken(after.error or "no_answer")
        await self._finish()

    async def _finish(self) -> None:
        """A printer that resets instead of closing may have thrown away what it was sent."""
        try:
            self._writer.write_eof()
            async with asyncio.timeout(self._answer_s):
                while await self._reader.read(256):
                    pass
        except TimeoutError:
            pass
        except OSError as error:
            raise Broken("broke_off") from error


async def resolve(targets: Targets, host: str, port: int) -> list[str]:
    """The addresses that a printer has. Raises `TargetForbidden` when one of them may not be called."""
    if not host:
        raise TargetForbidden("it has no host")
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Unreachable("name_unknown") from error
    addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
    for address in addresses:
        targets.check_address(address, host=host, port=port)
    return addresses


async def connect(targets: Targets, host: str, port: int, *, answer_s: float = ANSWER_S) -> DirectLink:
    addresses = await resolve(targets, host, port)
    try:
        async with asyncio.timeout(CONNECT_S):
            reader, writer = await asyncio.open_connection(addresses[0], port)
    except (OSError, TimeoutError) as error:
        raise Unreachable("unreachable") from error
    return DirectLink(reader, writer, answer_s)
