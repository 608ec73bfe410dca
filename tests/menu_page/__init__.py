"""The guest's page below the browser: what a phone may ask for."""
