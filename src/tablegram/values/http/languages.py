"""Which of the languages that something is said in a reader gets."""

from __future__ import annotations

from collections.abc import Collection

# Of a header that a stranger sends, so much is read.
_READ = 500


def choose_language(wish: str | None, accepted: str, possible: Collection[str], otherwise: str = "en") -> str:
    """What the address says, else what the browser likes best (`Accept-Language`), else `otherwise`."""
    if wish is not None and wish.partition("-")[0].lower() in possible:
        return wish.partition("-")[0].lower()
    liked: list[tuple[float, str]] = []
    for part in accepted[:_READ].split(","):
        tag, _, weight = part.strip().partition(";q=")
        try:
            liked.append((float(weight or 1), tag.strip().lower()[:2]))
        except ValueError:
            continue
    # Sorting is stable, so of equal wishes the first named wins.
    ranked = [tag for _, tag in sorted(liked, key=lambda one: -one[0])]
    return next((tag for tag in ranked if tag in possible), otherwise)
