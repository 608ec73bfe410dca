"""Changes that change no meaning, by name, each with the reason why nobody could notice."""

from __future__ import annotations

SAME: dict[str, str] = {
    "294a6420fd": "values/secrets.py: only a power cut shows whether the folder of a new key was written to disk",
    "d7996964fd": "values/secrets.py: only a power cut shows whether a folder was written to disk",
    "2f5ad1f8de": "values/secrets.py: a new key of a few more characters is as good",
}
