"""A network that accepts every message at once: the least a real one could cost. A process of its own.

Whoever asks how a number is hears that it is well: a line that is told otherwise, and whose messages are accepted all the same,
would change its state with each of them.

python -m bench.stub_network PORT
"""

from __future__ import annotations

import asyncio
import itertools
import sys
import time

import uvloop

_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
_BODY = b'{"messaging_product":"whatsapp","messages":[{"id":"wamid.stub%d"}]}'
_WELL = b'{"id":"1","display_phone_number":"+90 212 555 01 01","verified_name":"Bench","status":"CONNECTED"}'
_LENGTH = b"content-length:"


class Stub(asyncio.Protocol):
    # No number comes twice, though the network is started again on the same database.
    numbers = itertools.count(time.time_ns())

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.buffer = b""

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = self.buffer[:end].lower()
            at = head.find(_LENGTH)
            length = 0 if at < 0 else int(head[at + len(_LENGTH) :].split(b"\r\n", 1)[0])
            if len(self.buffer) < end + 4 + length:
                return
            self.buffer = self.buffer[end + 4 + length :]
            body = _WELL if head.startswith(b"get ") else _BODY % next(self.numbers)
            self.transport.write(_HEAD % (len(body), body))  # type: ignore[attr-defined]


async def main(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Stub, "127.0.0.1", port)
    print("ready", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1])))
