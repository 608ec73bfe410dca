"""The version that callers are told, in header fields, in documents and by our own calls to others."""

from __future__ import annotations

API_VERSION = "1.4"
