"""Fees of the house in words: each kind of fee and each of its amounts, for all surfaces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from casino.words.languages.amounts import money
from games import fees
from games.payments import COINS_MAX

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from django.utils.functional import _StrPromise

    from games.fees import Fee


@dataclass(frozen=True, slots=True)
class Words:
    """
    The words for a kind of fee.

    :param label: for a choice in a form.
    :param short: for the table; takes the fee and the game's name for its pot.
    :param announced: for lists of the house; takes the fee and a function that writes money.
    """

    label: _StrPromise
    short: Callable[[Fee, str], str]
    announced: Callable[[Fee, Callable[[int], str]], str]


@dataclass(frozen=True, slots=True)
class Amount:
    """
    The words for an amount that a fee may have, for forms.

    :param money: whether it is an amount of money.
    :param unit: shown after the number in the form that opens a game, with the house's currency.
    """

    label: _StrPromise
    help: _StrPromise
    unit: _StrPromise
    most: int = COINS_MAX
    money: bool = False


def short_rake(agreed: Fee, pot: str) -> str:
    return _("%(percent)s %% of the %(pot)s") % {"percent": agreed.percent, "pot": pot}


def short_seat(agreed: Fee, _pot: str) -> str:
    return _("%(amount)s a round") % {"amount": money(agreed.amount)}


def short_time(agreed: Fee, _pot: str) -> str:
    terms = {"amount": money(agreed.amount), "minutes": agreed.minutes}
    return _("%(amount)s every %(minutes)s min") % terms


def describe_rake(agreed: Fee, money: Callable[[int], str]) -> str:
    rake = _("rake of %(percent)s %% of a pot that is won") % {"percent": agreed.percent}
    return rake + _(", at most %(cap)s") % {"cap": money(agreed.cap)} if agreed.cap else rake


def describe_seat_fee(agreed: Fee, money: Callable[[int], str]) -> str:
    return _("%(amount)s a seat and round") % {"amount": money(agreed.amount)}


def describe_time_charge(agreed: Fee, money: Callable[[int], str]) -> str:
    words = ngettext(
        "%(amount)s for each minute", "%(amount)s for each %(minutes)s minutes", agreed.minutes
    )
    return words % {"amount": money(agreed.amount), "minutes": agreed.minutes}


KINDS: Final[Mapping[str, Words]] = {
    "rake": Words(gettext_lazy("a part of the pot"), short_rake, describe_rake),
    "seat": Words(gettext_lazy("for each seat and round"), short_seat, describe_seat_fee),
    "time": Words(gettext_lazy("for time"), short_time, describe_time_charge),
}
AMOUNTS: Final[Mapping[str, Amount]] = {
    "percent": Amount(
        gettext_lazy("Percent of the pot"), gettext_lazy("For a part of the pot."),
        gettext_lazy("percent, 10 at most"), most=fees.PERCENT_MAX,
    ),
    "cap": Amount(
        gettext_lazy("At most, in coins"), gettext_lazy("Empty: no limit."),
        gettext_lazy("%(currency)s at most, or empty"), money=True,
    ),
    "amount": Amount(
        gettext_lazy("Coins from each player"), gettext_lazy("For seats or time."),
        gettext_lazy("%(currency)s from each player"), money=True,
    ),
    "minutes": Amount(
        gettext_lazy("Every so many minutes"), gettext_lazy("For time."), gettext_lazy("minutes"),
    ),
}  # fmt: skip
FIELDS: Final = tuple(f"fee-{name}" for name in AMOUNTS)
"""The form fields for amounts; the kind of the fee is in the field ``fee``."""


def fields(kind: str) -> tuple[str, ...]:
    """The form fields that a kind of fee needs; none for an unknown kind."""
    of = fees.KINDS.get(kind)
    return tuple(f"fee-{name}" for name in (*of.required, *of.optional)) if of else ()


def choices(kinds: Collection[str]) -> list[tuple[str, _StrPromise]]:
    """The choices of a form field, for a game that has these kinds of fees."""
    labels = [(kind, words.label) for kind, words in KINDS.items() if kind in kinds]
    return [("", gettext_lazy("none")), *labels]


def short(agreed: Fee, *, pot: str) -> str:
    """
    A fee in a few words, as shown at the table (G6).

    :param pot: the game's name for its pot.
    """
    return KINDS[agreed.kind].short(agreed, pot)


def describe_fee(recorded: Mapping[str, Any] | None, money: Callable[[int], str]) -> str:
    """A fee as an opening event recorded it: rake of 5 % of a pot that is won, at most 3 r."""
    if not recorded:
        return _("no fee")
    agreed = fees.fee_on_record(recorded)
    return KINDS[agreed.kind].announced(agreed, money)
