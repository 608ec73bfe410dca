"""Turning templates into answers."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template, pass_context, select_autoescape
from jinja2.runtime import Context
from litestar import Request, Response
from markupsafe import Markup

from tablegram.errors import NotFound, Problem
from tablegram.panel import assets, cookies, i18n
from tablegram.panel.behind import deps_of
from tablegram.panel.frame.forms import Form
from tablegram.panel.frame.marks import mark_up
from tablegram.panel.frame.page_address import page_address
from tablegram.panel.frame.reasons import tell_reason
from tablegram.panel.navigation import ShownGroup
from tablegram.panel.visitor import Guest, Visitor
from tablegram.values.clock import iso
from tablegram.values.words import LANGUAGES
from tablegram.web import STATIC as SHARED
from tablegram.web.compression import mask

_HERE = Path(__file__).parent
_NO_FORM = Form()
# Half of a page is its navigation: so many ways in which people see it are kept, by role, place and what waits there.
_VIEWS = 400

PageResponse = Response[str]


@cache
def environment(language: str) -> Environment:
    """One for each language, so that macros know it without being told."""
    made = Environment(
        loader=FileSystemLoader([_HERE / "templates", SHARED]),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        extensions=["jinja2.ext.do"],
    )
    made.globals |= {
        "t": lambda key, **values: i18n.translate(language, key, **values),
        "say": lambda problem: i18n.say(language, problem),
        "asset": assets.address,
        "language": language,
        "every_language": LANGUAGES,
        "drawn_icon": cache(lambda name: _parts(made, "icons").icon(name)),
        "drawn_places": lru_cache(_VIEWS)(lambda groups, where: _draw_places(made, groups, where)),
    }
    made.filters |= {
        "number": lambda value, digits=0: i18n.format_number(language, value, digits),
        "money": lambda micros, digits=None: i18n.format_money(language, micros, digits),
        "percent": lambda share: i18n.format_percent(language, share),
        "filesize": lambda size: i18n.format_size(language, size),
        "phone": i18n.format_phone,
        "date": lambda day, with_year=False: i18n.format_date(language, day, with_year=with_year),
        "when": _when,
        "exact": _exact,
        "day": _day,
        "iso": iso,
        "marked": mark_up,
        "reason": lambda text: tell_reason(language, text),
        "json": _safe_json,
        # A plan as a choice of a select, and a figure as a row of details.
        "pair": lambda plan: (plan.name, plan.name),
        "numbered": lambda one: (one[0], i18n.format_number(language, one[1])),
    }
    return made


def _parts(env: Environment, name: str) -> Any:
    """Macros that need nothing of a page."""
    return env.get_template(f"frame/parts/{name}.html").module


def _draw_places(env: Environment, groups: tuple[ShownGroup, ...], where: str) -> Markup:
    drawn: Markup = _parts(env, "places").bar(groups) if where == "bar" else _parts(env, "places").places(groups, where)
    return drawn


def page(
    request: Request[Any, Any, Any],
    visitor: Guest,
    template: str,
    *,
    status: int | None = None,
    problem: Problem | None = None,
    form: Form | None = None,
    whole: bool = False,
    **values: Any,
) -> PageResponse:
    """A page, or the part of it that `?part=` names. With a problem, the status is the problem's."""
    deps = deps_of(request)
    toast = cookies.take_toast(request)
    context = _context(request, visitor, deps.clock.now_ms(), form or _NO_FORM)
    context |= {"problem": problem, "form": form or _NO_FORM, "typed": form or _NO_FORM, "toast": toast, **values}
    env = environment(visitor.language)
    context["ui"] = env.get_template("frame/parts/kit.html").make_module(context)
    found = env.get_template(template)
    # An error stands for the whole page, whichever part was asked for.
    part = None if whole else request.query_params.get("part")
    text = found.render(context) if part is None else _part(found, part, context)
    if status is None:
        status = 200 if problem is None else problem.status
    headers = {"Cache-Control": "no-store", "Content-Language": visitor.language, "Vary": "Cookie, Accept-Language"}
    if problem is not None and problem.retry_after_s is not None:
        headers["Retry-After"] = str(problem.retry_after_s)
    response = Response(text, status_code=status, media_type="text/html", headers=headers)
    if toast is not None and part is None:
        cookies.drop_toast(response, request)
    if (token := request.scope["state"].get("guest_token")) and not cookies.guest_token(request):
        cookies.put_guest(response, request, token)
    return response


def redirect(request: Request[Any, Any, Any], url: str, *, toast: str = "", tone: str = "ok") -> PageResponse:
    """On to another page after a change, with a word about what was done."""
    target = url if is_own_address(url) else "/panel/"
    response = Response(
        "", status_code=303, media_type="text/html", headers={"Location": target, "Cache-Control": "no-store"}
    )
    if toast:
        cookies.put_toast(response, request, toast, tone)
    return response


def is_own_address(url: str) -> bool:
    """Whether an address leads back into the panel: what a form or a link says is not believed."""
    return url.startswith("/panel") and "\\" not in url and not any(ord(char) < 33 for char in url)


def _context(request: Request[Any, Any, Any], visitor: Guest, now_ms: int, form: Form) -> dict[str, Any]:
    path, here = request.scope["path"], page_address(request)
    # Another one in each answer: a page is compressed together with words that others may have put into its address.
    proof = mask(visitor.csrf)
    query = {name: request.query_params[name] for name in request.query_params if name not in ("part", "known")}
    is_posted = request.method not in ("GET", "HEAD")
    if is_posted and (venue := form.text("venue")):
        # A form names the venue itself; its page is asked for it.
        query.setdefault("venue", venue)

    def link(**changes: Any) -> str:
        wanted = {**query, **changes}
        kept = {name: value for name, value in wanted.items() if value not in (None, "")}
        return f"{here}?{urlencode(kept)}" if kept else here

    return {
        "visitor": visitor,
        "person": getattr(visitor, "person", None),
        "path": path,
        # Where the page can be opened again, which a form's own address cannot.
        "here": here,
        "is_posted": is_posted,
        "query": query,
        "link": link,
        "now_ms": now_ms,
        "theme": cookies.theme(request),
        "csrf": proof,
        "proof": proof,
        "settings": deps_of(request).settings,
        "groups": _groups(request, visitor, path) if isinstance(visitor, Visitor) else (),
    }


def _groups(request: Request[Any, Any, Any], visitor: Visitor, path: str) -> tuple[ShownGroup, ...]:
    folded = request.cookies.get(cookies.FOLDED, "")[:500].split(".")
    return deps_of(request).navigation.shown_to(visitor, path, folded)


@pass_context
def _when(context: Context, at_ms: int) -> str:
    return i18n.format_when(context["language"], at_ms, context["now_ms"], context["visitor"].zone)


@pass_context
def _exact(context: Context, at_ms: int) -> str:
    return i18n.format_exact(context["language"], at_ms, context["visitor"].zone)


@pass_context
def _day(context: Context, at_ms: int) -> str:
    return i18n.format_day(context["language"], at_ms, context["visitor"].zone)


def _part(template: Template, part: str, context: dict[str, Any]) -> str:
    block = template.blocks.get(f"part_{part}")
    if block is None:
        raise NotFound(f"This page has no part {part[:40]!r}.")
    known = template.new_context(context)
    # A page imports and defines what its parts use before it says its first word.
    next(template.root_render_func(known), None)
    return "".join(block(known))


def _safe_json(value: Any) -> Markup:
    """JSON that cannot end the element it stands in."""
    return Markup(msgspec.json.encode(value).decode().replace("<", "\\u003c").replace("&", "\\u0026"))
