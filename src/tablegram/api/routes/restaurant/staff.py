"""Waiters and the sections of the room."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routes.restaurant.paths import MANAGE, READ, VENUE, VenueId, given, page_of
from tablegram.api.routing import segment
from tablegram.api.schemas.restaurant.venues import (
    CreateSection,
    CreateWaiter,
    UpdateSection,
    UpdateWaiter,
)
from tablegram.flows.restaurant.answers.venues import SectionPage, SectionView, WaiterPage, WaiterView
from tablegram.flows.restaurant.fields import SectionFields, WaiterFields

_TAGS = ["Venues"]
_WAITERS, _SECTIONS = f"{VENUE}/waiters", f"{VENUE}/sections"
_WAITER, _SECTION = _WAITERS + "/{waiter_id:str}", _SECTIONS + "/{section_id:str}"

WaiterId = Annotated[str, PathParameter(description="The waiter.")]
SectionId = Annotated[str, PathParameter(description="The section.")]


@get(_WAITERS, opt=READ, tags=_TAGS, summary="List waiters", operation_id="listWaiters")
async def list_waiters(
    request: ApiRequest, venue_id: VenueId, limit: Limit = 200, cursor: Cursor = None
) -> Response[WaiterPage]:
    """The waiters of a venue, by name."""
    staff = await request.deps.restaurant.venue_desk.staff(request.caller, segment(venue_id))
    return json(page_of(WaiterPage, staff.waiters, limit, cursor))


@post(_WAITERS, status_code=201, opt=MANAGE, tags=_TAGS, summary="Add a waiter", operation_id="createWaiter")
async def create_waiter(request: ApiRequest, venue_id: VenueId, data: JSONBody[CreateWaiter]) -> Response[WaiterView]:
    """Adds somebody who serves tables. With a number, calls from their tables are sent to their phone."""
    add = request.deps.restaurant.venue_desk.add_waiter
    return answered(await add(request.caller, segment(venue_id), given(data, WaiterFields), request.call()))


@patch(_WAITER, opt=MANAGE, tags=_TAGS, summary="Change a waiter", operation_id="updateWaiter")
async def update_waiter(
    request: ApiRequest, venue_id: VenueId, waiter_id: WaiterId, data: JSONBody[UpdateWaiter]
) -> Response[WaiterView]:
    """Changes what is given and leaves the rest."""
    change = request.deps.restaurant.venue_desk.change_waiter
    return json(await change(request.caller, segment(venue_id), segment(waiter_id), given(data, WaiterFields)))


@delete(_WAITER, status_code=204, opt=MANAGE, tags=_TAGS, summary="Remove a waiter", operation_id="deleteWaiter")
async def delete_waiter(request: ApiRequest, venue_id: VenueId, waiter_id: WaiterId) -> None:
    """Takes a waiter off duty for good. Their tables and sections are nobody's then."""
    await request.deps.restaurant.venue_desk.remove_waiter(request.caller, segment(venue_id), segment(waiter_id))


@get(_SECTIONS, opt=READ, tags=_TAGS, summary="List sections", operation_id="listSections")
async def list_sections(
    request: ApiRequest, venue_id: VenueId, limit: Limit = 200, cursor: Cursor = None
) -> Response[SectionPage]:
    """The sections of a venue in their order."""
    staff = await request.deps.restaurant.venue_desk.staff(request.caller, segment(venue_id))
    return json(page_of(SectionPage, staff.sections, limit, cursor))


@post(_SECTIONS, status_code=201, opt=MANAGE, tags=_TAGS, summary="Add a section", operation_id="createSection")
async def create_section(
    request: ApiRequest, venue_id: VenueId, data: JSONBody[CreateSection]
) -> Response[SectionView]:
    """Adds a part of the room with the waiter who serves it."""
    add = request.deps.restaurant.venue_desk.add_section
    return answered(await add(request.caller, segment(venue_id), given(data, SectionFields), request.call()))


@patch(_SECTION, opt=MANAGE, tags=_TAGS, summary="Change a section", operation_id="updateSection")
async def update_section(
    request: ApiRequest, venue_id: VenueId, section_id: SectionId, data: JSONBody[UpdateSection]
) -> Response[SectionView]:
    """Changes what is given and leaves the rest."""
    change = request.deps.restaurant.venue_desk.change_section
    return json(await change(request.caller, segment(venue_id), segment(section_id), given(data, SectionFields)))


@delete(_SECTION, status_code=204, opt=MANAGE, tags=_TAGS, summary="Delete a section", operation_id="deleteSection")
async def delete_section(request: ApiRequest, venue_id: VenueId, section_id: SectionId) -> None:
    """Takes a section away; its tables stay, in none."""
    await request.deps.restaurant.venue_desk.remove_section(request.caller, segment(venue_id), segment(section_id))


HANDLERS = [
    list_waiters,
    create_waiter,
    update_waiter,
    delete_waiter,
    list_sections,
    create_section,
    update_section,
    delete_section,
]
