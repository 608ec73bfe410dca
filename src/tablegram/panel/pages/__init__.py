"""One module for each area of the panel; `app.py` collects their handlers."""
