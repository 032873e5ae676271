"""The addresses of the exception report."""

from casino.kit.web import addresses

at = addresses.within("casino.reports.exceptions")
lists = addresses.Lists("casino.reports.exceptions")

pages = [lists.page("", "EXCEPTIONS", name="exceptions")]

api = [
    at("exceptions/", "api.Exceptions"),
]
