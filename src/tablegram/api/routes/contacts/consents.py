"""What customers said about being written to."""

from __future__ import annotations

from typing import Annotated, Literal

from litestar import Response, get, post
from litestar.params import JSONBody, QueryParameter
from litestar.response import Stream

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.contacts.contacts import ContactId
from tablegram.api.routes.parameters import Cursor, Limit, moment_ms
from tablegram.api.routing import segment
from tablegram.api.schemas.contacts.consents import NoteConsent, WriteConsentText
from tablegram.crm.consent.ledger import Purpose, State, Word
from tablegram.crm.own_data import exports
from tablegram.flows.contacts.answers import ConsentExport, ConsentPage, ConsentText, ConsentTextPage, ConsentWord
from tablegram.flows.contacts.consents.desk import Wanted

_READ = {"scope": "contacts:read"}
_MANAGE = {"scope": "contacts:manage"}
_TAGS = ["Contacts"]

Since = Annotated[str | None, QueryParameter(description="Said at or after this time, RFC 3339 with an offset.")]
Until = Annotated[str | None, QueryParameter(description="Said before this time, RFC 3339 with an offset.")]


@get("/consents", opt=_READ, tags=_TAGS, summary="List consents", operation_id="listConsents")
async def list_consents(
    request: ApiRequest,
    purpose: Annotated[Purpose | None, QueryParameter(description="Only for this purpose.")] = None,
    said: Annotated[State | None, QueryParameter(name="state", description="Only words that say this.")] = None,
    source: Annotated[str | None, QueryParameter(max_length=200, description="Only from this source.")] = None,
    contact_id: Annotated[str | None, QueryParameter(max_length=64, description="Only of this contact.")] = None,
    since: Since = None,
    until: Until = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[ConsentPage]:
    """Every word that customers said about being written to, the last one first."""
    wanted = Wanted(
        purpose=purpose or "", state=said or "", source=source or "", contact_id=contact_id or "",
        since_ms=moment_ms(since, "since"), until_ms=moment_ms(until, "until"),
    )  # fmt: skip
    return json(await request.deps.contacts.consents.page(request.caller, wanted, limit, cursor))


@post("/consents", status_code=201, opt=_MANAGE, tags=_TAGS, summary="Note a consent", operation_id="noteConsent")
async def note_consent(request: ApiRequest, data: JSONBody[NoteConsent]) -> Response[ConsentWord]:
    """Adds a word to the ledger; the last one for a purpose counts, by the time at which it was said.

    The same word told again is noted once. To grant marketing, say what shows that they agreed.
    """
    word = Word(
        account_id=0, contact_id=data.contact_id, purpose=data.purpose, state=data.state, source=data.source,
        text_version=data.text_version or "", proof=data.proof or "", at=moment_ms(data.at, "at") or 0,
    )  # fmt: skip
    return answered(await request.deps.contacts.consents.note(request.caller, word, request.call()))


@get("/consents/export", opt=_READ, tags=_TAGS, summary="Export consents", operation_id="exportConsents")
async def export_consents(
    request: ApiRequest,
    format: Annotated[
        Literal["json", "csv", "iys"],
        QueryParameter(description="The whole ledger as json or csv; iys: the last word of each +90 number."),
    ] = "json",
    recipient_type: Annotated[
        Literal["BIREYSEL", "TACIR"], QueryParameter(description="Of the form iys: persons, or merchants.")
    ] = "BIREYSEL",
) -> Stream:
    """The ledger in one file. `iys` has the columns that Turkey's registry of commercial messages takes."""
    request.call()
    desk = request.deps.contacts.consents
    chunks = {
        "json": lambda: exports.as_json(ConsentExport(data=[]), desk.every(request.caller)),
        "csv": lambda: desk.as_csv(request.caller),
        "iys": lambda: desk.for_registry(request.caller, recipient_type),
    }
    name = {"json": "consents.json", "csv": "consents.csv", "iys": "iys.csv"}[format]
    return Stream(
        chunks[format](),
        media_type="application/json" if format == "json" else "text/csv",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@get("/consents/texts", opt=_READ, tags=_TAGS, summary="List consent texts", operation_id="listConsentTexts")
async def list_texts(request: ApiRequest) -> Response[ConsentTextPage]:
    """The sentences that customers are asked with, in every version there was."""
    return json(await request.deps.contacts.consents.texts(request.caller))


@post(
    "/consents/texts",
    status_code=201,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Write a consent text",
    operation_id="writeConsentText",
)
async def write_text(request: ApiRequest, data: JSONBody[WriteConsentText]) -> Response[ConsentText]:
    """Adds a version of the sentence in a language. The ledger keeps saying which version somebody agreed to."""
    desk = request.deps.contacts.consents
    return answered(await desk.write_text(request.caller, data.language, data.words, request.call()))


@get(
    "/contacts/{contact_id:str}/consents",
    opt=_READ,
    tags=_TAGS,
    summary="List a contact's consents",
    operation_id="listContactConsents",
)
async def list_of_contact(
    request: ApiRequest, contact_id: ContactId, limit: Limit = 50, cursor: Cursor = None
) -> Response[ConsentPage]:
    """What one contact said about being written to, the last word first."""
    return json(await request.deps.contacts.consents.of_contact(request.caller, segment(contact_id), limit, cursor))


HANDLERS = [list_consents, note_consent, export_consents, list_texts, write_text, list_of_contact]
