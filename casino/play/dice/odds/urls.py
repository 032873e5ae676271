"""Addresses of odds: the page of each game, and the API."""

from typing import Final

from casino.kit.web import addresses
from casino.words.presenters.registered import games

at = addresses.within("casino.play.dice.odds")
ODDS: Final = tuple(name for name, game in games().items() if game.odds)
"""Games whose odds are known."""

pages = [
    at("", "views.first", name="odds"),
    at("<slug:game>/", "views.odds", name="odds-of"),
]

api = [
    at("", "api.AllOdds", name="all-odds"),
    *(at(f"{game}/", "api.of_game", game, name=f"odds-of-{game}") for game in ODDS),
]
