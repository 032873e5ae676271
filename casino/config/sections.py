"""The office's sections, in the order of the navigation rail: play, money, checks, the house."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from casino.approvals import queries as approvals
from casino.devices import queries as devices
from casino.disputes import queries as disputes
from casino.integrity import parked
from casino.payouts import queries as payouts
from casino.surveillance import queries as surveillance
from casino.web.navigation import Section

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
