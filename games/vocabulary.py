"""
The one vocabulary of commands: for the API, the floor page, the offline queue and transcripts.

`shape` tells whether something is a command, `read` refuses values that make no sense.
`map_players` and `map_texts` find the names of people and free text, so that both can be kept apart
from what is recorded for ever. Each game decides which of the commands it takes.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.kinds import (
    Coins,
    Command,
    CommandId,
    DieName,
    Either,
    Face,
    Flag,
    Kind,
    ListOf,
    Moment,
    Number,
    Payout,
    Player,
    Record,
    Reference,
    Round,
    Settings,
    Staff,
    Text,
    Word,
)
from games.refusals import Malformed

PLAYER: Final = Player()
WORD: Final = Word()
TEXT: Final = Text()
FACE: Final = Face()
DICE: Final = ListOf(FACE)
COINS: Final = Coins()
STAKE: Final = Coins(least=0)
DIE: Final = DieName()
REFERENCE: Final = Reference()
PAYOUT: Final = Payout()
EVENT: Final = Number()
SIZES: Final = ("d4", "d6", "d8", "d10", "d12")
BY_SIZE: Final = Record({}, dict.fromkeys(SIZES, FACE))

EVERY_LINE: Final[Mapping[str, Kind]] = {
    "do": WORD,
    "command_id": CommandId(),
    "occurred_at": Moment(),
}


def command(required: Mapping[str, Kind], **optional: Kind) -> Record:
    return Record({"do": WORD, **required}, {**EVERY_LINE, **optional})


SEAT: Final = Record({"name": PLAYER}, {"stake": STAKE, "house": Flag(), "home_throw": DICE})
PLAYERS: Final = Either(
    ListOf(PLAYER),
    ListOf(SEAT),
    lambda value: isinstance(value, list | tuple) and value != [] and isinstance(value[0], Mapping),
)
FEE: Final = Settings(
    {"kind": WORD, "percent": COINS, "cap": COINS, "amount": COINS, "minutes": COINS}
)
THROW: Final = Either(
    command({"player": PLAYER, "dice": DICE}, keep=DICE, bottoms=Flag()),
    command(
        {"player": PLAYER, "die": DIE, "value": FACE},
        breaks=ListOf(Record({"die": DIE, "value": FACE}, {})),
        out=ListOf(DIE),
        caught=ListOf(Record({"die": DIE, "by": PLAYER}, {})),
        spinning=Flag(),
    ),
    lambda value: "die" in value,
)
DISPUTE: Final = Either(
    command({"round": Round(), "reason": TEXT}),
    command({"payout": PAYOUT, "reason": TEXT}),
    lambda value: "payout" in value,
)
PLAYER_ONLY: Final = command({"player": PLAYER})
MONEY: Final = command({"player": PLAYER, "amount": COINS})

CORRECTED: Final[Mapping[str, Record | Either]] = {
    "throw_home": command({"dice": DICE}),
    "throw": THROW,
    "break_start": command({"player": PLAYER, "value": FACE}),
    "keep": command({"player": PLAYER, "dice": DICE}),
    "stand": PLAYER_ONLY,
    "no_throw": command({"player": PLAYER, "reason": WORD}, dice=DICE, note=TEXT),
    "start_round": command({}, price=COINS),
    "bid": command({"player": PLAYER, "die": WORD, "amount": COINS}),
    "pass": command({"player": PLAYER, "die": WORD}),
    "sell": command({"die": WORD, "player": PLAYER, "amount": COINS}),
    "leave": PLAYER_ONLY,
    "buy_in": MONEY,
}
"""The commands of play that a void may enter instead of what it takes back (G4)."""

VOCABULARY: Final[Mapping[str, Record | Either]] = {
    "open": command(
        {"game": WORD, "players": PLAYERS},
        stake=STAKE,
        options=Settings({}),
        home_throw=DICE,
        home_throw_policy=WORD,
        first=PLAYER,
        fee=FEE,
        price=COINS,
    ),
    **CORRECTED,
    "seal": command({"player": PLAYER}, commitment=WORD),
    "offer": command({"dice": BY_SIZE}),
    "withdraw": command({"die": WORD}),
    "reveal": command({"player": PLAYER, "dice": BY_SIZE}, salt=WORD),
    "join": command({"player": PLAYER}, stake=STAKE),
    "cash_out": MONEY,
    "void": command(
        {"back_to": REFERENCE, "reason": TEXT},
        approved_by=Staff(),
        alone=Flag(),
        instead=Command(CORRECTED),
        only=Flag(),
        before=Flag(),
    ),
    "approve": command({"request": REFERENCE}, reason=TEXT, through=EVENT),
    "reject": command({"request": REFERENCE}, reason=TEXT),
    "change_dice": command({"dice_set": WORD, "reason": TEXT}),
    "pause": command({}, note=TEXT),
    "resume": command({}),
    "handover": command({"to": Staff()}),
    "witness": command({"payout": PAYOUT}),
    "dispute": DISPUTE,
    "resolve": command({"dispute": REFERENCE, "outcome": WORD, "reason": TEXT}),
    "close": command({}, reason=TEXT),
}


def shape(raw: Any) -> None:
    """
    :raises Malformed: if `raw` is not a command: not an object, an unknown `do` or field, a field
        missing or of the wrong JSON type. The exception's `field` says which.
    """
    if not isinstance(raw, Mapping):
        raise Malformed("A command is a JSON object.")
    if "do" not in raw:
        raise Malformed("do is missing.", field="do")
    WORD.shape("do", raw["do"])
    if raw["do"] not in VOCABULARY:
        raise Malformed(f"Unknown do {raw['do']!r}.", field="do")
    VOCABULARY[raw["do"]].shape("", raw)


def read(raw: Mapping[str, Any]) -> dict[str, Any]:
    """
    The fields of a well-shaped command without `do`: whole numbers, tuples, seconds since 1970.

    :raises Refused: if a value makes no sense in any game.
    """
    fields: dict[str, Any] = VOCABULARY[raw["do"]].read("", raw)
    return {name: value for name, value in fields.items() if name != "do"}


def map_players(raw: Mapping[str, Any], fn: Callable[[str], str]) -> dict[str, Any]:
    """The command with `fn` applied to every player's name in it; names of staff and notes stay."""
    return _map(raw, Player, fn)


def map_staff(raw: Mapping[str, Any], fn: Callable[[str], str]) -> dict[str, Any]:
    return _map(raw, Staff, fn)


def map_texts(raw: Mapping[str, Any], fn: Callable[[str], str]) -> dict[str, Any]:
    """The command with `fn` applied to every note and reason in somebody's own words."""
    return _map(raw, Text, fn)


def _map(raw: Mapping[str, Any], kind: type[Kind], fn: Callable[[str], str]) -> dict[str, Any]:
    mapped: dict[str, Any] = VOCABULARY[raw["do"]].mapped(raw, kind, fn)
    return mapped
