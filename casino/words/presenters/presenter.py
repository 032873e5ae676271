"""
The base class of presenters: each game has one, which describes it for all surfaces. Also the types
of what presenters take and return, and the log lines that games share.

A presenter reads what the rules have recorded and never decides. Names of players stay tokens, as
in the ledger; the surface that shows them inserts the names. docs/how-to/floor.md shows how to
write one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypedDict

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.words.languages.amounts import coin_decimals, money
from casino.words.presenters import fees
from casino.words.presenters.words import OUTCOMES, REASONS
from games import messages as shared
from games.stone import SIDES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from django.utils.functional import _StrPromise

    from games.dice import Dice
    from games.fees import Fee
    from games.game import Json
    from games.messages import Fact
    from games.session import GameSession


class Presenter(ABC):
    """
    Describes one game in words. Stateless: everything is passed as arguments.

    POT: what the players call the pot.
    SIZES: the sizes of dice that may be on the table, the usual one first.
    """

    POT: ClassVar[_StrPromise] = gettext_lazy("pot")
    SIZES: ClassVar[tuple[int, ...]]

    # --- What a game provides -------------------------------------------------------------------

    @abstractmethod
    def upcoming(self, game: Course, view: Mapping[str, Any]) -> Upcoming:
        """The next action; once the game is over, the sentence of `over`."""

    @abstractmethod
    def hand_of(self, game: Course, view: Mapping[str, Any], player: str) -> SeatState:
        """The state of a player's seat in the running round: hand, dice, turn."""

    @abstractmethod
    def of_the_game(self, game: Course, fact: Fact) -> Line | None:
        """A log line for an event of this game; None for a shared event or one without a line."""

    @abstractmethod
    def over(self, state: Any) -> str:
        """A sentence on how the game ended; `state` is the game's own, ``game.state.inner``."""

    @abstractmethod
    def figures(self, state: Any) -> Figures:
        """The figures in a state of the game; `state` is the game's own, ``game.state.inner``."""

    def mode(self, game: Course) -> tuple[str, str]:
        """The mode of play, as option value and in words; two empty texts if it has only one."""
        del game
        return "", ""

    def for_money(self, game: Course) -> bool:
        """Whether the game is played for money, so that stakes, pots and payments are shown."""
        del game
        return True

    def entered(self, fact: Fact) -> bool:
        """Whether this event is an entry that an attendant voids if it was entered wrongly (G4)."""
        return fact.is_throw

    def called(self, die: str) -> str:
        """A die in words, in a game whose dice have names."""
        return die

    def closing(self, state: Any) -> str:
        """What closing the game would do now; "": nothing but what holds for all games (G9)."""
        del state
        return ""

    def leaving(self, state: Any) -> str:
        """What leaving the game would cost a player now; "": nothing worth mentioning."""
        del state
        return ""

    def own(self, game: Course, view: Mapping[str, Any]) -> dict[str, Any]:
        """Data for the game's own parts of the screen; JSON-like, with tokens instead of names."""
        del game, view
        return {}

    def auction(self, game: Course) -> list[dict[str, Any]]:
        """The lots of a running auction, in order: `die`, `sides`, `face`, `state` and bids."""
        del game
        return []

    def sides(self, count: int) -> list[int]:
        """The sizes of `count` dice whose faces alone were recorded, as in a no throw."""
        return [self.SIZES[0]] * count

    # --- What all games share -------------------------------------------------------------------

    def terms(self, game: Course) -> Terms:
        mode, name = self.mode(game)
        fee: Fee | None = getattr(game.facts[0], "fee", None)
        text = fees.short(fee, pot=str(self.POT)) if fee else ""
        return {"mode": mode, "mode_name": name, "fee": text, "point": self.point(game)}

    def point(self, game: Course) -> str:
        """What a point is worth, where money is played for and it is no unit of the coin (G11)."""
        opened: Any = game.facts[0]
        unit: int = opened.options.unit
        is_usual = unit == 1 and not coin_decimals()
        return "" if is_usual or not self.for_money(game) else money(unit)

    def describe(self, game: Course, fact: Fact, people: Mapping[str, str]) -> Line | None:
        """
        A log line for an event; None if it has none.

        :param people: the names of staff, by id.
        """
        return self.of_the_game(game, fact) or describe_shared(fact, people, self.sides)


def line(kind: str, sentence: str, rules: Sequence[str] = ()) -> Line:
    return {"kind": kind, "sentence": sentence, "rules": list(rules)}


def account(name: str, presenter: Presenter) -> str:
    """An account as players of the game call it; a player's account is the player's name."""
    return {
        "pot": str(presenter.POT),
        "house": _("the house"),
        "rollover": _("the rollover"),
    }.get(name, name)


# Types of what presenters take and return; they are only for type checking.


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


# Log lines for events that are the same in every game: no throws, voids, money, the end.


def describe_shared(
    fact: Fact, people: Mapping[str, str], sides: Callable[[int], list[int]]
) -> Line | None:
    """
    A log line for a shared event; None for an event of a game's own.

    :param people: the names of staff, by id.
    :param sides: a function from a number of dice to their sizes.
    """
    return (
        _voids(fact, people)
        or _breaks(fact, people)
        or _second_eyes(fact, people)
        or _money(fact)
        or _at_the_table(fact, sides)
    )


