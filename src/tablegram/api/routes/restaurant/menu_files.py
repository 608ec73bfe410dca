"""The menu in bulk: its order, its prices, what is sold out, and files."""

from __future__ import annotations

from typing import Annotated, Literal

from litestar import Response, get, post
from litestar.params import JSONBody, QueryParameter

from tablegram.api.requests import ApiRequest, answered, file
from tablegram.api.routes.restaurant.paths import MANAGE, READ, VENUE, VenueId, given
from tablegram.api.routing import segment
from tablegram.api.rules import parse_moment_ms
from tablegram.api.schemas.restaurant.menu import (
    ChangePrices,
    OrderMenu,
    SellOut,
)
from tablegram.flows.restaurant.answers.menus import MenuImported, MenuView, PricesChanged
from tablegram.flows.restaurant.desks.desk import with_file
from tablegram.flows.restaurant.desks.menu_desk import Until
from tablegram.flows.restaurant.desks.photos import gather
from tablegram.flows.restaurant.venue_fields import PriceFields
from tablegram.restaurant.menu.importing.jobs import Format
from tablegram.values.files.spreadsheets import MAX_BYTES

_TAGS = ["Menus"]
_MENU = f"{VENUE}/menu"
_TYPES = {
    "json": "application/json",
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


@post(f"{_MENU}/order", status_code=200, opt=MANAGE, tags=_TAGS, summary="Order a menu", operation_id="orderMenu")
async def order_menu(request: ApiRequest, venue_id: VenueId, data: JSONBody[OrderMenu]) -> Response[MenuView]:
    """Puts the categories, or the items of one category, into a new order. All of them are named."""
    desk, caller, venue = request.deps.restaurant.menu_desk, request.caller, segment(venue_id)

    async def effect() -> MenuView:
        if data.category_id is None:
            return await desk.reorder_categories(caller, venue, data.ids)
        return await desk.reorder_items(caller, venue, data.category_id, data.ids)

    return answered(await desk.once(MenuView, caller, request.call(), effect))


@post(f"{_MENU}/prices", status_code=200, opt=MANAGE, tags=_TAGS, summary="Change prices", operation_id="changePrices")
async def change_prices(
    request: ApiRequest, venue_id: VenueId, data: JSONBody[ChangePrices]
) -> Response[PricesChanged]:
    """Raises or lowers many prices at once. With `dry_run` it only tells what would change."""
    desk, caller, venue = request.deps.restaurant.menu_desk, request.caller, segment(venue_id)
    fields = given(data, PriceFields)
    if fields.pop("dry_run", False):
        return answered(
            await desk.once(
                PricesChanged, caller, request.call(), lambda: desk.change_prices(caller, venue, fields, dry_run=True)
            )
        )
    return answered(await desk.raise_prices(caller, venue, fields, request.call()))


@post(f"{_MENU}/sold-out", status_code=200, opt=MANAGE, tags=_TAGS, summary="Sell out", operation_id="sellOut")
async def sell_out(request: ApiRequest, venue_id: VenueId, data: JSONBody[SellOut]) -> Response[MenuView]:
    """Marks items and options as sold out, or as there again. Open menu pages show it at once."""
    desk, caller, venue = request.deps.restaurant.menu_desk, request.caller, segment(venue_id)
    until: Until
    if data.until == "time":
        until = parse_moment_ms(data.at or "")
    else:
        until = None if data.until == "now" else data.until
    return answered(
        await desk.once(MenuView, caller, request.call(), lambda: desk.sell_out(caller, venue, data.ids, until))
    )


@get(f"{_MENU}/export", opt=READ, tags=_TAGS, summary="Export a menu", operation_id="exportMenu")
async def export_menu(
    request: ApiRequest,
    venue_id: VenueId,
    format: Annotated[
        Format, QueryParameter(description="json: a document. xlsx: a workbook. csv: one table.")
    ] = "json",
    table: Annotated[
        Literal["items", "options"], QueryParameter(description="Which table a csv holds; a workbook holds both.")
    ] = "items",
) -> Response[bytes]:
    """The whole menu as a file that the import takes again."""
    body = await request.deps.restaurant.menu_desk.export(request.caller, segment(venue_id), format, table)
    name = f"menu-{table}" if format == "csv" else "menu"
    return file(body, _TYPES[format], f"{name}.{format}")


@post(
    f"{_MENU}/import",
    status_code=200,
    opt={**MANAGE, "file_bytes": MAX_BYTES},
    tags=_TAGS,
    summary="Import a menu",
    operation_id="importMenu",
)
async def import_menu(
    request: ApiRequest,
    venue_id: VenueId,
    mode: Annotated[
        Literal["merge", "replace"],
        QueryParameter(description="merge: what the file does not name stays. replace: it goes."),
    ] = "merge",
    dry_run: Annotated[bool, QueryParameter(description="true: only tell what would happen.")] = False,
) -> Response[MenuImported]:
    """Brings a menu in: the body is the file itself, CSV, XLSX or JSON, 10 MB at most. All of it comes in, or nothing.

    A table's first row names its columns: category, name, price, and of code, kitchen_name, description, station,
    allergens, tags, vat, option_groups, order_types, available and hidden those that you have; `name_en` is the name in
    English. Columns that are not there leave what is kept. What is wrong is told row by row in `errors`; then `applied`
    is false. An export shows how everything is written.
    """
    desk, caller, venue = request.deps.restaurant.menu_desk, request.caller, segment(venue_id)
    raw = await gather(request.exchange.file, MAX_BYTES)
    call = with_file(request.call(), f"{mode} {dry_run} ".encode() + raw)
    return answered(
        await desk.once(MenuImported, caller, call, lambda: desk.import_file(caller, venue, raw, mode, dry_run=dry_run))
    )


HANDLERS = [order_menu, change_prices, sell_out, export_menu, import_menu]
