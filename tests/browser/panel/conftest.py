from tests.browser.panel.desk import desk, page, seat
from tests.browser.panel.diners import diner
from tests.browser.panel.restaurants import restaurant

__all__ = ["desk", "diner", "page", "restaurant", "seat"]
