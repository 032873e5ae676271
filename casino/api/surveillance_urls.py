"""Addresses of what throws say about dice, below the house's own."""

from casino import addresses

at = addresses.within("casino.api")

urlpatterns = [
    at("streams/", "surveillance.Streams"),
    at("streams/<slug:kind>/<slug:name>/<int:sides>/", "surveillance.OneStream"),
    at("alarms/", "surveillance.Alarms"),
    at("alarms/<uuid:alarm>/acknowledge/", "surveillance.Acknowledge"),
]
