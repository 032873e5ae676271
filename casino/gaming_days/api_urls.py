"""Addresses of gaming days in the API, below a house's own."""

from casino.web import addresses

at = addresses.within("casino.gaming_days")

urlpatterns = [
    at("days/", "api.Days"),
    at("days/<slug:day>/", "api.OneDay"),
    at("days/<slug:day>/close/", "api.CloseDay"),
    at("days/<slug:day>/sign/", "api.SignDay"),
    at("late/", "api.LateEntries"),
]
