"""
Unclaimed winnings and prizes owed (P3): what the house held for players who had gone, with its age.

It lists, as of a position, stakes that were left in games, payouts that were held, and prizes that
nobody had handed out. Together with the stakes in play they equal the ledger's accounts.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Max, Q, Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.floor.players.models import PrizeToHandOut
from casino.house.acts import accounts
from casino.house.acts.custody import TIPS
from casino.house.attendants.pseudonyms import tokens
from casino.kit.documents.report import Column, Figure, Line, Report, Table
from casino.money.cash import balance_snapshots
from casino.proof.disputes.models import Seated
from casino.reports.registers import games, history
from casino.words.presenters import TITLES
from ledger.accounts import AccountRef, Kind
from ledger.models import Event, Transfer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from casino.house.acts.accounts import PayoutPlace
    from casino.kit.documents.report import Query
    from casino.play.core.round_models import GameSpan

PART: Final = 100  # games looked at together
WHY: Final = {
    "large_prize": gettext_lazy("a witness"),
    "stopped": gettext_lazy("payouts to be resumed"),
    "dispute": gettext_lazy("a dispute"),
    "void": gettext_lazy("a void that is asked for"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stake:
    """The coins in a player's stake; `left`: the player had left play."""

    span: GameSpan
    player: str
    amount: int
    left: bool


def stakes(query: Query) -> Iterator[Stake]:
    """Every stake that was not empty, the oldest game first."""
    for part in history.chunks(games.spans(query, [Kind.STAKE]), PART):
        spans = {span.game: span for span in part}
        seated = Seated.objects.filter(establishment=query.house, game__in=spans)
        keys = sorted(seated.values_list("game", "player"))
        held = {key: coins for key, coins in games.stakes(query, spans, keys).items() if coins}
        departed = games.players_who_left(query, spans, held)
        for (game, player), coins in sorted(
            held.items(), key=lambda each: (spans[each[0][0]].opened, each[0][1])
        ):
            yield Stake(
                span=spans[game], player=player, amount=coins, left=(game, player) in departed
            )


def lines(query: Query) -> Iterator[Line]:
    tables = history.tables(query.house)
    for part in history.chunks(stake for stake in stakes(query) if stake.left):
        names = tokens.names(query.house.pk, {stake.player for stake in part})
        moved = _last_movements(
            query, [accounts.stake(each.span.game, each.player) for each in part]
        )
        for each in part:
            account = accounts.stake(each.span.game, each.player)
            since, position = moved[account]
            yield Line(
                cells=(
                    names.get(each.player, each.player),
                    str(TITLES[each.span.ruleset]),
                    tables[each.span.table_id],
                    since,
                    each.amount,
                ),
                position=position,
                address=reverse("account", args=[account.kind.value, account.name]),
            )


def _last_movements(
    query: Query, some: Sequence[AccountRef]
) -> dict[AccountRef, tuple[datetime, int]]:
    """The time and position of the last movement in each account: its age is counted from there."""
    last: Counter[str] = Counter()
    rows = Transfer.objects.filter(establishment=query.house.pk, position__lte=query.through)
    names = [account.name for account in some]
    for side in ("debit", "credit"):
        mine = rows.filter(**{f"{side}_kind": Kind.STAKE.value, f"{side}_name__in": names})
        found = mine.order_by().values_list(f"{side}_name").annotate(last=Max("position"))
        for name, position in found:
            last[name] = max(last[name], position)
    events = Event.objects.filter(establishment=query.house.pk, position__in=set(last.values()))
    at = dict(events.values_list("position", "recorded_at"))
    return {account: (at[last[account.name]], last[account.name]) for account in some}


def payouts_on_hold(query: Query) -> Iterator[tuple[GameSpan, PayoutPlace, dict[str, Any]]]:
    """The payouts that were held at the position, with the last booking of each."""
    for part in history.chunks(games.spans(query, [Kind.HELD]), PART):
        spans = {span.game: span for span in part}
        found = games.withheld(query, spans)
        for game, payouts in sorted(found.items(), key=lambda each: spans[each[0]].opened):
            for place, lot in sorted(payouts.items()):
                if lot["left"]:
                    yield spans[game], place, dict(lot)


def lines_on_hold(query: Query) -> Iterator[Line]:
    tables = history.tables(query.house)
    for part in history.chunks(payouts_on_hold(query)):
        names = tokens.names(query.house.pk, {lot["player"] for _span, _place, lot in part})
        for span, place, lot in part:
            waits = dict.fromkeys(str(WHY[why.partition(":")[0]]) for why in lot["why"])
            yield Line(
                cells=(
                    names.get(lot["player"], lot["player"]),
                    str(TITLES[span.ruleset]),
                    tables[span.table_id],
                    lot["at"],
                    ", ".join(waits),
                    lot["left"],
                ),
                position=lot["position"],
                address=reverse("payout", args=[span.game, place.cause, place.seq]),
            )


