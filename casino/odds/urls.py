"""The page of odds."""

from typing import Final

from casino.web import addresses

at = addresses.within("casino.odds")
ODDS: Final = ("stone-hand", "cinnabar-gate", "river", "threes-away", "dice-breaker")
"""Games whose odds can be asked for."""

pages = [
    at("", "views.first", name="odds"),
    at("<slug:game>/", "views.odds", name="odds-of"),
]

api = [
    at("", "api.AllOdds", name="all-odds"),
    *(at(f"{game}/", "api.of_game", game, name=f"odds-of-{game}") for game in ODDS),
]
