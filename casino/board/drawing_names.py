"""Names in the place of tokens, once a board is drawn: pure, as all of the drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

PLAYER: Final = ("p-", 14)
"""How the token of a player begins, and how long it is (casino/pseudonyms/tokens.py)."""
TEXT: Final = ("t-", 66)
"""Likewise of what somebody wrote in their own words."""


def named(value: Any, names: Mapping[str, str], texts: Mapping[str, str]) -> Any:
    """
    The same JSON value with every known token replaced by what it stands for, keys included.

    Texts come first: one may name players by their tokens. A token that stands for nothing that is
    given stays: its name was erased, or it is somebody's own word that only looks like one.
    """
    match value:
        case str():
            if "-" not in value:  # most of a board
                return value
            replaced = _replaced(value, texts, TEXT) if texts else value
            return _replaced(replaced, names, PLAYER)
        case dict():
            return {
                named(key, names, texts): named(item, names, texts) for key, item in value.items()
            }
        case list() | tuple():
            return [named(item, names, texts) for item in value]
        case _:
            return value


def _replaced(text: str, meanings: Mapping[str, str], token: tuple[str, int]) -> str:
    """Tokens are of one length, so nothing has to be searched but where one begins."""
    begins, length = token
    if begins not in text:
        return text
    before, *rest = text.split(begins)
    replaced = before
    for each in rest:
        found = begins + each[: length - len(begins)]
        replaced += (
            meanings[found] + each[length - len(begins) :] if found in meanings else begins + each
        )
    return replaced
