"""Campaigns meet contacts, lines and money: what people do with them, and what the engine does by itself."""
