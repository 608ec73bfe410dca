"""A way to a server on which answers get lost: the request goes through, and the connection ends without a word."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class FlakyWay:
    def __init__(self, target: tuple[str, int], loses: int) -> None:
        self._target = target
        self._left = loses
        self._guard = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.lost = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                caller, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._carry, args=(caller,), daemon=True).start()

    def _carry(self, caller: socket.socket) -> None:
        with caller, socket.create_connection(self._target) as server:
            threading.Thread(target=_pump, args=(caller, server), daemon=True).start()
            while answer := server.recv(65_536):
                with self._guard:
                    loses = self._left > 0
                    self._left -= loses
                if loses:
                    # The whole answer was on its way: what was asked for is done.
                    self.lost += 1
                    # While the other thread reads from it, closing alone would not end it.
                    caller.shutdown(socket.SHUT_RDWR)
                    return
                caller.sendall(answer)

    def close(self) -> None:
        self._listener.close()


def _pump(source: socket.socket, target: socket.socket) -> None:
    try:
        while piece := source.recv(65_536):
            target.sendall(piece)
    except OSError:
        return


@contextmanager
def flaky_way(target: tuple[str, int], loses: int) -> Iterator[FlakyWay]:
    way = FlakyWay(target, loses)
    try:
        yield way
    finally:
        way.close()
