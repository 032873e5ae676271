"""The office's sections, as the rail on the left shows them to a role."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from casino.approvals import queries as approvals
from casino.attendants import permissions
from casino.devices import queries as devices
from casino.disputes import queries as disputes
from casino.integrity import parked
from casino.payouts import queries as payouts
from casino.surveillance import queries as surveillance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from django.utils.functional import _StrPromise

    from casino.attendants.permissions import Act
    from casino.establishments.models import Establishment


@dataclass(frozen=True, slots=True)
class Section:
    """
    :param name: of the section, as pages give it.
    :param url: name of its first page.
    :param act: whoever may do this sees it.
    :param other: so does whoever may do this.
    :param apart: a line stands above it: another group begins.
    :param waiting: how many things wait there for somebody, at a house.
    """

    name: str
    title: _StrPromise
    url: str
    act: Act
    waiting: Callable[[UUID], int] | None = None
    other: Act | None = None
    apart: bool = False

    def opens_for(self, role: str) -> bool:
        return any(each and role in permissions.ALLOWED[each] for each in (self.act, self.other))


@dataclass(frozen=True, slots=True)
class Entry:
    name: str
    title: str
    url: str
    waiting: int
    apart: bool


SECTIONS: tuple[Section, ...] = (
    Section("today", _("Today"), "start", "look"),
    Section("floor", _("Floor"), "floor", "look"),
    Section("games", _("Games"), "games", "look"),
    Section("pots", _("Pots"), "pots", "look"),
    Section("payouts", _("Payouts"), "payouts", "look", payouts.held),
    Section("disputes", _("Disputes"), "disputes", "look", disputes.waiting),
    Section("late", _("Late entries"), "late", "approve", devices.waiting, other="audit"),
    Section("approvals", _("Approvals"), "approvals", "look", approvals.waiting, apart=True),
    Section("cash", _("Cash"), "cash", "look"),
    Section("accounts", _("Accounts"), "accounts", "audit"),
    Section("players", _("Players"), "players", "look"),
    Section("reports", _("Reports"), "reports", "audit", apart=True),
    Section("exceptions", _("Exceptions"), "exceptions", "approve", other="audit"),
    Section("dice", _("Dice"), "dice", "approve", surveillance.waiting, other="audit"),
    Section("ledger", _("Ledger"), "ledger-events", "approve", other="audit"),
    Section("proof", _("Proof"), "proof", "audit", parked.waiting),
    Section("odds", _("Odds"), "odds", "look"),
    Section("people", _("People"), "people", "audit", apart=True),
    Section("me", _("My sign-in"), "me", "look"),
    Section("settings", _("Settings"), "settings", "audit"),
)
"""In the order of the rail: play, money, what is checked, the house."""


def entries(house: Establishment, role: str) -> Iterator[Entry]:
    """What a role sees at a house."""
    apart = False
    for each in SECTIONS:
        apart = apart or each.apart
        if each.opens_for(role):
            waiting = each.waiting(house.pk) if each.waiting else 0
            yield Entry(each.name, str(each.title), reverse(each.url), waiting, apart)
            apart = False
