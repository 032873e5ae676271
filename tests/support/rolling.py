"""Games whose pots roll over, and what is on record of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from casino.play.settlement import rollovers
from ledger import journal
from ledger.accounts import AccountRef, Kind
from tests.play.settlement.test_settlement_trouble import by_hand
from tests.support import builders
from tests.support.playing import done, game_of, opened, state, token

if TYPE_CHECKING:
    import uuid

    from casino.play.settlement.rollovers import Lot
    from tests.support.builders import House

GAME = "threes-away"
HELD = AccountRef(Kind.ROLLOVER, GAME)
BY_ROUND: dict[str, Any] = {
    "game": GAME,
    "stake": 20,
    "options": {"progressive": "by_round"},
}


def new_house(*, tables: int = 3) -> House:
    house = builders.house(tables=tables, dice_sets=0)
    for _ in range(tables):
        builders.dice_set(house.establishment, sides=6, count=5)
    return house


def begun(house: House, table: int = 0, **more: Any) -> uuid.UUID:
    return opened(house, table=house.tables[table], **{**BY_ROUND, **more})


def rolls_on(house: House, game: uuid.UUID) -> None:
    """A round that nobody wins: in the first, only a total of 0 would (TA7)."""
    for player, face in zip(state(house, game)["stakes"], (1, 2, 4, 5), strict=False):
        done(house, game, "throw", player=player, dice=[face] * 5, keep=[face] * 5)


def left_behind(house: House, table: int = 0, **more: Any) -> uuid.UUID:
    """A game of two that closes with their two coins of the first round in the pot."""
    game = begun(house, table, **more)
    rolls_on(house, game)
    done(house, game, "close")
    return game


def lots(house: House) -> rollovers.Rollover:
    return rollovers.read(house.id, GAME)


def sources(found: tuple[Lot, ...]) -> list[tuple[str, int]]:
    return [(lot.game, lot.amount) for lot in found]


def events_of(house: House, game: uuid.UUID) -> list[str]:
    return [event.event_type.partition(".")[2] for event in game_of(house, game).events]


def changes(house: House) -> list[str]:
    stream = journal.stream(establishment=house.id, stream=rollovers.stream_of(GAME))
    return [event.event_type.partition(".")[2] for event in stream]


def is_poisoned(house: House, game: uuid.UUID) -> None:
    """An event in the game's stream that settlement cannot book."""
    ada = token(house, game, "Ada")
    data = {
        "player": ada, "amount": 1,
        "payments": [{"from": ada, "to": "pot", "amount": 10_000, "rules": ["TA4"]}],
    }  # fmt: skip
    by_hand(house, f"game/{game}", "threes_away.rollover_arrived", data)


def closing(house: House, game: uuid.UUID) -> int:
    return events_of(house, game).index("table_closed") + 1


def voided(house: House, game: uuid.UUID, back_to: int) -> None:
    """By the attendant alone where that may be, else with a second person."""
    [event] = done(house, game, "void", back_to=back_to, reason="Misheard.")
    if event.event_type == "game.void_requested":
        done(house, game, "approve", by=house.supervisor, request=event.data["request"])
