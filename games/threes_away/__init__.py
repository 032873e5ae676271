"""
Threes away: five six-sided dice, threes count nothing, the lowest total takes the pot.

docs/games/threes-away.md.
"""

from typing import Final

from games.game import DiceNeeded, Ruleset
from games.threes_away.explain import explain, outcome, so_far
from games.threes_away.hands import DICE, SIDES
from games.threes_away.messages import (
    GAME,
    DiceKept,
    DiceThrown,
    GameEnded,
    GameOpened,
    LateAntePaid,
    PlayerLeft,
    RolloverArrived,
    RolloverDrawn,
    RoundRolledOver,
    RoundStarted,
    RoundTied,
    RoundVoided,
    RoundWon,
    TurnEnded,
    command_of,
    parse,
)
from games.threes_away.opening import RULES_VERSION
from games.threes_away.rules import DECIDER
from games.threes_away.view import OFFERING, leaders, view
from games.wire import wire

WIRE: Final = wire(
    "threes_away",
    (
        GameOpened,
        RolloverDrawn,
        RolloverArrived,
        RoundStarted,
        LateAntePaid,
        DiceThrown,
        DiceKept,
        TurnEnded,
        RoundWon,
        RoundTied,
        RoundRolledOver,
        RoundVoided,
        PlayerLeft,
        GameEnded,
    ),
)

THREES_AWAY: Final = Ruleset(
    id=GAME,
    version=RULES_VERSION,
    decider=DECIDER,
    dice=lambda _opening: DiceNeeded(DICE, SIDES),
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
