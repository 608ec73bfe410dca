"""What a fuzzer cannot know of printers: which there are, and which fields belong together."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

FRESH = (f"Printer {number}" for number in count())


def furnish(made: Callable[[str, Any], Any], floor: str) -> dict[str, Any]:
    """Printers at the floor, and pages that wait, so that the lists have a second page."""
    facts: dict[str, Any] = {}
    for prefix in ("", "spare_", "fallback_"):
        fields = {"name": f"{prefix}printer", "kind": "cloudprnt", "venue_id": floor, "stations": ["kitchen"]}
        facts[f"{prefix}printer_id"] = made("/restaurant/printers", fields)["id"]
    for _ in range(2):
        facts["ticket_id"] = made(f"/restaurant/printers/{facts['printer_id']}/test", None)["id"]
    return facts


def spare_ourselves(operation: str, path: dict[str, Any], facts: dict[str, Any]) -> None:
    """What is taken away is the spare one."""
    if operation == "deletePrinter" and path.get("printer_id") in (facts["printer_id"], facts["fallback_printer_id"]):
        path["printer_id"] = facts["spare_printer_id"]


def fit(operation: str, case: Any, facts: dict[str, Any]) -> None:
    """Fields that name something, or that belong together, which a schema cannot say."""
    body = case.body
    if operation in ("createPrinter", "updatePrinter"):
        if "name" in body:
            body["name"] = next(FRESH)
        if body.get("venue_id") is not None or operation == "createPrinter":
            body["venue_id"] = facts["floor"]
        if "stations" in body:
            body["stations"] = ["kitchen"]
        if body.get("fallback_id") is not None:
            is_itself = (case.path_parameters or {}).get("printer_id") == facts["fallback_printer_id"]
            body["fallback_id"] = None if is_itself else facts["fallback_printer_id"]
        if body.get("kind") == "direct":
            body["profile"] = {**(body.get("profile") or {}), "host": "192.168.1.50"}
        elif body.get("profile", {}).get("host") == "":
            del body["profile"]["host"]
    if operation == "setLayout":
        _fit_layout(body)
    if operation == "updatePrinter":
        body.pop("venue_id", None)
    if operation == "reprintTicket":
        case.path_parameters["ticket_id"] = facts["ticket_id"]
        if body.get("printer_id") is not None:
            body["printer_id"] = facts["printer_id"]


def _fit_layout(body: dict[str, Any]) -> None:
    """A station of the venue where one is needed, and sections that a ticket cannot do without, each once."""
    body["station"] = "kitchen" if body["kind"] == "station" else ""
    if body.get("layout"):
        sections = body["layout"]["sections"]
        body["layout"]["sections"] = list(dict.fromkeys(["place", "lines", *sections]))
