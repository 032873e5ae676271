"""What a presenter is given and what it says, as types: nothing of this is there when it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypedDict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.game import Json
    from games.messages import Fact
    from games.session import GameSession


class Course(Protocol):
    """
    The course of a game so far: as loaded from its stream, or as a device knows it.

    facts: what its events mean, the opening first; live: those that stand, with their numbers.
    state: what they lead to; the game's own is ``state.inner``.
    view: the rules' report, with tokens for names.
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
    """What was agreed before the first throw. ``mode_name`` empty: there is but one way to play."""

    mode: str
    mode_name: str
    fee: str


class _Next(TypedDict):
    sentence: str
    player: str | None
    may: list[str]
    dice: list[int]


class Upcoming(_Next, total=False):
    """
    The next action.

    sentence: said across a loud table, the largest thing on the screen.
    player: whose turn it is; None where nobody's or several at once.
    may: commands of the vocabulary, as the report's ``next.may``.
    dice: the sides of each die to be entered now, in order; [] where no dice are.
    players: where several may act, in seat order.
    """

    players: list[str]


class _Standing(TypedDict):
    hand: str | None
    score: int | None
    dice: list[int] | None
    state: str


class Standing(_Standing, total=False):
    """
    How a seat stands in the running round.

    hand, score, dice: what lies before the player; None where there is nothing (yet).
    state: to_throw, thrown, waiting, sitting_out, out or left; a game may have others, and a
        `_seats.html` that knows them.
    sides: of each of `dice`, where they are not all ``SIZES[0]``.
    marks: the state of each of `dice` as drawn: plain, kept, out, void, home.
    words: stands where the hand's name would, for games whose seats have no named hand.
    owner: the player's number from 1, where dice have colours of their own; owners: of each of
        `dice` whose it is, where some are of others.
    signs: in a word or two each what counts for the seat beside its hand.
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
    An event as the log has it: a sentence, or a name with a hand.

    kind: a word for the style sheet: throw, lost, won, fee, void, …
    dice, sides, marks, owner: drawn before the words; as in `Standing`. An owner may be `trump`.
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
    The numbers of a round after one of its steps, in coins unless said otherwise. A key that is
    missing or None does not exist in this game, or not in this mode of it.

    pot: what lies in the pot or pool.
    pay: what the round is worth to its winner (CG2); scores: likewise in points, no money (CG11).
    price: of the dice (RV1); ante: of a round (TA1) or a game (DB11).
    carried: how much of the pot rolled over into this round.
    awaited: rolled over to this game by an earlier one that is not settled yet.
    limit: the total that may win the round (TA7), no money; target: the points that win (DB6).
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
