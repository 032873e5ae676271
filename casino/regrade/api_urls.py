"""Addresses of regrade in the API, below a house's own."""

from casino.web import addresses

at = addresses.within("casino.regrade")

urlpatterns = [
    at("regrades/", "api.Regrades"),
    at(
        "regrades/<uuid:regrade>/",
        "api.OneRegrade",
        name="regrade",
    ),
    at(
        "regrades/<uuid:regrade>/differences/",
        "api.Differences",
    ),
]
