# ruff: noqa: RUF001, RUF002 - letters that are taken for others are what this is about
"""
Names that people type: fields for them, and look-alike letters (homoglyphs) by which two names
differ and look the same.

Letter by letter from Unicode's confusables (UTS 39, https://www.unicode.org/Public/security/
latest/confusables.txt): those letters of Greek, Cyrillic, Armenian and the rest of Latin that look
like one letter of a Latin keyboard. Capitals and small letters are separate, for В looks like B and
в like neither.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, TypeVar

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import characters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

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
"""A digit beside a letter; the digit in "Table 1" is a number and does not match."""
_UNSEEN: Final = frozenset({"Mn", "Me", "Cf", "Zs"})
"""Unicode categories: accents, joiners and variation selectors, spaces."""
_STRETCHES: Final = frozenset("\u0640\u07fa\u180a")
"""What only makes a word longer: tatweel of Arabic, lajanyalan of N'Ko, nirugu of Mongolian."""
_MARKS: Final = re.compile(
    "(?<![0-9])['`\u00b4\u02b9-\u02bf\u2018-\u201b\u2032\uff07.\u00b7\u2024\u30fb\uff0e"
    "\\-\u2010-\u2015\u2212\ufe63\uff0d](?![0-9])"
)
"""Apostrophes, full stops and hyphens, as between D'Angelo's letters; not those of numbers."""
_WRITTEN_OUT: Final = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae", "œ": "oe"}
)


def alike(letter: str) -> list[str]:
    """The letter itself and all letters that look like it."""
    latin = LOOKS_LIKE.get(letter, letter)
    shapes = {latin, *(each for shape in SHAPES if latin in shape for each in shape)}
    return sorted(shapes | {each for each, like in LOOKS_LIKE.items() if like in shapes})


def read_name(name: str) -> str:
    """
    The name without capitals, spaces, accents, width, stretches, apostrophes, hyphens and full
    stops, with Latin letters in place of those of other scripts that look the same. For comparing
    only.
    """
    return _fold(_plain(name))


def readings(name: str) -> frozenset[str]:
    """
    The name as `read` gives it, and by shape, where the I of Ida equals the l of lda. For comparing
    only.
    """
    plain = _plain(name)
    return frozenset({_fold(plain), _fold(plain.translate(_BY_SHAPE))})


def without_marks(name: str) -> str:
    """The name without apostrophes, hyphens and full stops; one of nothing else stays as it is."""
    return _MARKS.sub("", name) or name


def maybe(name: str) -> frozenset[str]:
    """
    The name as `read` gives it, with Müller as Mueller and its words in the order of the alphabet;
    and the same with D'Angelo as two words. Names that share one of these may be the same person,
    and may be two. For showing only, never for refusing.
    """
    composed = with_ue(unicodedata.normalize("NFC", name)).replace(",", " ")
    spellings = (composed.split(), words_of_name(composed))
    return frozenset("".join(sorted(map(read_name, each))) for each in spellings)


def words_of_name(name: str) -> list[str]:
    """The words of a name, also those that an apostrophe, a hyphen or a full stop divides."""
    return _MARKS.sub(" ", name).split()


def with_ue(name: str) -> str:
    """The name in small letters, with ue for ü."""
    return name.casefold().translate(_WRITTEN_OUT)


def umlauts(letters: str) -> list[str]:
    """The letters that two letters are written for, small and capital: ö and ø for oe."""
    found = [chr(each) for each, out in _WRITTEN_OUT.items() if out == letters.casefold()]
    return [*found, *map(str.upper, found)]


def other_spellings(letter: str) -> set[str]:
    """What may stand in the letter's place in the other spelling: u for ü, ä, å or æ for a."""
    small = letter.lower()
    same = {chr(each) for each, out in _WRITTEN_OUT.items() if out[0] == small}
    found = same | {small.translate(_WRITTEN_OUT)[0]}
    return found | {each.upper() for each in found}


def namesakes(names: Mapping[Key, str]) -> dict[Key, list[str]]:
    """
    For each name that looks like another: the other names, sorted.

    :param names: by a key that identifies who or what has the name.
    """
    return _sharing(names, readings)


def perhaps_the_same(names: Mapping[Key, str]) -> dict[Key, list[str]]:
    """For each name that `maybe` another is, but that looks otherwise: those others."""
    looking = namesakes(names)
    found = {
        key: [other for other in others if other not in looking.get(key, ())]
        for key, others in _sharing(names, maybe).items()
    }
    return {key: others for key, others in found.items() if others}


def _sharing(
    names: Mapping[Key, str], readings_of: Callable[[str], Iterable[str]]
) -> dict[Key, list[str]]:
    reads: dict[str, set[Key]] = defaultdict(set)
    for key, name in names.items():
        for reading in readings_of(name):
            reads[reading].add(key)
    found = {}
    for key, name in names.items():
        others = set[Key]().union(*(reads[reading] for reading in readings_of(name))) - {key}
        if others:
            found[key] = sorted(names[each] for each in others)
    return found


def foreign_lookalikes(name: str) -> list[str]:
    """Letters of a name that look like one of a Latin keyboard but are none: "А U+0410"."""
    return [f"{each} U+{ord(each):04X}" for each in dict.fromkeys(name) if each in LETTERS]


def _plain(name: str) -> str:
    latin = unicodedata.normalize("NFKD", without_marks(name)).translate(_PLAIN)
    return _IN_A_WORD.sub(lambda digit: DIGITS[digit[0]], latin)


def _fold(plain: str) -> str:
    if plain.isascii():
        return plain.casefold().replace(" ", "")
    letters = unicodedata.normalize("NFKD", plain.casefold())
    kept = (
        each
        for each in letters
        if unicodedata.category(each) not in _UNSEEN and each not in _STRETCHES
    )
    return unicodedata.normalize("NFKC", "".join(kept)).casefold()


# Fields for names that people read: of houses, tables, tablets, dice and each other.


if TYPE_CHECKING:
    CharField = models.CharField[str, str]
else:
    CharField = models.CharField


def visible(name: str) -> None:
    """
    Refuse a name with invisible characters, by the same rule as for players
    (`games.characters.invisible`): characters that turn the direction of writing, or have no width,
    make one name look like another.
    """
    if (unseen := characters.invisible(name)) is not None:
        raise ValidationError(
            _("No name has %(character)s in it: nobody sees it."),
            code="invisible",
            params={"character": characters.name_character(unseen)},
        )


class NameField(CharField):
    """A model field for text in composed form (NFC): keyboards write a letter in different ways."""

    default_validators = [*CharField.default_validators, visible]

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return unicodedata.normalize("NFC", text) if isinstance(text, str) else text

    def deconstruct(self) -> Any:
        """Show migrations an ordinary Django column: what it accepts does not concern the table."""
        name, _path, arguments, options = super().deconstruct()
        return name, "django.db.models.CharField", arguments, options
