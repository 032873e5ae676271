"""
Play through the operations, as every surface does, and look in the ledger.

Builds what does not matter to a test; what matters stands in the test.
"""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from casino.house.acts.game_streams.loading import GameKey, Loaded, load
from casino.play.core import operations, queries, rollover_delivery
from casino.play.core.subscriptions import tasks
from ledger import journal, money, subscriptions
from ledger.accounts import AccountRef, Kind
from ledger.models import ParkedEvent

if TYPE_CHECKING:
    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Table
    from casino.play.core.core import Answer
    from ledger.wire import StoredEvent
    from tests.support.builders import House

NOW = datetime(2026, 11, 20, 21, 30, tzinfo=UTC)
LATER = NOW + timedelta(minutes=1)  # when a void of the last throw takes a second person (G4)
DEVICE = "tablet-1"

# Throws of two players, one round each: Ada's 7 is worse than Bo's 4. Ada pays 7.
PAIR_7, PAIR_4, PAIR_1 = (2, 2, 7), (2, 2, 4), (2, 2, 1)
RUN_4, TRIPLE_8, TRIAD, EMPTY, HOME = (3, 4, 5), (8, 8, 8), (1, 4, 7), (1, 3, 8), (1, 3, 6)


def new_id() -> str:
    return str(uuid.uuid4())


def opening(**more: Any) -> dict[str, Any]:
    return {
        "do": "open",
        "command_id": new_id(),
        "game": "stone-hand",
        "players": ["Ada", "Bo"],
        "stake": 20,
        **more,
    }


def ask_open(
    at: House,
    raw: dict[str, Any] | None = None,
    *,
    by: Attendant | None = None,
    table: Table | None = None,
    now: datetime = NOW,
    **more: Any,
) -> Answer:
    """Open a game at the house's first table, or at another."""
    return operations.open_game(
        by=by or at.attendant,
        table=table or at.table,
        raw=raw or opening(),
        now=now,
        device=DEVICE,
        **more,
    )


def opened(at: House, *, table: Table | None = None, now: datetime = NOW, **more: Any) -> uuid.UUID:
    """The id of a game that was opened."""
    answer = ask_open(at, opening(**more), table=table, now=now)
    assert answer.refusal is None, answer.refusal
    return answer.key.game


def ask(
    at: House,
    game: uuid.UUID,
    do: str,
    /,
    *,
    by: Attendant | None = None,
    now: datetime = NOW,
    **fields: Any,
) -> Answer:
    raw = {"command_id": new_id(), "do": do, **fields}
    return operations.command(
        by=by or at.attendant, house=at.establishment, game=game, raw=raw, now=now, device=DEVICE
    )


def done(at: House, game: uuid.UUID, do: str, /, **fields: Any) -> list[StoredEvent]:
    """The events of a command that is taken."""
    answer = ask(at, game, do, **fields)
    assert answer.refusal is None, answer.refusal
    return answer.events()


def nobody_undoes_alone(at: House) -> None:
    """G4: the house gives no seconds, so that a void of what is booked is always a request."""
    at.establishment.undo_seconds = 0
    at.establishment.save()


def refused(at: House, game: uuid.UUID, do: str, /, **fields: Any) -> str:
    """The code of a command's refusal."""
    answer = ask(at, game, do, **fields)
    assert answer.refusal is not None, answer.events()
    assert answer.events() == []
    return answer.refusal.code


def thrown(
    at: House, game: uuid.UUID, player: str, dice: tuple[int, ...], **more: Any
) -> list[StoredEvent]:
    return done(at, game, "throw", player=player, dice=list(dice), **more)


def round_played(
    at: House, game: uuid.UUID, *throws: tuple[str, tuple[int, ...]], **more: Any
) -> StoredEvent:
    """The last event of a round played by these throws; by default Ada loses 7."""
    events = []
    for player, dice in throws or (("Ada", PAIR_7), ("Bo", PAIR_4)):
        events = thrown(at, game, player, dice, **more)
    return events[-1]


def settled(at: House) -> None:
    """Let settlement and the read models catch up, as the worker does."""
    behind = True
    while behind:
        for each in tasks.SUBSCRIBERS:
            step = subscriptions.Advanced(lag=1)
            while step.lag:
                step = subscriptions.advance(each, establishment=at.id)
                assert not step.lost_race
        rollover_delivery.deliver(at.id)
        behind = any(
            subscriptions.lag(each.name, establishment=at.id) for each in tasks.SUBSCRIBERS
        )


def game_of(at: House, game: uuid.UUID) -> Loaded:
    return load(GameKey(at.id, game))


def state(at: House, game: uuid.UUID) -> dict[str, Any]:
    return queries.state(game_of(at, game))


def booked_events(at: House, game: uuid.UUID) -> list[StoredEvent]:
    return journal.stream(establishment=at.id, stream=f"settlement/{game}")


def token(at: House, game: uuid.UUID, name: str) -> str:
    """What stands for a player of a game in the ledger."""
    seats = game_of(at, game).opening.data["players"]
    names = list(state(at, game)["stakes"])
    found: str = seats[names.index(name)]["name"]
    return found


def balances(at: House) -> dict[AccountRef, int]:
    """What every account of the house holds; those with nothing left out."""
    return {account: held for account, held in money.balances(establishment=at.id).items() if held}


def float_of(table: Table) -> AccountRef:
    return AccountRef(Kind.FLOAT, str(table.pk))


def stake_of(at: House, game: uuid.UUID, name: str) -> AccountRef:
    return AccountRef(Kind.STAKE, f"{game}/{token(at, game, name)}")


def pot_of(game: uuid.UUID) -> AccountRef:
    return AccountRef(Kind.POT, str(game))


def nothing_parked(at: House) -> bool:
    return not ParkedEvent.objects.filter(establishment=at.id).exists()
