"""A network that takes every message at once, says when a guest's came, and tells of each that it was sent and delivered.

    python -m bench.marketing.network PORT GUESTS SERVER_PORT HOOK_KEY

A process of its own, and a light one. Messages to numbers that begin with GUESTS are noted with the moment at which they came. For
each line on its input it prints one JSON line: how many it took so far, and the moments that it has noted since the last one.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import deque

import msgspec
import uvloop

from bench.callbacks import Caller

CALLERS = 4
SENT_AFTER_S, DELIVERED_AFTER_S = 0.02, 0.07
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
_BODY = b'{"messaging_product":"whatsapp","messages":[{"id":"%s"}]}'
_LENGTH = b"content-length:"


class Asked(msgspec.Struct):
    """What the stub reads of a message."""

    to: str = ""
    biz_opaque_callback_data: str = ""


class Told:
    """What the network says of messages; who is free says the next. A server that was away is called anew."""

    def __init__(self, port: int, hook_key: str) -> None:
        self.port, self.hook_key = port, hook_key
        self.callers = 0
        self.free: deque[Caller] = deque()
        self.counts = {"acknowledged": 0, "refused": 0}
        self.due: deque[bytes] = deque()
        self.calling: set[asyncio.Task[object]] = set()

    def send_due(self) -> None:
        while self.due and self.free:
            self.free.popleft().call(self.hook_key, self.due.popleft())
        if self.due and self.callers < CALLERS:
            self.callers += 1
            task = asyncio.create_task(self._connect())
            self.calling.add(task)
            task.add_done_callback(self.calling.discard)

    async def _connect(self) -> None:
        try:
            await asyncio.get_running_loop().create_connection(lambda: Again(self), "127.0.0.1", self.port)
        except OSError:
            self.callers -= 1
            return
        self.send_due()

    def say(self, network_id: str, asked: Asked, status: str) -> None:
        told = {
            "id": network_id, "status": status, "timestamp": str(int(time.time())), "recipient_id": asked.to,
            "biz_opaque_callback_data": asked.biz_opaque_callback_data,
        }  # fmt: skip
        about = {"display_phone_number": "1", "phone_number_id": "1"}
        value = {"messaging_product": "whatsapp", "metadata": about, "statuses": [told]}
        entry = {"id": "1", "changes": [{"field": "messages", "value": value}]}
        self.due.append(json.dumps({"object": "whatsapp_business_account", "entry": [entry]}).encode())
        self.send_due()


class Again(Caller):
    def __init__(self, told: Told) -> None:
        super().__init__(told)  # type: ignore[arg-type]
        self.told = told

    def connection_lost(self, _error: Exception | None) -> None:
        self.told.callers -= 1
        if self in self.told.free:
            self.told.free.remove(self)


class Network:
    def __init__(self, guests: str, told: Told) -> None:
        self.guests, self.told = guests, told
        self.taken = 0
        self.came: dict[str, float] = {}
        self._read = msgspec.json.Decoder(Asked).decode
        self._loop = asyncio.get_running_loop()

    def take(self, body: bytes) -> bytes:
        asked = self._read(body)
        self.taken += 1
        if asked.to.startswith(self.guests):
            self.came[asked.to] = time.time()
        network_id = f"wamid.stub{self.taken}"
        self._loop.call_later(SENT_AFTER_S, self.told.say, network_id, asked, "sent")
        self._loop.call_later(DELIVERED_AFTER_S, self.told.say, network_id, asked, "delivered")
        return _BODY % network_id.encode()

    def report(self) -> dict[str, object]:
        came, self.came = self.came, {}
        return {"taken": self.taken, "came": came, **self.told.counts}


class Side(asyncio.Protocol):
    """One connection of the gateway's."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = self.buffer[:end].lower()
            at = head.find(_LENGTH)
            length = 0 if at < 0 else int(head[at + len(_LENGTH) :].split(b"\r\n", 1)[0])
            if len(self.buffer) < end + 4 + length:
                return
            body, self.buffer = self.buffer[end + 4 : end + 4 + length], self.buffer[end + 4 + length :]
            # Whoever asks for anything but a message hears that all is well.
            answer = self.network.take(body) if head.startswith(b"post ") and body else b"{}"
            self.transport.write(_HEAD % (len(answer), answer))  # type: ignore[attr-defined]


async def main(port: int, guests: str, server_port: int, hook_key: str) -> None:
    loop = asyncio.get_running_loop()
    told = Told(server_port, hook_key)
    network = Network(guests, told)
    await loop.create_server(lambda: Side(network), "127.0.0.1", port)
    questions = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(questions), sys.stdin)
    print("ready", flush=True)
    while await questions.readline():
        print(json.dumps(network.report()), flush=True)


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]))
