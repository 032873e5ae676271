"""
What a person may do now: only what their role allows and what is possible at this moment.

Each entry leads to the page on which it is done; nothing is done by the box itself. What depends on
the moment is queried only if the words that were typed can mean it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts.custody import stream as custody
from casino.house.establishments.order import in_list_order
from casino.money.cash import fees
from casino.office.dashboard.palette.found import Found, fitting
from casino.play.core import cards
from casino.play.settlement import payout_holds
from casino.reports.gaming_days import queries as days
from casino.reports.gaming_days.models import GamingDay
from casino.words.languages import locales
from ledger import recent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from uuid import UUID

    from django.utils.functional import _StrPromise

    from casino.house.attendants.permissions import Act
    from casino.house.establishments.models import Table
    from casino.kit.web.navigation import Entry
    from casino.kit.web.pages import Page
    from casino.office.dashboard.palette.found import Typed

ALWAYS: Final[tuple[tuple[str, _StrPromise, _StrPromise, Act], ...]] = (
    ("disputes-find", gettext_lazy("Raise a dispute"),
     gettext_lazy("object receipt round wrong"), "record"),
    ("exclusions", gettext_lazy("Exclude a player"), gettext_lazy("ban refuse seat"), "approve"),
    ("tips", gettext_lazy("Pay out tips"), gettext_lazy("attendants"), "record"),
    ("unclaimed", gettext_lazy("Hand out money that nobody has collected"),
     gettext_lazy("unclaimed late cash out prize"), "approve"),
    ("cage", gettext_lazy("Move money between cage and bank"),
     gettext_lazy("capital drop deposit"), "configure"),
    ("dice-receive", gettext_lazy("Receive dice"), gettext_lazy("new set store"), "approve"),
    ("proof", gettext_lazy("Verify the ledger"), gettext_lazy("proof check"), "audit"),
    ("reports", gettext_lazy("Prepare a report"), gettext_lazy("export file download"), "audit"),
    ("what-if", gettext_lazy("Play a period again under another rule"),
     gettext_lazy("what if fee option"), "audit"),
    ("invite", gettext_lazy("Invite a person to work here"),
     gettext_lazy("hire employ staff people"), "configure"),
    ("tablets", gettext_lazy("Make this device a floor tablet"), gettext_lazy("enrol"), "approve"),
    ("settings-table-new", gettext_lazy("Add a table"), gettext_lazy("new"), "configure"),
    ("settings-dice-new", gettext_lazy("Add a dice set"), gettext_lazy("new"), "configure"),
    ("settings-prize-new", gettext_lazy("Add a prize"), gettext_lazy("new"), "configure"),
    ("settings-rules", gettext_lazy("Change rules and fees"),
     gettext_lazy("publish options house rules"), "configure"),
    ("settings-home-throws", gettext_lazy("Choose the home throw"), gettext_lazy("dice"),
     "configure"),
    ("settings-import", gettext_lazy("Import a list"), gettext_lazy("file csv"), "configure"),
    ("me-password", gettext_lazy("Change my password"), gettext_lazy("sign-in"), "look"),
)  # fmt: skip
"""What is possible at any time: the page, what it is called, other words, who may."""

ANSWERS: Final[Mapping[str, Act]] = {
    "approvals": "approve", "payouts": "approve", "disputes": "approve", "late": "approve",
    "dice": "approve", "proof": "configure",
}  # fmt: skip
"""Who may deal with what waits in a section."""
TABLE_WORDS: Final = gettext_lazy("table")
DAY_WORDS: Final = gettext_lazy("end day sign close")


class Acts:
    """
    What one person may do now at their house.

    :param entries: their sections, with what waits in each.
    """

    def __init__(self, page: Page, entries: Sequence[Entry]) -> None:
        self.page = page
        self.house = page.house
        self.entries = entries

    def fitting(self, typed: Typed) -> list[Found]:
        """
        The acts that fit what was typed; without words, those that the moment asks for.

        They take at most eight queries, however many tables the house has.
        """
        lines = [*self.of_the_day(), *self.answers(), *self.about_money(), *self.at_tables(typed)]
        if typed:
            lines += self.always()
        return fitting(typed, lines)

    # --- Each its own queries ---------------------------------------------------------------------

    def of_the_day(self) -> Iterator[Found]:
        """Closing the gaming day, and signing days that were closed."""
        now = days.state(self.house, self.page.now)
        if now.to_close and self.page.may("configure"):
            yield self._act(
                _("Close the gaming day %(day)s") % {"day": locales.day_of_year(now.to_close)},
                reverse("day", args=[now.to_close.isoformat()]),
                note=_("it is over") if now.over else "",
                words=DAY_WORDS,
            )
        if self.page.may("approve"):
            rows = days.rows(self.house).filter(state=GamingDay.State.CLOSED, signed_by="")
            for row in rows.exclude(by=str(self.page.person.pk))[:3]:
                yield self._act(
                    _("Sign the gaming day %(day)s") % {"day": locales.day_of_year(row.day)},
                    reverse("day", args=[row.day.isoformat()]),
                    words=DAY_WORDS,
                )

    def answers(self) -> Iterator[Found]:
        """What waits for somebody whose role may deal with it."""
        for each in self.entries:
            act = ANSWERS.get(each.name)
            if each.waiting and act and self.page.may(act):
                title = _("See to what waits: %(section)s") % {"section": each.title}
                yield Found(kind="do", title=title, url=each.url, waiting=each.waiting)

    def about_money(self) -> Iterator[Found]:
        """Resuming stopped payouts, counting fee boxes."""
        if self.page.may("approve") and payout_holds.stop_now(self.house.pk) is not None:
            yield self._act(_("Resume payouts"), reverse("payouts"), note=_("payouts are stopped"))
        if self.page.may("record"):
            for table, _coins in fees.boxes_to_count(self.house):
                yield self._act(
                    _("Count the fee box of %(table)s") % {"table": table.name},
                    reverse("fee-count", args=[table.pk]),
                )

    def always(self) -> Iterator[Found]:
        for name, title, words, act in ALWAYS:
            if self.page.may(act):
                yield self._act(str(title), reverse(name), words=words)

    # --- Tables -----------------------------------------------------------------------------------

    @cached_property
    def tables(self) -> list[Table]:
        """The tables in use, in order."""
        return in_list_order(self.house.tables.filter(in_use=True))

    @cached_property
    def running(self) -> Mapping[UUID, UUID]:
        """The running game of each table that has one, from the ledger."""
        return cards.games_open(self.house.pk, [table.pk for table in self.tables])

    @cached_property
    def _custody(self) -> Mapping[str, Any]:
        """Whether money may move at each table, by table; a table without entry is closed."""
        streams = {custody.stream_of(each.pk): str(each.pk) for each in self.tables}
        lasts = recent.lasts(self.house.pk, streams)
        return {streams[name]: last.data["stands"] for name, last in lasts.items()}

    def at_tables(self, typed: Typed) -> Iterator[Found]:
        """What may be done at each table, by whoever records there."""
        if not self.page.may("record"):
            return
        floats = self.house.counts_floats
        stand = {
            each.pk: self._custody.get(str(each.pk), "closed") if floats else ""
            for each in self.tables
        }
        for table in self.tables:
            yield from self._next_at(table, stand[table.pk])
        if typed:
            for table in self.tables:
                yield from self._also_at(table, stand[table.pk])

    def _next_at(self, table: Table, stands: str) -> Iterator[Found]:
        """
        What comes next at a table on which nobody plays, or whose money is being counted.

        :param stands: whether money may move there; "": the house counts no floats.
        """
        name = {"table": table.name}
        cash = reverse("cash-table", args=[table.pk])
        if stands in {"open", ""} and table.pk not in self.running:
            url = reverse("floor-open", args=[table.pk])
            yield self._act(_("Open a game at %(table)s") % name, url, words=TABLE_WORDS)
        if stands == "closed":
            url = reverse("cash-count", args=[table.pk, "open"])
            title = _("Count the float of %(table)s and open the table") % name
            yield self._act(title, url, words=TABLE_WORDS)
        elif stands == "counting":
            yield self._act(_("Finish the count at %(table)s") % name, cash, words=TABLE_WORDS)
        elif stands == "handing_over":
            yield self._act(_("Finish the handover of %(table)s") % name, cash, words=TABLE_WORDS)

    def _also_at(self, table: Table, stands: str) -> Iterator[Found]:
        """What else is possible at a table, for whoever looks for it."""
        name = {"table": table.name}
        if table.pk in self.running:
            url = reverse("floor-game", args=[self.running[table.pk]])
            yield self._act(_("Go on with the game at %(table)s") % name, url, words=TABLE_WORDS)
        if stands != "open":
            return
        for sentence, kind in ((_("Ask for a fill at %(table)s"), "fill"),
                               (_("Ask for a credit at %(table)s"), "credit")):  # fmt: skip
            url = reverse("cash-ask", args=[table.pk, kind])
            yield self._act(sentence % name, url, words=TABLE_WORDS)
        for sentence, purpose in (
            (_("Change the shift at %(table)s"), "change"),
            (_("Close %(table)s for the day"), "close"),
            (_("Check the float of %(table)s"), "check"),
        ):
            url = reverse("cash-count", args=[table.pk, purpose])
            yield self._act(sentence % name, url, words=TABLE_WORDS)

    def _act(self, title: str, url: str, *, note: str = "", words: Any = "") -> Found:
        return Found(kind="do", title=title, url=url, note=note, words=str(words))
