"""
Suggests known players by the first letters of a name, to whoever seats people.

It never lists everybody: with fewer than two letters only players who sat at this table lately are
searched, so that no page shows all names of a house. Excluded players are left out (P1), and erased
names cannot be found.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from casino.exclusions import operations as exclusions
from casino.platform import lookalikes
from casino.pseudonyms.models import FIRST, FirstLetters, Player

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date
    from uuid import UUID

OFFERED_MOST: Final = 8  # people can find one of so many buttons at a glance
MARKS: Final = frozenset({"'", "\u2019", "-", ".", " "})
"""What may stand before or between the first two letters of a name: 't Hooft, D'Angelo."""


@dataclass(frozen=True, slots=True)
class Regular:
    """
    A player with the name that the house knows.

    :param lately: whether they sat at this table lately.
    """

    token: str
    name: str
    lately: bool


def offered(
    establishment: UUID,
    letters: str,
    *,
    lately: Sequence[str],
    seated: Iterable[str] = (),
    day: date,
) -> list[Regular]:
    """
    At most eight players who match the letters, those who sat at the table lately first.

    :param letters: what was typed; with fewer than two letters only `lately` is searched.
    :param lately: tokens, the latest first; found by any word of their name.
    :param seated: tokens of players who sit there now; they are not suggested.
    :param day: the gaming day on which the player would be seated.

    It takes at most three queries: names, exclusions, and the names of excluded players.
    """
    sought = lookalikes.read(letters)
    names = _names(establishment, letters, lately)
    order = [token for token in lately if token in names and _means(names[token], sought)]
    if len(letters.strip()) >= FIRST:
        known = set(order)
        starting = [
            token
            for token, name in names.items()
            if token not in known and lookalikes.read(name).startswith(sought)
        ]
        order += sorted(starting, key=lambda token: lookalikes.read(names[token]))
    away = set(seated)
    order = [token for token in order if token not in away]
    # More players than are shown are looked at, so that an excluded one leaves no gap.
    likely = order[: 2 * OFFERED_MOST]
    barred = {hit.named for hit in exclusions.hits(establishment, likely, day)[0]}
    free = [token for token in likely if token not in barred][:OFFERED_MOST]
    recent = set(lately)
    return [Regular(token, names[token], token in recent) for token in free]


def called(establishment: UUID, letters: str, most: int) -> list[tuple[str, str]]:
    """
    Token and name of players whose name begins with letters, excluded ones too, in one query.

    With fewer than two letters nobody is found, so that no page shows all names of a house.
    """
    sought = lookalikes.read(letters)
    if not sought or not spellings(letters):
        return []
    found = [
        (token, name)
        for token, name in _names(establishment, letters, ()).items()
        if lookalikes.read(name).startswith(sought)
    ]
    return sorted(found, key=lambda one: lookalikes.read(one[1]))[:most]


def namesakes(establishment: UUID, names: Mapping[str, str]) -> dict[str, list[str]]:
    """
    For each given player, the other players of the house with names that look the same.

    :param names: names by token.
    :returns: the names of the others, by token; a player without namesakes is left out.
    """
    alike = lookalikes.namesakes(beside(establishment, names))
    return {token: alike[token] for token in names if token in alike}


def beside(establishment: UUID, names: Mapping[str, str]) -> dict[str, str]:
    """
    The given names, and those of the house that may look like one of them, by token.

    This takes one query, by all spellings that look the same of the first letters of each word, as
    words may stand in another order. Players whose first letters differ only by an accent are found
    only if they are among the given ones.
    """
    known = dict(names)
    words = [
        " ".join(each.split()[at:]) for each in names.values() for at in range(len(each.split()))
    ]
    if starts := {each for name in words for each in spellings(name) or _as_typed(name.strip())}:
        rows = Player.objects.filter(establishment_id=establishment, name__isnull=False)
        found = rows.alias(first=FirstLetters("name")).filter(first__in=starts)
        known.update((token, name or "") for token, name in found.values_list("token", "name"))
    return known


def _means(name: str, sought: str) -> bool:
    """Whether the name, from the beginning of any of its words on, begins with what is sought."""
    words = name.split()
    return any(
        lookalikes.read("".join(words[place:])).startswith(sought) for place in range(len(words))
    )


def _names(establishment: UUID, letters: str, tokens: Iterable[str]) -> dict[str, str]:
    """The names that begin with letters, and those of tokens, in one query that uses the index."""
    rows = Player.objects.filter(establishment_id=establishment, name__isnull=False)
    found = rows.filter(token__in=set(tokens))
    if starts := spellings(letters):
        found |= rows.alias(first=FirstLetters("name")).filter(first__in=starts)
    return {token: name or "" for token, name in found.values_list("token", "name")}


def spellings(letters: str) -> list[str]:
    """All spellings of the first two letters that look the same; empty for fewer letters."""
    typed = unicodedata.normalize("NFC", lookalikes.unmarked(letters).strip())
    if len(typed) < FIRST:
        return []
    one, two = typed[0], typed[1]
    seconds = _as_typed(two) | MARKS
    firsts = _as_typed(one)
    begins = {(a + b)[:FIRST] for a in firsts for b in seconds}
    return sorted(begins | {(mark + a)[:FIRST] for mark in MARKS for a in firsts})


def _as_typed(letter: str) -> set[str]:
    """
    A letter, small and capital, and every letter that looks like either of them.

    So namesakes are found together.
    """
    return {each for form in (letter.lower(), letter.upper()) for each in lookalikes.alike(form)}
