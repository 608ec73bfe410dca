"""Tables of automations."""
