"""Fees: what the house may take for its table (G6). `KINDS` has one entry for each kind of fee."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal

from games.kinds import shorten
from games.payments import HOUSE, POT, Payment, cap
from games.refusals import Refused

PERCENT_MAX: Final = 10
Name = Literal["rake", "seat", "time"]


class UnknownFee(Refused):
    code = "unknown_fee"


class FeeTooHigh(Refused):
    code = "fee_too_high"


class NoMoneyPlayed(Refused):
    code = "no_money_played"


@dataclass(frozen=True, slots=True)
class Fee:
    """A fee (G6). Its kind decides which of the amounts it has."""

    kind: Name
    percent: int = 0
    cap: int | None = None
    amount: int = 0
    minutes: int = 0


@dataclass(frozen=True, slots=True)
class FirstThrow:
    """
    What a fee that is due with a round's first throw may depend on.

    :param payers: how many players pay; the house's seat does not.
    :param at: now, in seconds since 1970; None: the time is not known, and no time passes.
    :param charged_at: the time up to which a time charge has been paid; None: it starts now.
    """

    payers: int
    at: int | None
    charged_at: int | None


@dataclass(frozen=True, slots=True)
class Kind:
    """
    A kind of fee: taken from a pot that is won, or from each player with a round's first throw.

    :param required: the amounts that it needs, named as in `Fee`; `optional`: those that it may
        have.
    :param in_words: what the house takes, as rules and refusals say it; takes the fee and a
        function that writes coins.
    :param of_pot: (fee, pot, unit) -> the coins taken from a pot that is won; None: the kind takes
        none from pots.
    :param of_each: the coins taken from each player, and the time up to which a time charge is then
        paid; None: the kind takes nothing from players.
    :param returned: whether players get back what they paid if the round is void.
    """

    required: tuple[str, ...]
    in_words: Callable[[Fee, Callable[[int], str]], str]
    optional: tuple[str, ...] = ()
    of_pot: Callable[[Fee, int, int], int] | None = None
    of_each: Callable[[Fee, FirstThrow], tuple[int, int | None] | None] | None = None
    returned: bool = False


def coins(amount: int) -> str:
    return "1 coin" if amount == 1 else f"{amount} coins"


def rake(agreed: Fee, pot: int, unit: int) -> int:
    """The coins of a rake: in whole units (G11), rounded down, at most a tenth of the pot."""
    taken = min(pot * agreed.percent // 100, pot // 10)
    most = taken if agreed.cap is None else min(taken, agreed.cap)
    return most // unit * unit


def rake_in_words(agreed: Fee, coins: Callable[[int], str]) -> str:
    if agreed.cap is None:
        return f"a rake of {agreed.percent} percent"
    return f"a rake of {agreed.percent} percent, at most {coins(agreed.cap)}"


def seat_in_words(agreed: Fee, coins: Callable[[int], str]) -> str:
    return f"{coins(agreed.amount)} for each seat and round"


def for_time(agreed: Fee, throw: FirstThrow) -> tuple[int, int] | None:
    """
    The coins of a time charge, for each full `minutes` since the opening or the last charge, and
    the time up to which it is then paid. None: nothing changes.
    """
    if throw.at is None:
        return None
    since = throw.at if throw.charged_at is None else throw.charged_at
    periods = max(0, throw.at - since) // (agreed.minutes * 60)
    if periods == 0 and throw.charged_at is not None:
        return None
    return agreed.amount * periods, since + periods * agreed.minutes * 60


def time_in_words(agreed: Fee, coins: Callable[[int], str]) -> str:
    if agreed.minutes == 1:
        return f"{coins(agreed.amount)} from each player every minute"
    return f"{coins(agreed.amount)} from each player every {agreed.minutes} minutes"


KINDS: Final[Mapping[str, Kind]] = {
    "rake": Kind(
        required=("percent",), optional=("cap",), in_words=rake_in_words, of_pot=rake,
    ),
    "seat": Kind(
        required=("amount",), in_words=seat_in_words, returned=True,
        of_each=lambda agreed, _throw: (agreed.amount, None),
    ),
    "time": Kind(required=("amount", "minutes"), in_words=time_in_words, of_each=for_time),
}  # fmt: skip


def fee(requested: Mapping[str, Any] | None, *, without_money: str | None) -> Fee | None:
    """
    The fee that an opening announces, checked; None: there is none.

    :param without_money: the option under which no money is played, with its rules; None: money is
        played.
    :raises Refused: if no money is played, or the kind or an amount is not allowed.
    """
    if requested is None:
        return None
    if without_money is not None:
        raise NoMoneyPlayed(f"fee: no money moves with {without_money}. G6")
    kind = requested.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise UnknownFee(f"fee.kind is {shorten(kind)}: rake, seat or time. G6")
    of = KINDS[kind]
    for name in requested:
        if name not in {"kind", *of.required, *of.optional}:
            raise UnknownFee(f"fee.{shorten(name)}: a {kind} fee has no such field. G6")
    for name in of.required:
        if name not in requested:
            raise UnknownFee(f"fee.{name} is missing: a {kind} fee needs it. G6")
    if requested.get("percent", 0) > PERCENT_MAX:
        raise FeeTooHigh(f"fee.percent is {requested['percent']}: at most {PERCENT_MAX}. G6")
    return fee_on_record(requested)


def fee_on_record(recorded: Mapping[str, Any]) -> Fee:
    """A fee that was checked before, from an opening or from the house's rules."""
    return Fee(**{each.name: recorded[each.name] for each in fields(Fee) if each.name in recorded})


