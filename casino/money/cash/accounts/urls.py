"""The addresses of the pages and the API of the house's accounts."""

from casino.kit.web import addresses

at = addresses.within("casino.money.cash.accounts")

pages = [
    at("", "pages.chart", name="accounts"),
    at("cage-and-bank/", "pages.cage", name="cage"),
    at("<slug:kind>/", "pages.of_kind", name="accounts-kind"),
    at("<slug:kind>/<path:name>/", "pages.one", name="account"),
]

api = [
    at("accounts/", "api.Chart"),
    at("accounts/<slug:kind>/", "api.OfKind"),
    at("accounts/<slug:kind>/<path:name>/", "api.Statement"),
]
