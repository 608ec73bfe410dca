"""The way to the server: always outward, one short call after another, and one that waits for a ticket."""

from __future__ import annotations

import base64
import binascii
import http.client
import json
import ssl
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tablegram.printagent.devices.state import State
from tablegram.printagent.journal import Entry

PROTOCOL = 1
# The server lets go of who waits before this, and proxies of who is silent for a minute.
WAIT_S = 25
CALL_S = 15.0
MAX_ANSWER = 8 << 20


class LinkLost(Exception):
    """No answer, or one that nobody can use; the same call may be made again."""


class Refused(Exception):
    """The server knows this agent and says no; the text says why."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


class Ticket(NamedTuple):
    job: str
    fence: int
    device: str
    content: bytes


class Link:
    """One printer's way to the server; one thread uses it."""

    def __init__(self, server: str, key: str, agent: str, *, wait_s: int = WAIT_S) -> None:
        parts = urlsplit(server)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
            raise ValueError(f"{server!r} is no server's address. Write https://HOST, as in a browser.")
        self._secure = parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port
        self._base = parts.path.rstrip("/")
        self._headers = {
            "Authorization": f"Bearer {key}",
            "Content-Type": "application/json",
            "User-Agent": "tablegram-print-agent",
        }
        self._agent = agent
        self._wait_s = wait_s
        self._connection: http.client.HTTPConnection | None = None

    def next(self, state: State) -> Ticket | None:
        """The next ticket, as soon as there is one; nothing when none came for a while."""
        body = {"wait_s": self._wait_s, "state": state._asdict()}
        answer = self._call("next", body, self._wait_s + CALL_S)
        job = answer.get("job")
        if job is None:
            return None
        try:
            content = base64.b64decode(job["content"], validate=True)
            return Ticket(str(job["id"]), int(job["fence"]), str(job["device"]), content)
        except (KeyError, TypeError, ValueError, binascii.Error):
            raise LinkLost("the server's answer cannot be read") from None

    def tell(self, entry: Entry, state: State) -> None:
        """What became of a ticket. To tell it again changes nothing."""
        body = {**entry._asdict(), "state": state._asdict()}
        self._call("result", body, CALL_S)

    def report(self, state: State, found: list[str] | None = None) -> None:
        """How the printer is, while it cannot print; and which ones were found in the network."""
        self._call("state", {"state": state._asdict(), "found": found or []}, CALL_S)

    def _call(self, name: str, body: dict[str, Any], within_s: float) -> dict[str, Any]:
        data = json.dumps({"protocol": PROTOCOL, "agent": self._agent, **body}).encode()
        try:
            connection = self._connect(within_s)
            connection.request("POST", f"{self._base}/print/agent/{name}", data, self._headers)
            answer = connection.getresponse()
            said = answer.read(MAX_ANSWER + 1)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise LinkLost(f"no answer from {self._host}: {error}") from None
        if len(said) > MAX_ANSWER or answer.status >= 500 or answer.status in (408, 429):
            self.close()
            raise LinkLost(f"{self._host} answered {answer.status}")
        found = _document(said)
        if answer.status not in (200, 204):
            raise Refused(answer.status, str(found.get("detail", f"the server answered {answer.status}")))
        return found

    def _connect(self, within_s: float) -> http.client.HTTPConnection:
        if self._connection is None:
            if self._secure:
                self._connection = http.client.HTTPSConnection(
                    self._host, self._port, timeout=CALL_S, context=ssl.create_default_context()
                )
            else:
                self._connection = http.client.HTTPConnection(self._host, self._port, timeout=CALL_S)
            self._connection.connect()
        self._connection.sock.settimeout(within_s)
        return self._connection

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _document(said: bytes) -> dict[str, Any]:
    try:
        found = json.loads(said or b"{}")
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise LinkLost("the server's answer cannot be read")
    return found
