"""Types of what presenters take and return; they are only for type checking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypedDict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.game import Json
    from games.messages import Fact
    from games.session import GameSession


class Course(Protocol):
    """
    The course of a game so far: loaded from its stream, or as a device knows it.

    facts: its events, the opening first. live: the events that are not voided, with their numbers.
    state: the state that results from them; the game's own is ``state.inner``.
    view: the rules' report, with tokens instead of names.
    """

    @property
    def facts(self) -> Sequence[Fact]: ...
    @property
    def live(self) -> Sequence[tuple[int, Fact]]: ...
    @property
    def state(self) -> GameSession[Any]: ...
    @property
    def view(self) -> Json: ...


class Terms(TypedDict):
    """
    The terms agreed before the first throw. ``mode_name`` is "" if there is only one mode;
    ``point`` is what a point is worth, "" where that is one coin and needs no words.
    """

    mode: str
    mode_name: str
    fee: str
    point: str


class _Next(TypedDict):
    sentence: str
    player: str | None
    may: list[str]
    dice: list[int]


class Upcoming(_Next, total=False):
    """
    The next action.

    sentence: the largest text on the screen, to be read out at a loud table.
    player: whose turn it is; None if it is nobody's, or that of several at once.
    may: commands of the vocabulary, as in the report's ``next.may``.
    dice: the sides of each die to be entered now, in order; [] if no dice are.
    players: if several may act, the players in seat order.
    """

    players: list[str]


class _SeatState(TypedDict):
    hand: str | None
    score: int | None
    dice: list[int] | None
    state: str


class SeatState(_SeatState, total=False):
    """
    The state of a seat in the running round.

    hand, score, dice: what the player has thrown; None if there is nothing (yet).
    state: to_throw, thrown, waiting, sitting_out, out or left; a game may have others, and a
        `_seats.html` that knows them.
    sides: the sides of each of `dice`, if they are not all ``SIZES[0]``.
    marks: the state in which each of `dice` is drawn: plain, kept, out, void, home.
    words: shown instead of the hand's name, for games whose seats have no named hand.
    owner: the player's number from 1, if each player's dice have their own colour; owners: the
        owner of each of `dice`, if some belong to others.
    signs: what counts for the seat beside its hand, in a word or two each.
    pocket: coins of the stake that are not played any more (CG8).
    """

    sides: list[int]
    marks: list[str]
    words: str
    owner: int
    owners: list[int | str | None]
    signs: list[str]
    pocket: int


class _Line(TypedDict):
    kind: str
    rules: list[str]


class Line(_Line, total=False):
    """
    A line of the log for an event: a sentence, or a name with a hand.

    kind: a CSS class: throw, lost, won, fee, void, …
    dice, sides, marks, owner: dice drawn before the words, as in `SeatState`. `owner` may be
        `trump`.
    """

    sentence: str
    name: str
    hand: str
    score: int | None
    dice: list[int]
    sides: list[int]
    marks: list[str]
    owner: int | str


class Figures(TypedDict, total=False):
    """
    The figures of a round after one of its steps, in coins unless said otherwise. A key that is
    missing or None does not exist in this game, or not in this mode of it.

    pot: the coins in the pot or pool.
    pay: what the round is worth to its winner (CG2); scores: the same in points, not money (CG11).
    price: the price of the dice (RV1); ante: the ante of a round (TA1) or a game (DB11).
    carried: how much of the pot rolled over into this round.
    awaited: the rollover from an earlier game that is not settled yet.
    limit: the highest total that may win the round (TA7), not money; target: the points that win
        the game (DB6).
    """

    pot: int | None
    pay: int | None
    scores: int | None
    price: int | None
    ante: int | None
    carried: int | None
    awaited: int | None
    limit: int | None
    target: int | None