def in_words(recorded: Mapping[str, Any] | None, *, written: Callable[[int], str] = coins) -> str:
    """
    What the house takes: "a rake of 5 percent, at most 3 coins".

    :param written: writes its coins.
    """
    if not recorded:
        return "no fee"
    agreed = fee_on_record(recorded)
    return KINDS[agreed.kind].in_words(agreed, written)


def take_rake(pot: int, agreed: Fee | None, *, unit: int) -> tuple[Payment, ...]:
    """The payment that the house takes from a pot that is won."""
    of_pot = None if agreed is None else KINDS[agreed.kind].of_pot
    if agreed is None or of_pot is None:
        return ()
    taken = of_pot(agreed, pot, unit)
    return (Payment(POT, HOUSE, taken, ("G6",)),) if taken else ()


def charges(amount: int, payers: Iterable[str], stakes: Mapping[str, int]) -> tuple[Payment, ...]:
    """Payments of the same amount from each payer, as far as each has it (G2)."""
    return tuple(
        payment for name in payers for payment in cap(name, HOUSE, amount, stakes[name], ("G6",))
    )


def returnable(agreed: Fee | None, taken: tuple[Payment, ...]) -> tuple[Payment, ...]:
    """The payments with a round's first throw that go back if the round is void."""
    return taken if agreed is not None and KINDS[agreed.kind].returned else ()


def give_back(taken: Iterable[Payment]) -> tuple[Payment, ...]:
    """Payments that give fees back to those who paid them."""
    return tuple(Payment(HOUSE, each.payer, each.amount, ("G6",)) for each in taken)


def due(
    agreed: Fee | None,
    payers: Iterable[str],
    stakes: Mapping[str, int],
    *,
    at: int | None,
    charged_at: int | None,
) -> tuple[tuple[Payment, ...], int | None] | None:
    """
    What players pay with a round's first throw, and the time up to which a time charge is then
    paid.

    :param payers: who is in the round, without the house's seat.
    :param at: now; `charged_at`: the time up to which a time charge has been paid; see
        `FirstThrow`.
    :returns: None if nothing is due.
    """
    of_each = None if agreed is None else KINDS[agreed.kind].of_each
    if agreed is None or of_each is None:
        return None
    paying = tuple(payers)
    owed = of_each(agreed, FirstThrow(len(paying), at, charged_at))
    return None if owed is None else (charges(owed[0], paying, stakes), owed[1])
