"""Bills of tables: looked at, paid in parts, given back, let off, closed."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routes.restaurant.paths import VENUE, VenueId, given
from tablegram.api.routing import segment
from tablegram.api.schemas.restaurant.bills import (
    AskForPayment,
    CloseTab,
    GiveBack,
    GiveDiscount,
    GiveReceipt,
    MoveTab,
    TabState,
    TakePayment,
)
from tablegram.flows.printing.fields import ReceiptFields
from tablegram.flows.printing.services import PrintingServices
from tablegram.flows.restaurant.bills.answers import (
    BillLink,
    BillView,
    ClosedTab,
    GivenDiscount,
    GivenReceipt,
    TabPage,
    TakenPayment,
)
from tablegram.flows.restaurant.fields import BillLinkFields, DiscountFields, PaymentFields

_ORDERS = {"scope": "orders:manage"}
_TAGS = ["Bills"]
_TABS = "/restaurant/tabs"
_ONE = _TABS + "/{tab_id:str}"

TabId = Annotated[str, PathParameter(description="The tab.")]
TableId = Annotated[str, PathParameter(description="The table.")]
PaymentId = Annotated[str, PathParameter(description="The payment.")]
DiscountId = Annotated[str, PathParameter(description="The discount.")]
_Id = QueryParameter(min_length=1, max_length=64, description="Only of this one.")


@get(_TABS, opt=_ORDERS, tags=_TAGS, summary="List tabs", operation_id="listTabs")
async def list_tabs(
    request: ApiRequest,
    venue_id: Annotated[str | None, _Id] = None,
    table_id: Annotated[str | None, _Id] = None,
    status: Annotated[
        TabState | None,
        QueryParameter(description="Only these; `open` also tells of tables that were left with something to pay."),
    ] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[TabPage]:
    """Tables with what their guests ordered, paid and owe, newest first; nothing was ordered at the others."""
    page = request.deps.restaurant.bills.page
    return json(
        await page(
            request.caller,
            venue_id=_clean(venue_id),
            table_id=_clean(table_id),
            state=status,
            limit=limit,
            cursor=cursor,
        )
    )


@get(_ONE, opt=_ORDERS, tags=_TAGS, summary="Look up a bill", operation_id="getTab")
async def get_tab(request: ApiRequest, tab_id: TabId) -> Response[BillView]:
    """A table's bill: its orders, what was let off, what was paid and how, and what is open."""
    return json(await request.deps.restaurant.bills.get(request.caller, segment(tab_id)))


@post(f"{_ONE}/payments", status_code=201, opt=_ORDERS, tags=_TAGS, summary="Take money", operation_id="takePayment")
async def take_payment(request: ApiRequest, tab_id: TabId, data: JSONBody[TakePayment]) -> Response[TakenPayment]:
    """Takes cash or card against a bill, in parts if need be; never more than is open, and a tip beside it.

    With an Idempotency-Key, a call that is repeated takes once. The tab ends when everything is brought and paid.
    """
    take = request.deps.restaurant.bills.take
    return answered(await take(request.caller, segment(tab_id), given(data, PaymentFields), request.call()))


@post(
    f"{_ONE}/payment-links",
    status_code=201,
    opt=_ORDERS,
    tags=_TAGS,
    summary="Ask for payment by link",
    operation_id="askForPayment",
)
async def ask_for_payment(request: ApiRequest, tab_id: TabId, data: JSONBody[AskForPayment]) -> Response[BillLink]:
    """Makes a payment link for a bill or a part of it. Several together never ask for more than is open.

    What comes by it is taken against the bill when the provider has proved it. Cancel it like any payment link.
    """
    ask = request.deps.restaurant.bill_links.ask
    return answered(await ask(request.caller, segment(tab_id), given(data, BillLinkFields), request.call()))


@post(f"{_ONE}/receipt", status_code=200, opt=_ORDERS, tags=_TAGS, summary="Give a receipt", operation_id="giveReceipt")
async def give_receipt(request: ApiRequest, tab_id: TabId, data: JSONBody[GiveReceipt]) -> Response[GivenReceipt]:
    """Prints the bill, or sends it by message: dishes, VAT, payments, change and tip, and what is open."""
    give = request.deps.services.of(PrintingServices).receipts.give
    return answered(await give(request.caller, segment(tab_id), given(data, ReceiptFields), request.call()))


