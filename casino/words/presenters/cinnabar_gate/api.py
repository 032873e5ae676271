"""What Cinnabar Gate adds to the API's description."""

from typing import Final

from casino.words.presenters.described import ApiField, Described, Example

# fmt: off
API: Final = Described(
    name="Cinnabar Gate",
    state=(
        ApiField("turn", "anything", "how far the running turn is."),
        ApiField("tied_for", "anything", "best or worst, while a tie is thrown out."),
        ApiField("pockets", "coins", "winnings that are not played for."),
        ApiField("gone", "names"),
    ),
    openings=(
        Example(0x103, "Cinnabar Gate: a pool, with a home throw for this game", {
            "players": ["Ada", "Bruno", "Cleo"], "stake": 40, "home_throw": [1, 3, 6],
            "options": {"variant": "pool", "runs": "straight", "opal": 1},
        }),
    ),
)
# fmt: on
