"""What is left of an erased person's messages: rows that say nothing about them, and still recognise their echoes.

The network's id of a message may hold the recipient's number in plain base64. Its place is taken by a keyed hash:
nobody can read it back, but a callback that the network repeats or sends late is still known to be of that message.
"""

from __future__ import annotations

from tablegram.messaging.rows.messages import Addressed
from tablegram.values.ids import random_base62
from tablegram.values.secrets import SecretBox

_MARK = "erased."


def new_token() -> str:
    """Stands where the number stood. Made by chance, so that nothing leads from it back."""
    return _MARK + random_base62(20)


def is_erased(row: Addressed) -> bool:
    """Whether a message's person was erased."""
    return row["phone"].startswith(_MARK)


def erased_id(box: SecretBox, network_id: str) -> str:
    """What is kept instead of the network's id."""
    return _MARK + box.pepper_hash(_text(network_id))


def erased_ids(box: SecretBox, network_id: str) -> list[str]:
    """Everything that may have been kept instead of it: the secret key may have changed once since."""
    return [_MARK + digest for digest in box.hashes(_text(network_id))]


def _text(network_id: str) -> str:
    # Named, so that it never is the hash of anything else that is kept under the same key.
    return f"message {network_id}"
