"""Automations: small flows that write by themselves, and what came of them."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, patch, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routes.restaurant.paths import given
from tablegram.api.routing import segment
from tablegram.api.schemas.automations.automations import CreateAutomation, TryAutomation, UpdateAutomation
from tablegram.automations.fields import AutomationFields, NewAutomationFields
from tablegram.automations.model import RunState
from tablegram.automations.states import State
from tablegram.flows.automations.answers import (
    AutomationPage,
    AutomationRating,
    AutomationRatingPage,
    AutomationReport,
    AutomationRunPage,
    AutomationTrial,
    AutomationView,
)
from tablegram.flows.automations.services import AutomationServices

_READ = {"scope": "campaigns:read"}
_MANAGE = {"scope": "campaigns:manage"}
_TAGS = ["Automations"]
_ALL = "/automations"
_ONE = _ALL + "/{automation_id:str}"

AutomationId = Annotated[str, PathParameter(description="The automation.")]


def _services(request: ApiRequest) -> AutomationServices:
    return request.deps.services.of(AutomationServices)


@get(_ALL, opt=_READ, tags=_TAGS, summary="List automations", operation_id="listAutomations")
async def list_automations(
    request: ApiRequest,
    automation_state: Annotated[State | None, QueryParameter(name="state", description="Only in this state.")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[AutomationPage]:
    """Automations with how many went through them, newest first."""
    desk = _services(request).desk
    return json(await desk.page(request.caller, state=automation_state, limit=limit, cursor=cursor))


@post(_ALL, status_code=201, opt=_MANAGE, tags=_TAGS, summary="Create an automation", operation_id="createAutomation")
async def create_automation(request: ApiRequest, data: JSONBody[CreateAutomation]) -> Response[AutomationView]:
    """Makes a draft, from nothing or from a ready-made one. Nothing begins before it is turned on."""
    return answered(
        await _services(request).desk.create(request.caller, given(data, NewAutomationFields), request.call())
    )


@get(_ONE, opt=_READ, tags=_TAGS, summary="Look up an automation", operation_id="getAutomation")
async def get_automation(request: ApiRequest, automation_id: AutomationId) -> Response[AutomationView]:
    """One automation, as it is decided now."""
    return json(await _services(request).desk.get(request.caller, segment(automation_id)))


@patch(_ONE, opt=_MANAGE, tags=_TAGS, summary="Change an automation", operation_id="updateAutomation")
async def update_automation(
    request: ApiRequest, automation_id: AutomationId, data: JSONBody[UpdateAutomation]
) -> Response[AutomationView]:
    """Changes what is given. Who is on their way ends with what held when they began."""
    return json(
        await _services(request).desk.change(request.caller, segment(automation_id), given(data, AutomationFields))
    )


@post(
    f"{_ONE}/turn_on",
    status_code=200,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Turn an automation on",
    operation_id="turnOnAutomation",
)
async def turn_on(request: ApiRequest, automation_id: AutomationId) -> Response[AutomationView]:
    """From now on what happens begins runs. What happened before does not."""
    desk = _services(request).desk
    return answered(await desk.act(request.caller, segment(automation_id), "turn_on", request.call()))


@post(
    f"{_ONE}/pause",
    status_code=200,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Pause an automation",
    operation_id="pauseAutomation",
)
async def pause_automation(request: ApiRequest, automation_id: AutomationId) -> Response[AutomationView]:
    """Nothing begins, and nobody goes on, until it is turned on again."""
    desk = _services(request).desk
    return answered(await desk.act(request.caller, segment(automation_id), "pause", request.call()))


@post(
    f"{_ONE}/archive",
    status_code=200,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Put an automation away",
    operation_id="archiveAutomation",
)
async def archive_automation(request: ApiRequest, automation_id: AutomationId) -> Response[AutomationView]:
    """For good: who is on their way stops. Its report stays."""
    desk = _services(request).desk
    return answered(await desk.act(request.caller, segment(automation_id), "archive", request.call()))


@post(f"{_ONE}/try", status_code=200, opt=_READ, tags=_TAGS, summary="Try an automation", operation_id="tryAutomation")
async def try_automation(
    request: ApiRequest, automation_id: AutomationId, data: JSONBody[TryAutomation]
) -> Response[AutomationTrial]:
    """What would happen to a contact, step by step, if it began now. Nothing is sent or given. Needs `contacts:read`
    too."""
    trials = _services(request).trials
    return answered(await trials.run(request.caller, segment(automation_id), data.contact_id, request.call()))


@get(f"{_ONE}/runs", opt=_READ, tags=_TAGS, summary="List an automation's runs", operation_id="listAutomationRuns")
async def list_runs(
    request: ApiRequest,
    automation_id: AutomationId,
    run_state: Annotated[RunState | None, QueryParameter(name="state", description="Only in this state.")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[AutomationRunPage]:
    """Who is on their way or was, with each step that was made, newest first."""
    reporting = _services(request).reporting
    return json(
        await reporting.runs(request.caller, segment(automation_id), state=run_state, limit=limit, cursor=cursor)
    )


@get(
    f"{_ONE}/report",
    opt=_READ,
    tags=_TAGS,
    summary="Read an automation's report",
    operation_id="getAutomationReport",
)
async def get_report(request: ApiRequest, automation_id: AutomationId) -> Response[AutomationReport]:
    """Who is where, what was sent or not and why, who replied and ordered, and how it was rated."""
    return json(await _services(request).reporting.report(request.caller, segment(automation_id)))


@get(f"{_ONE}/ratings", opt=_READ, tags=_TAGS, summary="List ratings", operation_id="listAutomationRatings")
async def list_ratings(
    request: ApiRequest,
    automation_id: AutomationId,
    only_open: Annotated[
        bool, QueryParameter(name="open", description="Only low ones that nobody has followed up yet.")
    ] = False,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[AutomationRatingPage]:
    """What guests said, newest first. Needs `contacts:read` too."""
    reporting = _services(request).reporting
    return json(
        await reporting.ratings(request.caller, segment(automation_id), only_open=only_open, limit=limit, cursor=cursor)
    )


@post(
    f"{_ONE}/ratings/{{run_id:str}}/close",
    status_code=200,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Close a low rating",
    operation_id="closeAutomationRating",
)
async def close_rating(
    request: ApiRequest,
    automation_id: AutomationId,
    run_id: Annotated[str, PathParameter(description="The run that asked.")],
) -> Response[AutomationRating]:
    """Somebody has talked to the guest. Needs `contacts:read` too."""
    reporting = _services(request).reporting
    return answered(await reporting.close(request.caller, segment(automation_id), segment(run_id), request.call()))


HANDLERS = [
    list_automations,
    create_automation,
    get_automation,
    update_automation,
    turn_on,
    pause_automation,
    archive_automation,
    try_automation,
    list_runs,
    get_report,
    list_ratings,
    close_rating,
]
