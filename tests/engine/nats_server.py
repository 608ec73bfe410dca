"""A real NATS server on loopback, which a test may stop and start again on the same port."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from tests.orphans import follow_parent
from tests.ports import free_port

PROGRAM = Path(sys.executable).parent / "nats-server"


class NatsServer:
    def __init__(self, password: str) -> None:
        self._port = free_port()
        self._password = password
        self.url = f"nats://bus:{password}@127.0.0.1:{self._port}"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def port(self) -> int:
        return self._port

    def start(self) -> None:
        self._process = subprocess.Popen(
            [PROGRAM, "-a", "127.0.0.1", "-p", str(self._port), "--user", "bus", "--pass", self._password],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=partial(follow_parent, signal.SIGKILL, os.getpid()),
        )  # fmt: skip
        deadline = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self._port), timeout=1).close()
                return
            except OSError:
                assert time.monotonic() < deadline, "the NATS server does not listen"
                time.sleep(0.01)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()


@contextmanager
def nats_server(password: str = "not-to-be-told") -> Iterator[NatsServer]:
    server = NatsServer(password)
    try:
        server.start()
        yield server
    finally:
        server.stop()
