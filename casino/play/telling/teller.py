"""
What a game has to be told by: one Teller a game, the same for every surface that shows it.

A teller reads what the rules have recorded and never decides. Names of players stay the tokens
that the ledger has; whoever shows them puts the names in. docs/floor.md shows one being written.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, TypedDict

from django.utils.translation import gettext_lazy as _

from casino.play.telling import asides, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.utils.functional import _StrPromise

    from casino.play.loading import Loaded
    from games.fees import Fee
    from games.messages import Fact


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


class Teller(ABC):
    """
    One game's story. Stateless: everything comes with the call.

    POT: what the players call the pot.
    SIZES: the sizes of dice that may lie on the table, the usual one first.
    """

    POT: ClassVar[_StrPromise] = _("pot")
    SIZES: ClassVar[tuple[int, ...]]

    # --- What a game provides -------------------------------------------------------------------

    @abstractmethod
    def upcoming(self, loaded: Loaded, view: Mapping[str, Any]) -> Upcoming:
        """The next action; once the game is over `over` says what there is to say."""

    @abstractmethod
    def hand_of(self, loaded: Loaded, view: Mapping[str, Any], player: str) -> Standing:
        """How a seat stands in the running round."""

    @abstractmethod
    def of_the_game(self, loaded: Loaded, fact: Fact) -> Line | None:
        """An event of the game's own as a line; None for one that is no line, or not its own."""

    @abstractmethod
    def over(self, state: Any) -> str:
        """How an ended game ended; `state` is the game's own, ``loaded.state.inner``."""

    @abstractmethod
    def figures(self, state: Any) -> Figures:
        """The numbers after a step; `state` is the game's own, ``loaded.state.inner``."""

    def mode(self, loaded: Loaded) -> tuple[str, str]:
        """The way it is played, as option value and in words; two empty words: there is but one."""
        del loaded
        return "", ""

    def for_money(self, loaded: Loaded) -> bool:
        """Whether stakes, pots and payments are worth a place on the screen."""
        del loaded
        return True

    def entered(self, fact: Fact) -> bool:
        """Whether it is what an attendant takes back when it was entered wrongly (G4)."""
        return fact.is_throw

    def closing(self, state: Any) -> str:
        """What closing the game does now; empty: what the rules of all games say (G9)."""
        del state
        return ""

    def leaving(self, state: Any) -> str:
        """What it means now to leave; empty: nothing that has to be said."""
        del state
        return ""

    def own(self, loaded: Loaded, view: Mapping[str, Any]) -> dict[str, Any]:
        """What only this game's own parts of the screen show; JSON-like, with tokens for names."""
        del loaded, view
        return {}

    def sides(self, count: int) -> list[int]:
        """The sizes of so many dice of which only the faces were recorded, as after a no throw."""
        return [self.SIZES[0]] * count

    # --- What all games share -------------------------------------------------------------------

    def terms(self, loaded: Loaded) -> Terms:
        mode, name = self.mode(loaded)
        fee: Fee | None = getattr(loaded.facts[0], "fee", None)
        said = words.fee(fee, pot=str(self.POT)) if fee else ""
        return {"mode": mode, "mode_name": name, "fee": said}

    def told(self, loaded: Loaded, fact: Fact, people: Mapping[str, str]) -> Line | None:
        """
        An event as the log has it; None: not worth a line.

        :param people: the names of staff, by id.
        """
        return self.of_the_game(loaded, fact) or asides.told(fact, people, self.sides)


def line(kind: str, sentence: str, rules: Sequence[str] = ()) -> Line:
    return {"kind": kind, "sentence": sentence, "rules": list(rules)}
