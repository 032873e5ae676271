"""
The registration of a game: one `Game` for each, found by its entry point (decision 0073); and the
types of its parts: its dice, the dice in its events, its part of the API's description and the
demo.

A registration is small and imports nothing of its game: what it names as "module:name" is imported
on first use. docs/how-to/write-a-game.md explains it step by step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    import random
    from pathlib import Path

    from django.utils.functional import _StrPromise

    from casino.words.presenters.odds_tables import Subject
    from casino.words.presenters.opening_forms import Opening
    from casino.words.presenters.presenter import Presenter
    from games.game import Ruleset

LAST: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """
    Which acts of players are choices, and what the choices depend on (decision 0050).

    :param always: acts that are always a choice.
    :param either: acts that are a choice if more than one of them is possible.
    :param ranking: options that decide what beats what and what may be done; the other options only
        decide what it costs.
    :param sight: fields of the state that people consider, beside the running round.
    :param money: whether people also consider what was paid in the running round, as in bidding.
    """

    always: frozenset[str] = frozenset()
    either: frozenset[str] = frozenset()
    ranking: frozenset[str]
    sight: tuple[str, ...] = ()
    money: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """
    The registration of a game.

    Names are written as "module:name", relative to `package`; `rulesets` and `options` are relative
    to `rules`.

    :param id: the ruleset's id, which events and addresses contain.
    :param package: the package with everything that is shown of the game; the folders `templates`,
        `static` and `locale` in it are found without registration.
    :param place: its place among the games that the house offers, the smallest first.
    :param rules: the package of its rules.
    :param rulesets: its `Ruleset`s, every version that was ever released, the newest last.
    :param options: the class of its options.
    :param letters: the letters with which the numbers of its rules begin: RV1, RV2.
    :param page: the file with its rules in words; translations are in folders beside it that are
        named by language.
    :param dice: the kind of dice set that it needs.
    :param presenter: the class of its presenter; `pure`: the other modules that are compiled for
        devices together with it.
    :param opening: the form that opens it (`Opening`).
    :param throws: a mapping from the type of each event that records dice to its `Reader`.
    :param not_fair: types of events with dice for which it is unknown how fair dice would fall.
    :param chosen: which acts are choices, and what they depend on.
    :param home_throw: a function of three sorted faces that raises `ValidationError` if they may
        not be the game's home throw. The openings say which games have home throws.
    :param rolls_over: whether what is left in its pot waits for the next game of the kind.
    :param odds, demo, api: its odds; how the demo plays it; its part of the API's description.
    """

    id: str
    title: _StrPromise
    package: str
    place: int = LAST
    rules: str
    rulesets: tuple[str, ...]
    options: str
    letters: str
    page: Path
    dice: DiceKind
    presenter: str
    pure: tuple[str, ...] = ()
    opening: str
    throws: str
    not_fair: frozenset[str] = frozenset()
    chosen: Chosen
    home_throw: str = ""
    rolls_over: bool = False
    odds: str = ""
    demo: str = ""
    api: str = ""

    def of_rules(self, name: str) -> Any:
        """The object that a name in the rules' package, or ``module:name`` below it, refers to."""
        return resolve_name(_below(self.rules, name))

    def part(self, name: str) -> Any:
        """The object that ``module:name`` below the game's package refers to."""
        return resolve_name(_below(self.package, name))

    def all_rulesets(self) -> tuple[Ruleset, ...]:
        return tuple(self.of_rules(name) for name in self.rulesets)

    def all_options(self) -> type[Any]:
        found: type[Any] = self.of_rules(self.options)
        return found

    def load_presenter(self) -> Presenter:
        return _presenter(_below(self.package, self.presenter))

    def opening_form(self) -> Opening:
        found: Opening = self.part(self.opening)
        return found

    def shows(self) -> Mapping[str, Reader]:
        found: Mapping[str, Reader] = self.part(self.throws)
        return found

    def has_odds(self) -> Subject:
        found: Subject = self.part(self.odds)
        return found

    def is_demonstrated(self) -> Demonstrated:
        found: Demonstrated = self.part(self.demo)
        return found

    def is_described(self) -> Described | None:
        found: Described | None = self.part(self.api) if self.api else None
        return found

    def check_home_throw(self, faces: tuple[int, int, int]) -> None:
        """:raises ValidationError: if these sorted faces may not be a home throw of this game."""
        if self.home_throw:
            self.part(self.home_throw)(faces)

    @property
    def presenting(self) -> tuple[str, str]:
        """The module of the presenter, and the name of its class."""
        module, _colon, name = _below(self.package, self.presenter).partition(":")
        return module, name

    @property
    def on_devices(self) -> tuple[str, ...]:
        """The modules that are compiled for devices, beside those of the rules."""
        return (self.presenting[0], *(f"{self.package}.{name}" for name in self.pure))


def _below(package: str, name: str) -> str:
    return f"{package}.{name}" if ":" in name else f"{package}:{name}"


@cache
def _presenter(name: str) -> Presenter:
    made: Presenter = resolve_name(name)()
    return made


# The kinds of dice sets that a house keeps, each in its box; each game names the kind it needs.


