"""Addresses of contacts."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.contacts.contacts import ContactId
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routes.restaurant.paths import given, page_of
from tablegram.api.routing import segment
from tablegram.api.schemas.delivery.addresses import CreateAddress, UpdateAddress
from tablegram.flows.delivery.address_desk import AddressDesk
from tablegram.flows.delivery.answers import AddressPage, AddressView
from tablegram.flows.delivery.fields import AddressFields
from tablegram.flows.delivery.services import DeliveryServices

_READ, _MANAGE = {"scope": "contacts:read"}, {"scope": "contacts:manage"}
_TAGS = ["Contacts"]
_ALL = "/contacts/{contact_id:str}/addresses"
_ONE = _ALL + "/{address_id:str}"

AddressId = Annotated[str, PathParameter(description="The address.")]


def _desk(request: ApiRequest) -> AddressDesk:
    return request.deps.services.of(DeliveryServices).addresses


@get(_ALL, opt=_READ, tags=_TAGS, summary="List a contact's addresses", operation_id="listAddresses")
async def list_addresses(
    request: ApiRequest, contact_id: ContactId, limit: Limit = 50, cursor: Cursor = None
) -> Response[AddressPage]:
    """Where things are brought to for somebody, the last used first."""
    found = await _desk(request).addresses(request.caller, segment(contact_id))
    return json(page_of(AddressPage, found, limit, cursor))


@post(_ALL, status_code=201, opt=_MANAGE, tags=_TAGS, summary="Add an address", operation_id="createAddress")
async def create_address(
    request: ApiRequest, contact_id: ContactId, data: JSONBody[CreateAddress]
) -> Response[AddressView]:
    """Adds an address to a contact, at most ten. Those that orders went to are kept automatically."""
    return answered(
        await _desk(request).add(request.caller, segment(contact_id), given(data, AddressFields), request.call())
    )


@patch(_ONE, opt=_MANAGE, tags=_TAGS, summary="Change an address", operation_id="updateAddress")
async def update_address(
    request: ApiRequest, contact_id: ContactId, address_id: AddressId, data: JSONBody[UpdateAddress]
) -> Response[AddressView]:
    """Changes what is given and leaves the rest."""
    return json(
        await _desk(request).change(
            request.caller, segment(contact_id), segment(address_id), given(data, AddressFields)
        )
    )


@delete(_ONE, status_code=204, opt=_MANAGE, tags=_TAGS, summary="Delete an address", operation_id="deleteAddress")
async def delete_address(request: ApiRequest, contact_id: ContactId, address_id: AddressId) -> None:
    """Forgets an address of a contact."""
    await _desk(request).remove(request.caller, segment(contact_id), segment(address_id))


HANDLERS = [list_addresses, create_address, update_address, delete_address]
