"""How far settlement has come with a game, what it has booked, and what of that waits."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db.models import F, Sum

from casino.operations.accounts import PayoutPlace, stake
from casino.rollovers import operations as rollovers
from casino.settlement import payout_holds
from casino.settlement.held_funds import Lot
from casino.settlement.holding import DISPUTE, LARGE_PRIZE, STOPPED
from casino.settlement.models import PrizeIssued
from games.refusals import Refused
from ledger import journal, keyed, money
from ledger.models import Account, Subscription

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from uuid import UUID

    from casino.game_streams.loading import GameKey, Loaded

SETTLEMENT = "settlement"
BOOKED = "settlement.booked"
REVERSED = "settlement.reversed"
PRIZE_ISSUED = "settlement.prize_issued"
HELD = "settlement.held"
RELEASED = "settlement.released"
ADJUSTED = "settlement.adjusted"


def reached(establishment: UUID) -> int:
    """The position of a house's ledger that settlement has come to; -1 before the first."""
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
        WHERE establishment_id = %s AND game = %s"""
VERSIONS: Final = """
    UNION ALL SELECT 'version', stream, MAX(stream_version) FROM ledger_event
        WHERE establishment = %s AND stream IN ({}) GROUP BY stream"""
STAKES: Final = """
    UNION ALL SELECT 'stake', name, credits - debits FROM ledger_account
        WHERE establishment = %s AND kind = 'stake' AND name IN ({})"""


@dataclass(frozen=True, slots=True)
class Stands:
    """
    How far settlement has come with a game.

    :param through: the number of the game's last event that it has dealt with; 0 before the first.
    :param prize: where in the house's ledger the last prize was issued; 0: nowhere.
    :param withheld: a payout of the game was held at some time.
    :param versions: how many events each of the streams has that were asked for.
    :param booked: what the accounts hold of each player's stake, in coins, where it was asked for.
    """

    through: int
    prize: int
    withheld: bool
    versions: Mapping[str, int]
    booked: Mapping[str, int]


def stands(loaded: Loaded, streams: Iterable[str] = (), *, stakes: bool = False) -> Stands:
    """In one question."""
    key = loaded.key
    house, mine = key.establishment, (key.establishment, SETTLEMENT)
    statement = STANDS
    parameters: list[keyed.Value] = [SETTLEMENT, *mine, key.stream, house, house, key.game]
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
        versions,
        booked,
    )


def _through(loaded: Loaded, position: int | None, parked: int | None) -> int:
    """:param parked: the first position of the game that waits."""
    if position is None or position < 0:
        return 0
    place = position if parked is None else min(position, parked - 1)
    return bisect_right([event.position for event in loaded.events], place)


def _stakes(loaded: Loaded) -> dict[str, str]:
    """The players, by the names of their stakes' accounts."""
    return {stake(loaded.key.game, player).name: player for player in loaded.stakes}


def settled_through(loaded: Loaded) -> int:
    """The number of the game's last event that settlement has dealt with; 0 before the first."""
    return stands(loaded).through


def booked_stakes(loaded: Loaded) -> dict[str, int]:
    """What the accounts hold of each player's stake, in coins."""
    names = _stakes(loaded)
    rows = keyed.rows(
        "SELECT name, credits - debits FROM ledger_account"  # noqa: S608 - marks alone
        f" WHERE establishment = %s AND kind = 'stake' AND name IN ({keyed.marks(names)})",
        loaded.key.establishment,
        *names,
    )
    return {names[name]: held for name, held in rows}


def all_booked_stakes(establishment: UUID, games: Iterable[Loaded]) -> int:
    """What the accounts hold of all players' stakes in games of a house, in coins: one query."""
    names = [stake(each.key.game, player).name for each in games for player in each.stakes]
    rows = Account.objects.filter(establishment=establishment, kind="stake", name__in=names)
    return rows.aggregate(held=Sum(F("credits") - F("debits")))["held"] or 0


class PayoutHeld(Refused):
    code = "payout_held"


SENTENCES = {
    LARGE_PRIZE: "a large prize waits for its witness (A7)",
    DISPUTE: "a dispute is open (C3)",
    STOPPED: "this house's payouts are stopped (E2)",
}


