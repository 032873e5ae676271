"""Addresses of odds in the API."""

from typing import Final

from casino.web import addresses

ODDS: Final = ("stone-hand", "cinnabar-gate", "river", "threes-away", "dice-breaker")
"""Games whose odds can be asked for."""

at = addresses.within("casino.odds")

urlpatterns = [
    at("", "api.AllOdds", name="all-odds"),
    *(at(f"{game}/", "api.of_game", game, name=f"odds-of-{game}") for game in ODDS),
]
