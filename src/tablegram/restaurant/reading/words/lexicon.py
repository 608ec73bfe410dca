"""Words that are no dish: politeness, measures, numbers, denials. All folded, English and Turkish side by side."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NUMBERS: dict[str, int] = {
    "sifir": 0, "bir": 1, "bi": 1, "iki": 2, "uc": 3, "dort": 4, "bes": 5, "alti": 6, "yedi": 7, "sekiz": 8,
    "dokuz": 9, "duzine": 12, "yuz": 100, "hundred": 100,
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "dozen": 12,
    "couple": 2, "a": 1, "an": 1,
    "ein": 1, "eine": 1, "einen": 1, "zwei": 2, "drei": 3, "vier": 4, "funf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10,
    "einmal": 1, "zweimal": 2, "dreimal": 3, "viermal": 4, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5,
    # With a letter less or more.
    "thre": 3, "threee": 3, "twoo": 2, "fuor": 4, "fiv": 5, "sevn": 7, "eigth": 8, "ikki": 2,
}  # fmt: skip
TENS: dict[str, int] = {
    "on": 10, "yirmi": 20, "otuz": 30, "kirk": 40, "elli": 50, "altmis": 60, "yetmis": 70, "seksen": 80, "doksan": 90,
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
}  # fmt: skip
# Joined with the tens, as many write them.
for _ten, _tens in list(TENS.items())[:9]:
    for _one in ("bir", "iki", "uc", "dort", "bes", "alti", "yedi", "sekiz", "dokuz"):
        NUMBERS[_ten + _one] = _tens + NUMBERS[_one]
ARTICLES = frozenset({"a", "an"})
# Half of something: a portion of its own on some menus, and no quantity anywhere.
HALVES = frozenset({"yarim", "half", "bucuk", "ceyrek", "quarter"})
# So many of those that were just ordered.
PARTS: dict[str, int] = {
    # As many as are left.
    "gerisi": -1, "kalani": -1, "kalanlar": -1, "kalanlari": -1, "digerleri": -1, "digerlerini": -1, "oburleri": -1, "others": -1,
    "biri": 1, "birisi": 1, "birini": 1, "birisini": 1, "digeri": 1, "digerini": 1, "oburu": 1, "oburunu": 1,
    "ikisi": 2, "ikisini": 2, "ucu": 3, "ucunu": 3, "dordu": 4, "besi": 5, "other": 1,
    # In one of them, to one of them, of one of them: `birinde soğan olmasın`.
    "birinde": 1, "birine": 1, "birinin": 1, "birisinde": 1, "birisine": 1, "birisinin": 1, "teki": 1, "tekinde": 1,
    "tekine": 1, "digerinde": 1, "digerine": 1, "digerinin": 1, "ikisinde": 2, "ikisine": 2, "ikisinin": 2,
    "ucunde": 3, "ucune": 3, "ucunun": 3, "dordunde": 4, "dordune": 4,
}  # fmt: skip
# No figure ends in `su`: whoever writes `2su` wants water.
PART_ENDINGS = frozenset({"si", "i", "u", "ini", "unu", "sini", "tanesi", "tanesini", "of"})
# So many for each of nobody knows how many.
EACH = frozenset(
    {"birer", "ikiser", "ucer", "dorder", "beser", "ser", "er", "ar", "sar", "each", "herkese", "hepimize", "kisi"}
)
# So many people, so many scoops: it says something of a dish, and not how many of it.
MEASURED = frozenset(
    {"kisilik", "kisi", "kisiye", "people", "persons", "person", "pax", "top", "toplu", "scoop", "scoops"}
)
# So many sit at the table, whatever they order.
SITTING = frozenset({"kisiyiz", "kisiyik", "kisiydik"})
# A number of these is a number of portions, and a number of those counts what is on the plate.
PORTIONS = _words("porsiyon portion portions tabak plate plates order orders")
PIECES = _words("dilim slice slices piece pieces pcs pc parca")
DOZENS = frozenset({"dozen", "duzine"})
VAGUE = frozenset({"birkac", "bikac", "biraz", "few", "some", "several"})
COUNTERS = _words(
    "tane adet parca porsiyon bardak sise kase tabak kutu fincan dilim portion portions piece pieces pcs pc bottle bottles "
    "glass glasses cup cups plate plates bowl bowls can cans slice slices order orders tanecik x kere kez times boy boyu boyda boyundan size sized"
)
ALL = frozenset({"hepsi", "hepsini", "hepsinde", "hepsine", "tumu", "tumunu", "all", "both", "everything", "hep"})

# Between things: stronger than a space, weaker than a comma.
AND = frozenset(
    {"ve", "and", "und", "arti", "plus", "ayrica", "with", "ile", "yanina", "yaninda", "beraber", "birlikte", "n"}
)
# One or the other: `adana ya da urfa`, `ya adana ya urfa`. A single `ya` says nothing.
OR, EITHER = ("ya", "da"), "ya"
# What follows says how it is to be: `adana ama acısız`. As weak as a comma.
BUT = frozenset({"ama", "fakat", "ancak", "but"})
PHRASES_AND: tuple[tuple[str, ...], ...] = (
    ("bir", "de"),
    ("bi", "de"),
    ("birde",),
    ("bide",),
    ("et", "un"),
    ("et", "une"),
    ("as", "well", "as"),
    ("also",),
)

FILLERS = _words(
    # Turkish
    "merhaba merhabalar selam selamlar slm mrb gunaydin iyi gunler aksamlar geceler kolay gelsin hayirli isler lutfen lutfn ltf "
    "rica ederim etsem ediyorum tesekkur tesekkurler tsk tsklr sagol sagolun saolun eyvallah istiyorum istiyoruz isterim "
    "isteriz istiyordum istiyorduk alabilir alabilirmiyim alabilirmiyiz alabilirsem miyim miyiz "
    "misiniz musunuz misin alayim alalim alacagim alacagiz alicam alicaz aliyim aliyorum olur olsun olsunlar olacak olucak "
    "lazim yolla gonder getir yaz yap hazirla alacaktim alacaktik alicaktim hizli hizlica acele cabuk acil ver verin verir verebilir verirmisiniz versen verseniz getirin getirir getirirmisiniz getirebilir gonderin "
    "gonderir gonderirmisiniz gonderebilir yollayin yollar yazar yazin yaparsaniz yapin yaparmisiniz hazirlar "
    "hazirlayin ekleyin ekler eklermisiniz ekle siparis siparisi siparisim siparisimiz siparisler siparise vermek "
    "abi abla usta ustam kardes kardesim hocam bey hanim bize bana bizim benim icin da de ya bu su an simdi simdiden hemen daha "
    "koyun koyar koyalim lutfenn cok tamam tmm ok okey evet peki hadi haydi biz ben masaya masamiza zahmet bunlar bunlari sunlari "
    "sunlar asagidakileri seklinde kadar tl olarak yani sadece gene yine buyurun buraya kanka kankam oturduk oturuyoruz oturuyorum geldik geldim buradayiz burdayiz aciktik aciktim atsana uzerine ustune bakar bakarmisin bakarmisiniz arada simdilik soyleyelim soylesek alsak alsam alsin alsinlar edebilir ekleyelim eklersek isterdim isterdik alirdim alirdik ederdik unuttum unutmusum kendi selamun aleykum sa hmm eee ee ii olursa sevinirim "
    "tamamdir tazele tazeler tazeleyin tazeleyelim hanimefendi beyefendi efendim arkadaslar allah razi bereket versin insallah masallah valla vallahi canim "
    # English
    "hi hello hey dear good morning evening afternoon please pls plz thanks thank you thx cheers i we id i'd ill i'll "
    "we'd wed we'll would like love want wanna need to get have has can could may us me my our for the of "
    "order ordering place take take it lets let's make that bring us here table now just also too then ok okay "
    "yes and more another extra's is will be sir madam kindly guys team folks pal gonna having on mate bro hiya xx xxx coca he she they made give some'd gimme grab us'd all's im i'm we're were "
    "that's thats it's its at quick quickly fast asap soon getirirseniz gonderirseniz alabilirsek alabilirmi istersek "
    "edecektim edecektik ederdim deliver delivered wants want them are am from "
    # German, as far as it stands around dishes.
    "guten tag morgen abend hallo bitte danke schon wir ich hatten hatte hatt gern gerne mochten mochte wurde wurden nehmen nehme "
    "hola bonjour bonsoir salut merci gracias ciao buonasera buongiorno grazie y "
    "haben noch fur uns mich den die das der"
) - {"su", "more", "all"}  # fmt: skip
# Who it is for says nothing of what it is.
FILLERS |= _words(
    "esim esime esimin arkadasim arkadasima arkadasimin arkadaslar oglum ogluma kizim kizima annem anneme babam babama "
    "kardesime cocuga cocuklara kendime ona onlara adina wife husband friend friends daughter mum mom dad myself him"
)
# Two of them are two people, and what each of them has is theirs.
FOR_WHOM = _words(
    "bana esime kizima ogluma anneme babama arkadasima kardesime cocuga ona kendime hanima kocama karima dedeme me wife "
    "husband him her son daughter friend mum mom dad kid myself"
)
PHRASES_FILLER: tuple[tuple[str, ...], ...] = (
    ("olur", "mu"), ("olurmu",), ("mumkun", "mu"), ("mumkunse",), ("olabilir", "mi"), ("bir", "zahmet"),
    ("bi", "zahmet"), ("can", "i", "have"), ("can", "we", "get"), ("a", "lot"), ("sil", "vous", "plait"), ("por", "favor"), ("per", "favore"), ("pour", "la"), ("all", "day"), ("all", "night"), ("all", "week"), ("all", "morning"), ("no", "problem"), ("no", "rush"),
    ("su", "an"), ("su", "sekilde"), ("zahmet", "olmazsa"), ("kolay", "gelsin"), ("iyi", "aksamlar"), ("iyi", "gunler"),
    ("iyi", "geceler"), ("iyi", "calismalar"), ("iyi", "haftalar"), ("hepsi", "bu"), ("hepsi", "bu", "kadar"), ("hepsi", "o", "kadar"),
    ("that", "will", "be", "all"), ("eline", "saglik"), ("ellerinize", "saglik"), ("emeginize", "saglik"), ("for", "now"), ("was", "wondering", "if"), ("wondering", "if"), ("if", "possible"), ("if", "thats", "ok"),
    ("if", "thats", "okay"), ("if", "you", "can"), ("if", "you", "could"), ("if", "you", "dont", "mind"), ("when", "you", "can"),
    ("when", "you", "get", "a", "chance"), ("as", "soon", "as", "possible"), ("as", "well"), ("do", "us"), ("hi", "there"), ("hello", "there"), ("hey", "there"), ("lets", "do"), ("go", "with"), ("can", "you", "do"),
    ("in", "a"), ("bir", "dakika"), ("bi", "dakika"), ("bi", "dakka"), ("bi", "dk"), ("bir", "saniye"), ("bi", "saniye"),
    ("o", "zaman"), ("kolay", "gelsin"), ("cocuk", "icin"), ("cok", "ac"), ("cok", "acim"), ("cok", "aciktim"), ("cok", "aciktik"), ("cocuklar", "icin"), ("thatll", "be", "all"), ("thats", "all"), ("that", "is", "all"), ("over", "here"),
    ("is", "it", "possible"), ("would", "it", "be", "possible"), ("is", "it", "ok"), ("az", "onceki", "siparise"),
    ("az", "onceki", "siparisime"), ("az", "onceki", "siparisimize"), ("elinize", "saglik"), ("hayirli", "isler"), ("for", "here"),
    ("for", "the", "kid"), ("for", "the", "kids"), ("for", "my", "kid"), ("for", "my", "kids"), ("for", "the", "children"),
    ("for", "the", "little", "one"), ("for", "our", "kid"), ("for", "our", "son"), ("for", "my", "son"), ("for", "her"),
)  # fmt: skip
# One more of the same is meant, not a correction.
MORE = frozenset({"daha", "more", "another", "additional"})

# They add to what was written before.
ADDS = _words("ekle ekleyin ekleyelim ekler eklermisiniz eklersek add")
FILLERS |= ADDS

# After the thing in Turkish, before it in English.
DENIES_BEFORE = _words(
    "olmasin koymayin koymayalim konmasin katmayin eklemeyin istemiyorum istemiyoruz istemem istemeyiz olmadan haric "
    "cikarin cikartin koyma koymasin konulmasin"
)
DENIES_AFTER = frozenset({"no", "without", "hold", "minus", "skip", "wo"})
DENIES_PHRASES: tuple[tuple[str, ...], ...] = (
    ("w", "o"), ("leave", "out"), ("leave", "off"), ("do", "not", "put"), ("dont", "put"), ("dont", "add"),
)  # fmt: skip
# Somebody changes their mind, or makes it depend: people have to be asked.
CHANGES_MIND = _words(
    "degil yerine iptal vazgectim vazgectik yok hayir varsa yoksa olmazsa eger veya yahut yada cancel instead not actually aslinda "
    "dont don't or if unless except rather over maybe belki galiba sanirim degistir degistirelim change remove "
    "ayni aynisindan aynisi same usual zamanki "
    "zamankinden "
    # To so many: `lahmacunu ikiye çıkarın`.
    "bire ikiye uce dorde bese "
    # Somebody points at something that we do not see.
    "sundan sunu suna sunun bundan bunu bunun"
)
ASKS = _words(
    "var mi mu ne nedir neler kac kaca kacar kacta fiyat fiyati fiyatlar ucret hangi hangisi nerede nasil neden zaman acik kapali "
    "how much what which when where why menu menuyu menunuz menunuzu adres telefon kadardi rezervasyon reservation open "
    "closed price prices any "
    # Who had ordered it asks where it is.
    "vermistim vermistik wheres whats hows nerde"
) - {"acik", "menu", "any"}
PHRASES_ASK: tuple[tuple[str, ...], ...] = (
    ("do", "you", "have"), ("do", "u", "have"), ("have", "you", "got"), ("is", "there"), ("are", "there"),
    ("are", "you"), ("can", "you", "tell"), ("can", "the"), ("could", "the"), ("can", "your"),
)  # fmt: skip
# Excuse me, or no, otherwise: only a request behind it tells.
EXCUSES = frozenset({"pardon", "sorry"})
REQUESTS = _words("alabilir alabilirmiyim alabilirmiyiz getirir getirirmisiniz verir verirmisiniz can could may")
# They ask at the beginning of a sentence: `is the adana spicy`, `does it come with rice`.
ASKS_FIRST = _words("is are was does did has will isnt arent doesnt didnt hasnt wasnt havent")
WISHES_AFTER_WILL = frozenset({"have", "take", "get", "order", "need", "you"})
# Of what was ordered, eaten or missed before, of what is wrong with it, and of what somebody must not eat.
TELLS = _words(
    "eksik yanlis hala halen bekliyoruz bekliyorum bekliyoz alerji alerjim alerjimiz alerjisi alerjiyim intoleransim "
    "colyak colyagim berbat bayat bozuk yanik sikayet iade onceki dun unuttunuz istemistim istemistik istedim istedik ettim ettik "
    "ordered said got had waiting missing wrong was never late forgot forgotten arrived came received allergic allergy "
    "allergies intolerant coeliac celiac yesterday loved asked wanted burnt burned undercooked complaint refund didnt "
    "hasnt havent wasnt werent delicious awful horrible"
)
# Not now. Nobody plans an order by message.
LATER = _words(
    "saat saate saatte yarin yarina aksam aksama oglen oglene sabaha dakika dakikaya dk sonra pm oclock tomorrow tonight haftaya "
    "cumartesi cumartesiye pazartesi pazartesiye carsambaya persembeye cumaya pazara "
    "minutes mins hour hours later"
)
# How much of something: it goes to the kitchen as it was said.
DEGREES = frozenset({"az", "bol", "cok", "fazla", "hafif", "light", "less", "little", "very", "lots", "easy"})
# So much may be a wish, and more often praise or a complaint: `çok güzel`, `very salty`.
JUDGES = frozenset({"cok", "fazla", "very"})
# Before a drink or a dish they are a wish, behind it perhaps a complaint.
WARMTHS = frozenset({"soguk", "sicak", "cold"})
# They name an option, though the menu may have none by that name.
SIZES = _words("kucuk small normal regular buyuk large big")
WISHES: tuple[tuple[str, ...], ...] = (
    ("az", "pismis"), ("orta", "pismis"), ("iyi", "pismis"), ("cok", "pismis"), ("well", "done"), ("medium", "rare"),
    ("medium", "well"), ("medium",), ("rare",), ("cok", "sicak"), ("ilik",), ("buzlu",), ("on", "the", "side"),
    ("ayri", "tabakta"), ("ikiye", "bolun"), ("ortaya",), ("to", "share"), ("sicak", "olsun"), ("soguk", "olsun"), ("buz", "gibi"), ("onden",), ("share",), ("demli",), ("acik",), ("ortadan", "bolun"), ("cut", "in", "half"), ("az", "yagli"),
)  # fmt: skip
# Behind a dish that is asked for politely a question mark says nothing.
ASKS_KINDLY = REQUESTS | _words(
    "olur olurmu olabilir mumkun mumkunse please pls plz lutfen get have like misiniz misin musunuz miyim miyiz possible "
    "istiyorum istiyoruz alsam alsak versen verseniz"
)
NOTE_MARKS = frozenset({"not", "note", "notum", "notumuz", "nott", "ps"})
# Words that say too little to stand for a dish or an option by themselves.
GENERIC = _words(
    "buyuk kucuk orta boy sicak soguk taze ozel gunun ev yapimi karisik sade acili acisiz duble tek porsiyon mini "
    "small large big medium hot cold fresh special house mixed plain double single size portion of the with ve ile and "
    "usulu style yeni new klasik classic mega maxi normal regular menu menusu tabagi plate spicy mild grilled fried "
    "homemade red"
)
# What kind of thing a dish is. Who leaves it out has said which one all the same: beyti is the Beyti wrap.
KINDS = _words(
    "kebap kebabi kebab kebabs izgara grill tava guvec casserole sarma sarmasi wrap corba corbasi soup salata salatasi "
    "salad pilavi kahve kahvesi coffee suyu juice cay cayi tea tatlisi dessert tabak platter yemegi dish"
)
# Parts of names that are something else by themselves.
OTHER_THINGS = _words("sigara koz kozde deniz ev kelle head kuru sultan padisah kral usta sef chef king")
# Common names of people that may stand in an order, and lead the names of some dishes.
NAMES_OF_PEOPLE = _words(
    "ahmet mehmet mustafa ali huseyin hasan ibrahim ismail osman yusuf murat omer ramazan halil suleyman abdullah mahmut "
    "recep salih fatih kadir emre hakan adem kemal orhan bekir bulent burak can cem cengiz deniz ege emin engin enes "
    "erdem eren erhan erkan erol ersin fikret furkan gokhan halit haluk hamza harun ilker ilhan kaan kamil kerem kerim "
    "koray levent mert metin muhammed mursel necati nihat oguz okan onur ozan ozgur rasim riza sabri sahin samet sedat "
    "selim semih sercan serdar serhat serkan sinan soner tahir taner tarik tayfun tolga turgut ufuk ugur umit umut utku "
    "veli volkan yasin yavuz yigit yilmaz zafer zeki "
    "fatma ayse emine hatice zeynep elif meryem serife zehra sultan hanife merve havva zeliha esra fadime ozlem hulya "
    "sevim leyla dilek busra melek gulsah kubra ebru tugba asli aslihan aylin aysun aysel asya banu basak begum "
    "berna betul beyza burcu cansu ceren demet derya didem dilara ece eda ela esin eylul ezgi funda gamze gizem "
    "gonca gulay gulsen hande hazal irem kader meltem mine muge naz nazli nergis nese nihan nil nilay nur nuray oya "
    "ozge pelin seda selin sema sena serap sevgi sibel sila simge sinem songul sule tulay yagmur yeliz "
    "john james david michael peter paul mark tom thomas anna maria mary sarah laura emma kate lisa julia alex"
)
# The same in other words.
SAME = (
    _words("coke cola kola"), _words("kids kid childrens children"), _words("eggplant aubergine"),
    _words("shrimp shrimps prawn prawns"), _words("zucchini courgette"), _words("yogurt yoghurt"),
    _words("squid calamari"), _words("tea tee thes"), _words("water wasser eau agua"), _words("coffee kaffee"), _words("mercimek linsensuppe"), _words("flavored flavoured"),
)  # fmt: skip
SAME_AS: dict[str, frozenset[str]] = {word: words for words in SAME for word in words}
# Words before an addition that the menu may call without them.
EXTRA = frozenset({"ekstra", "extra", "ilave", "ek"})
MEASURES = frozenset({"boy", "porsiyon", "size", "portion", "sized", "tane", "adet", "boyu"})
ORDER_TYPES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("click", "and", "collect"), "takeaway"), (("for", "collection"), "takeaway"), (("to", "collect"), "takeaway"),
    (("collection",), "takeaway"), (("eat", "in"), "dine_in"), (("eat", "there"), "dine_in"), (("eat", "here"), "dine_in"), (("orada", "yiyecegiz"), "dine_in"), (("burada", "yiyecegiz"), "dine_in"), (("sit", "in"), "dine_in"),
    (("adrese", "teslim"), "delivery"), (("eve", "teslim"), "delivery"), (("eve", "servis"), "delivery"),
    (("paket", "servis"), "delivery"), (("gel", "al"), "takeaway"), (("gel", "alacagim"), "takeaway"), (("gel", "alacagiz"), "takeaway"), (("gel", "alicam"), "takeaway"),
    (("gelip", "alacagim"), "takeaway"), (("gelip", "alacagiz"), "takeaway"), (("gelip", "alicam"), "takeaway"), (("gelip", "alirim"), "takeaway"), (("gelip", "ben", "alirim"), "takeaway"), (("ben", "alirim"), "takeaway"),
    (("kendim", "alacagim"), "takeaway"), (("pick", "it", "up"), "takeaway"), (("almaya", "geliyorum"), "takeaway"), (("almaya", "geliyoruz"), "takeaway"), (("almaya", "gelirim"), "takeaway"),
    (("almaya", "geliriz"), "takeaway"), (("almaya", "gelecegim"), "takeaway"), (("almaya", "gelecegiz"), "takeaway"), (("almaya", "gelicem"), "takeaway"), (("almaya", "gelicez"), "takeaway"),
    (("geliyorum", "almaya"), "takeaway"), (("geliyoruz", "almaya"), "takeaway"), (("gelip", "aliriz"), "takeaway"), (("gelip", "alicaz"), "takeaway"), (("gelip", "alayim"), "takeaway"), (("gelip", "alalim"), "takeaway"), (("gelip", "aliyorum"), "takeaway"), (("gelip", "kendim", "alacagim"), "takeaway"),
    (("kendimiz", "alacagiz"), "takeaway"), (("kendim", "alirim"), "takeaway"), (("kendimiz", "aliriz"), "takeaway"), (("taking", "it", "away"), "takeaway"), (("taking", "away"), "takeaway"), (("take", "it", "away"), "takeaway"), (("take", "out"), "takeaway"), (("takeout",), "takeaway"),
    (("carry", "out"), "takeaway"), (("come", "and", "get", "it"), "takeaway"), (("come", "get", "it"), "takeaway"), (("take", "it", "with", "me"), "takeaway"), (("take", "it", "with", "us"), "takeaway"), (("picking", "it", "up"), "takeaway"), (("picking", "up"), "takeaway"), (("pick", "them", "up"), "takeaway"), (("collecting", "it"), "takeaway"), (("collecting",), "takeaway"),
    (("pick", "up"), "takeaway"), (("collect", "it"), "takeaway"), (("paket",), "takeaway"), (("take", "away"), "takeaway"), (("takeaway",), "takeaway"),
    (("to", "go"), "takeaway"), (("zum", "mitnehmen"), "takeaway"), (("pickup",), "takeaway"), (("adrese",), "delivery"), (("eve",), "delivery"),
    (("delivery",), "delivery"), (("dine", "in"), "dine_in"), (("masaya",), "dine_in"),
)  # fmt: skip
# They stand in an address, and in no order.
ADDRESS_WORDS = _words(
    "mah mahalle mahallesi mh cad cadde caddesi cd sok sokak sokagi sk bulvar bulvari blv apt apartman apartmani daire "
    "sitesi pasaj pasaji plaza rezidans street road avenue lane flat apartment"
)
# Written apart from the number of a table.
PLACE_ENDINGS = frozenset(
    {
        "ten",
        "den",
        "tan",
        "dan",
        "te",
        "de",
        "ta",
        "da",
        "e",
        "a",
        "ye",
        "ya",
        "teyiz",
        "deyiz",
        "dayiz",
        "tayiz",
        "teyim",
        "deyim",
        "dayim",
        "tayim",
    }
)
# Between the word and its number: `masa no 5`.
TABLE_MARKS = frozenset({":", "no", "numara", "numarasi", "number", "nr"})
# To the table, from it: what stands behind counts dishes.
TABLE_BEHIND = frozenset({"masadan", "masaya", "masadayiz", "masadayim", "masasindayiz"})
TABLE_WORDS = frozenset(
    {"masa", "masam", "masamiz", "masadan", "masaya", "masadayiz", "masadayim", "masasindayiz", "table", "tbl", "tisch"}
)
# Behind its number, where nobody says `masa`: `9 numaradayız`.
TABLE_NUMBERS = _words("numaradayiz numaradayim numaraya numarada numaradan numarayiz numaraydi numaraydik numarali")
# Behind a number in letters that tells where somebody sits: `masa beşteyiz`.
SEAT_ENDINGS = (
    "deyiz",
    "dayiz",
    "teyiz",
    "tayiz",
    "deyim",
    "dayim",
    "teyim",
    "tayim",
    "den",
    "dan",
    "ten",
    "tan",
    "de",
    "da",
    "te",
    "ta",
    "ye",
    "ya",
    "e",
    "a",
)

# Real words of kitchens that are never another one misspelt, wherever the menu lacks them.
REAL_FOOD = _words(
    "dana kuzu tavuk balik hindi et sucuk sosis salam jambon karides kalamar midye levrek cipura somon pilic ciger "
    "iskender adana urfa beyti ali nazik kofte doner durum lahmacun pide borek pilav makarna mantı manti corba salata "
    "cacik humus ezme haydari patlican biber domates sogan marul limon maydanoz mantar peynir kasar yogurt yoghurt ayran salgam "
    "kola gazoz soda su cay kahve sut bira raki sarap meyve portakal elma visne nar seftali kayisi karpuz baklava kunefe "
    "sutlac kazandibi dondurma pasta kek kurabiye ekmek lavas pita simit tost kumru kokorec cig tantuni waffle "
    "beef lamb chicken fish turkey ham bacon sausage shrimp prawn squid mussel bass salmon liver burger pizza "
    "pasta rice soup salad bread cheese butter cream milk tea coffee coke cola beer wine water juice orange apple lemon "
    "lime peach cherry cake pie fries chips wrap steak ribs wings kebab kebap falafel hummus egg eggs toast bean beans pea peas "
    "sushi noodle noodles ramen taco tacos burrito hamburger cheeseburger sandwich sandvic hotdog lazanya lasagna whisky whiskey viski "
    "vodka votka gin kokteyl cocktail boza sahlep limonata lemonade milkshake smoothie latte espresso cappuccino "
    "susi patates kizartma nugget tiramisu cheesecake profiterol magnolia krep sufle browni brownie trilece tulumba lokma muhallebi "
    "nescafe mocha americano macchiato frappe fanta sprite pepsi redbull icetea kefir tekila rom likor konyak tonik tequila rum sake "
    "paella risotto gnocchi curry gyros schnitzel biftek bonfile antrikot kavurma kokorec sogus midye pilaki turlu musakka "
    "gozleme pogaca acma dolma bezelye ispanak fasulye nohut bamya enginar kabak quinoa omlet omelette pancake "
    "corn onion garlic tomato pepper mushroom olive olives nuts honey sugar salt ketchup mayo mustard sauce sos"
)

# Answers to a question of ours. The first few say yes to nothing else; the others may be mere politeness.
YES = _words("evet ewet evt yes yep yeah yup aynen dogru elbette correct exactly right")
PERHAPS_YES = _words("olur olsun tamam tmm ok okey okay peki tabi tabii tabiki sure fine 👍 ✅")
NO = _words("hayir hayır yok no nope nah istemem istemiyorum 👎 ❌")
# Which one of a list. `ilki` and `sonuncusu` count from its ends.
ORDINALS: dict[str, int] = {
    "birinci": 1, "birincisi": 1, "birincisini": 1, "ilk": 1, "ilki": 1, "ilkini": 1, "first": 1, "1st": 1,
    "ikinci": 2, "ikincisi": 2, "ikincisini": 2, "second": 2, "2nd": 2,
    "ucuncu": 3, "ucuncusu": 3, "ucuncusunu": 3, "third": 3, "3rd": 3,
    "dorduncu": 4, "dorduncusu": 4, "dorduncusunu": 4, "fourth": 4, "besinci": 5, "besincisi": 5, "fifth": 5,
    "altinci": 6, "altincisi": 6, "sixth": 6, "yedinci": 7, "yedincisi": 7, "seventh": 7, "sekizinci": 8, "eighth": 8,
    "sonuncu": -1, "sonuncusu": -1, "sonuncusunu": -1, "last": -1,
}  # fmt: skip
# They stand around an answer and say nothing: `kıymalı olan`, `I'll go with the lamb`.
ANSWER_FILLERS = _words(
    "olan olani olandan olanini olanindan olanlar olanlardan numara numarali nolu number option secenek onu ondan o ise "
    "tabi tabii tabiki aynen go going pick choose chose mean meant demek demistim diyelim diyorum tercih sectim seciyorum "
    "secelim ones those this yeah yep sure elbette dogru hani"
)
# The guest does without all of it.
DROPS = (
    "vazgectim", "vazgectik", "vazgeciyorum", "vazgecelim", "vazgec", "iptal", "never mind", "nevermind", "forget it",
    "forget about it", "cancel", "bosver", "bosverin", "bos ver", "bos verin", "gerek yok", "gerek kalmadi", "kalsin",
    "istemiyorum", "istemiyoruz",
)  # fmt: skip
BESIDE_DROPS = _words(
    "et edin etmek edelim ediyorum ediniz edebilir edermisiniz eder misiniz siparisi siparisimi siparisimizi siparisten artik "
    "hersey hepsini hepsi her sey tumunu it my the order all everything pardon kusura bakmayin sorry neyse hayir no"
)
ALONE = _words("ayri ayrica alone separate separately own itself tek basina dish")

# A guest calls for the bill, or for somebody to come; and what is said around that.
BILL_WORDS = _words(
    "hesap hesabi hesabim hesabimi hesabimiz hesabimizi adisyon odeme odemek odeyelim odeyebilir bill check cheque pay rechnung zahlen"
)
WAITER_WORDS = _words("garson garsonu garsonumuz garsona waiter waitress kellner")
# Never a dish that is misspelt: a waiter is no water.
NO_FOOD = (
    FILLERS
    | CHANGES_MIND
    | TELLS
    | BILL_WORDS
    | WAITER_WORDS
    | _words(
        "waiters kurye kacar deyiz dayiz teyiz tayiz deyim dayim teyim tayim someone somebody anyone sale sales leave leaving "
        "kurdan pecete pipet catal bicak kasik mendil tuzluk toothpick toothpicks napkin napkins fork forks spoon spoons knife straw straws"
    )
)
CALLS_AROUND = _words(
    "bakar bakarmisiniz bakabilir bakarmisin gelir gelirmisiniz gelebilir gelsin cagir cagirir cagirirmisiniz cagirin "
    "yapalim isteyelim istesek mi mu numara nolu numarali send call come kart kartla nakit ile odeyecegiz odeyecegim odicez odicem card cash by with"
)
