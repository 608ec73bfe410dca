"""The people of the account, and who did what."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from tablegram.accounts.answers import AuditPage
from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit, moment_ms
from tablegram.api.routing import segment
from tablegram.api.schemas.account.team import ChangeMember, InviteAgain, InviteMember
from tablegram.flows.account.answers import InvitedView, MemberPage, MemberView

_MANAGE = {"scope": "account:manage"}
_TAGS = ["Team"]
_ONE = "/team/{member_id:str}"

MemberPath = Annotated[str, PathParameter(description="The member's id.")]


@get("/team", opt=_MANAGE, tags=_TAGS, summary="List the team", operation_id="listMembers")
async def list_members(request: ApiRequest, limit: Limit = 50, cursor: Cursor = None) -> Response[MemberPage]:
    """Everybody who may sign in to this account or is invited to, in the order in which they were added."""
    return json(await request.deps.account.members.page(request.caller, limit, cursor))


@post("/team", status_code=201, opt=_MANAGE, tags=_TAGS, summary="Invite somebody", operation_id="inviteMember")
async def invite_member(request: ApiRequest, data: JSONBody[InviteMember]) -> Response[InvitedView]:
    """Adds somebody and answers with a link that lets them in once, within 7 days. Where mail is set up they get it, too."""
    members = request.deps.account.members
    return answered(
        await members.invite(
            request.caller, data.email, data.role, data.name or "", request.call(), data.language or ""
        )
    )


@get(_ONE, opt=_MANAGE, tags=_TAGS, summary="Look up a member", operation_id="getMember")
async def get_member(request: ApiRequest, member_id: MemberPath) -> Response[MemberView]:
    """One member."""
    return json(await request.deps.account.members.get(request.caller, segment(member_id)))


@patch(_ONE, opt=_MANAGE, tags=_TAGS, summary="Change a role", operation_id="changeMember")
async def change_member(
    request: ApiRequest, member_id: MemberPath, data: JSONBody[ChangeMember]
) -> Response[MemberView]:
    """Gives a member another role; it acts within 5 seconds. An account keeps at least one owner."""
    return json(await request.deps.account.members.change_role(request.caller, segment(member_id), data.role))


@delete(_ONE, status_code=204, opt=_MANAGE, tags=_TAGS, summary="Remove a member", operation_id="removeMember")
async def remove_member(request: ApiRequest, member_id: MemberPath) -> None:
    """Takes somebody out of the team: signed out within 5 seconds, and an unused link ends."""
    await request.deps.account.members.remove(request.caller, segment(member_id))


@post(
    _ONE + "/invite", status_code=201, opt=_MANAGE, tags=_TAGS, summary="Invite again", operation_id="inviteMemberAgain"
)
async def invite_again(
    request: ApiRequest, member_id: MemberPath, data: JSONBody[InviteAgain]
) -> Response[InvitedView]:
    """A new link for somebody who has not accepted yet; the former one ends."""
    answer = await request.deps.account.members.invite_again(
        request.caller, segment(member_id), request.call(), data.language or ""
    )
    return answered(answer)


@get("/audit", opt=_MANAGE, tags=["Account"], summary="Who did what", operation_id="listAudit")
async def list_audit(
    request: ApiRequest,
    actor: Annotated[
        str | None,
        QueryParameter(
            pattern="^[!-~]+$", max_length=100, description="Only what this person, key or user did, by id."
        ),
    ] = None,
    action: Annotated[
        str | None,
        QueryParameter(pattern="^[a-z_.]+$", max_length=100, description="Only this action, or all that begin so."),
    ] = None,
    object_id: Annotated[
        str | None, QueryParameter(pattern="^[!-~]+$", max_length=100, description="Only what was done to this.")
    ] = None,
    since: Annotated[
        str | None, QueryParameter(description="Only at or after this time, RFC 3339 with an offset.")
    ] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[AuditPage]:
    """Everything that changed settings, keys, lines, webhooks, people, contacts or money; newest first."""
    page = await request.deps.account.audit.read(
        request.caller,
        limit=limit,
        cursor=cursor,
        actor=actor,
        action=action,
        object_id=object_id,
        since_ms=moment_ms(since, "since"),
    )
    return json(page)


HANDLERS = [list_members, invite_member, get_member, change_member, remove_member, invite_again, list_audit]
