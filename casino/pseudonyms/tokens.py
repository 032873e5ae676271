"""
Names and texts behind tokens, and back again.

A token goes into the ledger; what it stands for stays here and can be erased. ``resolve`` puts
names back into anything that is shown: states, explanations, refusals.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import unicodedata
from typing import TYPE_CHECKING, Any

from casino.languages.messages import translated
from casino.pseudonyms.models import Player, Text
from ledger import keyed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from uuid import UUID

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # nothing that reads like something else
# Where a word begins; said behind the letter, so that a search leaps from letter to letter.
_PLAYER = re.compile(r"p-(?<!\wp-)[a-z2-9]{12}")
_TEXT = re.compile(r"t-(?<!\wt-)[0-9a-f]{64}")
TOKEN = re.compile(f"({_PLAYER.pattern}|{_TEXT.pattern})")
ERASED = "(erased)"
WRITE = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def player_tokens(establishment: UUID, names: Iterable[str], *, new: bool) -> dict[str, str]:
    """
    The token of each name at a house.

    :param new: give a name not heard of before a token of its own; else it is left out.
    """
    tidy = {name: unicodedata.normalize("NFC", name.strip()) for name in names}
    wanted = {name for name in tidy.values() if name}
    tokens = _known(establishment, wanted) if wanted else {}
    if new and (strangers := sorted(wanted - tokens.keys())):
        Player.objects.bulk_create(
            [
                Player(establishment_id=establishment, token=_new_token(), name=name)
                for name in strangers
            ],
            ignore_conflicts=True,  # two tables may seat the same new player at once
        )
        tokens = _known(establishment, wanted)
    return {name: tokens[neat] for name, neat in tidy.items() if neat in tokens}


def _known(establishment: UUID, names: Iterable[str]) -> dict[str, str]:
    """Name to token. A player whose name was erased goes by the token itself."""
    wanted = sorted(set(names))
    among = keyed.marks(wanted)
    known = keyed.rows(
        "SELECT name, token FROM pseudonyms_player WHERE establishment_id = %s"  # noqa: S608 - marks
        f" AND (name IN ({among}) OR token IN ({among}))",
        establishment,
        *wanted,
        *wanted,
    )
    return {called: token for name, token in known for called in (name, token) if called in wanted}


def _new_token() -> str:
    return "p-" + "".join(secrets.choice(ALPHABET) for _ in range(12))


def keep(establishment: UUID, text: str) -> str:
    """Keep a text beside the ledger and give the token that stands for it there."""
    salt = secrets.token_bytes(16)
    token = "t-" + hashlib.sha256(salt + text.encode()).hexdigest()
    Text.objects.create(establishment_id=establishment, token=token, salt=salt, text=text)
    return token


def resolve(establishment: UUID, value: Any) -> Any:
    """
    The same JSON value with every token replaced by what it stands for, keys included.

    Texts come first: a kept refusal may name players by their tokens.
    """
    meanings = _meanings(establishment, TOKEN.findall("\n".join(_worded(value))))
    return _replaced(value, meanings) if meanings else value


def _meanings(establishment: UUID, tokens: Iterable[str]) -> dict[str, str]:
    """What tokens stand for; of texts with the names of those whom they name."""
    found = set(tokens)
    of_texts = {token for token in found if token.startswith("t-")}
    kept = texts(establishment, of_texts)
    called = names(establishment, found - of_texts | players_in("\n".join(kept.values())))
    return called | {token: _reworded(text, called) for token, text in kept.items()}


def written(establishment: UUID, value: Any) -> str:
    """
    A JSON value as text, every token in it replaced as `resolve` does.

    In the text itself, so that what a long game shows is not taken apart and put together for its
    names. What needed an escape is: there a token does not begin where a word does.
    """
    text = WRITE(value)
    if "\\" in text:
        return WRITE(resolve(establishment, value))
    parts = TOKEN.split(text)
    meanings = _meanings(establishment, parts[1::2])
    spelled = {token: WRITE(meaning)[1:-1] for token, meaning in meanings.items()}
    parts[1::2] = [spelled.get(token, token) for token in parts[1::2]]
    return "".join(parts)


def resolve_text(establishment: UUID, sentence: str) -> str:
    """
    A sentence of the rules or of a refusal with its names, in the reader's language.

    Names come last, so that none is ever taken for words.
    """
    kept = _replaced(sentence, texts(establishment, set(_TEXT.findall(sentence))))
    whole: str = resolve(establishment, translated(kept))
    return whole


def is_token(text: str) -> bool:
    return bool(_PLAYER.fullmatch(text) or _TEXT.fullmatch(text))


def players_in(text: str) -> set[str]:
    """The players whom a text names, by their tokens."""
    return set(_PLAYER.findall(text))


def _worded(value: Any) -> Iterator[str]:
    """The strings of a value in which a token may stand, keys included."""
    left = [value]
    while left:
        each = left.pop()
        if isinstance(each, str):
            if "-" in each:
                yield each
        elif isinstance(each, dict):
            left.extend(each)
            left.extend(each.values())
        elif isinstance(each, list | tuple):
            left.extend(each)


def names(establishment: UUID, tokens: set[str]) -> dict[str, str]:
    """What players are called, by token; an erased name is left out."""
    if not tokens:
        return {}
    known = keyed.rows(
        "SELECT token, name FROM pseudonyms_player WHERE establishment_id = %s"  # noqa: S608 - marks
        f" AND name IS NOT NULL AND token IN ({keyed.marks(tokens)})",
        establishment,
        *tokens,
    )
    return dict(known)


def texts(establishment: UUID, tokens: set[str]) -> dict[str, str]:
    """What people wrote, by token."""
    if not tokens:
        return {}
    rows = Text.objects.filter(establishment_id=establishment, token__in=tokens)
    kept = rows.values_list("token", "text")
    return {token: ERASED if text is None else text for token, text in kept}


def _replaced(value: Any, meanings: dict[str, str]) -> Any:
    if isinstance(value, str):
        return _reworded(value, meanings) if "-" in value else value
    if isinstance(value, dict):
        return {_replaced(key, meanings): _replaced(item, meanings) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_replaced(item, meanings) for item in value]
    return value


def _reworded(text: str, meanings: dict[str, str]) -> str:
    if (whole := meanings.get(text)) is not None:
        return whole
    parts = TOKEN.split(text)
    parts[1::2] = [meanings.get(token, token) for token in parts[1::2]]
    return "".join(parts)


def player_stream(player: str) -> str:
    """The stream of what the house did about one player."""
    return f"player/{player}"
