"""The pool of customers: found, looked at, added, changed, taken along as a file."""

from __future__ import annotations

import re
from typing import Any, Literal

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Stream
from msgspec.structs import asdict, replace

from tablegram.crm import birthdays
from tablegram.crm.answers.contacts import ContactView
from tablegram.crm.bulk import Chosen
from tablegram.crm.importing.checking import RowProblem, read_phone
from tablegram.crm.own_data import exports
from tablegram.errors import Conflict, FieldError, Invalid, Problem
from tablegram.flows.contacts.answers import ContactExport
from tablegram.flows.contacts.bulk import MAX_IDS
from tablegram.flows.contacts.fields import ContactChange, ContactDraft, GivenConsent
from tablegram.flows.contacts.listing import SORTS
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form, require_word
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms, choice, with_times
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.pages.contacts.consents import SOURCES
from tablegram.panel.pages.contacts.contact_orders import ordered
from tablegram.panel.pages.contacts.unsent import last_unsent
from tablegram.panel.pages.restaurant.venue.venue import LANGUAGES
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.clock import DAY_MS
from tablegram.values.money import written

_READ = {"scope": "contacts:read"}
_MANAGE = {"scope": "contacts:manage"}
PER_PAGE = 30
# Tags to choose from, the most common ones; and how far a search is counted.
TAGS_SHOWN, COUNTED = 30, 1_000
# Of what a contact said about being written to, the last ones.
WORDS_SHOWN = 10
ACTIVE_DAYS = {"": 0, "7": 7, "30": 30, "90": 90}
MAX_TAG, MAX_TAGS, MAX_NAME, MAX_NOTES = 60, 50, 200, 10_000
_LANGUAGE = re.compile(r"([A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*)?")


