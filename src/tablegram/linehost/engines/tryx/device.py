"""The device of a phone, by the library `tryx`: comes online, goes, and tells what it hears.

The library lives in an event loop on a thread of its own, and connects again by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from tablegram.linehost.engines.e2e.folding import fold
from tablegram.linehost.engines.e2e.history import read_history
from tablegram.linehost.engines.e2e.memory import Memory
from tablegram.linehost.engines.e2e.refusals import offline
from tablegram.linehost.engines.e2e.session import Session, Shape
from tablegram.linehost.engines.e2e.telling import Note, Telling
from tablegram.linehost.engines.port import HostPort
from tablegram.linehost.engines.tryx import events
from tablegram.linehost.wire import Ended

# The library does not say that it cannot connect; silence for so long does.
SILENCE_S = 5.0
COPY_S = 600.0
SHAPE = Shape(
    "SELECT 1 FROM device WHERE pn <> '' LIMIT 1",
    (
        ("sent_messages",), ("group_metadata",), ("device_registry",), ("msg_secrets",),
        ("app_state_mutation_macs", "app_state_versions"), ("sender_keys", "sender_key_devices"),
        ("sessions", "identities", "base_keys"), ("lid_pn_mapping",), ("tc_tokens",),
    ),
)  # fmt: skip

Given = TypeVar("Given")


class Device(Telling):
    # Made by `start`, as its host is.
    _session: Session
    _memory: Memory

    def __init__(self, library: Any) -> None:
        super().__init__()
        self._library = library
        # Grows with every `start`, so that what is of before knows that it is not meant any more.
        self._round = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._running: asyncio.Task[None] | None = None
        self._client: Any = None
        self._seen = False
        self._stamp: tuple[int, ...] = ()

    # Its life.

    def start(self, host: HostPort, session: bytes | None) -> None:
        self._host = host
        proxy = host.settings.get("proxy", "")
        if proxy:
            os.environ["ALL_PROXY"] = proxy
        self._session = Session(host.folder, SHAPE)
        self._session.begin(session)
        if "_memory" in vars(self):
            self._memory.close()
        self._memory = Memory(host.folder / "messages.db")
        if not session:
            self._memory.forget()
        self._round += 1
        threading.Thread(target=self._run, args=(self._round,), daemon=True).start()

    def hush(self) -> None:
        self._round += 1
        self._client, self._note = None, Note()
        loop, running = self._loop, self._running
        if loop is not None and running is not None and not loop.is_closed():
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(running.cancel)

    def _run(self, mine: int) -> None:
        with contextlib.suppress(asyncio.CancelledError, Ended):
            asyncio.run(self._live(mine))

    async def _live(self, mine: int) -> None:
        self._loop, self._running = asyncio.get_running_loop(), asyncio.current_task()
        while mine == self._round and self._host.is_sure():
            self._seen = False
            app = self._library.Tryx(self._library.SqliteStore(str(self._session.path)))
            for event, heard in self._handlers().items():
                app.on(event)(self._handler(mine, heard))
            watch = asyncio.create_task(self._watch(mine))
            try:
                await app.run()
            except asyncio.CancelledError:
                raise
            except Exception as error:
                self._tell("disconnected", "unreachable", str(error)[:150])
            finally:
                watch.cancel()
                self._client = None
            await asyncio.sleep(SILENCE_S)

    async def _watch(self, mine: int) -> None:
        await asyncio.sleep(SILENCE_S)
        if not self._seen and mine == self._round:
            self._tell("disconnected", "unreachable", "it does not answer")
        while True:
            await asyncio.sleep(COPY_S)
            if self._phone and self._session.stamp() != self._stamp:
                self._copy()

    def _handler(self, mine: int, heard: Callable[[Any, Any], None]) -> Callable[[Any, Any], Awaitable[None]]:
        async def hear(client: Any, event: Any) -> None:
            if mine != self._round or not self._host.is_sure():
                return
            self._seen = True
            with contextlib.suppress(Ended):
                heard(client, event)

        return hear

    def _handlers(self) -> dict[Any, Callable[[Any, Any], None]]:
        told = self._library.events
        return {
            told.EvPairingQrCode: lambda _, event: self._show(event.code, event.timeout),
            told.EvConnected: lambda client, _: self._connected(client),
            told.EvDisconnected: lambda _, __: self._tell("disconnected", "unreachable", "the connection broke off"),
            told.EvLoggedOut: lambda _, __: self._forget("logged_out_by_phone"),
            told.EvStreamReplaced: lambda _, __: self._give_up("disconnected", "replaced"),
            told.EvClientOutDated: lambda _, __: self._give_up("needs_attention", "outdated"),
            told.EvTemporaryBan: lambda _, event: self._failed(events.ban(event)),
            told.EvConnectFailure: lambda _, event: self._failed(events.connect_failure(event)),
            told.EvPairError: lambda _, event: self._failed(events.pairing_failed(event)),
            told.EvMessage: lambda _, event: self._message(event),
            told.EvReceipt: lambda _, event: self._tell_all(events.receipt(event, self._with_groups)),
            told.EvHistorySync: lambda _, event: self._history(event),
        }

    # What the network says.

    def _show(self, code: str, good_s: int) -> None:
        if self._note.reason != "passkey_needed":
            self._tell("pairing", "waiting_for_phone")
        self._host.note("qr", {"code": code, "until_ms": int((time.time() + good_s) * 1_000)})

    def _connected(self, client: Any) -> None:
        self._client = client
        self._phone = events.address(client.advanced.get_pn()).user
        self._copy()
        self._tell("connected", "")

    def _message(self, event: Any) -> None:
        told = events.message(event, self._with_groups)
        if told is None:
            return
        one = events.heard(event.data)
        kind, name, data = told
        file = event.data.raw_proto.SerializeToString() if "media" in data else b""
        self._memory.keep(data["id"], str(one.chat), str(one.sender), one.is_mine, file)
        self._host.tell(kind, name, data)

    def _history(self, event: Any) -> None:
        for told, one in read_history(fold(event.proto), self._with_groups):
            self._memory.keep(one.id, str(one.chat), str(one.sender), one.is_mine)
            self._host.tell(*told)

    def _failed(self, note: Note) -> None:
        if note.state == "logged_out":
            self._forget(note.reason)
        else:
            self._tell(note.state, note.reason, note.detail, note.until_ms)

    def _give_up(self, state: str, reason: str) -> None:
        """Until somebody starts the line anew."""
        self._tell(state, reason)
        note = self._note
        self.hush()
        self._note = note

    def _forget(self, reason: str) -> None:
        self.hush()
        self._session.erase()
        self._memory.forget()
        self._phone = ""
        self._host.keep_session(b"")
        self._tell("logged_out", reason)

    def _copy(self) -> None:
        copied = self._session.copy()
        self._stamp = self._session.stamp()
        if copied:
            self._host.keep_session(copied)

    # For orders, which come on other threads.

    def _wait(self, work: Callable[[Any], Coroutine[Any, Any, Given]], within_s: float) -> Given:
        """Have something done in the library's loop. Raises what it raises, and `TimeoutError`."""
        client, loop = self._client, self._loop
        if client is None or loop is None or not self._host.is_sure():
            raise offline("The line is not connected to the network.", self._note.state or "disconnected")
        future = asyncio.run_coroutine_threadsafe(work(client), loop)
        try:
            return future.result(within_s)
        except TimeoutError:
            future.cancel()
            raise
