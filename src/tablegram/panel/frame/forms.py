"""What a person typed into a form, kept as it was typed."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tablegram.errors import Invalid
from tablegram.panel.behind import behind
from tablegram.values.money import from_writing, to_wire
from tablegram.web.forms import MAX_TEXT_BYTES, FormLimits, Proof

if TYPE_CHECKING:
    from litestar import Request
    from litestar.datastructures import UploadFile

MAX_FIELD = 100_000
# Where the fields of a request are kept once they were read.
FORM = "form"


class Form:
    """The fields of a form. Text is trimmed; what was not sent is empty."""

    def __init__(self, pairs: Iterable[tuple[str, Any]] = ()) -> None:
        self._fields: dict[str, list[Any]] = {}
        for name, value in pairs:
            # Nobody types a NUL, and not every database can hold one.
            self._fields.setdefault(name, []).append(value.replace("\0", "") if isinstance(value, str) else value)

    def text(self, name: str, default: str = "") -> str:
        return self.raw(name, default).strip()

    def raw(self, name: str, default: str = "") -> str:
        """As it was typed, with the spaces around it: for passwords."""
        for value in self._fields.get(name, ()):
            if isinstance(value, str):
                return value[:MAX_FIELD]
        return default

    def all(self, name: str) -> list[str]:
        return [value for value in self._fields.get(name, ()) if isinstance(value, str)]

    def flag(self, name: str) -> bool:
        return self.text(name) not in ("", "0", "off", "false")

    def number(self, name: str) -> float | None:
        """A figure, with a point or a comma; nothing when the field is empty."""
        typed = self.text(name).replace(",", ".")
        if not typed:
            return None
        try:
            figure = float(typed)
        except ValueError:
            figure = math.nan
        if not math.isfinite(figure):
            raise Invalid.field(name, "number_invalid", "Write a number, for example 2.5.")
        return figure

    def amount(self, name: str, currency: str) -> float | None:
        """Money as people write it; nothing when the field is empty."""
        typed = self.text(name)
        if not typed:
            return None
        try:
            return to_wire(from_writing(typed, currency), currency)
        except ValueError:
            raise Invalid.field(name, "amount_unreadable", "Write an amount, for example 12.50.") from None

    def file(self, name: str) -> UploadFile | None:
        for value in self._fields.get(name, ()):
            # A file field that nothing was chosen for is sent all the same, without a name.
            if not isinstance(value, str) and value.filename:
                found: UploadFile = value
                return found
        return None

    def names(self) -> list[str]:
        """Of everything that was sent."""
        return list(self._fields)

    def has(self, name: str) -> bool:
        return name in self._fields


async def read_form(request: Request[Any, Any, Any], proof: Proof | None = None) -> Form:
    """The body of a form post, urlencoded or multipart. It is read once, however often it is asked for."""
    state = request.scope["state"]
    if FORM not in state:
        handler = request.route_handler
        limits = FormLimits(
            max_bytes=handler.resolve_request_max_body_size() or MAX_TEXT_BYTES,
            text_bytes=handler.opt.get("text_bytes", MAX_TEXT_BYTES),
        )
        state[FORM] = await behind(request).forms.read(request.scope, request.receive, limits, proof)
    return Form(state[FORM])


def room_for(file_bytes: int) -> int:
    """How much a route takes whose form holds such a file. One that is somewhat too large still comes through, so that
    the page itself can say so, beside its field."""
    return 2 * file_bytes + MAX_TEXT_BYTES


def require_word(form: Form, word: str, field: str = "confirm") -> None:
    """A dangerous act is confirmed by typing the name of what it acts on."""
    typed = form.text(field)
    if typed != word.strip() and (not _seen(typed) or _seen(typed) != _seen(word)):
        raise Invalid.field(field, "confirmation_differs", f"To confirm, type {word} exactly as it is written.")


def _seen(word: str) -> str:
    """As a page shows it: a customer's own name may hold spaces in a row and signs that nobody sees or types."""
    plain = "".join(sign for sign in unicodedata.normalize("NFC", word) if unicodedata.category(sign) != "Cf")
    return " ".join(plain.split())
