"""The queries of screens and the API about games."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.utils import timezone

from casino.house.acts import accounts
from casino.house.acts.changes import record_stream
from casino.house.acts.game_streams import catalogue, loading, occupancy
from casino.house.acts.game_streams.loading import GameKey, Loaded, load
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments import gaming_day
from casino.play.core import undo
from casino.play.settlement import settled
from casino.play.settlement.rollovers import operations as rollovers
from games.refusals import NoGame
from games.wire import write
from ledger import journal, money

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from casino.house.establishments.models import Table
    from ledger.wire import StoredEvent

DEVICES: Final = ("lease", "late")
"""
Streams of a game that `casino.play.devices` keeps: which device records, what devices sent late.
"""


def find(houses: Iterable[UUID], game: UUID) -> Loaded:
    """
    A game at one of the houses.

    :raises NoGame: if none of them has it.
    """
    return load(GameKey(house_of(houses, game), game))


def house_of(houses: Iterable[UUID], game: UUID) -> UUID:
    """
    Which of the houses has a game.

    :raises NoGame: if none of them has it.
    """
    candidates = list(houses)
    for house in candidates:
        if loading.remembers(GameKey(house, game)):
            return house
    if candidates and (
        found := journal.house_of_stream(establishments=candidates, stream=f"game/{game}")
    ):
        return found
    raise NoGame(f"There is no game {game} at your houses.")


def mark(loaded: Loaded, through: int, *, in_time: bool) -> str:
    """
    A mark (ETag) that changes whenever anything that is shown of a game changes.

    It depends on the game's events and on how far settlement has come with them (`through`); on
    what was booked without an event of the game, as by a resume or an adjustment; on the rollover
    that the game may wait for; on prizes that its points may reach; on which device records it; on
    names that were changed or erased; and on whether the last throw may still be undone alone
    (`in_time`). The mark is read before the state that it describes, so a
    change in between is at worst sent twice.
    """
    stands = settled.stands(loaded, streams_of_state(loaded))
    return Look(loaded, replace(stands, through=through), in_time).mark


@dataclass(frozen=True, slots=True)
class Look:
    """A game with everything that its `mark` depends on, read once for both mark and state."""

    loaded: Loaded
    stands: settled.Stands
    in_time: bool = False
    """Whether the last throw may still be undone alone; see `casino.play.core.undo`."""

    @property
    def mark(self) -> str:
        """See the function `mark`."""
        seen = (self.loaded.version, self.stands.through, self.stands.prize, int(self.in_time))
        return "-".join(map(str, (*seen, *self.stands.versions.values())))

    @property
    def irreversible_through(self) -> int:
        adjusted = bool(self.stands.versions[settled.adjustments_stream(self.loaded.key)])
        return settled.irreversible_through(self.loaded, adjusted=adjusted)


def look(loaded: Loaded, now: datetime | None = None) -> Look:
    """:param now: by the house's clock; None: as it is."""
    stands = settled.stands(loaded, streams_of_state(loaded), stakes=True)
    in_time = undo.is_open(loaded, stands.undo_seconds, now or timezone.now())
    return Look(loaded, stands, in_time)


def streams_of_state(loaded: Loaded) -> list[str]:
    """The other streams that the shown state of a game depends on."""
    key = loaded.key
    return [
        key.settlement,
        settled.adjustments_stream(key),
        rollovers.stream_of(loaded.ruleset.id),
        record_stream("table"),
        record_stream("establishment"),
        gaming_day.STREAM,
        *(f"{prefix}/{key.game}" for prefix in DEVICES),
        *map(tokens.player_stream, loaded.stakes),
    ]


def running_game(table: Table) -> UUID | None:
    """The id of the running game at a table, from the ledger; None if the table is free."""
    stream = occupancy.table_stream(str(table.pk))
    game, _ = occupancy.occupant(table.establishment_id, stream)
    return UUID(game) if game else None


def state(loaded: Loaded, seen: Look | None = None) -> dict[str, Any]:
    """
    The state of a game with people's names: play, bookings, and what may be done next.

    :param seen: the result of `look`, if the caller has it already.
    """
    named: dict[str, Any] = tokens.resolve(
        loaded.key.establishment, state_with_tokens(loaded, seen or look(loaded))
    )
    return named


