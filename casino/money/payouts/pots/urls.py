"""The addresses of the pages and the API of pots."""

from casino.kit.web import addresses

at = addresses.within("casino.money.payouts.pots")

pages = [
    at("", "pages.open_pots", name="pots"),
]

api = [
    at("pots/", "api.Pots"),
]
