"""The inbox."""

from __future__ import annotations

from typing import Annotated, Literal

from litestar import Response, get, patch
from litestar.params import JSONBody, QueryParameter
from msgspec import UNSET

from tablegram.api.requests import ApiRequest, json
from tablegram.api.routes.contacts.contacts import ContactId
from tablegram.api.routes.parameters import Cursor, Limit, moment_ms
from tablegram.api.routing import segment
from tablegram.api.schemas.inbox.conversations import UpdateConversation
from tablegram.crm.conversations import ConversationChange
from tablegram.flows.inbox.answers import ConversationPage, ConversationView

_TAGS = ["Conversations"]


@get(
    "/conversations",
    opt={"scope": "messages:read"},
    tags=_TAGS,
    summary="List conversations",
    operation_id="listConversations",
)
async def list_conversations(
    request: ApiRequest,
    status: Annotated[
        Literal["open", "closed", "snoozed", "all"], QueryParameter(description="Which ones; open unless it is said.")
    ] = "open",
    assigned: Annotated[
        str | None,
        QueryParameter(min_length=1, max_length=64, description="Only those of this member; nobody: those of none."),
    ] = None,
    unread: Annotated[bool, QueryParameter(description="Only those with something unread.")] = False,
    waiting: Annotated[
        bool,
        QueryParameter(description="Only open ones whose customer waits for an answer, who waits longest first."),
    ] = False,
    q: Annotated[
        str | None,
        QueryParameter(max_length=200, description="A search as in GET /contacts; also finds who never wrote."),
    ] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[ConversationPage]:
    """Conversations with those who have written, the last writers first. A cursor belongs to the same filters."""
    page = await request.deps.inbox.conversations.page(
        request.caller,
        state=status,
        assigned=assigned or "",
        unread=unread,
        waiting=waiting,
        q=q,
        limit=limit,
        cursor=cursor,
    )
    return json(page)


@get(
    "/conversations/{contact_id:str}",
    opt={"scope": "messages:read"},
    tags=_TAGS,
    summary="Look up a conversation",
    operation_id="getConversation",
)
async def get_conversation(request: ApiRequest, contact_id: ContactId) -> Response[ConversationView]:
    """The state of one conversation. Its messages are at /contacts/{contact_id}/messages."""
    return json(await request.deps.inbox.conversations.get(request.caller, segment(contact_id)))


@patch(
    "/conversations/{contact_id:str}",
    opt={"scope": "messages:send"},
    tags=_TAGS,
    summary="Change a conversation",
    operation_id="updateConversation",
)
async def update_conversation(
    request: ApiRequest, contact_id: ContactId, data: JSONBody[UpdateConversation]
) -> Response[ConversationView]:
    """Marks it seen or unseen, gives it to a member, lets it rest, closes it or opens it again."""
    rest = None if data.snoozed_until is UNSET else moment_ms(data.snoozed_until, "snoozed_until") or 0
    change = ConversationChange(
        seen=None if data.seen is UNSET else data.seen,
        seen_until=None if data.seen_until is UNSET else moment_ms(data.seen_until, "seen_until"),
        closed=None if data.closed is UNSET else data.closed,
        assigned_to=None if data.assigned_to is UNSET else data.assigned_to or "",
        snoozed_until=rest,
    )
    return json(await request.deps.inbox.conversations.update(request.caller, segment(contact_id), change))


HANDLERS = [list_conversations, get_conversation, update_conversation]
