from tests.browser.panel.desk import desk, page, seat

__all__ = ["desk", "page", "seat"]
