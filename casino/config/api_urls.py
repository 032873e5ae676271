"""The addresses of the API. Every one ends with a slash; ids are UUIDs."""

from django.urls import URLPattern, URLResolver, include, path, re_path

from casino.web import addresses

at = addresses.within("casino.web.api")
anything = addresses.within("casino.web.api", re_path)

house: list[URLPattern | URLResolver] = [
    path("", include(f"casino.{room}.api_urls"))
    for room in (
        "configuration", "proofs", "approvals", "exceptions", "reports", "gaming_days", "cash",
        "disputes", "regrade", "pots", "payouts", "dice", "staff", "accounts", "players",
        "exclusions",
    )
]  # fmt: skip
"""Below the address of one house."""

v1: list[URLPattern | URLResolver] = [
    # First: tables ask for these, and Django tries one after the other.
    path("games/", include("casino.play.api_urls")),
    path("tokens/", include("casino.sign_in.api_urls")),
    path("establishments/", include("casino.configuration.houses_urls")),
    path("establishments/<uuid:establishment>/", include(house)),
    path(
        "establishments/<uuid:establishment>/surveillance/",
        include("casino.surveillance.api_urls"),
    ),
    path("odds/", include("casino.odds.api_urls")),
]

urlpatterns = [
    at("schema/", "schema.Description", name="schema"),
    path("v1/", include(v1)),
    anything("", "not_found.Nowhere"),
]
