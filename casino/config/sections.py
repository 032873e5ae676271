"""
The navigation of the office: ten main entries, named by what people come for.

The day and the tables come first, then money and decisions, then what is looked into afterwards.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from casino.kit.approvals import queries as approvals
from casino.kit.web.navigation import Group, Section
from casino.money.payouts import queries as payouts
from casino.play.devices import queries as devices
from casino.play.dice.surveillance import queries as surveillance
from casino.proof.disputes import queries as disputes
from casino.proof.signing import parked

SECTIONS: tuple[Group, ...] = (
    Group("today", _("Today"), (
        Section("today", _("Today"), "start", "look"),
        Section("days", _("Gaming days"), "days", "look"),
        Section("controls", _("Controls"), "controls", "audit"),
    )),
    Group("floor", _("Floor"), (
        Section("floor", _("Tables"), "floor", "look"),
        Section("players", _("Players"), "players", "look"),
        Section("late", _("Late entries"), "late", "approve", devices.waiting, other="audit"),
    )),
    Group("games", _("Games"), (
        Section("games", _("Rounds"), "games", "look"),
        Section("scoreboards", _("Scoreboards"), "scoreboards", "look",
                words=_("points season prizes places")),
        Section("odds", _("Odds"), "odds", "look"),
    )),
    Group("money", _("Money"), (
        Section("payouts", _("Payouts"), "payouts", "look", payouts.count_held),
        Section("pots", _("Pots"), "pots", "look"),
        Section("cash", _("Cash"), "cash", "look"),
        Section("fee-boxes", _("Fee boxes"), "fee-boxes", "look"),
        Section("accounts", _("Accounts"), "accounts", "audit"),
    )),
    Group("approvals", _("Approvals"), (
        Section("approvals", _("Approvals"), "approvals", "look", approvals.waiting),
    )),
    Group("disputes", _("Disputes"), (
        Section("disputes", _("Disputes"), "disputes", "look", disputes.waiting),
    )),
    Group("dice", _("Dice"), (
        Section("dice", _("Dice"), "dice", "approve", surveillance.waiting, other="audit"),
    )),
    Group("reports", _("Reports"), (
        Section("reports", _("Reports"), "reports", "audit"),
        Section("exceptions", _("Exceptions"), "exceptions", "approve", other="audit"),
        Section("what-if", _("What if"), "what-if", "audit"),
        Section("jobs", _("Jobs"), "jobs", "audit"),
    )),
    Group("ledger", _("Ledger"), (
        Section("ledger", _("Events"), "ledger-events", "approve", other="audit"),
        Section("proof", _("Proof"), "proof", "audit", parked.waiting),
        Section("as-of", _("Earlier states"), "house-at", "audit"),
    )),
    Group("settings", _("Settings"), (
        Section("settings", _("The house"), "settings", "audit"),
        Section("people", _("People"), "people", "audit"),
        Section("tablets", _("Floor tablets"), "tablets", "approve", other="audit"),
        Section("me", _("My sign-in"), "me", "look"),
        Section("admin", _("Admin"), "admin:index", "audit"),
    )),
)  # fmt: skip
