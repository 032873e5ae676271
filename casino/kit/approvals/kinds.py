"""
What the rooms of a house let wait for a second person: their kinds of requests, and items that wait
on their own pages. `config.parts` registers both.

    REQUESTS = {"fill": Kind(title=_("Fill"), act="approve", carry_out=fill)}
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.engine.processes import registrations
from casino.kit.approvals import requests
from casino.kit.web.pages import Outcome
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from uuid import UUID

    from casino.house.attendants.permissions import Act
    from casino.house.establishments.models import Establishment
    from casino.kit.web.pages import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from django.utils.functional import _StrPromise

    from casino.house.acts.acts import Act as Act_
    from casino.house.acts.acts import Done
    from casino.house.attendants.models import Attendant
    from casino.house.attendants.permissions import Act
    from casino.kit.approvals.requests import Request

    CarryOut = Callable[[Request, Attendant, datetime], Done]


class Decide(Protocol):
    def __call__(
        self,
        act: Act_,
        by: Attendant,
        request: Request,
        *,
        approve: bool,
        reason: str = "",
        **seen: int,
    ) -> None: ...


class Withdraw(Protocol):
    def __call__(self, act: Act_, by: Attendant, request: Request, *, reason: str = "") -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeper:
    """
    How a thing that keeps its own requests takes the answers to them: see `answers`.

    :param done_alone: does alone what the asker has requested, and returns the request (D1b).
    """

    decide: Decide
    withdraw: Withdraw
    do_alone: Callable[[Act_, Attendant, Request], None]
    done_alone: Callable[[Request], Request]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """
    One kind of request.

    :param title: what is requested, as a heading: "Fill".
    :param act: the act that a role must allow for a person to approve the request.
    :param carry_out: what happens with the approval, in the same entry of the ledger: guards,
        events, transfers. Raises `Refused` if it cannot be done now: the request stays open. It
        only reads, and is called again if a guarded stream has moved. It need not say who asked and
        who approved: every event is signed with `asked_by` and `approved_by` here. None where the
        thing itself keeps its requests, as games do those to void.
    :param rows: `carry_out` also saves rows of the house's things, which then change in the same
        transaction as the ledger.
    :param tells: for the person who decides: a sentence for each of some requests of a house about
        what was asked for, with tokens; "" if the thing that it would describe is gone. It says
        what was so when it was asked for, from the request and from what the ledger had before it,
        and never changes. Called once for a whole list, with a query or two.
    :param details: the same in full, for requests that wait: JSON values, with tokens. None of one
        whose thing is gone. Its ``through`` comes back with the answer: what was seen.
    :param address: the page of the thing itself, or "".
    :param refusals: for requests that wait, why each cannot be carried out now, with tokens, or "";
        as far as a query or two for a whole list can say. On its own page `carry_out` is tried.
    :param otherwise: the page where one begins what is left to do if it cannot be carried out.
    :param keeper: takes the answers instead, where the thing itself keeps its requests.
    """

    title: _StrPromise | str
    act: Act
    carry_out: CarryOut | None
    rows: bool = False
    tells: Callable[[Sequence[Request]], Sequence[str]] | None = None
    details: Callable[[Sequence[Request]], Sequence[Mapping[str, Any] | None]] | None = None
    address: Callable[[Request], str] | None = None
    refusals: Callable[[Sequence[Request]], Sequence[str]] | None = None
    otherwise: Callable[[Request], str] | None = None
    keeper: Keeper | None = None


def each(tell: Callable[[Request], str]) -> Callable[[Sequence[Request]], list[str]]:
    """Make a `Kind.tells` for a kind that needs only the request itself for its sentence."""

    def tells(requests: Sequence[Request]) -> list[str]:
        return [tell(request) for request in requests]

    return tells


def each_refusal(check: Callable[[Request], object]) -> Callable[[Sequence[Request]], list[str]]:
    """Make a `Kind.refusals` for a kind of which few requests wait, from what refuses one."""

    def refusal(request: Request) -> str:
        try:
            check(request)
        except Refused as refused:
            return str(refused)
        return ""

    return lambda requests: [refusal(request) for request in requests]


_KINDS: dict[str, Kind] = {}


def register(name: str, kind: Kind) -> None:
    """Register a kind, from `config.parts`. Repeated calls change nothing."""
    _KINDS.setdefault(name, kind)


def kinds_by_name() -> Mapping[str, Kind]:
    """All kinds by name. The names are in the ledger for ever."""
    registrations.everything()
    return _KINDS


# The message that a request was made, with a link to it, for every page that asks for one.


def ask_second_person(page: Page, sentence: str, command_id: UUID) -> Outcome:
    """
    The outcome of an act that asks for a second person.

    :param command_id: of the act, from which the request has its id.
    """
    request = requests.id_of(page.house.pk, command_id)
    return Outcome(sentence, _("The request"), reverse("approval", args=[request]))


# Things that wait for somebody on other pages: a large prize for its witness, a dispute for its
# end.
#
# `config.parts` registers what an area has of such lists. The queue of requests shows its items and
# links to them.


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingItem:
    """One thing that waits: what it is, since when, about how many coins, and where it is done."""

    title: str
    sentence: str
    since: datetime
    address: str
    amount: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """
    A list of things that wait, as an area registers it.

    :param act: people who may do this see the list.
    :param count: how many wait at a house, in one cheap query; None where the area shows its number
        itself.
    :param items: the oldest of them, up to a given number, with names put in.
    """

    name: str
    act: Act
    count: Callable[[UUID], int] | None
    items: Callable[[Establishment, int], Sequence[PendingItem]]


_SOURCES: dict[str, Source] = {}


def register_source(source: Source) -> None:
    """Register a source, from `config.parts`. Repeated calls change nothing."""
    _SOURCES.setdefault(source.name, source)


def sources() -> Sequence[Source]:
    registrations.everything()
    return tuple(_SOURCES.values())


def count_pending(establishment: UUID) -> int:
    return sum(source.count(establishment) for source in sources() if source.count)


def pending_items(
    house: Establishment, allowed: Callable[[Act], bool], *, most: int
) -> list[PendingItem]:
    """What waits on other pages for somebody with these permissions, the oldest first."""
    found = [
        item for source in sources() if allowed(source.act) for item in source.items(house, most)
    ]
    return sorted(found, key=lambda item: item.since)[:most]
