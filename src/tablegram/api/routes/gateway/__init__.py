"""Addresses of lines, messages and their files."""

from tablegram.api.routes.gateway import auto_replies, instances, media, messages, sends

HANDLERS = [
    *sends.HANDLERS,
    *messages.HANDLERS,
    *media.HANDLERS,
    *instances.HANDLERS,
    *auto_replies.HANDLERS,
]
