"""Dice sets in the office: the inventory, and the life of each."""

from casino import addresses

at = addresses.within("casino.backoffice")

urlpatterns = [
    at("", "dice_sets.inventory", name="dice-sets"),
    at("receive/", "dice_sets.receive", name="dice-receive"),
    at("<uuid:dice_set>/", "dice_sets.one", name="dice-set"),
    at("<uuid:dice_set>/<slug:do>/", "dice_sets.act", name="dice-act"),
]
