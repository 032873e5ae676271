"""
Scoreboards and prizes (SB, P3): points won in the period, final tables of seasons closed in it, and
prizes with their states at the position.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from django.db.models import Q, Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.floor.players.models import PrizeToHandOut
from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals.queries import names as people
from casino.kit.documents.report import Column, Figure, Line, Report, Table
from casino.money.cash import balance_snapshots
from casino.play.settlement import seasons
from casino.play.settlement.models import Season
from casino.play.settlement.settled import BOOKED, PRIZE_ISSUED
from casino.reports.registers import history
from casino.settings.configuration import scoreboards
from casino.words.presenters import TITLES
from games.reporting import exactly
from ledger import journal
from ledger.accounts import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from django.db.models import QuerySet

    from casino.kit.documents.report import Query
    from casino.play.core.models import RoundRow
    from ledger.wire import StoredEvent

Key = tuple[str, str]
PRIZE: Final = "prize"
"""The reason of the transfer by which the house gives a prize."""


def rounds(query: Query) -> QuerySet[RoundRow]:
    """The rounds that were not void at the position and gave points."""
    return history.rounds(query).filter(history.not_void(query.through)).exclude(points={})


def points_of(query: Query) -> Mapping[Key, tuple[Fraction, int]]:
    """Points, and the number of rounds in which they were won, by ruleset and player."""
    points: defaultdict[Key, Fraction] = defaultdict(Fraction)
    times: Counter[Key] = Counter()
    found = rounds(query).values_list("ruleset", "points")
    for ruleset, won in found.iterator(chunk_size=history.CHUNK):
        for player, more in won.items():
            points[ruleset, player] += Fraction(more)
            times[ruleset, player] += 1
    return {key: (points[key], times[key]) for key in points}


def points_in_ledger(query: Query) -> Fraction:
    """The points that settlement had booked for these rounds by the position."""
    whole = Fraction()
    for part in history.chunks(rounds(query).order_by("game", "position")):
        causes: defaultdict[str, set[int]] = defaultdict(set)
        for row in part:
            causes[f"settlement/{row.game}"].update(row.scoring)
        for event in history.events(query.house, causes, [BOOKED], query.through):
            if event.data["cause"] in causes[event.stream]:
                whole += sum(map(Fraction, event.data["points"].values()), Fraction())
    return whole


def lines(query: Query) -> Iterator[Line]:
    """Players by game, the most points first."""
    found = sorted(points_of(query).items(), key=lambda each: (each[0][0], -each[1][0], each[0][1]))
    place, before = 0, ("", Fraction())
    for part in history.chunks(found):
        names = tokens.names(query.house.pk, {player for (_ruleset, player), _won in part})
        for number, ((ruleset, player), (points, times)) in enumerate(part, 1):
            if ruleset != before[0]:
                place, start = 1, number
            elif points != before[1]:
                place = number - start + 1
            before = (ruleset, points)
            yield Line(
                cells=(
                    str(TITLES[ruleset]),
                    place,
                    names.get(player, player),
                    exactly(points),
                    times,
                ),
                address=reverse("player", args=[player]),
            )


def final_lines(query: Query) -> Iterator[Line]:
    """The final tables of the seasons that were closed in the period, the best first (SB4)."""
    chosen = query.chosen.get("game")
    boards = Season.objects.filter(establishment=query.house).order_by("ruleset")
    for ruleset in boards.values_list("ruleset", flat=True).distinct():
        events = journal.stream(establishment=query.house.pk, stream=seasons.stream(ruleset))
        known = [event for event in events if event.position <= query.through]
        for event in known if chosen in {None, "", ruleset} else ():
            day = event.provenance.gaming_day
            if event.event_type == seasons.CLOSED and query.since <= day <= query.until:
                yield from _final(query, ruleset, event, known)


def _final(
    query: Query, ruleset: str, closed: StoredEvent, events: Sequence[StoredEvent]
) -> Iterator[Line]:
    data = closed.data
    won: Counter[str] = Counter()
    for event in events:
        if event.event_type == PRIZE_ISSUED and event.data["season"] == data["season"]:
            won[event.data["player"]] += event.data["amount"]
    last = date.fromisoformat(data["last_day"])
    for part in history.chunks(data["table"]):
        names = tokens.names(query.house.pk, {each["player"] for each in part})
        for each in part:
            player = each["player"]
            yield Line(
                cells=(
                    str(TITLES.get(ruleset, ruleset)),
                    data["season"],
                    last,
                    each["place"],
                    names.get(player, player),
                    exactly(Fraction(each["points"])),
                    each["rounds"],
                    won[player],
                ),
                position=closed.position,
                address=reverse("player", args=[player]),
            )


def adjustment_lines(query: Query) -> Iterator[Line]:
    """The adjustments of closed seasons that were approved in the period (SB2)."""
    chosen = query.chosen.get("game")
    for ruleset in TITLES if not chosen else (chosen,):
        for each in scoreboards.adjustments_of(query.house.pk, ruleset):
            if each.position <= query.through and query.since <= each.day <= query.until:
                player, reason = tokens.resolve(query.house.pk, [each.player, each.reason])
                points = scoreboards.with_sign(each.points)
                yield Line(
                    cells=(str(TITLES[ruleset]), each.season, each.day, player, points, reason),
                    position=each.position,
                    address=reverse("player", args=[each.player]),
                )


def prizes(query: Query) -> QuerySet[PrizeToHandOut]:
    return history.of_period(PrizeToHandOut.objects.all(), query)


def prize_lines(query: Query) -> Iterator[Line]:
    for part in history.chunks(prizes(query)):
        names = tokens.names(query.house.pk, {row.player for row in part})
        staff = people({row.handed_by for row in part})
        for row in part:
            handed = row.handed_position is not None and row.handed_position <= query.through
            yield Line(
                cells=(
                    row.gaming_day,
                    names.get(row.player, row.player),
                    row.prize,
                    row.amount,
                    _("handed out") if handed else _("owed"),
                    row.handed_at if handed else None,
                    staff[row.handed_by] if handed else "",
                    row.handed_position if handed else None,
                ),
                position=row.position,
                address=reverse("hand-out", args=[row.position]),
            )


def coins_of_prizes(query: Query) -> int:
    """The coins of all prizes that were not handed out by the position, of any day."""
    rows = PrizeToHandOut.objects.filter(
        Q(handed_position__isnull=True) | Q(handed_position__gt=query.through),
        establishment=query.house,
        position__lte=query.through,
    )
    return int(rows.order_by().aggregate(sum=Sum("amount"))["sum"] or 0)


def figures(query: Query) -> Sequence[Figure]:
    won = sum((points for points, _times in points_of(query).values()), Fraction())
    settled = points_in_ledger(query)
    issued = int(prizes(query).order_by().aggregate(sum=Sum("amount"))["sum"] or 0)
    given = history.transfers(query).filter(credit_kind=Kind.PRIZES_OWED.value, reason=PRIZE)
    by_ledger = int(given.order_by().aggregate(sum=Sum("amount"))["sum"] or 0)
    account = balance_snapshots.kinds_through(query.house.pk, query.through)[Kind.PRIZES_OWED]
    return (
        Figure(name="points", title=_("Points won"), value=exactly(won), kind="text"),
        Figure(
            name="booked", title=_("Points booked"), value=exactly(settled), kind="text",
            agrees=won == settled,
        ),
        Figure(
            name="issued", title=_("Prizes won, by the ledger"), kind="money", value=by_ledger,
            agrees=issued == by_ledger,
        ),
        Figure(name="owed", title=_("Prizes owed"), kind="money", value=coins_of_prizes(query)),
        Figure(
            name="account", title=_("Owed at the cage, adjustments included"), kind="money",
            value=account, agrees=account >= coins_of_prizes(query),
        ),
    )  # fmt: skip


REPORT: Final = Report(
    name="scoreboard",
    title=gettext_lazy("Scoreboards and prizes"),
    about=gettext_lazy(
        "Points that players won in the rounds of these days, final tables of seasons closed in"
        " them, and the prizes won in them: handed out or owed."
    ),
    controls=("P3",),
    filters=(history.GAME,),
    figures=figures,
    tables=(
        Table(
            name="points",
            title=gettext_lazy("Points"),
            columns=(
                Column(name="game", title=gettext_lazy("Game")),
                Column(name="place", title=gettext_lazy("Rank"), kind="number"),
                Column(name="player", title=gettext_lazy("Player")),
                Column(name="points", title=gettext_lazy("Points")),
                Column(name="rounds", title=gettext_lazy("Rounds with points"), kind="number"),
            ),
            lines=lines,
            empty=gettext_lazy("Nobody won a point in these days."),
        ),
        Table(
            name="seasons",
            title=gettext_lazy("Final tables of seasons closed in these days"),
            columns=(
                Column(name="game", title=gettext_lazy("Game")),
                Column(name="season", title=gettext_lazy("Season"), kind="number"),
                Column(name="last_day", title=gettext_lazy("Last gaming day"), kind="day"),
                Column(name="place", title=gettext_lazy("Place"), kind="number"),
                Column(name="player", title=gettext_lazy("Player")),
                Column(name="points", title=gettext_lazy("Points")),
                Column(name="rounds", title=gettext_lazy("Rounds"), kind="number"),
                Column(name="prize", title=gettext_lazy("Prize of the place"), kind="money"),
            ),
            lines=final_lines,
            empty=gettext_lazy("No season was closed in these days."),
        ),
        Table(
            name="adjustments",
            title=gettext_lazy("Adjustments of closed seasons"),
            columns=(
                Column(name="game", title=gettext_lazy("Game")),
                Column(name="season", title=gettext_lazy("Season"), kind="number"),
                Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day"),
                Column(name="player", title=gettext_lazy("Player")),
                Column(name="points", title=gettext_lazy("Points")),
                Column(name="reason", title=gettext_lazy("Reason")),
            ),
            lines=adjustment_lines,
            empty=gettext_lazy("No closed season was adjusted in these days."),
        ),
        Table(
            name="prizes",
            title=gettext_lazy("Prizes"),
            columns=(
                Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day"),
                Column(name="player", title=gettext_lazy("Player")),
                Column(name="prize", title=gettext_lazy("Prize")),
                Column(name="amount", title=gettext_lazy("Amount"), kind="money", total=True),
                Column(name="state", title=gettext_lazy("State")),
                Column(name="handed_at", title=gettext_lazy("Handed out"), kind="moment"),
                Column(name="handed_by", title=gettext_lazy("By")),
                Column(
                    name="handed_at_position", title=gettext_lazy("Handed out at"), kind="number"
                ),
            ),
            lines=prize_lines,
            size=lambda query: prizes(query).count(),
            empty=gettext_lazy("No prize was won in these days."),
        ),
    ),
)
