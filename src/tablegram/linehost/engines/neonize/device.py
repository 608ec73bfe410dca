"""The device of a phone, by the library `neonize`: comes online, goes, and tells what it hears."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from tablegram.linehost.engines.e2e.inbound import read_message
from tablegram.linehost.engines.e2e.memory import Memory
from tablegram.linehost.engines.e2e.people import LIDS, NOBODY, Jid
from tablegram.linehost.engines.e2e.refusals import offline, unreachable
from tablegram.linehost.engines.e2e.session import Session, Shape
from tablegram.linehost.engines.e2e.telling import Note, Telling
from tablegram.linehost.engines.neonize import events
from tablegram.linehost.engines.neonize.library import client_class
from tablegram.linehost.engines.port import HostPort
from tablegram.linehost.wire import Ended

# The library does not try again by itself before it was once connected.
FIRST_AGAIN_S, LONGEST_AGAIN_S = 5.0, 60.0
# The first code of a connection is good for a minute, the others for less.
FIRST_CODE_S, CODE_S = 60, 20
# How often the device's keys are copied for the server, where something changed.
COPY_S = 600.0
# How long what is under way may take when the network is let go.
LET_GO_S = 0.5


# The library's own file.
SHAPE = Shape(
    "SELECT 1 FROM whatsmeow_device LIMIT 1",
    (
        ("whatsmeow_retry_buffer",), ("whatsmeow_event_buffer",), ("whatsmeow_message_secrets",),
        ("whatsmeow_app_state_mutation_macs", "whatsmeow_app_state_version"), ("whatsmeow_contacts",),
        ("whatsmeow_chat_settings",), ("whatsmeow_sender_keys",), ("whatsmeow_sessions", "whatsmeow_identity_keys"),
        ("whatsmeow_lid_map",), ("whatsmeow_privacy_tokens",),
    ),
)  # fmt: skip


class Device(Telling):
    # Made by `start`, as its host is.
    _session: Session
    _memory: Memory

    def __init__(self, library: Any) -> None:
        super().__init__()
        self._library = library
        self.version: str = __import__("neonize").__version__
        self._lock = threading.Condition()
        # Grows with every `start`, so that threads of before know that they are not meant any more.
        self._round = 0
        # The client that may be called, and the one that is or was last connected.
        self._client: Any = None
        self._current: Any = None
        self._not_before = 0.0
        self._under_way = 0
        self._codes = 0
        self._stamp: tuple[int, ...] = ()

    # Its life.

    def start(self, host: HostPort, session: bytes | None) -> None:
        self._host = host
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
        self._note = Note()
        self._drop()

    def _drop(self) -> None:
        """Let go of the connection. No call may begin any more: without a client the library takes the process down."""
        with self._lock:
            self._client = None
            if self._under_way:
                self._lock.wait_for(lambda: self._under_way == 0, LET_GO_S)
        if self._current is not None:
            # Not on the library's own thread, which may be the one that tells us to.
            threading.Thread(target=self._current.stop, daemon=True).start()

    def _run(self, mine: int) -> None:
        wait = FIRST_AGAIN_S
        while mine == self._round and self._host.is_sure():
            began, self._codes = time.monotonic(), 0
            client = self._current = self._make(mine)
            try:
                client.connect(self._proxy())
            except Exception as error:
                if mine == self._round:
                    self._tell("disconnected", "unreachable", unreachable(str(error)))
            with self._lock:
                if self._client is client:
                    self._client = None
            client.stop()
            is_new = self._codes or time.monotonic() - began > LONGEST_AGAIN_S
            wait = FIRST_AGAIN_S if is_new else min(LONGEST_AGAIN_S, wait * 1.5)
            until = max(self._not_before, time.monotonic() + wait)
            while mine == self._round and time.monotonic() < until:
                time.sleep(0.2)

    def _proxy(self) -> Any:
        address = self._host.settings.get("proxy", "")
        return self._library.ProxySettings(proxy_address=address) if address else None

    def _make(self, mine: int) -> Any:
        library = self._library
        kind = client_class(library, lambda word: self._hear(mine, lambda: self._login(word)))
        props = library.DeviceProps(os=(self._host.settings.get("name") or "Tablegram")[:40])
        props.platformType = library.DeviceProps.DESKTOP
        client = kind(str(self._session.path), uuid=f"line-{mine}", props=props)
        proto = library.neonize_proto
        client.event.qr(lambda _, code: self._hear(mine, lambda: self._show(client, code)))
        for event, heard in (
            (proto.Connected, lambda _: self._connected(mine, client)),
            (proto.Disconnected, lambda _: self._tell("disconnected", "unreachable", "the connection broke off")),
            (proto.KeepAliveTimeout, lambda _: self._tell("degraded", "unreachable", "it does not answer")),
            (proto.KeepAliveRestored, lambda _: self._tell("connected", "")),
            (proto.LoggedOut, lambda _: self._forget("logged_out_by_phone")),
            (proto.StreamReplaced, lambda _: self._give_up("disconnected", "replaced")),
            (proto.ClientOutdated, lambda _: self._give_up("needs_attention", "outdated")),
            (proto.TemporaryBan, lambda told: self._failed(events.ban(told, int(time.time() * 1_000)))),
            (proto.ConnectFailure, lambda told: self._failed(events.connect_failure(told))),
            (proto.PairStatus, lambda told: self._failed(events.pairing(told))),
            (proto.Message, self._message),
            (proto.Receipt, lambda told: self._tell_all(events.receipt(told, self._with_groups))),
            (proto.HistorySync, self._history),
        ):
            client.event(event)(self._handler(mine, heard))
        return client

    def _handler(self, mine: int, heard: Callable[[Any], None]) -> Callable[[Any, Any], None]:
        return lambda _, told: self._hear(mine, lambda: heard(told))

    def _hear(self, mine: int, work: Callable[[], None]) -> None:
        """Called by the library's own threads, which must not see an exception."""
        if mine != self._round or not self._host.is_sure():
            return
        with contextlib.suppress(Ended):
            work()

    # What the network says.

    def _show(self, client: Any, code: bytes) -> None:
        with self._lock:
            self._client = client
        self._codes += 1
        good_s = FIRST_CODE_S if self._codes == 1 else CODE_S
        if self._note.reason != "passkey_needed":
            self._tell("pairing", "waiting_for_phone")
        until_ms = int((time.time() + good_s) * 1_000)
        self._host.note("qr", {"code": code.decode("ascii", "replace"), "until_ms": until_ms})

    def _login(self, word: str) -> None:
        """The codes have ended; but for a phone that has scanned one, there are new ones with a new connection."""
        self._failed(events.login(word))
        if word != "success":
            self._drop()

    def _connected(self, mine: int, client: Any) -> None:
        with self._lock:
            self._client = client
        with self._calling() as library:
            self._phone = events.own_number(library.get_me())
            with contextlib.suppress(Exception):
                library.send_presence(self._library.Presence.UNAVAILABLE)
        self._copy()
        self._tell("connected", "")
        threading.Thread(target=self._copy_now_and_then, args=(mine,), daemon=True).start()

    def _message(self, event: Any) -> None:
        one = events.heard(event, self._phone_of)
        told = read_message(one, self._with_groups)
        if told is None:
            return
        kind, name, data = told
        file = event.Message.SerializeToString() if "media" in data else b""
        self._memory.keep(data["id"], str(one.chat), str(one.sender), one.is_mine, file)
        self._host.tell(kind, name, data)

    def _phone_of(self, lid: Jid) -> Jid:
        """The number behind a LID, by what the device has stored; nobody's where it has not."""
        if lid.kind != LIDS:
            return NOBODY
        with contextlib.suppress(Exception), self._calling() as client:
            return events.address(client.get_pn_from_lid(self._library.build_jid(lid.user, lid.server)))
        return NOBODY

    def _history(self, event: Any) -> None:
        for told, one in events.history(event, self._with_groups):
            self._memory.keep(one.id, str(one.chat), str(one.sender), one.is_mine)
            self._host.tell(*told)

    def _failed(self, note: Note | None) -> None:
        """The library does not come back from these by itself."""
        if note is None:
            return
        if note.state == "logged_out":
            self._forget(note.reason)
            return
        if note.until_ms:
            self._not_before = time.monotonic() + max(0.0, note.until_ms / 1_000 - time.time())
        self._tell(note.state, note.reason, note.detail, note.until_ms)
        self._drop()

    def _give_up(self, state: str, reason: str) -> None:
        """Until somebody starts the line anew."""
        self._round += 1
        self._tell(state, reason)
        self._drop()

    def _forget(self, reason: str) -> None:
        self._round += 1
        self._drop()
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

    def _copy_now_and_then(self, mine: int) -> None:
        while mine == self._round:
            time.sleep(COPY_S)
            if mine == self._round and self._session.stamp() != self._stamp:
                self._hear(mine, self._copy)

    @contextlib.contextmanager
    def _calling(self) -> Iterator[Any]:
        """The library's client, while it is there."""
        with self._lock:
            client = self._client
            if client is None or not self._host.is_sure():
                raise offline("The line is not connected to the network.", self._note.state or "disconnected")
            self._under_way += 1
        try:
            yield client
        finally:
            with self._lock:
                self._under_way -= 1
                self._lock.notify_all()
