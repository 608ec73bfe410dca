"""Conditions on contacts by what is known of them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, or_, select

from tablegram.crm.terms import tag_term
from tablegram.storage.tables import contact_terms, contacts

c, t = contacts.c, contact_terms.c


def tagged(account_id: int, tag: str) -> Select[Any]:
    """Each once: whatever case and accents the tag is written in."""
    return select(t.contact_id).where(t.account_id == account_id, t.term == tag_term(tag), t.source == "profile")


def speaks(language: str) -> ColumnElement[bool]:
    return or_(c.language == language, c.language.startswith(f"{language}-", autoescape=True))


def consents(state: str) -> ColumnElement[bool]:
    return c.consent == state


def born_in(month: int) -> ColumnElement[bool]:
    return c.birthday.startswith(f"{month:02}-", autoescape=True)


def known_since(since: int) -> ColumnElement[bool]:
    """First seen at that time or later."""
    return c.first_seen_at >= since


def wrote_since(since: int) -> ColumnElement[bool]:
    return and_(c.window_until.is_not(None), c.last_seen_at >= since)


def wrote_before(before: int) -> ColumnElement[bool]:
    """Has written, and not since then."""
    return and_(c.window_until.is_not(None), c.last_seen_at < before)


def never_wrote() -> ColumnElement[bool]:
    return c.window_until.is_(None)
