"""What a line sends that is more than text."""

from __future__ import annotations

BUTTONS = {
    "type": "button",
    "body": {"text": "Sure?"},
    "action": {"buttons": [{"type": "reply", "reply": {"id": "yes", "title": "Yes"}}]},
}


LIST = {
    "type": "list",
    "body": {"text": "What?"},
    "action": {"button": "Menu", "sections": [{"title": "Soups", "rows": [{"id": "r1", "title": "Lentil"}]}]},
}


CARD = {"name": {"formatted_name": "Ayşe Yılmaz"}, "phones": [{"phone": "+90 555"}]}
