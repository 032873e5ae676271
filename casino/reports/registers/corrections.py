"""
Reports of corrections: voids, overrides, adjustments (C1, C2), disputes (C3), regrades (E4).

The register of voids says who corrected what and why, and how many coins settlement moved back.
"""

from __future__ import annotations

import json
import uuid
from collections import Counter
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.db.models import Q, Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments import gaming_day
from casino.kit.approvals.models import ExceptionRow
from casino.kit.documents.report import Column, Figure, Filter, Line, Report, Table
from casino.play.settlement.entries import NAMESPACE
from casino.play.settlement.settled import SETTLEMENT
from casino.proof.disputes import queries
from casino.proof.disputes.models import DisputeRow
from casino.proof.disputes.regrade.models import Regrade, RegradeDifference
from casino.proof.disputes.regrade.runs import REGRADE
from casino.reports.registers import history
from casino.reports.registers.exceptions.queries import KINDS, LineBuilder, What
from casino.words.presenters.words import OUTCOMES
from ledger import journal
from ledger.models import Event, Transfer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Query
    from casino.reports.registers.exceptions import queries as exception_lines

LISTED: Final = (What.VOID, What.OVERRIDE, What.ADJUSTMENT, What.ALONE, What.REVIEW, What.PAYOUTS)
BACK: Final = "G4"
"""The reason (a rule number) of every transfer by which a void moves coins back."""


def void_rows(query: Query) -> QuerySet[ExceptionRow]:
    found = history.of_period(ExceptionRow.objects.all(), query)
    kind = query.chosen.get("kind")
    return found.filter(what__in=[kind] if kind else LISTED)


def void_lines(query: Query) -> Iterator[Line]:
    for part in history.chunks(void_rows(query).values_list("position", flat=True)):
        back = coins_moved_back(query, part)
        reviewed = _positions_reviewed(query, part)
        for line in LineBuilder(query.house, part).lines():
            seen = line.position in reviewed
            known = line if seen else replace(line, reviewed_by=None, in_order=None)
            yield _line(known, back.get(line.position))


def _line(line: exception_lines.Line, back: int | None) -> Line:
    decided = line.decided_by.name if line.decided_by else ""
    return Line(
        cells=(
            line.gaming_day,
            line.recorded_at,
            line.title,
            line.what if line.what != line.title else "",
            line.where,
            line.amount,
            back,
            line.asked_by.name,
            _("nobody: done alone") if line.alone and not decided else decided,
            _review(line),
            line.reason,
            line.decision,
        ),
        position=line.position,
        address=line.address,
    )


def _review(line: exception_lines.Line) -> str:
    if not line.reviewed_by:
        return _("not yet") if line.alone else ""
    found = _("in order") if line.in_order else _("not in order")
    return f"{line.reviewed_by.name}: {found}"


def _positions_reviewed(query: Query, positions: Collection[int]) -> set[int]:
    """The positions of acts done alone that were reviewed by the position, and of the reviews."""
    reviews = ExceptionRow.objects.filter(
        establishment=query.house,
        what=What.REVIEW,
        position__range=(min(positions), query.through),
    ).filter(Q(before__in=list(positions)) | Q(position__in=list(positions)))
    found = reviews.values_list("before", "position")
    return {at for pair in found for at in pair if at is not None}


def coins_moved_back(query: Query, positions: Collection[int]) -> Mapping[int, int]:
    """The coins that were moved back because of these events, by position; three queries."""
    causes = Event.objects.filter(establishment=query.house.pk, position__in=list(positions))
    commands = {
        uuid.uuid5(NAMESPACE, f"{SETTLEMENT}/{event}"): position
        for event, position in causes.values_list("event_id", "position")
    }
    effects = journal.between(
        Event.objects.filter(establishment=query.house.pk, command_id__in=list(commands)),
        through=query.through,
    )
    found = {at: commands[command] for at, command in effects.values_list("position", "command_id")}
    back: Counter[int] = Counter()
    for at, coins in _reversals(query.house.pk, list(found)):
        back[found[at]] += coins
    return back


def _reversals(house: UUID, positions: list[int]) -> list[tuple[int, int]]:
    moved = Transfer.objects.filter(
        establishment=house, position__in=positions, reverses__isnull=False
    )
    sums = moved.order_by().values_list("position").annotate(coins=Sum("amount"))
    return [(at, int(coins)) for at, coins in sums]


def by_ledger(query: Query) -> int:
    """The coins that the ledger's reversing transfers moved back for voids of these days."""
    first, _last = history.stretch(query)
    moved = Transfer.objects.filter(
        establishment=query.house.pk,
        reverses__isnull=False,
        reason=BACK,
        position__range=(first, query.through),
    )
    whole = 0
    sums = moved.order_by().values_list("position").annotate(coins=Sum("amount"))
    for part in history.chunks(sums):
        causes = Event.objects.filter(
            establishment=query.house.pk, position__in=[at for at, _coins in part]
        )
        of_event = dict(causes.values_list("position", "causation_id"))
        days = Event.objects.filter(
            establishment=query.house.pk,
            event_id__in=[each for each in of_event.values() if each],
            gaming_day__range=(query.since, query.until),
        )
        mine = set(days.values_list("event_id", flat=True))
        whole += sum(int(coins) for at, coins in part if of_event[at] in mine)
    return whole


