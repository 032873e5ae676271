"""
What rooms add to lists that rooms below them read: who registers what with whom.

`registrations.everything` calls `register` when such a list is first read, so that a process that
reads none imports none of this.
"""

from __future__ import annotations

from casino.chain import proof as chain_proof
from casino.chain import summaries
from casino.engine.processes.queues import house_subscriber
from casino.engine.processes.queues.house_subscriber import Area
from casino.floor.players import projections as players
from casino.kit.approvals import kinds
from casino.kit.approvals import projections as approvals
from casino.money.cash import bank, prizes, slips
from casino.money.cash import projections as cash
from casino.money.payouts import adjustments, inspections, resuming
from casino.play.core import void_requests
from casino.play.core.subscriptions import quiet
from casino.play.devices import projections as devices
from casino.play.dice import life
from casino.play.dice import projections as dice
from casino.play.dice.surveillance import alarms
from casino.play.exclusions import projections as exclusions
from casino.play.settlement import payout_holds
from casino.proof.disputes import projections as disputes
from casino.proof.search import projections as search
from casino.proof.signing import copies, epochs, findings, tasks
from casino.reports.gaming_days import projections as gaming_days
from casino.reports.registers import preparing
from casino.settings.configuration import history, scoreboards
from casino.settings.configuration import operations as configuration_requests
from casino.settings.staff import appointments

AREAS = (
    Area("players", players.handle, players.ROWS, effects=players.ERASED),
    Area("exclusions", exclusions.handle, exclusions.ROWS),
    Area("dice", dice.handle, dice.ROWS),
    Area("approvals", approvals.handle, approvals.ROWS),
    cash.CASH,
    Area("accounts", cash.handle_accounts, cash.ACCOUNT_ROWS),
    Area("owed", prizes.handle_owed, prizes.ROWS, batch=prizes.batch_owed),
    gaming_days.DAYS,
    Area("devices", devices.handle, devices.ROWS),
    Area("disputes", disputes.handle, disputes.ROWS),
    search.SEARCH,
    Area("surveillance", alarms.handle, alarms.ROWS),
    tasks.SIGNED,
    preparing.ERASURES,
    Area("configuration", history.handle, history.ROWS),
)
"""What the house's subscriber keeps up to date from events."""

REQUESTS = (
    void_requests.REQUESTS,
    life.DESTROY_REQUESTS,
    bank.REQUESTS,
    prizes.REQUESTS,
    slips.REQUESTS,
    adjustments.REQUESTS,
    resuming.REQUESTS,
    configuration_requests.REQUESTS,
    scoreboards.REQUESTS,
    appointments.REQUESTS,
)
"""What may be asked of a second person: kinds by the names that the ledger has for ever."""

PENDING_ITEMS = (disputes.SOURCE, inspections.SOURCE)
"""What else waits for somebody, beside requests."""


def register() -> None:
    """Fill the lists. Repeated calls change nothing."""
    for area in AREAS:
        house_subscriber.register(area)
    for requests in REQUESTS:
        for name, kind in requests.items():
            kinds.register(name, kind)
    for source in PENDING_ITEMS:
        kinds.register_source(source)
    # What keeps a house on the list of those in which something is left to do.
    quiet.KEEPERS |= {"chain": summaries.behind, "integrity": copies.behind}
    # Who signs a ledger that is of no house.
    tasks.OTHERS["casino.chain"] = chain_proof.sign
    # Why payouts stop, in words, and what must be done before they are resumed.
    payout_holds.CAUSES[:] = [
        payout_holds.Causes(findings.explain, epochs.check_loss_on_record),
    ]
