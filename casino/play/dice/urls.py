"""The addresses of dice sets: the inventory, and the life of each set."""

from casino.kit.web import addresses

at = addresses.within("casino.play.dice")

pages = [
    at("", "pages.inventory", name="dice-sets"),
    at("receive/", "pages.receive", name="dice-receive"),
    at("<uuid:dice_set>/", "pages.one", name="dice-set"),
    at("<uuid:dice_set>/<slug:do>/", "pages.act", name="dice-act"),
]

api = [
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
