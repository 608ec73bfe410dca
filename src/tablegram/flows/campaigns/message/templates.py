"""The templates of a campaign, held against what the network has: whether each may go out, and fits what it is filled in with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from tablegram.campaigns.checking import version_field
from tablegram.campaigns.model import Campaign, Plan, Version
from tablegram.errors import FieldError, Invalid, Problem
from tablegram.flows.campaigns.sender import line_of
from tablegram.messaging.rows.lines import LineRow, TemplateRow
from tablegram.messaging.store import templates as store
from tablegram.messaging.templates.components import PLACE, places
from tablegram.storage.database import Database, Tx
from tablegram.values import Json, listed, mapping

# A file that stands above the words; each campaign brings its own.
HEADER_FILES = ("image", "video", "document")
# The network takes no message with one of these, and may let it go on later.
HALTED = ("PAUSED", "DISABLED")
CATEGORY = "marketing"

# Asks the network for the templates of a line of an account, and keeps what it says.
Renew = Callable[[int, int], Awaitable[None]]
Known = dict[tuple[str, str], TemplateRow]


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """What a template is made of, as far as a campaign can fill it in."""

    places: tuple[str, ...] = ()
    # image, video or document; empty: no file stands above its words.
    file: str = ""
    # The number of each quick reply among its buttons.
    replies: tuple[int, ...] = ()
    is_fillable: bool = True


def shape_of(components: list[Json]) -> Shape:
    parts = {str(part.get("type", "")).upper(): part for part in components}
    header, body = parts.get("HEADER", {}), parts.get("BODY", {})
    buttons = listed(parts.get("BUTTONS", {}).get("buttons"))
    above = str(header.get("format", "TEXT")).lower()
    named = tuple(places(str(body.get("text") or "")))
    is_open = bool(PLACE.search(str(header.get("text") or ""))) or any(PLACE.search(str(one)) for one in buttons)
    kinds = [str(mapping(one).get("type", "")).upper() for one in buttons]
    return Shape(
        places=named,
        file=above if above in HEADER_FILES else "",
        replies=tuple(number for number, kind in enumerate(kinds) if kind == "QUICK_REPLY"),
        is_fillable=above in (*HEADER_FILES, "text", "") and not is_open and all(one.isdecimal() for one in named),
    )


class CampaignTemplates:
    def __init__(self, db: Database, renew: Renew) -> None:
        self._db = db
        self._renew = renew

    async def ask(self, account_id: int, find: Callable[[Tx], Awaitable[Campaign]]) -> Problem | None:
        """Before the transaction: what the network has of them now. What kept it from answering is given back, and `check`
        tells it where the store knows no better."""

        async def look(tx: Tx) -> int | None:
            one = await find(tx)
            line = await line_of(tx, account_id, one.instance_id) if one.plan.versions else None
            return None if line is None or line["kind"] == "linked" else int(line["id"])

        line_id = await self._db.snapshot(look)
        try:
            if line_id is not None:
                await self._renew(account_id, line_id)
        except Problem as problem:
            return problem
        return None


async def known_of(tx: Tx, account_id: int, line_id: int) -> Known:
    """What the store knows of a line's templates, by name and language."""
    rows = await tx.all(store.OF_LINE, {"b_account": account_id, "b_line": line_id})
    return {(row["name"], row["language"]): row for row in rows}


async def check(tx: Tx, one: Campaign, line: LineRow, unasked: Problem | None) -> None:
    """Refuse a campaign whose templates the line cannot send, by the version and the field. `unasked`: why the network
    could not be asked."""
    plan = one.plan
    if not plan.versions:
        return
    if line["kind"] == "linked":
        words = "A linked device sends no templates. Write a text instead, or choose a cloud line."
        raise Invalid.field("instance_id", "template_unavailable", words)
    if wrong := _wrong(plan, await known_of(tx, one.account_id, line["id"])):
        raise unasked or Invalid.fields(wrong)


async def halted(tx: Tx, one: Campaign, line_id: int) -> int | None:
    """Which of its templates the network has paused or disabled; nothing where all may go out."""
    if not one.plan.versions:
        return None
    known = await known_of(tx, one.account_id, line_id)
    for arm, version in enumerate(one.plan.versions):
        row = known.get((version.template_name, version.template_language))
        if row is not None and row["status"] in HALTED:
            return arm
    return None


async def categories(tx: Tx, one: Campaign, line: LineRow | None) -> list[str]:
    """What each of its messages is charged as, by arm: a template as what it was approved for, as far as that is known."""
    if not one.plan.versions:
        return ["service"] * one.plan.arms
    known = {} if line is None else await known_of(tx, one.account_id, line["id"])
    rows = [known.get((version.template_name, version.template_language)) for version in one.plan.versions]
    return [str(row["category"]).lower() or CATEGORY if row is not None else CATEGORY for row in rows]


def _wrong(plan: Plan, known: Known) -> list[FieldError]:
    found = []
    for arm, version in enumerate(plan.versions):
        row = known.get((version.template_name, version.template_language))
        if trouble := _trouble(version, row):
            field, code, words = trouble
            found.append(FieldError(version_field(plan, arm, field), code, words))
    return found


def _trouble(version: Version, row: TemplateRow | None) -> tuple[str, str, str] | None:
    """The field, a code and plain words; nothing when the network would take it."""
    name = f"{version.template_name} ({version.template_language})"
    if row is None:
        words = f"The line has no template {name}. Look its name and language up under GET /templates."
        return "template_name", "template_unknown", words
    if row["status"] != "APPROVED":
        words = f"{name} is {row['status']}. Choose a template that the network has approved."
        return "template_name", "template_not_approved", words
    if str(row["category"]).lower() != CATEGORY:
        words = f"{name} is approved as {row['category']}. A campaign sends templates of the category MARKETING."
        return "template_name", "template_not_marketing", words
    shape = shape_of(msgspec.json.decode(row["components"]))
    if not shape.is_fillable:
        words = f"{name} has a variable with a name, or one in its header or in a button. Choose another template."
        return "template_name", "template_not_fillable", words
    if len(shape.places) != len(version.template_variables):
        words = f"{name} has {len(shape.places)} places to fill in. Give so many values."
        return "template_variables", "template_parameters_mismatch", words
    return _file_trouble(version, shape, name) or _button_trouble(version, shape, name)


def _file_trouble(version: Version, shape: Shape, name: str) -> tuple[str, str, str] | None:
    if shape.file and not version.media_url:
        return (
            "media_url",
            "media_missing",
            f"Give media_url: {name} has a file of the kind {shape.file} in its header.",
        )
    if version.media_url and not shape.file:
        return "media_url", "template_parameters_mismatch", f"Leave media_url empty: {name} has no file in its header."
    if shape.file and version.media_kind != shape.file:
        return "media_kind", "template_parameters_mismatch", f"The header of {name} is of the kind {shape.file}."
    return None


def _button_trouble(version: Version, shape: Shape, name: str) -> tuple[str, str, str] | None:
    if version.template_stop_button < 0 or version.template_stop_button in shape.replies:
        return None
    words = f"{name} has no quick reply there. Name one by its place among the buttons, or -1."
    return "template_stop_button", "template_parameters_mismatch", words
