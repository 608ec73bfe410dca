"""Words with which people ask for what is held of them, or to be forgotten: whole messages, like STOP."""

from __future__ import annotations

from tablegram.crm.consent.stopping import MAX_LETTERS, plain

_WORDS = {
    "en": "my data, show my data, send my data, send me my data, delete my data, erase my data, erase me, forget me, "
    "what do you know about me, gdpr, data request",
    "tr": "verilerim, bilgilerim, kisisel verilerim, verilerimi goster, verilerimi gonder, verilerimi sil, verilerimi silin, "
    "bilgilerimi sil, bilgilerimi silin, bilgilerimi goster, beni unut, hakkimda ne biliyorsunuz, kvkk",
    "de": "meine daten, meine daten loschen, losche meine daten, loschen sie meine daten, dsgvo",
    "ar": "بياناتي, احذف بياناتي, معلوماتي",
    "fr": "mes donnees, supprimer mes donnees, supprimez mes donnees, rgpd",
    "es": "mis datos, borrar mis datos, borren mis datos",
    "ru": "мои данные, удалите мои данные",
}
_MEANINGS = {plain(word): language for language, words in _WORDS.items() for word in words.split(",")}


def read_text(text: str) -> str | None:
    """The language of somebody who asks for their data; nothing where a message says anything else."""
    return _MEANINGS.get(plain(text)) if len(text) <= MAX_LETTERS else None
