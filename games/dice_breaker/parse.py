"""The commands of dice breaker, from the fields that games.vocabulary has read."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games import commands_of, parsing
from games.commands import Leave, Stand
from games.dice_breaker.messages import (
    BreakStart,
    Broken,
    Caught,
    DieRested,
    DieThrown,
    GameOpened,
    Open,
    PlayerLeft,
    StartBroken,
    Throw,
)
from games.messages import Fact
from games.parsing import SharedCommand, only

GAME: Final = "dice-breaker"
OPEN_FIELDS: Final = ("players", "stake", "options", "first", "fee")
THROW_FIELDS: Final = ("player", "die", "value", "breaks", "out", "caught", "spinning")


def parse(do: str, fields: Mapping[str, Any]) -> Open | BreakStart | Throw | SharedCommand:
    """:raises Refused: if dice breaker has no such command, or the command no such field."""
    at = fields.get("occurred_at")
    match do:
        case "open":
            return Open(**parsing.opening(fields, *OPEN_FIELDS, game=GAME))
        case "break_start":
            return BreakStart(**only(fields, "player", "value", do=do, game=GAME))
        case "throw":
            own = only(fields, *THROW_FIELDS, do=do, game=GAME)
            own["breaks"] = tuple(Broken(**each) for each in own.get("breaks", ()))
            own["caught"] = tuple(Caught(**each) for each in own.get("caught", ()))
            return Throw(**own, at=at)
        case _:
            return parsing.read_shared(do, fields, game=GAME)


# The command that led to each event of dice breaker.


def command_of(fact: Fact) -> Any | None:
    return commands_of.of(fact, COMMANDS)


def throw(fact: DieThrown) -> Throw:
    return Throw(
        player=fact.player,
        die=fact.die,
        value=fact.value,
        breaks=fact.breaks,
        out=fact.out,
        caught=fact.caught,
        spinning=fact.spinning,
    )


COMMANDS: Final[Mapping[type[Fact], Callable[[Any], Any]]] = {
    GameOpened: lambda fact: commands_of.opening(Open, fact),
    StartBroken: lambda fact: BreakStart(fact.player, fact.value),
    DieThrown: throw,
    DieRested: lambda fact: Stand(fact.player),
    PlayerLeft: lambda fact: Leave(fact.player),
}
