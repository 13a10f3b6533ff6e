"""Which language is a text in? Told from its script, and in the Latin script from its most common words.

Rules for English give wrong numbers on other languages without a word. This guess is what stops them. It is careful:
where the text is short or mixed it says nothing, and what it says names a language only where that language's letters
or words clearly prevail.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from itertools import islice

from gecval.errors import InputError

SENTENCES = 1000  # enough to tell, and quick
FEWEST_WORDS = 20  # below, a text in the Latin script may be anything
PREVAILS = 0.5  # the share of letters that a script must have
COMMON = 0.12  # the share of words that must be among a language's most common ones
MARGIN = 1.3  # how many times as many as in the next language
DIFFERENT = 5  # of a language's most common words; one or two letters say nothing

# The first word of a letter's Unicode name is its script; scripts of one language or nearly so.
SCRIPTS = {
    "ARABIC": "ar",
    "ARMENIAN": "hy",
    "BENGALI": "bn",
    "CJK": "zh",
    "CYRILLIC": "ru",
    "DEVANAGARI": "hi",
    "GEORGIAN": "ka",
    "GREEK": "el",
    "HANGUL": "ko",
    "HEBREW": "he",
    "HIRAGANA": "ja",
    "TAMIL": "ta",
    "THAI": "th",
}
# Letters that one language of a script has and the usual one does not.
LETTERS = {"uk": "іїєґ", "be": "ў", "sr": "ђјљњћџ", "mk": "ѓќѕ", "fa": "پچژگ", "ur": "ٹڈڑںے"}
KANA = 0.1  # how many kana there are in Japanese, at least, for each kanji
FEW_LETTERS = 0.005  # the share of such letters from which they tell

WORDS = {
    "cs": "a v je se na to že s z do i o k si jsem ale jako za by které když jsme nebo tak také pro byl jeho být",
    "da": "og i at det er en til på som af for med de ikke den jeg et var kan har fra om vil eller men også der blev",
    "de": "der die und in zu den das nicht von sie ist des sich mit dem dass er es ein ich auf so eine auch als an",
    "en": "the of and to a in is that it for was on are as with be at by this have from or his they not but which you",
    "es": "de la que el en y a los se del las un por con no una su para es al lo como más pero sus le ya o este muy",
    "et": "ja on ei et ta see oli kui ma ka mis aga oma nii siis mina me kõik nad seda või välja väga üks ning selle",
    "fi": "ja on ei että se oli hän mutta ovat kun niin myös joka tai minä sitä mitä olen jos kuin ole vain hänen sen",
    "fr": "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont je avec mais",
    "hr": "i je u se na da su za od a s koji o kao što biti sam ali bio ili ne nije ja po to koja do iz njegov te",
    "hu": "a az és hogy nem is egy van de meg ez volt azt csak ha már mint vagy én ki el még mert fel minden nagyon",
    "it": "di e che la il in a per un è non una sono del si con le i da come ma anche della al più gli alla nel lo",
    "lt": "ir yra kad su į iš tai bet kaip o jis buvo ne ar aš jo apie dėl per mano labai jei taip kai nuo tik savo",
    "lv": "un ir ar uz no ka par tas kā bet viņš es bija to ko vai pie tā man mēs lai kas ļoti arī tikai var savu",
    "nb": "og i det er en til på som av for med de ikke den jeg et var kan har fra om vil eller men også der ble seg",
    "nl": "de van het een en in is dat op te zijn voor met die niet aan er om ook als dan maar bij uit hij ik naar was",
    "pl": "w i na z się do to nie że jest o jak za od po przez ale co tak dla jego był tym są może już lub być przy",
    "pt": "de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele das à seu sua ou",
    "ro": "de și în a la cu care pe nu este un o că din mai se pentru sau au să ca fi dar fost ce sunt am o lui al",
    "sk": "a v je sa na to že s z do i o k si som ale ako za by ktoré keď sme alebo tak tiež pre bol jeho byť",
    "sl": "in je v se na da so za ki pa z kot tudi po ne bi od sem o ali bil ni s do pri ter še kar jih smo",
    "sv": "och i att det som en på är av för med den till inte har jag de ett var om så vi kan man men eller från",
    "tr": "ve bir bu da de için çok ile ne o ben daha gibi olarak kadar ama en var her sonra olan değil mi ki ya",
}
COMMON_WORDS = {language: frozenset(words.split()) for language, words in WORDS.items()}

# The scripts of each language that we know.
SCRIPTS_OF = {
    **{language: {"LATIN"} for language in WORDS},
    **{language: {script} for script, language in SCRIPTS.items()},
    **{language: {"CYRILLIC"} for language in ("uk", "be", "mk")},
    "sr": {"CYRILLIC", "LATIN"},
    **{language: {"ARABIC"} for language in ("fa", "ur")},
    "ja": {"HIRAGANA", "CJK"},
}
SCRIPTS_OF_ALL = frozenset().union(*SCRIPTS_OF.values())
FEWEST_LETTERS = 8  # of a script, from which a text is not merely quoting

NAMES = {
    "ar": "Arabic", "be": "Belarusian", "bn": "Bengali", "cs": "Czech", "da": "Danish", "de": "German",
    "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian", "fa": "Persian", "fi": "Finnish",
    "fr": "French", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian",
    "it": "Italian", "ja": "Japanese", "ka": "Georgian", "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian",
    "mk": "Macedonian", "nb": "Norwegian", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
    "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish", "ta": "Tamil",
    "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "zh": "Chinese",
}  # fmt: skip


def language_name(code: str) -> str:
    """The English name of a language, or its code where we know no name.

    >>> language_name("uk"), language_name("xx")
    ('Ukrainian', 'xx')
    """
    return NAMES.get(code, code)


def language_code(text: str) -> str:
    """The code of a language that a user names: ``en``, ``EN``, ``en-GB`` and ``English`` are all ``en``.

    >>> language_code("en_US"), language_code("Ukrainian")
    ('en', 'uk')
    """
    by_name = {name.lower(): code for code, name in NAMES.items()}
    cleaned = text.strip().lower()
    code = by_name.get(cleaned, re.split(r"[-_]", cleaned)[0])
    if not re.fullmatch(r"[a-z]{2,3}", code):
        raise InputError(f"{text!r} is no language; give a code such as en or uk", parameter="language")
    return code


def guess_language(texts: Iterable[str]) -> str | None:
    """The code of the language that most of the texts are in.

    Parameters
    ----------
    texts
        Sentences; the first ones are enough.

    Returns
    -------
    str or None
        A code such as ``en``; None where the language is not clear.

    Examples
    --------
    >>> guess_language(["Він пішов додому .", "Це дуже добре , що ти прийшов ."])
    'uk'
    >>> guess_language(["a b c d"]) is None
    True
    """
    text = " ".join(islice(texts, SENTENCES)).lower()
    letters = Counter(character for character in text if character.isalpha())
    script, most = _prevailing(letters)
    if script is None:
        return None
    if script == "LATIN":
        return _by_words(text)
    if script not in SCRIPTS or most < FEWEST_WORDS:
        return None
    for language, own in LETTERS.items():
        if sum(letters[letter] for letter in own) > FEW_LETTERS * most:
            return language
    return SCRIPTS[script]


def in_another_script(texts: Iterable[str], language: str) -> bool:
    """Whether texts, short as they may be, are written in letters that a language does not have.

    >>> in_another_script(["Він пішов додому"], "en"), in_another_script(["Er ging heim"], "en")
    (True, False)
    """
    text = " ".join(islice(texts, SENTENCES)).lower()
    script, most = _prevailing(Counter(character for character in text if character.isalpha()))
    known = SCRIPTS_OF.get(language)
    return known is not None and script in SCRIPTS_OF_ALL and script not in known and most >= FEWEST_LETTERS


def language_of_script(texts: Iterable[str]) -> str | None:
    """The language that mostly has the letters of texts, short as they may be; None for letters of many languages.

    >>> language_of_script(["我是学生"]), language_of_script(["Er ging heim"])
    ('zh', None)
    """
    text = " ".join(islice(texts, SENTENCES)).lower()
    script, _ = _prevailing(Counter(character for character in text if character.isalpha()))
    return SCRIPTS.get(script or "")


def _prevailing(letters: Counter[str]) -> tuple[str | None, int]:
    """The script that most letters are of, and how many; None where there is none."""
    scripts: Counter[str] = Counter()
    for letter, count in letters.items():
        scripts[unicodedata.name(letter, "").partition(" ")[0]] += count
    if not letters:
        return None, 0
    # Japanese mixes three scripts; Chinese has no kana at all.
    kana = scripts.pop("HIRAGANA", 0) + scripts.pop("KATAKANA", 0)
    if kana > KANA * scripts["CJK"]:
        scripts["HIRAGANA"] = kana + scripts.pop("CJK", 0)
    script, most = scripts.most_common(1)[0]
    return (script, most) if most >= PREVAILS * letters.total() else (None, most)


def _by_words(text: str) -> str | None:
    words = Counter(re.findall(r"[^\W\d_]+", text))
    total = words.total()
    if total < FEWEST_WORDS:
        return None
    shares = {language: sum(map(words.__getitem__, common)) / total for language, common in COMMON_WORDS.items()}
    (first, best), (_, second) = sorted(shares.items(), key=lambda item: -item[1])[:2]
    different = len(COMMON_WORDS[first] & words.keys())
    return first if best >= COMMON and best >= MARGIN * second and different >= DIFFERENT else None
