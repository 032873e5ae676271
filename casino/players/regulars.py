"""
Who the house knows, by the first letters of a name: offered to whoever seats people.

Never everybody: without two letters only those who were asked for by name of the table stand here,
so that no page lists the names of a house. Who may not be seated is left out (P1), and an erased
name has no letters left.
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

OFFERED_MOST: Final = 8  # a finger finds one of so many at a glance


@dataclass(frozen=True, slots=True)
class Regular:
    """A player by the name that the house calls them; `lately`: they sat at this table."""

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
    At most eight players whom these letters may mean, those who sat there lately first.

    :param letters: what was typed; under two letters only `lately` is looked through.
    :param lately: tokens, the latest first; found by any word of their name.
    :param seated: tokens of who sits there now: nobody needs to be offered them.
    :param day: the gaming day on which they would be seated.

    At most three queries: names, exclusions, and the names of who is excluded.
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
    # A few are looked at beyond those shown, so that one who is excluded leaves no gap.
    likely = order[: 2 * OFFERED_MOST]
    barred = {hit.named for hit in exclusions.hits(establishment, likely, day)[0]}
    free = [token for token in likely if token not in barred][:OFFERED_MOST]
    recent = set(lately)
    return [Regular(token, names[token], token in recent) for token in free]


def namesakes(establishment: UUID, names: Mapping[str, str]) -> dict[str, list[str]]:
    """
    Of these players, by token: whoever else of the house has a name that looks the same.

    One query, by the first letters of each in all ways that look so; of those whose first letters
    an accent alone tells apart, only who is among these.
    """
    known = dict(names)
    if starts := {
        each for name in names.values() for each in spellings(name) or _as_typed(name.strip())
    }:
        rows = Player.objects.filter(establishment_id=establishment, name__isnull=False)
        found = rows.alias(first=FirstLetters("name")).filter(first__in=starts)
        known.update((token, name or "") for token, name in found.values_list("token", "name"))
    alike = lookalikes.namesakes(known)
    return {token: alike[token] for token in names if token in alike}


def _means(name: str, sought: str) -> bool:
    """Whether any word of the name begins so."""
    words = name.split()
    return any(
        lookalikes.read("".join(words[place:])).startswith(sought) for place in range(len(words))
    )


def _names(establishment: UUID, letters: str, tokens: Iterable[str]) -> dict[str, str]:
    """Names that begin with these letters, and those of the tokens; the index serves both."""
    rows = Player.objects.filter(establishment_id=establishment, name__isnull=False)
    found = rows.filter(token__in=set(tokens))
    if starts := spellings(letters):
        found |= rows.alias(first=FirstLetters("name")).filter(first__in=starts)
    return {token: name or "" for token, name in found.values_list("token", "name")}


def spellings(letters: str) -> list[str]:
    """The first two letters in all ways that look so; none, where there are not two."""
    typed = unicodedata.normalize("NFC", letters.strip())
    if len(typed) < FIRST:
        return []
    one, two = typed[0], typed[1]
    return sorted({(a + b)[:FIRST] for a in _as_typed(one) for b in _as_typed(two)})


def _as_typed(letter: str) -> set[str]:
    """Small and capital, and whatever looks like either: namesakes stand beside each other."""
    return {each for form in (letter.lower(), letter.upper()) for each in lookalikes.alike(form)}
