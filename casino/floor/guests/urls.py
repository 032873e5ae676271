"""The addresses that need no sign-in: of the guests' pages, and of wall boards."""

from casino.kit.web import addresses

at = addresses.within("casino.floor.guests")

guests = [
    at("<slug:house>/", "pages.index", name="guests"),
    at("<slug:house>/app.webmanifest", "pages.manifest", name="guests-manifest"),
    at("<slug:house>/rules/<slug:ruleset>/", "pages.game", name="guests-game"),
    at("<slug:house>/odds/<slug:ruleset>/", "pages.odds", name="guests-odds"),
    at("<slug:house>/slip/<slug:slip>/", "pages.slip", name="guests-slip"),
    at("<slug:house>/slip/<slug:slip>/proof", "pages.proof", name="guests-proof"),
    at("<slug:house>/me/<slug:code>/", "own_pages.page", name="guests-own"),
]

wall = [
    at("<slug:key>/", "wall.page", name="wall"),
    at("<slug:key>/board/", "wall.board", name="wall-board"),
]
