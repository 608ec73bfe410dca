"""What the manager's phone is told about paper that does not come."""

from __future__ import annotations

EN = {
    "not_printed": "🖨️ “{printer}” has not printed {count} ticket(s): {orders}. Look at paper, cover and network. Open the printers: {url}",
    "failed": "🖨️ “{printer}” cannot print {count} ticket(s): {orders}. Open the printers: {url}",
    "expired": "🖨️ {count} ticket(s) for “{printer}” were never printed and are too old now: {orders}. Tell the kitchen. Open the "
    "printing log: {url}",
}
TR = {
    "not_printed": "🖨️ “{printer}” {count} fişi yazdırmadı: {orders}. Kâğıdı, kapağı ve ağı kontrol edin. Yazıcılar: {url}",
    "failed": "🖨️ “{printer}” {count} fişi yazdıramıyor: {orders}. Yazıcılar: {url}",
    "expired": "🖨️ “{printer}” için {count} fiş hiç yazdırılmadı ve artık çok eski: {orders}. Mutfağa haber verin. Fiş kayıtları: {url}",
}


def speak(language: str) -> dict[str, str]:
    return TR if language == "tr" else EN
