"""The pages of the panel, a folder for each area; `app.py` collects their handlers."""