@post(
    _ONE + "/payments/{tab_payment_id:str}/refund",
    status_code=200,
    opt=_ORDERS,
    tags=_TAGS,
    summary="Give money back",
    operation_id="giveBackPayment",
)
async def give_back(
    request: ApiRequest, tab_id: TabId, tab_payment_id: PaymentId, data: JSONBody[GiveBack]
) -> Response[TakenPayment]:
    """Gives a payment back. Orders that are still running are open again; those that are over are refunded.

    What came by a payment link goes back by its provider, and is noted on the bill when that has been done.
    """
    back = request.deps.restaurant.bills.give_back
    return answered(await back(request.caller, segment(tab_id), segment(tab_payment_id), data.reason, request.call()))


@post(f"{_ONE}/discounts", status_code=201, opt=_ORDERS, tags=_TAGS, summary="Let off", operation_id="giveDiscount")
async def give_discount(request: ApiRequest, tab_id: TabId, data: JSONBody[GiveDiscount]) -> Response[GivenDiscount]:
    """Lets an amount or a percentage off, of all that is open at that moment or of one dish."""
    discount = request.deps.restaurant.bills.discount
    return answered(await discount(request.caller, segment(tab_id), given(data, DiscountFields), request.call()))


@delete(
    _ONE + "/discounts/{discount_id:str}",
    status_code=204,
    opt=_ORDERS,
    tags=_TAGS,
    summary="Take a discount back",
    operation_id="removeDiscount",
)
async def remove_discount(request: ApiRequest, tab_id: TabId, discount_id: DiscountId) -> None:
    """What was let off is to be paid after all."""
    back = request.deps.restaurant.bills.take_discount_back
    await back(request.caller, segment(tab_id), segment(discount_id))


@post(f"{_ONE}/close", status_code=200, opt=_ORDERS, tags=_TAGS, summary="Close a tab", operation_id="closeTab")
async def close_tab(request: ApiRequest, tab_id: TabId, data: JSONBody[CloseTab]) -> Response[ClosedTab]:
    """The guests have gone: what was served and paid is completed. With something open, only with a reason.

    What was served and not paid is written off and counted as unpaid; what was not served and not paid is cancelled.
    """
    close = request.deps.restaurant.bills.close
    return answered(await close(request.caller, segment(tab_id), data.reason, request.call()))


@post(f"{_ONE}/move", status_code=200, opt=_ORDERS, tags=_TAGS, summary="Move guests", operation_id="moveTab")
async def move_tab(request: ApiRequest, tab_id: TabId, data: JSONBody[MoveTab]) -> Response[BillView]:
    """The guests sit down at another table. Where somebody sits already, both have one bill from then on."""
    move = request.deps.restaurant.bills.move
    return answered(await move(request.caller, segment(tab_id), data.table_id, request.call()))


@post(
    VENUE + "/tables/{table_id:str}/close-tab",
    status_code=200,
    opt=_ORDERS,
    tags=_TAGS,
    summary="Close a table's tab",
    operation_id="closeTableTab",
)
async def close_table(request: ApiRequest, venue_id: VenueId, table_id: TableId) -> Response[ClosedTab]:
    """The guests have paid and gone: what was served to them is completed. With something open it is refused.

    Repeated, it closes nothing more.
    """
    close = request.deps.restaurant.bills.close_table
    return answered(await close(request.caller, segment(venue_id), segment(table_id), call=request.call()))


def _clean(text: str | None) -> str | None:
    """No row holds this sign, and not every store takes it."""
    return None if text is None else text.replace("\x00", "\ufffd")


HANDLERS = [
    list_tabs,
    get_tab,
    take_payment,
    ask_for_payment,
    give_receipt,
    give_back,
    give_discount,
    remove_discount,
    close_tab,
    move_tab,
    close_table,
]
