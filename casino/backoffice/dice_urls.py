"""What throws say about dice, in the office."""

from casino import addresses

at = addresses.within("casino.backoffice")

urlpatterns = [
    at("", "dice.overview", name="dice"),
    at("entries/", "dice.entries", name="dice-entries"),
    at("of/<slug:kind>/<slug:name>/", "dice.of", name="dice-of"),
    at("alarms/<uuid:alarm>/acknowledge/", "dice.acknowledge", name="dice-acknowledge"),
]
