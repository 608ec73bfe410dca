"""Tables and the codes on them."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from tablegram.api.requests import ApiRequest, answered, file, json
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routes.restaurant.paths import MANAGE, READ, VENUE, VenueId, given, page_of
from tablegram.api.routing import segment
from tablegram.api.schemas.restaurant.venues import (
    CreateTable,
    CreateTables,
    UpdateTable,
)
from tablegram.flows.restaurant.answers.venues import TableList, TablePage, TableView
from tablegram.flows.restaurant.fields import TableFields
from tablegram.restaurant.codes.code_sheets import Size

_TAGS = ["Tables"]
_ALL = f"{VENUE}/tables"
_ONE = _ALL + "/{table_id:str}"

TableId = Annotated[str, PathParameter(description="The table.")]


@get(_ALL, opt=READ, tags=_TAGS, summary="List tables", operation_id="listTables")
async def list_tables(
    request: ApiRequest, venue_id: VenueId, limit: Limit = 200, cursor: Cursor = None
) -> Response[TablePage]:
    """The tables of a venue in their order, each with the link that its code opens."""
    found = await request.deps.restaurant.table_desk.tables(request.caller, segment(venue_id))
    return json(page_of(TablePage, found, limit, cursor))


@post(_ALL, status_code=201, opt=MANAGE, tags=_TAGS, summary="Add a table", operation_id="createTable")
async def create_table(request: ApiRequest, venue_id: VenueId, data: JSONBody[CreateTable]) -> Response[TableView]:
    """Adds a table behind the others."""
    add = request.deps.restaurant.table_desk.add
    return answered(await add(request.caller, segment(venue_id), given(data, TableFields), request.call()))


@post(f"{_ALL}/range", status_code=201, opt=MANAGE, tags=_TAGS, summary="Add many tables", operation_id="createTables")
async def create_tables(request: ApiRequest, venue_id: VenueId, data: JSONBody[CreateTables]) -> Response[TableList]:
    """Adds tables by number and answers those that are new."""
    add = request.deps.restaurant.table_desk.add_many
    return answered(
        await add(request.caller, segment(venue_id), data.first, data.last, data.section_id, request.call())
    )


@post(
    f"{_ALL}/rotate", status_code=200, opt=MANAGE, tags=_TAGS, summary="Rotate all codes", operation_id="rotateTables"
)
async def rotate_tables(request: ApiRequest, venue_id: VenueId) -> Response[TableList]:
    """Refuses every code of the venue that was printed until now. Print new ones afterwards."""
    desk = request.deps.restaurant.table_desk
    return answered(
        await desk.once(
            TableList, request.caller, request.call(), lambda: desk.rotate_all(request.caller, segment(venue_id))
        )
    )


@get(f"{_ALL}/codes.pdf", opt=READ, tags=_TAGS, summary="Print codes", operation_id="printTableCodes")
async def print_codes(
    request: ApiRequest,
    venue_id: VenueId,
    size: Annotated[
        Size,
        QueryParameter(description="small: 12 on a page, for coasters. medium: 6. large: 2. page: a poster."),
    ] = "medium",
    table_id: Annotated[
        str | None, QueryParameter(max_length=64, description="Only of this table. Absent: of all.")
    ] = None,
) -> Response[bytes]:
    """The codes as a PDF to print and cut: A4, with the venue's logo, the table, and how it is done."""
    chosen = None if table_id is None else [table_id]
    body = await request.deps.restaurant.table_desk.sheet(request.caller, segment(venue_id), size, chosen)
    return file(body, "application/pdf", f"tables-{size}.pdf")


@get(_ONE, opt=READ, tags=_TAGS, summary="Look up a table", operation_id="getTable")
async def get_table(request: ApiRequest, venue_id: VenueId, table_id: TableId) -> Response[TableView]:
    """One table."""
    return json(await request.deps.restaurant.table_desk.get(request.caller, segment(venue_id), segment(table_id)))


@patch(_ONE, opt=MANAGE, tags=_TAGS, summary="Change a table", operation_id="updateTable")
async def update_table(
    request: ApiRequest, venue_id: VenueId, table_id: TableId, data: JSONBody[UpdateTable]
) -> Response[TableView]:
    """Changes what is given and leaves the rest. With a new label its codes must be printed anew."""
    change = request.deps.restaurant.table_desk.change
    return json(await change(request.caller, segment(venue_id), segment(table_id), given(data, TableFields)))


@delete(_ONE, status_code=204, opt=MANAGE, tags=_TAGS, summary="Delete a table", operation_id="deleteTable")
async def delete_table(request: ApiRequest, venue_id: VenueId, table_id: TableId) -> None:
    """Takes a table away; its orders stay."""
    await request.deps.restaurant.table_desk.remove(request.caller, segment(venue_id), segment(table_id))


@post(f"{_ONE}/rotate", status_code=200, opt=MANAGE, tags=_TAGS, summary="Rotate a code", operation_id="rotateTable")
async def rotate_table(request: ApiRequest, venue_id: VenueId, table_id: TableId) -> Response[TableView]:
    """Refuses every code of a table that was printed until now, when one has leaked."""
    desk = request.deps.restaurant.table_desk
    return answered(
        await desk.once(
            TableView,
            request.caller,
            request.call(),
            lambda: desk.rotate(request.caller, segment(venue_id), segment(table_id)),
        )
    )


@get(f"{_ONE}/code.png", opt=READ, tags=_TAGS, summary="A code as PNG", operation_id="getTableCodePng")
async def get_png(request: ApiRequest, venue_id: VenueId, table_id: TableId) -> Response[bytes]:
    """The table's code as a picture."""
    body = await request.deps.restaurant.table_desk.code(request.caller, segment(venue_id), segment(table_id), "png")
    return file(body, "image/png", "table.png")


@get(f"{_ONE}/code.svg", opt=READ, tags=_TAGS, summary="A code as SVG", operation_id="getTableCodeSvg")
async def get_svg(request: ApiRequest, venue_id: VenueId, table_id: TableId) -> Response[bytes]:
    """The table's code for every size."""
    body = await request.deps.restaurant.table_desk.code(request.caller, segment(venue_id), segment(table_id), "svg")
    return file(body, "image/svg+xml", "table.svg")


HANDLERS = [
    list_tables,
    create_table,
    create_tables,
    rotate_tables,
    # Before a single table: no table is called `codes.pdf`.
    print_codes,
    get_table,
    update_table,
    delete_table,
    rotate_table,
    get_png,
    get_svg,
]
