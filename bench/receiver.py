"""A customer's server that takes every event at once and notes how long it was on its way. A process of its own.

python -m bench.receiver PORT    a line on standard input prints what was seen since the last one, as JSON
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

import uvloop

_LENGTH = b"content-length:"
_OK = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"


class Seen:
    def __init__(self) -> None:
        self.lags: dict[str, list[float]] = {}
        self.ids: set[str] = set()
        self.wrong = 0
        self.repeated = 0

    def note(self, path: str, body: bytes) -> None:
        event = json.loads(body)
        if event["event"] != "messages.upsert":
            return
        data = event["data"]
        sender, sent_at = data["text"].split()[:2]
        if data["message_id"] in self.ids:
            self.repeated += 1
            return
        self.ids.add(data["message_id"])
        self.wrong += sender != data["from"]
        self.lags.setdefault(path, []).append(time.time() - float(sent_at))

    def report(self) -> dict[str, object]:
        answer = {"delivered": len(self.ids), "wrong": self.wrong, "repeated": self.repeated}
        lags = {path: sorted(values) for path, values in self.lags.items()}
        self.__init__()  # type: ignore[misc]
        return {**answer, "lags": {path: _figures(values) for path, values in lags.items()}}


def _figures(values: list[float]) -> dict[str, float]:
    at = {f"p{share}_ms": values[min(len(values) - 1, len(values) * share // 100)] * 1_000 for share in (50, 95, 99)}
    return {"count": len(values), **at, "max_ms": values[-1] * 1_000}


class Receiver(asyncio.Protocol):
    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self.buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = self.buffer[:end]
            lower = head.lower()
            length = int(lower[lower.index(_LENGTH) + len(_LENGTH) :].split(b"\r\n", 1)[0])
            if len(self.buffer) < end + 4 + length:
                return
            body, self.buffer = self.buffer[end + 4 : end + 4 + length], self.buffer[end + 4 + length :]
            self.transport.write(_OK)  # type: ignore[attr-defined]
            self.seen.note(head.split(b" ", 2)[1].decode(), body)


async def main(port: int) -> None:
    loop = asyncio.get_running_loop()
    seen = Seen()
    await loop.create_server(lambda: Receiver(seen), "127.0.0.1", port)
    questions = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(questions), sys.stdin)
    print("ready", flush=True)
    while await questions.readline():
        print(json.dumps(seen.report()), flush=True)


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1])))
