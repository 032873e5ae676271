"""Addresses of pots in the office."""

from casino.web import addresses

at = addresses.within("casino.pots")

urlpatterns = [
    at("", "pages.open_pots", name="pots"),
]
