"""A small menu with everything that makes reading hard: near names, parts of names, options that look like dishes."""

from __future__ import annotations

import re
from functools import cache

from tablegram.restaurant.menu.model import Category, Group, Item, Menu, Option
from tablegram.restaurant.reading import Vocabulary

_GROUPS: dict[str, tuple[str, str, bool, int | None, str]] = {
    # code: Turkish, English, required, most, options as "id=Turkish/English[+price][*]", `*` for the default
    "spice": ("Acı", "Spice", False, 1, "hot=Acılı/Spicy mild=Acısız/Not spicy"),
    "salgam_spice": ("Acı", "Spice", True, 1, "salgam_hot=Acılı/Spicy salgam_mild=Acısız/Not spicy"),
    "portion": ("Porsiyon", "Portion", True, 1, "single=Tek porsiyon/Single portion* half=1,5 porsiyon/1.5 portions+9000"),
    "onion": ("Soğan", "Onion", False, 1, "no_onion=Soğansız/No onions"),
    "lavash": ("Ekstra", "Extra", False, None, "lavash=Ekstra lavaş/Extra lavash+1000"),
    "done": ("Pişirme", "Doneness", True, 1, "rare=Az pişmiş/Rare medium=Orta pişmiş/Medium well=İyi pişmiş/Well done"),
    "extras": (
        "Ekstralar", "Extras", False, None, "extra_cheese=Ekstra kaşar/Extra cheese+2000 extra_sauce=Ekstra sos/Extra sauce+500",
    ),
    "side": ("Yanında", "Side", False, 1, "side_fries=Patates kızartması/French fries+3000 side_salad=Salata/Salad+2500"),
    "size": ("Boy", "Size", True, 1, "small=Küçük/Small* large=Büyük/Large+1500"),
    "brew": ("Dem", "Brew", False, 1, "weak=Açık/Weak strong=Demli/Strong"),
    "sugar": (
        "Şeker", "Sugar", True, 1,
        "plain=Sade/No sugar little=Az şekerli/A little sugar middle=Orta şekerli/Medium sugar sweet=Şekerli/Sweet",
    ),
    "drink": ("İçecek", "Drink", True, 1, "menu_ayran=Ayran/Ayran menu_coke=Kola/Coke"),
}  # fmt: skip
_DISHES = """
soups Çorbalar/Soups
  lentil Mercimek Çorbası/Lentil Soup|Mercimek 9000
  ezogelin Ezogelin Çorbası/Ezogelin Soup 9000
  tripe İşkembe Çorbası/Tripe Soup 12000
kebabs Kebaplar/Kebabs
  adana Adana/Adana Kebab 28000 spice portion onion lavash
  urfa Urfa/Urfa Kebab 28000 spice portion onion lavash
  chicken_shish Tavuk Şiş/Chicken Shish|Tavuk 24000 spice portion
  lamb_shish Kuzu Şiş/Lamb Shish 32000 spice portion
  iskender İskender/Iskender 34000
  beyti Beyti Sarma/Beyti Wrap 33000
wraps Dürümler/Wraps
  adana_wrap Adana Dürüm/Adana Wrap 19000 spice onion
  chicken_wrap Tavuk Dürüm/Chicken Wrap 16000 spice onion
breads Pide ve Lahmacun/Flatbreads
  lahmacun Lahmacun/Lahmacun 8000 spice onion
  minced_pide Kıymalı Pide/Minced Meat Pide 18000
  cheese_pide Kaşarlı Pide/Cheese Pide 17000
burgers Burgerler/Burgers
  burger Klasik Burger/Classic Burger 22000 done extras side
  chicken_burger Tavuk Burger/Chicken Burger 20000 extras side
sides Yan Ürünler/Sides
  fries Patates Kızartması/French Fries 7000
  rice Pilav/Rice 5000
  shepherd Çoban Salata/Shepherd's Salad 9000 onion
  season Mevsim Salata/Season Salad|Salata 8000
menus Menüler/Set Menus
  menu1 Menü 1/Menu 1 35000 drink
  menu2 Menü 2/Menu 2 39000 drink
drinks İçecekler/Drinks
  ayran Ayran/Ayran 3000 size
  coke Kola/Coke 5000
  coke_zero Kola Zero/Coke Zero 5000
  sevenup 7 Up/7 Up 5000
  water Su/Water 1500
  mineral Maden Suyu/Mineral Water 2500
  salgam Şalgam/Turnip Juice 4000 salgam_spice
  tea Çay/Tea 2000 brew
  coffee Türk Kahvesi/Turkish Coffee 6000 sugar
  lemonade Limonata/Lemonade 6000
  beer Alkolsüz Bira/Alcohol-free Beer 9000
desserts Tatlılar/Desserts
  kunefe Künefe/Kunefe 14000
  baklava Baklava/Baklava 16000
  pudding Sütlaç/Rice Pudding 9000
"""


def _pair(text: str) -> tuple[str, dict[str, dict[str, str]]]:
    turkish, english = text.split("/")
    return turkish.strip(), {"en": {"name": english.strip()}}


def _options(text: str) -> list[Option]:
    made = []
    for part in re.split(r" (?=\w+=)", text):
        key, rest = part.split("=", 1)
        is_default, rest = rest.endswith("*"), rest.rstrip("*")
        shown, _, price = rest.partition("+")
        name, translations = _pair(shown)
        made.append(Option(key, name, price_delta=int(price or 0), is_default=is_default, translations=translations))
    return made


@cache
def bistro() -> Menu:
    categories, items = [], []
    for line in _DISHES.strip("\n").splitlines():
        key, rest = line.split(maxsplit=1)
        if not line.startswith(" "):
            name, translations = _pair(rest)
            categories.append(Category(key, name, translations=translations))
            continue
        words = rest.split()
        price = next(
            place for place in range(len(words) - 1, -1, -1) if words[place].isdigit() and len(words[place]) > 3
        )
        shown, _, kitchen_name = " ".join(words[:price]).partition("|")
        name, translations = _pair(shown)
        items.append(
            Item(
                key, categories[-1].id, key, name, int(words[price]), kitchen_name, translations=translations,
                station="bar" if categories[-1].id == "drinks" else "kitchen", group_ids=words[price + 1 :],
            )
        )  # fmt: skip
    groups = [
        Group(key, key, turkish, _options(text), required, 0, most, {"en": {"name": english}})
        for key, (turkish, english, required, most, text) in _GROUPS.items()
    ]
    return Menu("TRY", "Europe/Istanbul", ["tr", "en"], ["kitchen", "bar"], 1, categories, items, groups)


@cache
def vocabulary() -> Vocabulary:
    return Vocabulary(bistro())
