"""River: five hidden dice, five at auction, the highest hand takes the pot. docs/games/river.md."""

from typing import Final

from games.game import DiceNeeded, Ruleset
from games.river.explain import EXPLAINING, outcome
from games.river.hands import SIZES
from games.river.messages import (
    GAME,
    BidMade,
    BidPassed,
    DiceBought,
    DiceOffered,
    DiceRevealed,
    DiceSealed,
    DieThrown,
    GameEnded,
    GameOpened,
    HandsUnseen,
    LotSold,
    LotWithdrawn,
    PlayerLeft,
    RoundStarted,
    RoundVoided,
    RoundWon,
    TieCalled,
    command_of,
    parse,
)
from games.river.opening import RULES_VERSION
from games.river.rules import DECIDER
from games.river.view import OFFERING, leaders, view
from games.wire import wire

WIRE: Final = wire(
    "river",
    (
        GameOpened,
        RoundStarted,
        HandsUnseen,
        DiceBought,
        DiceSealed,
        DiceOffered,
        BidMade,
        BidPassed,
        LotSold,
        LotWithdrawn,
        DiceRevealed,
        TieCalled,
        DieThrown,
        RoundWon,
        RoundVoided,
        PlayerLeft,
        GameEnded,
    ),
)

RIVER: Final = Ruleset(
    id=GAME,
    version=RULES_VERSION,
    decider=DECIDER,
    dice=lambda _opening: DiceNeeded(len(SIZES), None),
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
