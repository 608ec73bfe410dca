"""Automations meet contacts, orders, coupons, lines and segments."""
