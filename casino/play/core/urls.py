"""The addresses of the API of games."""

from casino.kit.web import addresses

at = addresses.within("casino.play.core")

api = [
    at("", "api.Games", name="games"),
    at("<uuid:game>/", "api.Game", name="game"),
    at("<uuid:game>/commands/", "api.Commands"),
    at("<uuid:game>/events/", "api.Events"),
    at("<uuid:game>/explain/<int:round_no>/", "api.Explanation"),
]
