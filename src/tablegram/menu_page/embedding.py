"""For other people's websites: a script with a chat button and an order's state, and the little that the state needs.

Any page may read it: whoever shows an order holds its link, no cookie takes part, and nothing of the guest is in it.
"""

from __future__ import annotations

from pathlib import Path

from tablegram.errors import NotFound
from tablegram.flows.restaurant.answers.guests import GuestOrder
from tablegram.menu_page.drawing import moment, progress
from tablegram.menu_page.words import words
from tablegram.web.assets import MIME, Asset, asset
from tablegram.web.plain.exchange import Answer, json

_EVERYWHERE = {"Access-Control-Allow-Origin": "*"}
_SCRIPT: Asset = asset((Path(__file__).parent / "static" / "embed.js").read_bytes(), MIME[".js"])
_OVER = ("delivered", "picked_up", "completed", "cancelled", "rejected", "expired")


def script() -> Answer:
    """Its address is in other people's pages and stays; a new edition is there within the hour."""
    return Answer(
        _SCRIPT.content,
        _SCRIPT.mime_type,
        keep="public, max-age=3600",
        tag=_SCRIPT.tag,
        packed=_SCRIPT.packed,
        headers=_EVERYWHERE,
    )


def state(order: GuestOrder, language: str) -> Answer:
    spoken, status = words(language), order.status
    promised = moment(order.promised_ms, language, order.venue.time_zone) if order.promised_ms else ""
    content = json(
        {
            "order_id": order.order_id,
            "status": status,
            "words": spoken[f"status.{status}"],
            "hint": spoken[f"status_hint.{status}"],
            "expected": spoken["status_promised"].format(time=promised) if promised and status not in _OVER else "",
            "steps": [
                {"words": spoken[f"step.{step}"], "state": how} for step, how in progress(status, order.order_type)
            ],
            "url": order.status_url,
            "is_over": status in _OVER,
        }
    )
    content.headers.update(_EVERYWHERE)
    return content


def unknown(problem: NotFound) -> Answer:
    """A page of others can read that there is no such order, too."""
    answer = json({"code": problem.code, "detail": problem.detail}, status=404)
    answer.headers.update(_EVERYWHERE)
    return answer
