"""The guest's page in a browser, state by state."""