def prizes(query: Query) -> QuerySet[PrizeToHandOut]:
    """The prizes that nobody had handed out by the position, the oldest first."""
    rows = PrizeToHandOut.objects.filter(
        Q(handed_position__isnull=True) | Q(handed_position__gt=query.through),
        establishment=query.house,
        position__lte=query.through,
    )
    return rows.order_by("position")


def prize_lines(query: Query) -> Iterator[Line]:
    for part in history.chunks(prizes(query)):
        names = tokens.names(query.house.pk, {row.player for row in part})
        for row in part:
            yield Line(
                cells=(names.get(row.player, row.player), row.prize, row.issued_at, row.amount),
                position=row.position,
                address=reverse("hand-out", args=[row.position]),
            )


def figures(query: Query) -> Sequence[Figure]:
    whole = not query.chosen
    kinds = balance_snapshots.kinds_through(query.house.pk, query.through)
    left = playing = 0
    for stake in stakes(query):
        left, playing = (
            (left + stake.amount, playing) if stake.left else (left, playing + stake.amount)
        )
    waiting = sum(lot["left"] for _span, _place, lot in payouts_on_hold(query))
    owed = int(prizes(query).aggregate(sum=Sum("amount"))["sum"] or 0)
    at_cage = kinds[Kind.PRIZES_OWED]
    return (
        Figure(name="left", title=_("Stakes left behind"), kind="money", value=left),
        Figure(
            name="stakes", title=_("With the stakes in play"), kind="money", value=left + playing,
            agrees=left + playing == kinds[Kind.STAKE] if whole else None,
        ),
        Figure(
            name="held", title=_("Payouts held"), kind="money", value=waiting,
            agrees=waiting == kinds[Kind.HELD] - _tips(query) if whole else None,
        ),
        Figure(name="prizes", title=_("Prizes owed"), kind="money", value=owed),
        Figure(
            name="beside", title=_("Left at the cage by adjustments"), kind="money",
            value=at_cage - owed, agrees=at_cage >= owed,
        ),
    )  # fmt: skip


def _tips(query: Query) -> int:
    """The tips held for attendants at the position: these are not payouts (P4)."""
    rows = Transfer.objects.filter(establishment=query.house.pk, position__lte=query.through)
    sums = []
    for side in ("credit", "debit"):
        mine = rows.filter(
            **{
                f"{side}_kind": Kind.HELD.value,
                f"{side}_name__gte": TIPS,
                f"{side}_name__lt": TIPS_END,
            }
        )
        sums.append(int(mine.aggregate(sum=Sum("amount"))["sum"] or 0))
    credited, debited = sums
    return credited - debited


TIPS_END: Final = TIPS[:-1] + chr(ord(TIPS[-1]) + 1)
"""The first name, in order, after all accounts of tips: the end of a range query."""

REPORT: Final = Report(
    name="unclaimed",
    title=gettext_lazy("Unclaimed money and prizes owed"),
    about=gettext_lazy(
        "What the house held at the position for players who had gone: stakes left behind, payouts"
        " held, prizes owed, each with its age. The period does not narrow it."
    ),
    controls=("P3",),
    filters=(history.TABLE, history.GAME),
    figures=figures,
    tables=(
        Table(
            name="stakes",
            title=gettext_lazy("Stakes left behind"),
            columns=(
                Column(name="player", title=gettext_lazy("Player")),
                Column(name="game", title=gettext_lazy("Game")),
                Column(name="table", title=gettext_lazy("Table")),
                Column(name="since", title=gettext_lazy("Since"), kind="moment"),
                Column(name="amount", title=gettext_lazy("Amount"), kind="money", total=True),
            ),
            lines=lines,
            empty=gettext_lazy("Nobody had left a stake behind."),
        ),
        Table(
            name="held",
            title=gettext_lazy("Payouts held"),
            columns=(
                Column(name="player", title=gettext_lazy("Player")),
                Column(name="game", title=gettext_lazy("Game")),
                Column(name="table", title=gettext_lazy("Table")),
                Column(name="since", title=gettext_lazy("Since"), kind="moment"),
                Column(name="waits_for", title=gettext_lazy("Waits for")),
                Column(name="amount", title=gettext_lazy("Amount"), kind="money", total=True),
            ),
            lines=lines_on_hold,
            empty=gettext_lazy("No payout was held."),
        ),
        Table(
            name="prizes",
            title=gettext_lazy("Prizes owed"),
            columns=(
                Column(name="player", title=gettext_lazy("Player")),
                Column(name="prize", title=gettext_lazy("Prize")),
                Column(name="since", title=gettext_lazy("Since"), kind="moment"),
                Column(name="amount", title=gettext_lazy("Amount"), kind="money", total=True),
            ),
            lines=prize_lines,
            empty=gettext_lazy("No prize was owed."),
        ),
    ),
)
