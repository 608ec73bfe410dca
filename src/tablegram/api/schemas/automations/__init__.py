"""Bodies of the calls about automations."""
