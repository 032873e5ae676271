"""Addresses of dice in the API, below a house's own."""

from casino.web import addresses

at = addresses.within("casino.dice")

urlpatterns = [
    at("dice/", "api.DiceSets"),
    at(
        "dice/<uuid:dice_set>/",
        "api.OneDiceSet",
    ),
    at(
        "dice/<uuid:dice_set>/acts/",
        "api.DiceActs",
    ),
]
