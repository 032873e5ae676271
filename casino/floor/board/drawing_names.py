"""Replaces tokens by names in a board that has been drawn. Pure, like all modules of drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

PLAYER: Final = ("p-", 14)
"""How the token of a player begins, and how long it is (casino/house/pseudonyms/tokens.py)."""
TEXT: Final = ("t-", 66)
"""The same for the token of a text that somebody wrote."""


def put_names(value: Any, names: Mapping[str, str], texts: Mapping[str, str]) -> Any:
    """
    The same JSON value with every known token replaced by what it stands for, keys included.

    Texts are replaced first, because a text may contain tokens of players. An unknown token stays:
    either its name was erased, or somebody wrote a word that only looks like a token.
    """
    match value:
        case str():
            if "-" not in value:  # true of most strings of a board
                return value
            replaced = _replace_tokens(value, texts, TEXT) if texts else value
            return _replace_tokens(replaced, names, PLAYER)
        case dict():
            return {
                put_names(key, names, texts): put_names(item, names, texts)
                for key, item in value.items()
            }
        case list() | tuple():
            return [put_names(item, names, texts) for item in value]
        case _:
            return value


def _replace_tokens(text: str, meanings: Mapping[str, str], token: tuple[str, int]) -> str:
    """Replace known tokens of one kind; their length is fixed, so only their start is searched."""
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
