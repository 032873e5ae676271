"""What a settled round costs and whom, who drops out by it, and what the end of the game pays."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from games.cinnabar_gate.messages import GameEnded, RoundSettled, RoundVoided
from games.cinnabar_gate.state import Playing, evolve, fallen, in_order, pay, playable
from games.fees import due, give_back, take_rake
from games.messages import Fact, Points
from games.payments import POT, Payment, cap, share
from games.seats import house_seat

RULES_OF_VARIANT: Final[Mapping[str, tuple[str, ...]]] = {
    "table": (),
    "pool": ("CG11",),
    "arcade": ("CG11",),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """
    The result of a round.

    :param winners: whose hands are best, in turn order; none in a pool.
    :param losers: who pays, in turn order, and the rules by which each does.
    """

    winners: tuple[str, ...]
    losers: Mapping[str, tuple[str, ...]]

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(rule for rules in self.losers.values() for rule in rules))


def settle(state: Playing, verdict: Verdict) -> tuple[Fact, ...]:
    """Settle a round in coins or points (CG6, CG11), with who is out by it (CG8)."""
    payments = payments_owed(state, verdict)
    out = fallen_out(state, payments, pocketing=state.opened.options.winnings == "pocket")
    event = RoundSettled(
        round=state.round.number,
        winners=verdict.winners,
        losers=tuple(verdict.losers),
        pay=state.round.pay,
        first=who_is_next(state, tuple(verdict.losers), out),
        payments=payments,
        points=score(state, verdict.winners),
        out=out,
        rules=verdict.rules,
    )
    return (event, *ending(state, event))


def payments_owed(state: Playing, verdict: Verdict) -> tuple[Payment, ...]:
    """
    The payments of the losers: each pays the pay as far as they have it (G2), to the winners (G5)
    or the pool.
    """
    match state.opened.options.variant:
        case "table":
            return tuple(
                payment
                for loser, rules in verdict.losers.items()
                for payment in divide(state, loser, verdict.winners, rules)
            )
        case "pool":
            return tuple(
                payment
                for loser, rules in verdict.losers.items()
                for payment in cap(loser, POT, coins(state), playable(state, loser), rules)
            )
        case "arcade":
            return ()


def divide(
    state: Playing, loser: str, winners: tuple[str, ...], rules: tuple[str, ...]
) -> tuple[Payment, ...]:
    """The payments of one loser to one winner, or in fair parts to winners who share (CG7)."""
    amount = min(coins(state), playable(state, loser))
    sharing = ("CG7", "G5") if len(winners) > 1 else ()
    short = ("G2",) if amount < coins(state) else ()
    cited = tuple(dict.fromkeys((*rules, *sharing, *short)))
    return share(amount, winners, cited, unit=state.opened.options.unit, payer=loser)


def coins(state: Playing) -> int:
    """The pay of the running round in coins (G11)."""
    return state.round.pay * state.opened.options.unit


def score(state: Playing, winners: tuple[str, ...]) -> Points:
    """
    The points of an arcade round (CG11): the pay, or one; winners who share, share them exactly
    (CG7).
    """
    options = state.opened.options
    if options.variant != "arcade":
        return ()
    points = state.round.pay if options.arcade_points == "pay" else 1
    return tuple((winner, Fraction(points, len(winners))) for winner in winners)


def fallen_out(
    state: Playing, payments: tuple[Payment, ...], *, pocketing: bool = False
) -> tuple[str, ...]:
    """Who has nothing left to play with (CG8); what was pocketed does not count."""
    if state.opened.options.variant == "arcade":
        return ()
    after = {name: playable(state, name) for name in state.playing}
    for payment in payments:
        if payment.payer in after:
            after[payment.payer] -= payment.amount
        if payment.payee in after and not pocketing:
            after[payment.payee] += payment.amount
    return tuple(name for name, rest in after.items() if rest == 0)


def who_is_next(state: Playing, wanted: tuple[str, ...], out: tuple[str, ...]) -> str:
    """
    Who throws first next (CG9): the earliest of those who are still in, else the next seat after
    the first of them.
    """
    remaining = tuple(name for name in state.playing if name not in out)
    still_in = tuple(name for name in wanted if name in remaining)
    return next(iter((*still_in, *in_order(state, remaining, wanted[0]))), wanted[0])


def make_void(state: Playing, rules: tuple[str, ...]) -> tuple[Fact, ...]:
    """Void the round: seat fees go back (G6), and the same first thrower begins again (G9)."""
    event = void_round(state, rules)
    return (event, *ending(state, event))


def void_round(state: Playing, rules: tuple[str, ...]) -> RoundVoided:
    this = state.round
    back = give_back(this.seat_fees)
    out = fallen_out(state, back)
    first = who_is_next(state, (this.first,), out)
    return RoundVoided(this.number, first, payments=back, out=out, rules=rules)


def ending(before: Playing, event: RoundSettled | RoundVoided) -> tuple[Fact, ...]:
    """
    The end of the game, if one player is left (CG1); in a pool that player wins it (CG11). If fees
    took everybody's last coin in one round, those who did not lose the round share the pool (G5).
    """
    after = evolve(before, event)
    if not isinstance(after, Playing) or len(after.playing) > 1:
        return ()
    match before.opened.options.variant:
        case "pool":
            losers = event.losers if isinstance(event, RoundSettled) else ()
            last = after.playing or in_order(before, event.out)
            winners = tuple(name for name in last if name not in losers) or last
            return (win_game(after, event.round, winners),)
        case "table":
            return (GameEnded(event.round, after.playing, rules=("CG1",)),)
        case "arcade":
            return (GameEnded(event.round, rules=("CG1",)),)


def win_game(state: Playing, number: int, winners: tuple[str, ...]) -> GameEnded:
    unit = state.opened.options.unit
    rake = take_rake(state.pot, state.opened.fee, unit=unit)
    left = state.pot - sum(payment.amount for payment in rake)
    rules = ("CG11",) if len(winners) == 1 else ("CG11", "G5")
    return GameEnded(number, winners, (*rake, *share(left, winners, rules, unit=unit)), rules)


def close_table(state: Playing) -> tuple[Fact, ...]:
    """
    Close the table (G9): the running round is void, and a pool is shared among those still in with
    money (G5).
    """
    event = void_round(state, ("G9",))
    after = fallen(pay(state, event.payments), event.out)
    among = in_order(state, after.playing or state.playing)
    payments = share(after.pot, among, ("G9", "G5"), unit=state.opened.options.unit)
    return (event, GameEnded(event.round, payments=payments, rules=("G9",)))


def fees_due(state: Playing, at: int | None) -> tuple[tuple[Payment, ...], int | None] | None:
    """
    What players pay with the round's first throw (G6), and the time up to which a time charge is
    then paid.
    """
    fee = state.opened.fee
    if fee is None or state.round.begun:
        return None
    house = house_seat(state.opened.players)
    payers = [name for name in state.round.order if name != house]
    playing = {name: playable(state, name) for name in payers}
    return due(fee, payers, playing, at=at, charged_at=state.charged_at)
