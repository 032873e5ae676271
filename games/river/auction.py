"""The auction of the banker's dice (RV3): d4 to d12, one lot each, open and ascending."""

from collections.abc import Iterator

from games.kinds import check_whole_units
from games.payments import POT, Payment
from games.refusals import MoreThanStake, NotNow, Refused
from games.river.hands import SIZES
from games.river.messages import (
    AtAuction,
    Bid,
    BidMade,
    BidPassed,
    LotSold,
    LotWithdrawn,
    Pass,
    Sell,
    Withdraw,
)
from games.river.state import Playing, Round, phase


class NoSuchDie(Refused):
    code = "no_such_die"


class NotThisLot(Refused):
    code = "not_this_lot"


class BidTooLow(Refused):
    code = "bid_too_low"


class PassedAlready(Refused):
    code = "passed_already"


class BidStands(Refused):
    code = "bid_stands"


class BiddingOver(Refused):
    code = "bidding_over"


class NotTheHighestBid(Refused):
    code = "not_the_highest_bid"


def at_auction(
    command: AtAuction, state: Playing, this: Round
) -> tuple[BidMade | BidPassed | LotSold | LotWithdrawn, ...]:
    """:raises Refused: if the die is not under the hammer, or the amount is no bid that counts."""
    under_the_hammer(command.die, state, this)
    match command:
        case Bid():
            return (bid(command, state, this),)
        case Pass():
            return (pass_bid(command, this),)
        case Sell():
            return (sold(command, state, this),)
        case Withdraw():
            return (withdrawn(command, this),)


def under_the_hammer(die: str, state: Playing, this: Round) -> None:
    if die not in SIZES:
        raise NoSuchDie(f"die is {die[:20]!r}: {', '.join(SIZES)}. RV3")
    now = phase(state)
    if now in {"sealing", "offering"}:
        raise NotNow("The banker's dice are not thrown yet: the auction begins with them. RV3")
    if now != "bidding":
        raise NotNow("The auction is over: all five lots are sold or withdrawn. RV3")
    if die != this.die:
        raise NotThisLot(f"die is {die}: {this.die} is under the hammer. RV3")


def bid(command: Bid, state: Playing, this: Round) -> BidMade:
    player, amount = command.player, command.amount
    check_whole_units(amount, state.opened.options.unit, field="amount")
    bidding(player, this)
    if not may_still_bid(this, player):
        raise BiddingOver(f"Everybody else has passed: {player} need not bid any higher. RV3")
    if amount < least_bid(state, this):
        raise BidTooLow(f"amount is {amount}: {why_so_much(state, this)}. RV3")
    affordable(player, amount, state)
    return BidMade(player, command.die, amount)


def pass_bid(command: Pass, this: Round) -> BidPassed:
    player, highest = command.player, this.lot.highest
    bidding(player, this)
    if highest is not None and highest.player == player:
        raise BidStands(f"{player} bids {highest.amount}, and it stands until the hammer. RV3")
    return BidPassed(player, command.die)


def sold(command: Sell, state: Playing, this: Round) -> LotSold:
    """
    Sell the lot: to the highest bid if bids were recorded, else for the hammer price that was
    named.
    """
    player, amount, highest = command.player, command.amount, this.lot.highest
    check_whole_units(amount, state.opened.options.unit, field="amount")
    if highest is None:
        bidding(player, this)
    elif (player, amount) != (highest.player, highest.amount):
        raise NotTheHighestBid(
            f"player, amount: {highest.player} bids {highest.amount}, which is the highest bid"
            f" recorded; {player} did not bid {amount}. RV3"
        )
    affordable(player, amount, state)
    payment = Payment(player, POT, amount, ("RV3",))
    return LotSold(command.die, this.offer[this.hammered], player, amount, (payment,))


def withdrawn(command: Withdraw, this: Round) -> LotWithdrawn:
    highest = this.lot.highest
    if highest is not None:
        raise BidStands(
            f"die: {highest.player} bids {highest.amount} for the {command.die}; only a lot without"
            " a bid is withdrawn. RV3"
        )
    return LotWithdrawn(command.die)


def bidding(player: str, this: Round) -> None:
    if player in this.lot.passed:
        raise PassedAlready(f"player: {player} has passed on the {this.die}. RV3")


def affordable(player: str, amount: int, state: Playing) -> None:
    """
    Check that a player holds the amount (RV3, G2). Checking each bid is enough: only the highest is
    paid, and until then nobody's money shrinks.
    """
    if amount > state.stakes[player]:
        raise MoreThanStake(f"amount is {amount}: {player} holds {state.stakes[player]}. RV3, G2")


def may_still_bid(this: Round, player: str) -> bool:
    """Whether a player may still bid: not with the highest bid once everybody else has passed."""
    others = (name for name in this.players if name != player and name not in this.lot.passed)
    return this.lot.highest is None or this.lot.highest.player != player or any(others)


def least_bid(state: Playing, this: Round) -> int:
    options, highest = state.opened.options, this.lot.highest
    return options.unit if highest is None else highest.amount + least_raise(state)


def least_raise(state: Playing) -> int:
    """The coins by which a bid raises at least (RV3, G11)."""
    return state.opened.options.min_raise * state.opened.options.unit


def most_bid(player: str, state: Playing) -> int:
    """The most that a player can bid: what they hold, in whole units (RV3, G11)."""
    unit = state.opened.options.unit
    return state.stakes[player] // unit * unit


def why_so_much(state: Playing, this: Round) -> str:
    highest = this.lot.highest
    if highest is None:
        least = least_bid(state, this)
        return f"the opening bid is {least} or more"
    min_raise = least_raise(state)
    return f"{highest.player} bids {highest.amount}, raises are {min_raise} or more"


def bidders(state: Playing, this: Round) -> Iterator[tuple[str, int]]:
    """Who may bid, and up to how much."""
    least = least_bid(state, this)
    for player in staying(this):
        if may_still_bid(this, player) and state.stakes[player] >= least:
            yield player, most_bid(player, state)


def passers(this: Round) -> Iterator[str]:
    """Who may pass: say that they do not bid, or no more."""
    highest = this.lot.highest
    return (name for name in staying(this) if highest is None or name != highest.player)


def hammer_prices(state: Playing, this: Round) -> Iterator[tuple[str, int, int]]:
    """Who may be sold the die, for how much at least and at most."""
    highest = this.lot.highest
    if highest is not None:
        yield highest.player, highest.amount, highest.amount
        return
    for player in staying(this):
        if (most := most_bid(player, state)) > 0:
            yield player, state.opened.options.unit, most


def staying(this: Round) -> tuple[str, ...]:
    """Who has not passed on this lot."""
    return tuple(name for name in this.players if name not in this.lot.passed)
