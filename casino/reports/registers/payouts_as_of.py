"""
Payouts as of a position of the ledger: their states, and why they were made.

If nothing has happened in a game since the position, its payouts have today's states. Otherwise the
events up to the position are read again in order, as `casino.play.core.projections` reads them.
Each game is read once, a few games together. Of the payments that the rules explain, only what the
sentences need is kept.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _

from casino.engine.processes.memory import without_collector
from casino.house.acts.accounts import PayoutPlace, stake
from casino.house.game_streams.game_history import histories
from casino.money.payouts.explained import reason, standing
from casino.play.settlement.models import Payout
from casino.play.settlement.settled import REVERSED
from casino.words.languages.messages import translate
from games.messages import CashedOut
from ledger import journal, money, recent

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from uuid import UUID

    from casino.house.establishments.models import Establishment
    from casino.house.game_streams.catalogue import GameNotInstalled
    from casino.house.game_streams.game_history import GameHistory
    from casino.money.payouts.explained import Paid
    from ledger.accounts import AccountRef
    from ledger.wire import StoredEvent

State = Payout.State
Known = dict[tuple[int, int], str]
"""The states of a game's payouts, by cause and place."""
STREAMS: Final = ("game", "settlement")
KEPT: Final = 5_000
"""How many payments are kept in memory: tables play side by side, and each game pays many times."""
REASONED: Final = ("from", "to", "amount", "rules", "because")


@dataclass(slots=True)
class _Game:
    """
    What is kept of a game.

    :param payments: the explained payments of each round that had ended, by number of the round.
    :param running: the payments of the round that was running; None: they were not read.
    :param standing: the payments that stand; read only if payments of one round are alike, or if
        the running round has payments.
    :param states: of its payouts at the position; None: the same as now.
    """

    ruleset: str
    payments: dict[int, list[Mapping[str, Any]]]
    running: list[Mapping[str, Any]] | None
    standing: Sequence[Paid]
    states: Known | None

    @property
    def size(self) -> int:
        return 1 + sum(map(len, self.payments.values()))

    def of_round(self, number: int) -> list[Mapping[str, Any]]:
        """
        The payments of a round. A round without an end still runs, or the table was closed first:
        then these are the payments since the last round, and those of the round before.
        """
        if number in self.payments:
            return self.payments[number]
        return [*(self.running or ()), *self.payments.get(number - 1, ())]

    def knows(self, rounds: Iterable[int], *, moved_on: bool) -> bool:
        """Whether everything that these rounds need of the game is kept."""
        ended = self.running is not None or all(number in self.payments for number in rounds)
        return ended and (self.states is not None or not moved_on)


