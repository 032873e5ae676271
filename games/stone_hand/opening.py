"""How a game of stone hand opens: who sits, what is staked, under which options (SH1, G6, G10)."""

from typing import Final

from games import stone
from games.dice import Dice
from games.fees import fee
from games.kinds import COINS, UNITS, chosen, in_coins
from games.refusals import Refused, ZeroAmount
from games.seats import Seat, check_seats, countable, first_thrower, within_limits
from games.stone_hand.messages import GameOpened, Open, Options

RULES_VERSION: Final = 1
RANGES: Final = {"triad_pay": COINS, "unit": UNITS}
UNPAID: Final = {"drinks": "mode=drinks. SH12", "scoreboard": "mode=scoreboard. SH13"}


class UnequalStakes(Refused):
    code = "unequal_stakes"


def open_game(command: Open) -> GameOpened:
    options = chosen(Options, command.options, game="stone hand", ranges=RANGES)
    if isinstance(options.triad_pay, int):
        in_coins(options.triad_pay, options.unit, option="triad_pay")
    sought = stone.policy(command.home_throw_policy)
    seats = seats_with_stakes(command, options)
    return GameOpened(
        rules_version=RULES_VERSION,
        players=seats,
        first=first_thrower(command.first, seats),
        options=options,
        homes=stone.home_throws_in_force(
            seats,
            command.home_throw,
            sought,
            whose=options.homes,
            allowed=lambda faces: may_be_home(faces, command, options),
            rule="SH7",
        ),
        home_throw_policy=sought,
        home_override=command.home_override,
        fee=fee(command.fee, without_money=UNPAID.get(options.mode)),
        stake_min=command.stake_min,
        stake_max=command.stake_max,
        table=command.table,
        dice_set=command.dice_set,
        at=command.at,
    )


def seats_with_stakes(command: Open, options: Options) -> tuple[Seat, ...]:
    """
    The seats of an opening with their stakes, which are all the same (SH1). Where no money is
    played the stake never moves.
    """
    check_seats(command.players)
    seats = tuple(_seat_with_stake(seat, command, options) for seat in command.players)
    if len({seat.stake for seat in seats}) > 1:
        other = next(seat for seat in seats if seat.stake != seats[0].stake)
        raise UnequalStakes(
            f"stake of {other.name} is {other.stake}: everyone stakes the same, and"
            f" {seats[0].name} stakes {seats[0].stake}. SH1"
        )
    countable(seats, rule="SH9")
    return seats


def _seat_with_stake(seat: Seat, command: Open, options: Options) -> Seat:
    stake = (command.stake or 0) if seat.stake is None else seat.stake
    if options.mode == "pool":
        if stake == 0:
            raise ZeroAmount(f"stake of {seat.name}: a pool is played for one coin or more. SH1")
        within_limits(stake, command.stake_min, command.stake_max)
    home = seat.home_throw
    return Seat(seat.name, stake, seat.house, None if home is None else tuple(sorted(home)))


def may_be_home(faces: Dice, command: Open, options: Options) -> bool:
    """
    Whether faces may be a home throw (H1): no other scoring throw may, unless the house overrides
    this.
    """
    return command.home_override or stone.may_be_home(faces, options.runs)
