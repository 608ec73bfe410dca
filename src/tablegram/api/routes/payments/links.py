"""Payment links."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit, moment_ms
from tablegram.api.routes.restaurant.paths import given
from tablegram.api.routing import segment
from tablegram.api.schemas.payments.links import CreatePaymentLink, RefundPayment
from tablegram.flows.payments.answers import LinkPage, LinkView, RefundView
from tablegram.flows.payments.fields import LinkFields, RefundFields
from tablegram.flows.payments.link_desk import Filters, LinkDesk
from tablegram.flows.payments.services import PaymentServices
from tablegram.payments.model import State, SubjectKind

# A test key works with test payments alone.
_SCOPE = {"scope": "payments:manage", "test_keys": True}
_TAGS = ["Payments"]
_ALL = "/payment-links"
_ONE = _ALL + "/{link_id:str}"

LinkId = Annotated[str, PathParameter(description="The payment link.")]
_Contact = Annotated[str | None, QueryParameter(min_length=1, max_length=64, description="Only of this contact.")]
_Subject = Annotated[
    str | None, QueryParameter(min_length=1, max_length=64, description="Only for this order or tab, by its own id.")
]
_Phone = Annotated[str | None, QueryParameter(pattern="^[1-9][0-9]{6,14}$", description="Only of this number.")]
_Since = Annotated[str | None, QueryParameter(description="Made at or after this time, RFC 3339 with an offset.")]
_Until = Annotated[str | None, QueryParameter(description="Made before this time, RFC 3339 with an offset.")]


def _desk(request: ApiRequest) -> LinkDesk:
    return request.deps.services.of(PaymentServices).links


@get(_ALL, opt=_SCOPE, tags=_TAGS, summary="List payment links", operation_id="listPaymentLinks")
async def list_links(
    request: ApiRequest,
    link_state: Annotated[State | None, QueryParameter(name="state", description="Only in this state.")] = None,
    phone: _Phone = None,
    contact_id: _Contact = None,
    subject_kind: Annotated[SubjectKind | None, QueryParameter(description="Only for orders, or tabs.")] = None,
    subject_id: _Subject = None,
    attention: Annotated[bool, QueryParameter(description="Only those that wait for a decision.")] = False,
    since: _Since = None,
    until: _Until = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[LinkPage]:
    """The account's payment links, newest first. A test key sees those of test payments."""
    filters = Filters(
        state=link_state,
        phone=phone,
        contact_id=contact_id,
        subject_kind=subject_kind,
        subject_id=subject_id,
        undecided=attention,
        since_ms=moment_ms(since, "since"),
        until_ms=moment_ms(until, "until"),
    )
    return json(await _desk(request).page(request.caller, filters, limit=limit, cursor=cursor))


@post(_ALL, status_code=201, opt=_SCOPE, tags=_TAGS, summary="Make a payment link", operation_id="createPaymentLink")
async def create_link(request: ApiRequest, data: JSONBody[CreatePaymentLink]) -> Response[LinkView]:
    """Makes a link that somebody pays with. Where the provider does not answer, `state` is `making` and the `url` comes by
    itself: look it up again. With the sandbox on and no provider connected, the link is the sandbox's. Nothing is sent to
    the payer: send the `url` as you like.
    """
    return answered(await _desk(request).create(request.caller, given(data, LinkFields), request.call()))


@get(_ONE, opt=_SCOPE, tags=_TAGS, summary="Look up a payment link", operation_id="getPaymentLink")
async def get_link(request: ApiRequest, link_id: LinkId) -> Response[LinkView]:
    """One link with its refunds."""
    return json(await _desk(request).get(request.caller, segment(link_id)))


@post(
    f"{_ONE}/cancel",
    status_code=200,
    opt=_SCOPE,
    tags=_TAGS,
    summary="Cancel a payment link",
    operation_id="cancelPaymentLink",
)
async def cancel_link(request: ApiRequest, link_id: LinkId) -> Response[LinkView]:
    """Takes a link back, so that nobody pays it. Who has paid meanwhile has paid: the link then waits for a decision."""
    return answered(await _desk(request).cancel(request.caller, segment(link_id), request.call()))


@post(
    f"{_ONE}/refunds",
    status_code=201,
    opt=_SCOPE,
    tags=_TAGS,
    summary="Give money back",
    operation_id="refundPaymentLink",
)
async def refund_link(request: ApiRequest, link_id: LinkId, data: JSONBody[RefundPayment]) -> Response[RefundView]:
    """Gives back a part of what was paid, or all of it. While the provider has not answered, the refund is `asked`."""
    return answered(
        await _desk(request).refund(request.caller, segment(link_id), given(data, RefundFields), request.call())
    )


@post(
    f"{_ONE}/accept",
    status_code=200,
    opt=_SCOPE,
    tags=_TAGS,
    summary="Keep the money",
    operation_id="acceptPaymentLink",
)
async def accept_link(request: ApiRequest, link_id: LinkId) -> Response[LinkView]:
    """Decides what waits for a decision: what came in stays as it is. To give it back, refund the link."""
    return answered(await _desk(request).accept(request.caller, segment(link_id), request.call()))


HANDLERS = [list_links, create_link, get_link, cancel_link, refund_link, accept_link]
