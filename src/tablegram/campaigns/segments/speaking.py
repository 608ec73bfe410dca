"""Rules in people's words."""

from __future__ import annotations

from collections.abc import Mapping

from tablegram.campaigns.segments.rules import Labelling, Labels, Named, Phrase
from tablegram.campaigns.segments.tree import Leaf, Node, Rules, leaves
from tablegram.storage.database import Tx
from tablegram.values.words import Words

_WORDS = Words(__file__)


class Speaking:
    def __init__(self, rules: Rules, language: str, labels: Mapping[Labelling, Labels]) -> None:
        self._rules = rules
        self._language = language
        self._labels = labels

    @classmethod
    async def about(cls, tx: Tx, account_id: int, node: Node, rules: Rules, language: str) -> Speaking:
        """With the names of whatever the tree speaks of."""
        wanted = {
            gap.labelling
            for leaf in leaves(node)
            for gap in _phrase(rules, leaf).gaps.values()
            if isinstance(gap, Named)
        }
        return cls(rules, language, {one: await one(tx, account_id, language) for one in wanted})

    def say(self, leaf: Leaf, *, holds: bool = True) -> str:
        said = _phrase(self._rules, leaf).say(leaf.given, self._language, self._labels)
        return said if holds else _WORDS.of(self._language)["not"].format(rule=said)


def _phrase(rules: Rules, leaf: Leaf) -> Phrase:
    phrase = rules[leaf.rule].phrase(leaf.given)
    assert phrase is not None
    return phrase
