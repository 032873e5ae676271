"""
The registration of a game: one `Game` for each, found by its entry point (decision 0073).

A registration is small and imports nothing of its game: what it names as "module:name" is imported
on first use. docs/how-to/write-a-game.md explains it step by step.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from django.utils.functional import _StrPromise

    from casino.words.presenters.demonstrating import Demonstrated
    from casino.words.presenters.described import Described
    from casino.words.presenters.dice_kinds import DiceKind
    from casino.words.presenters.odds.params import Subject
    from casino.words.presenters.opening.fields import Opening
    from casino.words.presenters.presenter import Presenter
    from casino.words.presenters.raw_throws import Reader
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
