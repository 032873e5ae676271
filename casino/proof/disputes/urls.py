"""The addresses of disputes and of regrades."""

from casino.kit.web import addresses

at = addresses.within("casino.proof.disputes")

pages = [
    at("", "pages.overview", name="disputes"),
    at("find/", "pages.search", name="disputes-find"),
    at("raise/<uuid:game>/", "pages.raise_", name="dispute-raise"),
    at("<uuid:game>/<int:dispute>/", "pages.one", name="dispute"),
    at("<uuid:game>/<int:dispute>/bundle/", "pages.download", name="dispute-bundle"),
]

api = [
    at("regrades/", "regrade.api.Regrades"),
    at("regrades/<uuid:regrade>/", "regrade.api.OneRegrade", name="regrade"),
    at("regrades/<uuid:regrade>/differences/", "regrade.api.Differences"),
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
