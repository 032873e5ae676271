"""The addresses of a chain. None names the chain: everybody has one at most, their own."""

from casino.web import addresses

at = addresses.within("casino.chain")

pages = [
    at("", "pages.houses", name="chain"),
    at("compare/", "pages.compare", name="chain-compare"),
    at("houses/<uuid:house>/", "pages.house", name="chain-house"),
    at("people/", "pages.people", name="chain-people"),
    at("people/sign-ins/", "pages.sign_ins", name="chain-sign-ins"),
]

api = [
    at("", "api.OneChain"),
    at("houses/", "api.Houses"),
    at("houses/<uuid:house>/days/", "api.Days"),
    at("people/", "api.People"),
    at("sign-ins/", "api.SignIns"),
]
