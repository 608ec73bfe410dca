"""Client for the Tablegram API.

with Tablegram("https://gateway.example.com", api_key="tg_live_…") as tablegram:
    tablegram.send_text(phone="905551112233", message="Your table is ready.")
"""

from tablegram_client.async_calls import AsyncCalls
from tablegram_client.calls import Calls
from tablegram_client.errors import ApiError, NoAnswer, TablegramError, WrongSignature
from tablegram_client.transport import Retries
from tablegram_client.version import __version__
from tablegram_client.webhooks import read_webhook


class Tablegram(Calls):
    """The API, call by call."""


class AsyncTablegram(AsyncCalls):
    """The API for `asyncio`, call by call."""


__all__ = [
    "ApiError",
    "AsyncTablegram",
    "NoAnswer",
    "Retries",
    "Tablegram",
    "TablegramError",
    "WrongSignature",
    "__version__",
    "read_webhook",
]
