# ruff: noqa: RUF001, RUF002 - letters that are taken for others are what this is about
"""
Letters of other scripts, and digits, that look like a Latin letter: two names that only they tell
apart are one to the eye.

Letter by letter from Unicode's confusables (UTS 39, https://www.unicode.org/Public/security/
latest/confusables.txt): of Greek, Cyrillic, Armenian and the rest of Latin what looks like one
letter of a Latin keyboard. Capitals and small letters apart, for В looks like B and в like neither.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

Key = TypeVar("Key")

CYRILLIC: Final = dict(
    zip(
        "ЅІЈАВЕКМНОРСТУХЬагеорсухѕіјѡѴѵҮүһҽӀӏԁԌԛԜԝ",
        "SIJABEKMHOPCTYXbareopcyxsijwVvYyhelidGqWw",
        strict=True,
    )
)
GREEK: Final = dict(zip("ͿΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγινορσυϜϳϺ", "JABEZHIKMNOPTYXayivopouFjM", strict=True))
ARMENIAN: Final = dict(zip("ՍՏՕագզհոռսցքօ", "USOwqqhnnugfo", strict=True))
LATIN: Final = dict(zip("ıƄƍƖƦƽǀ", "ibglRsl", strict=True))
DIGITS: Final = {"0": "o", "1": "l"}
LETTERS: Final = {**CYRILLIC, **GREEK, **ARMENIAN, **LATIN}
LOOKS_LIKE: Final = {**LETTERS, **DIGITS}
_PLAIN: Final = str.maketrans(LETTERS)
_BY_SHAPE: Final = str.maketrans("I10", "llo")
SHAPES: Final = ("Il1", "Oo0")
_IN_A_WORD: Final = re.compile(r"(?<=[^\W\d_])[01]|[01](?=[^\W\d_])")
"""A digit beside a letter; that of "Table 1" is a number."""
_UNSEEN: Final = frozenset({"Mn", "Me", "Cf", "Zs"})
"""Accents, joiners and variation selectors, spaces."""


def alike(letter: str) -> list[str]:
    """The letter, and all that look like it."""
    latin = LOOKS_LIKE.get(letter, letter)
    shapes = {latin, *(each for shape in SHAPES if latin in shape for each in shape)}
    return sorted(shapes | {each for each, like in LOOKS_LIKE.items() if like in shapes})


def read(name: str) -> str:
    """
    What is left of a name without capitals, spaces, accents and width, and in Latin letters where
    another script's look the same: for comparing only.
    """
    return _folded(_plain(name))


def readings(name: str) -> frozenset[str]:
    """Without capitals; and by shape, where the I of Ida is the l of lda. For comparing only."""
    plain = _plain(name)
    return frozenset({_folded(plain), _folded(plain.translate(_BY_SHAPE))})


def namesakes(names: Mapping[Key, str]) -> dict[Key, list[str]]:
    """
    For each whose name is one to the eye with another's: those others' names, in order.

    :param names: by whatever tells apart who or what has them.
    """
    reads: dict[str, set[Key]] = defaultdict(set)
    for key, name in names.items():
        for reading in readings(name):
            reads[reading].add(key)
    found = {}
    for key, name in names.items():
        others = set[Key]().union(*(reads[reading] for reading in readings(name))) - {key}
        if others:
            found[key] = sorted(names[each] for each in others)
    return found


def borrowed(name: str) -> list[str]:
    """Letters of it that look like one of a Latin keyboard and are none: "А U+0410"."""
    return [f"{each} U+{ord(each):04X}" for each in dict.fromkeys(name) if each in LETTERS]


def _plain(name: str) -> str:
    latin = unicodedata.normalize("NFKD", name).translate(_PLAIN)
    return _IN_A_WORD.sub(lambda digit: DIGITS[digit[0]], latin)


def _folded(plain: str) -> str:
    if plain.isascii():
        return plain.casefold().replace(" ", "")
    letters = unicodedata.normalize("NFKD", plain.casefold())
    kept = (each for each in letters if unicodedata.category(each) not in _UNSEEN)
    return unicodedata.normalize("NFKC", "".join(kept)).casefold()
