"""Queries of settlement: how far it has come with a game, what is booked, what is held."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db.models import F, Sum

from casino.house.acts.accounts import PayoutPlace, stake
from casino.house.establishments import gaming_day
from casino.play.settlement import models, payout_holds, rollovers
from casino.play.settlement.held_funds import Lot
from casino.play.settlement.holding import DISPUTE, LARGE_PRIZE, STOPPED, VOID
from casino.play.settlement.models import PrizeIssued
from games.messages import BoughtIn, CashedOut
from games.refusals import Refused
from ledger import journal, keyed, money, recent
from ledger.models import Account, Subscription

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from uuid import UUID

    from casino.house.acts.game_streams.loading import GameKey, Loaded
    from ledger.wire import StoredEvent

SETTLEMENT = models.SUBSCRIPTION
BOOKED = "settlement.booked"
REVERSED = "settlement.reversed"
PRIZE_ISSUED = models.PRIZE_ISSUED
HELD = "settlement.held"
RELEASED = "settlement.released"
ADJUSTED = "settlement.adjusted"
AT_ONCE: Final = (BoughtIn, CashedOut)
"""What moves its money by itself: settlement books nothing for it."""


def position_of(establishment: UUID) -> int:
    """The position up to which settlement has read a house's ledger; -1 before the first event."""
    at = Subscription.objects.filter(establishment=establishment, name=SETTLEMENT)
    position = at.values_list("position", flat=True).first()
    return -1 if position is None else position


STANDS: Final = """
    SELECT 'settlement', '', position FROM ledger_subscription
        WHERE establishment = %s AND name = %s
    UNION ALL SELECT 'parked', '', MIN(position) FROM ledger_parkedevent
        WHERE establishment = %s AND subscription = %s AND stream = %s
    UNION ALL SELECT 'prize', '', MAX(position) FROM settlement_prizeissued
        WHERE establishment_id = %s
    UNION ALL SELECT 'withheld', '', COUNT(*) FROM settlement_withheld
        WHERE establishment_id = %s AND game = %s
    UNION ALL SELECT 'undo', '', undo_seconds FROM establishments_establishment WHERE id = %s"""
VERSIONS: Final = """
    UNION ALL SELECT 'version', stream, MAX(stream_version) FROM ledger_event
        WHERE establishment = %s AND stream IN ({}) GROUP BY stream"""
STAKES: Final = """
    UNION ALL SELECT 'stake', name, credits - debits FROM ledger_account
        WHERE establishment = %s AND kind = 'stake' AND name IN ({})"""


@dataclass(frozen=True, slots=True)
class Stands:
    """
    The state of settlement for a game.

    :param through: number of the game's last event that settlement has handled; 0 before the first.
    :param prize: position of the last issued prize in the house's ledger; 0 if there is none.
    :param withheld: whether a payout of the game was ever held.
    :param undo_seconds: the house's seconds in which the last throw is undone alone (G4).
    :param versions: number of events of each requested stream.
    :param booked: booked stake of each player, in coins; empty unless requested.
    """

    through: int
    prize: int
    withheld: bool
    undo_seconds: int
    versions: Mapping[str, int]
    booked: Mapping[str, int]


def stands(loaded: Loaded, streams: Iterable[str] = (), *, stakes: bool = False) -> Stands:
    """The state of settlement for a game, in one query."""
    key = loaded.key
    house, mine = key.establishment, (key.establishment, SETTLEMENT)
    statement = STANDS
    parameters: list[keyed.Value] = [SETTLEMENT, *mine, key.stream, house, house, key.game, house]
    versions, names = dict.fromkeys(streams, 0), _stakes(loaded) if stakes else {}
    for part, named in ((VERSIONS, versions), (STAKES, names)):
        if named:
            statement += part.format(keyed.marks(named))
            parameters += [house, *named]
    booked, figures = dict[str, int](), dict[str, int | None]()
    for what, name, figure in keyed.rows(statement, house, *parameters):
        if what == "version":
            versions[name] = figure
        elif what == "stake":
            booked[names[name]] = figure
        else:
            figures[what] = figure
    return Stands(
        _through(loaded, figures.get("settlement"), figures["parked"]),
        figures["prize"] or 0,
        bool(figures["withheld"]),
        figures["undo"] or 0,
        versions,
        booked,
    )


def _through(loaded: Loaded, position: int | None, parked: int | None) -> int:
    """
    The number of the game's last event that settlement has handled.

    :param position: the cursor of settlement.
    :param parked: position of the game's first parked event.
    """
    if position is None or position < 0:
        return 0
    place = position if parked is None else min(position, parked - 1)
    return bisect_right([event.position for event in loaded.events], place)


