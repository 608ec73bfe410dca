"""What may be given of a contact when it is added or changed."""

from __future__ import annotations

from typing import Literal

import msgspec


class GivenConsent(msgspec.Struct, kw_only=True, frozen=True):
    """What a customer said about being written to, and where they said it."""

    state: Literal["unknown", "granted", "denied"]
    source: str | None = None


class ContactDraft(msgspec.Struct, kw_only=True, frozen=True):
    """Somebody to be added."""

    phone: str
    name: str = ""
    language: str = ""
    birthday: str = ""
    tags: list[str] = []
    notes: str = ""
    consent: GivenConsent | None = None


class ContactChange(msgspec.Struct, kw_only=True, frozen=True):
    """What to change of a contact; what is not given stays."""

    name: str | None = None
    language: str | None = None
    birthday: str | None = None
    tags: list[str] | None = None
    notes: str | None = None
    consent: GivenConsent | None = None

    def given(self) -> list[str]:
        return [name for name in self.__struct_fields__ if getattr(self, name) is not None]
