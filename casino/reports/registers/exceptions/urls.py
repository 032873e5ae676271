"""The addresses of the exception report."""

from casino.kit.web import addresses

at = addresses.within("casino.reports.registers.exceptions")
lists = addresses.Lists("casino.reports.registers.exceptions")

pages = [lists.page("", "EXCEPTIONS", name="exceptions")]

api = [
    at("exceptions/", "api.Exceptions"),
]
