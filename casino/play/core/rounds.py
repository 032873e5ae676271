"""
The projection of ended rounds, and of the range of positions that games cover.

A row is made from the game as it stood at the event, without anything later, so a rebuild makes the
same row.
"""

from __future__ import annotations

import logging
from collections import Counter
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from casino.house.acts.game_streams import course
from casino.house.acts.game_streams.loading import NOT_UNDERSTOOD
from casino.play.core.models import GameSpan, RoundRow
from casino.play.settlement.models import Payout
from games.game import Outcome
from games.messages import Voided
from games.payments import HOUSE, POT, ROLLOVER, balance
from ledger import keyed
from ledger.accounts import AccountRef, Kind
from ledger.models import Transfer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from casino.house.acts.game_streams.course import CountedEvent, Home
    from casino.house.acts.game_streams.loading import Loaded
    from games.game_session import Step
    from games.messages import Fact, Numbered
    from ledger.wire import StoredEvent

ROWS = (RoundRow, GameSpan)
logger = logging.getLogger(__name__)
AREAS = ("game", "settlement", "adjustment")
MOVED: Final = ("staked", "rolled_in", "paid", "direct", "rolled_out", "fee")
OF_PLAYERS: Final = frozenset({Kind.STAKE, Kind.HELD})


def game_reached(event: StoredEvent) -> UUID | None:
    """The game that an event belongs to, or is booked for; None for other events."""
    area, _, game = event.stream.partition("/")
    return UUID(game) if area in AREAS else None


def reach(establishment: UUID, positions: Mapping[UUID, int]) -> None:
    """Update the last position of games, in one statement."""
    if not positions:
        return
    rows = [each for game, position in positions.items() for each in (game, position)]
    keyed.change(
        "UPDATE play_gamespan SET last = came.column2"  # noqa: S608 - marks alone
        f" FROM (VALUES {', '.join(['(%s, %s)'] * len(positions))}) AS came"
        " WHERE establishment_id = %s AND game = came.column1 AND last < came.column2",
        *rows,
        establishment,
    )


def show(loaded: Loaded, event: StoredEvent) -> None:
    """Update the rows from an event of a game."""
    number = event.stream_version
    fact = loaded.facts[number - 1]
    if number == 1:
        _open_round(loaded, event)
    elif fact.ends_round:
        _end_round(loaded, event)
    elif isinstance(fact, Voided):
        cancelled = RoundRow.objects.filter(
            establishment=event.establishment,
            game=loaded.key.game,
            last__gte=fact.back_to,
            voided__isnull=True,
        )
        cancelled.update(voided=event.position)


def _open_round(loaded: Loaded, event: StoredEvent) -> None:
    GameSpan.objects.create(
        establishment_id=event.establishment,
        game=loaded.key.game,
        table_id=UUID(loaded.place["table"]),
        ruleset=loaded.ruleset.id,
        opened=event.position,
        opened_at=event.provenance.recorded_at,
        last=event.position,
    )


def _end_round(loaded: Loaded, event: StoredEvent) -> None:
    end = loaded.courses[event.stream_version - 1]
    assert end is not None  # noqa: S101 - no void ends a round: the event itself stands
    number = end.value.ended
    mine = course.of_round(end)
    behind = _behind(loaded, event)
    facts = [(step.number, step.value.fact) for step in mine]
    facts += [(each, fact) for each, fact in behind if _of_round(fact, number)]
    began = loaded.events[mine[0].number - 1]
    outcome = _outcome(loaded, event)
    row = RoundRow(
        establishment_id=event.establishment,
        position=event.position,
        game=loaded.key.game,
        table_id=UUID(loaded.place["table"]),
        ruleset=loaded.ruleset.id,
        number=number,
        first=mine[0].number,
        last=event.stream_version,
        reach=facts[-1][0],
        began=began.position,
        began_at=began.provenance.occurred_at,
        ended_at=event.provenance.occurred_at,
        gaming_day=event.provenance.gaming_day,
        throws=sum(fact.is_throw for _, fact in facts),
        paying=[each for each, fact in facts if fact.payments],
        scoring=[each for each, fact in facts if fact.points],
        **coins_of_facts(fact for _, fact in facts),
        carried=_coins_in_pot(end.value.pot, behind) if outcome.to_the_end else end.value.pot,
        winners=list(outcome.winners),
        losers=list(outcome.losers),
        points=_points(fact for _, fact in facts),
        homes=_homes(mine),
        undecided=outcome.void,
    )
    _catch_up(row)
    row.save(force_insert=True)


def book(event: StoredEvent) -> None:
    """Add what settlement has booked for an event of a game to its round, if the round ended."""
    cause = event.data["cause"]
    rows = RoundRow.objects.filter(
        establishment=event.establishment,
        game=UUID(event.stream.partition("/")[2]),
        first__lte=cause,
        reach__gte=cause,
    )
    coins = coins_of_transfers(
        (Kind(debit.kind), Kind(credit.kind), transfer["amount"])
        for transfer in event.transfers
        if transfer["reverses"] is None
        for debit, credit in [map(AccountRef.parse, (transfer["debit"], transfer["credit"]))]
    )
    for row in rows:
        if cause in row.paying:
            _add_coins(row, coins, 1, event.position)
            row.save(update_fields=["booked", "booked_at", *(f"booked_{name}" for name in MOVED)])


