"""What all games have beside their throws: no throws (G3), buy-ins, cash-outs, newcomers."""

from collections.abc import Collection, Mapping

from games.commands import NO_THROW_REASONS, BringMoney, CashOut, Join, NoThrow
from games.dice import check_dice, check_faces
from games.messages import BoughtIn, CashedOut, NoThrowRecorded, PlayerJoined
from games.payments import COINS_MAX
from games.refusals import (
    DoubleName,
    MoreThanStake,
    NotSettledYet,
    StillPlaying,
    TooLarge,
    UnknownPlayer,
    UnknownReason,
    ZeroAmount,
)


def check_known(player: str, stakes: Mapping[str, int], *, rule: str = "G1") -> None:
    """:raises UnknownPlayer: if nobody of that name has ever been in the game."""
    if player not in stakes:
        raise UnknownPlayer(f"player: {player!r} is not in this game. {rule}")


def no_throw(command: NoThrow, *, most: int, sides: int) -> NoThrowRecorded:
    """
    Record a no throw (G3), with the faces seen and the reason; it does not count.

    :param most: how many dice may have been seen, of up to `sides` sides.
    """
    dice = command.dice
    if dice is not None:
        if len(dice) > most:
            check_dice(dice, n=most, sides=sides, rule="G3")
        check_faces(dice, sides=sides, rule="G3")
    for reason in NO_THROW_REASONS:
        if reason == command.reason:
            return NoThrowRecorded(command.player, reason, dice, command.note)
    raise UnknownReason(f"reason is {command.reason!r}: {', '.join(NO_THROW_REASONS)}. G3")


def cash_out(
    command: CashOut, stakes: Mapping[str, int], *, playing: bool, leave_rule: str
) -> CashedOut:
    """
    Pay out money to a player who no longer plays, once it is booked.

    :param playing: whether the player is still in the game.
    :param leave_rule: the game's rule about leaving, for the refusal.
    """
    player, amount = command.player, command.amount
    if playing:
        raise StillPlaying(f"player: {player} is still playing: leave first. G1, {leave_rule}")
    if amount > stakes[player]:
        raise MoreThanStake(f"amount is {amount}: {player} has {stakes[player]}. G2")
    if command.booked is not None and amount > command.booked:
        raise NotSettledYet(
            f"amount is {amount}: not all of it is booked yet. Ask again in a moment. G2"
        )
    return CashedOut(player, amount)


def money_brought(
    command: BringMoney, stakes: Mapping[str, int], pot: int, *, house: bool
) -> BoughtIn:
    """Bring more money for a player, as long as all coins at the table can be counted."""
    countable("amount", command.amount, stakes, pot)
    return BoughtIn(command.player, command.amount, house)


def take_seat(  # noqa: PLR0913 - all that a game knows about who comes
    command: Join,
    stakes: Mapping[str, int],
    pot: int,
    *,
    agreed: int | None = None,
    left: Collection[str] = (),
    house: str | None = None,
    least: int = 1,
) -> PlayerJoined:
    """
    Seat a player, or one who comes back to money that is still here.

    :param agreed: the stake of a player who names none and has no coins here; None if players
        brought different stakes, so that one has to be named (G1).
    :param left: the players who have left the game and may come back.
    :param house: the player who holds the house's seat, who may have left, too (G8).
    :param least: how many coins a player needs; 0 where no money is played.
    """
    player, here = command.player, stakes.get(command.player, 0)
    named = command.stake is not None or here > 0
    stake = (command.stake if named else agreed) or 0
    if player not in left and player.strip() in {name.strip() for name in stakes}:
        raise DoubleName(f"player: {player!r} sits here already. G1")
    if stake + here < least:
        if not named and agreed is None:
            raise ZeroAmount(f"stake of {player}: others brought different ones, so name it. G1")
        raise ZeroAmount(f"stake of {player}: one coin or more is brought to the table. G1")
    countable("stake", stake, stakes, pot)
    return PlayerJoined(player, stake, house=player == house)


def countable(field: str, amount: int, stakes: Mapping[str, int], pot: int) -> None:
    """:raises TooLarge: if the coins at the table are more than every JSON reader reads exactly."""
    together = sum(stakes.values()) + pot + amount
    if together > COINS_MAX:
        raise TooLarge(
            f"{field} is {amount}: all at the table would be {together}, at most {COINS_MAX}."
        )
