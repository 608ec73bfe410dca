"""A mail server on loopback, a few commands of SMTP, whose letters can be read."""

from __future__ import annotations

import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage


class Letterbox:
    def __init__(self) -> None:
        self.letters: list[EmailMessage] = []
        self.commands: list[str] = []
        # Recipients that the server does not take.
        self.refused: set[str] = set()
        self.port = 0

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    def wait_for(self, to: str, subject: str = "", within_s: float = 30.0) -> EmailMessage:
        """The newest letter to somebody, as soon as it is there; with a subject that begins so."""
        ends = time.monotonic() + within_s
        while time.monotonic() < ends:
            found = [one for one in self.letters if one["To"] == to and one["Subject"].startswith(subject)]
            if found:
                return found[-1]
            time.sleep(0.02)
        raise AssertionError(f"no letter to {to}")


class _Talk(socketserver.StreamRequestHandler):
    """One conversation."""

    timeout = 60

    def say(self, line: str) -> None:
        self.wfile.write(line.encode() + b"\r\n")

    def handle(self) -> None:
        box: Letterbox = self.server.box  # type: ignore[attr-defined]
        self.say("220 letterbox")
        while raw := self.rfile.readline():
            line = raw.decode().strip()
            box.commands.append(line)
            word = line.split(" ")[0].upper()
            if word == "DATA":
                self.say("354 go on")
                box.letters.append(self.read_letter())
                self.say("250 kept")
            elif word == "RCPT" and any(address in line for address in box.refused):
                self.say("550 nobody of that name")
            elif word == "QUIT":
                self.say("221 bye")
                return
            else:
                self.say("250 fine")

    def read_letter(self) -> EmailMessage:
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line.removeprefix(b"."))
        letter = message_from_bytes(b"".join(lines), policy=policy.default)
        assert isinstance(letter, EmailMessage)
        return letter


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


@contextmanager
def letterbox() -> Iterator[Letterbox]:
    """The server, in threads of its own."""
    box = Letterbox()
    with _Server(("127.0.0.1", 0), _Talk) as server:
        server.box = box  # type: ignore[attr-defined]
        box.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield box
        finally:
            server.shutdown()
            thread.join()
