"""What a send is answered with."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.web.problems import FieldProblem


class SendAnswer(Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """Exactly four fields, for every kind of send."""

    status: Annotated[Literal["success"], Meta(description="Outcome of the call.")]
    message_id: Annotated[
        str, Meta(description="The network's identifier once it took the message, else the gateway's own (gw.…).")
    ]
    status_code: Annotated[
        str,
        Meta(
            description="sent: the network took it. queued: it goes out later, without another call.", examples=["sent"]
        ),
    ]
    cost_usd: Annotated[float, Meta(ge=0, description="Estimated cost in US dollars.", examples=[0.0123])]


class BatchEntry(Struct, kw_only=True, frozen=True, omit_defaults=True):
    """The outcome of one message of a batch: the four fields, or a problem."""

    index: Annotated[int, Meta(ge=0, description="Place of the message in the request.")]
    status: Annotated[Literal["success", "error"], Meta(description="Outcome of this message.")]
    message_id: str | None = None
    status_code: str | None = None
    cost_usd: float | None = None
    code: str | None = None
    detail: str | None = None
    # An error names its fields even when there are none; a success has no such member.
    errors: Annotated[list[FieldProblem], Meta(extra_json_schema={"default": []})] | UnsetType = UNSET


class BatchAnswer(Struct, kw_only=True, frozen=True):
    """One entry for each message, in the order of the request."""

    data: list[BatchEntry]
