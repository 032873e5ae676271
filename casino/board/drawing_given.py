"""What only the house knows of a game, given to whoever draws its board: JSON, and nothing else."""

from __future__ import annotations

from typing import Any, TypedDict


class May(TypedDict):
    """What the person may do here, whatever the game offers."""

    record: bool
    approve: bool


class House(TypedDict):
    """
    zone, locale: the time zone that its clocks show, and how it writes figures and dates; steps:
    its chips, by which amounts are stepped, with spaces between; language_and_locale: those of
    the rendered board.
    """

    id: str
    currency: str
    zone: str
    locale: str
    language_and_locale: str
    steps: str


class OtherLine(TypedDict):
    """A line of the log that is no event of the game: it comes after the event `after`."""

    after: int
    clock: str
    kind: str
    sentence: str


Ahead = TypedDict("Ahead", {"unsent": int, "from": int})
"""
Of a board that a device has rendered ahead of the house: how many entries wait, and the last event
that the house has recorded.
"""


class Given(TypedDict):
    """
    All that a board is rendered from, apart from the events of its game.

    people: the names of staff, by id; names: of players, and texts: what people wrote, by token.
    booked, held: coins of each player's stake as settlement has them; empty where nobody plays for
    money.
    through: the game's last event that settlement has dealt with, and settled_position its place in
    the house's ledger, -1 where there is none; irreversible: the last event no void goes back
    across (G4).
    awaited: what rolled over to the game and is still on its way: coins and the table's name.
    lease, device: who records, as casino/devices/board.py says it; only: the commands that are
    offered while another device records, None: all; watching: that one does, and this person might
    take over. other_lines: lines of the log that are no events of the game, oldest first.
    urls: by name; `round` has ``%d`` where a number belongs, `open` is for who opens the next game.
    ahead: None on the server.
    """

    game: str
    ruleset: str
    title: str
    table: dict[str, str]
    house: House
    etag: str
    command_id: str
    person: str
    may: May
    people: dict[str, str]
    names: dict[str, str]
    texts: dict[str, str]
    booked: dict[str, int]
    held: dict[str, int]
    through: int
    settled_position: int
    irreversible: int
    awaited: list[dict[str, Any]]
    lease: dict[str, Any]
    device: dict[str, Any]
    only: list[str] | None
    watching: bool
    other_lines: list[OtherLine]
    urls: dict[str, str]
    ahead: Ahead | None
