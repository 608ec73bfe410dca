"""Contacts from a table: checked, agreed to, brought in."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, patch, post
from litestar.params import JSONBody, PathParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routing import segment
from tablegram.api.schemas.contacts.imports import CheckImport, RefuseImport, StartImport
from tablegram.flows.contacts.answers import ImportPage, ImportView

_READ = {"scope": "contacts:read"}
_MANAGE = {"scope": "contacts:manage"}
_TAGS = ["Contacts"]

ImportId = Annotated[str, PathParameter(description="The import.")]


@post(
    "/contacts/import",
    status_code=201,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Check a table of contacts",
    operation_id="checkContactImport",
)
async def check_import(request: ApiRequest, data: JSONBody[CheckImport]) -> Response[ImportView]:
    """Looks at every row and tells what is wrong with which. Nothing is imported until it is started.

    A table that is not started within a day is thrown away.
    """
    raw = data.csv.encode()
    return answered(
        await request.deps.contacts.imports.check(request.caller, raw, data.filename or "contacts.csv", request.call())
    )


@get("/contacts/imports", opt=_READ, tags=_TAGS, summary="List imports", operation_id="listContactImports")
async def list_imports(request: ApiRequest, limit: Limit = 50, cursor: Cursor = None) -> Response[ImportPage]:
    """The account's imports, newest first."""
    return json(await request.deps.contacts.imports.page(request.caller, limit, cursor))


@get(
    "/contacts/imports/{import_id:str}",
    opt=_READ,
    tags=_TAGS,
    summary="Look up an import",
    operation_id="getContactImport",
)
async def get_import(request: ApiRequest, import_id: ImportId) -> Response[ImportView]:
    """How far it is, and what was wrong with which row."""
    return json(await request.deps.contacts.imports.get(request.caller, segment(import_id)))


@post(
    "/contacts/imports/{import_id:str}/start",
    status_code=202,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Start an import",
    operation_id="startContactImport",
)
async def start_import(request: ApiRequest, import_id: ImportId, data: JSONBody[StartImport]) -> Response[ImportView]:
    """Brings all good rows in, in the background. A row is in as a whole or not at all; a restart goes on with the rest."""
    existing = data.existing or "update"
    return answered(
        await request.deps.contacts.imports.start(request.caller, segment(import_id), existing, request.call())
    )


@patch(
    "/contacts/imports/{import_id:str}",
    opt=_MANAGE,
    tags=_TAGS,
    summary="Refuse an import",
    operation_id="refuseContactImport",
)
async def refuse_import(request: ApiRequest, import_id: ImportId, data: JSONBody[RefuseImport]) -> Response[ImportView]:
    """Throws the checked table away; nothing of it was imported. One that has started cannot be refused."""
    return json(await request.deps.contacts.imports.refuse(request.caller, segment(import_id)))


HANDLERS = [check_import, list_imports, get_import, start_import, refuse_import]
