"""Payment providers that an account has connected."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.restaurant.paths import given
from tablegram.api.routing import segment
from tablegram.api.schemas.payments.links import CreatePaymentProvider, UpdatePaymentProvider
from tablegram.flows.payments.answers import ProviderCheck, ProviderPage, ProviderView
from tablegram.flows.payments.fields import ProviderFields
from tablegram.flows.payments.provider_desk import ProviderDesk
from tablegram.flows.payments.services import PaymentServices

_SCOPE = {"scope": "payments:manage"}
_TAGS = ["Payments"]
_ALL = "/payment-providers"
_ONE = _ALL + "/{provider_id:str}"

ProviderId = Annotated[str, PathParameter(description="The payment provider.")]


def _desk(request: ApiRequest) -> ProviderDesk:
    return request.deps.services.of(PaymentServices).providers


@get(_ALL, opt=_SCOPE, tags=_TAGS, summary="List payment providers", operation_id="listPaymentProviders")
async def list_providers(request: ApiRequest) -> Response[ProviderPage]:
    """The providers that the account has connected. Keys are never shown."""
    return json(await _desk(request).page(request.caller))


@post(
    _ALL,
    status_code=201,
    opt=_SCOPE,
    tags=_TAGS,
    summary="Connect a payment provider",
    operation_id="createPaymentProvider",
)
async def create_provider(request: ApiRequest, data: JSONBody[CreatePaymentProvider]) -> Response[ProviderView]:
    """Connects a provider. Enter the `hook_url` of the answer at the provider, so that it tells of payments."""
    return answered(await _desk(request).create(request.caller, given(data, ProviderFields), request.call()))


@get(_ONE, opt=_SCOPE, tags=_TAGS, summary="Look up a payment provider", operation_id="getPaymentProvider")
async def get_provider(request: ApiRequest, provider_id: ProviderId) -> Response[ProviderView]:
    """One provider, and whether it was heard."""
    return json(await _desk(request).get(request.caller, segment(provider_id)))


@patch(_ONE, opt=_SCOPE, tags=_TAGS, summary="Change a payment provider", operation_id="updatePaymentProvider")
async def update_provider(
    request: ApiRequest, provider_id: ProviderId, data: JSONBody[UpdatePaymentProvider]
) -> Response[ProviderView]:
    """Gives it other keys of the same mode, or makes it the usual one."""
    return json(await _desk(request).change(request.caller, segment(provider_id), given(data, ProviderFields)))


@delete(
    _ONE,
    status_code=204,
    opt=_SCOPE,
    tags=_TAGS,
    summary="Remove a payment provider",
    operation_id="deletePaymentProvider",
)
async def delete_provider(request: ApiRequest, provider_id: ProviderId) -> None:
    """Takes it away, unless links of it can still be paid. What was paid with it stays, and can be given back."""
    await _desk(request).remove(request.caller, segment(provider_id))


@post(
    f"{_ONE}/check",
    status_code=200,
    opt=_SCOPE,
    tags=_TAGS,
    summary="Try the keys",
    operation_id="checkPaymentProvider",
)
async def check_provider(request: ApiRequest, provider_id: ProviderId) -> Response[ProviderCheck]:
    """Asks the provider whether the keys open the door. No money moves."""
    return answered(await _desk(request).check(request.caller, segment(provider_id), request.call()))


HANDLERS = [list_providers, create_provider, get_provider, update_provider, delete_provider, check_provider]