@get("/contacts", opt=_READ)
async def list_contacts(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    filters, cursor = filters_of(request, deps), asked(request, "cursor")
    sort, is_whole = choice(request, "sort", SORTS), "part" not in request.query_params
    chosen_all = Chosen(q=filters["q"] or "", tag=filters["tag"] or "", since_ms=filters["since_ms"])
    filtered = any(filters.values())
    # Everybody's figures are asked for by who narrows the list, or puts it in their order.
    with_totals = filtered or sort.removeprefix("-") in ("orders", "value")
    found = await deps.contacts.listing.page(
        visitor.caller, chosen_all, sort, PER_PAGE, cursor or None, with_totals=with_totals
    )
    totals, tags = found.totals, []
    many = totals.contacts if totals else COUNTED + 1
    if is_whole:
        # Rows that are fetched again come without the tools around them.
        tags = await deps.contacts.pool.tags(visitor.caller, TAGS_SHOWN)
        if totals is None:
            many = await deps.contacts.pool.count(visitor.caller, **filters, most=COUNTED + 1)
    chosen = filters["tag"] or ""
    return page(
        request,
        visitor,
        "contacts/list.html",
        contacts=[with_times(contact) for contact in found.data],
        next_cursor=found.next_cursor,
        sort=found.sort,
        filtered=filtered,
        many=many,
        counted=COUNTED,
        totals=totals,
        sees_orders=visitor.can("restaurant:read"),
        amounts=lambda given: amounts_of(visitor, given),
        jobs=await deps.contacts.bulk.running(visitor.caller),
        mark=new_mark(),
        # The one that was chosen is among them, however rare it is.
        tags=[*([chosen] if chosen and chosen not in tags else []), *tags],
    )


def amounts_of(visitor: Visitor, amounts: dict[str, int]) -> str:
    """Sums of money, each in its currency."""
    return " + ".join(written(amount, currency, visitor.language) for currency, amount in sorted(amounts.items()))


def filters_of(request: PageRequest, deps: PanelDeps) -> dict[str, Any]:
    """What the list was narrowed to, as the flows take it."""
    days = ACTIVE_DAYS[choice(request, "active", tuple(ACTIVE_DAYS))]
    return {
        "q": asked(request, "q") or None,
        "tag": asked(request, "tag")[:MAX_TAG] or None,
        "since_ms": deps.clock.now_ms() - days * DAY_MS if days else None,
    }


@get("/contacts/new", opt=_MANAGE)
async def new_contact(request: PageRequest, visitor: VisitorOf) -> PageResponse:
    return page(request, visitor, "contacts/new.html", mark=new_mark(), language_names=LANGUAGES)


@post("/contacts", opt=_MANAGE)
async def add_contact(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    try:
        phone = read_phone(form.text("phone"), await deps.contacts.home.of(visitor.caller.account_id))
        if isinstance(phone, RowProblem):
            raise Invalid.field("phone", phone.code, visitor.t(f"imports.error_{phone.code}"))
        typed = asdict(_change(form, visitor))
        consent = typed.pop("consent")
        draft = ContactDraft(phone=phone, consent=None if consent.state == "unknown" else consent, **typed)
        call = once(form, "POST /contacts", phone, *_typed(form))
        made = (await deps.contacts.pool.add(visitor.caller, draft, call)).value
    except Conflict as problem:
        if problem.code != "contact_exists":
            raise
        known = problem.extra["contact_id"]
        wrong = Invalid(problem.detail, errors=(FieldError("phone", problem.code, problem.detail),))
        return page(
            request,
            visitor,
            "contacts/new.html",
            form=form,
            problem=wrong,
            known_contact=known,
            mark=new_mark(),
            language_names=LANGUAGES,
        )
    except Invalid as problem:
        return page(
            request, visitor, "contacts/new.html", form=form, problem=problem, mark=new_mark(), language_names=LANGUAGES
        )
    return redirect(request, f"/panel/contacts/{made.id}", toast=visitor.t("contacts.added", name=_called(made)))


@get("/contacts/export", opt=_READ)
async def export_contacts(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> Response[Any]:
    kind = choice(request, "format", ("csv", "json"))
    ids = [one[:64] for one in request.query_params.getall("id", [])][:MAX_IDS]
    every = deps.contacts.pool.every(visitor.caller, **filters_of(request, deps), ids=ids or None)
    is_csv = kind == "csv"
    body = (
        exports.as_csv(every, deps.contacts.pool.holdings(visitor.caller))
        if is_csv
        else exports.as_json(ContactExport(data=[]), every)
    )
    headers = {"Content-Disposition": f'attachment; filename="contacts.{kind}"'}
    return Stream(body, media_type="text/csv" if is_csv else "application/json", headers=headers)


@get("/contacts/{contact_id:str}", opt=_READ)
async def show_contact(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str]
) -> PageResponse:
    contact = await deps.contacts.pool.get(visitor.caller, contact_id)
    said = await deps.contacts.consents.of_contact(visitor.caller, contact.id, WORDS_SHOWN, None)
    words = [{**asdict(word), "at_ms": at_ms(word.at)} for word in said.data]
    unsent = await last_unsent(visitor, deps, contact.id)
    besides = {"words": words, "unsent": unsent, **await ordered(visitor, deps, contact_id)}
    return _shown(request, visitor, contact, besides=besides)


@post("/contacts/{contact_id:str}", opt=_MANAGE)
async def change_contact(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    contact = await deps.contacts.pool.get(visitor.caller, contact_id)
    try:
        change = _change(form, visitor)
        if change.consent is not None and change.consent.state == contact.consent.state:
            # Saving a form again is no new word of the customer's.
            change = replace(change, consent=None)
        if change.name == contact.name:
            # The network's own name stays the network's.
            change = replace(change, name=None)
        await deps.contacts.pool.update(visitor.caller, contact_id, change)
    except Invalid as problem:
        return _shown(request, visitor, contact, form, problem)
    return redirect(request, f"/panel/contacts/{contact.id}", toast=visitor.t("contacts.saved"))


@post("/contacts/{contact_id:str}/erase", opt=_MANAGE)
async def erase_contact(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    contact = await deps.contacts.pool.get(visitor.caller, contact_id)
    try:
        require_word(form, _called(contact))
    except Invalid as problem:
        return _shown(request, visitor, contact, form, problem)
    receipt = await deps.contacts.erasure.erase(visitor.caller, contact.id)
    toast = visitor.t("contacts.erased", messages=receipt.counts.messages, files=receipt.counts.files)
    return redirect(request, "/panel/contacts", toast=toast)


@get("/contacts/{contact_id:str}/merge", opt=_MANAGE)
async def choose_other(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str]
) -> PageResponse:
    """Find the other contact; with one chosen, show what becomes of both."""
    contact = await deps.contacts.pool.get(visitor.caller, contact_id)
    search, chosen = asked(request, "q"), asked(request, "other")
    other = await deps.contacts.pool.get(visitor.caller, chosen) if chosen else None
    found: list[dict[str, Any]] = []
    if other is None and search:
        listed = await deps.contacts.pool.page(visitor.caller, q=search, tag=None, since_ms=None, limit=20, cursor=None)
        found = [_named(one) for one in listed.data if one.id != contact.id]
    return page(
        request,
        visitor,
        "contacts/merge.html",
        contact=_named(contact),
        other=_named(other) if other is not None and other.id != contact.id else None,
        found=found,
        search=search,
        mark=new_mark(),
    )


@post("/contacts/{contact_id:str}/merge", opt=_MANAGE)
async def merge_contacts(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    other = form.text("other")
    gone, kept = (contact_id, other) if form.text("keep") == "other" else (other, contact_id)
    call = once(form, "POST /contacts/{contact_id:str}/merge", gone, kept)
    stays = (await deps.contacts.pool.merge(visitor.caller, gone, kept, call)).value
    toast = visitor.t("contacts.merged", name=_called(stays))
    return redirect(request, f"/panel/contacts/{stays.id}", toast=toast)


def _shown(
    request: PageRequest,
    visitor: Visitor,
    contact: ContactView,
    form: Form | None = None,
    problem: Problem | None = None,
    besides: dict[str, Any] | None = None,
) -> PageResponse:
    return page(
        request,
        visitor,
        "contacts/contact.html",
        # After a form that was refused, what they ordered is not looked up again.
        contact={
            "orders": [],
            "store_orders": [],
            "points": None,
            "gifts": [],
            "words": [],
            "unsent": [],
            **with_times(contact),
            "consent_at": at_ms(contact.consent.at),
            **(besides or {}),
        },
        word=_called(contact),
        own_sources=SOURCES,
        language_names=LANGUAGES,
        form=form,
        problem=problem,
    )


def _called(contact: ContactView) -> str:
    """What a person reads and types for a contact: the name, else the number, else whatever there is."""
    return contact.name.strip() or next(iter(contact.phones), "") or contact.id


def _named(contact: ContactView) -> dict[str, Any]:
    return {**with_times(contact), "called": _called(contact)}


def _typed(form: Form) -> list[str]:
    return [form.text(name) for name in ("name", "language", "birthday", "tags", "notes", "consent")]


def _change(form: Form, visitor: Visitor) -> ContactChange:
    """What the form says of a contact; every wrong field is named."""
    name, language = " ".join(form.text("name").split()), form.text("language")
    birthday = birthdays.read(form.text("birthday"))
    tags = list(dict.fromkeys(tag for part in form.text("tags").split(",") if (tag := " ".join(part.split()))))
    notes = form.text("notes").replace("\r\n", "\n")
    consent = form.text("consent")
    checks = [
        ("name", len(name) > MAX_NAME),
        ("language", len(language) > 35 or _LANGUAGE.fullmatch(language) is None),
        ("birthday", birthday is None),
        ("tags", len(tags) > MAX_TAGS or any(len(tag) > MAX_TAG for tag in tags)),
        ("notes", len(notes) > MAX_NOTES),
    ]
    errors = [FieldError(field, f"{field}_wrong", visitor.t(f"contacts.wrong_{field}")) for field, bad in checks if bad]
    if errors:
        raise Invalid.fields(errors)
    state: Literal["unknown", "granted", "denied"] = "unknown"
    if consent in ("granted", "denied"):
        state = "granted" if consent == "granted" else "denied"
    return ContactChange(
        name=name,
        language=language,
        birthday=birthday or "",
        tags=tags,
        notes=notes,
        consent=GivenConsent(state=state, source=visitor.caller.key_name[:200]),
    )


HANDLERS = [
    list_contacts,
    new_contact,
    add_contact,
    export_contacts,
    show_contact,
    change_contact,
    erase_contact,
    choose_other,
    merge_contacts,
]
