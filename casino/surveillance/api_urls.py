"""Addresses of what throws say about dice, below the house's own."""

from casino.web import addresses

at = addresses.within("casino.surveillance")

urlpatterns = [
    at("streams/", "api.Streams"),
    at("streams/<slug:kind>/<slug:name>/<int:sides>/", "api.OneStream"),
    at("alarms/", "api.Alarms"),
    at("alarms/<uuid:alarm>/acknowledge/", "api.Acknowledge"),
]
