"""What the page's script may send. `once` is made by the phone, so that a tap which is sent twice acts once."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

_Once = Annotated[str, Meta(min_length=8, max_length=64, pattern="^[A-Za-z0-9]+$")]
_Id = Annotated[str, Meta(min_length=1, max_length=64)]


class EnterBody(Struct, forbid_unknown_fields=True):
    pin: Annotated[str, Meta(max_length=40)]


class TakeBody(Struct, forbid_unknown_fields=True):
    once: _Once
    order_id: _Id


class StepBody(Struct, forbid_unknown_fields=True):
    once: _Once
    delivery_id: _Id
    action: Literal["pick_up", "deliver", "bring_back"]
    paid: Literal["cash", "card_on_delivery"] | None = None
    reason: str = ""


class UndoBody(Struct, forbid_unknown_fields=True):
    once: _Once
    delivery_id: _Id
    step_id: _Id


class ShiftBody(Struct, forbid_unknown_fields=True):
    once: _Once
    working: bool
