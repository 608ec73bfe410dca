"""The foreman: a process that has loaded what the work needs, and forks a child for each piece of it.

It is started clean: no variable, no file and no secret of the server comes along. It never looks at what a stranger
sent; only children do, each once, so that nothing of one file is left when the next one comes.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import resource
import selectors
import signal
import socket
from collections.abc import Callable
from typing import Any

import msgspec

from tablegram.workshop.child import MOST_FILES, become
from tablegram.workshop.wire import ORDER_BYTES, Order, Report

_orders = msgspec.json.Decoder(Order)


def main(control_fd: int) -> None:
    """Follow the orders that come through the control socket, until it is closed."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (MOST_FILES, MOST_FILES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Who ends the server tells the server; it closes the socket.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Among the first numbers, where children close everything.
    control = socket.socket(fileno=os.dup(control_fd))
    os.close(control_fd)
    with control:
        Foreman(control).follow()


class Foreman:
    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._works: dict[str, Callable[[Any], Any]] = {}
        # The number of each piece of work under the pid of its child.
        self._children: dict[int, int] = {}

    def follow(self) -> None:
        woken, waker = os.pipe()
        for end in (woken, waker):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        try:
            with selectors.DefaultSelector() as ears:
                ears.register(self._control, selectors.EVENT_READ)
                ears.register(woken, selectors.EVENT_READ)
                while self._hear({key.fd for key, _ in ears.select()}, woken):
                    pass
        except OSError:
            # The server has gone without closing anything.
            pass
        finally:
            self._end_all()

    def _hear(self, ready: set[int], woken: int) -> bool:
        if woken in ready:
            os.read(woken, 4_096)
            self._bury()
        if self._control.fileno() not in ready:
            return True
        said, sockets, _, _ = socket.recv_fds(self._control, ORDER_BYTES, 1)
        if not said:
            return False
        order = _orders.decode(said)
        if order.work:
            self._begin(order, sockets[0])
        else:
            self._end(order.number)
        return True

    def _begin(self, order: Order, job: int) -> None:
        try:
            work = self._find(order.work)
        except Exception as error:
            os.close(job)
            self._report(Report(order.number, why=f"{type(error).__name__}: {error}"))
            return
        foreman = os.getpid()
        pid = os.fork()
        if pid == 0:
            become(job, order, work, foreman)
        os.close(job)
        self._children[pid] = order.number
        self._report(Report(order.number, pid=pid))

    def _find(self, name: str) -> Callable[[Any], Any]:
        if name not in self._works:
            module, _, function = name.partition(":")
            loaded = importlib.import_module(module)
            self._works[name] = getattr(loaded, function)
            # Pages that the collector does not touch stay shared with the children.
            gc.collect()
            gc.freeze()
        return self._works[name]

    def _end(self, number: int) -> None:
        for pid, known in self._children.items():
            if known == number:
                # It is ours until it is buried, so the pid is nobody else's.
                os.kill(pid, signal.SIGKILL)

    def _bury(self) -> None:
        while self._children:
            pid, status, used = os.wait4(-1, os.WNOHANG)
            if pid == 0:
                return
            number = self._children.pop(pid)
            code = os.waitstatus_to_exitcode(status)
            spent = used.ru_utime + used.ru_stime
            self._report(Report(number, pid, code, spent))

    def _report(self, report: Report) -> None:
        self._control.sendall(msgspec.json.encode(report))

    def _end_all(self) -> None:
        for pid in self._children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for pid in self._children:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
