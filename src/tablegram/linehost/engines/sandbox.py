"""The engine for the sandbox network: a device that a sandbox phone lets in. It proves everything but a real network."""

from __future__ import annotations

import json
import os
import secrets
import threading
import time
from typing import Any

from tablegram.linehost.engines.port import (
    Account,
    Facts,
    Fetch,
    Fetched,
    HostPort,
    Outgoing,
    Refusal,
    Standing,
    TypedCode,
)
from tablegram.linehost.engines.sandbox_rehearsal import rehearse
from tablegram.linehost.engines.sandbox_wire import lid, payload, read_values
from tablegram.linehost.engines.tiny_http import Answer, Lost, Unsent, ask

POLL_S = 20
RETRY_S = 1.0
# The network's codes that mean something else than "never": ours, and for whom and how long to wait.
_CODES: dict[int, tuple[str, float | None, str, str]] = {
    131026: ("not_on_network", None, "message", ""),
    131047: ("window_closed", None, "message", ""),
    130429: ("rate_limited", 2.0, "line", ""),
    131056: ("recipient_rate_limited", 6.0, "recipient", ""),
    131048: ("line_restricted", 60.0, "line", "restricted"),
    131000: ("network_unwell", 2.0, "line", ""),
    463: ("reachout_limited", None, "message", ""),
    190: ("token_rejected", 30.0, "line", "needs_attention"),
}


def open_engine() -> Sandbox:
    return Sandbox()


