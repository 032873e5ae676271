"""The house options of Cinnabar Gate stone hand, fixed by the opening."""

from dataclasses import dataclass
from typing import Final, Literal

from games.homes import Homes
from games.options import COINS, UNITS
from games.stone import Runs

RANGES: Final = {"junk_rethrows": range(100), "pay_cap": COINS, "unit": UNITS}


@dataclass(frozen=True, slots=True)
class Options:
    variant: Literal["table", "pool", "arcade"] = "table"
    runs: Runs = "wrap"
    homes: Homes = "house"
    pay_lowering: Literal["to_score", "by_one"] = "to_score"
    junk_order: Literal["low", "high"] = "low"
    pair_value: bool = False
    junk_rethrows: int = 3
    pay_cap: int | Literal["none"] = "none"
    empty: Literal["only", "also"] = "only"
    ties: Literal["rethrow", "split"] = "rethrow"
    winnings: Literal["stake", "pocket"] = "stake"
    opal: Literal[0, 1, 2] = 0
    arcade_points: Literal["pay", 1] = "pay"
    unit: int = 1


DEFAULTS: Final = Options()
