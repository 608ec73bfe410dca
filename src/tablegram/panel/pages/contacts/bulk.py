"""Many contacts at once: what is to be done with them, a question before they go, and how far it is.

POST /panel/contacts/bulk           ticked contacts or all of the list: tag, untag, export, delete
GET  /panel/contacts/bulk/{job_id}  how far it is
"""

from __future__ import annotations

from urllib.parse import urlencode

from litestar import get, post
from litestar.params import FromPath

from tablegram.crm.bulk import Act, Chosen
from tablegram.errors import Conflict, Invalid, Problem
from tablegram.flows.contacts.bulk import MAX_IDS
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form, require_word
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import with_times
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.pages.contacts.contacts import ACTIVE_DAYS, MAX_TAG
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.clock import DAY_MS

_READ = {"scope": "contacts:read"}
_MANAGE = {"scope": "contacts:manage"}
ACTS: dict[str, Act] = {"tag": "tag", "untag": "untag", "delete": "erase"}


@post("/contacts/bulk", opt=_MANAGE)
async def do_with_many(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    act, chosen = form.text("act"), _chosen(form, deps)
    if act == "export":
        return redirect(request, f"/panel/contacts/export?{_address(form, chosen)}")
    n = 0
    try:
        if act not in ACTS:
            raise Invalid.field("act", "act_missing", visitor.t("bulk.choose_act"))
        n = await deps.contacts.bulk.count(visitor.caller, chosen)
        if not n:
            raise Invalid.field("id", "nobody_chosen", visitor.t("bulk.nobody"))
        if act == "delete":
            # Nobody is erased by one tap: the count is typed.
            require_word(form, str(n))
        call = once(form, "panel contacts", act, form.text("tag"), str(chosen))
        job = await deps.contacts.bulk.start(visitor.caller, ACTS[act], form.text("tag"), chosen, call)
    except (Invalid, Conflict) as problem:
        asks = act == "delete" and n and not form.has("confirm")
        return await _asked_again(request, visitor, form, chosen, None if asks else problem, n)
    return redirect(request, f"/panel/contacts/bulk/{job.id}")


async def _asked_again(
    request: PageRequest, visitor: Visitor, form: Form, chosen: Chosen, problem: Problem | None, n: int
) -> PageResponse:
    """The same question once more, with what is missing."""
    return page(
        request,
        visitor,
        "contacts/bulk.html",
        form=form,
        problem=problem,
        act=form.text("act") if form.text("act") in ACTS else "tag",
        n=n,
        ids=chosen.ids or [],
        scope="all" if chosen.ids is None else "ticked",
        kept={name: form.text(name) for name in ("q", "tag_filter", "active")},
        mark=new_mark(),
    )


@get("/contacts/bulk/{job_id:str}", opt=_READ)
async def show_job(request: PageRequest, visitor: VisitorOf, deps: DepsOf, job_id: FromPath[str]) -> PageResponse:
    job = await deps.contacts.bulk.get(visitor.caller, job_id)
    share = job.done / job.total if job.total else 1
    return page(request, visitor, "contacts/job.html", job=with_times(job), share=min(1, share))


def _chosen(form: Form, deps: PanelDeps) -> Chosen:
    """Those that were ticked, or all that the list was narrowed to."""
    if form.text("scope") != "all":
        return Chosen(ids=sorted({one[:64] for one in form.all("id") if one})[: MAX_IDS + 1])
    days = ACTIVE_DAYS.get(form.text("active"), 0)
    since = deps.clock.now_ms() - days * DAY_MS if days else None
    return Chosen(q=form.text("q")[:200], tag=form.text("tag_filter")[:MAX_TAG], since_ms=since)


def _address(form: Form, chosen: Chosen) -> str:
    if chosen.ids is not None:
        return urlencode([("format", "csv"), *(("id", one) for one in chosen.ids)])
    kept = {"format": "csv", "q": form.text("q"), "tag": form.text("tag_filter"), "active": form.text("active")}
    return urlencode({name: value for name, value in kept.items() if value})


HANDLERS = [do_with_many, show_job]
