"""Addresses of what if."""

from casino.kit.web import addresses

at = addresses.within("casino.reports.what_if")

pages = [
    at("", "pages.what_if", name="what-if"),
    at("<uuid:what_if>/", "pages.one", name="what-if-one"),
    at("<uuid:what_if>/stop/", "pages.stop", name="what-if-stop"),
]
