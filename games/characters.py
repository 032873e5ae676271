"""Characters in names and texts: which can be stored, which are invisible, what each is called."""

import re
import unicodedata


def writable(char: str) -> bool:
    """
    Whether a character can be stored: half a surrogate pair has no UTF-8, and no database's text
    holds NUL.
    """
    return char != "\0" and unicodedata.category(char) != "Cs"


CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
"""What no text from outside may have: control characters but tab and line ends, and halves."""


def invisible(name: str) -> str | None:
    """
    The first invisible character of a name, which no name may have; None if there is none.
    Invisible are control and format characters (which change the direction of writing or have no
    width), line and paragraph separators, halves of surrogate pairs, unassigned and private
    characters, blanks, joiners of any script, and variation selectors.

    Allowed is what a script is written with: the joiners ZWNJ and ZWJ within a word, and a
    variation selector after a character that has variants (a sign, as text or as an emoji; a Han
    character, as a family writes it).
    """
    if PLAIN.fullmatch(name):
        return None
    for before, char, after in zip(f" {name}", name, f"{name[1:]} ", strict=False):
        joins = char in JOINERS and joins_letters(before) and joins_letters(after)
        chooses = is_among(SELECTORS, char)
        unseen = unicodedata.category(char) in UNSEEN or char in BLANKS or is_joiner(char)
        if (unseen or chooses) and not joins and not (chooses and has_variants(before)):
            return char
    return None


PLAIN = re.compile("[ -~]*")
UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
BLANKS = frozenset(
    "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U00013441\U00013442\U00016fe4\U0001d159"
)
"""Characters that are letters or signs by their category, but show nothing."""
JOINERS = frozenset("\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}")
SELECTORS = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
"""Variation selectors: Mongolian, for signs, and for Han characters (UTS 37)."""
VARIED = (range(0x1820, 0x18AB), range(0x3400, 0xA000), range(0x20000, 0x32000))
"""Letters that have variants: Mongolian letters and Han characters."""
JOINED = range(0x0600, 0x1900)  # scripts with joiners: Arabic to Mongolian, those of India too


def joins_letters(char: str) -> bool:
    return ord(char) in JOINED and unicodedata.category(char)[0] in "LM"


def is_joiner(char: str) -> bool:
    """Whether Unicode calls it a joiner: marks of some scripts are, that show nothing either."""
    return unicodedata.name(char, "").endswith("JOINER")


def is_among(ranges: tuple[range, ...], char: str) -> bool:
    return any(ord(char) in each for each in ranges)


def has_variants(char: str) -> bool:
    return unicodedata.category(char) in {"So", "Sm"} or is_among(VARIED, char)


def name_character(char: str) -> str:
    """A character for an error message: "U+202E (right-to-left override)"."""
    name = unicodedata.name(char, "a control character").lower()
    return f"U+{ord(char):04X} ({name})"