def _catch_up(row: RoundRow) -> None:
    """Add what was booked for a round before it ended, such as its antes."""
    if len(row.paying) == 0:
        _add_coins(row, {}, 0, row.position)
        return
    places = Payout.objects.filter(
        establishment=row.establishment_id, game=row.game, cause__in=row.paying
    )
    at = set(places.order_by().values_list("position", flat=True))
    if not at:
        return
    moved_then = Transfer.objects.filter(
        establishment=row.establishment_id, position__in=at, reverses__isnull=True
    )
    kinds = moved_then.order_by().values_list("debit_kind", "credit_kind", "amount")
    coins = coins_of_transfers(
        (Kind(debit), Kind(credit), amount) for debit, credit, amount in kinds
    )
    _add_coins(row, coins, len(at), row.position)


def _add_coins(row: RoundRow, coins: Mapping[str, int], more: int, position: int) -> None:
    row.booked += more
    if row.booked == len(row.paying):
        row.booked_at = position
    for name, amount in coins.items():
        setattr(row, f"booked_{name}", getattr(row, f"booked_{name}") + amount)


def coins_of_transfers(transfers: Iterable[tuple[Kind, Kind, int]]) -> dict[str, int]:
    """
    The coins that booked transfers moved, by meaning; like `coins_of_facts`, but from account
    kinds.
    """
    sums: Counter[str] = Counter()
    for debit, credit, amount in transfers:
        name, sign = _meaning(debit, credit)
        if name:
            sums[name] += sign * amount
    return dict(sums)


def _meaning(debit: Kind, credit: Kind) -> tuple[str, int]:
    """The name and the sign under which a transfer counts; the name is empty if it does not."""
    if Kind.FEES in {debit, credit}:
        return "fee", 1 if credit == Kind.FEES else -1
    if credit == Kind.POT:
        return "rolled_in" if debit == Kind.ROLLOVER else "staked", 1
    if debit == Kind.POT:
        return "rolled_out" if credit == Kind.ROLLOVER else "paid", 1
    return "direct" if {debit, credit} <= OF_PLAYERS else "", 1


def _outcome(loaded: Loaded, event: StoredEvent) -> Outcome:
    """
    The outcome of a round by the rules of its game.

    If the rules here do not understand the end, because other rules wrote it, the outcome is empty:
    the round is listed with its coins, without winners.
    """
    try:
        return loaded.ruleset.outcome(loaded.facts[event.stream_version - 1])
    except NOT_UNDERSTOOD:
        logger.exception("an end of game %s is not understood", loaded.key.game)
        return Outcome()


def _behind(loaded: Loaded, event: StoredEvent) -> list[Numbered]:
    """
    The later events of the same command.

    A round may lie between two events of one command; nobody plays such a round.
    """
    command = event.provenance.command_id
    same = takewhile(
        lambda number: loaded.events[number - 1].provenance.command_id == command,
        range(event.stream_version + 1, loaded.version + 1),
    )
    return [(number, loaded.facts[number - 1]) for number in same]


def _coins_in_pot(pot: int, behind: Iterable[Numbered]) -> int:
    """The coins that a round left in the pot; an end of the game that comes with it counts too."""
    left = pot
    for _, fact in behind:
        if fact.ends_round:
            return left
        pot += balance(POT, fact.payments)
        if fact.ends_game:
            left = pot
    return left


def _of_round(fact: Fact, number: int) -> bool:
    """Whether a fact after a round's end still belongs to the round, such as the game's end."""
    return getattr(fact, "round", None) == number


def coins_of_facts(facts: Iterable[Fact]) -> dict[str, int]:
    """The coins that the payments of facts move, by meaning: staked, paid, fee …"""
    sums = Counter(dict.fromkeys(MOVED, 0))
    for payment in (each for fact in facts for each in fact.payments):
        if HOUSE in {payment.payer, payment.payee}:
            sums["fee"] += payment.amount if payment.payee == HOUSE else -payment.amount
        elif payment.payee == POT:
            sums["rolled_in" if payment.payer == ROLLOVER else "staked"] += payment.amount
        elif payment.payer == POT:
            sums["rolled_out" if payment.payee == ROLLOVER else "paid"] += payment.amount
        else:
            sums["direct"] += payment.amount
    return dict(sums)


def _points(facts: Iterable[Fact]) -> dict[str, str]:
    won: dict[str, Any] = {}
    for player, more in (each for fact in facts for each in fact.points):
        won[player] = won.get(player, 0) + more
    return {player: str(points) for player, points in won.items()}


def _homes(mine: Iterable[Step[CountedEvent]]) -> dict[str, list[int]]:
    """
    For each home throw in force: how many throws could have been it, and how many were (H1, H2).

    Throws with which the attendant determines the home throw do not count.
    """
    homes: dict[Home, list[int]] = {}
    for event in (step.value for step in mine):
        if event.homes and _is_hand(event.fact):
            thrown = tuple(sorted(event.fact.dice))  # type: ignore[attr-defined]  # it has them
            for home in event.homes:
                counts = homes.setdefault(home, [0, 0])
                counts[0] += 1
                counts[1] += thrown == home
    return {"-".join(map(str, home)): counts for home, counts in homes.items()}


def _is_hand(fact: Fact) -> bool:
    return fact.is_throw and hasattr(fact, "player") and hasattr(fact, "dice")