def void_figures(query: Query) -> Sequence[Figure]:
    kinds = Counter(void_rows(query).order_by().values_list("what", flat=True))
    back = sum(
        sum(coins_moved_back(query, part).values())
        for part in history.chunks(void_rows(query).values_list("position", flat=True))
    )
    only = query.chosen.get("kind")
    return (
        *(
            Figure(name=str(kind), title=KINDS[kind][0], value=kinds[kind])
            for kind in LISTED
            if only in {None, kind}
        ),
        Figure(
            name="taken_back", title=_("Coins moved back"), kind="money", value=back,
            agrees=None if only else back == by_ledger(query),
        ),
    )  # fmt: skip


def _kinds_of_voids(_house: Establishment) -> Sequence[tuple[str, str]]:
    return [(str(kind), str(KINDS[kind][0])) for kind in LISTED]


VOIDS: Final = Report(
    name="voids",
    title=gettext_lazy("Voids and overrides"),
    about=gettext_lazy(
        "What was voided, overridden, adjusted or done alone: who asked, who decided, why, and what"
        " was moved back."
    ),
    controls=("C1", "C2"),
    filters=(Filter(name="kind", title=gettext_lazy("Kind"), choices=_kinds_of_voids),),
    figures=void_figures,
    tables=(
        Table(
            name="voids",
            title=gettext_lazy("Voids and overrides"),
            columns=(
                Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day"),
                Column(name="recorded_at", title=gettext_lazy("Recorded"), kind="moment"),
                Column(name="kind", title=gettext_lazy("Kind")),
                Column(name="what", title=gettext_lazy("What")),
                Column(name="where", title=gettext_lazy("Where")),
                Column(name="amount", title=gettext_lazy("Amount"), kind="money"),
                Column(name="back", title=gettext_lazy("Moved back"), kind="money", total=True),
                Column(name="asked_by", title=gettext_lazy("Asked or done by")),
                Column(name="decided_by", title=gettext_lazy("Decided by")),
                Column(name="review", title=gettext_lazy("Review")),
                Column(name="reason", title=gettext_lazy("Reason")),
                Column(name="decision", title=gettext_lazy("Decision")),
            ),
            lines=void_lines,
            size=lambda query: void_rows(query).count(),
            empty=gettext_lazy("Nothing was voided or overridden in these days."),
        ),
    ),
)


# Disputes raised in the period (C3), as they stood at the position: open, or how they ended.


OPEN: Final = "open"


def dispute_rows(query: Query) -> QuerySet[DisputeRow]:
    found = history.of_period(DisputeRow.objects.select_related("table"), query)
    if table := query.chosen.get("table"):
        found = found.filter(table=UUID(table))
    if game := query.chosen.get("game"):
        found = found.filter(ruleset=game)
    return found


def dispute_then(query: Query, row: DisputeRow) -> DisputeRow:
    """The dispute as of the position: later decisions and voids are removed from the row."""
    if history.behind(query, row.decided_position):
        row.outcome, row.decided_by, row.decision = DisputeRow.Outcome.OPEN, "", ""
        row.decided_at = row.decided_position = None
    if history.behind(query, row.voided_position):
        row.voided_position = None
    return row


def dispute_parts(query: Query) -> Iterator[list[DisputeRow]]:
    wanted = query.chosen.get("state")
    for part in history.chunks(dispute_rows(query)):
        known = [dispute_then(query, row) for row in part]
        yield [row for row in known if not wanted or wanted == (row.outcome or OPEN)]


def dispute_lines(query: Query) -> Iterator[Line]:
    for part in dispute_parts(query):
        for row, card in zip(part, queries.cards(query.house, part), strict=True):
            yield Line(
                cells=(
                    row.gaming_day,
                    row.raised_at,
                    card.table,
                    card.title,
                    row.round,
                    row.payout,
                    card.raised_by,
                    card.reason,
                    card.outcome_name or _("open"),
                    card.decided_by,
                    row.decided_at,
                    card.decision,
                    row.decided_position,
                    row.voided_position,
                ),
                position=row.position,
                address=queries.address(row),
            )


def dispute_figures(query: Query) -> Sequence[Figure]:
    outcomes = Counter(row.outcome or OPEN for part in dispute_parts(query) for row in part)
    return (
        Figure(name="raised", title=_("Raised"), value=outcomes.total()),
        Figure(name="open", title=_("Of these open"), value=outcomes[OPEN]),
    )


def _states_of_disputes(_house: Establishment) -> Sequence[tuple[str, str]]:
    return [(OPEN, _("open")), *((name, str(title)) for name, title in OUTCOMES.items())]


