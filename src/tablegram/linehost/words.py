"""What both ends of the protocol know."""

from __future__ import annotations

# Grows when a host of before would misunderstand; what is only added does not count.
PROTOCOL = 1
# The number of the host's open socket stands here.
SOCKET_NAME = "TABLEGRAM_LINE_FD"
# A frame is one line; a longer one ends the conversation.
MAX_FRAME = 1 << 20
# Events that the server may leave untaken before a host stops to tell more.
MAX_UNTAKEN = 1_000
