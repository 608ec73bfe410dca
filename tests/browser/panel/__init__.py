"""The panel in a browser: walks over its pages, and the longest ways through them."""
