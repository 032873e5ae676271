"""
Payouts, each with its reason: who got what from whom, by which rules, and its state.

The states are as of the position: if a payout was voided or paid later, that is not shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.db.models import Count, OuterRef, Subquery, Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.establishments.order import in_list_order
from casino.house.pseudonyms import tokens
from casino.kit.documents.report import Column, Figure, Filter, Line, Report, Table
from casino.money.payouts import queries
from casino.money.pots.queries import CALLED
from casino.play.settlement.models import Payout
from casino.play.settlement.settled import BOOKED
from casino.reports.registers import history
from casino.reports.registers.payouts_as_of import PayoutsAsOf
from casino.words.presenters import TITLES
from games.payments import RESERVED
from ledger.accounts import Kind
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Query

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
