"""The addresses of the start page."""

from casino.web import addresses

at = addresses.within("casino.dashboard")

pages = [
    at("", "views.start", name="start"),
    at("house/", "views.choose_house", name="choose-house"),
]
