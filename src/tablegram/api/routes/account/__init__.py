"""Addresses of the account itself: who calls, its people, its usage."""
