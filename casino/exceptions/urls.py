"""Addresses of exceptions in the office."""

from casino.web import addresses

at = addresses.within("casino.exceptions")

urlpatterns = [
    at("", "pages.report", name="exceptions"),
]
