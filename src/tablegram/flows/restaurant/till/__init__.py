"""The drawer as people and programs handle it."""
