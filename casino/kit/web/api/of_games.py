"""The parts of the API's description that games provide: fields of answers, notes, examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from rest_framework import serializers

from casino.words.presenters.registered import games

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from casino.words.presenters.described import ApiField, Described, Example, Kind

Part = Literal["state", "throw", "round_", "explained"]
Field = serializers.Field[Any, Any, Any, Any]


def descriptions() -> Iterator[tuple[str, Described]]:
    """The id of each game that describes itself, with its description."""
    for game in games().values():
        described = game.is_described()
        if described is not None:
            yield game.id, described


def fields(part: Part, made: Mapping[Kind, Callable[[dict[str, Any]], Field]]) -> dict[str, Field]:
    """
    The serializer fields that only some games have, in the order of the games.

    A field that several games have comes once, with the names of all of them.

    :param made: for each kind, a function that makes a field from the arguments all fields take.
    """
    first: dict[str, ApiField] = {}
    names: dict[str, list[str]] = {}
    for _game, described in descriptions():
        for each in getattr(described, part):
            names.setdefault(first.setdefault(each.name, each).name, []).append(described.name)
    return {name: made[each.kind](_arguments(each, names[name])) for name, each in first.items()}


def _arguments(each: ApiField, names: list[str]) -> dict[str, Any]:
    if not each.description:
        return {}
    return {
        "help_text": each.description if each.alone else f"{', '.join(names)}: {each.description}"
    }


def note(of: str) -> str:
    """The notes of games about a field that all games have, each with the game's name."""
    notes = (
        f"{described.name}: {described.notes[of]}"
        for _game, described in descriptions()
        if of in described.notes
    )
    return " ".join(notes)


def remarks(of: str) -> str:
    """The notes of games about a whole answer, as sentences."""
    return " ".join(
        described.notes[of] for _game, described in descriptions() if of in described.notes
    )


def openings(table: str) -> Iterator[tuple[Example, dict[str, Any]]]:
    """Examples of opening a game at a table, each with the body that is sent."""
    for game, described in descriptions():
        for each in described.openings:
            yield each, {"table": table, "game": game, **each.body}


def commands() -> Iterator[Example]:
    for _game, described in descriptions():
        yield from described.commands
