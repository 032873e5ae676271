"""What every game's report and explanations have in common."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

from games.dice import Dice
from games.game import History, Named
from games.messages import Fact, VoidRequested
from games.payments import RESERVED, Payment

Told = Callable[[int, Fact], dict[str, Any] | None]

PARTS: Final = {
    Fraction(1, 2): "\N{VULGAR FRACTION ONE HALF}",
    Fraction(1, 3): "\N{VULGAR FRACTION ONE THIRD}",
    Fraction(2, 3): "\N{VULGAR FRACTION TWO THIRDS}",
    Fraction(1, 4): "\N{VULGAR FRACTION ONE QUARTER}",
    Fraction(3, 4): "\N{VULGAR FRACTION THREE QUARTERS}",
}


def exactly(points: Fraction) -> str:
    """Shared points as they are said: 3½; parts that have no sign of their own as 2 1/5."""
    whole, part = divmod(points, 1)
    if not part:
        return str(whole)
    said = PARTS.get(part, f" {part}" if whole else str(part))
    return f"{whole or ''}{said}"


def account(name: str, named: Named) -> str:
    """A player's name, or the account that the rules call so."""
    return name if name in RESERVED else named(name)


def payment(moved: Payment, because: str, named: Named) -> dict[str, Any]:
    return {
        "from": account(moved.payer, named),
        "to": account(moved.payee, named),
        "amount": moved.amount,
        "rules": list(moved.rules),
        "because": because,
    }


def throws(history: History, standing: set[int], told: Told) -> list[dict[str, Any]]:
    """
    Every throw there was, cancelled ones marked.

    :param standing: the numbers of the events that count.
    :param told: an event as a row of the report; None: it is no throw.
    """
    shown: list[dict[str, Any]] = []
    for number, event in history:
        row = told(number, event)
        if row is not None:
            shown.append(row if number in standing else {**row, "void": True})
    return shown


def request(asked: VoidRequested) -> dict[str, Any]:
    return {
        "request": asked.request,
        "back_to": asked.back_to,
        "reason": asked.reason,
        "asked_by": asked.asked_by,
    }


def faces(dice: Dice) -> str:
    """`2-2-7`."""
    return "-".join(map(str, dice))
