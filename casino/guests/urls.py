"""The addresses of the guests' pages, which need no sign-in."""

from casino.web import addresses

at = addresses.within("casino.guests")

pages = [
    at("<slug:house>/", "pages.index", name="guests"),
    at("<slug:house>/app.webmanifest", "pages.manifest", name="guests-manifest"),
    at("<slug:house>/rules/<slug:ruleset>/", "pages.game", name="guests-game"),
    at("<slug:house>/slip/<slug:slip>/", "pages.slip", name="guests-slip"),
    at("<slug:house>/slip/<slug:slip>/proof", "pages.proof", name="guests-proof"),
    at("<slug:house>/odds/<slug:ruleset>/", "pages.odds", name="guests-odds"),
]