class Sandbox:
    name = "sandbox"
    version = "1"
    can: tuple[str, ...] = (
        "text", "image", "video", "document", "audio", "sticker", "location", "contacts", "buttons", "list",
        "location_request", "reaction", "read", "typing", "check", "history", "groups",
    )  # fmt: skip

    def __init__(self) -> None:
        self._device: Facts = {}
        self._beginning = threading.Lock()
        self._is_kept = False
        self._linked: Facts = {}
        # Grows with every `start`, so that a thread of before knows that it is not meant any more.
        self._round = 0
        # The network's numbers of what the server has still to take, by the name that it was told with.
        self._open: dict[str, int] = {}
        self._seen_at = 0.0
        self._state, self._reason, self._phone, self._until_ms = "disconnected", "", "", 0
        # What a phone would scan.
        self._code = ""
        # What the network said of the number last: until when nothing may go out.
        self._banned_until_ms = 0

    def start(self, host: HostPort, session: bytes | None) -> None:
        self._host = host
        self._url = host.settings.get("url", "").rstrip("/")
        if session:
            self._device = _device(session)
            self._is_kept = bool(self._device)
        self._round += 1
        threading.Thread(target=self._listen, args=(self._round,), daemon=True).start()

    def hush(self) -> None:
        self._round += 1
        self._linked = {}
        # The host tells that; what comes next is news again.
        self._state, self._reason = "disconnected", "unled"

    # What the server orders.

    def pair(self, phone: str) -> TypedCode | None:
        device = self._begun()
        if not phone:
            return None
        told = self._demand("POST", f"/devices/{device['id']}/code", {"phone": phone})
        return TypedCode(code=told["code"], until_ms=told["until_ms"])

    def send(self, order: Outgoing) -> str:
        linked = self._need_link()
        left_s = self._banned_until_ms / 1_000 - time.time()
        if left_s > 0:
            words = "The network has restricted this number."
            raise Refusal(
                "line_restricted", words, again_s=left_s, holds="line", state="restricted",
                until_ms=self._banned_until_ms,
            )  # fmt: skip
        body = payload(order, self._upload)
        answer = self._ask("POST", self._graph("/messages"), linked["token"], body, may_be_sent=True)
        told = answer.json() or {}
        messages = told.get("messages") if isinstance(told, dict) else None
        if answer.status == 200 and messages:
            return str(messages[0]["id"])
        self._refuse(answer)
        raise AssertionError

    def read(self, message_id: str) -> None:
        linked = self._need_link()
        body = {"messaging_product": "whatsapp", "status": "read", "message_id": message_id}
        answer = self._ask("POST", self._graph("/messages"), linked["token"], body)
        if answer.status != 200:
            self._refuse(answer)

    def typing(self, to: str, state: str) -> None:
        self._need_link()
        self._demand("POST", f"/devices/{self._device['id']}/typing", {"to": to, "state": state})

    def fetch(self, order: Fetch) -> Fetched:
        linked = self._need_link()
        place = self._ask("GET", f"{self._url}/graph/v25.0/{order.id}", linked["token"])
        told = place.json() if place.status == 200 else None
        if not isinstance(told, dict):
            raise Refusal("media_gone", "The network does not have this file any more.")
        if int(told.get("file_size", 0)) > order.max_bytes:
            raise Refusal("media_too_large", "The file is larger than what is kept.")
        with open(order.path, "wb") as sink:
            got = self._get(f"{self._url}/lookaside/{order.id}", linked["token"], sink)
        if got.status != 200:
            raise Refusal("media_gone", "The network does not have this file any more.")
        return Fetched(mime_type=str(told.get("mime_type", "")), sha256=str(told.get("sha256", "")))

    def check(self, phone: str) -> Account:
        self._need_link()
        told = self._demand("POST", f"/devices/{self._device['id']}/check", {"phone": phone})
        return Account(exists=told["exists"], phone=phone, lid=lid(told["user_id"]))

    def history(self, since_ms: int) -> int:
        self._need_link()
        told = self._demand("GET", f"/devices/{self._device['id']}/history?since_ms={since_ms}")
        return len(self._tell_all(told["values"]))

    def probe(self) -> Standing:
        return Standing(
            state=self._state,
            phone=self._linked.get("phone", ""),
            heard_s=round(time.monotonic() - self._seen_at, 1) if self._seen_at else None,
        )

    def logout(self) -> None:
        if self._device:
            self._ask("DELETE", f"{self._url}/devices/{self._device['id']}", self._device["secret"])
        self._forget("logged_out", "logged_out_here")

    def rehearse(self, order: Facts) -> Facts:
        return rehearse(order, self._url, self._device, self._linked, self._code)

    def took(self, name: str) -> None:
        number = self._open.pop(name, None)
        if number is not None and self._device:
            self._release(number)

    def _release(self, number: int) -> None:
        try:
            self._demand("POST", f"/devices/{self._device['id']}/took", {"numbers": [number]})
        except Refusal:
            # It will be told again, and known by its name.
            pass

    # What the network says.

    def _listen(self, mine: int) -> None:
        known, heard, shown = "", 0, ""
        while mine == self._round and self._host.is_sure():
            try:
                device = self._begun()
                query = f"?known={known}&after={heard}&wait_s={POLL_S if known == 'linked' else 2}"
                url = f"{self._url}/devices/{device['id']}{query}"
                answer = ask("GET", url, token=device["secret"], timeout_s=POLL_S + 10)
            except (Unsent, Lost, Refusal) as error:
                self._tell_state("disconnected", "unreachable", str(error))
                time.sleep(RETRY_S)
                # A network that was started anew counts from the beginning.
                heard = 0
                continue
            if mine != self._round or not self._host.is_sure():
                return
            self._seen_at = time.monotonic()
            told = answer.json()
            if answer.status == 404 or (isinstance(told, dict) and told.get("state") == "gone"):
                self._forget("logged_out", "logged_out_by_phone")
                return
            if answer.status != 200 or not isinstance(told, dict):
                self._tell_state("disconnected", "unreachable", f"it answered HTTP {answer.status}")
                time.sleep(RETRY_S)
                continue
            known = told["state"]
            if known == "pairing":
                self._tell_state("pairing", "waiting_for_phone")
                self._code = told["code"]
                if shown != self._code:
                    shown = self._code
                    self._host.note("qr", {"code": told["code"], "until_ms": told["until_ms"]})
                continue
            self._go_online(told)
            for event in told["events"]:
                heard = max(heard, event["n"])
                self._hand_on(event)

    def _go_online(self, told: Facts) -> None:
        if not self._is_kept:
            # A device that nobody has let in yet is worth nothing: the next start makes another.
            self._is_kept = True
            self._host.keep_session(json.dumps(self._device).encode())
        self._linked = {name: told[name] for name in ("phone", "number_id", "token")}
        restriction = told.get("restriction")
        if restriction is None:
            self._banned_until_ms = 0
            self._tell_state("connected", "", phone=told["phone"])
            return
        until_ms = restriction["until_ms"]
        self._banned_until_ms = until_ms if restriction["reason"] == "banned" else 0
        self._tell_state("restricted", restriction["reason"], phone=told["phone"], until_ms=until_ms)

    def _hand_on(self, event: Facts) -> None:
        names = self._tell_all(event["values"])
        # It is on disk; the network may forget it as soon as the server has it, and is told so then.
        if names:
            self._open[names[-1]] = event["n"]
        else:
            self._release(event["n"])

    def _tell_all(self, values: list[Facts]) -> list[str]:
        """The names of what the server is told of."""
        names = []
        for kind, name, data in read_values(values):
            if data.get("group") and self._host.settings.get("groups") != "yes":
                continue
            names.append(name)
            self._host.tell(kind, name, data)
        return names

    # Help.

    def _begun(self) -> Facts:
        """The device that waits to be linked: one, whether the network is listened to or a code asked for first."""
        with self._beginning:
            if not self._device:
                name = str(self._host.settings.get("name", "Tablegram"))
                self._device = self._demand("POST", "/devices", {"name": name})
            return self._device

    def _forget(self, state: str, reason: str) -> None:
        self._device, self._linked, self._is_kept = {}, {}, False
        self._round += 1
        self._host.keep_session(b"")
        self._tell_state(state, reason)

    def _tell_state(self, state: str, reason: str, detail: str = "", phone: str = "", until_ms: int = 0) -> None:
        if (state, reason, phone, until_ms) != (self._state, self._reason, self._phone, self._until_ms):
            self._state, self._reason, self._phone, self._until_ms = state, reason, phone, until_ms
            told: Facts = {"state": state, "reason": reason, "detail": detail, "phone": phone}
            self._host.note("state", told | ({"until_ms": until_ms} if until_ms else {}))

    def _need_link(self) -> Facts:
        if not self._linked:
            raise Refusal(
                "line_offline", "The line is not linked with a phone.", again_s=2.0, holds="line", state=self._state
            )
        return self._linked

    def _graph(self, path: str) -> str:
        return f"{self._url}/graph/v25.0/{self._linked['number_id']}{path}"

    def _upload(self, content: Facts) -> str:
        """The network's id of a file that lies here."""
        edge = secrets.token_hex(16)
        with open(content["path"], "rb") as file:
            raw = file.read()
        name = os.path.basename(content.get("filename") or "file").replace('"', "")
        fields = {"messaging_product": "whatsapp", "type": content["mime_type"]}
        body = b"".join(
            f'--{edge}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'.encode()
            for field, value in fields.items()
        )
        body += (
            f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            f"Content-Type: {content['mime_type']}\r\n\r\n"
        ).encode()
        body += raw + f"\r\n--{edge}--\r\n".encode()
        try:
            answer = ask(
                "POST", self._graph("/media"), token=self._linked["token"], body=body,
                kind=f"multipart/form-data; boundary={edge}", timeout_s=60.0,
            )  # fmt: skip
        except (Unsent, Lost) as error:
            raise Refusal("media_upload_failed", f"The file was not taken: {error}.", again_s=10.0) from None
        told = answer.json()
        if answer.status != 200 or not isinstance(told, dict) or "id" not in told:
            self._refuse(answer)
        return str(told["id"])

    def _get(self, url: str, token: str, sink: Any) -> Answer:
        try:
            return ask("GET", url, token=token, timeout_s=60.0, sink=sink)
        except (Unsent, Lost) as error:
            raise Refusal("media_unreachable", f"The file cannot be fetched: {error}.", again_s=10.0) from None

    def _demand(self, method: str, path: str, body: Facts | None = None) -> Facts:
        answer = self._ask(method, self._url + path, self._device.get("secret", ""), body)
        told = answer.json()
        if answer.status not in (200, 201) or not isinstance(told, dict):
            raise Refusal("network_refused", f"The network answered HTTP {answer.status}.")
        return told

    def _ask(
        self, method: str, url: str, token: str, body: Facts | None = None, *, may_be_sent: bool = False
    ) -> Answer:
        raw = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
        if not self._host.is_sure():
            raise Refusal("unled", "The line may be run elsewhere by now.", again_s=1.0, holds="line")
        try:
            return ask(method, url, token=token, body=raw)
        except Unsent as error:
            detail = f"The network cannot be reached: {error}."
            raise Refusal("line_unreachable", detail, again_s=5.0, holds="line", state="disconnected") from None
        except Lost as error:
            sent = "unknown" if may_be_sent else "no"
            raise Refusal("answer_lost", f"The network's answer was lost: {error}.", again_s=5.0, sent=sent) from None

    def _refuse(self, answer: Answer) -> None:
        told = answer.json()
        error = told.get("error") if isinstance(told, dict) else None
        if not isinstance(error, dict):
            if answer.status >= 500:
                words = f"The network answered HTTP {answer.status} without saying whether it took the message."
                raise Refusal("answer_lost", words, again_s=5.0, sent="unknown")
            raise Refusal("network_refused", f"The network answered HTTP {answer.status}.")
        code = int(error.get("code", 0))
        ours, again_s, holds, state = _CODES.get(code, ("network_refused", None, "message", ""))
        words = str(error.get("message", "")) or f"The network refused with code {code}."
        raise Refusal(ours, words, again_s=again_s, holds=holds, state=state, network_code=code)


def _device(session: bytes) -> Facts:
    """What was kept; nothing when another engine did."""
    try:
        kept = json.loads(session)
    except ValueError:
        return {}
    return kept if isinstance(kept, dict) and {"id", "secret"} <= kept.keys() else {}
