"""
What had become of payouts at a position of the ledger, and why they were made.

As they are now, where nothing happened in their games since; else what happened is read again in
order, up to the position, as `casino.play.projections` takes it in.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _

from casino.payouts.explained import of_no_end, reason
from casino.play.accounts import stake
from casino.play.holding import Payout as Place
from casino.play.loading import Told, told_all
from casino.play.models import Payout
from casino.play.settled import REVERSED
from games.messages import CashedOut
from ledger import journal, money
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from casino.establishments.models import Establishment
    from games.game import History
    from ledger.wire import StoredEvent

State = Payout.State
Known = dict[tuple[int, int], str]
"""The states of a game's payouts, by cause and place."""
STREAMS: Final = ("game", "settlement")


class Then:
    """
    The payouts of a few games at a position.

    :param rows: those that will be asked for.
    """

    def __init__(self, house: Establishment, through: int, rows: Sequence[Payout]) -> None:
        self.house, self.through = house.pk, through
        self._games = told_all(house.pk, {row.game for row in rows})
        self._rounds: dict[UUID, dict[int, Sequence[Mapping[str, Any]]]] = {}
        self._asked = Counter(game for game, _ in {(row.game, row.round) for row in rows})
        self._moved_on = _moved_on(house.pk, {row.game for row in rows}, through)
        self._known: dict[UUID, Known] = {}

    def ruleset(self, row: Payout) -> str:
        return self._games[row.game].ruleset.id

    def state(self, row: Payout) -> str:
        if row.game not in self._moved_on:
            return row.state
        if row.game not in self._known:
            self._known[row.game] = self._replayed(self._games[row.game])
        return self._known[row.game].get((row.cause, row.seq), State.BOOKED)

    def because(self, row: Payout) -> str:
        """A sentence with the players' tokens in it."""
        if self.state(row) == State.REVERSED:
            return _("Voided, and moved back.")
        return reason(row, self._games[row.game], self._payments(row))

    def _payments(self, row: Payout) -> Sequence[Mapping[str, Any]]:
        """What was paid in its round, explained; several rounds of a game in one reading of it."""
        game = self._games[row.game]
        if row.game not in self._rounds:
            only = row.round if self._asked[row.game] == 1 else None
            told = game.ruleset.explain(self._history(game), only)
            self._rounds[row.game] = {each["round"]: each["payments"] for each in told}
        known = self._rounds[row.game]
        if row.round not in known:
            known[row.round] = of_no_end(game.ruleset, self._history(game), row.round)
        return known[row.round]

    def _history(self, game: Told) -> History:
        """Its events at or before the position."""
        return game.history[: bisect_right([event.position for event in game.events], self.through)]

    def _replayed(self, game: Told) -> Known:
        """Every payout of a game as it stood."""
        booked = journal.stream(establishment=self.house, stream=game.key.settlement)
        happened: list[tuple[StoredEvent, CashedOut | None]] = [(each, None) for each in booked]
        happened += [
            (event, fact)
            for event, fact in zip(game.events, game.facts, strict=True)
            if isinstance(fact, CashedOut)
        ]
        known: Known = {}
        payees: dict[tuple[int, int], str] = {}
        for event, fact in sorted(happened, key=lambda each: each[0].position):
            if event.position > self.through:
                break
            if fact is not None:
                self._paid(game, event, fact.player, known, payees)
            else:
                _settled(event, known, payees)
        return known

    def _paid(
        self,
        game: Told,
        event: StoredEvent,
        player: str,
        known: Known,
        payees: dict[tuple[int, int], str],
    ) -> None:
        """Who takes away all that may leave has been paid what was booked and released by then."""
        account = stake(game.key.game, player)
        if money.balance_at(account, event.position, establishment=self.house):
            return
        for place, state in known.items():
            if payees.get(place) == player and state in {State.BOOKED, State.RELEASED}:
                known[place] = State.PAID


def _settled(event: StoredEvent, known: Known, payees: dict[tuple[int, int], str]) -> None:
    """What settlement did to a game's payouts with one event."""
    data = event.data
    for seq, payment in enumerate(data.get("payments", ())):
        place = data["cause"], seq
        known[place], payees[place] = State.BOOKED, payment["to"]
    for lot in data.get("lots", ()):
        place = Place.parse(lot["payout"])
        over = {State.REVERSED} if lot["left"] else {State.REVERSED, State.PAID}
        if known.get((place.cause, place.seq)) not in over:
            held = State.HELD if lot["why"] else State.RELEASED
            known[place.cause, place.seq] = held
    if event.event_type == REVERSED:
        gone = set(data["reverses"])
        known.update({place: State.REVERSED for place in known if place[0] in gone})


def _moved_on(house: UUID, games: set[UUID], through: int) -> set[UUID]:
    """The games of which something happened behind the position."""
    streams = {f"{area}/{game}": game for game in games for area in STREAMS}
    rows = Event.objects.filter(establishment=house, stream__in=streams)
    later = journal.between(rows, since=through + 1)
    return {streams[each] for each in later.values_list("stream", flat=True).distinct()}
