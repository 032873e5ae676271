"""What the house may take for its table (G6), one entry of `KINDS` for each kind of fee."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal

from games.kinds import shortened
from games.payments import HOUSE, POT, Payment, capped
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
    """G6. Which of the amounts a fee has, its kind says."""

    kind: Name
    percent: int = 0
    cap: int | None = None
    amount: int = 0
    minutes: int = 0


@dataclass(frozen=True, slots=True)
class FirstThrow:
    """
    What a fee may depend on that is due with a round's first throw.

    :param payers: how many pay, without the house's seat.
    :param at: now, in seconds since 1970; None: not known, no time passes.
    :param charged_at: up to when time is paid; None: from now on.
    """

    payers: int
    at: int | None
    charged_at: int | None


@dataclass(frozen=True, slots=True)
class Kind:
    """
    A kind of fee: taken of a pot that is won, or of each player with a round's first throw.

    :param required: its amounts, as `Fee` has them; `optional`: those that it may have.
    :param in_words: what the house takes, as rules and refusals have it.
    :param of_pot: the coins of a pot that is won; None: none.
    :param of_each: the coins of each player, and up to when time is paid then; None: none ever.
    :param returned: whether what players paid goes back to them where the round is void.
    """

    required: tuple[str, ...]
    in_words: Callable[[Fee], str]
    optional: tuple[str, ...] = ()
    of_pot: Callable[[Fee, int], int] | None = None
    of_each: Callable[[Fee, FirstThrow], tuple[int, int | None] | None] | None = None
    returned: bool = False


def coins(amount: int) -> str:
    return "1 coin" if amount == 1 else f"{amount} coins"


def rake(agreed: Fee, pot: int) -> int:
    """Rounded down, and never more than a tenth of the pot."""
    taken = min(pot * agreed.percent // 100, pot // 10)
    return taken if agreed.cap is None else min(taken, agreed.cap)


def rake_in_words(agreed: Fee) -> str:
    if agreed.cap is None:
        return f"a rake of {agreed.percent} percent"
    return f"a rake of {agreed.percent} percent, at most {coins(agreed.cap)}"


def seat_in_words(agreed: Fee) -> str:
    return f"{coins(agreed.amount)} for each seat and round"


def for_time(agreed: Fee, throw: FirstThrow) -> tuple[int, int] | None:
    """For each full `minutes` since the opening or the last charge; None: nothing changes."""
    if throw.at is None:
        return None
    since = throw.at if throw.charged_at is None else throw.charged_at
    periods = max(0, throw.at - since) // (agreed.minutes * 60)
    if periods == 0 and throw.charged_at is not None:
        return None
    return agreed.amount * periods, since + periods * agreed.minutes * 60


def time_in_words(agreed: Fee) -> str:
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
    The fee that an opening announces; None: there is none.

    :param without_money: where no money is played: what was chosen, with its rules.
    :raises Refused: if no money is played, or the fee is none of the kinds.
    """
    if requested is None:
        return None
    if without_money is not None:
        raise NoMoneyPlayed(f"fee: no money moves with {without_money}. G6")
    kind = requested.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise UnknownFee(f"fee.kind is {shortened(kind)}: rake, seat or time. G6")
    of = KINDS[kind]
    for name in requested:
        if name not in {"kind", *of.required, *of.optional}:
            raise UnknownFee(f"fee.{shortened(name)}: a {kind} fee has no such field. G6")
    for name in of.required:
        if name not in requested:
            raise UnknownFee(f"fee.{name} is missing: a {kind} fee needs it. G6")
    if requested.get("percent", 0) > PERCENT_MAX:
        raise FeeTooHigh(f"fee.percent is {requested['percent']}: at most {PERCENT_MAX}. G6")
    return announced(requested)


def announced(recorded: Mapping[str, Any]) -> Fee:
    """A fee that was checked before, as an opening or the house's rules have it."""
    return Fee(**{each.name: recorded[each.name] for each in fields(Fee) if each.name in recorded})


def in_words(recorded: Mapping[str, Any] | None) -> str:
    """What the house takes: "a rake of 5 percent, at most 3 coins"."""
    if not recorded:
        return "no fee"
    agreed = announced(recorded)
    return KINDS[agreed.kind].in_words(agreed)


def raked(pot: int, agreed: Fee | None) -> tuple[Payment, ...]:
    """What the house takes of a pot that is won."""
    of_pot = None if agreed is None else KINDS[agreed.kind].of_pot
    if agreed is None or of_pot is None:
        return ()
    taken = of_pot(agreed, pot)
    return (Payment(POT, HOUSE, taken, ("G6",)),) if taken else ()


def charges(amount: int, payers: Iterable[str], stakes: Mapping[str, int]) -> tuple[Payment, ...]:
    """The same amount from everybody, as far as they have it (G2)."""
    return tuple(
        payment for name in payers for payment in capped(name, HOUSE, amount, stakes[name], ("G6",))
    )


def returnable(agreed: Fee | None, taken: tuple[Payment, ...]) -> tuple[Payment, ...]:
    """Of what was taken with a round's first throw, what goes back where the round is void."""
    return taken if agreed is not None and KINDS[agreed.kind].returned else ()


def returned(taken: Iterable[Payment]) -> tuple[Payment, ...]:
    """Back to who paid it."""
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
    What players pay with a round's first throw, and up to when time is paid then.

    :param payers: who is in the round, without the house's seat.
    :param at: now; `charged_at`: up to when time is paid; see `FirstThrow`.
    :returns: None where nothing is due.
    """
    of_each = None if agreed is None else KINDS[agreed.kind].of_each
    if agreed is None or of_each is None:
        return None
    paying = tuple(payers)
    owed = of_each(agreed, FirstThrow(len(paying), at, charged_at))
    return None if owed is None else (charges(owed[0], paying, stakes), owed[1])
