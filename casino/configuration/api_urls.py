"""The addresses of a house's configuration."""

from casino.web import addresses

at = addresses.within("casino.configuration")

urlpatterns = [
    at("configuration/", "api.Configuration"),
    at("house-rules/", "api.HouseRulesOf"),
    at("changes/", "api.Changes"),
    at("tables/", "houses_api.Tables"),
    at("rollovers/", "houses_api.Rollovers"),
    at("ledger/", "houses_api.Ledger"),
]
