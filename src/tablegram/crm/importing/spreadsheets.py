"""Tables of contacts that people save from their programs: which column is which."""

from __future__ import annotations

from tablegram.errors import Invalid
from tablegram.values.files.spreadsheets import MAX_BYTES, Sheet, open_sheet
from tablegram.values.folding import words

__all__ = ["HEADINGS", "MAX_BYTES", "Sheet", "read_sheet"]

# The field that each heading means, in both languages of the product; headings are compared as folded words.
HEADINGS: dict[str, tuple[str, ...]] = {
    "phone": (
        "phone", "phone number", "phones", "mobile", "mobile phone", "mobile number", "cell", "gsm", "tel", "number",
        "whatsapp", "telefon", "telefon no", "telefon numarası", "telefon numarasi", "cep", "cep telefonu", "cep no",
        "cep tel", "numara", "gsm no", "tel no",
    ),
    "name": (
        "name", "full name", "contact", "contact name", "customer", "customer name", "display name", "ad", "adı",
        "isim", "ad soyad", "adı soyadı", "ad soyadı", "isim soyisim", "müşteri", "müşteri adı", "kişi",
    ),
    "first_name": ("first name", "given name", "firstname", "ilk ad"),
    "last_name": ("last name", "surname", "family name", "lastname", "soyad", "soyadı", "soyisim"),
    "language": ("language", "lang", "locale", "dil", "dili"),
    "birthday": (
        "birthday", "birth date", "birthdate", "date of birth", "dob", "doğum günü", "doğum tarihi", "dogum gunu",
    ),
    "tags": ("tags", "tag", "labels", "label", "groups", "group", "etiket", "etiketler", "etiketi", "grup", "gruplar"),
    "notes": ("notes", "note", "comment", "comments", "not", "notlar", "notu", "açıklama", "yorum"),
    "consent": (
        "consent", "opt in", "optin", "opted in", "permission", "marketing", "izin", "iletişim izni", "onay", "rıza",
        "pazarlama izni", "ileti izni",
    ),
    "consent_at": (
        "consent at", "consent date", "consent time", "opt in date", "permission date", "izin tarihi", "onay tarihi",
        "rıza tarihi", "consentdate",
    ),
    "consent_source": ("consent source", "opt in source", "izin kaynağı", "onay kaynağı"),
    "consent_text": ("consent text", "consent text version", "text version", "izin metni", "onay metni"),
    "consent_proof": ("consent proof", "proof", "proof of consent", "kanıt", "izin kanıtı", "onay kanıtı"),
}  # fmt: skip
_FIELDS = {" ".join(words(heading)): field for field, headings in HEADINGS.items() for heading in headings}


def read_sheet(raw: bytes) -> Sheet:
    """The table in a file. Raises `Invalid` on `file` when it holds none, or none with a phone number."""
    sheet = open_sheet(raw, _FIELDS)
    columns = sheet.columns
    if "phone" not in columns.values():
        raise Invalid.field(
            "file", "phone_column_missing", "No column is called phone (or telefon). Name it so in the first row."
        )
    if "last_name" in columns.values() and "first_name" not in columns.values():
        # Two columns "Ad" and "Soyad": the first is not the whole name.
        columns = {number: "first_name" if field == "name" else field for number, field in columns.items()}
    return Sheet(sheet.text, sheet.delimiter, sheet.headings, columns)
