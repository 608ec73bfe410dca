"""A line on the Cloud API: the real network, the sandbox, or anything that speaks the same."""

from __future__ import annotations

import os
import tempfile
from typing import IO, Any
from urllib.parse import quote

import msgspec
from yarl import URL

from tablegram.engine.leases import Lease
from tablegram.messaging.lines.cloud import errors, payloads
from tablegram.messaging.lines.cloud.errors import GraphError
from tablegram.messaging.lines.cloud.fetching import MediaSource
from tablegram.messaging.lines.cloud.health import read_health
from tablegram.messaging.lines.cloud.templates import CloudTemplates, dig, read_templates
from tablegram.messaging.lines.outgoing_files import OutgoingFiles, file_delayed
from tablegram.messaging.model import Media, Outbound
from tablegram.messaging.ports import (
    Accepted,
    Delayed,
    Health,
    Hear,
    LineUnreachable,
    MediaFetched,
    NetworkRefused,
    NetworkTemplate,
    OpenKept,
    Outcome,
    Pairing,
    Unknown,
)
from tablegram.values import Json
from tablegram.values.http.network import Session, explain, network_failures, surely_unsent, timeout
from tablegram.values.http.outbound import GuardedClient
from tablegram.values.http.wire import Lost, Overtaken, Unsent, Wires, head

# How soon a line that cannot be reached is tried again; the drain lengthens it from there.
UNREACHABLE_RETRY_S = 5.0
# A file goes over the wire twice before its message, which no send budget can hold.
UPLOAD_BUDGET_S = 120.0

PROBE_FIELDS = "id,display_phone_number,verified_name,quality_rating,code_verification_status,status"


class _Sent(msgspec.Struct):
    id: str = ""


class _Answer(msgspec.Struct):
    """The few members of any answer that matter here."""

    messages: list[_Sent] = []
    error: GraphError | None = None
    success: Any = None
    id: str = ""


_ANSWERS = msgspec.json.Decoder(_Answer, strict=False)