def _stakes(loaded: Loaded) -> dict[str, str]:
    """The players of a game, by the names of their stake accounts."""
    return {stake(loaded.key.game, player).name: player for player in loaded.stakes}


def last_event_handled(loaded: Loaded) -> int:
    """The number of the game's last event that settlement has handled; 0 before the first."""
    return stands(loaded).through


def stakes_in_ledger(loaded: Loaded) -> dict[str, int]:
    """The booked stake of each player of a game, in coins; held money is not included."""
    names = _stakes(loaded)
    rows = keyed.rows(
        "SELECT name, credits - debits FROM ledger_account"  # noqa: S608 - marks alone
        f" WHERE establishment = %s AND kind = 'stake' AND name IN ({keyed.marks(names)})",
        loaded.key.establishment,
        *names,
    )
    return {names[name]: held for name, held in rows}


def all_booked_stakes(establishment: UUID, games: Iterable[Loaded]) -> int:
    """The sum of all players' booked stakes in games of a house, in coins, in one query."""
    names = [stake(each.key.game, player).name for each in games for player in each.stakes]
    rows = Account.objects.filter(establishment=establishment, kind="stake", name__in=names)
    return rows.aggregate(held=Sum(F("credits") - F("debits")))["held"] or 0


class PayoutHeld(Refused):
    code = "payout_held"


class VoidWaits(Refused):
    code = "void_waits"


SENTENCES = {
    LARGE_PRIZE: "a large prize waits for its witness (A7)",
    DISPUTE: "a dispute is open (C3)",
    VOID: "a void is asked for (G4)",
    STOPPED: "this house's payouts are stopped (E2)",
}


def stake_in_ledger(loaded: Loaded, player: str) -> int:
    """
    The booked stake of a player, including what is held.

    It is 0 while settlement has not handled all events of the game that it books something for:
    money that is brought or taken moves with its event, so several players are paid out in a row.
    """
    if any(not isinstance(fact, AT_ONCE) for fact in loaded.facts[last_event_handled(loaded) :]):
        return 0
    return free_stake(loaded.key, player) + stakes_on_hold(loaded.key).get(player, 0)


def free_stake(key: GameKey, player: str) -> int:
    """The booked stake of a player without what is held."""
    return money.balance(stake(key.game, player), establishment=key.establishment)


def ever_withheld(key: GameKey) -> bool:
    """Whether a payout of the game was ever held; most games have none."""
    statement = "SELECT 1 FROM settlement_withheld WHERE establishment_id = %s AND game = %s"
    return bool(keyed.rows(statement, key.establishment, key.game))


def withheld(key: GameKey) -> list[Lot]:
    """The payouts of a game that are or ever were held, the oldest first."""
    if not ever_withheld(key):
        return []
    lots: dict[PayoutPlace, Lot] = {}
    for event in journal.stream(establishment=key.establishment, stream=key.settlement):
        for row in event.data.get("lots", ()):
            payout = PayoutPlace.parse(row["payout"])
            lots[payout] = Lot(payout, row["player"], row["left"], tuple(row["why"]))
    return [lots[payout] for payout in sorted(lots)]


def stakes_on_hold(key: GameKey) -> dict[str, int]:
    """The held money of each player in a game; players without held money are left out."""
    held: dict[str, int] = {}
    for lot in withheld(key):
        if lot.left:
            held[lot.player] = held.get(lot.player, 0) + lot.left
    return held


def leaves(loaded: Loaded, player: str, amount: int) -> dict[str, int]:
    """
    Check that a player may take an amount out of a game: it is booked, and not held.

    :returns: guards on the game's settlement and on the house's payouts.
    :raises VoidWaits: if a request to void waits that could not be approved any more afterwards.
    :raises PayoutsStopped: if the house pays nobody now.
    :raises PayoutHeld: if some of the amount is held; the message says what it waits for.
    """
    key = loaded.key
    check_no_void_waits(loaded)
    seen = payout_holds.pays(key.establishment)
    seen |= journal.versions(establishment=key.establishment, streams=[key.settlement])
    waiting = []
    if amount > (free := free_stake(key, player)):
        waiting = [lot for lot in withheld(key) if lot.player == player and lot.left]
    if waiting:  # otherwise the ledger refuses the transfer, with a more exact message
        why = {reason.partition(":")[0] for lot in waiting for reason in lot.why}
        held = sum(lot.left for lot in waiting)
        raise PayoutHeld(
            f"amount is {amount}: {free} may leave, {held} are held because"
            f" {' and '.join(SENTENCES[each] for each in sorted(why))}."
        )
    return seen