@dataclass(frozen=True, slots=True)
class DiceKind:
    """
    A kind of dice set.

    :param name: the name of the form field that asks how many sets there are.
    :param letter: the letter with which the numbers of such sets begin.
    :param sides: the sides of each die; None: one die of each size, d4 d6 d8 d10 d12.
    :param count: how many dice are in a box.
    :param label: what is in a box, with a hole for the `games` that are played with it.
    :param colours: the colours of the dice in one box, if they are not all alike.
    """

    name: str
    letter: str
    sides: int | None
    count: int
    label: _StrPromise = field(compare=False)
    colours: str = ""


THREE_D8: Final = DiceKind("stone", "S", 8, 3, _("Sets of three d8, for %(games)s"))


# The dice that an event records (the raw throw), as each game reads them from its own events.


EventData = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Die:
    """One die as it came to rest. `face` is None if the event does not record it."""

    sides: int
    face: int | None


@dataclass(frozen=True, slots=True)
class RecordedDice:
    """
    The dice that one event records.

    :param player: the token of the thrower; "" if the attendant throws for all.
    :param seals: whether the dice are sealed: their faces may be shown later, or never.
    :param opens: whether dice are shown that were sealed before.
    """

    dice: tuple[Die, ...]
    player: str = ""
    seals: bool = False
    opens: bool = False


Reader = Callable[[EventData], RecordedDice | None]
"""(an event's data) -> the dice it records; None: dice were moved, but none was thrown."""


def all_of(sides: int) -> Reader:
    """A reader for events whose `dice` all have the same number of sides."""

    def read(data: EventData) -> RecordedDice:
        dice = tuple(Die(sides, face) for face in data["dice"])
        return RecordedDice(dice, player=data.get("player", ""))

    return read


# What a game adds to the API's description, beside what is the same for all games.


FieldKind = Literal[
    "anything", "coins", "flag", "names", "number", "number or null", "rows", "text", "by name"
]


@dataclass(frozen=True, slots=True)
class ApiField:
    """
    A field that answers have in this game; its value comes from the game's view.

    :param description: shown after the game's name, or, with `alone`, without it.
    """

    name: str
    kind: FieldKind
    description: str = ""
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    """
    An example of a request.

    :param number: its place among the examples of all games, and the end of its command's id.
    """

    number: int
    title: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """
    The description of one game for the API's description.

    :param name: the game's name, which precedes the descriptions of its fields.
    :param state, throw, round_, explained: fields of the game's state, of a throw in it, of a
        round, and of a round that is explained.
    :param notes: notes about fields that other games have as well, by field: "throw.player".
    :param openings, commands: examples, without the table and the game.
    """

    name: str
    state: Sequence[ApiField] = ()
    throw: Sequence[ApiField] = ()
    round_: Sequence[ApiField] = ()
    explained: Sequence[ApiField] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    openings: Sequence[Example] = ()
    commands: Sequence[Example] = ()


# How a game is opened and played at random, in the demo house and in tests of whole games.


RandomOpening = dict[str, Any]
Row = dict[str, Any]

NO_MONEY: Final = 1 / 5  # the share of games without money, if a game can be played so
STAKES: Final = (5, 8, 20)
RAKE: Final = {"kind": "rake", "percent": 10, "cap": 3}
SEAT_FEE: Final = {"kind": "seat", "amount": 1}
TIME_CHARGE: Final = {"kind": "time", "amount": 1, "minutes": 1}
FEES: Final = (None, None, RAKE, SEAT_FEE, TIME_CHARGE)


class Somebody(Protocol):
    """
    Somebody who acts at a table (`casino.demo.acts.Somebody`).

    state: the game as the API shows it.
    """

    @property
    def state(self) -> Mapping[str, Any]: ...

    @property
    def chance(self) -> random.Random: ...

    def rolled(self, count: int, sides: int) -> list[int]:
        """The faces of `count` dice thrown at random."""

    def thrown(self, row: Row) -> Row:
        """The fields of a throw as in most games: the player and the dice."""

    def some(self, dice: Sequence[int]) -> list[int]:
        """One or more of these dice."""

    def little(self, row: Row) -> int:
        """A price that is a little above the lowest possible one."""


Way = Callable[[Any, Row], Row]
"""(somebody, a row of the game's `offers`) -> the fields of the command that the row offers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demonstrated:
    """
    How the demo plays a game.

    :param opening: chooses the rest of the command `open` at random: options, fee, `stake` of each
        seat; `house_may_sit`: whether the house may hold a seat.
    :param ways: how to perform the acts that only this game has, or that differ from other games.
    :param rules: the house rules of the demo house for the game, as the API takes them.
    :param coming: a home throw of the game that the demo house has announced.
    :param prizes: what the demo house's scoreboard of the game is worth, as the API takes it; where
        it is worth something, its seasons are weeks.
    :param for_points: the options with which it is played for points of the house's scoreboard.
    """

    opening: Callable[[random.Random], RandomOpening]
    ways: Mapping[str, Way] = field(default_factory=dict)
    rules: Mapping[str, Any]
    coming: Mapping[str, Any] | None = None
    prizes: Sequence[Mapping[str, Any]] = ()
    for_points: Mapping[str, Any] | None = None


def opening_without_none(fields: RandomOpening) -> RandomOpening:
    """The fields without those that are None."""
    return {name: value for name, value in fields.items() if value is not None}
