"""What throws say about dice, in the office."""

from casino.web import addresses

at = addresses.within("casino.surveillance")

urlpatterns = [
    at("", "pages.overview", name="dice"),
    at("entries/", "pages.entries", name="dice-entries"),
    at("of/<slug:kind>/<slug:name>/", "pages.of", name="dice-of"),
    at("alarms/<uuid:alarm>/acknowledge/", "pages.acknowledge", name="dice-acknowledge"),
]