class PayoutsAsOf:
    """
    The payouts of a house at a position.

    :param rows: the payouts that are needed first; `meet` reads more.
    """

    def __init__(self, house: Establishment, through: int, rows: Sequence[Payout] = ()) -> None:
        self.house, self.through = house.pk, through
        self._games: OrderedDict[UUID, _Game] = OrderedDict()
        self._missing: dict[UUID, GameNotInstalled] = {}
        self.meet(rows)

    def meet(self, rows: Sequence[Payout]) -> None:
        """Read the games of these payouts. Games that were read before may be forgotten."""
        rounds: dict[UUID, set[int]] = {}
        for row in rows:
            rounds.setdefault(row.game, set()).add(row.round)
        moved_on = _games_with_later_events(self.house, rounds, self.through)
        unknown = [
            game
            for game, numbers in rounds.items()
            if game not in self._games
            or not self._games[game].knows(numbers, moved_on=game in moved_on)
        ]
        with without_collector():
            for game in histories(self.house, unknown, self.through, self._missing):
                key = game.key.game
                self._games[key] = self._kept(game, rounds[key], moved_on=key in moved_on)
        self._forget(rounds.keys() - self._missing)

    def ruleset(self, row: Payout) -> str:
        if row.game in self._missing:
            return self._missing[row.game].game
        return self._games[row.game].ruleset

    def state(self, row: Payout) -> str:
        if row.game in self._missing:  # without its rules, the past state is unknown: the state now
            return row.state
        states = self._games[row.game].states
        return row.state if states is None else states.get((row.cause, row.seq), State.BOOKED)

    def because(self, row: Payout) -> str:
        """The reason of the payout: a sentence with the players' tokens in it."""
        if self.state(row) == State.REVERSED:
            return _("Voided, and moved back.")
        if row.game in self._missing:
            return translate(str(self._missing[row.game]))
        game = self._games[row.game]
        return reason(row, game.of_round(row.round), lambda: game.standing)

    def _kept(self, game: GameHistory, rounds: Iterable[int], *, moved_on: bool) -> _Game:
        payments = {
            each["round"]: _fields_for_reasons(each["payments"])
            for each in game.ruleset.explain(game.history)
        }
        running = None
        if not payments.keys() >= set(rounds):
            running = _fields_for_reasons(game.ruleset.so_far(game.history))
        several = any(map(_alike, payments.values())) or _alike(running or ())
        return _Game(
            ruleset=game.ruleset.id,
            payments=payments,
            running=running,
            standing=standing(game) if several or running else (),
            states=self._replayed(game) if moved_on else None,
        )

    def _forget(self, games: Collection[UUID]) -> None:
        """Forget the games that were used longest ago, until few enough payments are kept."""
        for game in games:
            self._games.move_to_end(game)
        kept = sum(game.size for game in self._games.values())
        while kept > KEPT and len(self._games) > len(games):
            kept -= self._games.popitem(last=False)[1].size

    def _replayed(self, game: GameHistory) -> Known:
        """The state of every payout of a game at the position, from its events."""
        booked = journal.stream(establishment=self.house, stream=game.key.settlement)
        happened: list[tuple[int, StoredEvent | CashedOut]] = [
            (event.position, event) for event in booked if event.position <= self.through
        ]
        happened += [
            (position, fact)
            for position, fact in zip(game.positions, game.facts, strict=True)
            if isinstance(fact, CashedOut)
        ]
        known: Known = {}
        payees: dict[tuple[int, int], str] = {}
        for position, what in sorted(happened, key=itemgetter(0)):
            if isinstance(what, CashedOut):
                if self._away(stake(game.key.game, what.player), position):
                    _fetch(what.player, known, payees)
            else:
                _settle(what, known, payees)
        return known

    def _away(self, account: AccountRef, position: int) -> bool:
        """Whether the account was empty at the position."""
        return not money.balance_at(account, position, establishment=self.house)


def _fetch(player: str, known: Known, payees: Mapping[tuple[int, int], str]) -> None:
    """Set the booked and released payouts of a player who has taken away all coins to paid."""
    for place, state in known.items():
        if payees.get(place) == player and state in {State.BOOKED, State.RELEASED}:
            known[place] = State.PAID


def _settle(event: StoredEvent, known: Known, payees: dict[tuple[int, int], str]) -> None:
    """Apply one event of settlement to the states of a game's payouts."""
    data = event.data
    for seq, payment in enumerate(data.get("payments", ())):
        place = data["cause"], seq
        known[place], payees[place] = State.BOOKED, payment["to"]
    for lot in data.get("lots", ()):
        place = PayoutPlace.parse(lot["payout"])
        over = {State.REVERSED} if lot["left"] else {State.REVERSED, State.PAID}
        if known.get((place.cause, place.seq)) not in over:
            held = State.HELD if lot["why"] else State.RELEASED
            known[place.cause, place.seq] = held
    if event.event_type == REVERSED:
        gone = set(data["reverses"])
        known.update({place: State.REVERSED for place in known if place[0] in gone})


def _fields_for_reasons(payments: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The fields of payments that reasons need: the throws are left out."""
    return [{name: each[name] for name in REASONED} for each in payments]


def _alike(payments: Sequence[Mapping[str, Any]]) -> bool:
    likes = [(each["from"], each["to"], each["amount"], *each["rules"]) for each in payments]
    return len(set(likes)) < len(likes)


def _games_with_later_events(house: UUID, games: Iterable[UUID], through: int) -> set[UUID]:
    """The games in which something happened after the position."""
    streams = {f"{area}/{game}": game for game in games for area in STREAMS}
    ends = recent.ends(house, streams)
    return {streams[stream] for stream, position in ends.items() if position > through}
