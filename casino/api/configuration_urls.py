"""The addresses of a house's configuration."""

from casino import addresses

at = addresses.within("casino.api")

urlpatterns = [
    at("configuration/", "configuration.Configuration"),
    at("house-rules/", "configuration.HouseRulesOf"),
    at("changes/", "configuration.Changes"),
]
