"""What only the installation's own administrators do: its accounts, plans, balances and health."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, patch, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from msgspec import UNSET

from tablegram.accounts.accounts import STANDARD_PLAN, Plan, State
from tablegram.accounts.operating.answers import (
    AccountDetail,
    AccountPage,
    AccountView,
    HealthView,
    OpenedAccount,
    PlanPage,
    PlanView,
    StorageView,
    TopUpView,
)
from tablegram.accounts.operating.first_owner import Invitee
from tablegram.accounts.operating.operating import plan_view
from tablegram.accounts.scopes import OPERATE
from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routing import segment
from tablegram.api.schemas.operator.accounts import (
    ChangeAccount,
    ChangePlan,
    CreateAccount,
    CreatePlan,
    FirstOwner,
    TopUp,
)
from tablegram.values.cursor import decode_cursor, encode_cursor

_OPERATE = {"scope": OPERATE}
_TAGS = ["Operator"]
_ACCOUNTS = "/operator/accounts"
_ACCOUNT = "/operator/accounts/{account_id:int}"

AccountPath = Annotated[int, PathParameter(ge=1, le=9_007_199_254_740_991, description="The account's number.")]
PlanPath = Annotated[str, PathParameter(description="The plan's name.")]
Search = Annotated[
    str | None,
    QueryParameter(max_length=200, description="Words that the name begins with, in any order, or the number."),
]
InState = Annotated[State | None, QueryParameter(name="state", description="Only accounts in this state.")]


@get(_ACCOUNTS, opt=_OPERATE, tags=_TAGS, summary="List accounts", operation_id="listAccounts")
async def list_accounts(
    request: ApiRequest, q: Search = None, in_state: InState = None, limit: Limit = 50, cursor: Cursor = None
) -> Response[AccountPage]:
    """The installation's accounts, by number."""
    page = request.deps.operator.page
    return json(await page(request.caller, limit=limit, cursor=cursor, search=q or "", state=in_state or ""))


@post(_ACCOUNTS, status_code=201, opt=_OPERATE, tags=_TAGS, summary="Open an account", operation_id="createAccount")
async def create_account(request: ApiRequest, data: JSONBody[CreateAccount]) -> Response[OpenedAccount]:
    """Makes an account. With an `owner`, the answer holds a link that lets them in once, within 7 days.

    Where mail is set up they get it, too. Only a repeated call with the same `Idempotency-Key` shows the link again;
    until then the answer is kept sealed.
    """
    owner = None if data.owner is None else _invitee(data.owner)
    return answered(
        await request.deps.operator.create(request.caller, data.name, data.plan or STANDARD_PLAN, owner, request.call())
    )


@get(_ACCOUNT, opt=_OPERATE, tags=_TAGS, summary="Look up an account", operation_id="getAccount")
async def get_account(request: ApiRequest, account_id: AccountPath) -> Response[AccountDetail]:
    """One account: its state, plan, balance, free messages, and who is in it."""
    return json(await request.deps.operator.show(request.caller, account_id))


@patch(_ACCOUNT, opt=_OPERATE, tags=_TAGS, summary="Change a plan", operation_id="changeAccount")
async def change_account(
    request: ApiRequest, account_id: AccountPath, data: JSONBody[ChangeAccount]
) -> Response[AccountView]:
    """Puts the account on another plan; it counts from its next send."""
    return answered(await request.deps.operator.set_plan(request.caller, account_id, data.plan))


@post(_ACCOUNT + "/top-up", status_code=200, opt=_OPERATE, tags=_TAGS, summary="Top up", operation_id="topUpAccount")
async def top_up(request: ApiRequest, account_id: AccountPath, data: JSONBody[TopUp]) -> Response[TopUpView]:
    """Adds a payment to the balance. The same reference again adds nothing and is 409 `payment_known`."""
    return answered(
        await request.deps.operator.top_up(
            request.caller, account_id, data.amount_usd, data.reference.strip(), request.call()
        )
    )


