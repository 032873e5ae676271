"""What Stone Hand adds to the API's description."""

from typing import Final

from casino.words.presenters.described import ApiField, Described, Example

# fmt: off
API: Final = Described(
    name="Stone hand",
    state=(
        ApiField("tied", "names", "who throw again to name the loser."),
        ApiField("sitting_out", "names"),
    ),
    openings=(
        Example(0x101, "Stone hand: three players stake 25 coins each", {
            "players": ["Ada", "Bruno", "Cleo"], "stake": 25, "home_throw_policy": "fixed",
        }),
        Example(0x102, "Seats of their own, the house among them, with a fee", {
            "options": {"mode": "pool"},
            "players": [{"name": "Ada", "stake": 40}, {"name": "Bank", "stake": 40, "house": True}],
            "fee": {"kind": "rake", "percent": 5, "cap": 10},
            "occurred_at": "2026-01-31T21:05:00+01:00",
        }),
    ),
)
# fmt: on
