"""Addresses of pots in the API, below a house's own."""

from casino.web import addresses

at = addresses.within("casino.pots")

urlpatterns = [
    at("pots/", "api.Pots"),
]