@post(
    _ACCOUNT + "/invite", status_code=201, opt=_OPERATE, tags=_TAGS, summary="Invite the owner",
    operation_id="inviteOwner",
)  # fmt: skip
async def invite_owner(
    request: ApiRequest, account_id: AccountPath, data: JSONBody[FirstOwner]
) -> Response[OpenedAccount]:
    """A link for the first owner; a former one for the same address ends.

    Once somebody has accepted, the account's own owners invite, and this is 409 `account_has_people`.
    """
    operating = request.deps.operator
    return answered(await operating.invite_owner(request.caller, account_id, _invitee(data), request.call()))


@post(
    _ACCOUNT + "/suspend", status_code=200, opt=_OPERATE, tags=_TAGS, summary="Suspend", operation_id="suspendAccount"
)
async def suspend(request: ApiRequest, account_id: AccountPath) -> Response[AccountView]:
    """Refuses every key and every person of the account, within 5 seconds. Nothing is lost."""
    return answered(await request.deps.operator.suspend(request.caller, account_id, request.call()))


@post(_ACCOUNT + "/resume", status_code=200, opt=_OPERATE, tags=_TAGS, summary="Resume", operation_id="resumeAccount")
async def resume(request: ApiRequest, account_id: AccountPath) -> Response[AccountView]:
    """Lets the account's keys and people in again."""
    return answered(await request.deps.operator.resume(request.caller, account_id, request.call()))


@get("/operator/plans", opt=_OPERATE, tags=_TAGS, summary="List plans", operation_id="listPlans")
async def list_plans(request: ApiRequest, limit: Limit = 50, cursor: Cursor = None) -> Response[PlanPage]:
    """Every plan, by name. What is free counts only where billing is on."""
    after = "" if cursor is None else decode_cursor(cursor)
    every = sorted(await request.deps.operator.plans(request.caller), key=lambda plan: plan.name)
    rest = [plan for plan in every if plan.name > after]
    more = len(rest) > limit
    return json(
        PlanPage(
            data=[plan_view(plan) for plan in rest[:limit]],
            next_cursor=encode_cursor(rest[limit - 1].name) if more else None,
        )
    )


@post("/operator/plans", status_code=201, opt=_OPERATE, tags=_TAGS, summary="Make a plan", operation_id="createPlan")
async def create_plan(request: ApiRequest, data: JSONBody[CreatePlan]) -> Response[PlanView]:
    """Makes a plan that accounts can be put on."""
    plan = Plan(data.name, data.free_messages, data.free_hours)
    return answered(await request.deps.operator.make_plan(request.caller, plan, request.call()))


@patch(
    "/operator/plans/{plan_name:str}", opt=_OPERATE, tags=_TAGS, summary="Change a plan's figures",
    operation_id="changePlan",
)  # fmt: skip
async def change_plan(request: ApiRequest, plan_name: PlanPath, data: JSONBody[ChangePlan]) -> Response[PlanView]:
    """Other figures, which count for every account on the plan from its next send."""
    changed = await request.deps.operator.change_plan(
        request.caller,
        segment(plan_name),
        None if data.free_messages is UNSET else data.free_messages,
        None if data.free_hours is UNSET else data.free_hours,
    )
    return json(plan_view(changed))


@get("/operator/health", opt=_OPERATE, tags=_TAGS, summary="Engine and storage", operation_id="getHealth")
async def get_health(request: ApiRequest) -> Response[HealthView]:
    """Whether storage and engine answer, what they have done since the start, and how much room is left."""
    health = await request.deps.operator.health(request.caller)
    return json(
        HealthView(
            ready=health.is_ready,
            storage=StorageView(
                kind=health.room.kind,
                size_bytes=health.room.size,
                disk_free_bytes=health.room.disk_free,
                disk_total_bytes=health.room.disk_total,
            ),
            figures=health.figures,
        )
    )


def _invitee(data: FirstOwner) -> Invitee:
    return Invitee(data.email, data.name or "", data.language or "")


HANDLERS = [
    list_accounts,
    create_account,
    get_account,
    change_account,
    top_up,
    invite_owner,
    suspend,
    resume,
    list_plans,
    create_plan,
    change_plan,
    get_health,
]
