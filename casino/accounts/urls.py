"""Addresses of the house's accounts."""

from casino.web import addresses

at = addresses.within("casino.accounts")

urlpatterns = [
    at("", "pages.chart", name="accounts"),
    at("cage-and-bank/", "cage_pages.cage", name="cage"),
    at("<slug:kind>/", "pages.of_kind", name="accounts-kind"),
    at("<slug:kind>/<path:name>/", "pages.one", name="account"),
]