class CloudLine:
    """Implements `ports.Line`. Never retries by itself and keeps no state between calls.

    `budget_s` limits each call to the network. A message whose file has to be uploaded first
    (`Media.by_link` false) may take `UPLOAD_BUDGET_S` more: who answers a person meanwhile should not wait for it.
    A call that is cancelled half-way has the outcome `Unknown`; only its caller can know.
    """

    kind = "cloud"
    is_exclusive = False

    def __init__(
        self,
        session: Session,
        base_url: str,
        version: str,
        phone_number_id: str,
        access_token: str,
        *,
        fetcher: GuardedClient,
        budget_s: float = 10.0,
        waba_id: str = "",
        media_hosts: tuple[str, ...] = (),
        wires: Wires | None = None,
        open_kept: OpenKept | None = None,
    ) -> None:
        self._session = session
        # Lines of one network share its connections when they are given the same wires.
        self._wires = wires or Wires()
        self._budget_s = budget_s
        self._root = f"{base_url.rstrip('/')}/{version}"
        self._number_id = phone_number_id
        self._messages_url = self._url(phone_number_id, "/messages")
        self._media_url = self._url(phone_number_id, "/media")
        self._outgoing = OutgoingFiles(fetcher, open_kept)
        self._waba_id = waba_id
        # Pasted tokens bring spaces and line ends along, which no header can carry.
        token = "".join(sign for sign in access_token if "!" <= sign <= "~")
        self._bearer = {"Authorization": f"Bearer {token}"}
        self._files = MediaSource(session, base_url, media_hosts, self._bearer, budget_s)
        self.template_calls = CloudTemplates(
            session, self._url, self._waba, self._bearer, budget_s, self._look_up, self._outgoing
        )
        self._messages_head = head("POST", self._messages_url, self._bearer | {"Content-Type": "application/json"})

    async def start(self, hear: Hear) -> str | None:
        """Nothing to do: the network knows the number, and calls our hook with what comes in."""
        return None

    async def led_by(self, lease: Lease) -> None:
        """The network does not mind who calls it."""

    async def stop(self) -> None:
        """Nothing to let go of: connections belong to all lines of the network."""

    async def pair(self, phone: str) -> Pairing | NetworkRefused:
        """The network knows the number by itself, so that there is no phone to pair."""
        words = f"This is a {self.kind} line: only a linked device is paired or logged out."
        return NetworkRefused("kind_unavailable", words)

    async def transmit(self, message: Outbound) -> Outcome:
        """Hand one message to the network, once."""
        media_id = None
        if isinstance(message.content, Media) and not message.content.by_link:
            uploaded = await self._upload(message.content)
            if not isinstance(uploaded, str):
                return uploaded
            media_id = uploaded
        return await self._post(payloads.encode(message, media_id))

    async def mark_read(self, network_id: str) -> Outcome:
        """Show the writer of an inbound message that it was read. Safe to repeat."""
        return await self._post(payloads.encode_read(network_id), accepted_id=network_id)

    async def fetch_media(
        self, media_id: str, sink: IO[bytes], max_bytes: int
    ) -> MediaFetched | NetworkRefused | Delayed:
        """Ask where a customer's file lies, and fetch it from there."""
        return await self._files.fetch(self._url(media_id), sink, max_bytes)

    async def probe(self) -> Health:
        """Ask the network about this line's number."""
        try:
            status, raw = await self._get(self._url(self._number_id), {"fields": PROBE_FIELDS})
        except (Unsent, Lost) as error:
            return Health("disconnected", f"The network cannot be reached: {error}.")
        return read_health(status, raw)

    async def templates(self) -> list[NetworkTemplate]:
        """Every template of the line's business account."""
        waba_id = await self._waba()
        return await read_templates(lambda query: self._look_up(self._url(waba_id, "/message_templates"), query))

    async def _post(self, body: bytes, accepted_id: str = "") -> Outcome:
        """Hand over a message: the one call of this driver that is worth saving every microsecond."""
        try:
            reply = await self._wires.to(self._messages_url).ask(
                b"%b%d\r\n\r\n%b" % (self._messages_head, len(body), body), self._budget_s
            )
        except Overtaken as error:
            return Delayed("line_unreachable", f"Not sent: {error}.", 0.0, "message")
        except Unsent as error:
            return _unreachable(str(error))
        except Lost as error:
            return Unknown(f"The message went out and the network's answer was lost: {error}.")
        retry_after = reply.headers.get(b"retry-after")
        return _read_answer(
            reply.status, reply.body, retry_after.decode("latin-1") if retry_after else None, accepted_id
        )

    async def _upload(self, media: Media) -> str | NetworkRefused | Delayed:
        """The network's id of the file. No message goes out here, so nothing here is ever unknown."""
        with tempfile.TemporaryFile() as file:
            trouble = await self._outgoing.fetch(media, file)
            if trouble is not None:
                return trouble
            file.seek(0)
            import aiohttp

            form = aiohttp.FormData()
            form.add_field("messaging_product", "whatsapp")
            form.add_field("type", media.mime_type)
            # The client closes what it was given, at a moment of its own in another thread; so it gets a handle of its own.
            handle = os.fdopen(os.dup(file.fileno()), "rb")
            form.add_field("file", handle, filename=media.filename or "file", content_type=media.mime_type)
            try:
                async with self._session.post(
                    self._media_url,
                    data=form,
                    headers=self._bearer,
                    timeout=timeout(UPLOAD_BUDGET_S / 2),
                    allow_redirects=False,
                ) as response:
                    raw = await response.read()
            except network_failures() as error:
                reason = explain(error)
                return (
                    _unreachable(reason) if surely_unsent(error) else file_delayed(f"The file was not taken: {reason}.")
                )
        return _read_upload(response.status, raw, response.headers.get("Retry-After"))

    async def _waba(self) -> str:
        """The business account's id, which is asked for when it was not configured."""
        if self._waba_id:
            return self._waba_id
        answer = await self._look_up(self._url(self._number_id), {"fields": "whatsapp_business_account"})
        waba_id = dig(answer, "whatsapp_business_account", "id")
        if not waba_id:
            raise LineUnreachable("The network does not tell the line's business account. Set the line's waba_id.")
        return str(waba_id)

    async def _look_up(self, url: URL, query: dict[str, str]) -> Json:
        try:
            status, raw = await self._get(url, query)
        except (Unsent, Lost) as error:
            raise LineUnreachable(f"The network cannot be reached: {error}.") from None
        try:
            answer = msgspec.json.decode(raw)
        except ValueError:
            answer = None
        if status == 200 and isinstance(answer, dict):
            return answer
        outcome = _read_answer(status, raw, None)
        raise LineUnreachable(outcome.detail if not isinstance(outcome, Accepted) else "The answer makes no sense.")

    async def _get(self, url: URL, query: dict[str, str]) -> tuple[int, bytes]:
        asked = head("GET", url.with_query(query), self._bearer)
        reply = await self._wires.to(url).ask(b"%b0\r\n\r\n" % asked, self._budget_s)
        return reply.status, reply.body

    def _url(self, object_id: str, suffix: str = "") -> URL:
        return URL(f"{self._root}/{quote(object_id, safe='')}{suffix}", encoded=True)


