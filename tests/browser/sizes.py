"""Where something stands on a page."""

from __future__ import annotations

from playwright.sync_api import FloatRect, Locator, expect

from tests.product import wait_until


def measured(locator: Locator) -> FloatRect:
    """Its place and size. A page may put a new element in the place of one that is being measured: then that one's."""
    expect(locator).to_be_visible()
    boxes: list[FloatRect] = []

    def measure() -> bool:
        box = locator.bounding_box()
        boxes.extend([box] if box is not None else [])
        return bool(boxes)

    wait_until(measure, "something to measure")
    return boxes[0]
