"""Addresses of the houses one works for, in the API."""

from casino.web import addresses

at = addresses.within("casino.configuration")

urlpatterns = [
    at("", "houses_api.Houses", name="establishments"),
    at("<uuid:establishment>/", "houses_api.OneHouse", name="house"),
]
