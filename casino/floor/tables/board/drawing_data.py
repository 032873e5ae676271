"""What a board is drawn from: a game, what only the house knows, and its screen's templates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypedDict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from casino.words.presenters.presenter import Presenter
    from games.game import Json, Ruleset
    from games.messages import Fact
    from games.session import GameSession


class May(TypedDict):
    """What the person's role permits, whatever the game offers."""

    record: bool
    approve: bool


class House(TypedDict):
    """
    The settings of the house that a board needs.

    zone: the time zone of its clocks. locale: how it writes figures and dates.
    steps: the values of its chips, in smallest coins, by which the step buttons change amounts.
    pieces: the values of all its coins and chips. unit: what a point of this game is worth (G11).
    language_and_locale: those in which the board is rendered.
    """

    id: str
    currency: str
    zone: str
    locale: str
    language_and_locale: str
    steps: list[int]
    pieces: list[int]
    unit: int


class OtherLine(TypedDict):
    """A line of the log that is not an event of the game; it comes after the event `after`."""

    after: int
    clock: str
    kind: str
    sentence: str


Ahead = TypedDict("Ahead", {"unsent": int, "from": int})
"""
For a board that a device has rendered ahead of the house. unsent: how many entries the device has
still to send; from: the last event that the house has recorded.
"""


class Undo(TypedDict):
    """
    How long the last command of play may be undone alone, whatever came of it (G4).

    seconds: the house's setting, 0: never. open: whether it still may. left: the seconds that are
    left. at: when it was made by the clock of the device that looks, in seconds since 1970, if it
    was made there; that clock then tells when the time is over.
    """

    seconds: int
    open: bool
    left: int
    at: int | None


class Given(TypedDict):
    """
    All that a board is rendered from, apart from the events of its game.

    people: the names of staff, by id. names: the names of players, by token. texts: what people
    wrote, by token. booked, held: the coins of each player's stake that are booked, and that are
    held; empty where nobody plays for money. through: the game's last event that settlement has
    handled. settled_position: its position in the house's ledger, -1 if there is none.
    irreversible: the last event that no void can cancel (G4). agreed: the options that differ from
    the usual ones, each as label, rule and value in words. undo: how long the last throw may be
    undone alone. second_look: whether the house wants a second look at a throw that pays and could
    not be undone so. awaited: rollovers that the game still waits for: coins, and the name of the
    table they left. board: of each player who sits here the points that are booked on the house's
    scoreboard of the game, and what they win next: its words, and with how many points more; empty
    where no board runs, or the game has no points. lease, device: which device records, as
    described in casino/play/devices/leases.py. only: the commands that are offered while another
    device records;
    None: all. watching: another device records, and this person might take over. other_lines: lines
    of the log that are not events of the game, oldest first. urls: addresses by name; `round` has
    ``%d`` in place of a number, `open` is empty for people who may not open the next game. ahead:
    None on the server.
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
    agreed: list[dict[str, str]]
    undo: Undo
    second_look: bool
    board: dict[str, tuple[str, str, str]]
    awaited: list[dict[str, Any]]
    lease: dict[str, Any]
    device: dict[str, Any]
    only: list[str] | None
    watching: bool
    other_lines: list[OtherLine]
    urls: dict[str, str]
    ahead: Ahead | None


# A game in the form from which its board is drawn.


@dataclass(frozen=True, slots=True)
class Game:
    """
    A game in the form from which its board is drawn (a `casino.words.presenters.presenter.Course`).

    facts: its events, the opening first. state: the state that results from them.
    live: the events that are not voided, with their numbers. view: the rules' report. Both follow
    from the facts; they are passed in so that a caller who has them need not compute them again.
    when: returns the time of an event, given its number, as the house writes times.
    """

    ruleset: Ruleset
    presenter: Presenter
    facts: Sequence[Fact]
    state: GameSession[Any]
    live: Sequence[tuple[int, Fact]]
    view: Json
    when: Callable[[int], str]


# The templates of a game's board, part by part: the game's own or the common one.
#
# A game replaces a part with a template of the same name in ``presenters/<ruleset id>/``, in the
# folder `templates` of its own package.


PARTS: Final = ("assets", "head", "seats", "next", "entry", "actions", "over", "log", "help")


def templates_of_parts(ruleset: str) -> dict[str, list[str]]:
    """The template names for each part of the board; the first template that exists is used."""
    return {
        part: [f"presenters/{ruleset}/_{part}.html", f"floor/tables/board/_{part}.html"]
        for part in PARTS
    }
