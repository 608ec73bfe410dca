"""Several processes on one machine that share a port: started together, started again when one dies, ended together.

The first process only watches. It opens the port, so that whoever calls while a process starts waits and is not refused,
and a process that dies takes no connection with it but its own; then it forks the others off itself.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tablegram.cli.output import flush, tell_if_heard
from tablegram.errors import Misconfigured, Unavailable
from tablegram.server.leaving import HURRY
from tablegram.server.siblings import Sibling, stand_at
from tablegram.settings import Settings
from tablegram.storage.database import sqlite_path

log = logging.getLogger("tablegram.crew")

# A process that dies sooner than this after its start is started again ever more slowly.
STEADY_S = 10.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 30.0
# Each ends within 10 s of being told, beside the time for which it leaves; one that does not is ended.
END_WITHIN_S = 15.0
_WATCHED = (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT)
_SET_DEATH_SIGNAL = 1

# Serves on these sockets to the end; calls the function once it listens.
Serve = Callable[[Sequence[socket.socket], Callable[[], None]], None]


def check_crew(settings: Settings) -> None:
    """Refuse what cannot work, before anything starts."""
    alone = settings.workers == 1 and settings.role == "all"
    if alone:
        return
    asked = f"--workers {settings.workers}" if settings.workers > 1 else f"--role {settings.role}"
    if sqlite_path(settings.effective_database_url) is not None:
        raise Misconfigured(
            f"{asked} needs PostgreSQL: a database in a file is served by one process. "
            "Set TABLEGRAM_DATABASE_URL (docs/how-to/use-postgresql.md)."
        )
    if settings.sandbox and not settings.sandbox_url:
        raise Misconfigured(
            f"{asked} cannot run the sandbox inside the server. "
            "Run it alone (tablegram sandbox) and name it in TABLEGRAM_SANDBOX_URL."
        )


@dataclass(slots=True)
class _Place:
    """One of the processes; when it has died, when it is started again."""

    pid: int = 0
    ready: int = -1
    is_ready: bool = False
    started_at: float = 0.0
    start_at: float = 0.0
    pause_s: float = FIRST_PAUSE_S


class Crew:
    def __init__(self, size: int, sockets: Sequence[socket.socket], serve: Serve, leave_s: float = 0.0) -> None:
        self._sockets = sockets
        self._serve = serve
        self._leave_s = leave_s
        self._places = [_Place() for _ in range(size)]
        self._announced = False

    def run(self, announce: Callable[[], None]) -> None:
        """Until it is told to end (SIGTERM or Ctrl-C). `announce` is called when all of them listen for the first time."""
        signal.pthread_sigmask(signal.SIG_BLOCK, _WATCHED)
        while True:
            self._start_due()
            if not self._announced and all(place.is_ready for place in self._places):
                self._announced = True
                tell_if_heard(announce)
            told = signal.sigtimedwait(_WATCHED, self._wait_s())
            if told is not None and told.si_signo != signal.SIGCHLD:
                self._end()
                return
            self._look()

    def _wait_s(self) -> float:
        due = [place.start_at - time.monotonic() for place in self._places if not place.pid]
        # A pipe rings no bell: while somebody starts it is looked at often.
        starting = any(place.pid and not place.is_ready for place in self._places)
        return max(0.0, min([0.05 if starting else 60.0, *due]))

    def _start_due(self) -> None:
        for place in self._places:
            if not place.pid and place.start_at <= time.monotonic():
                self._start(place)

    def _start(self, place: _Place) -> None:
        read, write = os.pipe()
        os.set_blocking(read, False)
        flush()
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            os.close(read)
            number = next(number for number, one in enumerate(self._places) if one is place)
            stand_at(Sibling(parent, number, len(self._places)))
            self._be_one(parent, write)
        os.close(write)
        place.pid, place.ready, place.is_ready, place.started_at = pid, read, False, time.monotonic()

    def _be_one(self, parent: int, ready: int) -> None:
        """What the forked process does; it never comes back."""
        code = 1
        try:
            _end_with(parent)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _WATCHED)
            self._serve(self._sockets, lambda: os.close(ready) if os.write(ready, b".") else None)
            code = 0
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else 1
        except KeyboardInterrupt:
            code = 0
        except Exception as error:
            log.error("a process could not serve: %s", error)
        finally:
            flush()
            os._exit(code)

    def _look(self) -> None:
        """Who has begun to listen, and who has died."""
        for place in self._places:
            if place.pid and not place.is_ready:
                place.is_ready = _has_said(place.ready)
            if place.pid and os.waitpid(place.pid, os.WNOHANG)[0]:
                self._bury(place)

    def _bury(self, place: _Place) -> None:
        os.close(place.ready)
        if not place.is_ready and not self._announced:
            place.pid = 0
            self._end()
            raise Unavailable("A process ended before it could serve; its log says why.")
        now = time.monotonic()
        lived_s = now - place.started_at
        place.pause_s = FIRST_PAUSE_S if lived_s > STEADY_S else min(place.pause_s * 2, LONGEST_PAUSE_S)
        log.error("process %s ended after %.0f s and is started again", place.pid, lived_s)
        place.pid, place.start_at = 0, now + place.pause_s

    def _end(self) -> None:
        """Tell all at once, and wait until each has handed over what it held; told again, nobody is waited for."""
        for place in self._places:
            if place.pid:
                os.kill(place.pid, signal.SIGTERM)
        # The port closes with the last of them: nobody waits at it in vain.
        for one in self._sockets:
            one.close()
        deadline = time.monotonic() + END_WITHIN_S + self._leave_s
        while left := [place for place in self._places if place.pid]:
            for place in left:
                if os.waitpid(place.pid, os.WNOHANG)[0]:
                    place.pid = 0
                elif time.monotonic() > deadline:
                    log.error("process %s does not end and is killed", place.pid)
                    os.kill(place.pid, signal.SIGKILL)
            told = signal.sigtimedwait(_WATCHED, 0.1)
            if told is not None and told.si_signo != signal.SIGCHLD:
                for place in self._places:
                    if place.pid:
                        os.kill(place.pid, HURRY)


def _has_said(pipe: int) -> bool:
    try:
        return os.read(pipe, 1) != b""
    except BlockingIOError:
        return False


def _end_with(parent: int) -> None:
    """Be told to end when the one that watches is killed: nobody would start us again, and the port stays taken."""
    if sys.platform == "linux":
        # Only a process that shares the port asks the kernel for it.
        import ctypes

        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
