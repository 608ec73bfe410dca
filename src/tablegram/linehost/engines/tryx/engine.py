"""The engine on `tryx`: what the server orders."""

from __future__ import annotations

import importlib
import time
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tablegram.linehost.engines.e2e.folding import unfold
from tablegram.linehost.engines.e2e.outbound import CAN, MEDIA, about, compose
from tablegram.linehost.engines.e2e.people import PHONES, Jid, jid
from tablegram.linehost.engines.e2e.refusals import offline, order_refusal, send_refusal, unlinked, unreachable
from tablegram.linehost.engines.port import Account, Facts, Fetch, Fetched, Outgoing, Refusal, Standing
from tablegram.linehost.engines.tryx import events
from tablegram.linehost.engines.tryx.device import Device

ORDER_S, FILE_S = 25.0, 110.0


def open_engine() -> Tryx:
    """Raises `ImportError` when the extra is not installed."""
    load = importlib.import_module
    library = SimpleNamespace(
        Tryx=load("tryx.client").Tryx,
        SqliteStore=load("tryx.backend").SqliteStore,
        events=load("tryx.events"),
        JID=load("tryx.types").JID,
        MediaType=load("tryx.wacore").MediaType,
        Message=load("tryx.waproto.whatsapp_pb2").Message,
    )
    return Tryx(library)


class Tryx(Device):
    name = "tryx"
    # Read marks, codes to type and the end of a link are not to be had from this library.
    can: tuple[str, ...] = (*CAN, "typing", "check", "groups")

    def __init__(self, library: Any) -> None:
        super().__init__(library)
        self.version = version("tryx")

    def pair(self, phone: str) -> None:
        if phone:
            raise Refusal("pairing_code_unavailable", "This engine pairs by QR code only. Scan the code instead.")

    def send(self, order: Outgoing) -> str:
        content = order.content
        self._need_link()
        to = self._resolved(jid(order.to))
        uploaded = self._upload(content) if content["type"] in MEDIA else None
        answered = self._memory.find(meant) if (meant := about(order)) else None
        made = compose(content, order.reply_to, uploaded, answered)
        message = unfold(made, self._library.Message())
        if not self._host.is_sure():
            raise Refusal("unled", "The line may be run elsewhere by now.", again_s=1.0, holds="line")
        try:
            sent = self._wait(lambda client: client.send_message(self._address(to), message), ORDER_S)
        except Refusal:
            raise
        except Exception as error:
            raise send_refusal(str(error) or "no answer in time") from None
        self._memory.keep(sent.message_id, str(to), "", True)
        return str(sent.message_id)

    def _need_link(self) -> None:
        state, until_ms = self._note.state, self._note.until_ms
        if state == "restricted" and self._note.reason == "banned":
            left_s = max(60.0, until_ms / 1_000 - time.time())
            words = "The network has restricted this number."
            raise Refusal("line_restricted", words, again_s=left_s, holds="line", state="restricted", until_ms=until_ms)
        if not self._phone:
            raise offline(unlinked(state), state or "disconnected")

    def _do(self, work: Any, within_s: float = ORDER_S) -> Any:
        try:
            return self._wait(work, within_s)
        except Refusal:
            raise
        except Exception as error:
            raise order_refusal(str(error) or "no answer in time") from None

    def _info(self, phone: str) -> Any:
        """What the network knows of a number; nothing when it has no account."""
        found = self._do(lambda client: client.contact.get_info([f"+{phone}"]))
        return found[0] if found and found[0].is_registered else None

    def _resolved(self, to: Jid) -> Jid:
        if to.kind != PHONES:
            return to
        info = self._info(to.user)
        if info is None:
            raise Refusal("not_on_network", "This number has no account on the network.")
        lid = events.address(info.lid)
        return lid if lid.user else to

    def _address(self, of: Jid) -> Any:
        return self._library.JID(of.user, of.server)

    def _upload(self, content: Facts) -> Facts:
        kind = getattr(self._library.MediaType, content["type"].capitalize())
        try:
            told = self._wait(lambda client: client.upload_file(content["path"], kind), FILE_S)
        except Refusal:
            raise
        except Exception as error:
            words = f"The file was not taken: {unreachable(str(error))}."
            raise Refusal("media_upload_failed", words, again_s=10.0) from None
        return {
            "url": told.url, "directpath": told.direct_path, "mediakey": bytes(told.media_key),
            "fileencsha256": bytes(told.file_enc_sha256), "filesha256": bytes(told.file_sha256),
            "filelength": told.file_length,
        }  # fmt: skip

    def read(self, message_id: str) -> None:
        raise Refusal("read_unavailable", "This engine cannot mark messages as read.")

    def typing(self, to: str, state: str) -> None:
        self._need_link()
        who = self._address(self._resolved(jid(to)))
        shown = {"recording": "send_recording", "paused": "send_paused"}.get(state, "send_composing")
        self._do(lambda client: getattr(client.chatstate, shown)(who))

    def fetch(self, order: Fetch) -> Fetched:
        known = self._memory.find(order.id)
        if known is None or not known.file:
            raise Refusal("media_gone", "The file is not known on this line any more.")
        self._need_link()
        message = self._library.Message.FromString(known.file)
        inner = next((value for field, value in message.ListFields() if hasattr(value, "directPath")), None)
        if inner is None:
            raise Refusal("media_gone", "The file is not known on this line any more.")
        raw = bytes(self._do(lambda client: client.download_media(inner), FILE_S))
        if len(raw) > order.max_bytes:
            raise Refusal("media_too_large", "The file is larger than what is kept.")
        Path(order.path).write_bytes(raw)
        return Fetched()

    def check(self, phone: str) -> Account:
        self._need_link()
        info = self._info(phone)
        return Account(exists=info is not None, phone=phone, lid="" if info is None else str(events.address(info.lid)))

    def history(self, since_ms: int) -> int:
        words = "The network tells by itself what came meanwhile; this engine cannot ask for more."
        raise Refusal("history_unavailable", words)

    def probe(self) -> Standing:
        return Standing(state=self._note.state or "disconnected", phone=self._phone)

    def logout(self) -> None:
        """The library cannot tell the phone: the device stays in its list, without keys, until somebody removes it."""
        self._forget("logged_out_here")

    def took(self, name: str) -> None:
        """The library has told the network by itself."""
