"""Addresses of staff in the API, below a house's own."""

from casino.web import addresses

at = addresses.within("casino.staff")

urlpatterns = [
    at("people/", "api.HousePeople"),
    at("access/", "api.AccessListing"),
    at("sign-ins/", "api.SignIns"),
]
