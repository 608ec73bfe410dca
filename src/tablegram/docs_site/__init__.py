"""The documentation as the product serves it at /docs: one file that `make docs-site` makes, read page by page."""
