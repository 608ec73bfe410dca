"""One host: started, spoken with, watched, and ended. Whatever it does wrong ends it and nobody else."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import count
from pathlib import Path

import msgspec

from tablegram.linehost.words import MAX_FRAME, PROTOCOL, SOCKET_NAME
from tablegram.messaging.lines.linked.frames import DECODER, Event, Hello, No, Note, Ready, Said
from tablegram.values import Json

log = logging.getLogger("tablegram.lines")

# A host has a language and a library to load, on a machine that may be busy.
READY_WITHIN_S = 60.0
END_WITHIN_S = 5.0
WATCH_S = 5.0
# A host that keeps the server's frames unread for so long hangs.
WRITE_WITHIN_S = 30.0

EventTaken = Callable[[Event], Awaitable[None]]
NoteTaken = Callable[[Note], Awaitable[None]]


class HostGone(Exception):
    """The host has ended, or was ended, before it answered. `why` is in plain words."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class HostProcess:
    def __init__(self, engine: str, line: str, max_mb: int, command: Sequence[str] = ()) -> None:
        self.engine = engine
        self._line = line
        self._max_bytes = max_mb << 20
        self._command = [*command] or [sys.executable, "-m", "tablegram.linehost", engine, line]
        self._numbers = count(1)
        self._answers: dict[int, asyncio.Future[Json | No]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._process: asyncio.subprocess.Process | None = None
        self._writer: asyncio.StreamWriter | None = None
        self.ready: Ready | None = None
        # Why it ended, once it has.
        self.why = ""
        self.exit_code: int | None = None

    @property
    def is_alive(self) -> bool:
        return self._process is not None and not self.why

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    async def start(self, hello: Hello, event: EventTaken, note: NoteTaken) -> Ready:
        """Raises `HostGone`."""
        ours, theirs = socket.socketpair()
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                pass_fds=(theirs.fileno(),),
                env=_environment(theirs.fileno()),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            ours.close()
            self.why = f"its process could not be started: {error.strerror}"
            raise HostGone(self.why) from None
        finally:
            theirs.close()
        reader, self._writer = await asyncio.open_connection(sock=ours, limit=MAX_FRAME)
        first: asyncio.Future[Ready] = asyncio.get_running_loop().create_future()
        self._tasks = [
            asyncio.create_task(self._listen(reader, first, event, note), name=f"line {self._line}: listen"),
            asyncio.create_task(self._watch(), name=f"line {self._line}: watch"),
        ]
        try:
            await self._say({"hello": {"protocol": PROTOCOL, "line": self._line, **hello}})
            async with asyncio.timeout(READY_WITHIN_S):
                self.ready = await first
        except (TimeoutError, HostGone) as error:
            await self.end(str(error) or "it did not answer in time")
            raise HostGone(self.why) from None
        if self.ready.refused or self.ready.protocol != PROTOCOL:
            await self.end(f"it speaks version {self.ready.protocol} of the protocol, and the server {PROTOCOL}")
            raise HostGone(self.why)
        return self.ready

    async def order(self, do: str, given: Mapping[str, object], within_s: float) -> Json | No:
        """Raises `HostGone`, and `TimeoutError` when no answer came in time."""
        number = next(self._numbers)
        answer: asyncio.Future[Json | No] = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        try:
            await self._say({"id": number, "do": do, "with": given})
            async with asyncio.timeout(within_s):
                return await answer
        finally:
            self._answers.pop(number, None)
            if answer.done() and not answer.cancelled():
                # It may have failed while something was still being said; then nobody has looked at it.
                answer.exception()

    async def lead(self, until: float) -> None:
        """Tell it for how long the line is ours."""
        await self._say({"alive": {"until": until}})

    async def end(self, why: str = "it was stopped") -> None:
        """End it, gently first. Nothing of it is left when this returns."""
        if not self.why:
            self.why = why
        if self._writer is not None:
            self._writer.close()
        process = self._process
        if process is not None:
            try:
                async with asyncio.timeout(END_WITHIN_S):
                    self.exit_code = await process.wait()
            except TimeoutError:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                self.exit_code = await process.wait()
        for task in self._tasks:
            if task is not asyncio.current_task():
                task.cancel()
        self._fail_all()

    def kill(self, why: str) -> None:
        """It does what it must not."""
        if not self.why:
            self.why = why
            log.warning("the host of line %s is ended: %s", self._line, why)
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        if self._writer is not None:
            self._writer.close()
        self._fail_all()

    async def _listen(
        self, reader: asyncio.StreamReader, first: asyncio.Future[Ready], event: EventTaken, note: NoteTaken
    ) -> None:
        try:
            while line := await reader.readline():
                said = DECODER.decode(line)
                if not first.done():
                    if said.ready is None:
                        raise ValueError("it spoke before it was ready")
                    first.set_result(said.ready)
                else:
                    await self._take(said, event, note)
            why = "it ended by itself"
        except (ValueError, msgspec.DecodeError):
            why = "it said what no frame is"
        except (OSError, HostGone) as error:
            why = str(error) or "the connection to it broke"
        except Exception:
            log.exception("what the host of line %s told could not be kept", self._line)
            why = "what it told could not be kept"
        if not self.why:
            # One that is being ended has its time to let go of the network.
            self.kill(why)
        if not first.done():
            first.set_exception(HostGone(self.why))
        if self._process is not None:
            self.exit_code = await self._process.wait()

    async def _take(self, said: Said, event: EventTaken, note: NoteTaken) -> None:
        if said.event is not None:
            await event(said.event)
            await self._say({"took": said.event.n})
        elif said.note is not None:
            await note(said.note)
        elif said.id is not None:
            answer = self._answers.get(said.id)
            if answer is not None and not answer.done():
                answer.set_result(said.no if said.no is not None else said.ok or {})
        else:
            raise ValueError("a frame without a meaning")

    async def _watch(self) -> None:
        """A process that grows without end takes its neighbours along."""
        while self.is_alive:
            used = resident_bytes(self.pid or 0)
            if used > self._max_bytes:
                self.kill(f"it used {used >> 20} MB of memory")
            await asyncio.sleep(WATCH_S)

    async def _say(self, frame: Mapping[str, object]) -> None:
        writer = self._writer
        if writer is None or self.why:
            raise HostGone(self.why or "it is not started")
        writer.write(msgspec.json.encode(frame) + b"\n")
        try:
            async with asyncio.timeout(WRITE_WITHIN_S):
                await writer.drain()
        except TimeoutError:
            self.kill("it stopped to listen")
            raise HostGone(self.why) from None
        except OSError:
            # Whoever is told so finds it gone; `_listen` may not have heard of it yet.
            self.kill("it ended by itself")
            raise HostGone(self.why) from None

    def _fail_all(self) -> None:
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(HostGone(self.why))


def resident_bytes(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _environment(number: int) -> dict[str, str]:
    """A host gets what a program needs to run, and none of the server's settings, which are secrets for a part."""
    kept = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "PYTHONPATH", "VIRTUAL_ENV", "SSL_CERT_FILE", "SSL_CERT_DIR")
    return {**{name: os.environ[name] for name in kept if name in os.environ}, SOCKET_NAME: str(number)}
