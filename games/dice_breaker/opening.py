"""How a game of dice breaker opens: who sits, for which ante, under which options (DB11, G10)."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from games.dice_breaker.messages import AntesPaid, GameOpened, Open, Options
from games.fees import fee
from games.kinds import COINS, UNITS, chosen, in_coins
from games.payments import COINS_MAX, POT, Payment
from games.refusals import NotInThisGame, Refused, ReservedName
from games.seats import Seat, check_seats, countable, first_thrower, within_limits

RULES_VERSION: Final = 1
LATENT: Final = "latent"  # latent1 to latent4 are the names of dice
RANGES: Final = {"target": COINS, "ante": range(COINS_MAX + 1), "unit": UNITS}


class AnteNotCovered(Refused):
    code = "ante_not_covered"


def open_game(command: Open) -> tuple[GameOpened | AntesPaid, ...]:
    options = chosen(Options, command.options, game="dice breaker", ranges=RANGES)
    ante = in_coins(options.ante, options.unit, option="ante")
    if ante:
        within_limits(ante, command.stake_min, command.stake_max, field="options.ante")
    seats = seats_of_opening(command, ante)
    event = GameOpened(
        rules_version=RULES_VERSION,
        players=seats,
        first=None if command.first is None else first_thrower(command.first, seats),
        options=options,
        fee=fee(command.fee, without_money=None if ante else "ante=0. DB11"),
        stake_min=command.stake_min,
        stake_max=command.stake_max,
        table=command.table,
        dice_set=command.dice_set,
        at=command.at,
    )
    return (event, *antes(ante, (seat.name for seat in seats)))


def seats_of_opening(command: Open, ante: int) -> tuple[Seat, ...]:
    """
    The seats of an opening (DB11): who plays for an ante brings it. Without an ante the stake never
    moves.
    """
    check_seats(command.players)
    seats = tuple(_seat(seat, command.stake, ante) for seat in command.players)
    countable(seats, rule="DB11")
    return seats


def _seat(seat: Seat, agreed: int | None, ante: int) -> Seat:
    if seat.home_throw is not None:
        raise NotInThisGame(f"home_throw of {seat.name}: there is none in dice breaker.")
    may_sit(seat.name)
    stake = (agreed or 0) if seat.stake is None else seat.stake
    check_covers_ante(seat.name, stake, ante)
    return replace(seat, stake=stake)


def may_sit(player: str) -> None:
    """:raises ReservedName: if the names of the player's dice would be those of latent dice."""
    if player == LATENT:
        raise ReservedName(f"player: {player!r} names the dice at the corners, no player. DB10")


def check_covers_ante(player: str, stake: int, ante: int) -> None:
    if stake < ante:
        raise AnteNotCovered(f"stake of {player} is {stake}: the ante is {ante}. DB11")


def antes(ante: int, players: Iterable[str]) -> tuple[AntesPaid, ...]:
    """The antes of these players, into the pot (DB11)."""
    if ante == 0:
        return ()
    return (AntesPaid(tuple(Payment(name, POT, ante, ("DB11",)) for name in players)),)
