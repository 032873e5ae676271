"""
What can be asked for: each area of the house registers its kinds, from its app's ``brings()``.

    kinds.register("fill", Kind(title=_("Fill"), act="approve", carry_out=slips.fill))
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from casino.platform import registrations

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from django.utils.functional import _StrPromise

    from casino.approvals.requests import Request
    from casino.attendants.models import Attendant
    from casino.attendants.permissions import Act
    from casino.operations.acts import Act as Act_
    from casino.operations.acts import Done

    CarryOut = Callable[[Request, Attendant, datetime], Done]


class Decide(Protocol):
    def __call__(
        self, act: Act_, by: Attendant, request: Request, *, approve: bool, reason: str = ""
    ) -> None: ...


class Withdraw(Protocol):
    def __call__(self, act: Act_, by: Attendant, request: Request, *, reason: str = "") -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeper:
    """
    How the thing itself takes the answers to requests that it keeps: see `answers`.

    :param done_alone: the request as it is there, once the asker has done it alone (D1b).
    """

    decide: Decide
    withdraw: Withdraw
    do_alone: Callable[[Act_, Attendant, Request], None]
    done_alone: Callable[[Request], Request]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """
    One kind of request.

    :param title: what is asked for, as a heading: "Fill".
    :param act: what a role must allow for its bearer to approve it.
    :param carry_out: None where the thing itself keeps its requests, as games do those to void.
        Else what happens with the approval, in the same entry of the ledger: guards,
        events, transfers. Raises `Refused` where it cannot be done now: the request stays open. It
        reads, and is asked again where a guarded stream moved. Who asked and who approved need not
        be told: every event of it is signed with `asked_by` and `approved_by` here.
    :param rows: `carry_out` also saves rows of the house's things, which then change in the same
        transaction as the ledger.
    :param tells: what will happen, a sentence for each of some requests of a house, for whoever
        decides; with tokens, "" where the thing is gone that it would speak of. Asked once for all
        of a list: a query or two, not for each of them.
    :param address: the page of the thing itself, or "".
    :param keeper: who decides instead, where the thing itself keeps its requests.
    """

    title: _StrPromise | str
    act: Act
    carry_out: CarryOut | None
    rows: bool = False
    tells: Callable[[Sequence[Request]], Sequence[str]] | None = None
    address: Callable[[Request], str] | None = None
    keeper: Keeper | None = None


def each(tell: Callable[[Request], str]) -> Callable[[Sequence[Request]], list[str]]:
    """`Kind.tells` of a kind whose request itself says all there is to say."""

    def tells(requests: Sequence[Request]) -> list[str]:
        return [tell(request) for request in requests]

    return tells


_KINDS: dict[str, Kind] = {}


def register(name: str, kind: Kind) -> None:
    """From an app's ``brings()``: once, however often that is called."""
    _KINDS.setdefault(name, kind)


def known() -> Mapping[str, Kind]:
    """Name of a kind, as it stands in the ledger for ever, to the kind."""
    registrations.everything()
    return _KINDS