def first_event_questioned(loaded: Loaded) -> int | None:
    """
    The first event that a waiting request to void would go back to, if it may still be approved;
    None if there is none. Until it is answered no money leaves the game (G4).
    """
    waiting = [each.back_to for each in loaded.state.requests if each.holds]
    if not waiting or loaded.state.live is None:
        return None
    barrier = max(loaded.state.live.value.cashed, irreversible_through(loaded))
    return min((each for each in waiting if each > barrier), default=None)


def check_no_void_waits(loaded: Loaded) -> None:
    """:raises VoidWaits: if a request to void waits; money that leaves would make it too late."""
    if (first := first_event_questioned(loaded)) is not None:
        raise VoidWaits(
            f"A void from event {first} on is asked for: nobody is paid out at this table until a"
            " second person has answered. G4"
        )


def irreversible_through(loaded: Loaded, *, adjusted: bool = True) -> int:
    """
    The number of the last event that a void cannot cancel (G4).

    That is an event whose points led to a prize, an event that left coins in the rollover which
    another game has drawn, an event that an adjustment has corrected, or one of a gaming day whose
    closing has begun (B4).

    :param adjusted: False if it is known that there was no adjustment.
    """
    key = loaded.key
    return irreversible_in(key.establishment, [loaded], adjusted=adjusted)[key]


def irreversible_in(
    house: UUID, games: Sequence[Loaded], *, adjusted: bool = True
) -> dict[GameKey, int]:
    """`irreversible_through` for each of some games of a house, with the queries of one."""
    streams = [adjustments_stream(loaded.key) for loaded in games] if adjusted else []
    corrected = recent.lasts(house, streams)
    barriers, issued = rollovers.barriers(house, games), _prizes(house, games)
    return {
        loaded.key: max(
            _last_event_of_prizes(loaded, issued),
            barriers.get(loaded.key, 0),
            _through_in(corrected.get(adjustments_stream(loaded.key))),
            _last_event_of_closing(loaded),
        )
        for loaded in games
    }


def _last_event_of_closing(loaded: Loaded) -> int:
    """The number of a game's last event of a gaming day whose closing has begun; 0: none."""
    closing = gaming_day.state_of_days(loaded.key.establishment).closing
    if closing is None:
        return 0
    return bisect_right(loaded.events, closing, key=lambda event: event.provenance.gaming_day)


def adjustments_stream(key: GameKey) -> str:
    return f"adjustment/{key.game}"


def last_event_adjusted(key: GameKey) -> int:
    """The number of a game's last event that an adjustment has corrected; 0 if there is none."""
    stream = adjustments_stream(key)
    return _through_in(journal.last(establishment=key.establishment, stream=stream))


def _through_in(adjustment: StoredEvent | None) -> int:
    return 0 if adjustment is None else int(adjustment.data["through"])


@dataclass(frozen=True, slots=True)
class _Prized:
    """A prize of a player: the season that it was won in, and its position."""

    season: models.Season
    position: int


def _prizes(house: UUID, games: Iterable[Loaded]) -> dict[tuple[str, str], list[_Prized]]:
    """The prizes of players who have points in one of these games, by game and player."""
    players = {
        player
        for loaded in games
        for _number, fact in loaded.live
        for player, _points in fact.points
    }
    if not players:
        return {}
    rows = list(PrizeIssued.objects.filter(establishment=house, player__in=players))
    if not rows:
        return {}
    seasons = {
        (each.ruleset, each.number): each
        for each in models.Season.objects.filter(
            establishment=house, ruleset__in={row.ruleset for row in rows}
        )
    }
    issued: dict[tuple[str, str], list[_Prized]] = {}
    for row in rows:
        if (season := seasons.get((row.ruleset, row.season))) is not None:
            mine = issued.setdefault((row.ruleset, row.player), [])
            mine.append(_Prized(season, row.position))
    return issued


def _last_event_of_prizes(
    loaded: Loaded, issued: Mapping[tuple[str, str], Sequence[_Prized]]
) -> int:
    """
    The number of the last event whose points count for an issued prize; 0 if there is none.

    A player may have reached the prize in another game: all their points of the season count that
    came before it. Points of another season do not.
    """
    resting = (
        number
        for number, fact in loaded.live
        for player, _points in fact.points
        for prize in issued.get((loaded.ruleset.id, player), ())
        if loaded.events[number - 1].position <= prize.position
        and prize.season.holds(loaded.events[number - 1].provenance.gaming_day)
    )
    return max(resting, default=0)
