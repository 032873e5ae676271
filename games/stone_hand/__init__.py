"""Stone hand: three eight-sided dice, the worst throw pays. docs/games/stone-hand.md."""

from typing import Final

from games import stone
from games.game import DiceNeeded, Ruleset
from games.stone_hand.explain import EXPLAINING, outcome
from games.stone_hand.messages import (
    GAME,
    DiceThrown,
    FeeTaken,
    GameEnded,
    GameOpened,
    HandTaken,
    HomeDiceThrown,
    HomeThrowSettled,
    PlayerLeft,
    RoundLost,
    RoundRestarted,
    RoundVoided,
    TableClosed,
    TieCalled,
    command_of,
    parse,
)
from games.stone_hand.opening import RULES_VERSION
from games.stone_hand.rules import DECIDER
from games.stone_hand.view import OFFERING, leaders, view
from games.wire import wire

WIRE: Final = wire(
    "stone_hand",
    (
        GameOpened,
        HomeDiceThrown,
        HomeThrowSettled,
        DiceThrown,
        HandTaken,
        FeeTaken,
        RoundRestarted,
        TieCalled,
        RoundLost,
        RoundVoided,
        PlayerLeft,
        TableClosed,
        GameEnded,
    ),
)

STONE_HAND: Final = Ruleset(
    id=GAME,
    version=RULES_VERSION,
    decider=DECIDER,
    dice=lambda _opening: DiceNeeded(stone.DICE, stone.SIDES),
    command_of=command_of,
    parse=parse,
    encode=WIRE.encode,
    decode=WIRE.decode,
    offers=OFFERING.offers,
    view=view,
    explain=EXPLAINING.explain,
    so_far=EXPLAINING.so_far,
    outcome=outcome,
    leaders=leaders,
)
