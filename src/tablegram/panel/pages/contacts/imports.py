"""Importing contacts: choose a file, look at what was understood, agree, watch it come in."""

from __future__ import annotations

import csv
import io

from litestar import Response, get, post
from litestar.params import FromPath

from tablegram.crm.importing.spreadsheets import MAX_BYTES
from tablegram.errors import Invalid, Problem
from tablegram.flows.contacts.answers import WrongRow
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form, room_for
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, with_times
from tablegram.panel.frame.once import contents_of, new_mark, once
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.files.spreadsheets import harmless_in_csv

_MANAGE = {"scope": "contacts:manage"}
HOME = "/panel/contacts/import"
ERRORS_SHOWN = 200


@get("/contacts/import", opt=_MANAGE)
async def choose_file(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return await _upload(request, visitor, deps)


async def _upload(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, form: Form | None = None, problem: Problem | None = None
) -> PageResponse:
    past = await deps.contacts.imports.page(visitor.caller, 10, asked(request, "cursor") or None)
    return page(
        request,
        visitor,
        "contacts/import.html",
        form=form,
        problem=problem,
        past=[with_times(one) for one in past.data],
        next_cursor=past.next_cursor,
        mark=new_mark(),
    )


@post("/contacts/import", opt=_MANAGE, request_max_body_size=room_for(MAX_BYTES))
async def check_file(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    file = form.file("file")
    try:
        if file is None:
            raise Invalid.field("file", "file_missing", visitor.t("imports.choose_first"))
        call = once(form, "POST /contacts/import", file.filename, await contents_of(file))
        raw = await file.read(MAX_BYTES + 1)
        made = (await deps.contacts.imports.check(visitor.caller, raw, file.filename, call)).value
    except Problem as problem:
        return await _upload(request, visitor, deps, form, problem)
    return redirect(request, f"{HOME}/{made.id}")


@get("/contacts/import/{import_id:str}", opt=_MANAGE)
async def show_import(request: PageRequest, visitor: VisitorOf, deps: DepsOf, import_id: FromPath[str]) -> PageResponse:
    found = await deps.contacts.imports.get(visitor.caller, import_id)
    return page(
        request,
        visitor,
        "contacts/imported.html",
        run=with_times(found),
        errors=found.errors[:ERRORS_SHOWN],
        sample=await deps.contacts.imports.sample(visitor.caller, import_id) if found.state == "checked" else [],
        share=found.done / found.total if found.total else 1,
        mark=new_mark(),
    )


@get("/contacts/import/{import_id:str}/wrong", opt=_MANAGE)
async def download_wrong(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, import_id: FromPath[str]
) -> Response[bytes]:
    """The rows that were left out, each with its reason; with their cells as long as the table is kept."""
    found = await deps.contacts.imports.get(visitor.caller, import_id)
    headings, cells = await deps.contacts.imports.refused(visitor.caller, import_id)
    reasons: dict[int, list[str]] = {}
    for error in found.errors:
        reasons.setdefault(error.row, []).append(_reason(visitor, error))
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([visitor.t("imports.line"), visitor.t("imports.reason"), *map(harmless_in_csv, headings)])
    for row in sorted(reasons):
        kept = [harmless_in_csv(cell) for cell in cells.get(row, [])]
        writer.writerow([row, harmless_in_csv(" ".join(reasons[row])), *kept])
    return Response(
        # The mark at the beginning tells table programs that this is UTF-8.
        b"\xef\xbb\xbf" + text.getvalue().encode(),
        media_type="text/csv",
        headers={"Content-Disposition": 'attachment; filename="wrong-rows.csv"'},
    )


def _reason(visitor: Visitor, error: WrongRow) -> str:
    field = visitor.t(f"imports.field_{error.field}")
    return visitor.t(f"imports.error_{error.code}", field=field, value=error.value)


@post("/contacts/import/{import_id:str}/start", opt=_MANAGE)
async def start_import(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, import_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    known = "keep" if form.text("existing") == "keep" else "update"
    call = once(form, "panel import", import_id, known)
    await deps.contacts.imports.start(visitor.caller, import_id, "keep" if known == "keep" else "update", call)
    return redirect(request, f"{HOME}/{import_id}", toast=visitor.t("imports.started"))


@post("/contacts/import/{import_id:str}/refuse", opt=_MANAGE)
async def refuse_import(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, import_id: FromPath[str]
) -> PageResponse:
    await deps.contacts.imports.refuse(visitor.caller, import_id)
    return redirect(request, HOME, toast=visitor.t("imports.refused"))


HANDLERS = [choose_file, check_file, show_import, download_wrong, start_import, refuse_import]
