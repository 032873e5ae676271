"""Dice breaker: five dice each, thrown to break others. docs/games/dice-breaker.md."""

from typing import Final

from games.dice_breaker.arena import LATENT
from games.dice_breaker.explain import explain, outcome, so_far
from games.dice_breaker.hands import DICE, SIDES
from games.dice_breaker.messages import (
    GAME,
    AntesPaid,
    DieRested,
    DieThrown,
    GameEnded,
    GameOpened,
    PlayerLeft,
    RoundScored,
    RoundVoided,
    StartBroken,
    StartSettled,
    StartTied,
    command_of,
    parse,
)
from games.dice_breaker.opening import RULES_VERSION
from games.dice_breaker.rules import DECIDER
from games.dice_breaker.view import OFFERING, leaders, view
from games.game import DiceNeeded, Json, Ruleset
from games.wire import wire

WIRE: Final = wire(
    "dice_breaker",
    (
        GameOpened,
        AntesPaid,
        StartBroken,
        StartTied,
        StartSettled,
        DieThrown,
        DieRested,
        RoundScored,
        RoundVoided,
        PlayerLeft,
        GameEnded,
    ),
)


def dice(opening: Json) -> DiceNeeded:
    """
    The dice that an opening needs: five for each player (DB1), in a battle also the trump and the
    latent dice (DB9, DB10).
    """
    battle = opening.get("options", {}).get("mode") == "battle"
    extra = 1 + len(LATENT) if battle else 0
    return DiceNeeded(DICE * len(opening["players"]) + extra, SIDES)


DICE_BREAKER: Final = Ruleset(
    id=GAME,
    version=RULES_VERSION,
    decider=DECIDER,
    dice=dice,
    command_of=command_of,
    parse=parse,
    encode=WIRE.encode,
    decode=WIRE.decode,
    offers=OFFERING.offers,
    view=view,
    explain=explain,
    so_far=so_far,
    outcome=outcome,
    leaders=leaders,
)
