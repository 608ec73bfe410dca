"""An S3-compatible server on loopback, in a process of its own, with an empty bucket."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

from tests.ports import free_port

BUCKET = "tablegram-test"
ACCESS_KEY, SECRET_KEY = "test-access-key", "test-secret-key-never-to-be-seen"
START_WITHIN_S = 60.0


@contextmanager
def running_bucket() -> Iterator[str]:
    """The address of the server. What was put there is gone with it."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    server = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _make_bucket(address)
        yield address
    finally:
        server.terminate()
        server.wait(10)


def _make_bucket(address: str) -> None:
    deadline = time.monotonic() + START_WITHIN_S
    while True:
        try:
            urllib.request.urlopen(urllib.request.Request(f"{address}/{BUCKET}", method="PUT"), timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
