"""
Payouts, each with its reason: who got what from whom, by which rules, and its state.

The states are as of the position: if a payout was voided or paid later, that is not shown.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.db.models import Count, OuterRef, Subquery, Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.engine.processes.memory import without_collector
from casino.house.acts.accounts import PayoutPlace, stake
from casino.house.acts.game_streams.loading import histories
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.table_names import in_list_order
from casino.kit.documents.report import Column, Figure, Filter, Line, Report, Table
from casino.money.payouts import queries
from casino.money.payouts.explained import reason, standing
from casino.money.payouts.pot_equation import CALLED
from casino.play.settlement.models import Payout
from casino.play.settlement.settled import BOOKED, REVERSED
from casino.reports.registers import history
from casino.words.languages.messages import translate
from casino.words.presenters import TITLES
from games.messages import CashedOut
from games.payments import RESERVED
from ledger import journal, money, recent
from ledger.accounts import Kind
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from django.db.models import QuerySet

    from casino.house.acts.game_streams.catalogue import GameNotInstalled
    from casino.house.acts.game_streams.loading import GameHistory
    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Query
    from casino.money.payouts.explained import Paid
    from ledger.accounts import AccountRef
    from ledger.wire import StoredEvent

CHUNK: Final = 100
PLAYERS: Final = (Kind.STAKE.value, Kind.HELD.value)


def rows(query: Query) -> QuerySet[Payout]:
    found = history.of_period(Payout.objects.exclude(payee__in=RESERVED), query)
    if table := query.chosen.get("table"):
        found = found.filter(table=UUID(table))
    if name := query.chosen.get("player"):
        token = queries.player_called(query.house.pk, name)
        found = found.filter(payee=token) if token else found.none()
    return found.order_by("position", "seq")


@dataclass(frozen=True, slots=True)
class _Words:
    """Labels that lines share, translated once."""

    tables: Mapping[UUID, str]
    games: Mapping[str, str]
    states: Mapping[str, str]
    called: Mapping[str, str]

    @classmethod
    def of(cls, house: Establishment) -> _Words:
        spoken = [
            {name: str(word) for name, word in each.items()} for each in (TITLES, STATES, CALLED)
        ]
        return cls(history.tables(house), *spoken)


def lines(query: Query) -> Iterator[Line]:
    then, words = PayoutsAsOf(query.house, query.through), _Words.of(query.house)
    for some in _chunks(query):
        then.meet(some)
        texts = [
            (words.called.get(row.payer, row.payer), row.payee, then.because(row)) for row in some
        ]
        named: list[tuple[str, str, str]] = tokens.resolve(query.house.pk, texts)
        for row, line in zip(some, named, strict=True):
            state = then.state(row)
            if query.chosen.get("state", state) == state:
                yield _line(row, then.ruleset(row), state, line, words)


def _chunks(query: Query) -> Iterator[list[Payout]]:
    """Chunks of payouts, cut between positions, so that no payout is skipped or read twice."""
    found, after = rows(query), -1
    while True:
        some = list(found.filter(position__gt=after)[: CHUNK + 1])
        if len(some) > CHUNK:
            last = some[-1].position
            kept = [row for row in some if row.position < last]
            some = kept or list(found.filter(position=last))
            yield some
            after = some[-1].position
        else:
            if some:
                yield some
            return


def _line(row: Payout, game: str, state: str, texts: Sequence[str], words: _Words) -> Line:
    payer, payee, because = texts
    reversed_ = state == Payout.State.REVERSED
    return Line(
        cells=(
            row.gaming_day,
            row.booked_at,
            words.tables[row.table_id],
            words.games.get(game, game),
            row.round,
            payer,
            payee,
            None if reversed_ else row.amount,
            row.amount if reversed_ else None,
            words.states[state],
            row.rules,
            because,
        ),
        position=row.position,
        address=reverse("payout", args=[row.game, row.cause, row.seq]),
    )


STATES: Final[dict[str, Any]] = {
    Payout.State.BOOKED: gettext_lazy("Booked"),
    Payout.State.HELD: gettext_lazy("Held"),
    Payout.State.RELEASED: gettext_lazy("Released"),
    Payout.State.PAID: gettext_lazy("Paid"),
    Payout.State.REVERSED: gettext_lazy("Reversed"),
}


def size(query: Query) -> int:
    return rows(query).count()


def figures(query: Query) -> list[Figure]:
    found = rows(query).aggregate(count=Count("position"), coins=Sum("amount"))
    coins = int(found["coins"] or 0)
    figures = [
        Figure(name="payouts", title=_("Payouts to players"), value=found["count"]),
        Figure(name="amount", title=_("Together, voided ones too"), value=coins, kind="money"),
    ]
    if not query.chosen:
        booked = coins_to_players(query)
        figures.append(
            Figure(
                name="ledger", title=_("By the ledger's transfers"), value=booked, kind="money",
                agrees=booked == coins,
            )
        )  # fmt: skip
    return figures


def coins_to_players(query: Query) -> int:
    """
    The coins that bookings of these days brought into stakes and held funds, by the ledger's
    transfers.

    Held coins that a booking releases were counted when they were held. They are subtracted, so
    that they do not count twice.
    """
    event = Event.objects.filter(establishment=query.house.pk, position=OuterRef("position"))
    found = history.transfers(query).annotate(booked=Subquery(event.values("event_type")[:1]))
    found = found.filter(booked=BOOKED)
    credited = found.filter(credit_kind__in=PLAYERS).aggregate(coins=Sum("amount"))["coins"]
    released = found.filter(debit_kind=Kind.HELD.value).aggregate(coins=Sum("amount"))["coins"]
    return int(credited or 0) - int(released or 0)


def _tables(house: Establishment) -> Sequence[tuple[str, str]]:
    return [(str(table.pk), table.name) for table in in_list_order(house.tables.all())]


REPORT: Final = Report(
    name="payouts",
    title=gettext_lazy("Payouts"),
    about=gettext_lazy(
        "Every payout to a player: from whom, how much, by which rules, what became of it, and why."
    ),
    controls=("A3", "A7", "E4"),
    filters=(
        Filter(name="table", title=gettext_lazy("Table"), choices=_tables),
        Filter(
            name="state", title=gettext_lazy("State"),
            choices=lambda _house: [(name, str(title)) for name, title in STATES.items()],
        ),
        Filter(name="player", title=gettext_lazy("Player")),
    ),
    figures=figures,
    tables=(
        Table(
            name="payouts",
            title=gettext_lazy("Payouts"),
            columns=(
                Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day"),
                Column(name="booked_at", title=gettext_lazy("Booked"), kind="moment"),
                Column(name="table", title=gettext_lazy("Table")),
                Column(name="game", title=gettext_lazy("Game")),
                Column(name="round", title=gettext_lazy("Round"), kind="number"),
                Column(name="from", title=gettext_lazy("From")),
                Column(name="to", title=gettext_lazy("To")),
                Column(name="amount", title=gettext_lazy("Amount"), kind="money", total=True),
                Column(name="voided", title=gettext_lazy("Voided"), kind="money", total=True),
                Column(name="state", title=gettext_lazy("State")),
                Column(name="rules", title=gettext_lazy("Rules")),
                Column(name="because", title=gettext_lazy("Because")),
            ),
            lines=lines,
            size=size,
            empty=gettext_lazy("Nobody was paid in these days."),
        ),
    ),
)  # fmt: skip


# Payouts as of a position of the ledger: their states, and why they were made.
#
# If nothing has happened in a game since the position, its payouts have today's states. Otherwise
# the events up to the position are read again in order, as `casino.play.core.projections` reads
# them. Each game is read once, a few games together. Of the payments that the rules explain, only
# what the sentences need is kept.


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
                self._games[key] = self._remember(game, rounds[key], moved_on=key in moved_on)
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

    def _remember(self, game: GameHistory, rounds: Iterable[int], *, moved_on: bool) -> _Game:
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
            states=self._replay(game) if moved_on else None,
        )

    def _forget(self, games: Collection[UUID]) -> None:
        """Forget the games that were used longest ago, until few enough payments are kept."""
        for game in games:
            self._games.move_to_end(game)
        kept = sum(game.size for game in self._games.values())
        while kept > KEPT and len(self._games) > len(games):
            kept -= self._games.popitem(last=False)[1].size

    def _replay(self, game: GameHistory) -> Known:
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
