"""
Replaces names and texts by tokens, and tokens by names and texts.

The ledger gets a token; what the token stands for is kept here and can be erased. ``resolve`` puts
names and texts back into anything that is shown: states, explanations, refusals.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import unicodedata
from typing import TYPE_CHECKING, Any, Final

from casino.house.attendants.pseudonyms.models import Player, Text
from casino.words.languages.messages import translate
from ledger import keyed
from ledger.storage import NotSeenYet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from uuid import UUID

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # no characters that look alike
# Tokens only count at the start of a word. The patterns below check this after the first letters,
# because a search is faster if the pattern begins with a literal.
PLAYER: Final = r"p-[a-z2-9]{12}"
"""The pattern of a player's token."""
_PLAYER = re.compile(r"p-(?<!\wp-)[a-z2-9]{12}")
_TEXT = re.compile(r"t-(?<!\wt-)[0-9a-f]{64}")
TOKEN = re.compile(f"({_PLAYER.pattern}|{_TEXT.pattern})")
ERASED = "(erased)"
WRITE = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


class NameTaken(NotSeenYet):
    """Another table has just made a player of this name: ask for the tokens again."""


def player_tokens(establishment: UUID, names: Iterable[str], *, new: bool) -> dict[str, str]:
    """
    The token of each name at a house.

    :param new: make a token for a name that the house does not know; otherwise it is left out.
    :raises NotSeenYet: if a token that was made is not there. Whoever took the name for one that
        nobody has would put it into the ledger as another word, for good.
    """
    tidy = _tidy(names)
    wanted = {name for name in tidy.values() if name}
    tokens = _known_tokens(establishment, wanted) if wanted else {}
    if new and (strangers := sorted(wanted - tokens.keys())):
        tokens |= _create(establishment, {_new_token(): name for name in strangers})
    return {name: tokens[neat] for name, neat in tidy.items() if neat in tokens}


def tokens_to_save(
    establishment: UUID, names: Iterable[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """
    The token of each name at a house, and the new players among them: name by token.

    New players are not saved: `save_players` does that, once it is certain that they play.
    """
    tidy = _tidy(names)
    wanted = {name for name in tidy.values() if name}
    known = _known_tokens(establishment, wanted) if wanted else {}
    new = {_new_token(): name for name in sorted(wanted - known.keys())}
    tokens = known | {name: token for token, name in new.items()}
    return {name: tokens[neat] for name, neat in tidy.items() if neat in tokens}, new


def save_players(establishment: UUID, players: Mapping[str, str]) -> None:
    """
    Save new players: name by token.

    :raises NameTaken: if another table has seated a player of one of these names meanwhile.
    :raises NotSeenYet: as `player_tokens` does.
    """
    if _create(establishment, players) != {name: token for token, name in players.items()}:
        raise NameTaken("Another table has just made a player of one of these names.")


def _tidy(names: Iterable[str]) -> dict[str, str]:
    return {name: unicodedata.normalize("NFC", name.strip()) for name in names}


def _create(establishment: UUID, players: Mapping[str, str]) -> dict[str, str]:
    """Create players: name by token. Return the token of each name: it may be another's."""
    Player.objects.bulk_create(
        [
            Player(establishment_id=establishment, token=token, name=name)
            for token, name in players.items()
        ],
        ignore_conflicts=True,  # two tables may seat the same new player at the same time
    )
    tokens = _known_tokens(establishment, players.values())
    if missing := len(players) - len(tokens):
        raise NotSeenYet(f"Of the players that were made just now {missing} are not there yet.")
    return tokens


def _known_tokens(establishment: UUID, names: Iterable[str]) -> dict[str, str]:
    """The tokens of known names. A player whose name was erased is found by the token itself."""
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
    """Store a text beside the ledger; returns the token that stands for it in the ledger."""
    salt = secrets.token_bytes(16)
    token = "t-" + hashlib.sha256(salt + text.encode()).hexdigest()
    Text.objects.create(establishment_id=establishment, token=token, salt=salt, text=text)
    return token


def resolve(establishment: UUID, value: Any) -> Any:
    """
    A JSON value with every token, in keys too, replaced by what it stands for.

    Texts may contain tokens of players (for example a stored refusal), which are replaced too.
    """
    meanings = _meanings(establishment, TOKEN.findall("\n".join(_strings_with_tokens(value))))
    return _replace(value, meanings) if meanings else value


def _meanings(establishment: UUID, tokens: Iterable[str]) -> dict[str, str]:
    """What each token stands for; in texts, tokens of players are replaced by names."""
    found = set(tokens)
    of_texts = {token for token in found if token.startswith("t-")}
    kept = texts(establishment, of_texts)
    called = names(establishment, found - of_texts | players_in("\n".join(kept.values())))
    return called | {token: _replace_in_text(text, called) for token, text in kept.items()}


def text_with_names(establishment: UUID, value: Any) -> str:
    """
    A JSON value as text, with every token replaced as `resolve` does.

    Tokens are replaced in the text itself, which is faster than taking the state of a long game
    apart. A text with an escape (backslash) is resolved as a value first: after an escape, the
    start of a word cannot be recognised.
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
    A sentence of the rules or of a refusal, with names, in the reader's language.

    Names are put in last, after the translation, so that no name is translated.
    """
    return resolve_texts(establishment, [sentence])[0]


def resolve_texts(establishment: UUID, sentences: Sequence[str]) -> list[str]:
    """Sentences as by `resolve_text`, with the queries of one."""
    tokens = set(_TEXT.findall("\n".join(sentences)))
    kept = _replace(list(sentences), texts(establishment, tokens))
    whole: list[str] = resolve(establishment, [translate(each) for each in kept])
    return whole


def with_names(sentence: str, players: Mapping[str, str]) -> str:
    """A sentence with the names of these players, by token, instead of their tokens."""
    return _replace_in_text(sentence, dict(players))


def is_token(text: str) -> bool:
    return bool(_PLAYER.fullmatch(text) or _TEXT.fullmatch(text))


def players_in(text: str) -> set[str]:
    """The tokens of players in a text."""
    return set(_PLAYER.findall(text))


def _strings_with_tokens(value: Any) -> Iterator[str]:
    """The strings of a value that may contain tokens, keys included."""
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
    """The names of players, by token; erased names are left out."""
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
    """The texts that people wrote, by token."""
    if not tokens:
        return {}
    rows = Text.objects.filter(establishment_id=establishment, token__in=tokens)
    kept = rows.values_list("token", "text")
    return {token: ERASED if text is None else text for token, text in kept}


def _replace(value: Any, meanings: dict[str, str]) -> Any:
    if isinstance(value, str):
        return _replace_in_text(value, meanings) if "-" in value else value
    if isinstance(value, dict):
        return {_replace(key, meanings): _replace(item, meanings) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_replace(item, meanings) for item in value]
    return value


def _replace_in_text(text: str, meanings: dict[str, str]) -> str:
    if (whole := meanings.get(text)) is not None:
        return whole
    parts = TOKEN.split(text)
    parts[1::2] = [meanings.get(token, token) for token in parts[1::2]]
    return "".join(parts)


def player_stream(player: str) -> str:
    """The stream with the acts of the house about one player."""
    return f"player/{player}"