def state_with_tokens(loaded: Loaded, seen: Look) -> dict[str, Any]:
    """The same as `state`, with tokens instead of names."""
    through = seen.stands.through
    view = loaded.view
    booked = seen.stands.booked
    held = settled.stakes_on_hold(loaded.key) if seen.stands.withheld else {}
    return {
        "id": str(loaded.key.game),
        "establishment": str(loaded.key.establishment),
        **loaded.place,
        "rules_version": loaded.ruleset.version,
        "house_rules": loaded.opening.data.get(catalogue.HOUSE_RULES),
        "unit": loaded.unit,
        **view,
        "booked": {player: booked.get(player, 0) for player in view["stakes"]},
        "held": {player: held.get(player, 0) for player in view["stakes"]},
        "version": loaded.version,
        "position": loaded.position,
        "settled_through": loaded.events[through - 1].position if through else -1,
        "offers": offers(loaded, through, seen.irreversible_through, in_time=seen.in_time),
        **table_state(loaded),
    }


def table_state(loaded: Loaded) -> dict[str, Any]:
    """What happens beside the play: pause, handover, disputes, witnessed payouts."""
    session = loaded.state
    offer = session.offered[1] if session.offered else None
    return {
        "paused": session.paused,
        "handover": offer and write(offer),
        "disputes": [
            {
                "dispute": dispute.dispute,
                "round": dispute.round,
                "payout": None if dispute.cause is None else f"{dispute.cause}.{dispute.seq}",
                "reason": dispute.reason,
                "by": dispute.by,
            }
            for dispute in session.disputes
        ],
        "witnessed": [f"{cause}.{seq}" for cause, seq in sorted(session.witnessed)],
    }


def offers(
    loaded: Loaded, through: int, irreversible: int | None = None, *, in_time: bool = False
) -> list[dict[str, Any]]:
    """What may be done next and by whom; every surface shows this and nothing else."""
    if irreversible is None:
        irreversible = settled.irreversible_through(loaded)
    return loaded.ruleset.offers(
        loaded.state,
        booked_through=through,
        irreversible_through=irreversible,
        in_time=in_time,
    )


def explanation(loaded: Loaded, round_no: int | None = None) -> list[dict[str, Any]]:
    """The reasons for each payment of the ended rounds, or of one of them; with names."""
    rows: list[dict[str, Any]] = tokens.resolve(
        loaded.key.establishment, loaded.ruleset.explain(loaded.history, round_no)
    )
    return rows


def waiting_rollovers(establishment: UUID) -> list[dict[str, Any]]:
    """
    The rollovers of a house by kind of game: players' money, lot by lot.

    With ``claimed_by`` None the lot waits for a game. Otherwise that game has claimed it, and the
    coins arrive there as soon as they are booked. ``booked`` is the balance of the house's rollover
    account.
    """
    rows = []
    for ruleset in rollovers.kinds(establishment):
        account = accounts.rollover(ruleset)
        lots = rollovers.read(establishment, ruleset).lots
        rows.append(
            {
                "game": ruleset,
                "amount": rollovers.total(lots),
                "booked": money.balance(account, establishment=establishment),
                "lots": [
                    {
                        "game": lot.game,
                        "event": lot.event,
                        "amount": lot.amount,
                        "since": lot.since,
                        "claimed_by": lot.claimed_by,
                    }
                    for lot in lots
                ],
            }
        )
    return rows


def rollovers_to_come(loaded: Loaded) -> list[tuple[Loaded, int]]:
    """The coins that this game awaits from rollovers, each with the game that left them."""
    if not loaded.view.get("awaited"):
        return []
    house, game = loaded.key.establishment, str(loaded.key.game)
    return [
        (load(GameKey(house, UUID(lot.game))), lot.amount)
        for lot in rollovers.read(house, loaded.ruleset.id).claimed
        if lot.claimed_by == game
    ]


def event_rows(house: UUID, events: Iterable[StoredEvent]) -> list[dict[str, Any]]:
    """Rows of events for the API: data with names instead of tokens, and provenance."""
    rows: list[dict[str, Any]] = tokens.resolve(house, [_row(event) for event in events])
    return rows


def _row(event: StoredEvent) -> dict[str, Any]:
    provenance = event.provenance
    return {
        "number": event.stream_version,
        "position": event.position,
        "event_id": str(event.event_id),
        "type": event.event_type,
        "data": dict(event.data),
        "command_id": str(provenance.command_id),
        "actor": provenance.actor,
        "device": provenance.device,
        "occurred_at": provenance.occurred_at.isoformat(),
        "recorded_at": provenance.recorded_at.isoformat(),
        "gaming_day": provenance.gaming_day.isoformat(),
        "leaf_hash": event.leaf_hash.hex(),
    }
