"""Cinnabar Gate stone hand: the worst hand pays the best. docs/games/cinnabar-gate.md."""

from typing import Final

from games import stone
from games.cinnabar_gate.explain import EXPLAINING, outcome
from games.cinnabar_gate.messages import (
    GAME,
    DiceThrown,
    GameEnded,
    GameOpened,
    HandTaken,
    HomeDiceThrown,
    HomeThrowSettled,
    PayMoved,
    PlayerLeft,
    RoundRestarted,
    RoundSettled,
    RoundVoided,
    TieCalled,
    command_of,
    parse,
)
from games.cinnabar_gate.opening import RULES_VERSION
from games.cinnabar_gate.rules import DECIDER
from games.cinnabar_gate.view import OFFERING, leaders, view
from games.game import DiceNeeded, Ruleset
from games.wire import wire

WIRE: Final = wire(
    "cinnabar_gate",
    (
        GameOpened,
        HomeDiceThrown,
        HomeThrowSettled,
        DiceThrown,
        HandTaken,
        PayMoved,
        RoundRestarted,
        TieCalled,
        RoundSettled,
        RoundVoided,
        PlayerLeft,
        GameEnded,
    ),
)

CINNABAR_GATE: Final = Ruleset(
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
