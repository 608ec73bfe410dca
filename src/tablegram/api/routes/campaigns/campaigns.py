"""Campaigns: what is written to many at once, and what came of it."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, patch, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from tablegram.api.requests import ApiRequest, answered, file, json
from tablegram.api.routes.parameters import Cursor, Limit, moment_ms
from tablegram.api.routes.restaurant.paths import given
from tablegram.api.routing import segment
from tablegram.api.schemas.campaigns.campaigns import (
    CreateCampaign,
    PreviewCampaign,
    StartCampaign,
    TestCampaign,
    UpdateCampaign,
)
from tablegram.campaigns.fields import CampaignFields
from tablegram.campaigns.model import SendState
from tablegram.campaigns.states import State
from tablegram.flows.campaigns.answers import (
    CampaignEstimate,
    CampaignPage,
    CampaignPreview,
    CampaignSendPage,
    CampaignTestSent,
    CampaignView,
)
from tablegram.flows.campaigns.reporting import CampaignReport
from tablegram.flows.campaigns.services import CampaignServices

_READ = {"scope": "campaigns:read"}
_MANAGE = {"scope": "campaigns:manage"}
_TAGS = ["Campaigns"]
_ALL = "/campaigns"
_ONE = _ALL + "/{campaign_id:str}"

CampaignId = Annotated[str, PathParameter(description="The campaign.")]


def _services(request: ApiRequest) -> CampaignServices:
    return request.deps.services.of(CampaignServices)


@get(_ALL, opt=_READ, tags=_TAGS, summary="List campaigns", operation_id="listCampaigns")
async def list_campaigns(
    request: ApiRequest,
    campaign_state: Annotated[State | None, QueryParameter(name="state", description="Only in this state.")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[CampaignPage]:
    """Campaigns with how far they are, newest first."""
    desk = _services(request).desk
    return json(await desk.page(request.caller, state=campaign_state, limit=limit, cursor=cursor))


@post(_ALL, status_code=201, opt=_MANAGE, tags=_TAGS, summary="Create a campaign", operation_id="createCampaign")
async def create_campaign(request: ApiRequest, data: JSONBody[CreateCampaign]) -> Response[CampaignView]:
    """Makes a draft. Nothing is sent before it is started.

    Only contacts who agreed to marketing get a message, and each message says how to get no more.
    """
    return answered(await _services(request).desk.create(request.caller, given(data, CampaignFields), request.call()))


@get(_ONE, opt=_READ, tags=_TAGS, summary="Look up a campaign", operation_id="getCampaign")
async def get_campaign(request: ApiRequest, campaign_id: CampaignId) -> Response[CampaignView]:
    """One campaign, and how far it is."""
    return json(await _services(request).desk.get(request.caller, segment(campaign_id)))


@patch(_ONE, opt=_MANAGE, tags=_TAGS, summary="Change a draft", operation_id="updateCampaign")
async def update_campaign(
    request: ApiRequest, campaign_id: CampaignId, data: JSONBody[UpdateCampaign]
) -> Response[CampaignView]:
    """Changes what is given. What has been started or scheduled stays as it is."""
    return json(await _services(request).desk.change(request.caller, segment(campaign_id), given(data, CampaignFields)))


@get(f"{_ONE}/estimate", opt=_READ, tags=_TAGS, summary="CampaignEstimate a campaign", operation_id="estimateCampaign")
async def estimate_campaign(request: ApiRequest, campaign_id: CampaignId) -> Response[CampaignEstimate]:
    """Whom it would reach if it began now, who would get nothing and why, and what it would cost."""
    return json(await _services(request).trying.estimate(request.caller, segment(campaign_id)))


@post(
    f"{_ONE}/preview",
    status_code=200,
    opt=_READ,
    tags=_TAGS,
    summary="Preview a campaign",
    operation_id="previewCampaign",
)
async def preview_campaign(
    request: ApiRequest, campaign_id: CampaignId, data: JSONBody[PreviewCampaign]
) -> Response[CampaignPreview]:
    """How each text looks for a contact, or for an invented customer. Nothing is sent. A contact needs
    `contacts:read`."""
    trying = _services(request).trying
    return answered(await trying.preview(request.caller, segment(campaign_id), data.contact_id or "", request.call()))


@post(
    f"{_ONE}/test",
    status_code=202,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Send yourself a test",
    operation_id="testCampaign",
)
async def test_campaign(
    request: ApiRequest, campaign_id: CampaignId, data: JSONBody[TestCampaign]
) -> Response[CampaignTestSent]:
    """Sends each text to a number of your own. It needs `messages:send` as well, and costs what a message costs."""
    trying = _services(request).trying
    return answered(await trying.test(request.caller, segment(campaign_id), data.phone, request.call()))


@post(
    f"{_ONE}/start",
    status_code=200,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Start or schedule a campaign",
    operation_id="startCampaign",
)
async def start_campaign(
    request: ApiRequest, campaign_id: CampaignId, data: JSONBody[StartCampaign]
) -> Response[CampaignView]:
    """Begins now, or at a time. Whoever belongs to it at that moment gets one row in its ledger, and one message at the
    most."""
    starts_at = moment_ms(data.starts_at, "starts_at")
    desk = _services(request).desk
    return answered(await desk.start(request.caller, segment(campaign_id), starts_at, request.call()))


@post(
    f"{_ONE}/pause", status_code=200, opt=_MANAGE, tags=_TAGS, summary="Pause a campaign", operation_id="pauseCampaign"
)
async def pause_campaign(request: ApiRequest, campaign_id: CampaignId) -> Response[CampaignView]:
    """Takes effect at once: what the line has not sent yet waits again."""
    return answered(await _services(request).desk.act(request.caller, segment(campaign_id), "pause", request.call()))


@post(
    f"{_ONE}/resume",
    status_code=200,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Resume a campaign",
    operation_id="resumeCampaign",
)
async def resume_campaign(request: ApiRequest, campaign_id: CampaignId) -> Response[CampaignView]:
    """Goes on where it stood. Nobody gets a second message."""
    return answered(await _services(request).desk.act(request.caller, segment(campaign_id), "resume", request.call()))


@post(
    f"{_ONE}/cancel",
    status_code=200,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Cancel a campaign",
    operation_id="cancelCampaign",
)
async def cancel_campaign(request: ApiRequest, campaign_id: CampaignId) -> Response[CampaignView]:
    """Ends it for good. Who has not got a message gets none."""
    return answered(await _services(request).desk.act(request.caller, segment(campaign_id), "cancel", request.call()))


@get(f"{_ONE}/sends", opt=_READ, tags=_TAGS, summary="List a campaign's contacts", operation_id="listCampaignSends")
async def list_sends(
    request: ApiRequest,
    campaign_id: CampaignId,
    send_state: Annotated[SendState | None, QueryParameter(name="state", description="Only in this state.")] = None,
    reason: Annotated[
        str | None, QueryParameter(max_length=100, description="Only with this reason, such as `no_consent`.")
    ] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[CampaignSendPage]:
    """The ledger: one row for each contact, with what became of them, or why they got nothing."""
    desk = _services(request).desk
    found = await desk.sends(
        request.caller, segment(campaign_id), state=send_state, reason=reason or None, limit=limit, cursor=cursor
    )
    return json(found)


@get(f"{_ONE}/report", opt=_READ, tags=_TAGS, summary="Read a campaign's report", operation_id="getCampaignReport")
async def get_report(request: ApiRequest, campaign_id: CampaignId) -> Response[CampaignReport]:
    """What came of it: by text, by reason and by link, what it cost, and who ordered, beside those who were left out."""
    return json(await _services(request).reporting.report(request.caller, segment(campaign_id)))


@get(
    f"{_ONE}/report/export",
    opt=_READ,
    tags=_TAGS,
    summary="Export a campaign's report",
    operation_id="exportCampaignReport",
)
async def export_report(request: ApiRequest, campaign_id: CampaignId) -> Response[bytes]:
    """The same as a table in CSV."""
    table = await _services(request).reporting.table(request.caller, segment(campaign_id))
    return file(table, "text/csv", "campaign.csv")


HANDLERS = [
    list_campaigns,
    create_campaign,
    get_campaign,
    update_campaign,
    estimate_campaign,
    preview_campaign,
    test_campaign,
    start_campaign,
    pause_campaign,
    resume_campaign,
    cancel_campaign,
    list_sends,
    get_report,
    export_report,
]
