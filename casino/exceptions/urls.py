"""The addresses of the exception report."""

from casino.web import addresses

at = addresses.within("casino.exceptions")
lists = addresses.Lists("casino.exceptions")

pages = [lists.page("", "EXCEPTIONS", name="exceptions")]

api = [
    at("exceptions/", "api.Exceptions"),
]
