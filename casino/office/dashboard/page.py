"""
The start page: the parts that each role sees, in the order in which that role needs them.

The page updates itself by conditional requests to its own address; `mark` is a cheap ETag of
everything that the page shows.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse

from casino.engine.logs.health.worker_signs import play_worker
from casino.engine.scale.replicas import place as replicas
from casino.house.attendants.models import Role
from casino.house.establishments import epochs, order
from casino.kit.approvals import queries as approvals
from casino.kit.approvals.listings import REQUESTS
from casino.kit.web import navigation
from casino.kit.web.listings.pages import of_rows
from casino.money.cash import fees
from casino.money.cash.models import ShiftRow
from casino.money.payouts import pot_equation as pots
from casino.money.payouts.listings import PAYOUTS
from casino.money.payouts.queries import count_held, payouts_of
from casino.office.dashboard import figures
from casino.office.dashboard.controls import queries as controls
from casino.play.core import figures_of_day
from casino.play.core.cards import cards as table_cards
from casino.play.core.cards import games_at
from casino.play.settlement import payout_holds
from casino.play.settlement.settled import SETTLEMENT
from casino.proof.disputes.regrade.models import Regrade
from casino.proof.disputes.regrade.runs import alarming
from casino.proof.signing import queries as integrity
from casino.proof.verification import runs as verifications
from casino.reports.gaming_days import queries as days
from casino.reports.registers.exceptions import queries as exceptions
from casino.reports.registers.exceptions.listings import EXCEPTIONS
from casino.settings.staff.sign_in import demo_staff as demo
from casino.words.languages import durations, reader
from ledger import checkpoints, journal, subscriptions
from ledger.models import ParkedEvent, Subscription

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.kit.web.listings.table import ListTable
    from casino.kit.web.pages import Page

PARTS: Final[dict[str, tuple[str, ...]]] = {
    Role.ATTENDANT: ("tables", "figures", "payouts", "system_status", "rollovers"),
    Role.SUPERVISOR: ("waiting", "requests", "tables", "figures", "system_status", "payouts",
                      "rollovers"),
    Role.MANAGER: ("figures", "waiting", "plots", "system_status", "tables", "payouts",
                   "rollovers"),
    Role.AUDITOR: ("claims", "waiting", "system_status", "exceptions", "figures", "plots", "tables",
                   "payouts", "rollovers"),
}  # fmt: skip
"""The parts of each role, from top to bottom. Each is a template `dashboard/_<part>.html`."""
DONE: Final = 100  # percent
HALF_A_MINUTE: Final = 30
"""Seconds after which the page is sent again in any case, so that ages on it are not older."""


def page_context(page: Page) -> dict[str, Any]:
    parts = PARTS[page.role]
    rolled = pots.rollovers(page.house)
    sections = list(navigation.entries(page.house, page.role))
    of_days = figures_of_day.last_days(page.house.pk, page.day)
    context = {
        "rail_entries": sections,
        "parts": [f"office/dashboard/_{part}.html" for part in parts],
        "restored": epochs.notice(page.house, page.now),
        "days": days.state(page.house, page.now),
        "figures": figures.figure_rows(page, sum(lot["amount"] for lot in rolled), of_days),
        "days_table": figures.days_table(page, of_days),
        "rollovers": rolled,
        "boxes": boxes(page.house),
        "second_people": approvals.second_people(page.house),
        "worker": _worker(page),
        "settlement": settlement(page.house),
        "tables": tables(page.house, page.person),
        "payouts": payouts(page),
        "ledger_position": journal.head(establishment=page.house.pk),
        "demo": _demo(page),
    }
    only: dict[str, Callable[[], Any]] = {
        "waiting": lambda: [each for each in sections if each.waiting],
        "requests": lambda: requests(page),
        "exceptions": lambda: out_of_the_ordinary(page),
        "claims": claims,
        "plots": lambda: figures.plots(page.house, page.day, page.now),
    }
    context |= {part: query() for part, query in only.items() if part in parts}
    if page.may("audit"):
        context["proof"] = proof(page.house, page.now)
        context["checks"] = checks(page.house)
    return context


def _worker(page: Page) -> dict[str, Any]:
    """A sign of life is of the last seconds, and a replica may be behind those."""
    with replicas.on_primary():
        return play_worker(page.now)


def _demo(page: Page) -> dict[str, Any] | None:
    """Of the demo house: how far its past has come, and whether its tables play by themselves."""
    coming, playing = demo.PAST.shown_percent, demo.SELF_PLAY.state
    if not demo.is_demo(page.house) or (coming == DONE and not playing):
        return None
    return {"coming": None if coming == DONE else coming, "playing": playing}


def mark(page: Page) -> str:
    """
    The ETag of the page, which changes with anything that the page shows.

    It is computed before the content is read, so a change in between is at worst sent twice.
    """
    house = page.house.pk
    followed = Subscription.objects.filter(establishment=house).order_by("name")
    regraded = Regrade.objects.filter(establishment=house).values_list("id", "state").first()
    seen = (
        journal.head(establishment=house),
        *followed.values_list("name", "position"),
        regraded,
        int(page.now.timestamp()) // HALF_A_MINUTE,
        page.person.pk,
        page.role,
        demo.PAST.shown_percent,
        demo.SELF_PLAY.state,
        reader.language_and_locale(),
    )
    return f'"{sha256(repr(seen).encode()).hexdigest()[:24]}"'


# Parts of the start page about play: running tables, rollovers, the last payouts.


MOST_PAYOUTS = 12


def tables(house: Establishment, person: Attendant) -> list[dict[str, Any]]:
    """The tables with a running game; those of which this person is in charge come first."""
    in_use = order.in_list_order(house.tables.filter(in_use=True))
    cards = table_cards(house, in_use, games_at(house.pk, in_use))
    running = ShiftRow.objects.filter(
        establishment=house, table__in=in_use, ended=ShiftRow.Ended.RUNNING, holder=person.pk
    )
    mine = {str(table) for table in running.values_list("table_id", flat=True)}
    rows = [
        {
            **game,
            "name": card["name"],
            "url": reverse("floor-game", args=[game["id"]]),
            "mine": card["id"] in mine,
        }
        for card in cards
        if (game := card["game"])
    ]
    return sorted(rows, key=lambda table: not table["mine"])


def payouts(page: Page) -> ListTable:
    """The day's last payments to players, each with its reason."""
    rows = payouts_of(page.house.pk).filter(gaming_day=page.day)
    return of_rows(page, PAYOUTS, rows[:MOST_PAYOUTS])


