"""A printer in the network: raw bytes over TCP, by custom on port 9100."""

from __future__ import annotations

import socket
import time

from tablegram.printagent.devices.state import OFFLINE, QUESTIONS, UNKNOWN, Broken, State, Unreachable, read

PORT = 9100
CONNECT_S = 3.0
# A cheap printer takes bytes as fast as it prints them.
WRITE_S = 30.0
ANSWER_S = 1.5


class NetworkPrinter:
    def __init__(
        self, host: str, port: int = PORT, *, connect_s: float = CONNECT_S, answer_s: float = ANSWER_S
    ) -> None:
        self._address = (host, port)
        self._connect_s = connect_s
        self._answer_s = answer_s

    def state(self) -> State:
        try:
            with self._connect() as link:
                return self._ask(link)
        except Unreachable:
            return OFFLINE

    def print(self, content: bytes) -> State:
        """Print, and ask before and after. A state with an error after bytes went out is told by `Broken`."""
        with self._connect() as link:
            before = self._ask(link)
            if before.error:
                return before
            # A new connection after a question that was not answered: some printers end there what they do not know.
            if not before.known:
                link.close()
                link = self._connect()
            with link:
                self._write(link, content)
                after = self._ask(link) if before.known else UNKNOWN
                self._finish(link)
        if before.known and not after.known:
            raise Broken("no_answer")
        if after.error:
            raise Broken(after.error)
        return after

    def _connect(self) -> socket.socket:
        try:
            link = socket.create_connection(self._address, self._connect_s)
        except OSError as error:
            raise Unreachable("unreachable") from error
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return link

    def _write(self, link: socket.socket, content: bytes) -> None:
        link.settimeout(WRITE_S)
        try:
            link.sendall(content)
        except OSError as error:
            raise Broken("broke_off") from error

    def _ask(self, link: socket.socket) -> State:
        """One question after another: cheap printers answer only the last one of several."""
        answers = b""
        deadline = time.monotonic() + self._answer_s
        try:
            for question in QUESTIONS:
                link.settimeout(max(0.05, deadline - time.monotonic()))
                link.sendall(question)
                answer = link.recv(1)
                if not answer:
                    return UNKNOWN
                answers += answer
        except OSError:
            return UNKNOWN
        return read(answers)

    def _finish(self, link: socket.socket) -> None:
        """Whoever resets instead of closing may have thrown away what it was sent."""
        try:
            link.shutdown(socket.SHUT_WR)
            link.settimeout(self._answer_s)
            while link.recv(256):
                pass
        except TimeoutError:
            pass
        except OSError as error:
            raise Broken("broke_off") from error
