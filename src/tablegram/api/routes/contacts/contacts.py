"""The pool of customers."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from litestar.response import Stream

from tablegram.api.requests import ApiRequest, answered, json, taken_as
from tablegram.api.routes.parameters import Cursor, Limit, moment_ms
from tablegram.api.routing import segment
from tablegram.api.schemas.contacts.contacts import CreateContact, MergeContact, UpdateContact
from tablegram.crm.answers.contacts import ContactPage, ContactView
from tablegram.crm.own_data import exports
from tablegram.flows.contacts.answers import ContactExport, ContactOrderPage, DataLinkSent, ErasureReceipt
from tablegram.flows.contacts.fields import ContactChange, ContactDraft
from tablegram.flows.gateway.answers.messages import MessagePage

_READ = {"scope": "contacts:read"}
_MANAGE = {"scope": "contacts:manage"}
_TAGS = ["Contacts"]

ContactId = Annotated[
    str, PathParameter(description="The contact. The id of a merged one leads to the one that stayed.")
]


Search = Annotated[
    str | None,
    QueryParameter(
        max_length=200,
        description="Beginnings of words in names, numbers, tags, notes and messages; all of them must match. "
        "Case, accents and the Turkish i's make no difference. A number is also found by its end. "
        "What was written in messages can be found some seconds later.",
    ),
]
Tag = Annotated[str | None, QueryParameter(min_length=1, max_length=60, description="Only with this tag.")]
ActiveSince = Annotated[
    str | None,
    QueryParameter(description="Only who wrote at or after this time, RFC 3339 with an offset."),
]


@get("/contacts", opt=_READ, tags=_TAGS, summary="Find contacts", operation_id="listContacts")
async def list_contacts(
    request: ApiRequest,
    q: Search = None,
    tag: Tag = None,
    active_since: ActiveSince = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[ContactPage]:
    """The account's contacts, those seen last first."""
    page = await request.deps.contacts.pool.page(
        request.caller,
        q=q,
        tag=tag,
        since_ms=moment_ms(active_since, "active_since"),
        limit=limit,
        cursor=cursor,
    )
    return json(page)


@post("/contacts", status_code=201, opt=_MANAGE, tags=_TAGS, summary="Add a contact", operation_id="createContact")
async def create_contact(request: ApiRequest, data: JSONBody[CreateContact]) -> Response[ContactView]:
    """Adds somebody who has not written yet. Who writes becomes a contact automatically."""
    given = {name: value for name, value in msgspec.to_builtins(data).items() if value is not None}
    draft = msgspec.convert(given, ContactDraft)
    return answered(await request.deps.contacts.pool.add(request.caller, draft, request.call()))


@get("/contacts/export", opt=_READ, tags=_TAGS, summary="Export contacts", operation_id="exportContacts")
async def export_contacts(
    request: ApiRequest,
    format: Annotated[Literal["json", "csv"], QueryParameter(description="json, or csv for table programs.")] = "json",
    q: Search = None,
    tag: Tag = None,
    active_since: ActiveSince = None,
) -> Stream:
    """Every contact with its orders in one file, oldest first; with filters, those that `GET /contacts` finds.

    Orders are there for a key that also has the scope `restaurant:read`.
    In CSV, cells that a table program would run as a formula are quoted.
    """
    request.call()
    since_ms = moment_ms(active_since, "active_since")
    contacts = request.deps.contacts.pool.every(request.caller, q=q, tag=tag, since_ms=since_ms)
    is_json = format == "json"
    return Stream(
        exports.as_json(ContactExport(data=[]), contacts)
        if is_json
        else exports.as_csv(contacts, request.deps.contacts.pool.holdings(request.caller)),
        media_type="application/json" if is_json else "text/csv",
        headers={"Content-Disposition": f'attachment; filename="contacts.{format}"'},
    )


@get("/contacts/{contact_id:str}", opt=_READ, tags=_TAGS, summary="Look up a contact", operation_id="getContact")
async def get_contact(request: ApiRequest, contact_id: ContactId) -> Response[ContactView]:
    """One contact. `id` of the answer is that of the one that stayed, if this one was merged."""
    return json(await request.deps.contacts.pool.get(request.caller, segment(contact_id)))


@get(
    "/contacts/{contact_id:str}/messages",
    opt=_READ,
    tags=_TAGS,
    summary="Read a conversation",
    operation_id="listContactMessages",
)
async def list_messages(
    request: ApiRequest, contact_id: ContactId, limit: Limit = 50, cursor: Cursor = None
) -> Response[MessagePage]:
    """All messages with a contact in both directions and on all lines, newest first. Needs `messages:read` too."""
    return json(await request.deps.contacts.pool.messages(request.caller, segment(contact_id), limit, cursor))


@get(
    "/contacts/{contact_id:str}/orders",
    opt=_READ,
    tags=_TAGS,
    summary="List a contact's orders",
    operation_id="listContactOrders",
)
async def list_orders(
    request: ApiRequest, contact_id: ContactId, limit: Limit = 50, cursor: Cursor = None
) -> Response[ContactOrderPage]:
    """What a contact ordered at any venue of the account, newest first. Needs `restaurant:read` too."""
    return json(await request.deps.contacts.pool.orders(request.caller, segment(contact_id), limit, cursor))


@patch("/contacts/{contact_id:str}", opt=_MANAGE, tags=_TAGS, summary="Change a contact", operation_id="updateContact")
async def update_contact(
    request: ApiRequest, contact_id: ContactId, data: JSONBody[UpdateContact]
) -> Response[ContactView]:
    """Changes what is given and leaves the rest. A name given here is not overwritten by the network's."""
    change = taken_as(ContactChange, data)
    return json(await request.deps.contacts.pool.update(request.caller, segment(contact_id), change))


@post(
    "/contacts/{contact_id:str}/merge",
    status_code=200,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Merge two contacts",
    operation_id="mergeContact",
)
async def merge_contact(
    request: ApiRequest, contact_id: ContactId, data: JSONBody[MergeContact]
) -> Response[ContactView]:
    """Makes two contacts one: numbers, tags, notes and messages go to the one that stays. It cannot be undone."""
    return answered(
        await request.deps.contacts.pool.merge(request.caller, segment(contact_id), data.into, request.call())
    )


@delete(
    "/contacts/{contact_id:str}",
    status_code=200,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Erase a contact",
    operation_id="eraseContact",
)
async def erase_contact(request: ApiRequest, contact_id: ContactId) -> Response[ErasureReceipt]:
    """Erases a person for good: the contact, the numbers, notes, files, events, and what the messages said.

    The messages stay as empty rows, so that figures stay true. Queued ones are cancelled. If the customer writes again,
    that makes a new contact. Repeated, it answers the same receipt.
    """
    return json(await request.deps.contacts.erasure.erase(request.caller, segment(contact_id)))


@post(
    "/contacts/{contact_id:str}/data-link",
    status_code=202,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Send a contact their data link",
    operation_id="sendDataLink",
)
async def send_data_link(request: ApiRequest, contact_id: ContactId) -> Response[DataLinkSent]:
    """Sends a link to the contact's own number. Who opens it within 24 hours can download what you keep about them, stop
    offers, or be erased. Nobody else gets to see it, and a contact gets three a day at most.
    """
    return answered(await request.deps.contacts.rights.send(request.caller, segment(contact_id), request.call()))


HANDLERS = [
    list_contacts,
    create_contact,
    export_contacts,
    get_contact,
    list_messages,
    list_orders,
    update_contact,
    merge_contact,
    erase_contact,
    send_data_link,
]
