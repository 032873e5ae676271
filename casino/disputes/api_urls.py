"""Addresses of disputes in the API, below a house's own."""

from casino.web import addresses

at = addresses.within("casino.disputes")

urlpatterns = [
    at("disputes/", "api.Disputes"),
    at(
        "disputes/<uuid:game>/<int:dispute>/",
        "api.OneDispute",
    ),
    at(
        "disputes/<uuid:game>/<int:dispute>/bundle/",
        "api.Bundle",
    ),
]
