"""What protects players where they sit down and where they pay in: exclusions (P1) and limits."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any

from casino.play.core import commands
from casino.play.exclusions import limits
from casino.play.exclusions import operations as exclusions
from games import history
from games.messages import Voided

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date, datetime

    from casino.house.establishments.models import Establishment
    from casino.house.game_streams.loading import Loaded
    from games.messages import Fact
    from ledger.journal import NewEvent


def admit(  # noqa: PLR0913 - the command, what follows from it, and when
    house: Establishment,
    raw: Mapping[str, Any],
    *,
    facts: Sequence[Fact],
    loaded: Loaded | None,
    new: Mapping[str, str],
    day: date,
    now: datetime,
) -> tuple[dict[str, int], list[NewEvent]]:
    """
    Check that nobody whom a command seats, or who pays in with it, is excluded, and that nobody
    pays in more than they may.

    :param new: players who are not saved yet: name by token.
    :returns: the guards that this depends on, and the events that go with the command.
    :raises Refused: if one of them is excluded, has the name of somebody excluded (P1), or pays in
        too much.
    """
    brought = money_from_players(loaded, facts, day)
    if raw["do"] not in commands.ADMITS and not brought:
        return {}, []
    seen = exclusions.standing(house.pk)
    players = [*commands.players_to_admit(house.pk, raw), *new]
    sits = exclusions.check_seats(house, players, day, new=new, seen=seen)
    guards, events = limits.pay_in(house, brought, day, now=now, seen=seen)
    return {exclusions.STREAM: seen.version, **sits, **guards}, events


def money_from_players(
    loaded: Loaded | None, facts: Sequence[Fact], today: date
) -> Counter[tuple[str, str]]:
    """
    The coins that players bring with what happens, by player and gaming day; the house's own are
    left out. What a void takes back is taken from the day on which it was brought.
    """
    if loaded is None or not any(isinstance(each, Voided) for each in facts):
        return _sums_by_player((each, today) for each in facts)
    known = [each.provenance.gaming_day for each in loaded.events]
    days = [*known, *(today for _ in facts)]
    after = history.live(enumerate(chain(loaded.facts, facts), 1))
    brought = _sums_by_player((fact, days[number - 1]) for number, fact in after)
    brought.subtract(_sums_by_player((fact, days[number - 1]) for number, fact in loaded.live))
    return brought


def _sums_by_player(dated: Iterable[tuple[Fact, date]]) -> Counter[tuple[str, str]]:
    brought: Counter[tuple[str, str]] = Counter()
    for fact, day in dated:
        for player, amount, house in fact.buy_ins:
            if not house:
                brought[player, day.isoformat()] += amount
    return brought
