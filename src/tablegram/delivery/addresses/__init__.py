"""Addresses that contacts have: home, work, and wherever something was brought to last."""
