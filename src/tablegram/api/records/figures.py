"""Counts of what the API answered, for the metrics page."""

from __future__ import annotations

from tablegram.values.watching.measures import CALL_S, Seconds

SEND, OTHER = "send", "other"
# A live stream lasts as long as somebody listens, and says nothing of how fast we answer.
_STREAM = "/api/v1/events/stream"
_SENDS = "/api/v1/messages/send"
ANSWERED = Seconds(
    "api_seconds",
    "Seconds from a call of the API until its answer, by what was asked and the class of its status.",
    CALL_S,
    call=(SEND, OTHER),
    answer=("2xx", "3xx", "4xx", "5xx"),
)
_CLASSES = {2: "2xx", 3: "3xx", 4: "4xx"}


class Figures:
    __slots__ = ("by_status",)

    def __init__(self) -> None:
        self.by_status: dict[int, int] = {}

    def count(self, status: int, path: str, seconds: float) -> None:
        self.by_status[status] = self.by_status.get(status, 0) + 1
        if path != _STREAM:
            call = SEND if path.startswith(_SENDS) else OTHER
            ANSWERED.took(seconds, call, _CLASSES.get(status // 100, "5xx"))
