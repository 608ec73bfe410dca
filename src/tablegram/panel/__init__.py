"""The panel: server-rendered pages where people run their account. How to add a page: docs/explanation/panel.md."""
