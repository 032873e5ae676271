"""Addresses of a house's accounts, below the house's own."""

from casino.web import addresses

at = addresses.within("casino.accounts")

urlpatterns = [
    at("accounts/", "api.Chart"),
    at("accounts/<slug:kind>/", "api.OfKind"),
    at("accounts/<slug:kind>/<path:name>/", "api.Statement"),
]
