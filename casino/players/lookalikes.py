# ruff: noqa: RUF001, RUF002 - letters that are taken for others are what this is about
"""
Letters of other scripts, and digits, that look like a Latin letter: two names that only they tell
apart are one to the eye.

Chosen from Unicode's confusables (UTS 39, https://www.unicode.org/Public/security/16.0.0/
confusables.txt): of Cyrillic and Greek what a Latin keyboard's letter is taken for in a usual
typeface. Capitals and small letters apart, for В looks like B and в like neither.
"""

from __future__ import annotations

import re
from typing import Final

CYRILLIC: Final = dict(
    zip("АВЕЅІЈКМНОРСТУХԚԜаеѕіјорсухһԁԛԝ", "ABESIJKMHOPCTYXQWaesijopcyxhdqw", strict=True)
)
GREEK: Final = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαινρυ", "ABEZHIKMNOPTYXoaivpu", strict=True))
DIGITS: Final = {"0": "o", "1": "l"}
LOOKS_LIKE: Final = {**CYRILLIC, **GREEK, **DIGITS}
_PLAIN: Final = str.maketrans({**CYRILLIC, **GREEK})
_IN_A_WORD: Final = re.compile(r"(?<=[^\W\d_])[01]|[01](?=[^\W\d_])")
"""A digit beside a letter; that of "Table 1" is a number."""


def plain(name: str) -> str:
    """The name as the eye reads it: in Latin letters wherever one of them looks the same."""
    return _IN_A_WORD.sub(lambda digit: DIGITS[digit[0]], name.translate(_PLAIN))


def alike(letter: str) -> list[str]:
    """The letter, and all that look like it."""
    latin = LOOKS_LIKE.get(letter, letter)
    return [latin, *(each for each, like in LOOKS_LIKE.items() if like == latin)]