def _voids(fact: Fact, people: Mapping[str, str]) -> Line | None:
    match fact:
        case shared.Voided(back_to=back_to, reason=reason):
            values = {"number": back_to, "reason": reason}
            changed = _("Changed, from %(number)s on: %(reason)s")
            text = (
                changed if fact.corrected else _("Void from %(number)s on: %(reason)s")
            ) % values
            if fact.alone:
                text = _("%(said)s (done alone, to be reviewed)") % {"said": text}
            return _line("voided", text, "G4")
        case shared.VoidRequested(back_to=back_to, reason=reason):
            values = {"number": back_to, "reason": reason, "who": people.get(fact.asked_by, "")}
            change = _("%(who)s asks for a change from %(number)s on: %(reason)s")
            plain = _("%(who)s asks to void from %(number)s on: %(reason)s")
            return _line("request", (change if fact.instead else plain) % values, "G4")
        case shared.VoidRejected(request=request, reason=reason):
            values = {"request": request, "reason": reason}
            bare = _("Request %(request)s is rejected")
            text = _("Request %(request)s is rejected: %(reason)s") if reason else bare
            return _line("reject", text % values, "G4")
        case _:
            return None


def _breaks(fact: Fact, people: Mapping[str, str]) -> Line | None:
    match fact:
        case shared.Paused(note=note, by=by):
            values = {"who": people.get(by, ""), "note": note}
            text = _("%(who)s paused: %(note)s") if note else _("%(who)s paused the table")
            return _line("pause", text % values)
        case shared.Resumed(by=by):
            return _line("pause", _("%(who)s: play goes on") % {"who": people.get(by, "")})
        case shared.HandoverOffered(by=by, to=to):
            values = {"who": people.get(by, ""), "to": people.get(to, "")}
            return _line("handover", _("%(who)s hands the table over to %(to)s") % values, "B3")
        case shared.HandedOver(by=by, to=to):
            values = {"who": people.get(by, ""), "to": people.get(to, "")}
            return _line("handover", _("%(to)s takes the table over from %(who)s") % values, "B3")
        case shared.DiceChanged(reason=reason):
            return _line("dice", _("Other dice: %(reason)s") % {"reason": reason}, "F1")
        case _:
            return None


def _second_eyes(fact: Fact, people: Mapping[str, str]) -> Line | None:
    match fact:
        case shared.Witnessed(cause=cause, approved_by=by):
            values = {"who": people.get(by, ""), "number": cause}
            return _line("witness", _("%(who)s witnessed what %(number)s paid") % values, "A7")
        case shared.Disputed(dispute=dispute, round=round_no, reason=reason):
            values = {"number": dispute, "round": round_no, "reason": reason}
            sentence = _("Dispute %(number)s, about round %(round)s: %(reason)s") % values
            return _line("dispute", sentence, "C3")
        case shared.Resolved(dispute=dispute, outcome=outcome, reason=reason):
            values = {"number": dispute, "outcome": OUTCOMES[outcome], "reason": reason}
            sentence = _("Dispute %(number)s ends, %(outcome)s: %(reason)s") % values
            return _line("dispute", sentence, "C3")
        case _:
            return None


def _money(fact: Fact) -> Line | None:
    match fact:
        case shared.FeeTaken():
            return _line("fee", _("Fee for the house"), "G6")
        case shared.PlayerJoined(player=player, stake=stake):
            values = {"name": player, "amount": money(stake)}
            seated = _("%(name)s sits down with %(amount)s") if stake else _("%(name)s sits down")
            return _line("join", seated % values, "G1")
        case shared.BoughtIn(player=player, amount=amount):
            values = {"name": player, "amount": money(amount)}
            return _line("cash", _("%(name)s brings %(amount)s to the table") % values)
        case shared.CashedOut(player=player, amount=amount):
            values = {"name": player, "amount": money(amount)}
            return _line("cash", _("%(name)s takes %(amount)s from the table") % values)
        case _:
            return None


def _at_the_table(fact: Fact, sides: Callable[[int], list[int]]) -> Line | None:
    match fact:
        case shared.NoThrowRecorded(player=player, reason=reason, dice=dice):
            values = {"name": player, "reason": REASONS[reason]}
            line = _line("no_throw", _("No throw by %(name)s: %(reason)s") % values, "G3")
            seen: Line = {"kind": "no_throw", "rules": [], "dice": list(dice or ())}
            return {**seen, **line, "sides": sides(len(dice))} if dice else line
        case shared.TableClosed():
            return _line("close", _("The game is closed"), "G9")
        case _:
            return None


def _line(kind: str, sentence: str, *rules: str) -> Line:
    return {"kind": kind, "sentence": sentence, "rules": list(rules)}


# Log lines that all games of three d8 share: dice, and the throws for the home throw.


def line_of_dice(faces: Dice, mark: str = "plain") -> Line:
    count = len(faces)
    return {
        "kind": "throw",
        "rules": [],
        "dice": list(faces),
        "sides": [SIDES] * count,
        "marks": [mark] * count,
    }


def sought(faces: Dice, hand: str) -> Line:
    """A throw by which the attendant looks for the home throw, the first junk hand (H2)."""
    named: Line = {"kind": "throw", "name": _("For the home throw:"), "hand": hand, "rules": ["H2"]}
    return {**line_of_dice(faces), **named, "score": None}


def line_of_home_throw(home: Dice) -> Line:
    faces = "-".join(map(str, home))
    return line("home", _("The home throw is %(faces)s") % {"faces": faces}, ["H2"])
