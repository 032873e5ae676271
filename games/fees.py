"""What the house may take for its table (G6): a rake on the pot, a seat fee, a charge for time."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal

from games.kinds import shortened
from games.payments import HOUSE, POT, Payment, capped
from games.refusals import Refused

PERCENT_MAX: Final = 10
FIELDS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "rake": (("percent",), ("cap",)),
    "seat": (("amount",), ()),
    "time": (("amount", "minutes"), ()),
}


class UnknownFee(Refused):
    code = "unknown_fee"


class FeeTooHigh(Refused):
    code = "fee_too_high"


class NoMoneyPlayed(Refused):
    code = "no_money_played"


@dataclass(frozen=True, slots=True)
class Fee:
    """G6. A rake has percent and perhaps cap, a seat fee amount, a time charge amount, minutes."""

    kind: Literal["rake", "seat", "time"]
    percent: int = 0
    cap: int | None = None
    amount: int = 0
    minutes: int = 0


def fee(requested: Mapping[str, Any] | None, *, without_money: str | None) -> Fee | None:
    """
    The fee that an opening announces; None: there is none.

    :param without_money: where no money is played: what was chosen, with its rules.
    :raises Refused: if no money is played, or the fee is none of the three.
    """
    if requested is None:
        return None
    if without_money is not None:
        raise NoMoneyPlayed(f"fee: no money moves with {without_money}. G6")
    kind = requested.get("kind")
    if not isinstance(kind, str) or kind not in FIELDS:
        raise UnknownFee(f"fee.kind is {shortened(kind)}: rake, seat or time. G6")
    required, optional = FIELDS[kind]
    for name in requested:
        if name not in {"kind", *required, *optional}:
            raise UnknownFee(f"fee.{shortened(name)}: a {kind} fee has no such field. G6")
    for name in required:
        if name not in requested:
            raise UnknownFee(f"fee.{name} is missing: a {kind} fee needs it. G6")
    if requested.get("percent", 0) > PERCENT_MAX:
        raise FeeTooHigh(f"fee.percent is {requested['percent']}: at most {PERCENT_MAX}. G6")
    return Fee(
        **{each.name: requested[each.name] for each in fields(Fee) if each.name in requested}
    )


def raked(pot: int, agreed: Fee | None) -> tuple[Payment, ...]:
    """The rake on a pot that is won; rounded down, and never more than a tenth of it."""
    if agreed is None or agreed.kind != "rake":
        return ()
    rake = min(pot * agreed.percent // 100, pot // 10)
    rake = rake if agreed.cap is None else min(rake, agreed.cap)
    return (Payment(POT, HOUSE, rake, ("G6",)),) if rake else ()


def charges(amount: int, payers: Iterable[str], stakes: Mapping[str, int]) -> tuple[Payment, ...]:
    """The same amount from everybody, as far as they have it (G2)."""
    return tuple(
        payment for name in payers for payment in capped(name, HOUSE, amount, stakes[name], ("G6",))
    )


def time_due(agreed: Fee, at: int | None, charged_at: int | None) -> tuple[int, int] | None:
    """
    What a time charge comes to by now, for each player.

    :param at: now, in seconds since 1970; None: not known, no time passes.
    :param charged_at: up to when time is paid; None: from now on.
    :returns: (coins, up to when time is paid then); None: nothing changes.
    """
    if at is None:
        return None
    since = at if charged_at is None else charged_at
    periods = max(0, at - since) // (agreed.minutes * 60)
    if periods == 0 and charged_at is not None:
        return None
    return agreed.amount * periods, since + periods * agreed.minutes * 60


def returned(taken: Iterable[Payment]) -> tuple[Payment, ...]:
    """The seat fees of a round that is void, back to who paid them."""
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
    :param at: now; `charged_at`: up to when time is paid; see `time_due`.
    :returns: None where nothing is due.
    """
    if agreed is None or agreed.kind == "rake":
        return None
    if agreed.kind == "seat":
        return charges(agreed.amount, payers, stakes), None
    owed = time_due(agreed, at, charged_at)
    return None if owed is None else (charges(owed[0], payers, stakes), owed[1])
