"""
The installed games, by the ruleset's id, in the order in which the house offers them; with the dice
sets and the opening forms of all of them.

All code outside a game's own package finds games here; no other code knows a game by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final, TypeVar

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext as _

from casino.engine.processes.entry_points import GAMES, find
from casino.words.presenters.registration import Game
from casino.words.presenters.words import names

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.metadata import EntryPoint

    from django.utils.functional import _StrPromise

    from casino.words.presenters.opening_forms import Opening
    from casino.words.presenters.registration import DiceKind

T_co = TypeVar("T_co", covariant=True)


@cache
def games() -> Mapping[str, Game]:
    """
    All installed games; they are found and loaded once in a process.

    :raises ImproperlyConfigured: if there is none, an entry point does not name a game, or two
        games share an id, the letters of their rules or the package of their rules.
    """
    known: dict[str, Game] = {}
    for each in find():
        try:
            game = each.load()
        except (ImportError, AttributeError) as missing:
            raise ImproperlyConfigured(f"{_entry_name(each)}: {missing}") from missing
        if not isinstance(game, Game):
            raise ImproperlyConfigured(f"{_entry_name(each)} is no {Game.__qualname__}.")
        for name in ("id", "letters", "rules"):
            if getattr(game, name) in {getattr(other, name) for other in known.values()}:
                same = f"{name} {getattr(game, name)!r}"
                raise ImproperlyConfigured(f"{_entry_name(each)}: another game has the {same}.")
        known[game.id] = game
    if not known:
        raise ImproperlyConfigured(f"No game is registered: no entry point of {GAMES}.")
    return dict(sorted(known.items(), key=lambda each: (each[1].place, each[0])))


def _entry_name(each: EntryPoint) -> str:
    return f"{each.group}: {each.name} = {each.value!r}"


def first() -> Game:
    return next(iter(games().values()))


def with_home_throws() -> list[Game]:
    return [game for game in games().values() if game.opening_form().homes]


def examples(many: int = 1) -> str:
    """Ids of games for an example in a text; each needs other dice than the ones before."""
    return ", ".join([those[0].id for those in dice_kinds().values()][:many])


def rolling_over() -> str:
    """The id of a game whose pot may roll over, for an example; the first game if none does."""
    return next((game.id for game in games().values() if game.rolls_over), first().id)


def dice_kinds() -> Mapping[DiceKind, list[Game]]:
    """The kinds of dice sets, with the games that are played with each."""
    found: dict[DiceKind, list[Game]] = {}
    for game in games().values():
        found.setdefault(game.dice, []).append(game)
    return found


class Titles(Mapping[str, "_StrPromise | str"]):
    """
    The titles of games by id.

    A recorded game that is no longer installed has a title made from its id; `in` and iteration
    cover only installed games.
    """

    def __getitem__(self, game: str) -> _StrPromise | str:
        found = games().get(game)
        return _("%(game)s (not installed)") % {"game": game} if found is None else found.title

    def called(self, label: str) -> str:
        """The title for a label that is a game's id; any other label unchanged."""
        return str(self[label]) if label in self else label

    def __contains__(self, game: object) -> bool:
        return game in games()

    def __iter__(self) -> Iterator[str]:
        return iter(games())

    def __len__(self) -> int:
        return len(games())


class OfEach(Mapping[str, T_co]):
    """
    A mapping from the ids of games, in the house's order, to something made from each game.

    Values are made when they are looked up.

    :param having: whether a game has the value.
    """

    def __init__(self, of: Callable[[Game], T_co], having: Callable[[Game], object] = bool) -> None:
        self._of, self._having = of, having

    def __getitem__(self, game: str) -> T_co:
        found = games()[game]
        if not self._having(found):
            raise KeyError(game)
        return self._of(found)

    def __iter__(self) -> Iterator[str]:
        return (name for name, game in games().items() if self._having(game))

    def __len__(self) -> int:
        return sum(1 for _ in self)


# Kinds of dice sets in words: what is in a box, and for which games.


def dice_label(kind: DiceKind, games: Iterable[Game]) -> str:
    return kind.label % {"games": names([str(game.title) for game in games])}


def dice_labels() -> list[str]:
    """The labels of all kinds of dice sets that the installed games need."""
    return [dice_label(kind, games) for kind, games in dice_kinds().items()]


# The forms that open each game, as data: for the floor and for the house's rules.


OPENINGS: Final[Mapping[str, Opening]] = OfEach(Game.opening_form)


def forms_of_games() -> list[Opening]:
    """The forms of all games, in the order of the house."""
    return list(OPENINGS.values())


def opening_form(game: str) -> Opening:
    """The form of a game; that of the first game offered if there is no such game."""
    return OPENINGS.get(game) or forms_of_games()[0]
