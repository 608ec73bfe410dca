"""The words of the paper, in the languages of kitchens and guests."""

from __future__ import annotations

LANGUAGES = ("en", "tr", "de")

_WORDS: dict[str, tuple[str, str, str]] = {
    "table": ("Table", "Masa", "Tisch"),
    "dine_in": ("At the table", "Masada", "Am Tisch"),
    "takeaway": ("Takeaway", "Gel al", "Zum Mitnehmen"),
    "delivery": ("Delivery", "Paket servis", "Lieferung"),
    "change": ("Change", "Değişiklik", "Änderung"),
    "void": ("Cancelled", "İptal", "Storno"),
    "void_do": ("Do not make", "Yapmayın", "Nicht zubereiten"),
    "moved": ("Table changed", "Masa değişti", "Tischwechsel"),
    "pass": ("Whole order", "Tüm sipariş", "Ganze Bestellung"),
    "receipt": ("Receipt", "Adisyon", "Beleg"),
    "test": ("Test page", "Deneme sayfası", "Testseite"),
    "reprint": ("Reprint", "Yeniden basım", "Nachdruck"),
    "doubt": ("May have been printed before", "Daha önce basılmış olabilir", "Vielleicht schon einmal gedruckt"),
    "copy": ("Copy {number} of {all}", "Nüsha {number}/{all}", "Kopie {number} von {all}"),
    "instead": ("For printer “{name}”", "“{name}” yazıcısı için", "Für Drucker „{name}“"),
    "part": ("{number} of {all}", "{number}/{all}", "{number} von {all}"),
    "guest": ("Guest", "Misafir", "Gast"),
    "waiter": ("Waiter", "Garson", "Bedienung"),
    "notes": ("Note", "Not", "Hinweis"),
    "allergy": ("ALLERGY", "ALERJİ", "ALLERGIE"),
    "promised": ("Promised for", "Hazır olacak", "Zugesagt um"),
    "arrives": ("Promised for", "Söz verilen saat", "Zugesagt um"),
    "phone": ("Phone", "Telefon", "Telefon"),
    "collect": ("To collect", "Alınacak", "Kassieren"),
    "paid": ("Paid", "Ödendi", "Bezahlt"),
    "route": ("Scan for the way there", "Yol tarifi için okutun", "Für den Weg scannen"),
    "columns": ("{columns} columns", "{columns} sütun", "{columns} Spalten"),
    "signs": ("Letters and signs", "Harfler ve işaretler", "Buchstaben und Zeichen"),
    "faces": ("Sizes", "Boyutlar", "Größen"),
    "reversed": ("Reversed", "Ters", "Invers"),
    "boxed": ("In a frame", "Çerçeve içinde", "Im Rahmen"),
    "removed": ("Struck", "Üstü çizili", "Gestrichen"),
    "read": (
        "If you can read every letter, this printer is set up well. If not, choose another code page, or pictures.",
        "Bütün harfleri okuyabiliyorsanız yazıcı doğru ayarlanmış. Okuyamıyorsanız başka bir kod sayfası ya da resim seçin.",
        "Sind alle Buchstaben lesbar, ist der Drucker richtig eingestellt. Sonst eine andere Codepage wählen, oder Bilder.",
    ),
}
_ALLERGENS: dict[str, tuple[str, str, str]] = {
    "gluten": ("Gluten", "Gluten", "Gluten"),
    "crustaceans": ("Crustaceans", "Kabuklu deniz ürünleri", "Krebstiere"),
    "eggs": ("Eggs", "Yumurta", "Eier"),
    "fish": ("Fish", "Balık", "Fisch"),
    "peanuts": ("Peanuts", "Yer fıstığı", "Erdnüsse"),
    "soybeans": ("Soybeans", "Soya", "Soja"),
    "milk": ("Milk", "Süt", "Milch"),
    "nuts": ("Nuts", "Sert kabuklu yemişler", "Schalenfrüchte"),
    "celery": ("Celery", "Kereviz", "Sellerie"),
    "mustard": ("Mustard", "Hardal", "Senf"),
    "sesame": ("Sesame", "Susam", "Sesam"),
    "sulphites": ("Sulphites", "Sülfit", "Sulfite"),
    "lupin": ("Lupin", "Acı bakla", "Lupinen"),
    "molluscs": ("Molluscs", "Yumuşakçalar", "Weichtiere"),
}


def _place(language: str) -> int:
    short = language.partition("-")[0].lower()
    return LANGUAGES.index(short) if short in LANGUAGES else 0


def word(key: str, language: str, **values: object) -> str:
    text = _WORDS[key][_place(language)]
    return text.format(**values) if values else text


def station_name(station: str, language: str) -> str:
    """Two stations have names of ours; the others are called what somebody called them."""
    names = {"kitchen": ("Kitchen", "Mutfak", "Küche"), "bar": ("Bar", "Bar", "Bar")}.get(station)
    return names[_place(language)] if names else station


def allergen(code: str, language: str) -> str:
    """Its name; what is none of the fourteen is what somebody wrote."""
    names = _ALLERGENS.get(code)
    return names[_place(language)] if names else code
