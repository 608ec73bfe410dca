"""The calls that make automations, try them and switch them on and off."""