DISPUTES: Final = Report(
    name="disputes",
    title=gettext_lazy("Disputes"),
    about=gettext_lazy(
        "Every dispute raised in these days: about what, by whom, how it ended, and why."
    ),
    controls=("C3",),
    filters=(
        history.TABLE,
        history.GAME,
        Filter(name="state", title=gettext_lazy("State"), choices=_states_of_disputes),
    ),
    figures=dispute_figures,
    tables=(
        Table(
            name="disputes",
            title=gettext_lazy("Disputes"),
            columns=(
                Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day"),
                Column(name="raised_at", title=gettext_lazy("Raised"), kind="moment"),
                Column(name="table", title=gettext_lazy("Table")),
                Column(name="game", title=gettext_lazy("Game")),
                Column(name="round", title=gettext_lazy("Round"), kind="number"),
                Column(name="payout", title=gettext_lazy("Payout")),
                Column(name="raised_by", title=gettext_lazy("Raised by")),
                Column(name="reason", title=gettext_lazy("Reason")),
                Column(name="outcome", title=gettext_lazy("Outcome")),
                Column(name="decided_by", title=gettext_lazy("Decided by")),
                Column(name="decided_at", title=gettext_lazy("Decided"), kind="moment"),
                Column(name="decision", title=gettext_lazy("Decision")),
                Column(name="decided_at_position", title=gettext_lazy("Decided at"), kind="number"),
                Column(name="voided_at_position", title=gettext_lazy("Voided at"), kind="number"),
            ),
            lines=dispute_lines,
            size=lambda query: dispute_rows(query).count(),
            empty=gettext_lazy("Nobody disputed anything in these days."),
        ),
    ),
)


#
# Regrades (E4): every payout computed once more from its throws, and what differed.
#
# A regrade is not an entry of the ledger: it reads the entries, at night or when somebody asks. The
# report lists the regrades of the nights after these days, those that somebody began on one of
# these days, and those that somebody asked for about these days. Differences about entries after
# the position are left out. If a nightly regrade goes over the whole ledger, it is listed only
# under its own night.


RegradeState = Regrade.State
KINDS_OF_REGRADES: Final = {
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


def regrade_rows(query: Query) -> QuerySet[Regrade]:
    """The regrades of the period: one for each night, and those on demand. There are never many."""
    begins = gaming_day.begins(query.house, query.since)
    ends = gaming_day.begins(query.house, query.until + gaming_day.A_DAY)
    of_nights = Q(day__range=(query.since, query.until))
    begun_then = Q(day=None, asked_at__gte=begins, asked_at__lt=ends)
    of_these = Q(day=None, since__lte=query.until, until__gte=query.since)
    found = Regrade.objects.filter(of_nights | begun_then | of_these, establishment=query.house)
    return found.select_related("asked_by").order_by("asked_at", "id")


def regrade_lines(query: Query) -> Iterator[Line]:
    for row in regrade_rows(query).iterator(chunk_size=history.CHUNK):
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
        job__in=regrade_rows(query).order_by().values("id"),
    )
    return found.order_by("job", "seq")


def difference_lines(query: Query) -> Iterator[Line]:
    for part in history.chunks(differing(query)):
        for details in tokens.resolve(query.house.pk, [row.details for row in part]):
            yield Line(
                cells=(
                    str(KINDS_OF_REGRADES[details["kind"]]),
                    str(WHATS[details["what"]]),
                    details.get("round"),
                    details.get("event"),
                    _side_in_words(details.get("expected")),
                    _side_in_words(details.get("found")),
                    details.get("said", ""),
                ),
                position=details.get("position"),
                address=reverse("floor-log", args=[details["game"]]) if _is_game(details) else "",
            )


def _is_game(details: dict[str, Any]) -> bool:
    return bool(history.UUID_TEXT.fullmatch(details.get("game", "")))


def _side_in_words(side: object) -> str:
    if side is None:
        return ""
    return side if isinstance(side, str) else json.dumps(side, ensure_ascii=False)


def regrade_figures(query: Query) -> Sequence[Figure]:
    """Figures of regrades by each game's own rules: only there a difference is an error (E4)."""
    mine = [row for row in regrade_rows(query) if not row.current]
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
    over = [row for row in mine if row.state in {RegradeState.AGREES, RegradeState.DIFFERS}]
    for row in sorted(over, key=attrgetter("start")):
        if row.start > come:
            return False
        come = max(come, row.stop)
    return come > last and bool(over)


REGRADES: Final = Report(
    name="regrade",
    title=gettext_lazy("Regrades"),
    about=gettext_lazy(
        "Each time payouts were computed once more from their throws, in the nights after these"
        " days or when somebody asked on or for them, and every difference through the position."
    ),
    controls=("E4",),
    figures=regrade_figures,
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
            lines=regrade_lines,
            size=lambda query: regrade_rows(query).count(),
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
