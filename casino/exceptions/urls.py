"""Addresses of exceptions."""

from casino.web import addresses

at = addresses.within("casino.exceptions")

pages = [
    at("", "pages.report", name="exceptions"),
]

api = [
    at("exceptions/", "api.Exceptions"),
]
