"""Addresses of surveillance: pages about dice and entries, and the API."""

from casino.kit.web import addresses

at = addresses.within("casino.play.dice.surveillance")

pages = [
    at("", "pages.overview", name="dice"),
    at("entries/", "pages.entries", name="dice-entries"),
    at("of/<slug:kind>/<slug:name>/", "pages.stream_detail", name="dice-stream"),
    at("alarms/<uuid:alarm>/acknowledge/", "pages.acknowledge", name="dice-acknowledge"),
]

api = [
    at("streams/", "api.Streams"),
    at("streams/<slug:kind>/<slug:name>/<int:sides>/", "api.OneStream"),
    at("alarms/", "api.Alarms"),
    at("alarms/<uuid:alarm>/acknowledge/", "api.Acknowledge"),
]
