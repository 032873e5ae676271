"""What happens beside the play, the same in every game: no throws (G3), money off the table."""

from collections.abc import Mapping

from games.dice import checked, known
from games.messages import (
    NO_THROW_REASONS,
    BoughtIn,
    BringMoney,
    CashedOut,
    CashOut,
    NoThrow,
    NoThrowRecorded,
)
from games.payments import COINS_MAX
from games.refusals import (
    MoreThanStake,
    NotSettledYet,
    StillPlaying,
    TooLarge,
    UnknownPlayer,
    UnknownReason,
)


def named(player: str, stakes: Mapping[str, int], *, rule: str = "G1") -> None:
    """:raises UnknownPlayer: if nobody of that name has ever been in the game."""
    if player not in stakes:
        raise UnknownPlayer(f"player: {player!r} is not in this game. {rule}")


def no_throw(command: NoThrow, *, most: int, sides: int) -> NoThrowRecorded:
    """
    G3: recorded with the faces seen and a reason; it does not count.

    :param most: how many dice may have been seen, of up to `sides` sides.
    """
    dice = command.dice
    if dice is not None:
        if len(dice) > most:
            checked(dice, n=most, sides=sides, rule="G3")
        known(dice, sides=sides, rule="G3")
    for reason in NO_THROW_REASONS:
        if reason == command.reason:
            return NoThrowRecorded(command.player, reason, dice, command.note)
    raise UnknownReason(f"reason is {command.reason!r}: {', '.join(NO_THROW_REASONS)}. G3")


def cash_out(
    command: CashOut, stakes: Mapping[str, int], *, playing: bool, leave_rule: str
) -> CashedOut:
    """
    Money leaves with players who play no longer, once it is booked.

    :param playing: the player is still in the game.
    :param leave_rule: where the game says how one leaves.
    """
    player, amount = command.player, command.amount
    if playing:
        raise StillPlaying(f"player: {player} is still playing: leave first. G1, {leave_rule}")
    if amount > stakes[player]:
        raise MoreThanStake(f"amount is {amount}: {player} has {stakes[player]}. G2")
    if command.booked is not None and amount > command.booked:
        raise NotSettledYet(
            f"amount is {amount}: {command.booked} of {player}'s stake is booked so far; ask again."
        )
    return CashedOut(player, amount)


def money_brought(
    command: BringMoney, stakes: Mapping[str, int], pot: int, *, house: bool
) -> BoughtIn:
    """More money for a player: all there is at the table stays countable."""
    total = sum(stakes.values()) + pot + command.amount
    if total > COINS_MAX:
        raise TooLarge(
            f"amount is {command.amount}: all at the table would be {total}, at most {COINS_MAX}."
        )
    return BoughtIn(command.player, command.amount, house)
