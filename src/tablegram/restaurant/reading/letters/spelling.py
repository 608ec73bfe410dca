"""How far two words are apart, and whether one may be the other with a typing error."""

from __future__ import annotations

from functools import lru_cache


def distance(one: str, other: str, most: int) -> int:
    """Letters left out, added, changed, or that changed places; more than `most` is told as `most + 1`."""
    if one == other:
        return 0
    if abs(len(one) - len(other)) > most:
        return most + 1
    if most == 1:
        return 1 if is_one_off(one, other) else 2
    far = most + 1
    width = len(other)
    before: list[int] = []
    last = [min(column, far) for column in range(width + 1)]
    for row, letter in enumerate(one, start=1):
        line = [far] * (width + 1)
        line[0] = min(row, far)
        nearest = line[0]
        # What is further from the diagonal than `most` cannot come back within it.
        for column in range(max(1, row - most), min(width, row + most) + 1):
            against = other[column - 1]
            best = last[column - 1] if letter == against else last[column - 1] + 1
            if last[column] < best:
                best = last[column] + 1
            if line[column - 1] < best:
                best = line[column - 1] + 1
            swapped = row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == against
            if swapped and before[column - 2] + 1 < best:
                best = before[column - 2] + 1
            line[column] = best
            if best < nearest:
                nearest = best
        if nearest > most:
            return far
        before, last = last, line
    return min(last[-1], far)


def is_one_off(one: str, other: str) -> bool:
    """Whether no more than a letter is left out, added or changed, or two beside each other have changed places."""
    pairs = zip(one, other, strict=False)
    same = next((place for place, (letter, against) in enumerate(pairs) if letter != against), None)
    if same is None:
        return abs(len(one) - len(other)) <= 1
    rest, against = one[same:], other[same:]
    if rest[1:] == against[1:] or rest == against[1:] or rest[1:] == against:
        return True
    return rest[2:] == against[2:] and rest[:2] == against[1::-1]


def allowed(word: str) -> int:
    """How many errors a word of this length may have. Short words are too near to each other to be guessed."""
    return 0 if len(word) < 5 else 1 if len(word) < 8 else 2


def is_near(key: str, word: str) -> bool:
    """Whether an unknown word may have been meant for one of the menu's."""
    if len(key) < 4 or len(word) < 4:
        return False
    return slip(key, word) is not None or (key[:4] == word[:4] and abs(len(key) - len(word)) <= 3)


# People write the same few thousand words.
@lru_cache(maxsize=65_536)
def slip(typed: str, meant: str) -> int | None:
    """The number of typing errors between them, or nothing where it is another word.

    The first letter is hardly ever wrong, and makes other words where it is: dana is not adana.
    """
    if typed == meant:
        return 0
    most = min(allowed(meant), allowed(typed) + 1)
    if most == 0 or typed[:1] != meant[:1]:
        return None
    found = distance(typed, meant, most)
    return found if found <= most else None
