"""Addresses of regrade."""

from casino.kit.web import addresses

at = addresses.within("casino.proof.disputes.regrade")

api = [
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
