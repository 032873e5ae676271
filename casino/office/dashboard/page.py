"""
The start page: the parts that each role sees, in the order in which that role needs them.

The page updates itself by conditional requests to its own address; `mark` is a cheap ETag of
everything that the page shows.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from casino.engine.health.worker_signs import play_worker
from casino.engine.scale.replicas import place as replicas
from casino.house.attendants.models import Role
from casino.house.establishments import epochs
from casino.kit.approvals import queries as approvals
from casino.kit.web import navigation
from casino.money.pots import queries as pots
from casino.office.dashboard import figures, play, system_status, waiting
from casino.play.core import figures_of_day
from casino.proof.regrade.models import Regrade
from casino.reports.gaming_days import queries as days
from casino.settings.sign_in import demo_staff as demo
from casino.words.languages import reader
from ledger import journal
from ledger.models import Subscription

if TYPE_CHECKING:
    from collections.abc import Callable

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
        "parts": [f"dashboard/_{part}.html" for part in parts],
        "restored": epochs.notice(page.house, page.now),
        "days": days.state(page.house, page.now),
        "figures": figures.figure_rows(page, sum(lot["amount"] for lot in rolled), of_days),
        "days_table": figures.days_table(page, of_days),
        "rollovers": rolled,
        "boxes": waiting.boxes(page.house),
        "second_people": approvals.second_people(page.house),
        "worker": _worker(page),
        "settlement": system_status.settlement(page.house),
        "tables": play.tables(page.house, page.person),
        "payouts": play.payouts(page),
        "ledger_position": journal.head(establishment=page.house.pk),
        "demo": _demo(page),
    }
    only: dict[str, Callable[[], Any]] = {
        "waiting": lambda: [each for each in sections if each.waiting],
        "requests": lambda: waiting.requests(page),
        "exceptions": lambda: waiting.out_of_the_ordinary(page),
        "claims": waiting.claims,
        "plots": lambda: figures.plots(page.house, page.day, page.now),
    }
    context |= {part: query() for part, query in only.items() if part in parts}
    if page.may("audit"):
        context["proof"] = system_status.proof(page.house, page.now)
        context["checks"] = system_status.checks(page.house)
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
