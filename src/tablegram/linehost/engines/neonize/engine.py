"""The engine on `neonize`: what the server orders."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tablegram.linehost.engines.e2e.folding import unfold
from tablegram.linehost.engines.e2e.outbound import CAN, MEDIA, about, compose
from tablegram.linehost.engines.e2e.people import PHONES, Jid, jid
from tablegram.linehost.engines.e2e.refusals import offline, order_refusal, send_refusal, unlinked, unreachable
from tablegram.linehost.engines.neonize import events
from tablegram.linehost.engines.neonize.device import Device
from tablegram.linehost.engines.neonize.library import load
from tablegram.linehost.engines.port import Account, Facts, Fetch, Fetched, Outgoing, Refusal, Standing, TypedCode
from tablegram.linehost.wire import Ended

# How long a code to type is good for.
TYPED_CODE_S = 160


def open_engine() -> Neonize:
    return Neonize(load())


class Neonize(Device):
    name = "neonize"
    can: tuple[str, ...] = (*CAN, "read", "typing", "check", "groups")

    @contextlib.contextmanager
    def _linked(self) -> Iterator[Any]:
        """The same, once a phone has let it in."""
        state, until_ms = self._note.state, self._note.until_ms
        if state == "restricted" and self._note.reason == "banned":
            left_s = max(60.0, until_ms / 1_000 - time.time())
            words = "The network has restricted this number."
            raise Refusal("line_restricted", words, again_s=left_s, holds="line", state="restricted", until_ms=until_ms)
        if not self._phone:
            raise offline(unlinked(state), state or "disconnected")
        with self._calling() as client:
            try:
                yield client
            except (Refusal, Ended):
                raise
            except Exception as error:
                raise order_refusal(str(error)) from None

    def pair(self, phone: str) -> TypedCode | None:
        if not phone:
            return None
        with self._calling() as client:
            try:
                code = client.PairPhone(phone, True, client_type=self._library.ClientType.CHROME)
            except Exception as error:
                raise order_refusal(str(error)) from None
        return TypedCode(code=code, until_ms=int((time.time() + TYPED_CODE_S) * 1_000))

    def send(self, order: Outgoing) -> str:
        content = order.content
        with self._linked() as client:
            to = self._resolved(client, jid(order.to))
            uploaded = self._upload(client, content) if content["type"] in MEDIA else None
            answered = self._memory.find(meant) if (meant := about(order)) else None
            made = compose(content, order.reply_to, uploaded, answered)
            message = unfold(made, self._library.Message())
            if not self._host.is_sure():
                raise Refusal("unled", "The line may be run elsewhere by now.", again_s=1.0, holds="line")
            try:
                sent = client.send_message(self._address(to), message)
            except Exception as error:
                raise send_refusal(str(error)) from None
            self._memory.keep(sent.ID, str(to), "", True)
            return str(sent.ID)

    def _resolved(self, client: Any, to: Jid) -> Jid:
        """The LID of a phone's number: a message to the bare number may fail later, without a word."""
        if to.kind != PHONES:
            return to
        lid = events.address(client.get_lid_from_pn(self._address(to)))
        if not lid.user:
            if not self._ask(client, to.user).IsIn:
                raise Refusal("not_on_network", "This number has no account on the network.")
            lid = events.address(client.get_lid_from_pn(self._address(to)))
        return lid if lid.user else to

    def _ask(self, client: Any, phone: str) -> Any:
        return client.is_on_whatsapp(f"+{phone}")[0]

    def _address(self, of: Jid) -> Any:
        return self._library.build_jid(of.user, of.server)

    def _upload(self, client: Any, content: Facts) -> Facts:
        kinds = self._library.MediaType
        kind = {
            "image": kinds.MediaImage, "sticker": kinds.MediaImage, "video": kinds.MediaVideo,
            "audio": kinds.MediaAudio, "document": kinds.MediaDocument,
        }[content["type"]]  # fmt: skip
        try:
            told = client.upload(Path(content["path"]).read_bytes(), kind)
        except Exception as error:
            words = f"The file was not taken: {unreachable(str(error))}."
            raise Refusal("media_upload_failed", words, again_s=10.0) from None
        return {
            "url": told.url, "directpath": told.DirectPath, "mediakey": told.MediaKey,
            "fileencsha256": told.FileEncSHA256, "filesha256": told.FileSHA256, "filelength": told.FileLength,
        }  # fmt: skip

    def read(self, message_id: str) -> None:
        known = self._memory.find(message_id)
        if known is None:
            raise Refusal("message_unknown", "The message is not known on this line any more.")
        with self._linked() as client:
            chat, sender = self._address(jid(known.chat)), self._address(jid(known.sender or known.chat))
            client.mark_read(message_id, chat=chat, sender=sender, receipt=self._library.ReceiptType.READ)

    def typing(self, to: str, state: str) -> None:
        states, kinds = self._library.ChatPresence, self._library.ChatPresenceMedia
        shown = states.CHAT_PRESENCE_PAUSED if state == "paused" else states.CHAT_PRESENCE_COMPOSING
        media = kinds.CHAT_PRESENCE_MEDIA_AUDIO if state == "recording" else kinds.CHAT_PRESENCE_MEDIA_TEXT
        with self._linked() as client:
            client.send_chat_presence(self._address(self._resolved(client, jid(to))), shown, media)

    def fetch(self, order: Fetch) -> Fetched:
        known = self._memory.find(order.id)
        if known is None or not known.file:
            raise Refusal("media_gone", "The file is not known on this line any more.")
        message = self._library.Message.FromString(known.file)
        with self._linked() as client:
            try:
                raw = client.download_any(message)
            except Exception as error:
                raise Refusal("media_gone", f"The network does not give the file: {str(error)[:150]}.") from None
        if len(raw) > order.max_bytes:
            raise Refusal("media_too_large", "The file is larger than what is kept.")
        Path(order.path).write_bytes(raw)
        return Fetched()

    def check(self, phone: str) -> Account:
        with self._linked() as client:
            told = self._ask(client, phone)
            lid = events.address(client.get_lid_from_pn(self._address(jid(phone)))) if told.IsIn else Jid()
            return Account(exists=told.IsIn, phone=events.address(told.JID).user or phone, lid=str(lid))

    def history(self, since_ms: int) -> int:
        words = "The network tells by itself what came meanwhile; this engine cannot ask for more."
        raise Refusal("history_unavailable", words)

    def probe(self) -> Standing:
        return Standing(state=self._note.state or "disconnected", phone=self._phone)

    def logout(self) -> None:
        """The keys go in any case; a phone that cannot be told keeps the device in its list until somebody removes it."""
        with contextlib.suppress(Exception), self._calling() as client:
            client.logout()
        self._forget("logged_out_here")

    def took(self, name: str) -> None:
        """The network was told before we could ask: see what can be lost, in the docs."""
