"""Tables of automations, of who is on the way through one, and of each step that was taken."""
