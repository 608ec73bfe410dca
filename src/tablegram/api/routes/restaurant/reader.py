"""The language model that reads what the rules do not: the account's switch."""

from __future__ import annotations

from litestar import Response, get, patch
from litestar.params import JSONBody

from tablegram.api.requests import ApiRequest, json
from tablegram.api.routes.restaurant.paths import MANAGE, READ
from tablegram.api.schemas.restaurant.reader import SwitchReader
from tablegram.flows.restaurant.answers.reader import ReaderView

_TAGS = ["Venues"]
READER = "/restaurant/reader"


@get(READER, opt=READ, tags=_TAGS, summary="Look at the language model", operation_id="getReader")
async def get_reader(request: ApiRequest) -> Response[ReaderView]:
    """Whether texts that the rules do not read go to the installation's language model, what that cost today, and what
    went wrong last."""
    return json(await request.deps.restaurant.reader_desk.look(request.caller))


@patch(READER, opt=MANAGE, tags=_TAGS, summary="Switch the language model on or off", operation_id="switchReader")
async def switch_reader(request: ApiRequest, data: JSONBody[SwitchReader]) -> Response[ReaderView]:
    """For all venues of the account. Off unless it is switched on; 409 `reader_missing` where the installation has none."""
    return json(await request.deps.restaurant.reader_desk.switch(request.caller, data.is_on))


HANDLERS = [get_reader, switch_reader]
