"""
Suggests known players by the first letters of a name, to whoever seats people.

It never lists everybody: with fewer than two letters only players who sat at this table lately are
searched, so that no page shows all names of a house. Excluded players are left out (P1), and erased
names cannot be found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from casino.house.attendants.pseudonyms import similar_names
from casino.house.attendants.pseudonyms.models import FIRST, FirstLetters, Player
from casino.play.exclusions import operations as exclusions
from casino.words.languages.text import lookalikes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date
    from uuid import UUID

OFFERED_MOST: Final = 8  # people can find one of so many buttons at a glance


@dataclass(frozen=True, slots=True)
class Regular:
    """
    A player with the name that the house knows.

    :param lately: whether they sat at this table lately.
    """

    token: str
    name: str
    lately: bool


def suggest(
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


def names_beginning_with(establishment: UUID, letters: str, most: int) -> list[tuple[str, str]]:
    """
    Token and name of players whose name begins with letters, excluded ones too, in one query.

    With fewer than two letters nobody is found, so that no page shows all names of a house.
    """
    sought = lookalikes.read(letters)
    if not sought or not similar_names.spellings(letters):
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
    alike = lookalikes.namesakes(similar_names.add_similar(establishment, names))
    return {token: alike[token] for token in names if token in alike}


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
    if starts := similar_names.spellings(letters):
        found |= rows.alias(first=FirstLetters("name")).filter(first__in=starts)
    return {token: name or "" for token, name in found.values_list("token", "name")}
