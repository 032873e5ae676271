"""Addresses of exclusions in the API, below a house's own."""

from casino.web import addresses

at = addresses.within("casino.exclusions")

urlpatterns = [
    at("exclusions/", "api.Exclusions"),
    at("seats-refused/", "api.Tried"),
]
