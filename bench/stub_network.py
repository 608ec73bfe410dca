"""A network that accepts every message at once: the least a real one could cost. A process of its own.

python -m bench.stub_network PORT
"""

from __future__ import annotations

import asyncio
import itertools
import sys

import uvloop

_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
_BODY = b'{"messaging_product":"whatsapp","messages":[{"id":"wamid.stub%d"}]}'
_LENGTH = b"content-length:"


class Stub(asyncio.Protocol):
    numbers = itertools.count()

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
            body = _BODY % next(self.numbers)
            self.transport.write(_HEAD % (len(body), body))  # type: ignore[attr-defined]


async def main(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Stub, "127.0.0.1", port)
    print("ready", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1])))