def settled_stake(loaded: Loaded, player: str) -> int:
    """
    What settlement has booked of a player's stake, held or not: nothing while an event of the game
    waits for it.
    """
    if settled_through(loaded) < loaded.version:
        return 0
    return free_stake(loaded.key, player) + held_stakes(loaded.key).get(player, 0)


def free_stake(key: GameKey, player: str) -> int:
    """What lies booked in a player's stake, and is not held."""
    return money.balance(stake(key.game, player), establishment=key.establishment)


def ever_withheld(key: GameKey) -> bool:
    """Whether a payout of the game was ever held: most games have none."""
    statement = "SELECT 1 FROM settlement_withheld WHERE establishment_id = %s AND game = %s"
    return bool(keyed.rows(statement, key.establishment, key.game))


def withheld(key: GameKey) -> list[Lot]:
    """The payouts of a game that wait or ever waited, the oldest first."""
    if not ever_withheld(key):
        return []
    lots: dict[PayoutPlace, Lot] = {}
    for event in journal.stream(establishment=key.establishment, stream=key.settlement):
        for row in event.data.get("lots", ()):
            payout = PayoutPlace.parse(row["payout"])
            lots[payout] = Lot(payout, row["player"], row["left"], tuple(row["why"]))
    return [lots[payout] for payout in sorted(lots)]


def held_stakes(key: GameKey) -> dict[str, int]:
    """What is held of each player's payouts in a game; who has nothing held is left out."""
    held: dict[str, int] = {}
    for lot in withheld(key):
        if lot.left:
            held[lot.player] = held.get(lot.player, 0) + lot.left
    return held


def leaves(loaded: Loaded, player: str, amount: int) -> dict[str, int]:
    """
    Let money leave a game only where it is booked, and nothing holds it.

    :return: guards: on what is booked, and on the house's payouts.
    :raises PayoutsStopped: if the house pays nobody now.
    :raises PayoutHeld: if some of the amount waits for something; says for what.
    """
    key = loaded.key
    seen = payout_holds.pays(key.establishment)
    seen |= journal.versions(establishment=key.establishment, streams=[key.settlement])
    waiting = []
    if amount > (free := free_stake(key, player)):
        waiting = [lot for lot in withheld(key) if lot.player == player and lot.left]
    if waiting:  # else what is missing the ledger says, and more exactly
        why = {reason.partition(":")[0] for lot in waiting for reason in lot.why}
        held = sum(lot.left for lot in waiting)
        raise PayoutHeld(
            f"amount is {amount}: {free} may leave, {held} are held because"
            f" {' and '.join(SENTENCES[each] for each in sorted(why))}."
        )
    return seen


def irreversible_through(loaded: Loaded, *, adjusted: bool = True) -> int:
    """
    The last event that no void goes back across (G4): one on whose points a prize rests, one that
    left in the rollover what another game has drawn, or one that an adjustment has set right.

    :param adjusted: False where it is known that there was no adjustment.
    """
    through = adjusted_through(loaded.key) if adjusted else 0
    return max(_prized_through(loaded), rollovers.barrier(loaded), through)


def adjustments_stream(key: GameKey) -> str:
    return f"adjustment/{key.game}"


def adjusted_through(key: GameKey) -> int:
    """The last event of a game that an adjustment has set right; 0: there was none."""
    last = journal.last(establishment=key.establishment, stream=adjustments_stream(key))
    return 0 if last is None else int(last.data["through"])


def _prized_through(loaded: Loaded) -> int:
    """A prize may have been reached in another game: what counts is the player's points so far."""
    if not any(fact.points for _, fact in loaded.live):
        return 0
    prizes = PrizeIssued.objects.filter(
        establishment=loaded.key.establishment, player__in=loaded.stakes
    )
    issued = dict(prizes.order_by("position").values_list("player", "position"))
    resting = (
        number
        for number, fact in loaded.live
        for player, _points in fact.points
        if loaded.events[number - 1].position <= issued.get(player, -1)
    )
    return max(resting, default=0)
