"""Addresses of dashboard in the office."""

from casino.web import addresses

at = addresses.within("casino.dashboard")

urlpatterns = [
    at("", "views.start", name="start"),
    at("house/", "views.choose_house", name="choose-house"),
]
