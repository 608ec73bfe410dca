"""Which dish an option belongs to that stands between dishes without a comma."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tablegram.restaurant.reading.dishes.atoms import Atom
from tablegram.restaurant.reading.dishes.chunks import MODIFIERS
from tablegram.restaurant.reading.dishes.drafts import DishDraft, fits, takers_of
from tablegram.restaurant.reading.words.vocabulary import Vocabulary


def share_out(
    atoms: Sequence[Atom], vocabulary: Vocabulary, ask: Callable[[Atom, Sequence[str]], None]
) -> list[tuple[Atom, list[Atom]]]:
    """Options between dishes without a comma: those of the dish before, or of the one behind, never by guess."""
    places = [place for place, atom in enumerate(atoms) if atom.kind == "dish"]
    shares: list[tuple[Atom, list[Atom]]] = [(atoms[place], []) for place in places]
    leads = any(atom.kind in MODIFIERS for atom in atoms[: places[0]])
    trails = any(atom.kind in MODIFIERS for atom in atoms[places[-1] + 1 :])
    for place, atom in enumerate(atoms):
        if atom.kind not in MODIFIERS:
            continue
        before = sum(1 for one in places if one < place) - 1
        choices = [one for one in (before, before + 1) if 0 <= one < len(shares)]
        able = [one for one in choices if all(fits(vocabulary, DishDraft(key, ""), atom) for key in shares[one][0].ids)]
        if len(choices) == 2 and len(able) == 2 and leads != trails:
            able = [before + 1] if leads else [before]
        earlier = [share for share in shares[:-1] if not share[1] and len(share[0].ids) == 1]
        trails_for_all = place > places[-1] and any(
            fits(vocabulary, DishDraft(share[0].ids[0], ""), atom) for share in earlier
        )
        if (len(choices) == 2 and len(able) == 2) or (trails_for_all and atom.kind == "option"):
            between = [share[0] for share in shares] if trails_for_all else [shares[one][0] for one in able]
            ask(atom, takers_of(vocabulary, between, atom))
        else:
            shares[(able or choices)[0]][1].append(atom)
    return shares
