from tests.browser.menu.restaurant import open_house, restaurant

__all__ = ["open_house", "restaurant"]
