"""Automations: small flows of a trigger, waits, conditions and messages, and everybody who is on their way through one."""
