"""Addresses of lines, messages and their files."""

from tablegram.api.routes.gateway import auto_replies, instances, media, messages, sends, templates

HANDLERS = [
    *sends.HANDLERS,
    *messages.HANDLERS,
    *media.HANDLERS,
    *instances.HANDLERS,
    *auto_replies.HANDLERS,
    *templates.HANDLERS,
]
