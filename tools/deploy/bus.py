"""NATS with the configuration of the compose files, told its password as they tell it."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from tests.ports import free_port
from tests.product import wait_until
from tools.deploy.containers import COMPOSE, FOLDER
from tools.deploy.files import documents, program

CONFIGURATION = FOLDER / "nats.conf"
# A password of digits alone, and others that are read as numbers and words of the configuration where nobody puts them in quotes.
PASSWORDS = ("1234567890" * 4, "12e4", "9k", "true", "c0ffee")


def asks() -> list[str]:
    """NATS as the compose files start it: it lets in who knows the password, whatever that looks like, and nobody else"""
    (part,) = documents(COMPOSE[-1])
    told = part["services"]["bus"]["environment"]["NATS_PASSWORD"]
    found = []
    for password in PASSWORDS:
        with started(re.sub(r"\$\{[^}]*\}", password, told)) as port:
            if not lets_in(port, {"user": "bus", "pass": password}):
                found.append(f"the password {password} is refused")
            if lets_in(port, {}) or lets_in(port, {"user": "bus", "pass": "another"}):
                found.append(f"where the password is {password}, others are let in")
    return found


@contextmanager
def started(password: str) -> Iterator[int]:
    port = free_port()
    command = [program("nats-server"), "--config", str(CONFIGURATION), "--addr", "127.0.0.1", "--port", str(port)]
    with tempfile.TemporaryFile() as said:
        server = subprocess.Popen(command, env={**os.environ, "NATS_PASSWORD": password}, stdout=said, stderr=said)

        def listens() -> bool:
            assert server.poll() is None, "it has ended"
            try:
                socket.create_connection(("127.0.0.1", port), timeout=5).close()
            except OSError:
                return False
            return True

        try:
            wait_until(listens, "NATS to listen")
            yield port
        except AssertionError:
            said.seek(0)
            print(said.read().decode(errors="replace"))
            raise
        finally:
            server.terminate()
            server.wait(30)


def lets_in(port: int, who: dict[str, str]) -> bool:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection, connection.makefile("rb") as said:
        assert said.readline().startswith(b"INFO ")
        connection.sendall(f"CONNECT {json.dumps({'verbose': True, **who})}\r\n".encode())
        return said.readline().startswith(b"+OK")


CHECKS = (asks,)