# Parts of the start page about the system: workers, settlement, signing, verification, regrade.


def settlement(house: Establishment) -> dict[str, Any]:
    parked = ParkedEvent.objects.filter(establishment=house.pk, subscription=SETTLEMENT)
    behind = subscriptions.lag(SETTLEMENT, establishment=house.pk)
    return {
        "behind": behind,
        "settled_through": journal.head(establishment=house.pk) - behind,
        "parked": parked.values("stream").distinct().count(),
        "stopped": payout_holds.stop_now(house.pk) is not None,
        "held": count_held(house.pk),
    }


def proof(house: Establishment, now: datetime) -> dict[str, Any]:
    """Whether the ledger is signed, and what no outside copy covers; for managers and auditors."""
    outside = integrity.outside(house.pk)
    age, exposed_for = outside.age(now), outside.exposed_for(now)
    return {
        "obstacle": integrity.obstacle(house),
        "signed": checkpoints.latest(house.pk),
        "outside": outside,
        "age": durations.length(age) if age is not None else "",
        "exposed_for": durations.length(exposed_for) if exposed_for is not None else "",
    }


def checks(house: Establishment) -> dict[str, Any]:
    """The last verification (E2) and regrade (E4), and whether an earlier one has an open alarm."""
    return {
        "verified": verifications.last(house),
        "regraded": Regrade.objects.filter(establishment=house, parameters__current=False).first(),
        "differs": alarming().filter(establishment=house).exists(),
    }


# Parts of the start page about what waits for somebody, and about exceptions.


OLDEST: Final = 4
"""How many of the oldest requests the start page shows."""
LINES: Final = 10


def requests(page: Page) -> ListTable:
    """The requests that have waited longest."""
    return of_rows(page, REQUESTS, approvals.all_waiting(page.house.pk)[:OLDEST])


def boxes(house: Establishment) -> list[str]:
    """Tables whose fee box nobody has counted (A5)."""
    return [table.name for table, _coins in fees.boxes_to_count(house)]


def out_of_the_ordinary(page: Page) -> ListTable:
    """The newest lines of the exception report (C2)."""
    newest = exceptions.newest(page.house, LINES)
    return of_rows(page, EXCEPTIONS, newest, without=("amount", "reason"))


def claims() -> dict[str, Any]:
    """How many controls passed in the last run of the tests, and which failed."""
    rows = list(controls.rows())
    return {
        "all": len(rows),
        "passed": sum(row["state"] == "shown" for row in rows),
        "failed": [row["control"].number for row in rows if row["state"] == "failed"],
        "run": controls.last_run(),
    }
