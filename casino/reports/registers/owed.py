"""
Reports of what the house owed players: pots, rollovers (A1, A6), unclaimed winnings (P3).

The first lists, as of a position, every pot that was not empty, with the terms of its equation, and
every lot that waited for the next game, with its origin and age. The sums are compared with the
ledger's accounts.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Count, Max, Q, Sum
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.floor.players.models import PrizeToHandOut
from casino.house.acts import accounts
from casino.house.acts.custody import TIPS
from casino.house.acts.game_streams import catalogue
from casino.house.attendants.pseudonyms import tokens
from casino.kit.documents.report import Column, Figure, Line, Report, Table
from casino.money.cash import balance_snapshots
from casino.money.payouts import pot_equation as pots
from casino.play.core.models import RoundRow
from casino.play.settlement import rollovers
from casino.proof.disputes.models import Seated
from casino.reports.registers import games, history
from casino.words.presenters import TITLES
from games.payments import ROLLOVER
from ledger import journal
from ledger.accounts import AccountRef, Kind
from ledger.models import Event, Transfer
from ledger.wire import read_event

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from casino.house.acts.accounts import PayoutPlace
    from casino.kit.documents.report import Query
    from casino.money.payouts.pot_equation import Equation
    from casino.play.core.models import GameSpan
    from ledger.wire import StoredEvent

TERMS: Final = pots.TERMS
TITLED: Final[dict[str, Any]] = {
    "base": gettext_lazy("Base"),
    "contributions": gettext_lazy("Contributions"),
    "rolled_in": gettext_lazy("Rolled in"),
    "won": gettext_lazy("Won"),
    "rolled_out": gettext_lazy("Rolled out"),
    "fees": gettext_lazy("Fees"),
    "adjustments": gettext_lazy("Adjustments"),
    "balance": gettext_lazy("Balance"),
}


def open_pots(query: Query) -> Iterator[tuple[GameSpan, Equation]]:
    """The pots that were not empty, the oldest game first."""
    for part in history.chunks(games.spans(query, [Kind.POT])):
        held = pots.at_position(
            query.house.pk, [span.game for span in part], query.through
        )  # fmt: skip
        for span in part:
            if (equation := held.get(span.game)) is not None and equation.balance:
                yield span, equation


def pot_lines(query: Query) -> Iterator[Line]:
    tables = history.tables(query.house)
    for part in history.chunks(open_pots(query)):
        ended = _count_rounds(query, [span for span, _equation in part])
        for span, equation in part:
            yield Line(
                cells=(
                    tables[span.table_id],
                    str(TITLES[span.ruleset]),
                    span.opened_at,
                    ended.get(span.game, 0),
                    *(getattr(equation, term) for term in TERMS),
                ),
                position=span.opened,
                address=reverse("account", args=[Kind.POT.value, str(span.game)]),
            )


def _count_rounds(query: Query, some: Sequence[GameSpan]) -> dict[Any, int]:
    """How many rounds of each game had ended by the position and were not void."""
    rows = RoundRow.objects.filter(
        history.not_void(query.through),
        establishment=query.house,
        game__in=[span.game for span in some],
        position__lte=query.through,
    )
    return dict(rows.order_by().values_list("game").annotate(rounds=Count("position")))


def lot_lines(query: Query) -> Iterator[Line]:
    for rollover in lots_as_of(query):
        for lot in rollover.lots:
            yield Line(
                cells=(
                    str(TITLES[rollover.ruleset]),
                    parse_datetime(lot.since),
                    lot.amount,
                    str(CLAIMED if lot.claimed_by else WAITING),
                ),
                position=rollover.left_at.get(lot.source),
                address=reverse("floor-log", args=[lot.game]),
            )


WAITING: Final = gettext_lazy("waits for the next game")
CLAIMED: Final = gettext_lazy("on its way into a game")


def pot_figures(query: Query) -> Sequence[Figure]:
    whole = not query.chosen
    accounts = balance_snapshots.kinds_through(query.house.pk, query.through)
    equations = [equation for _span, equation in open_pots(query)]
    in_pots = sum(equation.balance for equation in equations)
    rollovers = lots_as_of(query)
    in_lots = sum(each.coins for each in rollovers)
    coming = sum(each.coming for each in rollovers)
    booked = accounts[Kind.ROLLOVER]
    return (
        Figure(name="pots", title=_("Pots that hold something"), value=len(equations)),
        Figure(
            name="in_pots", title=_("In pots"), kind="money", value=in_pots,
            agrees=in_pots == accounts[Kind.POT] if whole else None,
        ),
        Figure(
            name="uneven", title=_("Pots whose equation does not hold"),
            value=sum(not equation.adds_up for equation in equations),
            agrees=all(equation.adds_up for equation in equations),
        ),
        Figure(
            name="in_rollovers", title=_("In rollovers"), kind="money", value=in_lots,
            agrees=in_lots - coming == booked if whole else None,
        ),
        Figure(
            name="coming", title=_("Of these not booked yet"), kind="money", value=coming,
        ),
        Figure(
            name="owed", title=_("In pots and rollovers, by the ledger"), kind="money",
            value=accounts[Kind.POT] + booked,
        ),
    )  # fmt: skip


EQUATION: Final = tuple(
    Column(name=term, title=TITLED[term], kind="money", total=True) for term in TERMS
)

POTS: Final = Report(
    name="pots",
    title=gettext_lazy("Pots and rollovers"),
    about=gettext_lazy(
        "What lay in every pot at the position, term by term, and what waited for a next game:"
        " players' money that the house owes."
    ),
    controls=("A1", "A6"),
    filters=(history.TABLE, history.GAME),
    figures=pot_figures,
    tables=(
        Table(
            name="pots",
            title=gettext_lazy("Pots"),
            columns=(
                Column(name="table", title=gettext_lazy("Table")),
                Column(name="game", title=gettext_lazy("Game")),
                Column(name="since", title=gettext_lazy("Since"), kind="moment"),
                Column(name="rounds", title=gettext_lazy("Rounds ended"), kind="number"),
                *EQUATION,
            ),
            lines=pot_lines,
            empty=gettext_lazy("No pot held anything."),
        ),
        Table(
            name="rollovers",
            title=gettext_lazy("Rollovers"),
            columns=(
                Column(name="game", title=gettext_lazy("Game")),
                Column(name="since", title=gettext_lazy("Since"), kind="moment"),
                Column(name="amount", title=gettext_lazy("Amount"), kind="money", total=True),
                Column(name="state", title=gettext_lazy("State")),
            ),
            lines=lot_lines,
            empty=gettext_lazy("Nothing waited for a next game."),
        ),
    ),
)


# The lots that pots had left for the next game of their kind, as of a position (TA10).
#
# Each kind of game has one stream, and the last event of the stream has all lots. Settlement books
# lots a moment later. What it had not booked by the position is counted separately, so that lots
# and account agree exactly.


OPENING: Final = 0  # stands for the opening event of a game that takes lots, whatever its number
RECENT: Final = 100  # the newest changes; only these may be not booked yet
MORE: Final = {rollovers.LEFT, rollovers.RECLAIMED}
"""The changes that add lots. All others remove lots, except RETURNED, which only unclaims them."""


@dataclass(frozen=True, slots=True)
class LotsAsOf:
    """
    The lots of one kind of game as of a position.

    :param coming: coins that are in the lots, but not in the account yet; negative if the account
        still has coins that the lots no longer have.
    :param left_at: the position of the event that left each lot.
    """

    ruleset: str
    lots: tuple[rollovers.Lot, ...]
    coming: int
    left_at: Mapping[tuple[str, int], int] = field(default_factory=dict)

    @property
    def coins(self) -> int:
        return rollovers.total(self.lots)


def lots_as_of(query: Query) -> list[LotsAsOf]:
    """The lots of each kind of game in the catalogue; three queries for each kind."""
    only = query.chosen.get("game")
    kinds = [each.id for each in catalogue.RULESETS if only in {None, each.id}]
    found = (_lots_of_game(query, ruleset) for ruleset in dict.fromkeys(kinds))
    return [each for each in found if each is not None]


def _lots_of_game(query: Query, ruleset: str) -> LotsAsOf | None:
    changes = _changes(query, rollovers.stream_of(ruleset))
    if not changes:
        return None
    last = changes[0].data
    lots = tuple(rollovers.Lot(**lot) for lot in (*last["waiting"], *last["claimed"]))
    return LotsAsOf(ruleset, lots, _coming(query, changes), _positions_of_lots(query, lots))


def _changes(query: Query, stream: str) -> list[StoredEvent]:
    """The newest changes of a stream through the position, the latest first."""
    rows = Event.objects.filter(establishment=query.house.pk, stream=stream)
    then = journal.between(rows, through=query.through)
    found = then.order_by("-stream_version").values_list("position", "body", "leaf_hash")[:RECENT]
    return [read_event(query.house.pk, at, bytes(body), bytes(leaf)) for at, body, leaf in found]


def _coming(query: Query, changes: Iterable[StoredEvent]) -> int:
    """The coins of those changes that settlement had not booked by the position."""
    causes = {change.position: _cause(change) for change in changes}
    streams = {f"settlement/{cause[0]}" for cause in causes.values() if cause}
    booked = {
        (event.stream.partition("/")[2], cause)
        for event in history.of_streams(query.house, streams, query.through)
        for cause in _events_settled(event.data)
    }
    return sum(
        _moves(change)
        for change in changes
        if causes[change.position] and causes[change.position] not in booked
    )


def _events_settled(data: Mapping[str, Any]) -> list[int]:
    """
    The events of its game that a booking settles. The first booking that takes coins from the
    rollover also settles the game's opening.
    """
    drawn = any(payment["from"] == ROLLOVER for payment in data.get("payments", ()))
    return [data["cause"], *([OPENING] if drawn else [])] if "cause" in data else []


def _cause(change: StoredEvent) -> tuple[str, int] | None:
    """The game and event whose booking moves the coins of a change; None: no coins move."""
    data = change.data
    if change.event_type == rollovers.RETURNED:
        return None
    if change.event_type == rollovers.RECLAIMED and not all(
        _comes_back(lot, data) for lot in data["lots"]
    ):
        return None
    return data["game"], data.get("event", OPENING)


def _comes_back(lot: Mapping[str, Any], data: Mapping[str, Any]) -> bool:
    """Whether the coins of a lot come back with the void that reclaims it."""
    return bool(lot["booked_game"] == data["game"] and lot["booked_event"] == data["event"])


def _moves(change: StoredEvent) -> int:
    coins = sum(int(lot["amount"]) for lot in change.data["lots"])
    return coins if change.event_type in MORE else -coins


def _positions_of_lots(query: Query, lots: Iterable[rollovers.Lot]) -> dict[tuple[str, int], int]:
    """The ledger positions of the events that left these lots, by game and event."""
    sources = {lot.source for lot in lots}
    rows = Event.objects.filter(
        establishment=query.house.pk,
        stream__in={f"game/{game}" for game, _ in sources},
        stream_version__in={event for _, event in sources},
    )
    found = rows.values_list("stream", "stream_version", "position")
    at = {(stream.partition("/")[2], version): position for stream, version, position in found}
    return {source: at[source] for source in sources if source in at}


#
# Unclaimed winnings and prizes owed (P3): what the house held for players who had gone, with its
# age.
#
# It lists, as of a position, stakes that were left in games, payouts that were held, and prizes
# that nobody had handed out. Together with the stakes in play they equal the ledger's accounts.


GAMES_AT_ONCE: Final = 100  # games looked at together
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
    for part in history.chunks(games.spans(query, [Kind.STAKE]), GAMES_AT_ONCE):
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


def stake_lines(query: Query) -> Iterator[Line]:
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
    for part in history.chunks(games.spans(query, [Kind.HELD]), GAMES_AT_ONCE):
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


def unclaimed_figures(query: Query) -> Sequence[Figure]:
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

UNCLAIMED: Final = Report(
    name="unclaimed",
    title=gettext_lazy("Unclaimed money and prizes owed"),
    about=gettext_lazy(
        "What the house held at the position for players who had gone: stakes left behind, payouts"
        " held, prizes owed, each with its age. The period does not narrow it."
    ),
    controls=("P3",),
    filters=(history.TABLE, history.GAME),
    figures=unclaimed_figures,
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
            lines=stake_lines,
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
