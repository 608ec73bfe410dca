from tests.browser.panel.desk import desk

__all__ = ["desk"]