def _read_answer(status: int, raw: bytes, retry_after: str | None, accepted_id: str = "") -> Outcome:
    """The outcome that an answer tells. `accepted_id`: a plain success is enough, and this is its id."""
    answer = _decode(raw)
    if answer is not None and answer.error is not None:
        return errors.outcome(answer.error, status, _seconds(retry_after))
    if status == 200:
        if answer is not None and answer.messages and answer.messages[0].id:
            return Accepted(answer.messages[0].id)
        if answer is not None and accepted_id and answer.success in (True, "true"):
            return Accepted(accepted_id)
        return Unknown("The network answered, but not in a way that tells whether it took the message.")
    return _read_bare(status, retry_after)


def _read_bare(status: int, retry_after: str | None) -> Outcome:
    """An answer without the network's error object: something in between spoke, or the address is wrong."""
    if status >= 500 or 200 <= status <= 299:
        # A gateway that gave up may have passed the request on before.
        return Unknown(f"The network answered HTTP {status} without saying whether it took the message.")
    if status == 429:
        return errors.outcome(GraphError(), status, _seconds(retry_after))
    if status in (401, 403, 404) or status < 400:
        verdict = errors.BARE_CONFIGURATION
        return errors.delayed(verdict, f"{verdict.words} It answered HTTP {status}.")
    return NetworkRefused("network_refused", f"The network refused the message with HTTP {status}.")


def _read_upload(status: int, raw: bytes, retry_after: str | None) -> str | NetworkRefused | Delayed:
    answer = _decode(raw)
    if status == 200 and answer is not None and answer.error is None and answer.id:
        return answer.id
    outcome = _read_answer(status, raw, retry_after)
    if isinstance(outcome, NetworkRefused | Delayed):
        return outcome
    return file_delayed("The network did not take the file.")


def _unreachable(reason: str) -> Delayed:
    detail = f"The network cannot be reached: {reason}."
    return Delayed("line_unreachable", detail, UNREACHABLE_RETRY_S, "line", "disconnected")


def _decode(raw: bytes) -> _Answer | None:
    try:
        return _ANSWERS.decode(raw)
    except ValueError:
        return None


def _seconds(retry_after: str | None) -> float:
    """A Retry-After in seconds, within a day; a date or nonsense counts as none."""
    if retry_after is None or not retry_after.strip().isdecimal():
        return 0.0
    return min(float(retry_after), 86_400.0)
