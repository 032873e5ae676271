"""How a game of threes away opens: who sits, for which ante, under which options (TA1, G6, G10)."""

from dataclasses import replace
from typing import Final

from games.fees import fee
from games.kinds import COINS, UNITS, chosen, in_coins
from games.payments import COINS_MAX, POT, ROLLOVER, Payment
from games.refusals import NotInThisGame, TooLarge, ZeroAmount
from games.seats import Seat, check_seats, countable, first_thrower, within_limits
from games.threes_away.messages import GameOpened, Open, Options, RolloverDrawn

RULES_VERSION: Final = 1
RANGES: Final = {"ante": COINS, "unit": UNITS}


def open_game(command: Open) -> tuple[GameOpened | RolloverDrawn, ...]:
    options = chosen(Options, command.options, game="threes away", ranges=RANGES)
    ante = in_coins(options.ante, options.unit, option="ante")
    within_limits(ante, command.stake_min, command.stake_max, field="options.ante")
    seats = seats_of_opening(command)
    event = GameOpened(
        rules_version=RULES_VERSION,
        players=seats,
        first=first_thrower(command.first, seats),
        options=options,
        fee=fee(command.fee, without_money=None),
        stake_min=command.stake_min,
        stake_max=command.stake_max,
        table=command.table,
        dice_set=command.dice_set,
        at=command.at,
        rollover=command.rollover,
        awaited=command.awaited,
    )
    return (event, *draw_rollover(command.rollover))


def draw_rollover(amount: int) -> tuple[RolloverDrawn, ...]:
    """
    The event that starts the pot with what rolled over from the game before (TA10), if anything
    did.
    """
    if amount == 0:
        return ()
    return (RolloverDrawn(amount, (Payment(ROLLOVER, POT, amount, ("TA10",)),)),)


def seats_of_opening(command: Open) -> tuple[Seat, ...]:
    """
    The seats of an opening with their stakes, which need not be equal (TA1); everybody brings
    money.
    """
    check_seats(command.players)
    seats = tuple(_seat(seat, command.stake) for seat in command.players)
    countable(seats, rule="TA1")
    waits = command.rollover + command.awaited
    if sum(seat.stake or 0 for seat in seats) + waits > COINS_MAX:
        raise TooLarge(f"stake: with {waits} rolled over it is more than {COINS_MAX}. TA10")
    return seats


def _seat(seat: Seat, agreed: int | None) -> Seat:
    if seat.home_throw is not None:
        raise NotInThisGame(f"home_throw of {seat.name}: there is none in threes away.")
    stake = (agreed or 0) if seat.stake is None else seat.stake
    if stake == 0:
        raise ZeroAmount(f"stake of {seat.name}: one coin or more is brought to the table. TA1")
    return replace(seat, stake=stake)
