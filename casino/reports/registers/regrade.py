"""
Regrades (E4): every payout computed once more from its throws, and what differed.

A regrade is not an entry of the ledger: it reads the entries, at night or when somebody asks. The
report lists the regrades of the nights after these days, those that somebody began on one of these
days, and those that somebody asked for about these days. Differences about entries after the
position are left out. If a nightly regrade goes over the whole ledger, it is listed only under its
own night.
"""

from __future__ import annotations

import json
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments import gaming_day
from casino.kit.documents.report import Column, Figure, Line, Report, Table
from casino.proof.disputes.regrade.models import Regrade, RegradeDifference
from casino.proof.disputes.regrade.runs import REGRADE
from casino.reports.registers import history

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.db.models import QuerySet

    from casino.kit.documents.report import Query

State = Regrade.State
KINDS: Final = {
    "event": gettext_lazy("event of the game"),
    "booking": gettext_lazy("what was booked"),
    "transfer": gettext_lazy("transfer"),
    "payout": gettext_lazy("payout shown"),
    "prize": gettext_lazy("prize"),
    "points": gettext_lazy("scoreboard"),
}
WHATS: Final = {
    "altered": gettext_lazy("is another"),
    "missing": gettext_lazy("is missing"),
    "unexpected": gettext_lazy("should not be there"),
    "twice": gettext_lazy("is there twice"),
    "refused": gettext_lazy("is refused by the rules"),
    "unreadable": gettext_lazy("cannot be read"),
}


def rows(query: Query) -> QuerySet[Regrade]:
    """The regrades of the period: one for each night, and those on demand. There are never many."""
    begins = gaming_day.begins(query.house, query.since)
    ends = gaming_day.begins(query.house, query.until + gaming_day.A_DAY)
    of_nights = Q(day__range=(query.since, query.until))
    begun_then = Q(day=None, asked_at__gte=begins, asked_at__lt=ends)
    of_these = Q(day=None, since__lte=query.until, until__gte=query.since)
    found = Regrade.objects.filter(of_nights | begun_then | of_these, establishment=query.house)
    return found.select_related("asked_by").order_by("asked_at", "id")


def lines(query: Query) -> Iterator[Line]:
    for row in rows(query).iterator(chunk_size=history.CHUNK):
        yield Line(
            cells=(
                row.asked_at,
                str(row.asked_by) if row.asked_by else _("the house, at night"),
                row.start,
                min(row.reached, row.stop) - 1,
                _("by today's rules") if row.current else _("by the rules of each game"),
                str(REGRADE.sign(row).word),
                row.games,
                row.events,
                row.payouts,
                row.waiting,
                row.found,
                row.reason,
            ),
        )


def differing(query: Query) -> QuerySet[RegradeDifference]:
    """
    The differences that these regrades found, through the position. In a regrade by today's rules
    (`Regrade.current`) a difference is information, not an error.
    """
    found = RegradeDifference.objects.filter(
        Q(details__position__isnull=True) | Q(details__position__lte=query.through),
        establishment=query.house,
        job__in=rows(query).order_by().values("id"),
    )
    return found.order_by("job", "seq")


def difference_lines(query: Query) -> Iterator[Line]:
    for part in history.chunks(differing(query)):
        for details in tokens.resolve(query.house.pk, [row.details for row in part]):
            yield Line(
                cells=(
                    str(KINDS[details["kind"]]),
                    str(WHATS[details["what"]]),
                    details.get("round"),
                    details.get("event"),
                    _write(details.get("expected")),
                    _write(details.get("found")),
                    details.get("said", ""),
                ),
                position=details.get("position"),
                address=reverse("floor-log", args=[details["game"]]) if _is_game(details) else "",
            )


def _is_game(details: dict[str, Any]) -> bool:
    return bool(history.UUID_TEXT.fullmatch(details.get("game", "")))


def _write(side: object) -> str:
    if side is None:
        return ""
    return side if isinstance(side, str) else json.dumps(side, ensure_ascii=False)


def figures(query: Query) -> Sequence[Figure]:
    """Figures of regrades by each game's own rules: only there a difference is an error (E4)."""
    mine = [row for row in rows(query) if not row.current]
    payouts, differences = (sum(getattr(row, of) for row in mine) for of in ("payouts", "found"))
    done = _all_graded(query, mine)
    return (
        Figure(name="runs", title=_("Regrades"), value=len(mine)),
        Figure(name="payouts", title=_("Payouts computed once more"), value=payouts),
        Figure(
            name="differences", title=_("Differences"), value=differences, agrees=differences == 0,
        ),
        Figure(
            name="whole", title=_("All of these days"), value=_("yes") if done else _("not yet"),
            kind="text",
        ),
    )  # fmt: skip


def _all_graded(query: Query, mine: Sequence[Regrade]) -> bool:
    """Whether the finished regrades together cover every entry of the days, without a gap."""
    come, last = history.stretch(query)
    over = [row for row in mine if row.state in {State.AGREES, State.DIFFERS}]
    for row in sorted(over, key=attrgetter("start")):
        if row.start > come:
            return False
        come = max(come, row.stop)
    return come > last and bool(over)


REPORT: Final = Report(
    name="regrade",
    title=gettext_lazy("Regrades"),
    about=gettext_lazy(
        "Each time payouts were computed once more from their throws, in the nights after these"
        " days or when somebody asked on or for them, and every difference through the position."
    ),
    controls=("E4",),
    figures=figures,
    tables=(
        Table(
            name="regrades",
            title=gettext_lazy("Regrades"),
            columns=(
                Column(name="asked_at", title=gettext_lazy("Begun"), kind="moment"),
                Column(name="asked_by", title=gettext_lazy("Asked by")),
                Column(name="from", title=gettext_lazy("From"), kind="number"),
                Column(name="to", title=gettext_lazy("To"), kind="number"),
                Column(name="rules", title=gettext_lazy("Rules")),
                Column(name="state", title=gettext_lazy("Result")),
                Column(name="games", title=gettext_lazy("Games"), kind="number"),
                Column(name="events", title=gettext_lazy("Events"), kind="number"),
                Column(name="payouts", title=gettext_lazy("Payouts"), kind="number"),
                Column(name="waiting", title=gettext_lazy("Games not settled"), kind="number"),
                Column(
                    name="differences", title=gettext_lazy("Differences"), kind="number", total=True
                ),
                Column(name="reason", title=gettext_lazy("Why it was not done")),
            ),
            lines=lines,
            size=lambda query: rows(query).count(),
            empty=gettext_lazy("No regrade was begun on these days or asked for of them yet."),
        ),
        Table(
            name="differences",
            title=gettext_lazy("Differences"),
            columns=(
                Column(name="kind", title=gettext_lazy("Kind")),
                Column(name="what", title=gettext_lazy("What")),
                Column(name="round", title=gettext_lazy("Round"), kind="number"),
                Column(name="event", title=gettext_lazy("Event"), kind="number"),
                Column(name="expected", title=gettext_lazy("By the rules")),
                Column(name="found", title=gettext_lazy("On record")),
                Column(name="said", title=gettext_lazy("Why")),
            ),
            lines=difference_lines,
            empty=gettext_lazy("Every payout is as its throws and the rules have it."),
        ),
    ),
)
