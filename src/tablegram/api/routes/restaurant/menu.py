"""The menu: whole, and one thing at a time."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.restaurant.paths import MANAGE, READ, VENUE, VenueId, given
from tablegram.api.routing import segment
from tablegram.api.schemas.restaurant.menu import (
    CreateCategory,
    CreateItem,
    CreateOptionGroup,
    UpdateCategory,
    UpdateItem,
    UpdateOptionGroup,
)
from tablegram.flows.restaurant.answers.menus import CategoryView, ItemView, MenuView, OptionGroupView
from tablegram.flows.restaurant.venue_fields import CategoryFields, GroupFields, ItemFields

_TAGS = ["Menus"]
_MENU = f"{VENUE}/menu"
_CATEGORIES, _ITEMS, _GROUPS = f"{_MENU}/categories", f"{_MENU}/items", f"{_MENU}/option-groups"
_CATEGORY = _CATEGORIES + "/{category_id:str}"
_ITEM = _ITEMS + "/{item_id:str}"
_GROUP = _GROUPS + "/{group_id:str}"

CategoryId = Annotated[str, PathParameter(description="The category.")]
ItemId = Annotated[str, PathParameter(description="The item.")]
GroupId = Annotated[str, PathParameter(description="The option group.")]


@get(_MENU, opt=READ, tags=_TAGS, summary="Read a menu", operation_id="getMenu")
async def get_menu(request: ApiRequest, venue_id: VenueId) -> Response[MenuView]:
    """The whole menu, hidden things included."""
    return json(await request.deps.restaurant.menu_desk.menu(request.caller, segment(venue_id)))


@post(_CATEGORIES, status_code=201, opt=MANAGE, tags=_TAGS, summary="Add a category", operation_id="createCategory")
async def create_category(
    request: ApiRequest, venue_id: VenueId, data: JSONBody[CreateCategory]
) -> Response[CategoryView]:
    """Adds a category behind the others."""
    add = request.deps.restaurant.menu_desk.add_category
    return answered(await add(request.caller, segment(venue_id), given(data, CategoryFields), request.call()))


@patch(_CATEGORY, opt=MANAGE, tags=_TAGS, summary="Change a category", operation_id="updateCategory")
async def update_category(
    request: ApiRequest, venue_id: VenueId, category_id: CategoryId, data: JSONBody[UpdateCategory]
) -> Response[CategoryView]:
    """Changes what is given and leaves the rest."""
    put = request.deps.restaurant.menu_desk.put_category
    return json(await put(request.caller, segment(venue_id), given(data, CategoryFields), segment(category_id)))


@delete(_CATEGORY, status_code=204, opt=MANAGE, tags=_TAGS, summary="Delete a category", operation_id="deleteCategory")
async def delete_category(request: ApiRequest, venue_id: VenueId, category_id: CategoryId) -> None:
    """Takes an empty category away."""
    await request.deps.restaurant.menu_desk.delete_category(request.caller, segment(venue_id), segment(category_id))


@post(_ITEMS, status_code=201, opt=MANAGE, tags=_TAGS, summary="Add an item", operation_id="createItem")
async def create_item(request: ApiRequest, venue_id: VenueId, data: JSONBody[CreateItem]) -> Response[ItemView]:
    """Adds an item, last in its category."""
    add = request.deps.restaurant.menu_desk.add_item
    return answered(await add(request.caller, segment(venue_id), given(data, ItemFields), request.call()))


@get(_ITEM, opt=READ, tags=_TAGS, summary="Look up an item", operation_id="getItem")
async def get_item(request: ApiRequest, venue_id: VenueId, item_id: ItemId) -> Response[ItemView]:
    """One item."""
    return json(await request.deps.restaurant.menu_desk.get_item(request.caller, segment(venue_id), segment(item_id)))


@patch(_ITEM, opt=MANAGE, tags=_TAGS, summary="Change an item", operation_id="updateItem")
async def update_item(
    request: ApiRequest, venue_id: VenueId, item_id: ItemId, data: JSONBody[UpdateItem]
) -> Response[ItemView]:
    """Changes what is given and leaves the rest. Orders keep the price that they were made with."""
    put = request.deps.restaurant.menu_desk.put_item
    return json(await put(request.caller, segment(venue_id), given(data, ItemFields), segment(item_id)))


@delete(_ITEM, status_code=204, opt=MANAGE, tags=_TAGS, summary="Delete an item", operation_id="deleteItem")
async def delete_item(request: ApiRequest, venue_id: VenueId, item_id: ItemId) -> None:
    """Takes an item off the menu; orders that hold it stay."""
    await request.deps.restaurant.menu_desk.delete_item(request.caller, segment(venue_id), segment(item_id))


@post(_GROUPS, status_code=201, opt=MANAGE, tags=_TAGS, summary="Add an option group", operation_id="createOptionGroup")
async def create_group(
    request: ApiRequest, venue_id: VenueId, data: JSONBody[CreateOptionGroup]
) -> Response[OptionGroupView]:
    """Adds options to choose among, for items to name in `option_group_ids`."""
    add = request.deps.restaurant.menu_desk.add_group
    return answered(await add(request.caller, segment(venue_id), given(data, GroupFields), request.call()))


@patch(_GROUP, opt=MANAGE, tags=_TAGS, summary="Change an option group", operation_id="updateOptionGroup")
async def update_group(
    request: ApiRequest, venue_id: VenueId, group_id: GroupId, data: JSONBody[UpdateOptionGroup]
) -> Response[OptionGroupView]:
    """Changes what is given and leaves the rest. Options that a given list does not name are gone."""
    put = request.deps.restaurant.menu_desk.put_group
    return json(await put(request.caller, segment(venue_id), given(data, GroupFields), segment(group_id)))


@delete(
    _GROUP, status_code=204, opt=MANAGE, tags=_TAGS, summary="Delete an option group", operation_id="deleteOptionGroup"
)
async def delete_group(request: ApiRequest, venue_id: VenueId, group_id: GroupId) -> None:
    """Takes a group away, from every item and option that named it as well."""
    await request.deps.restaurant.menu_desk.delete_group(request.caller, segment(venue_id), segment(group_id))


HANDLERS = [
    get_menu,
    create_category,
    update_category,
    delete_category,
    create_item,
    get_item,
    update_item,
    delete_item,
    create_group,
    update_group,
    delete_group,
]
