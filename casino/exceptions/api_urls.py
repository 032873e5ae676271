"""Addresses of exceptions in the API, below a house's own."""

from casino.web import addresses

at = addresses.within("casino.exceptions")

urlpatterns = [
    at("exceptions/", "api.Exceptions"),
]
