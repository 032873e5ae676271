"""Players of a house whose names may look like a given one, found by the first letters of words."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from casino.house.attendants.pseudonyms.models import FIRST, FirstLetters, Player
from casino.words.languages import names as lookalikes

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

MARKS: Final = frozenset({"'", "\u2019", "-", ".", " "})
"""What may stand before or between the first two letters of a name: 't Hooft, D'Angelo."""


def add_similar(establishment: UUID, names: Mapping[str, str]) -> dict[str, str]:
    """
    The given names, and those of the house that may look like one of them, by token.

    This takes one query, by all spellings that look the same of the first letters of each word, as
    words may stand in another order. Players whose first letters differ only by an accent are found
    only if they are among the given ones.
    """
    known = dict(names)
    words = [
        " ".join(parts[at:])
        for each in names.values()
        for parts in (each.split(), lookalikes.words_of_name(each))
        for at in range(len(parts))
    ]
    if starts := {
        each for name in words for each in spellings(name) or _letter_forms(name.strip())
    }:
        rows = Player.objects.filter(establishment_id=establishment, name__isnull=False)
        found = rows.alias(first=FirstLetters("name")).filter(first__in=starts)
        known.update((token, name or "") for token, name in found.values_list("token", "name"))
    return known


def spellings(letters: str) -> list[str]:
    """All spellings of the first two letters that look the same; empty for fewer letters."""
    typed = unicodedata.normalize("NFC", lookalikes.without_marks(letters).strip())
    if len(typed) < FIRST:
        return []
    one, two = typed[0], typed[1]
    seconds = _letter_forms(two) | MARKS
    firsts = _letter_forms(one)
    begins = {(a + b)[:FIRST] for a in firsts for b in seconds}
    begins |= _umlauts_first(typed)
    return sorted(begins | {(mark + a)[:FIRST] for mark in MARKS for a in firsts})


def _umlauts_first(typed: str) -> set[str]:
    """How another spelling of a name begins that begins with ö, or with oe for it."""
    out = lookalikes.with_ue(typed[0])
    begins = {a + b for a in (out[0], out[0].upper()) for b in out[1:]}
    if len(typed) > FIRST:
        thirds = _letter_forms(typed[FIRST]) | MARKS
        begins |= {a + b for a in lookalikes.umlauts(typed[:FIRST]) for b in thirds}
    return begins


def _letter_forms(letter: str) -> set[str]:
    """
    A letter, small and capital, every letter that looks like either of them, and u for ü.

    So namesakes are found together, and other spellings.
    """
    forms = {letter.lower(), letter.upper()} | lookalikes.other_spellings(letter)
    return {each for form in forms for each in lookalikes.alike(form)}
