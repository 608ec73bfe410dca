"""What is answered about notifications, notices and carts: the structs that flows make, pages show, and the API encodes."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tablegram.stores.carts.figures import CartDay
from tablegram.stores.carts.model import State as CartState
from tablegram.stores.notifications.kinds import Button, Kind, Language
from tablegram.stores.notifications.model import Reason, State
from tablegram.values.clock import MomentText


class NotificationView(Struct, kw_only=True, frozen=True):
    """A notification in one language."""

    id: Annotated[str, Meta(description="`kind-step-language`.", examples=["order_confirmation-1-en"])]
    kind: Kind
    step: Annotated[int, Meta(description="Which reminder of a cart; 1 for all else.")]
    language: Language
    enabled: bool
    is_own: Annotated[bool, Meta(description="false: nobody has changed it yet; of a shop: it is as for all shops.")]
    source_id: Annotated[str | None, Meta(description="The shop that has these words of its own. Null: all shops.")]
    text: str
    variables: Annotated[list[str], Meta(description="What the text may hold, in braces: {name}.")]
    delay_min: Annotated[int, Meta(description="Minutes after the event, or after the reminder before it.")]
    quiet_from: Annotated[str, Meta(description="Empty: no quiet hours.")]
    quiet_until: str
    time_zone: Annotated[str, Meta(description="Of the quiet hours. Empty: that of the recipient's number.")]
    template_name: Annotated[
        str, Meta(description="Sent where the network takes no free words. Empty: then nothing is sent.")
    ]
    template_language: str
    template_variables: list[str]
    image_url: Annotated[str, Meta(description="A picture that the network fetches; empty: none.")]
    image_id: Annotated[str, Meta(description="A picture that was uploaded in its place; empty: none.")]
    buttons: list[Button]
    phones: Annotated[list[str], Meta(description="Of the team, for alerts.")]


class NotificationPage(Struct, kw_only=True, frozen=True):
    """Every notification in every language."""

    data: list[NotificationView]


class PreviewView(Struct, kw_only=True, frozen=True):
    """How a message would look, filled in with an invented customer."""

    text: str
    image_url: str
    has_picture: bool
    buttons: Annotated[list[str], Meta(description="What customers can tap, on lines that have buttons.")]


class NoticeView(Struct, kw_only=True, frozen=True):
    """A notification that waits, was sent, or was not."""

    id: str
    source_id: str
    reference: Annotated[str, Meta(description="The shop's own id of the order, checkout or submission.")]
    number: Annotated[str, Meta(description="What people call it.", examples=["#1001"])]
    kind: Kind
    step: int
    name: str
    phone: str
    language: str
    state: State
    reason: Annotated[
        Reason, Meta(description="Why it was not sent, or why it waits; empty where there is nothing to say.")
    ]
    due_at: MomentText | None
    message_id: Annotated[str | None, Meta(description="The message that it became.")]
    created_at: MomentText
    updated_at: MomentText


class NoticePage(Struct, kw_only=True, frozen=True):
    """Newest first."""

    data: list[NoticeView]
    next_cursor: str | None


class CartView(Struct, kw_only=True, frozen=True):
    """A cart that somebody may leave behind."""

    id: str
    source_id: str
    reference: Annotated[str, Meta(description="The shop's own id of the checkout.")]
    name: str
    phone: str
    email: str
    amount: float | None
    currency: str
    url: str
    items: list[str]
    state: Annotated[
        CartState,
        Meta(description="left: all was said and nothing came. bought: without a reminder. recovered: after one."),
    ]
    step: Annotated[int, Meta(description="The reminder that comes next.")]
    due_at: Annotated[MomentText | None, Meta(description="When it comes. Null: none will.")]
    reminders: Annotated[int, Meta(description="How many have gone.")]
    order_reference: str
    bought_amount: float | None
    bought_currency: str
    created_at: MomentText
    updated_at: MomentText
    ended_at: MomentText | None


class CartPage(Struct, kw_only=True, frozen=True):
    """Newest first."""

    data: list[CartView]
    next_cursor: str | None


class CartRevenue(Struct, kw_only=True, frozen=True):
    """What was bought after reminders, in one currency."""

    currency: str
    amount: float


class CartFigures(Struct, kw_only=True, frozen=True):
    """What became of carts, and what reminders brought back."""

    time_zone: str
    open: Annotated[int, Meta(description="Carts that nobody has bought yet.")]
    reminded: Annotated[int, Meta(description="Carts that ended in these days after a reminder.")]
    recovered: Annotated[int, Meta(description="Of those: bought.")]
    revenue: Annotated[list[CartRevenue], Meta(description="What the recovered ones were bought for, by currency.")]
    days: Annotated[list[CartDay], Meta(description="Oldest first.")]


class ContactNotice(Struct, kw_only=True, frozen=True):
    """What a contact was told, or was to be told, of an order or a cart."""

    id: str
    kind: Kind
    number: Annotated[str, Meta(description="The order's, as the shop tells it to its customers.")]
    state: State
    reason: Reason
    created_at: MomentText
