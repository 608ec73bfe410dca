"""Templates on the Cloud API: listed, handed over to be looked at, changed and taken away.

The network names what it does not like about a template by numbers of its own, as the error's code or below it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable
from urllib.parse import quote

import msgspec
from yarl import URL

from tablegram.messaging.lines.cloud import errors
from tablegram.messaging.lines.cloud.errors import GraphError
from tablegram.messaging.lines.cloud.loose import text
from tablegram.messaging.lines.outgoing_files import OutgoingFiles, file_delayed
from tablegram.messaging.model import Media
from tablegram.messaging.ports import (
    Accepted,
    Delayed,
    LineUnreachable,
    NetworkRefused,
    NetworkTemplate,
    Outcome,
    Unknown,
)
from tablegram.values import Json, mapping
from tablegram.values.http.network import Session, explain, network_failures, surely_unsent, timeout

# The network's pages hold up to this many templates; the count of pages bounds a network that never ends.
PAGE = 100
MAX_PAGES = 50
FIELDS = "id,name,language,status,category,components,quality_score,rejected_reason"
SAMPLE_BUDGET_S = 60.0
UNREACHABLE_RETRY_S = 5.0

_REFUSALS = {
    2388019: (
        "templates_too_many",
        "The business account has as many templates as the network allows. Delete some first.",
    ),
    2388023: (
        "template_name_resting",
        "A template of this name was deleted in this language. Use another name, or wait 30 days.",
    ),
    2388024: ("template_exists", "There is a template of this name in this language already. Use another name."),
    2388040: ("template_text_too_long", "A part of the template is longer than the network allows. Make it shorter."),
    2388047: (
        "template_format_refused",
        "The network does not accept the header. Take out formatting, emoji and line ends.",
    ),
    2388072: ("template_format_refused", "The network does not accept the text. Look at its variables and line ends."),
    2388073: ("template_format_refused", "The network does not accept the footer. Take out variables and emoji."),
    2388293: (
        "template_variables_too_many",
        "The text has too many variables for its length. Write more words around them.",
    ),
    2388299: ("template_variable_at_edge", "A variable may be neither the first nor the last thing of the text."),
}
# The network counts calls about templates by themselves.
_CALL_RATE = 80_008
_GONE = (100, 132001)

LookUp = Callable[[URL, dict[str, str]], Awaitable[Json]]


class CloudTemplates:
    """Implements `ports.TemplateCalls`."""

    def __init__(
        self,
        session: Session,
        url: Callable[[str, str], URL],
        waba: Callable[[], Awaitable[str]],
        bearer: dict[str, str],
        budget_s: float,
        look_up: LookUp,
        outgoing: OutgoingFiles,
    ) -> None:
        self._session, self._url, self._waba = session, url, waba
        self._bearer, self._budget_s, self._look_up, self._outgoing = bearer, budget_s, look_up, outgoing

    async def create(
        self, name: str, language: str, category: str, components: list[Json], *, is_named: bool
    ) -> NetworkTemplate | NetworkRefused | Delayed | Unknown:
        try:
            address = self._url(await self._waba(), "/message_templates")
        except LineUnreachable as error:
            return _unreachable(str(error))
        asked = {
            "name": name,
            "language": language,
            "category": category.upper(),
            "parameter_format": "NAMED" if is_named else "POSITIONAL",
            "components": components,
        }
        told = await self._ask("POST", address, asked)
        if not isinstance(told, dict):
            return told
        if not text(told.get("id")):
            return Unknown("The network answered, but not in a way that tells whether it took the template.")
        return NetworkTemplate(
            name,
            language,
            text(told.get("status")).upper() or "PENDING",
            text(told.get("category")).upper() or category.upper(),
            components,
            text(told.get("id")),
        )

    async def edit(self, network_id: str, category: str, components: list[Json]) -> Outcome:
        asked: Json = {"components": components}
        if category:
            asked["category"] = category.upper()
        return _done(await self._ask("POST", self._url(network_id, ""), asked), network_id)

    async def delete(self, network_id: str, name: str) -> Outcome:
        try:
            address = self._url(await self._waba(), "/message_templates")
        except LineUnreachable as error:
            return _unreachable(str(error))
        told = await self._ask("DELETE", address.with_query({"name": name, "hsm_id": network_id}))
        if isinstance(told, NetworkRefused) and told.network_code in _GONE and "exist" in told.detail:
            return Accepted(network_id)
        return _done(told, network_id)

    async def upload_sample(self, media: Media) -> str | NetworkRefused | Delayed:
        """The file goes to the app that the token belongs to, in two calls."""
        with tempfile.TemporaryFile() as file:
            trouble = await self._outgoing.fetch(media, file)
            if trouble is not None:
                return trouble
            file.seek(0)
            content = file.read()
        try:
            app_id = text((await self._look_up(self._url("app", ""), {"fields": "id"})).get("id"))
        except LineUnreachable as error:
            return _unreachable(str(error))
        query = {"file_name": media.filename or "file", "file_length": str(len(content)), "file_type": media.mime_type}
        opened = await self._ask("POST", self._url(app_id, "/uploads").with_query(query))
        if not isinstance(opened, dict):
            return _file_trouble(opened)
        session_id = text(opened.get("id"))
        if not session_id:
            return file_delayed("The network did not take the sample file.")
        headers = {"Authorization": self._bearer["Authorization"].replace("Bearer", "OAuth", 1), "file_offset": "0"}
        taken = await self._ask("POST", self._upload_url(session_id), raw=content, headers=headers)
        if not isinstance(taken, dict):
            return _file_trouble(taken)
        return text(taken.get("h")) or file_delayed("The network did not take the sample file.")

    def _upload_url(self, session_id: str) -> URL:
        """What the network calls an upload is the end of an address, with its query."""
        path, _, query = session_id.partition("?")
        end = quote(path, safe=":") + (f"?{quote(query, safe='=&%')}" if query else "")
        return URL(f"{self._url('', '')}{end}", encoded=True)

    async def _ask(
        self,
        method: str,
        url: URL,
        asked: object = None,
        *,
        raw: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Json | NetworkRefused | Delayed | Unknown:
        """What the network answered, where it says that all is well."""
        limit = timeout(self._budget_s if raw is None else SAMPLE_BUDGET_S)
        try:
            async with self._session.request(
                method, url, data=raw, json=asked, headers=headers or self._bearer, timeout=limit, allow_redirects=False
            ) as response:
                status, answer = response.status, await response.read()
        except network_failures() as error:
            reason = explain(error)
            return (
                _unreachable(reason) if surely_unsent(error) else Unknown(f"The network's answer was lost: {reason}.")
            )
        return _read(status, answer)


def _read(status: int, raw: bytes) -> Json | NetworkRefused | Delayed | Unknown:
    try:
        answer = msgspec.json.decode(raw)
    except ValueError:
        answer = None
    error = answer.get("error") if isinstance(answer, dict) else None
    if isinstance(error, dict):
        return _judge(error, status)
    if status == 200 and isinstance(answer, dict):
        return answer
    if status >= 500 or 200 <= status <= 299:
        return Unknown(f"The network answered HTTP {status} without saying what it did.")
    verdict = errors.BARE_CONFIGURATION
    return errors.delayed(verdict, f"{verdict.words} It answered HTTP {status}.")


def _judge(told: Json, status: int) -> NetworkRefused | Delayed | Unknown:
    try:
        error = msgspec.convert(told, GraphError, strict=False)
    except msgspec.ValidationError:
        error = GraphError()
    said = text(told.get("error_user_msg")) or error.said
    said = " ".join(said.split())[:300]
    subcode = error.error_subcode if isinstance(error.error_subcode, int) else -1
    known = _REFUSALS.get(subcode) or _REFUSALS.get(error.code)
    number = error.code if error.code >= 0 else None
    if known is not None:
        return NetworkRefused(
            known[0],
            f"{known[1]} The network says: {said}" if said else known[1],
            subcode if subcode in _REFUSALS else number,
        )
    if error.code == _CALL_RATE:
        return Delayed("line_rate_limited", "The network's limit on calls about templates is used up for now.", 60.0)
    verdict = errors.judge(error, status)
    if verdict.policy != "refuse":
        return errors.delayed(verdict, errors.describe(verdict, error), number)
    words = "The network refuses the template."
    return NetworkRefused("template_refused", f"{words} It says: {said}" if said else words, number)


def _done(told: Json | NetworkRefused | Delayed | Unknown, network_id: str) -> Outcome:
    if not isinstance(told, dict):
        return told
    if told.get("success") in (True, "true"):
        return Accepted(network_id)
    return Unknown("The network answered, but not in a way that tells what it did.")


def _file_trouble(told: NetworkRefused | Delayed | Unknown) -> NetworkRefused | Delayed:
    return file_delayed(told.detail) if isinstance(told, Unknown) else told


def _unreachable(reason: str) -> Delayed:
    words = reason if reason.endswith(".") else f"The network cannot be reached: {reason}."
    return Delayed("line_unreachable", words, UNREACHABLE_RETRY_S, "line", "disconnected")


async def read_templates(ask: Callable[[dict[str, str]], Awaitable[Json]]) -> list[NetworkTemplate]:
    """Page by page."""
    found: list[NetworkTemplate] = []
    query = {"limit": str(PAGE), "fields": FIELDS}
    for _ in range(MAX_PAGES):
        page = await ask(query)
        data = page.get("data")
        found += [one for item in data if (one := _template(item))] if isinstance(data, list) else []
        # The cursor is followed and not the page's `next` address, which would take the token anywhere.
        after = dig(page, "paging", "cursors", "after")
        if not after or not dig(page, "paging", "next"):
            return found
        query["after"] = str(after)
    return found


def _template(item: object) -> NetworkTemplate | None:
    """One odd template must not hide the others."""
    told = mapping(item)
    name, language, status, category = (text(told.get(key)) for key in ("name", "language", "status", "category"))
    if not (name and language and status):
        return None
    components = told.get("components")
    reason = text(told.get("rejected_reason"))
    quality = text(mapping(told.get("quality_score")).get("score")).upper()
    return NetworkTemplate(
        name,
        language,
        status,
        category,
        [part for part in components if isinstance(part, dict)] if isinstance(components, list) else [],
        text(told.get("id")),
        "" if quality == "UNKNOWN" else quality,
        "" if reason.upper() == "NONE" else reason,
    )


def dig(value: object, *path: str) -> object:
    for name in path:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value
