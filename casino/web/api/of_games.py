"""What games say of themselves in the API's description: fields of answers, notes, examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from rest_framework import serializers

from casino.presenters.registered import games

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from casino.presenters.described import ApiField, Described, Example, Kind

Part = Literal["state", "throw", "round_", "explained"]
Field = serializers.Field[Any, Any, Any, Any]


def said() -> Iterator[tuple[str, Described]]:
    """Each game's id, and what it says."""
    for game in games().values():
        described = game.is_described()
        if described is not None:
            yield game.id, described


def fields(part: Part, made: Mapping[Kind, Callable[[dict[str, Any]], Field]]) -> dict[str, Field]:
    """
    What only some games have, in their order; what several have, once, with all their names.

    :param made: makes a field of a kind, given what all fields take.
    """
    shown: dict[str, ApiField] = {}
    names: dict[str, list[str]] = {}
    for _game, described in said():
        for each in getattr(described, part):
            names.setdefault(shown.setdefault(each.name, each).name, []).append(described.name)
    return {name: made[each.kind](_told(each, names[name])) for name, each in shown.items()}


def _told(each: ApiField, names: list[str]) -> dict[str, Any]:
    if not each.description:
        return {}
    return {
        "help_text": each.description if each.alone else f"{', '.join(names)}: {each.description}"
    }


def note(of: str) -> str:
    """What games say of a field that all have."""
    told = (
        f"{described.name}: {described.notes[of]}"
        for _game, described in said()
        if of in described.notes
    )
    return " ".join(told)


def remarks(of: str) -> str:
    """What games say of a whole answer, in sentences of their own."""
    return " ".join(described.notes[of] for _game, described in said() if of in described.notes)


def openings(table: str) -> Iterator[tuple[Example, dict[str, Any]]]:
    """Examples of openings, each with what is sent, at a table."""
    for game, described in said():
        for each in described.openings:
            yield each, {"table": table, "game": game, **each.body}


def commands() -> Iterator[Example]:
    for _game, described in said():
        yield from described.commands
