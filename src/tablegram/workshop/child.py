"""A child: one piece of work, one answer, and its end. It holds nothing but the socket that both go through."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from inspect import signature
from typing import Any, NoReturn, get_type_hints

import msgspec

from tablegram.errors import Invalid
from tablegram.workshop.wire import BUG, HEAD, MADE, OUT_OF_MEMORY, WRONG, Fault, Order, Wrong

# Of a socket that is moved to where the fewest others stay open.
_PLACE = 3
MOST_FILES = 64
# Work on files gives way to requests.
NICENESS = 5
_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS = 1, 38
# Loaded once, in the foreman.
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def become(job: int, order: Order, work: Callable[[Any], Any], foreman: int) -> NoReturn:
    """Do it and end, whatever happens."""
    code = 1
    try:
        _let_go(job, foreman)
        _limit(order)
        with socket.socket(fileno=_PLACE) as peer:
            _work(peer, work)
        code = 0
    except MemoryError:
        code = OUT_OF_MEMORY
    except BaseException:
        # Nobody can be told any more: the parent has gone, or closed its ear.
        pass
    finally:
        os._exit(code)


def _let_go(job: int, foreman: int) -> None:
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if os.getppid() != foreman:
        # It died before we could ask to follow it.
        os._exit(1)
    os.dup2(job, _PLACE)
    os.closerange(_PLACE + 1, MOST_FILES)
    nothing = os.open(os.devnull, os.O_RDWR)
    for place in (0, 1, 2):
        os.dup2(nothing, place)
    os.close(nothing)


def _limit(order: Order) -> None:
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (order.file_bytes, order.file_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (order.cpu_s, order.cpu_s + 1))
    most = _address_space() + order.memory_bytes
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _address_space() -> int:
    """What this process has mapped already: libraries for the most part, shared with the foreman."""
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def _work(peer: socket.socket, work: Callable[[Any], Any]) -> None:
    try:
        kind, body = MADE, _plain(work(_given(_receive(peer), work)))
    except Invalid as problem:
        faults = [Fault(one.field, one.code, one.detail) for one in problem.errors]
        kind, body = WRONG, msgspec.msgpack.encode(Wrong(problem.code, problem.detail, faults))
    except MemoryError:
        raise
    except Exception as error:
        # Where, and what kind: the words of an error may hold what a customer wrote.
        places = "".join(traceback.format_tb(error.__traceback__))
        kind, body = BUG, f"{places}{type(error).__name__}".encode()
    peer.sendall(HEAD.pack(kind, len(body)))
    peer.sendall(body)


def _receive(peer: socket.socket) -> bytes:
    _, size = HEAD.unpack(_exactly(peer, HEAD.size))
    return bytes(_exactly(peer, size))


def _exactly(peer: socket.socket, size: int) -> bytearray:
    held = bytearray(size)
    view, got = memoryview(held), 0
    while got < size:
        count = peer.recv_into(view[got:])
        if count == 0:
            raise EOFError
        got += count
    return held


def _given(raw: bytes, work: Callable[[Any], Any]) -> Any:
    """What the function takes, by the annotation of its one parameter."""
    (name,) = signature(work).parameters
    kind = get_type_hints(work)[name]
    return raw if kind is bytes else msgspec.msgpack.decode(raw, type=kind)


def _plain(made: Any) -> bytes:
    return made if isinstance(made, bytes) else msgspec.msgpack.encode(made)
