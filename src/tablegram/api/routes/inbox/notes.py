"""Notes in conversations."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, post
from litestar.params import JSONBody, PathParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.contacts.contacts import ContactId
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routing import segment
from tablegram.api.schemas.inbox.conversations import CreateNote
from tablegram.flows.inbox.notes import NotePage, NoteView

_READ = {"scope": "messages:read"}
_SEND = {"scope": "messages:send"}
_TAGS = ["Conversations"]
_ALL = "/conversations/{contact_id:str}/notes"

NoteId = Annotated[str, PathParameter(description="The note.")]


@get(_ALL, opt=_READ, tags=_TAGS, summary="List notes of a conversation", operation_id="listNotes")
async def list_notes(
    request: ApiRequest, contact_id: ContactId, limit: Limit = 50, cursor: Cursor = None
) -> Response[NotePage]:
    """What the team noted, newest first."""
    return json(await request.deps.inbox.notes.page(request.caller, segment(contact_id), limit, cursor))


@post(_ALL, status_code=201, opt=_SEND, tags=_TAGS, summary="Add a note", operation_id="createNote")
async def create_note(request: ApiRequest, contact_id: ContactId, data: JSONBody[CreateNote]) -> Response[NoteView]:
    """Notes something for the team. It is sent to nobody, and told to no webhook."""
    noted = await request.deps.inbox.notes.add(request.caller, segment(contact_id), data.text, request.call())
    return answered(noted)


@delete(
    _ALL + "/{note_id:str}", status_code=204, opt=_SEND, tags=_TAGS, summary="Delete a note", operation_id="deleteNote"
)
async def delete_note(request: ApiRequest, contact_id: ContactId, note_id: NoteId) -> None:
    """Takes a note away."""
    await request.deps.inbox.notes.delete(request.caller, segment(contact_id), segment(note_id))


HANDLERS = [list_notes, create_note, delete_note]
