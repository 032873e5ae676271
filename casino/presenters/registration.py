"""
What a game says of itself: one `Game` for each, found by its entry point (decision 0073).

A registration is small and imports nothing of its game: what it names as "module:name" is imported
when somebody asks for it. docs/how-to/write-a-game.md goes through it step by step.
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

    from casino.presenters.demonstrating import Demonstrated
    from casino.presenters.described import Described
    from casino.presenters.dice_kinds import DiceKind
    from casino.presenters.odds.subject import Subject
    from casino.presenters.opening.fields import Opening
    from casino.presenters.presenter import Presenter
    from casino.presenters.raw_throws import Reader
    from games.game import Ruleset

LAST: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """
    What a player's choice rests on (decision 0050).

    :param always: acts that are a choice whenever they are done.
    :param either: acts that are one where more than one of these may be done.
    :param ranking: options that say what beats what and what may be done; others say what it costs.
    :param sight: what of the state people look at, beside the running round.
    :param money: what was paid in the running round is looked at as well, as where people bid.
    """

    always: frozenset[str] = frozenset()
    either: frozenset[str] = frozenset()
    ranking: frozenset[str]
    sight: tuple[str, ...] = ()
    money: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """
    A game of the house's. What is written as "module:name" stands below `package`, what belongs to
    the rules below `rules`.

    :param id: the ruleset's; events and addresses have it.
    :param package: the one that holds all that is shown of it; folders `templates`, `static` and
        `locale` in it are found by themselves.
    :param place: among the games that the house offers, the smallest first.
    :param rules: the package of its rules.
    :param rulesets: its `Ruleset`s, every version that was ever released, the newest last.
    :param options: the class of its options.
    :param letters: that the numbers of its rules begin with: RV1, RV2.
    :param page: its rules, in words; in another language in a folder beside it, named so.
    :param dice: of which kind it needs them.
    :param presenter: who tells it; `pure`: the other modules that are compiled for devices with it.
    :param opening: what the form that opens it asks for.
    :param throws: the type of each event that shows dice -> its `Reader`.
    :param not_fair: types of events that show dice of which nobody knows what fair ones would do.
    :param chosen: which acts are choices, and what they rest on.
    :param home_throw: a function of three sorted faces that raises `ValidationError` where they may
        not be its home throw. Which games have home throws, their openings say.
    :param rolls_over: whether what is left in its pot waits for the next game of the kind.
    :param odds, demo, api: its odds; how the demo plays it; what the API's description says of it.
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
        """A name of the rules' package, or ``module:name`` below it."""
        return resolve_name(_below(self.rules, name))

    def part(self, name: str) -> Any:
        """What ``module:name`` below its package is."""
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
        """The module of who tells it, and the name of the class."""
        module, _colon, name = _below(self.package, self.presenter).partition(":")
        return module, name

    @property
    def on_devices(self) -> tuple[str, ...]:
        """Its modules that are compiled for devices, beside those of its rules."""
        return (self.presenting[0], *(f"{self.package}.{name}" for name in self.pure))


def _below(package: str, name: str) -> str:
    return f"{package}.{name}" if ":" in name else f"{package}:{name}"


@cache
def _presenter(name: str) -> Presenter:
    made: Presenter = resolve_name(name)()
    return made
