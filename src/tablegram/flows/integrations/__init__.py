"""Flows of what programs connect by: webhook endpoints and keys."""
